//! A rule, cut down to what decides: a rule may have many operations and thousands of names.

use std::fmt::{self, Write as _};
use std::iter::successors;

use objcap::sandbox::Outcome;
use objcap::sbpl::{Filter, Operation, Rule};

/// What of a rule speaks of an outcome's operation and name; the rest is left out, and that it is shows.
#[derive(Debug)]
pub(super) struct Deciding<'a> {
    rule: &'a Rule,
    operation: &'a Operation,
    matched: Option<&'a Filter>,
}

impl<'a> Deciding<'a> {
    /// `None` when no rule decided.
    pub(super) fn of(outcome: &'a Outcome<'a>) -> Option<Self> {
        let (_, line) = outcome.rule()?;
        Some(Deciding {
            rule: line.rule(),
            operation: outcome.operation(),
            matched: outcome.matched(),
        })
    }

    /// The operation and its wildcards.
    fn speaks(&self, named: &Operation) -> bool {
        successors(Some(self.operation.clone()), Operation::parent).any(|one| one == *named)
    }
}

impl fmt::Display for Deciding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.rule.action().name())?;
        let operations = self.rule.operations();
        let mut speaking = String::new();
        for operation in operations.iter().filter(|one| self.speaks(one)) {
            write!(speaking, " {}", operation.name())?;
        }
        f.write_str(&speaking)?;
        if operations.iter().any(|one| !self.speaks(one)) {
            f.write_str(" …")?;
        }
        match (self.matched, self.rule.filters()) {
            (Some(matched), [_, _, ..]) => write!(f, " {matched} …")?,
            (_, filters) => {
                for filter in filters {
                    write!(f, " {}", **filter)?;
                }
            }
        }
        f.write_str(")")
    }
}
