//! The guard: judges an access to the object that a name leads to.
//!
//! It walks the name, so that it judges what will be used, and says which clause decided. It does
//! not look at the profile, nor the profile at it: that the two agree is for tests to show.

use std::fmt;

use objcap_object::{Host, Object, Options, RealPath, Tree};

use crate::frozen::{Allowance, Exclusion, Frozen, Place};
use crate::{Access, Origin};

/// A frozen grant, ready to judge in the host where it was frozen.
#[derive(Debug)]
pub struct Guard<'a, T> {
    host: &'a Host<T>,
    frozen: &'a Frozen,
}

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
    /// The grant does not restrict files.
    Unrestricted,
}

/// Why an access is refused.
// Exhaustive: these are the ways to be refused something.
#[derive(Debug, Clone)]
pub enum Refusal<'a> {
    /// A clause excludes the object.
    Excluded {
        /// The clause.
        exclusion: &'a Exclusion,
        /// Why it speaks of this name.
        by: Match,
    },
    /// Making it would make an ancestor of an excluded place, and so decide what that place is.
    Ancestor(&'a Exclusion),
    /// No clause speaks for the access.
    Silence,
    /// The name passes a link that may not be looked at.
    Link {
        /// The link.
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

impl<'a, T: Tree> Guard<'a, T> {
    /// A guard for a grant that was frozen in this host.
    pub fn new(host: &'a Host<T>, frozen: &'a Frozen) -> Self {
        Guard { host, frozen }
    }

    /// Judges an access to what `path` leads to. A name that leads to nothing is judged by where
    /// the object would stand.
    ///
    /// # Errors
    /// When the name cannot be walked.
    pub fn judge(
        &self,
        path: impl AsRef<std::ffi::OsStr>,
        access: Access,
    ) -> Result<Judgement<'a, T::Dir>, objcap_object::Error> {
        let object = Object::walk(&self.host.tree, path, &Options::default())?;
        let real = self.host.presented(object.real().clone());
        let verdict = match self.refused_link(&object) {
            Some(refusal) => Verdict::Refused(refusal),
            None => self.judge_object(&object, &real, access),
        };
        Ok(Judgement {
            object,
            real,
            access,
            verdict,
        })
    }

    /// The first link of a walk that may not be looked at. The kernel asks the same of each.
    fn refused_link<D>(&self, object: &Object<D>) -> Option<Refusal<'a>> {
        object
            .links()
            .filter_map(|link| RealPath::new(link.at()))
            .find_map(|at| {
                let at = self.host.presented(at);
                match self.judge_name(&at, Access::STAT) {
                    Verdict::Admitted(_) => None,
                    Verdict::Refused(because) => Some(Refusal::Link {
                        at,
                        because: because.into(),
                    }),
                }
            })
    }

    fn judge_object<D>(&self, object: &Object<D>, real: &RealPath, access: Access) -> Verdict<'a> {
        let verdict = self.judge_name(real, access);
        let (Verdict::Admitted(_), Some(fs)) = (&verdict, self.frozen.fs()) else {
            return verdict;
        };
        let mut exclusions = fs.exclusions().iter();
        let refusal = match object.identity() {
            Some(identity) => {
                exclusions
                    .find(|exclusion| exclusion.is(&identity))
                    .map(|exclusion| Refusal::Excluded {
                        exclusion,
                        by: Match::Identity,
                    })
            }
            None if access.contains(Access::WRITE) => exclusions
                .find(|exclusion| exclusion.lies_below(&real.key()))
                .map(Refusal::Ancestor),
            None => None,
        };
        refusal.map_or(verdict, Verdict::Refused)
    }

    /// Evidence against decides; without any, evidence for; without either, silence refuses.
    fn judge_name(&self, real: &RealPath, access: Access) -> Verdict<'a> {
        let Some(fs) = self.frozen.fs() else {
            return Verdict::Admitted(Ground::Unrestricted);
        };
        let key = real.key();
        if let Some(exclusion) = fs.exclusions().iter().find(|one| one.covers(&key)) {
            let mut names = exclusion.places().iter().flat_map(Place::below);
            let exact = names.any(|name| real.is_within(name));
            let by = if exact { Match::Name } else { Match::Respelled };
            return Verdict::Refused(Refusal::Excluded { exclusion, by });
        }
        let allowance = fs.allowances().iter().find(|allowance| {
            allowance.access().contains(access) && allowance.covers(real, self.host)
        });
        if let Some(allowance) = allowance {
            return Verdict::Admitted(Ground::Allowance(allowance));
        }
        let waypoint = access == Access::STAT
            && fs
                .waypoints()
                .iter()
                .any(|waypoint| self.host.is_same(waypoint, real));
        if waypoint {
            return Verdict::Admitted(Ground::Waypoint);
        }
        Verdict::Refused(Refusal::Silence)
    }
}

impl<'a, D> Judgement<'a, D> {
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
            Ground::Unrestricted => f.write_str("the grant does not restrict files"),
        }
    }
}

impl Refusal<'_> {
    /// Why the object at `real` is refused.
    fn reason(&self, real: &RealPath) -> String {
        match self {
            Refusal::Silence => "no clause allows it".to_owned(),
            Refusal::Ancestor(exclusion) => {
                let clause = cited(exclusion.clause());
                format!("it does not exist, and {clause} excludes a place below it")
            }
            Refusal::Link { at, because } => {
                format!(
                    "the name passes the link `{at}`, and {}",
                    because.reason(at)
                )
            }
            Refusal::Excluded { exclusion, by } => {
                let clause = cited(exclusion.clause());
                let mut places = exclusion.places().iter().flat_map(Place::below);
                let mut respelled = || {
                    let place = places.find(|place| real.key().is_within(&place.key()))?;
                    let names: Vec<_> = real.components().take(place.depth()).collect();
                    let spelled = RealPath::new([b"/", &names.join(&b'/')[..]].concat())?;
                    Some(format!(": `{spelled}` is `{place}` under another spelling"))
                };
                let how = match by {
                    Match::Name => None,
                    Match::Respelled => respelled(),
                    Match::Identity => Some(": it is another name of what is excluded".to_owned()),
                };
                format!("{clause} excludes it{}", how.unwrap_or_default())
            }
        }
    }
}

/// A clause as a person finds it: what it says, and where.
fn cited(clause: &crate::Clause) -> String {
    match clause.origin() {
        Origin::File(place) => format!("{clause} ({place})"),
        Origin::Code => clause.to_string(),
        Origin::Host => format!("the host, for every program, by {clause},"),
    }
}
