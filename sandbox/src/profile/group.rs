//! Names that one rule can speak of: brought together, and parted again below the limits of the system.

use std::collections::HashSet;

use objcap_capability::{Clause, Reach};
use objcap_object::{Key, RealPath};
use sbpl::{Filter, Rule};

use crate::Error;
use crate::profile::line::{Line, Why, text};

/// Names for rules that differ in nothing else.
#[derive(Default)]
pub(crate) struct Group<'a> {
    names: Vec<Named<'a>>,
}

struct Named<'a> {
    name: &'a RealPath,
    reach: Reach,
    why: Reason<'a>,
}

/// Why a name is spoken of.
#[derive(Clone, Copy)]
pub(crate) enum Reason<'a> {
    Clause(&'a Clause),
    Stated(&'static str),
}

/// The most bytes of pattern that one rule is given, counted as generously as sbpl's `size` counts the
/// system's limit of 65,535 (docs/seatbelt.md, section 6).
pub(crate) const PATTERN_MAX: usize = 60_000;

/// What the filter of a name may take of that.
pub(crate) fn cost(name: &RealPath) -> usize {
    16 + 4 * (1 + name.as_bytes().len())
}

impl<'a> Group<'a> {
    pub(crate) fn add(
        &mut self,
        names: impl IntoIterator<Item = &'a RealPath>,
        reach: Reach,
        why: Reason<'a>,
    ) {
        let named = |name| Named { name, reach, why };
        self.names.extend(names.into_iter().map(named));
    }

    /// The filters, each with its reason. A name that another implies is left out: nothing stands between
    /// them that says otherwise.
    pub(crate) fn filters(&self) -> Result<Vec<(Filter, Why, usize)>, Error> {
        let below = self.names.iter().filter(|one| one.reach == Reach::Below);
        let below: HashSet<Key> = below.map(|one| one.name.caseless_key()).collect();
        let mut known: HashSet<(Key, bool)> = HashSet::new();
        let mut filters = Vec::new();
        for one in &self.names {
            let key = one.name.caseless_key();
            let is_below = one.reach == Reach::Below;
            let implied = one
                .name
                .ancestors()
                .any(|above| below.contains(&above.caseless_key()))
                || (!is_below && below.contains(&key));
            if implied || !known.insert((key, is_below)) {
                continue;
            }
            let (clause, why) = match one.why {
                Reason::Clause(clause) => (Some(clause), Why::of(clause)),
                Reason::Stated(reason) => (None, Why::Reason(reason)),
            };
            let text = text(one.name, clause)?;
            let filter = match one.reach {
                Reach::Below => Filter::subpath(text),
                Reach::Alone => Filter::literal(text),
            };
            filters.push((filter, why, cost(one.name)));
        }
        Ok(filters)
    }

    /// The rules.
    pub(crate) fn lines(&self, rule: impl Fn() -> Rule) -> Result<Vec<Line>, Error> {
        let mut lines = Vec::new();
        let mut left = self.filters()?.into_iter().peekable();
        while left.peek().is_some() {
            let mut size = 0;
            let (mut filters, mut whys) = (Vec::new(), Vec::new());
            while let Some((filter, why, _)) = left.next_if(|(_, _, cost)| {
                size += cost;
                size <= PATTERN_MAX || size == *cost
            }) {
                filters.push(filter);
                whys.push(why);
            }
            lines.extend(Line::grouped(rule(), filters, whys));
        }
        Ok(lines)
    }
}
