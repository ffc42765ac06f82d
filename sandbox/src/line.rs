//! One rule of a profile, and why it is there.

use std::fmt;

use objcap_capability::{Clause, List, Origin};
use objcap_object::RealPath;
use sbpl::{Filter, Pattern, Rule, Text};

use crate::Error;

/// A rule, and why it is there.
#[derive(Debug, Clone)]
pub struct Line {
    rule: Rule,
    why: Why,
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
            why: Why::Reason(reason),
        }
    }

    pub(crate) fn of(clause: &Clause, rule: Rule) -> Self {
        Line {
            rule,
            why: Why::Clause(Box::new(clause.clone())),
        }
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Why it is there.
    pub fn why(&self) -> &Why {
        &self.why
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

/// One `subpath` for each name.
pub(crate) fn subpaths<'a>(
    names: impl IntoIterator<Item = &'a RealPath>,
    clause: Option<&Clause>,
) -> Result<Vec<Filter>, Error> {
    names
        .into_iter()
        .map(|name| text(name, clause).map(Filter::subpath))
        .collect()
}

/// The filter of every file of a name, wherever it stands.
pub(crate) fn named_program(name: &[u8], veto: &Clause) -> Result<Filter, Error> {
    let pattern = [b"/", &Pattern::escape(name)[..], b"$"].concat();
    Pattern::new(pattern)
        .map(Filter::regex)
        .map_err(|error| Error::unwritable_name(name, veto, error.into()))
}

/// Names in parts whose filters a single rule may hold: well below the 65,535 bytes of pattern that
/// the system takes (docs/seatbelt.md, section 6).
pub(crate) fn parts<'n>(names: &'n [&'n RealPath]) -> impl Iterator<Item = &'n [&'n RealPath]> {
    const BYTES: usize = 8 << 10;
    let mut left = names;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = left.iter().take_while(|name| {
            bytes += name.as_bytes().len();
            bytes <= BYTES
        });
        // A single name always fits: it is checked when it is written.
        let count = fits.count().clamp(1, left.len().max(1));
        let (part, rest) = left.split_at_checked(count)?;
        left = rest;
        Some(part)
    })
}

/// A rule with the filters as alternatives; `None` when there are none, since a rule without a
/// filter says something else.
pub(crate) fn when(rule: Rule, filters: Vec<Filter>) -> Option<Rule> {
    rule.when_any(filters).ok()
}
