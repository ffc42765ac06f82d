//! Names and calls.

use std::rc::Rc;

use super::expression::Expr;
use super::number;
use super::scope::Scope;
use super::value::{Argument, Procedure, Value};
use super::word::Word;
use super::{Evaluator, Outcome, Step};
use crate::ast::Operation;
use crate::diagnostic::DiagnosticKind;

/// What a call of a function of the profile costs, because its frame stays in memory.
const CALL: usize = 4;

impl<'f> Evaluator<'f> {
    /// What the profile defined a name as.
    pub(super) fn lookup(
        &mut self,
        name: &str,
        scope: Scope,
        at: Expr<'f>,
    ) -> Outcome<Option<Value<'f>>> {
        let (value, passed) = self.scopes.find(scope, name);
        let value = value.cloned();
        self.outside += u64::from(value.is_some());
        if passed >= 16 {
            self.spend(passed / 16, at)?;
        }
        Ok(value)
    }

    /// The value of a bare word.
    pub(super) fn atom(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        let Some(word) = expr.word() else {
            let bytes = String::from_utf8_lossy(expr.bytes()).into_owned();
            return self.fail(DiagnosticKind::Unbound(bytes.into()), expr);
        };
        if let Some(value) = self.constant(word, scope, expr)? {
            return Ok(value);
        }
        if Operation::known(word).is_some() || number::is_vocabulary(word) {
            return Ok(Value::Symbol(word));
        }
        self.fail(DiagnosticKind::Unbound(word.into()), expr)
    }

    /// The value of what stands where a filter takes something: a word that is not defined stands
    /// for itself there.
    pub(super) fn operand(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        match expr.word() {
            Some(word) => Ok(self
                .constant(word, scope, expr)?
                .unwrap_or(Value::Symbol(word))),
            None => self.eval(expr, scope),
        }
    }

    /// A number, a truth value, or what the word is defined as.
    fn constant(
        &mut self,
        word: &'f str,
        scope: Scope,
        at: Expr<'f>,
    ) -> Outcome<Option<Value<'f>>> {
        if let Some(value) = number::literal(word) {
            return Ok(Some(value));
        }
        match self.lookup(word, scope, at)? {
            Some(value) => Ok(Some(value)),
            None => Ok(Word::from_name(word).map(Value::Word)),
        }
    }

    /// A list: a form, a rule, a filter, or a call.
    pub(super) fn list(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        let Some(head) = expr.children().next() else {
            return self.fail(DiagnosticKind::EmptyCall, expr);
        };
        let function = match head.word() {
            None => self.eval(head, scope)?,
            Some(name) => match self.lookup(name, scope, expr)? {
                Some(value) => value,
                None => match Word::from_name(name) {
                    Some(Word::Form(form)) => return self.form(form, expr, scope),
                    Some(Word::Action(action)) => {
                        self.rule(action, expr, scope)?;
                        return Ok(Step::Done(Value::Unspecified));
                    }
                    Some(Word::Filter(_)) => {
                        let filters = self.alternatives(expr, scope)?;
                        return Ok(Step::Done(filters));
                    }
                    Some(function) => Value::Word(function),
                    None => return self.fail(DiagnosticKind::Unbound(name.into()), head),
                },
            },
        };
        let mut arguments = Vec::new();
        for at in expr.arguments() {
            let value = self.eval(at, scope)?;
            arguments.push(Argument { value, at });
        }
        self.apply(function, arguments, expr)
    }

    /// A call with values.
    pub(super) fn apply(
        &mut self,
        function: Value<'f>,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Step<'f>> {
        let value = match function {
            Value::Procedure(procedure) => return self.enter(&procedure, arguments, at),
            Value::Word(Word::Function(function)) => self.function(function, arguments, at)?,
            Value::Word(Word::Action(action)) => {
                self.rule_of(action, arguments, at)?;
                Value::Unspecified
            }
            Value::Word(Word::Filter(filter)) => {
                let name = at.head().unwrap_or("filter");
                self.filter(filter, name, arguments, at)?
            }
            _ => return self.fail(DiagnosticKind::NoFunction, at),
        };
        Ok(Step::Done(value))
    }

    /// The value of a call, where it is not the last thing to do.
    pub(super) fn call(
        &mut self,
        function: Value<'f>,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        match self.apply(function, arguments, at)? {
            Step::Done(value) => Ok(value),
            Step::Tail(expr, scope) => self.eval(expr, scope),
        }
    }

    fn enter(
        &mut self,
        procedure: &Rc<Procedure<'f>>,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Step<'f>> {
        self.spend(CALL + arguments.len(), at)?;
        let takes = procedure.parameters.len();
        let is_right = match procedure.rest {
            None => arguments.len() == takes,
            Some(_) => arguments.len() >= takes,
        };
        if !is_right {
            let given = arguments.len();
            return self.fail(DiagnosticKind::ArgumentCount { takes, given }, at);
        }
        let scope = self.scopes.within(procedure.scope);
        let mut arguments = arguments.into_iter();
        for name in &procedure.parameters {
            if let Some(argument) = arguments.next() {
                self.bind(scope, name, argument.value, at)?;
            }
        }
        if let Some(rest) = procedure.rest {
            let items = arguments.map(|argument| argument.value).collect();
            let list = self.list_of(items, at)?;
            self.bind(scope, rest, list, at)?;
        }
        self.body(procedure.holder, procedure.skip, scope)
    }
}
