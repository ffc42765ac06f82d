//! Forms: what does not evaluate all that stands in it.

use std::rc::Rc;

use super::expression::Expr;
use super::scope::Scope;
use super::value::{Procedure, Value};
use super::word::Form;
use super::{Evaluator, Failed, Outcome, Step};
use crate::diagnostic::DiagnosticKind;
use crate::syntax::NodeKind;

impl<'f> Evaluator<'f> {
    pub(super) fn form(&mut self, form: Form, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let value = match form {
            Form::Begin => return self.body(expr, 1, scope),
            Form::If => return self.if_form(expr, scope),
            Form::Cond => return self.cond(expr, scope),
            Form::Case => return self.case(expr, scope),
            Form::When | Form::Unless => return self.when(form, expr, scope),
            Form::And | Form::Or => return self.and_or(form, expr, scope),
            Form::Let | Form::LetStar | Form::Letrec => return self.let_form(form, expr, scope),
            Form::Define => self.define(expr, scope)?,
            Form::Set => self.set(expr, scope)?,
            Form::Lambda => {
                let parameters = self.part(expr, 1)?;
                let parameters = parameters.children().collect();
                self.procedure(parameters, expr, 2, scope)?
            }
            Form::Quote => {
                let quoted = self.part(expr, 1)?;
                self.quoted(quoted)?
            }
            Form::Quasiquote => {
                let template = self.part(expr, 1)?;
                self.template(template, scope)?
            }
            Form::Version => self.version(expr)?,
            Form::Import => self.import(expr, scope)?,
            Form::With => self.modifiers(expr, scope)?,
            Form::WithFilter => self.with_filter(expr, scope)?,
            Form::Directive => Value::Unspecified,
        };
        Ok(Step::Done(value))
    }

    /// The expressions of `holder` from `skip` on, one after the other; the value is the last's.
    pub(super) fn body(
        &mut self,
        holder: Expr<'f>,
        skip: usize,
        scope: Scope,
    ) -> Outcome<Step<'f>> {
        let mut parts = holder.children().skip(skip);
        let Some(mut last) = parts.next() else {
            return Ok(Step::Done(Value::Unspecified));
        };
        for next in parts {
            self.eval(last, scope)?;
            last = next;
        }
        Ok(Step::Tail(last, scope))
    }

    fn if_form(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let condition = self.part(expr, 1)?;
        let branch = if self.eval(condition, scope)?.is_true() {
            Some(self.part(expr, 2)?)
        } else {
            expr.children().nth(3)
        };
        Ok(match branch {
            Some(branch) => Step::Tail(branch, scope),
            None => Step::Done(Value::Unspecified),
        })
    }

    fn cond(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        for clause in expr.arguments() {
            let condition = self.part(clause, 0)?;
            if condition.word() == Some("else") {
                return self.body(clause, 1, scope);
            }
            let value = self.eval(condition, scope)?;
            if !value.is_true() {
                continue;
            }
            return match clause.children().nth(1) {
                None => Ok(Step::Done(value)),
                Some(_) => self.body(clause, 1, scope),
            };
        }
        Ok(Step::Done(Value::Unspecified))
    }

    fn case(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let key = self.part(expr, 1)?;
        let key = self.eval(key, scope)?;
        for clause in expr.children().skip(2) {
            let data = self.part(clause, 0)?;
            let mut matches = data.word() == Some("else");
            for datum in data.children() {
                let datum = self.quoted(datum)?;
                matches |= self.is_equal(&key, &datum, clause)?;
            }
            if matches {
                return self.body(clause, 1, scope);
            }
        }
        Ok(Step::Done(Value::Unspecified))
    }

    fn when(&mut self, form: Form, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let condition = self.part(expr, 1)?;
        if self.eval(condition, scope)?.is_true() == (form == Form::When) {
            self.body(expr, 2, scope)
        } else {
            Ok(Step::Done(Value::Unspecified))
        }
    }

    fn and_or(&mut self, form: Form, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let mut parts = expr.arguments();
        let Some(mut last) = parts.next() else {
            return Ok(Step::Done(Value::Bool(form == Form::And)));
        };
        for next in parts {
            let value = self.eval(last, scope)?;
            if value.is_true() == (form == Form::Or) {
                return Ok(Step::Done(value));
            }
            last = next;
        }
        Ok(Step::Tail(last, scope))
    }

    /// `(let ((name value) …) body …)`, and with a name before the list, which is then a function
    /// of the body.
    fn let_form(&mut self, form: Form, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let first = self.part(expr, 1)?;
        let (own_name, bindings, skip) = match first.word() {
            Some(name) if form == Form::Let => (Some(name), self.part(expr, 2)?, 3),
            _ => (None, first, 2),
        };
        if bindings.kind() != NodeKind::List {
            return self.bad_argument("let", "a list of names and values", bindings);
        }
        let inner = self.scopes.within(scope);
        let mut names = Vec::new();
        for binding in bindings.children() {
            let (Some(name), more) = (binding.head(), binding.children().count()) else {
                return self.bad_argument("let", "a list of names and values", binding);
            };
            if more > 2 {
                return self.bad_argument("let", "a list of names and values", binding);
            }
            // Only a plain `let` does not see its own names.
            let sees = if form == Form::Let { scope } else { inner };
            let value = match binding.children().nth(1) {
                Some(value) => self.eval(value, sees)?,
                None => Value::Unspecified,
            };
            names.push(name);
            self.bind(inner, name, value, binding)?;
        }
        if let Some(own_name) = own_name {
            let procedure = Procedure {
                parameters: names,
                rest: None,
                holder: expr,
                skip,
                // Its arguments stand in a frame within that of its own name.
                scope: inner,
            };
            self.bind(inner, own_name, Value::Procedure(Rc::new(procedure)), expr)?;
        }
        self.body(expr, skip, inner)
    }

    /// `(define name value)` or `(define (name parameter …) body …)`.
    fn define(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let target = self.part(expr, 1)?;
        let (name, value) = match target.kind() {
            NodeKind::List => {
                let parameters = target.arguments().collect();
                let value = self.procedure(parameters, expr, 2, scope)?;
                (target.head(), value)
            }
            _ => {
                let value = match expr.children().nth(2) {
                    Some(value) => self.eval(value, scope)?,
                    None => Value::Unspecified,
                };
                (target.word(), value)
            }
        };
        let Some(name) = name.filter(|name| is_name(name)) else {
            return self.bad_argument("define", "a name and a value", target);
        };
        self.bind(scope, name, value, target)?;
        Ok(Value::Unspecified)
    }

    fn set(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let target = self.part(expr, 1)?;
        let value = self.part(expr, 2)?;
        let value = self.eval(value, scope)?;
        let Some(name) = target.word() else {
            return self.bad_argument("set!", "a name and a value", target);
        };
        self.lookup(name, scope, target)?;
        match self.scopes.assign(scope, name, value) {
            Ok(()) => Ok(Value::Unspecified),
            Err(name) => self.fail(DiagnosticKind::Unbound(name.into()), target),
        }
    }

    /// A function whose body is what `holder` has from `skip` on.
    fn procedure(
        &mut self,
        parameters: Vec<Expr<'f>>,
        holder: Expr<'f>,
        skip: usize,
        scope: Scope,
    ) -> Outcome<Value<'f>> {
        let mut names = Vec::new();
        let mut rest = None;
        let mut parameters = parameters.into_iter();
        // `(lambda arguments …)` takes all of them as a list.
        let holder_parameters = holder.children().nth(1);
        if let Some(all) = holder_parameters
            .and_then(Expr::word)
            .filter(|name| is_name(name))
        {
            rest = Some(all);
        }
        while let Some(parameter) = parameters.next() {
            match parameter.word() {
                Some(".") => rest = parameters.next().and_then(Expr::word),
                Some(name) if is_name(name) => names.push(name),
                _ => return self.bad_argument("lambda", "names", parameter),
            }
        }
        Ok(Value::Procedure(Rc::new(Procedure {
            parameters: names,
            rest,
            holder,
            skip,
            scope,
        })))
    }

    /// Gives a name a value.
    pub(super) fn bind(
        &mut self,
        scope: Scope,
        name: &'f str,
        value: Value<'f>,
        at: Expr<'f>,
    ) -> Outcome<()> {
        self.spend(self.scopes.width(scope) / 16, at)?;
        self.outside += u64::from(scope == Scope::GLOBAL);
        self.scopes.define(scope, name, value);
        Ok(())
    }

    /// A part of a form that has to be there.
    pub(super) fn part(&mut self, expr: Expr<'f>, index: usize) -> Outcome<Expr<'f>> {
        match expr.children().nth(index) {
            Some(part) => Ok(part),
            None => {
                let name = expr.head().unwrap_or("form");
                self.report(DiagnosticKind::Incomplete(name.into()), expr);
                Err(Failed)
            }
        }
    }
}

/// A word that can be given a value.
fn is_name(word: &str) -> bool {
    !word.starts_with(|first: char| first.is_ascii_digit() || first == '#') && word != "."
}
