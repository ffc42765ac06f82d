//! Functions over lists.

use std::rc::Rc;

use super::expression::Expr;
use super::value::{Argument, List, MAX_NESTING, Value};
use super::word::Function;
use super::{Evaluator, Outcome};
use crate::diagnostic::DiagnosticKind;

impl<'f> Evaluator<'f> {
    /// A list of these.
    pub(super) fn list_of(&mut self, items: Vec<Value<'f>>, at: Expr<'f>) -> Outcome<Value<'f>> {
        let depth_of = |item: &Value<'f>| match item {
            Value::List(list) => list.depth,
            _ => 0,
        };
        self.spend(items.len(), at)?;
        let depth = 1 + items.iter().map(depth_of).max().unwrap_or_default();
        if depth > MAX_NESTING {
            return self.fail(DiagnosticKind::TooDeep, at);
        }
        Ok(Value::List(Rc::new(List { items, depth })))
    }

    /// The list that a value is.
    pub(super) fn items(&mut self, value: Value<'f>, at: Expr<'f>) -> Outcome<Rc<List<'f>>> {
        match value {
            Value::List(list) => Ok(list),
            _ => self.fail(DiagnosticKind::WrongType { needs: "a list" }, at),
        }
    }

    /// `(map function list …)`, `(for-each …)`, `(filter function list)`.
    pub(super) fn over(
        &mut self,
        function: Function,
        mut arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        if arguments.len() < 2 {
            return self.fail(
                DiagnosticKind::WrongType {
                    needs: "a function and a list",
                },
                at,
            );
        }
        let callee = arguments.remove(0).value;
        let mut lists = Vec::new();
        for argument in arguments {
            lists.push(self.items(argument.value, argument.at)?);
        }
        let shortest = lists.iter().map(|list| list.items.len()).min();
        let mut results = Vec::new();
        for index in 0..shortest.unwrap_or_default() {
            self.spend(1, at)?;
            let row = lists.iter().filter_map(|list| list.items.get(index));
            let row: Vec<_> = row.cloned().map(|value| Argument { value, at }).collect();
            let first = row.first().map(|argument| argument.value.clone());
            let result = self.call(callee.clone(), row, at)?;
            match function {
                Function::Map => results.push(result),
                Function::Filter if result.is_true() => results.extend(first),
                _ => {}
            }
        }
        match function {
            Function::ForEach => Ok(Value::Unspecified),
            _ => self.list_of(results, at),
        }
    }

    /// `(apply function argument … list)`.
    pub(super) fn apply_list(
        &mut self,
        mut arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let Some(last) = arguments.pop().filter(|_| !arguments.is_empty()) else {
            return self.fail(
                DiagnosticKind::WrongType {
                    needs: "a function and a list",
                },
                at,
            );
        };
        let callee = arguments.remove(0).value;
        let rest = self.items(last.value, last.at)?;
        self.spend(rest.items.len(), at)?;
        let rest = rest.items.iter().cloned();
        arguments.extend(rest.map(|value| Argument { value, at }));
        self.call(callee, arguments, at)
    }

    /// Functions that take a list and give one, or one of its items.
    pub(super) fn of_list(
        &mut self,
        function: Function,
        list: Value<'f>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let list = self.items(list, at)?;
        let item = |index: usize| list.items.get(index).cloned();
        let (value, behind) = match function {
            Function::Car => (item(0), None),
            Function::Cadr => (item(1), None),
            Function::Caddr => (item(2), None),
            Function::Cdr => (None, Some(1)),
            _ => (None, Some(2)),
        };
        match (value, behind) {
            (Some(value), _) => Ok(value),
            (None, Some(behind)) if behind <= list.items.len() => {
                self.spend(list.items.len(), at)?;
                let rest = list.items.iter().skip(behind).cloned().collect();
                self.list_of(rest, at)
            }
            _ => self.fail(
                DiagnosticKind::WrongType {
                    needs: "a longer list",
                },
                at,
            ),
        }
    }

    pub(super) fn appended(
        &mut self,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let mut items = Vec::new();
        for argument in arguments {
            let list = self.items(argument.value, argument.at)?;
            self.spend(list.items.len(), at)?;
            items.extend(list.items.iter().cloned());
        }
        self.list_of(items, at)
    }

    /// `(member x list)` gives the rest of the list from `x` on; `(assoc x list)` the first list
    /// that begins with it. `#f` if there is none.
    pub(super) fn found(
        &mut self,
        function: Function,
        wanted: &Value<'f>,
        list: Value<'f>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let list = self.items(list, at)?;
        for (index, item) in list.items.iter().enumerate() {
            self.spend(1, at)?;
            match (function, item) {
                (Function::Member, item) if self.is_equal(wanted, item, at)? => {
                    let rest = list.items.iter().skip(index).cloned().collect();
                    return self.list_of(rest, at);
                }
                (Function::Assoc, Value::List(pair)) => {
                    if let Some(key) = pair.items.first() {
                        if self.is_equal(wanted, key, at)? {
                            return Ok(item.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(Value::Bool(false))
    }

    /// Whether two values are the same. Functions and filters are not compared.
    pub(super) fn is_equal(
        &mut self,
        left: &Value<'f>,
        right: &Value<'f>,
        at: Expr<'f>,
    ) -> Outcome<bool> {
        Ok(match (left, right) {
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Number(left), Value::Number(right)) => left == right,
            (Value::Symbol(left), Value::Symbol(right)) => left == right,
            (Value::String(left), Value::String(right)) => {
                self.spend(left.len() / 64, at)?;
                left == right
            }
            (Value::Missing(_), other) | (other, Value::Missing(_)) => !other.is_true(),
            (Value::List(left), Value::List(right)) => {
                if left.items.len() != right.items.len() {
                    return Ok(false);
                }
                for (left, right) in left.items.iter().zip(&right.items) {
                    self.spend(1, at)?;
                    if !self.is_equal(left, right, at)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        })
    }
}
