//! Rules that never decide, because a later rule on the same operation matches all they match.
//!
//! What is compared is how filters are written, so that many a rule which never decides is not
//! found; one that is found never does, under any reading.

use std::collections::HashMap;

use crate::ast::{Filter, MAX_TEXT, Operation, PathMatch, Rule};
use crate::judge::Key;

/// For each rule, the later one that it never decides before.
pub(super) fn shadows(rules: &[Rule]) -> Vec<Option<usize>> {
    let mut later: HashMap<&Operation, Later> = HashMap::new();
    let mut shadows: Vec<Option<usize>> = Vec::with_capacity(rules.len());
    for (number, rule) in rules.iter().enumerate().rev() {
        let mut by = None;
        let mut is_shadowed = true;
        for operation in rule.operations() {
            let covers = later
                .get(&**operation)
                .and_then(|later| later.covering(rule));
            is_shadowed &= covers.is_some();
            by = by.or(covers);
        }
        shadows.push(by.filter(|_| is_shadowed));
        for operation in rule.operations() {
            later.entry(&**operation).or_default().add(number, rule);
        }
    }
    shadows.reverse();
    shadows
}

/// What the later rules on one operation match, each with the rule.
#[derive(Default)]
struct Later {
    unfiltered: Option<usize>,
    subpaths: HashMap<Vec<u8>, usize>,
    literals: HashMap<Vec<u8>, usize>,
    /// Filters by their canonical text.
    others: HashMap<String, usize>,
}

impl Later {
    fn add(&mut self, number: usize, rule: &Rule) {
        if rule.filters().is_empty() {
            self.unfiltered.get_or_insert(number);
        }
        for filter in rule.filters() {
            self.add_filter(number, filter);
        }
    }

    fn add_filter(&mut self, number: usize, filter: &Filter) {
        match filter {
            Filter::Any(filters) => filters
                .iter()
                .for_each(|filter| self.add_filter(number, filter)),
            Filter::Path(path) if path.flaw().is_some() => {}
            Filter::Path(PathMatch::Subpath(text)) => {
                self.subpaths.entry(key(text.as_bytes())).or_insert(number);
            }
            Filter::Path(PathMatch::Literal(text)) => {
                self.literals.entry(key(text.as_bytes())).or_insert(number);
            }
            // Nothing is known of what such a filter matches.
            Filter::Other(_) => {}
            _ => {
                self.others.entry(filter.to_string()).or_insert(number);
            }
        }
    }

    /// A rule that matches what this one does; of several, that for its first filter.
    fn covering(&self, rule: &Rule) -> Option<usize> {
        let mut filters = rule.filters().iter();
        let Some(first) = filters.next() else {
            return self.unfiltered;
        };
        let by = self.covering_filter(first)?;
        filters
            .all(|filter| self.covering_filter(filter).is_some())
            .then_some(by)
    }

    fn covering_filter(&self, filter: &Filter) -> Option<usize> {
        match filter {
            Filter::Any(filters) => {
                let mut covering = filters.iter().map(|filter| self.covering_filter(filter));
                let first = covering.next()??;
                covering.all(|by| by.is_some()).then_some(first)
            }
            Filter::All(filters) => {
                let part = filters
                    .iter()
                    .find_map(|filter| self.covering_filter(filter));
                part.or_else(|| self.others.get(&filter.to_string()).copied())
            }
            Filter::Path(PathMatch::Literal(text)) => {
                let key = key(text.as_bytes());
                let literal = self.literals.get(&key).copied();
                literal.or_else(|| self.above(&key))
            }
            Filter::Path(PathMatch::Subpath(text)) => self.above(&key(text.as_bytes())),
            Filter::Other(_) => None,
            _ => self.others.get(&filter.to_string()).copied(),
        }
    }

    /// A `subpath` of the path itself or of a folder above it.
    fn above(&self, path: &[u8]) -> Option<usize> {
        // No system takes a longer one, and looking for every folder above it takes long.
        if path.len() > MAX_TEXT {
            return None;
        }
        let ends = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
        let folders = ends.map(|(at, _)| path.get(..at.max(1)).unwrap_or_default());
        folders
            .chain([path])
            .find_map(|folder| self.subpaths.get(folder).copied())
    }
}

fn key(path: &[u8]) -> Vec<u8> {
    Key::new(path).as_bytes().to_vec()
}
