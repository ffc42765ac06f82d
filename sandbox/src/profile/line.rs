//! One rule of a profile, and why it is there.

use std::fmt;

use objcap_capability::{Clause, List, Origin};
use objcap_object::RealPath;
use sbpl::ast::Modifier;
use sbpl::{Action, Filter, Pattern, Rule, Text};

use crate::Error;

/// A rule, and why it is there: for one reason, or each of its filters for its own.
#[derive(Debug, Clone)]
pub struct Line {
    rule: Rule,
    /// One, or as many as the rule has filters.
    whys: Vec<Why>,
}

/// Why a rule is there.
// Exhaustive: a rule comes from a clause or from the library.
#[derive(Debug, Clone)]
pub enum Why {
    /// A clause says so.
    Clause(Box<Clause>),
    /// Every profile of this kind says so, for this reason.
    Reason(&'static str),
}

impl Line {
    pub(crate) fn because(reason: &'static str, rule: Rule) -> Self {
        Line {
            rule,
            whys: vec![Why::Reason(reason)],
        }
    }

    pub(crate) fn of(clause: &Clause, rule: Rule) -> Self {
        Line {
            rule,
            whys: vec![Why::of(clause)],
        }
    }

    /// `None` without filters: such a rule would say something else.
    pub(crate) fn grouped(rule: Rule, filters: Vec<Filter>, whys: Vec<Why>) -> Option<Self> {
        let rule = when(rule, filters)?;
        Some(Line { rule, whys })
    }

    /// Adds a modifier if the rule denies: no modifier changes what is decided.
    pub(crate) fn deny_with(&mut self, modifier: &Modifier) {
        if self.rule.action() == Action::Deny {
            self.rule = self.rule.clone().with(modifier.clone());
        }
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Why it is there: every reason once, in the order of its filters.
    pub fn whys(&self) -> impl Iterator<Item = &Why> {
        let mut told = std::collections::HashSet::new();
        self.whys
            .iter()
            .filter(move |why| told.insert(why.to_string()))
    }

    /// Why one of its filters is there, counted from 0, or the rule as a whole.
    pub fn why(&self, filter: Option<usize>) -> Option<&Why> {
        match self.whys.as_slice() {
            [only] => Some(only),
            whys => whys.get(filter?),
        }
    }
}

impl Why {
    pub(crate) fn of(clause: &Clause) -> Self {
        Why::Clause(Box::new(clause.clone()))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Reason(reason) => f.write_str(reason),
            Why::Clause(clause) => match clause.origin() {
                Origin::File(position) => write!(f, "{clause} ({position})"),
                Origin::Host if clause.list() == List::Protect => {
                    write!(f, "{clause}, the program's own file")
                }
                Origin::Host => write!(f, "{clause}, which every program needs"),
                _ => clause.fmt(f),
            },
        }
    }
}

/// A name as a filter's text.
pub(crate) fn text(name: &RealPath, clause: Option<&Clause>) -> Result<Text, Error> {
    Text::path(name.as_bytes()).map_err(|error| Error::unwritable(name, clause, error))
}

/// One `literal` for each name.
pub(crate) fn literals<'a>(
    names: impl IntoIterator<Item = &'a RealPath>,
    clause: Option<&Clause>,
) -> Result<Vec<Filter>, Error> {
    names
        .into_iter()
        .map(|name| text(name, clause).map(Filter::literal))
        .collect()
}

/// The filter of every file of a name, wherever it stands.
pub(crate) fn named_program(name: &[u8], veto: &Clause) -> Result<Filter, Error> {
    let pattern = [b"/", &Pattern::escape(name)[..], b"$"].concat();
    Pattern::new(pattern)
        .map(Filter::regex)
        .map_err(|error| Error::unwritable_name(name, veto, error.into()))
}

/// A rule with the filters as alternatives; `None` when there are none, since a rule without a
/// filter says something else.
pub(crate) fn when(rule: Rule, filters: Vec<Filter>) -> Option<Rule> {
    rule.when_any(filters).ok()
}
