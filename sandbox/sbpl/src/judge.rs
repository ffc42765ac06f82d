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
mod key;
mod pattern;
mod request;
mod socket;
mod value;
mod verdict;

pub use self::request::{Request, Socket, Transport};
pub use self::verdict::{Decider, Decision, PerReading, Reading, Settlement, Verdict};

use self::answer::Answer;
use self::condition::Condition;
use crate::ast::{Action, Operation, Profile, Rule};

/// A profile made ready for questions: names in the form they are compared in, patterns compiled.
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
    rules: Vec<Compiled>,
    /// The profile has forms that may grant or refuse anything.
    is_evaluated: bool,
}

/// A rule in the form it is judged in.
#[derive(Debug)]
struct Compiled {
    action: Action,
    operations: Vec<Operation>,
    /// Alternatives; none at all means that the rule has no filter.
    conditions: Vec<Condition>,
}

impl Judge {
    /// Makes a profile ready.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        Self {
            rules: profile.rules().iter().map(Compiled::new).collect(),
            is_evaluated: profile.unevaluated().is_empty(),
        }
    }

    /// The verdict under one reading.
    pub fn decide(&self, request: &Request, reading: Reading) -> Verdict {
        if !self.is_evaluated {
            return Verdict {
                decision: Decision::Unknown,
                by: Decider::Unevaluated,
            };
        }
        if !request.operation().is_known() {
            return Verdict {
                decision: Decision::Unknown,
                by: Decider::UnknownOperation,
            };
        }
        let chain: Vec<Operation> = request.operation().chain().collect();
        let mut candidates = self.candidates(&chain, reading);
        let nearest_default = chain.last().unwrap_or(request.operation());
        let by = if nearest_default.starts_allowed() {
            Decider::StartsAllowed
        } else {
            // `default` is the root's fallback, wherever it stands.
            candidates.extend(self.candidates(&[Operation::Default], reading));
            Decider::NoDefault
        };
        self.first_that_applies(&candidates, request, by)
    }

    /// The verdict of all readings, or that they differ.
    pub fn settle(&self, request: &Request) -> Settlement {
        let [flat, specific, filtered_first] =
            Reading::ALL.map(|reading| self.decide(request, reading));
        let agreed = flat.decision == specific.decision
            && specific.decision == filtered_first.decision
            && flat.decision != Decision::Unknown;
        if agreed {
            Settlement::Settled(filtered_first)
        } else {
            Settlement::Open(PerReading {
                flat,
                specific,
                filtered_first,
            })
        }
    }

    /// Indices of the rules on an operation and its wildcards, in the order in which they are
    /// tried: the first that applies decides.
    fn candidates(&self, chain: &[Operation], reading: Reading) -> Vec<usize> {
        match reading {
            Reading::Flat => self.latest_first(|rule| chain.iter().any(|op| rule.names(op))),
            Reading::Specific => chain
                .iter()
                .flat_map(|op| self.latest_first(|rule| rule.names(op)))
                .collect(),
            Reading::FilteredFirst => chain
                .iter()
                .flat_map(|op| {
                    let mut filtered =
                        self.latest_first(|rule| rule.names(op) && rule.is_filtered());
                    filtered
                        .extend(self.latest_first(|rule| rule.names(op) && !rule.is_filtered()));
                    filtered
                })
                .collect(),
        }
    }

    fn latest_first(&self, is_candidate: impl Fn(&Compiled) -> bool) -> Vec<usize> {
        let rules = self.rules.iter().enumerate().rev();
        rules
            .filter(|(_, rule)| is_candidate(rule))
            .map(|(index, _)| index)
            .collect()
    }

    /// Walks the candidates. One that may or may not apply does no harm as long as whatever
    /// decides behind it says the same.
    fn first_that_applies(
        &self,
        candidates: &[usize],
        request: &Request,
        fallback: Decider,
    ) -> Verdict {
        let fallback_action = if fallback == Decider::StartsAllowed {
            Action::Allow
        } else {
            Action::Deny
        };
        let mut doubtful: Vec<(usize, Action)> = Vec::new();
        let mut decided = (fallback, fallback_action);
        for &index in candidates {
            let Some(rule) = self.rules.get(index) else {
                continue;
            };
            match rule.applies(request) {
                Answer::No => {}
                Answer::Unknown => doubtful.push((index, rule.action)),
                Answer::Yes => {
                    decided = (Decider::Rule(index), rule.action);
                    break;
                }
            }
        }
        let (by, action) = decided;
        match doubtful.iter().find(|&&(_, doubtful)| doubtful != action) {
            Some(&(index, _)) => Verdict {
                decision: Decision::Unknown,
                by: Decider::Undecided(index),
            },
            None => Verdict {
                decision: action.into(),
                by,
            },
        }
    }
}

impl Compiled {
    fn new(rule: &Rule) -> Self {
        Self {
            action: rule.action(),
            operations: rule
                .operations()
                .iter()
                .map(|operation| (**operation).clone())
                .collect(),
            conditions: rule
                .filters()
                .iter()
                .map(|filter| Condition::new(filter))
                .collect(),
        }
    }

    fn names(&self, operation: &Operation) -> bool {
        self.operations.contains(operation)
    }

    fn is_filtered(&self) -> bool {
        !self.conditions.is_empty()
    }

    fn applies(&self, request: &Request) -> Answer {
        if self.is_filtered() {
            Answer::any(
                self.conditions
                    .iter()
                    .map(|condition| condition.holds(request)),
            )
        } else {
            Answer::Yes
        }
    }
}
