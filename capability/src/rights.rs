//! What one table of one layer says of objects: allowances, exclusions, and the ways to what is
//! allowed.

use std::collections::BTreeSet;

use objcap_object::{Host, Identity, RealPath, Tree};

use crate::Access;
use crate::allowance::{Allowance, Reach};
use crate::evidence::Evidence;
use crate::exclusion::Exclusion;
use crate::index::{Clause as Speaking, First, Index, Subject};

/// The clauses of one table, frozen.
#[derive(Debug, Clone)]
pub struct Rights {
    pub(crate) allowances: Vec<Allowance>,
    pub(crate) exclusions: Vec<Exclusion>,
    waypoints: BTreeSet<RealPath>,
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
            waypoints: BTreeSet::new(),
            index: Index::new(host.names),
        }
    }

    /// Finds the living among its allowances and puts everything where it is looked for. What another
    /// table of the layer speaks against is dead here, too.
    pub(crate) fn settle<T: Tree>(&mut self, other: Option<&Rights>, host: &Host<T>) {
        let mut index = Index::new(host.names);
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
            for holder in exclusion.holders() {
                index.hold(&holder, against, number);
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

    /// Lets be looked at what a lookup of these passes. The ancestors of a lookup are lookups
    /// themselves.
    pub(crate) fn lead_to<'a, T: Tree>(
        &mut self,
        allowances: impl IntoIterator<Item = &'a Allowance>,
        host: &Host<T>,
    ) {
        let mut found = BTreeSet::new();
        for allowance in allowances.into_iter().filter(|one| one.live) {
            let place = allowance.place();
            found.insert(RealPath::root());
            for real in place.spellings() {
                lead(real, &mut found);
            }
            for lookup in place.lookups() {
                for name in crate::place::spellings(&lookup, host) {
                    lead(&name, &mut found);
                    found.insert(name);
                }
            }
        }
        for waypoint in found {
            self.index.grant_passing(&waypoint);
            self.waypoints.insert(waypoint);
        }
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
    /// allowance, and all ancestors, under every spelling that a root alias gives them.
    pub fn waypoints(&self) -> &BTreeSet<RealPath> {
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
    pub(crate) fn evidence_below<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> Evidence {
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

/// Adds the ancestors of a name, up to the first that is known: what lies above that is known, too.
fn lead(real: &RealPath, found: &mut BTreeSet<RealPath>) {
    let mut ancestors: Vec<_> = real.ancestors().collect();
    while let Some(ancestor) = ancestors.pop() {
        if !found.insert(ancestor) {
            break;
        }
    }
}
