//! The search for one answer: all resolutions that may come to it, each component in some state of
//! the tree at or after that of the one before.

use std::collections::HashSet;
use std::rc::Rc;

use objcap_walk::{
    ErrorKind, Kind, LINK_LIMIT, Leaf, Links, Memory, Options, Place, Require, Scope, Stat, Step,
    Tail, Tree as _, path,
};

use super::{Outcome, Passed, Question};

/// A search for a way to one answer. What a resolution passes must be what the answer lists, so a
/// resolution is told by how much of that it has passed.
pub(super) struct Search<'a> {
    states: &'a [Rc<Memory>],
    options: &'a Options,
    goal: &'a Outcome,
    is_found: bool,
    seen: HashSet<At>,
    left: Vec<At>,
}

/// How far a resolution has come.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct At {
    rest: Vec<u8>,
    real: Vec<u8>,
    /// The directory; none where the real path is still to be opened.
    here: Option<Place>,
    /// The state that the last component was resolved in.
    since: usize,
    links: usize,
    lookups: usize,
}

impl Outcome {
    fn links(&self) -> &[Passed] {
        match self {
            Outcome::Present { record, .. } | Outcome::Absent { record, .. } => &record.links,
            Outcome::Failed { links, .. } => links,
        }
    }

    /// An error has no list of them.
    fn lookups(&self) -> Option<&[Vec<u8>]> {
        match self {
            Outcome::Present { record, .. } | Outcome::Absent { record, .. } => {
                Some(&record.lookups)
            }
            Outcome::Failed { .. } => None,
        }
    }
}

impl<'a> Search<'a> {
    /// A search in a tree that had these states.
    pub(super) fn new(states: &'a [Rc<Memory>], options: &'a Options, goal: &'a Outcome) -> Self {
        Search {
            states,
            options,
            goal,
            is_found: false,
            seen: HashSet::new(),
            left: Vec::new(),
        }
    }

    /// Whether some resolution comes to the answer.
    pub(super) fn comes_to_it(mut self, question: &Question<'_>) -> bool {
        self.begin(question);
        while let Some(at) = self.left.pop().filter(|_| !self.is_found) {
            self.resolve(at);
        }
        self.is_found
    }

    fn begin(&mut self, question: &Question<'_>) {
        let mut at = At {
            rest: question.path.to_vec(),
            real: path::trim_end(question.start.1).to_vec(),
            here: Some(question.start.0),
            since: 0,
            links: 0,
            lookups: 0,
        };
        if question.path.is_empty() {
            return self.fail(ErrorKind::EmptyPath, b"", &at);
        }
        if question.path.starts_with(b"/") {
            if self.options.scope == Scope::Beneath {
                return self.fail(ErrorKind::OutsideScope, b"/", &at);
            }
            at.here = Some(self.root());
            at.real.clear();
        }
        self.left.push(at);
    }

    fn root(&self) -> Place {
        *self.states[0].root()
    }

    /// The resolution ends in an error.
    fn fail(&mut self, error: ErrorKind, place: &[u8], from: &At) {
        if let Outcome::Failed { kind, at, links } = self.goal {
            self.is_found |= *kind == error && at == place && links.len() == from.links;
        }
    }

    /// The resolution ends in an object.
    fn arrive(&mut self, dir: Place, place: &[u8], stat: &Stat, from: &At) {
        if let Outcome::Present {
            parent,
            real,
            identity,
            kind,
            record,
        } = self.goal
        {
            self.is_found |= (*parent, &real[..]) == (dir, place)
                && (*identity, *kind) == (stat.identity, stat.kind)
                && record.links.len() == from.links
                && record.lookups.len() == from.lookups;
        }
    }

    /// The resolution ends where nothing stands.
    fn miss(&mut self, dir: Place, place: &[u8], below: &[u8], from: &At) {
        if let Outcome::Absent {
            parent,
            real,
            tail,
            record,
        } = self.goal
        {
            self.is_found |= (*parent, &real[..], &tail[..]) == (dir, place, below)
                && record.links.len() == from.links
                && record.lookups.len() == from.lookups;
        }
    }

    fn resolve(&mut self, at: At) {
        if !self.seen.insert(at.clone()) {
            return;
        }
        let Some((name, after)) = path::split_first(&at.rest) else {
            return self.end(&at);
        };
        let (name, after) = (name.to_vec(), after.to_vec());
        if name == b"." || name == b".." && !at.real.is_empty() {
            let mut real = at.real.clone();
            if name == b".." {
                real.truncate(real.iter().rposition(|&byte| byte == b'/').unwrap_or(0));
            }
            self.left.push(At {
                rest: after,
                real,
                here: None,
                ..at
            });
        } else if name == b".." && self.options.scope == Scope::Beneath {
            self.fail(ErrorKind::OutsideScope, &path::join(&at.real, b".."), &at);
        } else if name == b".." {
            self.left.push(At { rest: after, ..at });
        } else if let Some(here) = at.here {
            for since in at.since..self.states.len() {
                let at = At {
                    since,
                    ..at.clone()
                };
                self.pass(at, here, &name, &after);
            }
        } else {
            for (here, since) in self.open(&at.real, at.since) {
                self.left.push(At {
                    here: Some(here),
                    since,
                    ..at.clone()
                });
            }
        }
    }

    /// Resolves one name, in one state.
    fn pass(&mut self, at: At, here: Place, name: &[u8], after: &[u8]) {
        let is_last = path::trim_start(after).is_empty();
        let slash = !after.is_empty();
        let place = path::join(&at.real, name);
        let listed = self.goal.lookups();
        if listed.is_some_and(|all| all.get(at.lookups) != Some(&place)) {
            return;
        }
        let mut next = At {
            lookups: at.lookups + 1,
            ..at.clone()
        };
        let state = &self.states[at.since];
        let stat = match state.step(&here, name, &mut ()).expect("names are short") {
            Step::Absent => {
                let refused = self.options.tail == Tail::Refuse;
                if refused || path::components(after).any(|name| name == b"..") {
                    return self.fail(ErrorKind::NotFound, &place, &at);
                }
                let tail: Vec<_> = path::components(after).filter(|&n| n != b".").collect();
                if self.states.len() > 1 && tail.is_empty() && !is_last {
                    // `x/.`: a walk that had passed `x`, and asks again, may say that it is gone.
                    self.fail(ErrorKind::NotFound, &place, &at);
                }
                return self.miss(here, &place, &tail.join(&b'/'), &next);
            }
            Step::Link(link) if !is_last || slash || self.options.leaf == Leaf::Follow => {
                if self.options.links == Links::Refuse {
                    return self.fail(ErrorKind::LinkRefused, &place, &at);
                }
                if at.links == LINK_LIMIT {
                    return self.fail(ErrorKind::TooManyLinks, &place, &at);
                }
                let passed = self.goal.links().get(at.links);
                if passed.is_none_or(|(at, text)| (at, text) != (&place, &link.text)) {
                    return;
                }
                next.links += 1;
                if link.text.starts_with(b"/") {
                    if self.options.scope == Scope::Beneath {
                        return self.fail(ErrorKind::OutsideScope, &place, &next);
                    }
                    next.here = Some(self.root());
                    next.real.clear();
                }
                next.rest = [&link.text, after].concat();
                return self.left.push(next);
            }
            Step::Directory(dir, _) if !is_last => {
                next.real = place;
                next.here = Some(dir);
                next.rest = after.to_vec();
                return self.left.push(next);
            }
            Step::Directory(_, stat) | Step::Other(stat) => stat,
            Step::Link(_) => {
                let found = state.look(&here, name).expect("names are short");
                found.expect("it was there")
            }
        };
        let directory = !is_last || slash || self.options.require == Require::Directory;
        if directory && stat.kind != Kind::Directory {
            return self.fail(ErrorKind::NotADirectory, &place, &at);
        }
        self.arrive(here, &place, &stat, &next);
    }

    /// The text has ended in a directory: the object is what its name leads to by now.
    fn end(&mut self, at: &At) {
        let Some(name) = path::components(&at.real).next_back() else {
            let root = self.root();
            let stat = self.states[at.since].stat(&root).expect("a root");
            return self.arrive(root, b"/", &stat, at);
        };
        for (parent, since) in self.open(path::parent(&at.real), at.since) {
            for state in &self.states[since..] {
                match state.look(&parent, name).expect("names are short") {
                    Some(stat) if stat.kind == Kind::Directory => {
                        self.arrive(parent, &at.real, &stat, at);
                    }
                    // It was a directory: the walk looks again, and may give up.
                    Some(_) => {}
                    None => self.fail(ErrorKind::NotFound, &at.real, at),
                }
            }
        }
    }

    /// The directories that a real path may lead to from a state on, each with the state that its
    /// last name was resolved in.
    fn open(&self, real: &[u8], since: usize) -> Vec<(Place, usize)> {
        let mut places = vec![(self.root(), since)];
        for name in path::components(real) {
            let mut next = Vec::new();
            for (dir, since) in places {
                for (since, state) in self.states.iter().enumerate().skip(since) {
                    if let Ok(Step::Directory(dir, _)) = state.step(&dir, name, &mut ()) {
                        if !next.contains(&(dir, since)) {
                            next.push((dir, since));
                        }
                    }
                }
            }
            places = next;
        }
        places
    }
}
