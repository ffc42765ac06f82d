//! A clause that speaks for access to a place.

use objcap_object::{Host, RealPath, Tree};

use crate::place::{Place, walk};
use crate::{Access, Clause, Error, List};

/// A clause that speaks for access to a place.
#[derive(Debug, Clone)]
pub struct Allowance {
    clause: Clause,
    access: Access,
    reach: Reach,
    place: Place,
    pub(crate) live: bool,
    carried: bool,
}

/// How far an allowance goes from its place.
// Exhaustive: guard and profile must know each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The object and all that lies below it.
    Below,
    /// The object by itself.
    Alone,
}

impl Allowance {
    /// Walks the clause's place.
    pub(crate) fn freeze<T: Tree>(
        clause: Clause,
        path: &std::path::Path,
        reach: Reach,
        host: &Host<T>,
    ) -> Result<Self, Error> {
        let object = walk(&clause, path, host)?;
        Ok(Allowance::of(clause, reach, Place::of(&object, host)))
    }

    /// A clause, and the place that it was found to mean.
    pub(crate) fn of(clause: Clause, reach: Reach, place: Place) -> Self {
        let access = match clause.list() {
            List::Read => Access::STAT | Access::READ,
            List::Write => Access::FILES,
            List::Allow => Access::EXEC,
            // They speak against, or of what is no access.
            _ => Access::empty(),
        };
        Allowance {
            clause,
            access,
            reach,
            place,
            live: true,
            carried: false,
        }
    }

    /// A program that a script named by the clause needs, by itself.
    pub(crate) fn carrier(clause: Clause, place: Place) -> Self {
        Allowance {
            carried: true,
            ..Allowance::of(clause, Reach::Alone, place)
        }
    }

    /// The clause that it came from.
    pub fn clause(&self) -> &Clause {
        &self.clause
    }

    /// What it speaks for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// How far it goes.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Where it was found.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Whether no exclusion of its layer covers its own place. One that is not live allows nothing, and
    /// leads nowhere.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Whether it is a *carrier*: not named by the clause, but needed by the script that is.
    pub fn is_carrier(&self) -> bool {
        self.carried
    }

    /// Whether it speaks for writing.
    pub fn writes(&self) -> bool {
        self.access.contains(Access::WRITE)
    }

    /// Whether it reaches the object that the system presents under this path.
    pub fn covers<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> bool {
        let mut places = self.names().iter();
        match self.reach {
            Reach::Below => places.any(|place| host.is_within(real, place)),
            Reach::Alone => places.any(|place| host.is_same(real, place)),
        }
    }

    /// The names under which it holds: with all below, or alone.
    pub fn names(&self) -> &[RealPath] {
        match self.reach {
            Reach::Below => self.place.below(),
            Reach::Alone => self.place.spellings(),
        }
    }
}
