//! One request against the index: on each level the latest rule that applies, and those later
//! ones that may.

use super::answer::Answer;
use super::condition::{PathOf, path_of};
use super::index::{Chain, Entry, MAX_LEVELS, OfOperation};
use super::key::Key;
use super::pattern::is_plain;
use super::request::{Object, Request};
use super::trie::Place;
use super::{Decider, Decision, Judge, Reading, Verdict};
use crate::ast::Action;

pub(super) struct Search<'j> {
    judge: &'j Judge,
    request: &'j Request,
    chain: &'j Chain,
    path: Option<&'j Key>,
    levels: [Level; MAX_LEVELS],
    /// Rules that may apply, each with its level.
    doubts: Vec<(usize, usize)>,
}

/// What is known of the rules on one level.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The latest rule with a filter that applies.
    filtered: Option<usize>,
    /// The latest rule without a filter.
    unfiltered: Option<usize>,
    /// What is not found by walking the path was looked at.
    is_complete: bool,
}

impl Level {
    fn any(self) -> Option<usize> {
        self.filtered.max(self.unfiltered)
    }
}

impl<'j> Search<'j> {
    /// `None` if the request is one that the index has no answer for: that of an operation which
    /// is not known, or one that does not say what it is about.
    pub(super) fn new(judge: &'j Judge, request: &'j Request) -> Option<Self> {
        let number = request.operation().number()?;
        let chain = judge.index.chains.get(number)?;
        let path = match (&request.object, path_of(request)) {
            (Object::Unstated, _) | (_, PathOf::Unstated) => return None,
            (_, PathOf::Path(path)) => Some(path),
            (_, PathOf::None) => None,
        };
        let mut search = Self {
            judge,
            request,
            chain,
            path,
            levels: [Level::default(); MAX_LEVELS],
            doubts: Vec::new(),
        };
        for (level, &operation) in search.levels.iter_mut().zip(&chain.levels) {
            level.unfiltered = judge.index.operations.get(operation)?.unfiltered;
        }
        if let Some(path) = path {
            search.walk(path);
        }
        Some(search)
    }

    fn walk(&mut self, path: &Key) {
        let Self {
            judge,
            request,
            chain,
            levels,
            doubts,
            ..
        } = self;
        judge.index.paths.walk(path.as_bytes(), |entries, place| {
            let Some(Some(number)) = chain.level_of.get(entries.operation) else {
                return;
            };
            let number = usize::from(*number);
            let Some(level) = levels.get_mut(number) else {
                return;
            };
            level.filtered = level.filtered.max(entries.subpath);
            if place == Place::End {
                level.filtered = level.filtered.max(entries.literal);
            }
            try_each(&entries.conditional, request, number, None, level, doubts);
        });
    }

    /// Looks at what is not found by walking the path, as far as it is later than `floor`.
    fn complete(&mut self, number: usize, floor: Option<usize>) {
        let Self {
            judge,
            request,
            chain,
            path,
            levels,
            doubts,
        } = self;
        let operations = &judge.index.operations;
        let of = chain
            .levels
            .get(number)
            .and_then(|&operation| operations.get(operation));
        let (Some(of), Some(level)) = (of, levels.get_mut(number)) else {
            return;
        };
        if level.is_complete {
            return;
        }
        level.is_complete = true;
        if let Some(path) = path {
            find_patterns(of, path, request, number, floor, level, doubts);
        }
        if let Object::Name(stated, name) = &request.object {
            let named = of.names.get(name).into_iter().flatten();
            for (_, entry) in named.filter(|(subject, _)| subject == stated) {
                let one = std::slice::from_ref(entry);
                try_each(one, request, number, floor, level, doubts);
            }
        }
        try_each(&of.rest, request, number, floor, level, doubts);
    }

    pub(super) fn verdict(&mut self, reading: Reading) -> Verdict {
        let mut decided = None;
        // The first that may apply and says otherwise makes the verdict unknown; which one says
        // otherwise is known in the end.
        let mut doubtful = self.covering();
        let last = self.chain.levels.len();
        let wildcards = last - usize::from(!self.chain.starts_allowed);
        if reading == Reading::Flat {
            let mut best = self.latest(0..wildcards);
            for number in 0..wildcards {
                self.complete(number, best);
                best = self.latest(0..wildcards);
            }
            self.doubt(0..wildcards, best, &mut doubtful);
            decided = best;
        }
        let mut number = if reading == Reading::Flat {
            wildcards
        } else {
            0
        };
        while decided.is_none() && number < last {
            let filtered = self.level(number).filtered;
            self.complete(number, filtered);
            let level = self.level(number);
            let only = number..number + 1;
            if reading == Reading::FilteredFirst {
                self.doubt(only, level.filtered, &mut doubtful);
                decided = level.filtered.or(level.unfiltered);
            } else {
                self.doubt(only, level.any(), &mut doubtful);
                decided = level.any();
            }
            number += 1;
        }
        self.concluded(decided, &doubtful)
    }

    fn concluded(&self, decided: Option<usize>, doubtful: &[usize]) -> Verdict {
        let (by, action) = match decided {
            Some(rule) => (Decider::Rule(rule), self.action(rule)),
            None if self.chain.starts_allowed => (Decider::StartsAllowed, Action::Allow),
            None => (Decider::NoDefault, Action::Deny),
        };
        match doubtful.iter().find(|&&rule| self.action(rule) != action) {
            Some(&rule) => Verdict {
                decision: Decision::Unknown,
                by: Decider::Undecided(rule),
            },
            None => Verdict {
                decision: action.into(),
                by,
            },
        }
    }

    /// Rules on wildcards that are not known and that may apply.
    fn covering(&self) -> Vec<usize> {
        let covering = self.chain.covering.iter().copied();
        covering
            .filter(|&rule| {
                let rule = self.judge.naive.rules.get(rule);
                rule.is_some_and(|rule| rule.applies(self.request) != Answer::No)
            })
            .collect()
    }

    /// Adds the doubts on these levels that come before the rule that decides, in the order in
    /// which they come.
    fn doubt(
        &self,
        levels: std::ops::Range<usize>,
        decided: Option<usize>,
        doubtful: &mut Vec<usize>,
    ) {
        if self.doubts.is_empty() {
            return;
        }
        let before = self
            .doubts
            .iter()
            .filter(|(level, _)| levels.contains(level));
        let before = before.map(|&(_, rule)| rule);
        let mut before: Vec<_> = before.filter(|&rule| Some(rule) > decided).collect();
        before.sort_unstable_by(|left, right| right.cmp(left));
        doubtful.append(&mut before);
    }

    fn latest(&self, levels: std::ops::Range<usize>) -> Option<usize> {
        let levels = self.levels.get(levels).unwrap_or_default();
        levels.iter().filter_map(|level| level.any()).max()
    }

    fn level(&self, number: usize) -> Level {
        self.levels.get(number).copied().unwrap_or_default()
    }

    fn action(&self, rule: usize) -> Action {
        let rule = self.judge.naive.rules.get(rule);
        rule.map_or(Action::Deny, |rule| rule.action)
    }
}

/// Tries conditions, the latest first, until one holds or the rest is too early to matter.
fn try_each(
    entries: &[Entry],
    request: &Request,
    number: usize,
    floor: Option<usize>,
    level: &mut Level,
    doubts: &mut Vec<(usize, usize)>,
) {
    for entry in entries {
        if Some(entry.rule) <= level.filtered.max(floor) {
            return;
        }
        match entry.condition.holds(request) {
            Answer::No => {}
            Answer::Unknown => doubts.push((number, entry.rule)),
            Answer::Yes => {
                level.filtered = Some(entry.rule);
                return;
            }
        }
    }
}

fn find_patterns(
    of: &OfOperation,
    path: &Key,
    request: &Request,
    number: usize,
    floor: Option<usize>,
    level: &mut Level,
    doubts: &mut Vec<(usize, usize)>,
) {
    let latest = of.patterns.first().map(|entry| entry.rule);
    if latest <= level.filtered.max(floor) {
        return;
    }
    match &of.pattern_set {
        Some(set) if is_plain(path) => {
            let found = set.first_in(path).and_then(|first| of.patterns.get(first));
            level.filtered = level.filtered.max(found.map(|entry| entry.rule));
        }
        _ => try_each(&of.patterns, request, number, floor, level, doubts),
    }
}
