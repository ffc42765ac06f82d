//! The rules of a profile by what they are about.
//!
//! A path filter is found by walking down the path, a name by its bytes, all patterns of an
//! operation in one pass; a `require-all` is found by a path or name that stands in it, and what
//! is left is looked at one by one. Several filters of a rule are so many entries.

use std::collections::HashMap;
use std::sync::Arc;

use super::condition::{Condition, NameCondition, PathCondition};
use super::naive::Compiled;
use super::pattern::PathPatterns;
use super::trie::Trie;
use crate::ast::{Operation, Subject};

#[derive(Debug)]
pub(super) struct Index {
    pub(super) paths: Trie<PathEntries>,
    // INVARIANT: these two have one for each of `Operation::ALL`, in its order.
    pub(super) operations: Vec<OfOperation>,
    pub(super) chains: Vec<Chain>,
}

/// What one operation's rules say of a path.
#[derive(Debug, Default)]
pub(super) struct PathEntries {
    pub(super) operation: usize,
    /// The latest rule about the path and what is below it.
    pub(super) subpath: Option<usize>,
    /// The latest rule about the path itself.
    pub(super) literal: Option<usize>,
    /// Rules about the path or something below it, if more holds. The latest is first.
    pub(super) conditional: Vec<Entry>,
}

/// A condition of a rule, by the rule's index.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) rule: usize,
    pub(super) condition: Arc<Condition>,
}

/// The rules that name one operation.
#[derive(Debug, Default)]
pub(super) struct OfOperation {
    /// The latest without a filter.
    pub(super) unfiltered: Option<usize>,
    /// By a name that is no path; the latest is first.
    pub(super) names: HashMap<Vec<u8>, Vec<(Subject, Entry)>>,
    /// Patterns over paths; the latest is first.
    pub(super) patterns: Vec<Entry>,
    /// All of them together.
    pub(super) pattern_set: Option<PathPatterns>,
    /// All other conditions; the latest is first.
    pub(super) rest: Vec<Entry>,
}

/// The levels that an operation is decided on: itself, its wildcards, `default`.
#[derive(Debug)]
pub(super) struct Chain {
    /// Numbers of operations.
    pub(super) levels: Vec<usize>,
    /// By the number of an operation, which level it is.
    pub(super) level_of: Vec<Option<u8>>,
    pub(super) starts_allowed: bool,
    /// Rules on wildcards that are not known and may be about it, the latest first.
    pub(super) covering: Vec<usize>,
}

/// The most levels that a chain has.
pub(super) const MAX_LEVELS: usize = 8;

impl Index {
    pub(super) fn new(rules: &[Compiled]) -> Self {
        let mut index = Self {
            paths: Trie::default(),
            operations: Operation::ALL
                .iter()
                .map(|_| OfOperation::default())
                .collect(),
            chains: Operation::ALL
                .iter()
                .map(|operation| Chain::new(operation, rules))
                .collect(),
        };
        // The latest first.
        for (number, rule) in rules.iter().enumerate().rev() {
            for operation in rule.operations.iter().filter_map(Operation::number) {
                if rule.is_filtered() {
                    let parts = rule.conditions.iter();
                    parts.for_each(|part| index.add(operation, number, part));
                } else if let Some(of) = index.operations.get_mut(operation) {
                    of.unfiltered = of.unfiltered.max(Some(number));
                }
            }
        }
        let with_patterns = index
            .operations
            .iter_mut()
            .filter(|of| !of.patterns.is_empty());
        for of in with_patterns {
            let patterns = of
                .patterns
                .iter()
                .filter_map(|entry| match &*entry.condition {
                    Condition::Path(PathCondition::Regex(pattern)) => Some(pattern),
                    _ => None,
                });
            of.pattern_set = PathPatterns::new(patterns);
        }
        index
    }

    fn add(&mut self, operation: usize, rule: usize, condition: &Arc<Condition>) {
        let entry = Entry {
            rule,
            condition: Arc::clone(condition),
        };
        let paths = |trie: &mut Self, path: &[u8], put: &dyn Fn(&mut PathEntries)| {
            trie.with_path(path, operation, put)
        };
        let is_placed = match &**condition {
            Condition::Any(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.add(operation, rule, part));
                true
            }
            Condition::Path(PathCondition::Never) => true,
            Condition::Path(PathCondition::Literal(path)) => {
                paths(self, path.as_bytes(), &|entries| {
                    entries.literal = entries.literal.max(Some(rule));
                })
            }
            Condition::Path(PathCondition::Subpath(path)) => {
                paths(self, path.as_bytes(), &|entries| {
                    entries.subpath = entries.subpath.max(Some(rule));
                })
            }
            Condition::Path(PathCondition::Regex(pattern)) if pattern.is_exact() => {
                self.operation(operation, |of| of.patterns.push(entry.clone()))
            }
            _ => match key(condition) {
                Some(Place::Path(path)) => paths(self, path, &|entries| {
                    entries.conditional.push(entry.clone());
                }),
                Some(Place::Name(subject, name)) => self.operation(operation, |of| {
                    let named = of.names.entry(name.to_vec()).or_default();
                    named.push((subject, entry.clone()));
                }),
                None => false,
            },
        };
        if !is_placed {
            self.operation(operation, |of| of.rest.push(entry));
        }
    }

    fn operation(&mut self, number: usize, put: impl FnOnce(&mut OfOperation)) -> bool {
        self.operations.get_mut(number).map(put).is_some()
    }

    fn with_path(&mut self, path: &[u8], number: usize, put: &dyn Fn(&mut PathEntries)) -> bool {
        let Some(all) = self.paths.entries(path) else {
            return false;
        };
        // Rules of one operation mostly stand together.
        match all
            .iter_mut()
            .rev()
            .find(|entries| entries.operation == number)
        {
            Some(entries) => put(entries),
            None => {
                let mut entries = PathEntries {
                    operation: number,
                    ..PathEntries::default()
                };
                put(&mut entries);
                all.push(entries);
            }
        }
        true
    }
}

/// What must be so for a condition to hold, and can be looked up.
enum Place<'c> {
    /// The path lies there, or below.
    Path(&'c [u8]),
    Name(Subject, &'c [u8]),
}

fn key(condition: &Condition) -> Option<Place<'_>> {
    match condition {
        Condition::Path(PathCondition::Literal(path) | PathCondition::Subpath(path)) => {
            Some(Place::Path(path.as_bytes()))
        }
        Condition::Path(PathCondition::Prefix(prefix)) => {
            let prefix = prefix.as_bytes();
            let slash = prefix.iter().rposition(|&byte| byte == b'/')?;
            match prefix.get(..slash)? {
                b"" if slash == 0 => Some(Place::Path(b"/")),
                folder => Some(Place::Path(folder)),
            }
        }
        Condition::Name(subject, NameCondition::Exact(name)) if subject.is_object() => {
            Some(Place::Name(*subject, name))
        }
        Condition::All(parts) => parts.iter().find_map(|part| key(part)),
        _ => None,
    }
}

impl Chain {
    fn new(operation: &Operation, rules: &[Compiled]) -> Self {
        let mut chain: Vec<Operation> = operation.chain().collect();
        let nearest_default = chain.last().unwrap_or(operation);
        let starts_allowed = nearest_default.starts_allowed();
        if !starts_allowed {
            chain.push(Operation::Default);
        }
        let levels: Vec<usize> = chain.iter().filter_map(Operation::number).collect();
        let mut level_of = vec![None; Operation::ALL.len()];
        for (&number, level) in levels.iter().zip(0..) {
            if let Some(slot) = level_of.get_mut(number) {
                *slot = Some(level);
            }
        }
        let covering = rules.iter().enumerate().rev();
        let covering = covering.filter(|(_, rule)| rule.may_cover(operation));
        Self {
            levels,
            level_of,
            starts_allowed,
            covering: covering.map(|(number, _)| number).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_fits() {
        for operation in Operation::ALL {
            assert!(Chain::new(operation, &[]).levels.len() <= MAX_LEVELS);
        }
    }
}
