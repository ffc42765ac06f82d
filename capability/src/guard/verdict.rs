//! What the guard says, and why.

use std::fmt;

use objcap_object::{Object, RealPath};

use crate::grant::Only;
use crate::place::Place;
use crate::{Access, Allowance, Clause, Exclusion, Layer, List, Origin};

/// An access to an object, judged.
#[derive(Debug)]
pub struct Judgement<'a, D> {
    object: Object<D>,
    real: RealPath,
    access: Access,
    verdict: Verdict<'a>,
}

/// What the guard says.
// Exhaustive: an access is admitted or it is refused.
#[derive(Debug, Clone)]
pub enum Verdict<'a> {
    /// It may be done.
    Admitted(Ground<'a>),
    /// It may not.
    Refused(Refusal<'a>),
}

/// Why an access is admitted.
// Exhaustive: these are the ways to be granted something.
#[derive(Debug, Clone, Copy)]
pub enum Ground<'a> {
    /// A clause of the grant, or a place that the host needs, says so.
    Allowance(&'a Allowance),
    /// It lies on the way to what a clause allows.
    Waypoint,
    /// No grant restricts accesses of this kind.
    Unrestricted,
}

/// Why an access is refused.
// Exhaustive: these are the ways to be refused something.
#[derive(Debug, Clone)]
pub enum Refusal<'a> {
    /// A clause excludes or protects the object.
    Excluded {
        /// The clause.
        exclusion: &'a Exclusion,
        /// Why it speaks of this name.
        by: Match,
    },
    /// Making it would make an ancestor of an excluded place, and so decide what that place is.
    Ancestor(&'a Exclusion),
    /// It holds an exclusion in its place: what is excluded would go with it, or be made anew.
    Holder(&'a Exclusion),
    /// A program of this name is not run, wherever the name leads.
    Vetoed {
        /// The veto.
        clause: &'a Clause,
        /// The name that it speaks of.
        name: Vec<u8>,
    },
    /// The program may be run, but not with this first argument.
    Argument {
        /// The entry that says with which.
        only: &'a Only,
        /// The argument; `None` when there is none.
        first: Option<std::ffi::OsString>,
    },
    /// No clause of a layer speaks for the access.
    Silence {
        /// The layer.
        layer: &'a Layer,
        /// What no clause speaks for.
        missing: Access,
    },
    /// The name passes a link that may not be looked at.
    Link {
        /// The link.
        at: RealPath,
        /// Why not.
        because: Box<Refusal<'a>>,
    },
    /// The program is a script, and what runs it may not be run.
    Interpreter {
        /// The interpreter.
        at: RealPath,
        /// Why not.
        because: Box<Refusal<'a>>,
    },
}

/// Why an exclusion speaks of a name.
// Exhaustive: these are the ways in which it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// The name is at or below a place of the exclusion.
    Name,
    /// The name is another spelling of one.
    Respelled,
    /// The name is another name of an excluded object.
    Identity,
}

impl<'a, D> Judgement<'a, D> {
    pub(crate) fn new(
        object: Object<D>,
        real: RealPath,
        access: Access,
        verdict: Verdict<'a>,
    ) -> Self {
        Judgement {
            object,
            real,
            access,
            verdict,
        }
    }

    /// The object that was judged.
    pub fn object(&self) -> &Object<D> {
        &self.object
    }

    /// Its real path as the system presents it.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// The access that was asked for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// What the guard says.
    pub fn verdict(&self) -> &Verdict<'a> {
        &self.verdict
    }

    /// Why, for a person to read.
    pub fn reason(&self) -> String {
        match &self.verdict {
            Verdict::Admitted(ground) => ground.to_string(),
            Verdict::Refused(refusal) => refusal.reason(&self.real),
        }
    }

    /// Whether the access may be done.
    pub fn is_admitted(&self) -> bool {
        matches!(self.verdict, Verdict::Admitted(_))
    }

    /// The object, whatever was said of it.
    pub fn into_object(self) -> Object<D> {
        self.object
    }

    pub(crate) fn into_parts(self) -> (Object<D>, RealPath, Verdict<'a>) {
        (self.object, self.real, self.verdict)
    }
}

impl<D> fmt::Display for Judgement<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_admitted() {
            "admitted"
        } else {
            "refused"
        };
        write!(
            f,
            "{} of `{}` is {verdict}: {}",
            self.access,
            self.real,
            self.reason()
        )
    }
}

impl fmt::Display for Ground<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ground::Allowance(allowance) => {
                write!(f, "{} allows it", cited(allowance.clause()))
            }
            Ground::Waypoint => f.write_str("it lies on the way to what is allowed"),
            Ground::Unrestricted => f.write_str("no grant restricts this"),
        }
    }
}

impl<'a> Refusal<'a> {
    /// The same, an exclusion by name told from one by another spelling.
    pub(crate) fn respelled(self, real: &RealPath) -> Self {
        match self {
            Refusal::Excluded {
                exclusion,
                by: Match::Name,
            } => {
                let mut names = exclusion.places().iter().flat_map(Place::below);
                let exact = names.any(|name| real.is_within(name));
                let by = if exact { Match::Name } else { Match::Respelled };
                Refusal::Excluded { exclusion, by }
            }
            other => other,
        }
    }

    /// The clause that refuses; `None` when none speaks.
    pub fn clause(&self) -> Option<&'a Clause> {
        match self {
            Refusal::Excluded { exclusion, .. }
            | Refusal::Ancestor(exclusion)
            | Refusal::Holder(exclusion) => Some(exclusion.clause()),
            Refusal::Vetoed { clause, .. } => Some(clause),
            Refusal::Argument { only, .. } => Some(only.clause()),
            Refusal::Silence { .. } => None,
            Refusal::Link { because, .. } | Refusal::Interpreter { because, .. } => {
                because.clause()
            }
        }
    }

    /// Why the object at `real` is refused.
    pub fn reason(&self, real: &RealPath) -> String {
        match self {
            Refusal::Silence { layer, .. } => format!("no clause{layer} allows it"),
            Refusal::Ancestor(exclusion) => {
                let (clause, verb) = (cited(exclusion.clause()), verb(exclusion));
                format!("it does not exist, and {clause} {verb} a place below it")
            }
            Refusal::Holder(exclusion) => {
                let (clause, verb) = (cited(exclusion.clause()), verb(exclusion));
                format!("{clause} {verb} what is reached through it")
            }
            Refusal::Vetoed { clause, name } => {
                let name = objcap_object::path::display(name);
                format!("{} keeps `{name}` from running", cited(clause))
            }
            Refusal::Argument { only, first } => {
                let clause = cited(only.clause());
                match first {
                    Some(first) => {
                        let first = crate::error::quoted(&first.to_string_lossy());
                        format!("{clause} does not list its first argument {first}")
                    }
                    None => {
                        format!("{clause} lists what its first argument may be, and it has none")
                    }
                }
            }
            Refusal::Link { at, because } => {
                format!(
                    "the name passes the link `{at}`, and {}",
                    because.reason(at)
                )
            }
            Refusal::Interpreter { at, because } => {
                format!("it is a script for `{at}`, and {}", because.reason(at))
            }
            Refusal::Excluded { exclusion, by } => {
                let (clause, verb) = (cited(exclusion.clause()), verb(exclusion));
                let how = match by {
                    Match::Name => None,
                    Match::Respelled => respelling(exclusion, real),
                    Match::Identity => Some(format!(": it is another name of what it {verb}")),
                };
                format!("{clause} {verb} it{}", how.unwrap_or_default())
            }
        }
    }
}

fn verb(exclusion: &Exclusion) -> &'static str {
    match exclusion.clause().list() {
        List::Protect => "protects",
        _ => "excludes",
    }
}

fn respelling(exclusion: &Exclusion, real: &RealPath) -> Option<String> {
    let mut places = exclusion.places().iter().flat_map(Place::below);
    let place = places.find(|place| real.key().is_within(&place.key()))?;
    let names: Vec<_> = real.components().take(place.depth()).collect();
    let spelled = RealPath::new([b"/", &names.join(&b'/')[..]].concat())?;
    Some(format!(": `{spelled}` is `{place}` under another spelling"))
}

/// A clause as a person finds it: what it says, and where.
pub(crate) fn cited(clause: &Clause) -> String {
    match (clause.origin(), clause.list()) {
        (Origin::File(place), _) => format!("{clause} ({place})"),
        (Origin::Code, _) => clause.to_string(),
        (Origin::Host, List::Protect) => {
            format!("this program, its own file by {clause},")
        }
        (Origin::Host, _) => format!("the host, for every program, by {clause},"),
    }
}
