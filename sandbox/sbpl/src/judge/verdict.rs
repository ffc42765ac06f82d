//! Readings, and what a judge answers.

use crate::ast::Action;

/// One of the ways the kernel may decide between rules that the evidence leaves open
/// (docs/seatbelt.md, section 1).
// Exhaustive: whoever asks under every reading has to hear of a new one.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Reading {
    /// The last rule that matches, over all that name the operation or one of its wildcards.
    Flat,
    /// The operation's own rules, the last that matches; else those of its wildcard; and so on.
    Specific,
    /// As [`Reading::Specific`], but of the rules on one operation those with a filter come
    /// before those without. Agrees with all measurements that are known.
    FilteredFirst,
}

impl Reading {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Flat, Self::Specific, Self::FilteredFirst];
}

/// What a request meets.
// Exhaustive: nobody may take an answer they do not know for one they do.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Decision {
    /// It is allowed.
    Allow,
    /// It is denied.
    Deny,
    /// It depends on something that the request does not state or that nobody knows.
    Unknown,
}

impl From<Action> for Decision {
    fn from(action: Action) -> Self {
        match action {
            Action::Allow => Self::Allow,
            Action::Deny => Self::Deny,
        }
    }
}

/// What made a decision.
// Exhaustive: it is part of a verdict.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Decider {
    /// The rule with this index in [`crate::Profile::rules`]; a rule on `default` is one too.
    Rule(usize),
    /// No rule spoke, and the operation starts allowed (docs/seatbelt.md, section 2).
    StartsAllowed,
    /// No rule spoke, and there is none on `default`. Taken as a denial; not measured.
    NoDefault,
    /// The first rule, by its index, that may or may not apply where it matters.
    Undecided(usize),
    /// The profile has forms that are not evaluated.
    Unevaluated,
    /// It is not known which rules speak for the operation.
    UnknownOperation,
}

/// A decision and what made it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[must_use]
pub struct Verdict {
    /// What the request meets.
    pub decision: Decision,
    /// Why.
    pub by: Decider,
}

/// The verdicts of all readings.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct PerReading {
    /// Under [`Reading::Flat`].
    pub flat: Verdict,
    /// Under [`Reading::Specific`].
    pub specific: Verdict,
    /// Under [`Reading::FilteredFirst`].
    pub filtered_first: Verdict,
}

/// Whether a profile means the same under every reading.
// Exhaustive: it is a verdict.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[must_use]
pub enum Settlement {
    /// All readings allow, or all deny; the verdict is that of [`Reading::FilteredFirst`].
    Settled(Verdict),
    /// They differ, or one of them does not know.
    Open(PerReading),
}

impl Settlement {
    pub(super) fn of(flat: Verdict, specific: Verdict, filtered_first: Verdict) -> Self {
        let agreed = flat.decision == specific.decision
            && specific.decision == filtered_first.decision
            && flat.decision != Decision::Unknown;
        if agreed {
            Self::Settled(filtered_first)
        } else {
            Self::Open(PerReading {
                flat,
                specific,
                filtered_first,
            })
        }
    }

    /// [`Decision::Allow`] or [`Decision::Deny`] if settled, else [`Decision::Unknown`].
    #[must_use]
    pub fn decision(&self) -> Decision {
        match self {
            Self::Settled(verdict) => verdict.decision,
            Self::Open(_) => Decision::Unknown,
        }
    }
}
