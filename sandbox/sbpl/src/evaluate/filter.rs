//! Filters. One expression may stand for several alternatives: `(literal "/a" "/b")` is two.
//!
//! A filter that is not known is kept as it stands.

use std::rc::Rc;

use super::argument::{quantity, symbol};
use super::expression::Expr;
use super::scope::Scope;
use super::value::{Argument, FilterList, Value};
use super::word::{Comparison, FilterWord, Textual, Word};
use super::{Evaluator, MAX_DEPTH, Outcome};
use crate::ast::{
    Address, Endpoint, EntitlementValue, Filter, Filters, Match, Negated, PathMatch, Pattern,
    PatternErrorKind, Protocol, Target, Text, VnodeType,
};
use crate::diagnostic::DiagnosticKind;
use crate::span::Located;

impl<'f> Evaluator<'f> {
    /// The filters that an expression stands for, as a value.
    pub(super) fn alternatives(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        if self.depth >= MAX_DEPTH {
            return self.fail(DiagnosticKind::TooDeep, expr);
        }
        self.depth += 1;
        let outcome = self.alternatives_within(expr, scope);
        self.depth -= 1;
        outcome
    }

    fn alternatives_within(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Value<'f>> {
        if let Some(name) = expr.head() {
            if self.lookup(name, scope, expr)?.is_none() {
                match Word::from_name(name) {
                    Some(Word::Filter(word)) => {
                        let arguments = self.filter_arguments(word, expr, scope)?;
                        return self.filter(word, name, arguments, expr);
                    }
                    None => return self.unknown_filter(name, expr),
                    Some(_) => {}
                }
            }
        }
        let value = match expr.word() {
            Some(word) => match self.lookup(word, scope, expr)? {
                Some(value) => value,
                None => return self.fail(DiagnosticKind::NoFilter, expr),
            },
            None => self.eval(expr, scope)?,
        };
        match value {
            Value::Filters(_) => Ok(value),
            _ => self.fail(DiagnosticKind::NoFilter, expr),
        }
    }

    fn unknown_filter(&mut self, name: &str, expr: Expr<'f>) -> Outcome<Value<'f>> {
        let head = expr.children().next().unwrap_or(expr);
        self.report(DiagnosticKind::UnknownFilter(name.into()), head);
        Ok(one(Filter::Other(expr.raw()), 1, expr))
    }

    fn filter_arguments(
        &mut self,
        word: FilterWord,
        expr: Expr<'f>,
        scope: Scope,
    ) -> Outcome<Vec<Argument<'f>>> {
        let takes_filters = matches!(word, FilterWord::Any | FilterWord::All | FilterWord::Not);
        // Mostly there is one.
        let mut arguments = Vec::with_capacity(1);
        for at in expr.arguments() {
            let value = if takes_filters {
                self.alternatives(at, scope)?
            } else {
                self.operand(at, scope)?
            };
            arguments.push(Argument { value, at });
        }
        Ok(arguments)
    }

    /// The filter of that name with these arguments.
    pub(super) fn filter(
        &mut self,
        word: FilterWord,
        name: &str,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        match word {
            FilterWord::Any | FilterWord::All => {
                return self.combination(word, name, arguments, at);
            }
            FilterWord::Not => return self.negation(arguments, at),
            FilterWord::Remote => return self.endpoint(Filter::Remote, name, &arguments, at),
            FilterWord::Local => return self.endpoint(Filter::Local, name, &arguments, at),
            FilterWord::Entitlement => return self.entitlement(name, &arguments, at),
            FilterWord::EntitlementValue(how) => {
                return self.entitlement_value(how, name, &arguments, at);
            }
            _ => {}
        }
        if arguments.is_empty() {
            return self.bad_argument(name, takes(word), at);
        }
        let mut filters = FilterList::with_capacity(arguments.len());
        for argument in &arguments {
            let value = &argument.value;
            let filter = match word {
                FilterWord::Textual(textual) => Some(self.textual(textual, name, argument)?),
                FilterWord::Value(what) => quantity(value).map(|value| Filter::Value(what, value)),
                FilterWord::Target => symbol(value)
                    .and_then(Target::from_name)
                    .map(Filter::Target),
                FilterWord::VnodeType => symbol(value)
                    .and_then(VnodeType::from_name)
                    .map(Filter::VnodeType),
                _ => match value {
                    Value::Number(bits) => u32::try_from(*bits).ok().map(Filter::FileMode),
                    _ => None,
                },
            };
            match filter {
                Some(filter) => filters.push(Located::at(filter, at.span()), 1),
                None => return self.bad_argument(name, takes(word), argument.at),
            }
        }
        Ok(Value::Filters(Rc::new(filters)))
    }

    fn textual(
        &mut self,
        textual: Textual,
        name: &str,
        argument: &Argument<'f>,
    ) -> Outcome<Filter> {
        let text = self.text(argument, name, STRINGS)?;
        Ok(match textual {
            Textual::Path(make) => {
                let path = make(text);
                if let Some(flaw) = path.flaw() {
                    self.report(DiagnosticKind::Text(flaw), argument.at);
                }
                Filter::Path(path)
            }
            Textual::PathPattern => Filter::Path(PathMatch::Regex(self.pattern(text, argument.at))),
            Textual::Name(subject, how) => {
                Filter::Name(subject, self.comparison(how, text, argument.at))
            }
            Textual::Extension => Filter::Extension(text),
        })
    }

    fn comparison(&mut self, how: Comparison, text: Text, at: Expr<'f>) -> Match {
        match how {
            Comparison::Whole(make) => make(text),
            Comparison::Pattern => Match::Regex(self.pattern(text, at)),
        }
    }

    fn pattern(&mut self, text: Text, at: Expr<'f>) -> Pattern {
        let pattern = Pattern::parsed(text);
        if let Some(PatternErrorKind::Unknown { at: byte }) = pattern.flaw() {
            self.report(DiagnosticKind::Pattern { at: byte }, at);
        }
        pattern
    }

    fn combination(
        &mut self,
        word: FilterWord,
        name: &str,
        arguments: Vec<Argument<'f>>,
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let mut parts = FilterList::default();
        for argument in arguments {
            let alternatives = self.filters_of(argument.value, argument.at)?;
            if matches!(word, FilterWord::Any) {
                parts.append(alternatives);
            } else {
                let size = alternatives.size + 1;
                parts.push(self.one_of(alternatives, argument.at)?, size);
            }
        }
        if parts.filters.is_empty() {
            return self.bad_argument(name, "filters, at least one", at);
        }
        let size = parts.size + 1;
        let Ok(filters) = Filters::new(parts.filters) else {
            return self.fail(DiagnosticKind::TooDeep, at);
        };
        let filter = match word {
            FilterWord::Any => Filter::Any(filters),
            _ => Filter::All(filters),
        };
        Ok(one(filter, size, at))
    }

    fn negation(&mut self, arguments: Vec<Argument<'f>>, at: Expr<'f>) -> Outcome<Value<'f>> {
        let mut arguments = arguments.into_iter();
        let (Some(argument), None) = (arguments.next(), arguments.next()) else {
            return self.bad_argument("require-not", "one filter", at);
        };
        let alternatives = self.filters_of(argument.value, argument.at)?;
        let size = alternatives.size + 2;
        let filter = self.one_of(alternatives, argument.at)?;
        let Ok(negated) = Negated::new(filter) else {
            return self.fail(DiagnosticKind::TooDeep, at);
        };
        Ok(one(Filter::Not(negated), size, at))
    }

    /// Alternatives as one filter, where one is needed.
    pub(super) fn one_of(
        &mut self,
        mut alternatives: FilterList,
        at: Expr<'f>,
    ) -> Outcome<Located<Filter>> {
        if alternatives.filters.len() == 1 {
            if let Some(only) = alternatives.filters.pop() {
                return Ok(only);
            }
        }
        match Filters::new(alternatives.filters) {
            Ok(filters) => Ok(Located::at(Filter::Any(filters), at.span())),
            Err(_) => self.fail(DiagnosticKind::TooDeep, at),
        }
    }

    /// `(remote tcp "HOST:PORT")`, `(remote unix-socket (path-literal "…"))`.
    fn endpoint(
        &mut self,
        make: fn(Endpoint) -> Filter,
        name: &str,
        arguments: &[Argument<'f>],
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        let [kind, rest @ ..] = arguments else {
            return self.bad_argument(name, ENDPOINT, at);
        };
        let kind_word = symbol(&kind.value).unwrap_or_default();
        let mut filters = FilterList::default();
        let mut push = |endpoint| filters.push(Located::at(make(endpoint), at.span()), 1);
        match (kind_word, Protocol::from_name(kind_word), rest) {
            ("unix-socket" | "unix", _, []) => push(Endpoint::Unix(None)),
            ("unix-socket" | "unix", _, [path]) => {
                let Value::Filters(paths) = &path.value else {
                    return self.bad_argument(name, ENDPOINT, path.at);
                };
                for filter in &paths.filters {
                    match &**filter {
                        Filter::Path(path) => push(Endpoint::Unix(Some(path.clone()))),
                        _ => return self.bad_argument(name, ENDPOINT, path.at),
                    }
                }
            }
            (_, Some(protocol), []) => push(Endpoint::Inet(protocol, None)),
            (_, Some(protocol), [address]) => {
                let text = self.text(address, name, ENDPOINT)?;
                match Address::parse(text.as_bytes()) {
                    Some(address) => push(Endpoint::Inet(protocol, Some(address))),
                    None => return self.fail(DiagnosticKind::BadAddress, address.at),
                }
            }
            _ => return self.bad_argument(name, ENDPOINT, kind.at),
        }
        Ok(Value::Filters(Rc::new(filters)))
    }

    /// `(require-entitlement "NAME" …)`, with a condition on the value or without.
    fn entitlement(
        &mut self,
        name: &str,
        arguments: &[Argument<'f>],
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        const TAKES: &str = "a string, and perhaps an `entitlement-value`";
        match arguments {
            [entitlement, value] => {
                let Value::Entitlement(condition) = &value.value else {
                    return self.bad_argument(name, TAKES, value.at);
                };
                let text = self.text(entitlement, name, TAKES)?;
                let filter = Filter::EntitlementValue(text, (**condition).clone());
                Ok(one(filter, 1, at))
            }
            [entitlement] => {
                let text = self.text(entitlement, name, TAKES)?;
                Ok(one(Filter::Entitlement(text), 1, at))
            }
            _ => self.bad_argument(name, TAKES, at),
        }
    }

    fn entitlement_value(
        &mut self,
        how: Comparison,
        name: &str,
        arguments: &[Argument<'f>],
        at: Expr<'f>,
    ) -> Outcome<Value<'f>> {
        const TAKES: &str = "a string, `#t` or `#f`";
        let [argument] = arguments else {
            return self.bad_argument(name, TAKES, at);
        };
        let value = match (how, &argument.value) {
            (Comparison::Whole(_), Value::Bool(value)) => EntitlementValue::Bool(*value),
            _ => {
                let text = self.text(argument, name, TAKES)?;
                EntitlementValue::Text(self.comparison(how, text, argument.at))
            }
        };
        Ok(Value::Entitlement(Rc::new(value)))
    }
}

fn one<'f>(filter: Filter, size: usize, at: Expr<'f>) -> Value<'f> {
    let mut list = FilterList::with_capacity(1);
    list.push(Located::at(filter, at.span()), size);
    Value::Filters(Rc::new(list))
}

const STRINGS: &str = "strings, at least one";

const ENDPOINT: &str = "a protocol and an address with the host `*` or `localhost`, \
                        or `unix-socket` and a filter on its path";

/// What a filter takes, in words.
fn takes(word: FilterWord) -> &'static str {
    match word {
        FilterWord::Value(_) => "numbers or symbols, at least one",
        FilterWord::Target => "`self`, `same-sandbox`, `pgrp`, `children` or `others`",
        FilterWord::VnodeType => "kinds of files, such as `REGULAR-FILE`",
        FilterWord::FileMode => "permission bits, such as `#o0004`",
        _ => STRINGS,
    }
}
