//! Sizes of a profile against the limits of the kernel (docs/seatbelt.md, section 6).
//!
//! The limits are where projects met them, not what a header says, and the size of a compiled
//! filter is an estimate. Nothing is refused here: whoever renders a profile compares.

use crate::ast::{
    Endpoint, EntitlementValue, Filter, MAX_TEXT, Match, PathMatch, Profile, Rule, Text,
};

/// The most rules that are known to load; about 17,770 crash the loader.
pub const MAX_RULES: usize = 17_000;
/// The longest text, in bytes, that is safe on a command line (`ARG_MAX` is 1 MiB, and the
/// environment counts too).
pub const MAX_ARGUMENT: usize = 1 << 19;
/// The largest serialised pattern, in bytes.
pub const MAX_PATTERN: usize = 65_535;

/// How large a profile is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Size {
    /// How many rules it has.
    pub rules: usize,
    /// How many bytes its canonical text has.
    pub bytes: usize,
    /// How many bytes the longest text within it has, without escapes.
    pub longest_text: usize,
    /// How many bytes the filters of its largest rule take, estimated from above.
    pub largest_pattern: usize,
}

/// A limit that a profile goes over.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Limit {
    /// More than [`MAX_RULES`] rules.
    Rules,
    /// Too long for a command line; no harm if it is handed over otherwise.
    Argument,
    /// A text longer than [`MAX_TEXT`].
    Text,
    /// A rule whose filters may take more than [`MAX_PATTERN`] bytes.
    Pattern,
}

impl Size {
    /// Measures a profile.
    #[must_use]
    pub fn of(profile: &Profile) -> Self {
        let mut size = Self {
            rules: profile.rules().len(),
            bytes: profile.to_string().len(),
            ..Self::default()
        };
        for rule in profile.rules() {
            let filters = rule.filters().iter().map(|filter| FilterSize::of(filter));
            let filters = filters.fold(FilterSize::default(), FilterSize::and);
            size.longest_text = size
                .longest_text
                .max(filters.longest_text)
                .max(longest_message(rule));
            size.largest_pattern = size.largest_pattern.max(filters.pattern);
        }
        size
    }

    /// Every figure that has a limit, with the limit's name and value.
    #[must_use]
    pub fn figures(&self) -> [(Limit, usize, usize); 4] {
        [
            (Limit::Rules, self.rules, MAX_RULES),
            (Limit::Argument, self.bytes, MAX_ARGUMENT),
            (Limit::Text, self.longest_text, MAX_TEXT),
            (Limit::Pattern, self.largest_pattern, MAX_PATTERN),
        ]
    }

    /// The limits that it goes over.
    pub fn over(&self) -> impl Iterator<Item = Limit> {
        let over = |(limit, figure, most)| (figure > most).then_some(limit);
        self.figures().into_iter().filter_map(over)
    }
}

fn longest_message(rule: &Rule) -> usize {
    let texts = rule.modifiers().iter().map(|modifier| match &**modifier {
        crate::ast::Modifier::Message(text) => text.as_bytes().len(),
        _ => 0,
    });
    texts.max().unwrap_or_default()
}

#[derive(Clone, Copy, Default)]
struct FilterSize {
    longest_text: usize,
    pattern: usize,
}

impl FilterSize {
    /// A filter by itself takes a node of a few words; a text takes, for each byte, an instruction
    /// of up to four bytes in the automaton that all patterns of a rule become.
    const NODE: usize = 16;
    const PER_BYTE: usize = 4;

    fn of(filter: &Filter) -> Self {
        match filter {
            Filter::Path(path)
            | Filter::Remote(Endpoint::Unix(Some(path)))
            | Filter::Local(Endpoint::Unix(Some(path))) => match path {
                PathMatch::Literal(text) | PathMatch::Subpath(text) | PathMatch::Prefix(text) => {
                    Self::text(text)
                }
                PathMatch::Regex(pattern) => Self::text(pattern.text()),
            },
            Filter::Name(_, Match::Exact(text) | Match::Prefix(text))
            | Filter::Extension(text)
            | Filter::Entitlement(text) => Self::text(text),
            Filter::Name(_, Match::Regex(pattern)) => Self::text(pattern.text()),
            Filter::EntitlementValue(name, EntitlementValue::Text(value)) => {
                let value = match value {
                    Match::Exact(text) | Match::Prefix(text) => text,
                    Match::Regex(pattern) => pattern.text(),
                };
                Self::text(name).and(Self::text(value))
            }
            Filter::EntitlementValue(name, EntitlementValue::Bool(_)) => {
                Self::text(name).and(Self::node())
            }
            Filter::Any(filters) | Filter::All(filters) => filters
                .iter()
                .map(|filter| Self::of(filter))
                .fold(Self::node(), Self::and),
            Filter::Not(negated) => Self::node().and(Self::of(negated.filter())),
            Filter::Other(raw) => Self {
                longest_text: 0,
                pattern: Self::NODE + Self::PER_BYTE * raw.as_str().len(),
            },
            Filter::Value(..)
            | Filter::Remote(_)
            | Filter::Local(_)
            | Filter::Target(_)
            | Filter::VnodeType(_)
            | Filter::FileMode(_) => Self::node(),
        }
    }

    fn node() -> Self {
        Self {
            longest_text: 0,
            pattern: Self::NODE,
        }
    }

    fn text(text: &Text) -> Self {
        let length = text.as_bytes().len();
        Self {
            longest_text: length,
            pattern: Self::NODE + Self::PER_BYTE * length,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            longest_text: self.longest_text.max(other.longest_text),
            pattern: self.pattern + other.pattern,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Operation;

    #[test]
    fn figures_of_a_small_profile() {
        let profile: Profile = [
            Rule::deny(Operation::Default),
            Rule::allow(Operation::FileRead)
                .when(Filter::literal(Text::path("/abc").unwrap()))
                .when(Filter::subpath(Text::path("/ab").unwrap())),
        ]
        .into_iter()
        .collect();
        let size = Size::of(&profile);
        assert_eq!((size.rules, size.longest_text), (2, 4));
        assert_eq!(size.bytes, profile.to_string().len());
        assert_eq!(size.largest_pattern, 16 + 4 * 4 + 16 + 4 * 3);
        assert_eq!(size.over().count(), 0);
    }

    #[test]
    fn one_rule_with_too_many_filters_goes_over() {
        let many =
            (0..2000).map(|n| Filter::subpath(Text::path(format!("/nix/store/{n}")).unwrap()));
        let one: Profile = [Rule::allow(Operation::FileRead)
            .when_any(many.clone())
            .unwrap()]
        .into_iter()
        .collect();
        let split: Profile = many
            .map(|filter| Rule::allow(Operation::FileRead).when(filter))
            .collect();
        assert_eq!(Size::of(&one).over().collect::<Vec<_>>(), [Limit::Pattern]);
        assert_eq!(Size::of(&split).over().count(), 0);
    }
}
