//! The judge that reads like the rules it follows, and looks at every rule for every request.
//!
//! It is the model that the compiled judge is held to, and answers what that one does not index.

use std::sync::Arc;

use super::answer::Answer;
use super::condition::Condition;
use super::{Decider, Decision, Reading, Request, Settlement, Verdict};
use crate::ast::{Action, Operation, Profile, Rule};

/// A profile made ready for questions: names in the form they are compared in, patterns compiled.
#[derive(Debug)]
pub struct Judge {
    pub(super) rules: Vec<Compiled>,
    /// The profile has forms that may grant or refuse anything.
    is_evaluated: bool,
}

/// A rule in the form it is judged in.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) action: Action,
    pub(super) operations: Vec<Operation>,
    /// Alternatives; none at all means that the rule has no filter.
    pub(super) conditions: Vec<Arc<Condition>>,
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
        if let Some(verdict) = self.unjudged(request) {
            return verdict;
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

    /// The verdict where no rule can be asked.
    pub(super) fn unjudged(&self, request: &Request) -> Option<Verdict> {
        let by = if !self.is_evaluated {
            Decider::Unevaluated
        } else if !request.operation().is_known() {
            Decider::UnknownOperation
        } else {
            return None;
        };
        Some(Verdict {
            decision: Decision::Unknown,
            by,
        })
    }

    /// The verdict of all readings, or that they differ.
    pub fn settle(&self, request: &Request) -> Settlement {
        let [flat, specific, filtered_first] =
            Reading::ALL.map(|reading| self.decide(request, reading));
        Settlement::of(flat, specific, filtered_first)
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

    /// Which of a rule's filters, counted from 0, is the first that matches; `None` for a rule without
    /// filters, for one of which none is known to match, and for a number that no rule has.
    pub fn matching(&self, rule: usize, request: &Request) -> Option<usize> {
        let conditions = &self.rules.get(rule)?.conditions;
        conditions
            .iter()
            .position(|condition| condition.holds(request) == Answer::Yes)
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
        // A wildcard that is not known may be about the operation, and come before or behind any
        // other.
        let mut doubtful: Vec<(usize, Action)> = self
            .latest_first(|rule| rule.may_cover(request.operation()))
            .into_iter()
            .filter_map(|index| Some((index, self.rules.get(index)?)))
            .filter(|(_, rule)| rule.applies(request) != Answer::No)
            .map(|(index, rule)| (index, rule.action))
            .collect();
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
                .map(|filter| Arc::new(Condition::new(filter)))
                .collect(),
        }
    }

    fn names(&self, operation: &Operation) -> bool {
        self.operations.contains(operation)
    }

    pub(super) fn may_cover(&self, operation: &Operation) -> bool {
        self.operations.iter().any(|own| own.may_cover(operation))
    }

    pub(super) fn is_filtered(&self) -> bool {
        !self.conditions.is_empty()
    }

    pub(super) fn applies(&self, request: &Request) -> Answer {
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
