//! Values as what filters and functions take: texts, numbers, symbols.

use std::rc::Rc;

use super::expression::Expr;
use super::value::{Argument, FilterList, Value};
use super::{Evaluator, Outcome};
use crate::ast::{MAX_TEXT, Symbol, Text, TextErrorKind};
use crate::diagnostic::DiagnosticKind;
use crate::syntax::{Escapes, unquote};

impl<'f> Evaluator<'f> {
    /// A string as it stands in the text.
    pub(super) fn string(&mut self, expr: Expr<'f>) -> Outcome<Value<'f>> {
        let (bytes, escapes) = unquote(expr.bytes());
        if escapes == Escapes::Unknown {
            self.report(DiagnosticKind::UnknownEscape, expr);
        }
        Ok(Value::String((*bytes).into()))
    }

    /// A text for the filter of that name. One that cannot be written is reported and kept.
    pub(super) fn text(
        &mut self,
        argument: &Argument<'f>,
        name: &str,
        takes: &'static str,
    ) -> Outcome<Text> {
        let bytes = match &argument.value {
            Value::String(bytes) => bytes,
            Value::Missing(parameter) => return self.undefined(parameter, argument.at),
            _ => return self.bad_argument(name, takes, argument.at),
        };
        let length = bytes.len();
        if length > MAX_TEXT {
            // Every mention of a long string reads and copies it.
            self.spend(length / 64, argument.at)?;
        }
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            self.report(DiagnosticKind::Text(TextErrorKind::Nul { at }), argument.at);
        }
        if length > MAX_TEXT {
            self.report(
                DiagnosticKind::Text(TextErrorKind::TooLong { length }),
                argument.at,
            );
        }
        Ok(Text::parsed(bytes))
    }

    pub(super) fn undefined<T>(&mut self, parameter: &[u8], at: Expr<'f>) -> Outcome<T> {
        let name = String::from_utf8_lossy(parameter).into();
        self.fail(DiagnosticKind::UndefinedParameter(name), at)
    }

    /// The bytes of a string, for a function.
    pub(super) fn bytes_of(&mut self, argument: &Argument<'f>) -> Outcome<Rc<[u8]>> {
        match &argument.value {
            Value::String(bytes) => Ok(Rc::clone(bytes)),
            Value::Missing(parameter) => self.undefined(parameter, argument.at),
            _ => self.fail(DiagnosticKind::WrongType { needs: "a string" }, argument.at),
        }
    }

    pub(super) fn number_of(&mut self, argument: &Argument<'f>) -> Outcome<i128> {
        match argument.value {
            Value::Number(number) => Ok(number),
            _ => self.fail(DiagnosticKind::WrongType { needs: "a number" }, argument.at),
        }
    }

    /// Filters that were evaluated, to put into something: copied if they are in use elsewhere.
    pub(super) fn filters_of(&mut self, value: Value<'f>, at: Expr<'f>) -> Outcome<FilterList> {
        let Value::Filters(filters) = value else {
            return self.fail(DiagnosticKind::NoFilter, at);
        };
        match Rc::try_unwrap(filters) {
            Ok(filters) => Ok(filters),
            Err(shared) => {
                self.spend(shared.size, at)?;
                Ok((*shared).clone())
            }
        }
    }
}

/// The symbol that a value is.
pub(super) fn symbol<'f>(value: &Value<'f>) -> Option<&'f str> {
    match value {
        Value::Symbol(word) => Some(word),
        _ => None,
    }
}

/// A number or a symbol, as `(ioctl-command …)` and its like take one.
pub(super) fn quantity(value: &Value<'_>) -> Option<crate::ast::Value> {
    match value {
        Value::Number(number) => {
            let number = u64::try_from(*number).ok()?;
            Some(crate::ast::Value::Number(number))
        }
        Value::Symbol(word) => Symbol::new(word).ok().map(crate::ast::Value::Symbol),
        _ => None,
    }
}
