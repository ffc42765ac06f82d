//! `(import "name")`: another text, evaluated where it is named.

use super::expression::Expr;
use super::scope::Scope;
use super::value::{Argument, Value};
use super::{Evaluator, Failed, File, Outcome};
use crate::diagnostic::DiagnosticKind;

/// How many texts one profile may be made of.
const MAX_TEXTS: usize = 100;

impl<'f> Evaluator<'f> {
    pub(super) fn import(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let Some(loader) = self.settings.loader else {
            return self.fail(DiagnosticKind::NotEvaluated("import".into()), expr);
        };
        self.outside += 1;
        let name = self.part(expr, 1)?;
        let name = Argument {
            value: self.operand(name, scope)?,
            at: name,
        };
        let name = self.bytes_of(&name)?;

        let library = self.library;
        let file = match library.find(&name) {
            Some(file) => file,
            None => {
                let number = library.len();
                if number >= MAX_TEXTS {
                    return self.fail(DiagnosticKind::OutOfFuel, expr);
                }
                match loader.load(&name) {
                    Ok(text) => {
                        library.push(File::new(number, name.to_vec(), Some(expr.origin()), text))
                    }
                    Err(error) => {
                        let name = String::from_utf8_lossy(&name).into();
                        let why = error.to_string().into();
                        return self.fail(DiagnosticKind::CannotImport { name, why }, expr);
                    }
                }
            }
        };
        // Once for each time that it is imported.
        self.spend(1 + file.source.text().len() / 64, expr)?;
        if self.depth >= super::MAX_DEPTH {
            return self.fail(DiagnosticKind::TooDeep, expr);
        }
        self.tree_errors(file);
        self.depth += 1;
        let outcome = self.imported(file);
        self.depth -= 1;
        outcome?;
        if file.errors.is_empty() {
            Ok(Value::Unspecified)
        } else {
            Err(Failed)
        }
    }

    fn imported(&mut self, file: &'f File) -> Outcome<()> {
        for expr in Expr::roots(file) {
            self.eval(expr, Scope::GLOBAL)?;
        }
        Ok(())
    }
}
