//! What one table of one layer says of objects: allowances, exclusions, and the ways to what is
//! allowed.

use objcap_object::{Host, Identity, RealPath, Tree};

use crate::Access;
use crate::allowance::{Allowance, Reach};
use crate::evidence::Evidence;
use crate::exclusion::Exclusion;
use crate::index::{Clause as Speaking, First, Index, Subject, Way};
use crate::place::Place;

/// The clauses of one table, frozen.
#[derive(Debug, Clone)]
pub struct Rights {
    pub(crate) allowances: Vec<Allowance>,
    pub(crate) exclusions: Vec<Exclusion>,
    waypoints: Vec<RealPath>,
    index: Index,
}

/// What speaks for an access.
// Exhaustive: these are the ways to be granted something.
#[derive(Debug, Clone, Copy)]
pub enum Voice<'a> {
    /// A clause of the grant, or a place that the host needs.
    Allowance(&'a Allowance),
    /// It lies on the way to what a clause allows.
    Waypoint,
}

impl Rights {
    pub(crate) fn new<T: Tree>(
        allowances: Vec<Allowance>,
        exclusions: Vec<Exclusion>,
        host: &Host<T>,
    ) -> Self {
        Rights {
            allowances,
            exclusions,
            waypoints: Vec::new(),
            index: Index::for_clauses(host.names, 0, 0),
        }
    }

    /// Finds the living among its allowances and puts everything where it is looked for. What another
    /// table of the layer speaks against is dead here, too.
    pub(crate) fn settle<T: Tree>(&mut self, other: Option<&Rights>, host: &Host<T>) {
        let (room, walls) = (self.allowances.len(), self.exclusions.len());
        let mut index = Index::for_clauses(host.names, room, walls);
        for (number, exclusion) in self.exclusions.iter().enumerate() {
            let against = exclusion.against();
            for place in exclusion.places() {
                for name in place.below() {
                    index.deny(name, against, number);
                }
                if let Some(identity) = place.identity() {
                    index.deny_object(identity, against, number);
                }
            }
            for place in exclusion.places().iter().flat_map(Place::below) {
                index.hold(place, Way::To, against, number);
            }
            // What is presented without the data volume's prefix goes with that volume's root, too.
            if let Some(data) = &host.data_prefix {
                index.hold(data, Way::Through, against, number);
            }
            // Whoever moves what the name passed makes it mean another object.
            for passed in exclusion.passed() {
                index.hold(passed, Way::Through, against, number);
            }
        }
        for (number, allowance) in self.allowances.iter_mut().enumerate() {
            let subject = Subject::new(allowance.place().real(), host.names);
            let elsewhere = other.map_or(Access::empty(), |other| other.denied(&subject).access());
            let against = index.denied(&subject).access() | elsewhere;
            allowance.live = !against.contains(allowance.access());
            if !allowance.live {
                continue;
            }
            for name in allowance.names() {
                let mut access = allowance.access();
                if host.aliases.iter().any(|alias| alias.name == *name) {
                    // What stands at this name is the alias, which is not the place it leads to.
                    access -= Access::WRITE;
                }
                match allowance.reach() {
                    Reach::Below => index.grant_below(name, access, number),
                    Reach::Alone => index.grant_alone(name, access, number),
                }
            }
        }
        self.index = index;
        self.waypoints.clear();
    }

    /// Whether nothing at all may be done to what stands under a name.
    pub(crate) fn excludes<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> bool {
        let subject = Subject::new(real, host.names);
        self.denied(&subject).access() == Access::all()
    }

    /// Lets be looked at what a lookup of its own live allowances passes, and of others.
    pub(crate) fn lead<T: Tree>(&mut self, others: &[&Allowance], host: &Host<T>) {
        let Rights {
            allowances,
            waypoints,
            index,
            ..
        } = self;
        let mut found = Vec::new();
        let mut lead = |real: &RealPath, way| index.grant_way(real, way, |name| found.push(name));
        let own = allowances.iter().filter(|one| one.live);
        for one in own.chain(others.iter().copied()) {
            // What may be looked at by itself needs no leave to be passed.
            let way = match one.access().contains(Access::STAT) {
                true => Way::To,
                false => Way::Through,
            };
            for real in one.place().spellings() {
                lead(real, way);
            }
            for passed in one.place().passed() {
                for name in crate::place::spellings(passed, host) {
                    lead(&name, Way::Through);
                }
            }
        }
        *waypoints = found;
    }

    /// The allowances: those written, in their order, then those that the host needs.
    pub fn allowances(&self) -> &[Allowance] {
        &self.allowances
    }

    /// The exclusions, in the order written.
    pub fn exclusions(&self) -> &[Exclusion] {
        &self.exclusions
    }

    /// Every name that may be looked at on the way to what is granted: the lookups of each live
    /// allowance, and all ancestors, under every spelling that a root alias gives them. A place that may
    /// be looked at by itself is none of them for its own sake. In no order.
    pub fn waypoints(&self) -> &[RealPath] {
        &self.waypoints
    }

    /// What the clauses say of the object that the system presents under this path.
    pub fn evidence<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> Evidence {
        let subject = Subject::new(real, host.names);
        Evidence {
            granted: self.index.granted(&subject).access(),
            denied: self.index.denied(&subject).access(),
        }
    }

    /// What the clauses say of the object with all that lies below it, where none speaks deeper.
    pub fn evidence_below<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> Evidence {
        let subject = Subject::new(real, host.names);
        Evidence {
            granted: self.index.granted_below(&subject).access(),
            denied: self.index.denied(&subject).access(),
        }
    }

    pub(crate) fn granted(&self, subject: &Subject<'_>) -> First {
        self.index.granted(subject)
    }

    /// As [`granted`](Rights::granted), but for writing only what speaks for the name, too: not of a device
    /// that every program writes to, which reaches the object alone.
    pub(crate) fn granted_name(&self, subject: &Subject<'_>) -> First {
        let below = self.index.granted_below(subject);
        self.index.granted(subject).except(Access::WRITE, &below)
    }

    pub(crate) fn granted_below(&self, subject: &Subject<'_>) -> First {
        self.index.granted_below(subject)
    }

    pub(crate) fn denied(&self, subject: &Subject<'_>) -> First {
        self.index.denied(subject)
    }

    /// The exclusion that speaks against one of these accesses to an object, whatever its name.
    pub(crate) fn denied_object(&self, identity: &Identity, access: Access) -> Option<&Exclusion> {
        self.exclusion(self.index.denied_object(identity), access)
    }

    /// An exclusion against this access that the object holds in its place.
    pub(crate) fn held(&self, subject: &Subject<'_>, access: Access) -> Option<&Exclusion> {
        self.exclusion(self.index.held(subject), access)
    }

    pub(crate) fn exclusion(&self, first: First, access: Access) -> Option<&Exclusion> {
        match first.clause(access)? {
            Speaking::Number(number) => self.exclusions.get(number),
            Speaking::Waypoint => None,
        }
    }

    pub(crate) fn voice(&self, first: First, access: Access) -> Option<Voice<'_>> {
        match first.clause(access)? {
            Speaking::Number(number) => self.allowances.get(number).map(Voice::Allowance),
            Speaking::Waypoint => Some(Voice::Waypoint),
        }
    }
}
