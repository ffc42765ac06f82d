//! Functions over values: strings, numbers, parameters.

use super::expression::Expr;
use super::value::{Argument, Value};
use super::word::Function;
use super::{Evaluator, Outcome};
use crate::diagnostic::DiagnosticKind;

impl<'f> Evaluator<'f> {
    pub(super) fn function(
        &mut self,
        function: Function,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        self.spend(1, at)?;
        match function {
            Function::Append => return self.appended(arguments, at),
            Function::Apply => return self.apply_list(arguments, at),
            Function::Error => return self.error(&arguments, at),
            Function::List => {
                let items = arguments
                    .into_iter()
                    .map(|argument| argument.value)
                    .collect();
                return self.list_of(items, at);
            }
            Function::Map | Function::ForEach | Function::Filter => {
                return self.over(function, arguments, at);
            }
            Function::StringAppend => return self.string_append(&arguments, at),
            Function::Sum
            | Function::Difference
            | Function::Product
            | Function::NumberEqual
            | Function::Less
            | Function::Greater
            | Function::NotLess
            | Function::NotGreater => return self.arithmetic(function, &arguments, at),
            Function::Substring => return self.substring(&arguments, at),
            _ => {}
        }
        let given = arguments.len();
        let mut arguments = arguments.into_iter();
        match (arguments.next(), arguments.next(), arguments.next()) {
            (Some(only), None, None) => self.of_one(function, only, at),
            (Some(first), Some(second), None) => self.of_two(function, first, second, at),
            _ => self.wrong_count(function, given, at),
        }
    }

    fn wrong_count<T>(&mut self, function: Function, given: usize, at: Expr<'f>) -> Outcome<T> {
        let takes_two = matches!(
            function,
            Function::Assoc
                | Function::Cons
                | Function::Equal
                | Function::ListRef
                | Function::Member
        );
        let takes = if takes_two { 2 } else { 1 };
        self.fail(DiagnosticKind::ArgumentCount { takes, given }, at)
    }

    fn of_one(
        &mut self,
        function: Function,
        argument: Argument<'f>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let value = &argument.value;
        Ok(match function {
            Function::Not => Value::Bool(!value.is_true()),
            Function::IsBoolean => Value::Bool(matches!(value, Value::Bool(_) | Value::Missing(_))),
            Function::IsList => Value::Bool(matches!(value, Value::List(_))),
            Function::IsNull => {
                Value::Bool(matches!(value, Value::List(list) if list.items.is_empty()))
            }
            Function::IsNumber => Value::Bool(matches!(value, Value::Number(_))),
            Function::IsProcedure => {
                Value::Bool(matches!(value, Value::Procedure(_) | Value::Word(_)))
            }
            Function::IsString => Value::Bool(matches!(value, Value::String(_))),
            Function::IsSymbol => Value::Bool(matches!(value, Value::Symbol(_))),
            Function::IsZero => Value::Bool(matches!(value, Value::Number(0))),
            Function::Param => self.param(&argument)?,
            Function::Defined => match value {
                Value::Symbol(name) => Value::Bool(self.is_defined(name, at)?),
                Value::Word(_) | Value::Procedure(_) => Value::Bool(true),
                _ => return self.fail(DiagnosticKind::WrongType { needs: "a symbol" }, at),
            },
            Function::RegexQuote => {
                let bytes = self.bytes_of(&argument)?;
                self.spend(bytes.len() / 16, at)?;
                Value::String(crate::ast::Pattern::escape(&bytes).into())
            }
            Function::StringLength => Value::Number(self.bytes_of(&argument)?.len() as i128),
            Function::NumberToString => {
                Value::String(self.number_of(&argument)?.to_string().into_bytes().into())
            }
            Function::SymbolToString => match value {
                Value::Symbol(name) => Value::String(name.as_bytes().into()),
                _ => return self.fail(DiagnosticKind::WrongType { needs: "a symbol" }, at),
            },
            Function::Length => {
                Value::Number(self.items(argument.value, argument.at)?.items.len() as i128)
            }
            Function::Reverse => {
                let list = self.items(argument.value, argument.at)?;
                let items = list.items.iter().rev().cloned().collect();
                return self.list_of(items, at);
            }
            Function::Car | Function::Cadr | Function::Caddr | Function::Cdr | Function::Cddr => {
                return self.of_list(function, argument.value, at);
            }
            Function::Difference => Value::Number(-self.number_of(&argument)?),
            _ => return self.wrong_count(function, 1, at),
        })
    }

    fn of_two(
        &mut self,
        function: Function,
        first: Argument<'f>,
        second: Argument<'f>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        match function {
            Function::Equal => {
                let equal = self.is_equal(&first.value, &second.value, at)?;
                Ok(Value::Bool(equal))
            }
            Function::Cons => {
                let rest = self.items(second.value, second.at)?;
                let rest = rest.items.iter().cloned();
                let items = std::iter::once(first.value).chain(rest).collect();
                self.list_of(items, at)
            }
            Function::ListRef => {
                let list = self.items(first.value, first.at)?;
                let index = self.number_of(&second)?;
                let item = usize::try_from(index)
                    .ok()
                    .and_then(|index| list.items.get(index));
                match item {
                    Some(item) => Ok(item.clone()),
                    None => self.fail(
                        DiagnosticKind::WrongType {
                            needs: "a longer list",
                        },
                        at,
                    ),
                }
            }
            Function::Member | Function::Assoc => {
                self.found(function, &first.value, second.value, at)
            }
            _ => self.wrong_count(function, 2, at),
        }
    }

    fn param(&mut self, argument: &Argument<'f>) -> Outcome<Value<'f>> {
        let name = match &argument.value {
            Value::Symbol(name) => name.as_bytes().into(),
            _ => self.bytes_of(argument)?,
        };
        Ok(match self.settings.parameters.get(&*name) {
            Some(value) => {
                self.outside += 1;
                Value::String(value.as_slice().into())
            }
            None => Value::Missing(name),
        })
    }

    fn string_append(&mut self, arguments: &[Argument<'f>], at: Expr<'f>) -> Outcome<Value<'f>> {
        let mut string = Vec::new();
        for argument in arguments {
            let part = self.bytes_of(argument)?;
            self.spend(part.len() / 16, at)?;
            string.extend_from_slice(&part);
        }
        Ok(Value::String(string.into()))
    }

    fn substring(&mut self, arguments: &[Argument<'f>], at: Expr<'f>) -> Outcome<Value<'f>> {
        let needs = "a string and places in it";
        let (string, start, end) = match arguments {
            [string, start] => (string, start, None),
            [string, start, end] => (string, start, Some(end)),
            _ => return self.fail(DiagnosticKind::WrongType { needs }, at),
        };
        let bytes = self.bytes_of(string)?;
        let start = self.number_of(start)?;
        let end = match end {
            Some(end) => self.number_of(end)?,
            None => bytes.len() as i128,
        };
        self.spend(bytes.len() / 16, at)?;
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        match range.and_then(|(start, end)| bytes.get(start..end)) {
            Some(part) => Ok(Value::String(part.into())),
            None => self.fail(DiagnosticKind::WrongType { needs }, at),
        }
    }

    fn arithmetic(
        &mut self,
        function: Function,
        arguments: &[Argument<'f>],
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let mut numbers = Vec::new();
        for argument in arguments {
            numbers.push(self.number_of(argument)?);
        }
        self.spend(numbers.len(), at)?;
        let needs = "numbers of 64 bits, at least one";
        let Some((&first, rest)) = numbers.split_first() else {
            return self.fail(DiagnosticKind::WrongType { needs }, at);
        };
        let pairs = || numbers.iter().zip(rest);
        let number = match function {
            Function::Sum => rest.iter().try_fold(first, |sum, &n| sum.checked_add(n)),
            Function::Difference if rest.is_empty() => first.checked_neg(),
            Function::Difference => rest.iter().try_fold(first, |sum, &n| sum.checked_sub(n)),
            Function::Product => rest.iter().try_fold(first, |sum, &n| sum.checked_mul(n)),
            _ => {
                return Ok(Value::Bool(match function {
                    Function::NumberEqual => pairs().all(|(left, right)| left == right),
                    Function::Less => pairs().all(|(left, right)| left < right),
                    Function::Greater => pairs().all(|(left, right)| left > right),
                    Function::NotLess => pairs().all(|(left, right)| left >= right),
                    _ => pairs().all(|(left, right)| left <= right),
                }));
            }
        };
        match number {
            Some(number) if i64::try_from(number).is_ok() => Ok(Value::Number(number)),
            _ => self.fail(DiagnosticKind::WrongType { needs }, at),
        }
    }

    /// `(error "…" …)`: the profile refuses itself.
    fn error<T>(&mut self, arguments: &[Argument<'f>], at: Expr<'f>) -> Outcome<T> {
        let message = match arguments.first().map(|argument| &argument.value) {
            Some(Value::String(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        };
        self.fail(DiagnosticKind::Raised(message.into()), at)
    }
}
