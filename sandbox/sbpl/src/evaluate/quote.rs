//! Quotation: expressions as values, and templates with values put in.

use super::expression::Expr;
use super::number;
use super::scope::Scope;
use super::value::Value;
use super::word::{Form, Word};
use super::{Evaluator, Outcome};
use crate::diagnostic::DiagnosticKind;
use crate::syntax::NodeKind;

impl<'f> Evaluator<'f> {
    /// `'x`, `` `x ``; a `,x` has a meaning within a template alone.
    pub(super) fn prefixed(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let inner = self.part(expr, 0)?;
        match expr.bytes().first() {
            Some(b'\'') => self.quoted(inner),
            Some(b'`') => self.template(inner, scope),
            _ => self.fail(DiagnosticKind::Unquoted, expr),
        }
    }

    /// An expression as a value.
    pub(super) fn quoted(&mut self, expr: Expr<'f>) -> Outcome<Value<'f>> {
        self.built(expr, None)
    }

    /// An expression as a value, but for what is marked by `,` and `,@`.
    pub(super) fn template(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        self.built(expr, Some(scope))
    }

    fn built(&mut self, expr: Expr<'f>, scope: Option<Scope>) -> Outcome<Value<'f>> {
        if self.depth >= super::MAX_DEPTH {
            return self.fail(DiagnosticKind::TooDeep, expr);
        }
        self.spend(1, expr)?;
        match expr.kind() {
            NodeKind::String => self.string(expr),
            NodeKind::Atom => match expr.word() {
                Some(word) => Ok(number::literal(word).unwrap_or(Value::Symbol(word))),
                None => self.atom(expr, Scope::GLOBAL),
            },
            NodeKind::Prefixed => match scope {
                Some(scope) if expr.bytes().starts_with(b",") => {
                    let inner = self.part(expr, 0)?;
                    self.eval(inner, scope)
                }
                // A quotation within a quotation means nothing in a profile.
                _ => self.fail(DiagnosticKind::Unquoted, expr),
            },
            NodeKind::List => {
                self.depth += 1;
                let list = self.built_list(expr, scope);
                self.depth -= 1;
                list
            }
        }
    }

    fn built_list(&mut self, expr: Expr<'f>, scope: Option<Scope>) -> Outcome<Value<'f>> {
        if let (Some(scope), Some(name)) = (scope, expr.head()) {
            if name == "unquote" {
                let inner = self.part(expr, 1)?;
                return self.eval(inner, scope);
            }
        }
        let mut items = Vec::new();
        for part in expr.children() {
            match (scope, part.kind()) {
                (Some(scope), NodeKind::Prefixed) if part.bytes().starts_with(b",@") => {
                    let inner = self.part(part, 0)?;
                    let spliced = self.eval(inner, scope)?;
                    let spliced = self.items(spliced, part)?;
                    self.spend(spliced.items.len(), part)?;
                    items.extend(spliced.items.iter().cloned());
                }
                _ => items.push(self.built(part, scope)?),
            }
        }
        self.list_of(items, expr)
    }

    /// A name as it is handed to `defined?`.
    pub(super) fn is_defined(&mut self, name: &'f str, at: Expr<'f>) -> Outcome<bool> {
        if self.lookup(name, Scope::GLOBAL, at)?.is_some() {
            return Ok(true);
        }
        let is_word = match Word::from_name(name) {
            Some(Word::Form(Form::Version)) | None => false,
            Some(_) => true,
        };
        let is_known =
            is_word || crate::ast::Operation::known(name).is_some() || number::is_vocabulary(name);
        if !is_known {
            self.report(DiagnosticKind::PerhapsDefined(name.into()), at);
        }
        Ok(is_known)
    }
}
