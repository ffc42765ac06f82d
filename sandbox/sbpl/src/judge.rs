//! What a profile decides about a request.
//!
//! The rules are those of docs/seatbelt.md, section 1. The evidence there leaves more than one
//! reading of them open, so a reading has to be named, or all of them asked at once. Where a
//! filter cannot be decided, because the request does not state what it asks about or because
//! nobody knows how the kernel compares, the answer is "unknown" and never a guess.
//!
//! The judge follows no links and asks no system: whoever makes a request says under which name
//! the kernel would see the object.

mod answer;
mod condition;
mod index;
mod key;
pub mod naive;
mod pattern;
mod request;
mod search;
mod socket;
mod trie;
mod value;
mod verdict;

pub(crate) use self::key::Key;
pub use self::request::{Request, Socket, Transport};
pub use self::verdict::{Decider, Decision, PerReading, Reading, Settlement, Verdict};

use self::index::Index;
use self::search::Search;
use crate::ast::Profile;

/// A profile made ready for questions: names in the form they are compared in, patterns compiled,
/// and rules found by what they are about. It answers as [`naive::Judge`] does, without looking
/// at every rule.
///
/// ```
/// use sbpl::judge::{Decision, Settlement};
/// use sbpl::{Judge, Operation, Reading, Request};
///
/// let parsed = sbpl::parse(br#"
///     (version 1)
///     (deny default)
///     (allow file-read-data (subpath "/w"))
///     (deny file-read* (literal "/w/.env"))
/// "#);
/// let judge = Judge::new(parsed.profile());
/// let request = Request::new(Operation::FileReadData).path("/w/.env");
///
/// // The later rule is about a wildcard, the earlier one about the operation itself.
/// assert_eq!(judge.decide(&request, Reading::Flat).decision, Decision::Deny);
/// assert_eq!(judge.decide(&request, Reading::FilteredFirst).decision, Decision::Allow);
/// assert!(matches!(judge.settle(&request), Settlement::Open(_)));
/// ```
#[derive(Debug)]
pub struct Judge {
    naive: naive::Judge,
    index: Index,
}

impl Judge {
    /// Makes a profile ready.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        let naive = naive::Judge::new(profile);
        let index = Index::new(&naive.rules);
        Self { naive, index }
    }

    /// The verdict under one reading.
    pub fn decide(&self, request: &Request, reading: Reading) -> Verdict {
        if let Some(verdict) = self.naive.unjudged(request) {
            return verdict;
        }
        match Search::new(self, request) {
            Some(mut search) => search.verdict(reading),
            None => self.naive.decide(request, reading),
        }
    }

    /// Which of a rule's filters is the first that matches: see [`naive::Judge::matching`].
    pub fn matching(&self, rule: usize, request: &Request) -> Option<usize> {
        self.naive.matching(rule, request)
    }

    /// The verdict of all readings, or that they differ.
    pub fn settle(&self, request: &Request) -> Settlement {
        match Search::new(self, request) {
            Some(mut search) if self.naive.unjudged(request).is_none() => {
                // The flat reading comes last: it leaves out what only the others ask for.
                let filtered_first = search.verdict(Reading::FilteredFirst);
                let specific = search.verdict(Reading::Specific);
                let flat = search.verdict(Reading::Flat);
                Settlement::of(flat, specific, filtered_first)
            }
            _ => self.naive.settle(request),
        }
    }
}
