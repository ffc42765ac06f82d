//! Rules: an action, operations, filters, modifiers.

use std::rc::Rc;

use super::expression::Expr;
use super::scope::Scope;
use super::value::{Argument, FilterList, Value};
use super::{Evaluator, Failed, Outcome};
use crate::ast::{Action, Filter, Filters, Modifier, Operation, Rule, Text};
use crate::diagnostic::DiagnosticKind;
use crate::span::Located;
use crate::syntax::NodeKind;

/// A rule while its parts are read.
#[derive(Default)]
struct Draft {
    operations: Vec<Located<Operation>>,
    filters: FilterList,
    modifiers: Vec<Located<Modifier>>,
}

impl<'f> Evaluator<'f> {
    /// `(allow …)` or `(deny …)` as it stands in the text.
    pub(super) fn rule(&mut self, action: Action, expr: Expr<'f>, scope: Scope) -> Outcome<()> {
        let mut draft = Draft {
            // Mostly there is one.
            operations: Vec::with_capacity(1),
            ..Draft::default()
        };
        for part in expr.arguments() {
            if let Some(word) = part.word() {
                match self.lookup(word, scope, part)? {
                    Some(value) => self.take(&mut draft, Argument { value, at: part })?,
                    None => draft.operations.push(self.operation(word, part)?),
                }
            } else if part.kind() == NodeKind::Atom {
                return self.fail(DiagnosticKind::BadOperation, part);
            } else if self.is_with(part, scope)? {
                let value = self.modifiers(part, scope)?;
                self.take(&mut draft, Argument { value, at: part })?;
            } else {
                self.rule_filter(&mut draft, part, scope)?;
            }
        }
        self.finish(action, draft, expr)
    }

    /// A filter of a rule. Where nothing but its own text can have made it fail, the rule is kept
    /// with the filter as it stands: a rule left without it would apply everywhere.
    fn rule_filter(&mut self, draft: &mut Draft, part: Expr<'f>, scope: Scope) -> Outcome<()> {
        let mark = self.mark();
        let filters = self
            .alternatives(part, scope)
            .and_then(|value| self.filters_of(value, part));
        match filters {
            Ok(filters) => draft.filters.append(filters),
            Err(Failed) if self.is_at_top(scope) && self.stands_alone(&mark, part) => {
                self.undo(&mark);
                let kept = Located::at(Filter::Other(part.raw()), part.span());
                draft.filters.push(kept, 1);
            }
            Err(Failed) => return Err(Failed),
        }
        Ok(())
    }

    /// Whether a rule stands at the top, with nothing around it.
    fn is_at_top(&self, scope: Scope) -> bool {
        self.depth == 1 && scope == Scope::GLOBAL
    }

    /// A rule from values: `(apply allow …)`.
    pub(super) fn rule_of(
        &mut self,
        action: Action,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<()> {
        let mut draft = Draft::default();
        for argument in arguments {
            self.take(&mut draft, argument)?;
        }
        self.finish(action, draft, at)
    }

    fn take(&mut self, draft: &mut Draft, argument: Argument<'f>) -> Outcome<()> {
        match argument.value {
            Value::Symbol(word) => draft.operations.push(self.operation(word, argument.at)?),
            Value::Filters(_) => {
                let filters = self.filters_of(argument.value, argument.at)?;
                draft.filters.append(filters);
            }
            Value::Modifiers(modifiers) => draft.modifiers.extend(modifiers.iter().cloned()),
            Value::Missing(parameter) => return self.undefined(&parameter, argument.at),
            _ => return self.fail(DiagnosticKind::BadOperation, argument.at),
        }
        Ok(())
    }

    fn operation(&mut self, word: &str, at: Expr<'f>) -> Outcome<Located<Operation>> {
        let Ok(operation) = Operation::from_name(word) else {
            return self.fail(DiagnosticKind::BadOperation, at);
        };
        if !operation.is_known() {
            self.report(DiagnosticKind::UnknownOperation(word.into()), at);
        }
        Ok(Located::at(operation, at.span()))
    }

    fn finish(&mut self, action: Action, mut draft: Draft, at: Expr<'f>) -> Outcome<()> {
        if !self.ambient.is_empty() {
            draft.filters = self.narrowed(draft.filters, at)?;
        }
        let filters = draft.filters.filters;
        let rule = Rule::parsed(
            action,
            draft.operations,
            filters,
            draft.modifiers,
            at.origin(),
        );
        match rule {
            Some(rule) => {
                self.profile.push(rule);
                Ok(())
            }
            None => self.fail(DiagnosticKind::NoOperation, at),
        }
    }

    /// Filters within those of every `with-filter` around them.
    fn narrowed(&mut self, own: FilterList, at: Expr<'f>) -> Outcome<FilterList> {
        let mut parts = Vec::new();
        let mut size = own.size + 1;
        for index in 0..self.ambient.len() {
            if let Some(around) = self.ambient.get(index).cloned() {
                self.spend(around.size, at)?;
                size += around.size;
                parts.push(self.one_of(around, at)?);
            }
        }
        if !own.filters.is_empty() {
            parts.push(self.one_of(own, at)?);
        }
        let mut narrowed = FilterList::default();
        if parts.len() == 1 {
            parts.into_iter().for_each(|only| narrowed.push(only, size));
        } else {
            match Filters::new(parts) {
                Ok(parts) => narrowed.push(Located::at(Filter::All(parts), at.span()), size),
                Err(_) => return self.fail(DiagnosticKind::TooDeep, at),
            }
        }
        Ok(narrowed)
    }

    /// `(with-filter filter rule …)`: each rule within applies where the filter matches too
    /// (assumed, from its name and its uses).
    pub(super) fn with_filter(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let filter = self.part(expr, 1)?;
        let filter = self.alternatives(filter, scope)?;
        let filter = self.filters_of(filter, expr)?;
        self.ambient.push(filter);
        let mut rules = expr.children().skip(2);
        let outcome = rules.try_for_each(|rule| self.eval(rule, scope).map(drop));
        // What fails may still be kept as a filter of a rule around it.
        self.ambient.pop();
        outcome.map(|()| Value::Unspecified)
    }

    /// `(with report no-log message "…")`: each modifier by itself, or the whole as it stands where
    /// nothing but its own text is needed to read it.
    pub(super) fn modifiers(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let mark = self.mark();
        let mut known = Vec::new();
        let mut arguments = expr.arguments();
        while let Some(argument) = arguments.next() {
            let modifier = match argument.word() {
                Some("report") => Some(Modifier::Report),
                Some("no-report") => Some(Modifier::NoReport),
                Some("no-log") => Some(Modifier::NoLog),
                Some("message") => match arguments.next() {
                    Some(text) => self.message(text, scope)?,
                    None => None,
                },
                _ => None,
            };
            match modifier {
                Some(modifier) => known.push(Located::at(modifier, argument.span())),
                None => {
                    known.clear();
                    break;
                }
            }
        }
        if known.is_empty() {
            if !self.stands_alone(&mark, expr) {
                return self.bad_argument("with", "modifiers that are known", expr);
            }
            self.undo(&mark);
            self.report(DiagnosticKind::UnknownModifier, expr);
            known.push(Located::at(Modifier::Other(expr.raw()), expr.span()));
        }
        Ok(Value::Modifiers(Rc::new(known)))
    }

    fn message(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Option<Modifier>> {
        let value = self.operand(expr, scope)?;
        let Value::String(_) = value else {
            return Ok(None);
        };
        let argument = Argument { value, at: expr };
        let text: Text = self.text(&argument, "message", "a string")?;
        Ok(Some(Modifier::Message(text)))
    }

    /// Whether an expression is `(with …)`, and that means what it is predefined as.
    fn is_with(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<bool> {
        Ok(expr.head() == Some("with") && self.lookup("with", scope, expr)?.is_none())
    }

    /// `(version N)`, which counts in the profile itself alone.
    pub(super) fn version(&mut self, expr: Expr<'f>) -> Outcome<Value<'f>> {
        let mut arguments = expr.arguments();
        let number = match (arguments.next(), arguments.next()) {
            (Some(number), None) => number,
            _ => {
                self.report(DiagnosticKind::BadVersion, expr);
                return Ok(Value::Unspecified);
            }
        };
        let version = number.word().and_then(|word| word.parse().ok());
        match version {
            Some(version) if expr.file.number == 0 => self.profile.set_version(version),
            Some(_) => {}
            None => self.report(DiagnosticKind::BadVersion, number),
        }
        Ok(Value::Unspecified)
    }
}
