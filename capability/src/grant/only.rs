//! A program of which only some subcommands may be run.

use std::ffi::{OsStr, OsString};

use super::Clause;

/// An entry of `exec.only`: the program, and what its first argument may be.
///
/// It allows nothing by itself, and binds the guard alone: the kernel does not look at arguments.
#[derive(Clone, Debug)]
pub struct Only {
    pub(super) clause: Clause,
    pub(super) words: Vec<OsString>,
}

impl Only {
    /// The entry's key: a place, or a bare name that `PATH` finds.
    pub fn clause(&self) -> &Clause {
        &self.clause
    }

    /// What the first argument may be, in the order written.
    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Whether a program may be run with this first argument. An option in front of a subcommand is not
    /// looked behind: what it means is the program's affair.
    pub fn admits(&self, first: Option<&OsStr>) -> bool {
        first.is_some_and(|first| self.words.iter().any(|word| word == first))
    }
}
