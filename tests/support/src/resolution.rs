//! What a walk may answer in a tree that changed meanwhile: every answer that the rules of path
//! resolution allow, when each component is resolved in some state at or after the one that the
//! component before it was resolved in. It is written from the rules, component by component, and
//! shares no code with the walk.
//!
//! One rule is this library's own (docs/decisions/0002): after a `.` or `..` the walk stands in the
//! directory that its real path names by then, and not in the one that the kernel would come to.

mod search;

use std::rc::Rc;

use objcap_walk::{
    Error, ErrorKind, Identity, Kind, Memory, Options, Place, Start, Tree as _, Walked, path,
    walk_from,
};

use self::search::Search;
use crate::scripted::{Failure, Script, Scripted};

/// A link that was passed: where it stood, and its text.
type Passed = (Vec<u8>, Vec<u8>);

/// A walk's answer, complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An object.
    Present {
        /// The directory that the handle means.
        parent: Place,
        /// The object's real path.
        real: Vec<u8>,
        /// Which object.
        identity: Identity,
        /// Its kind.
        kind: Kind,
        /// What was passed.
        record: Record,
    },
    /// A place where nothing stands.
    Absent {
        /// The directory that the handle means.
        parent: Place,
        /// The place.
        real: Vec<u8>,
        /// What follows.
        tail: Vec<u8>,
        /// What was passed.
        record: Record,
    },
    /// An error.
    Failed {
        /// Its kind.
        kind: ErrorKind,
        /// Where.
        at: Vec<u8>,
        /// The links passed before.
        links: Vec<Passed>,
    },
}

/// What a walk passed, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// The links.
    pub links: Vec<Passed>,
    /// Every component.
    pub lookups: Vec<Vec<u8>>,
}

impl Outcome {
    /// Whether the walk gave up, since the tree kept changing.
    pub fn is_raced(&self) -> bool {
        matches!(
            self,
            Outcome::Failed {
                kind: ErrorKind::Raced,
                ..
            }
        )
    }

    /// What a walk answered.
    pub fn of(answer: &Result<Walked<Place>, Error>) -> Self {
        let walked = match answer {
            Ok(walked) => walked,
            Err(error) => {
                return Outcome::Failed {
                    kind: error.kind(),
                    at: error.at().to_vec(),
                    links: passed(error.links()),
                };
            }
        };
        let record = Record {
            links: passed(walked.links()),
            lookups: walked.lookups().map(std::borrow::Cow::into_owned).collect(),
        };
        let (parent, real) = (*walked.parent(), walked.real().to_vec());
        match (walked.identity(), walked.kind()) {
            (Some(identity), Some(kind)) => Outcome::Present {
                parent,
                real,
                identity,
                kind,
                record,
            },
            _ => Outcome::Absent {
                parent,
                real,
                tail: walked.tail().collect::<Vec<_>>().join(&b'/'),
                record,
            },
        }
    }
}

fn passed<'a>(links: impl Iterator<Item = objcap_walk::Traversed<'a>>) -> Vec<Passed> {
    links
        .map(|link| (link.at().to_vec(), link.text().to_vec()))
        .collect()
}

/// What is asked of a walk.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Where a relative path starts.
    pub start: (Place, &'a [u8]),
    /// The path.
    pub path: &'a [u8],
    /// How to walk.
    pub options: &'a Options,
}

impl<'a> Question<'a> {
    /// A walk from the root of a tree.
    pub fn from_root(tree: &Memory, path: &'a [u8], options: &'a Options) -> Self {
        Question {
            start: (*tree.root(), b"/"),
            path,
            options,
        }
    }

    /// Asks a walk in a tree that changes.
    pub fn ask(&self, start: &Rc<Memory>, script: &Script) -> Asked {
        let tree = Scripted::new(Rc::clone(start), script);
        let from = Start {
            dir: &self.start.0,
            real: self.start.1,
        };
        let answer = walk_from(&tree, from, self.path, self.options);
        let errno = answer.as_ref().err().and_then(|error| {
            let source = error.fault().io_error()?;
            source.raw_os_error()
        });
        Asked {
            outcome: Outcome::of(&answer),
            errno,
            failed: tree.failed(),
            history: tree.history(),
            questions: tree.asked(),
        }
    }

    /// Whether a walk was allowed to answer so.
    ///
    /// # Errors
    /// What is wrong with the answer.
    pub fn judge(&self, asked: &Asked) -> Result<(), String> {
        let states = &asked.history;
        let wrong = |what: &str| {
            let path = path::display(self.path);
            Err(format!("`{path}`: {what}: {:?}", asked.outcome))
        };
        match &asked.outcome {
            // That it raced may be said only where something moved.
            Outcome::Failed {
                kind: ErrorKind::Raced,
                ..
            } => {
                return match states.len() {
                    1 => wrong("nothing moved"),
                    _ => Ok(()),
                };
            }
            // An error of the system's is told as such, with its number.
            Outcome::Failed { kind, .. } if asked.errno.is_some() => {
                let failed = asked.failed.map(|failed| (failed.kind(), failed.errno()));
                return match failed.zip(asked.errno) {
                    Some((failed, errno)) if failed == (*kind, errno) => Ok(()),
                    _ => wrong("an error that the system did not make"),
                };
            }
            Outcome::Present { identity, .. } if !was_inside(states, identity) => {
                return wrong("an object that was never inside the root");
            }
            _ => {}
        }
        if Search::new(states, self.options, &asked.outcome).comes_to_it(self) {
            Ok(())
        } else {
            wrong("no state of the tree gives this answer")
        }
    }
}

/// A walk that was asked.
#[derive(Debug)]
pub struct Asked {
    /// What it answered.
    pub outcome: Outcome,
    /// The number of the system's error behind it.
    pub errno: Option<i32>,
    /// The last error that the script made.
    pub failed: Option<Failure>,
    /// The states of the tree meanwhile.
    pub history: Vec<Rc<Memory>>,
    /// What it asked of the tree.
    pub questions: Vec<crate::scripted::Asked>,
}

fn was_inside(states: &[Rc<Memory>], identity: &Identity) -> bool {
    states.iter().any(|state| {
        state.stat(state.root()).expect("a root").identity == *identity
            || (state.objects().iter()).any(|(_, stat)| stat.identity == *identity)
    })
}
