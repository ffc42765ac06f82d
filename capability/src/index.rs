//! Clauses by the places they speak of, so that a verdict costs by the depth of the path it is
//! about, and not by the number of clauses.
//!
//! A table is keyed by the hash of each place's folded path. A path is asked about by hashing it
//! once from the left, and looking each prefix up as its hash comes by: nothing is allocated for a
//! name in ASCII.

mod folded;

use std::collections::HashMap;

use objcap_object::name::fold;
use objcap_object::{Identity, Names, RealPath};

pub(crate) use self::folded::Subject;
use self::folded::{Folded, Hashes, Prefix};
use crate::Access;

/// Places, each with the clauses that speak of it.
#[derive(Debug, Clone, Default)]
struct Table {
    places: HashMap<u64, (Box<[u8]>, First), Hashes>,
    /// At which depths a place stands: most paths pass through many where none does.
    depths: u64,
}

impl Table {
    fn with_room(places: usize) -> Self {
        Table {
            places: HashMap::with_capacity_and_hasher(places, Hashes::default()),
            depths: 0,
        }
    }

    /// What is said of a place, to be added to.
    fn at(&mut self, path: &Folded<'_>, prefix: Prefix) -> &mut First {
        let mut hash = prefix.hash;
        // Two places of one hash stand next to each other.
        while let Some((stored, _)) = self.places.get(&hash) {
            if path.is_prefix(prefix, stored) {
                break;
            }
            hash = hash.wrapping_add(1);
        }
        self.depths |= prefix.depth_bit();
        let entry = self.places.entry(hash);
        &mut entry
            .or_insert_with(|| (path.stored(prefix), First::default()))
            .1
    }

    fn find(&self, path: &Folded<'_>, prefix: Prefix) -> Option<&First> {
        if self.depths & prefix.depth_bit() == 0 {
            return None;
        }
        let mut hash = prefix.hash;
        while let Some((stored, first)) = self.places.get(&hash) {
            if path.is_prefix(prefix, stored) {
                return Some(first);
            }
            hash = hash.wrapping_add(1);
        }
        None
    }

    /// What is said of a path and of every place above it.
    fn along(&self, path: &Folded<'_>) -> First {
        let mut all = First::default();
        for prefix in path.at_depths(self.depths) {
            if let Some(first) = self.find(path, prefix) {
                all.join(first);
            }
        }
        all
    }
}

/// For each access, the number of the first clause that speaks of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct First([u32; BITS]);

const BITS: usize = Access::all().bits().count_ones() as usize;

/// Stands for no clause: it comes after every other.
const NONE: u32 = u32::MAX;

/// Stands for all waypoints: they come from many clauses, and end in none.
const WAYPOINT: u32 = NONE - 1;

impl Default for First {
    fn default() -> Self {
        First([NONE; BITS])
    }
}

impl First {
    fn add(&mut self, access: Access, clause: u32) {
        for (bit, first) in self.0.iter_mut().enumerate() {
            if access.bits() & (1 << bit) != 0 {
                *first = clause.min(*first);
            }
        }
    }

    fn join(&mut self, other: &First) {
        for (first, other) in self.0.iter_mut().zip(other.0) {
            *first = other.min(*first);
        }
    }

    /// The same, but for these accesses as another has them.
    pub(crate) fn except(mut self, access: Access, other: &First) -> First {
        for (bit, (first, other)) in self.0.iter_mut().zip(other.0).enumerate() {
            if access.bits() & (1 << bit) != 0 {
                *first = other;
            }
        }
        self
    }

    /// The accesses that a clause speaks of.
    pub(crate) fn access(&self) -> Access {
        let spoken = self.0.iter().enumerate().filter(|(_, one)| **one != NONE);
        spoken.fold(Access::empty(), |all, (bit, _)| {
            all | Access::from_bits_truncate(1 << bit)
        })
    }

    /// The first clause that speaks of one of these accesses; of several, that of the strongest.
    pub(crate) fn clause(&self, access: Access) -> Option<Clause> {
        let bits = self.0.iter().enumerate().rev();
        let mut asked = bits.filter(|(bit, _)| access.bits() & (1 << bit) != 0);
        let (_, first) = asked.find(|(_, first)| **first != NONE)?;
        Some(match *first {
            WAYPOINT => Clause::Waypoint,
            number => Clause::Number(number as usize),
        })
    }
}

/// What speaks.
pub(crate) enum Clause {
    /// The clause with this number in its list.
    Number(usize),
    /// No clause, but the way to what one allows.
    Waypoint,
}

/// The clauses of one dimension of one layer.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    names: Names,
    /// What speaks for a place and all below it.
    below: Table,
    /// What speaks for a place by itself.
    alone: Table,
    /// What lies on the way to what is allowed.
    passing: Table,
    denied: Table,
    /// What lies above an exclusion, or on the way to it, and so holds it in its place.
    holding: Table,
    identities: HashMap<(u64, u64), First, Hashes>,
}

impl Index {
    /// Room for so many allowances and exclusions.
    pub(crate) fn for_clauses(names: Names, allowances: usize, exclusions: usize) -> Self {
        Index {
            names,
            below: Table::with_room(allowances),
            alone: Table::default(),
            passing: Table::default(),
            denied: Table::with_room(exclusions),
            holding: Table::default(),
            identities: HashMap::with_capacity_and_hasher(exclusions, Hashes::default()),
        }
    }

    pub(crate) fn grant_below(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::named(real, self.names);
        let first = self.below.at(&place, place.whole());
        first.add(access, clause as u32);
    }

    pub(crate) fn grant_alone(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::named(real, self.names);
        let first = self.alone.at(&place, place.whole());
        first.add(access, clause as u32);
    }

    /// Lets the names on the way to a place be looked at, each of which is told when it is new.
    pub(crate) fn grant_way(&mut self, real: &RealPath, way: Way, mut new: impl FnMut(RealPath)) {
        let place = Folded::named(real, self.names);
        for prefix in place.prefixes().filter(|prefix| place.is_on(way, *prefix)) {
            let first = self.passing.at(&place, prefix);
            if *first == First::default() {
                first.add(Access::STAT, WAYPOINT);
                new(prefix.of(real));
            }
        }
    }

    pub(crate) fn deny(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::new(real, fold);
        let first = self.denied.at(&place, place.whole());
        first.add(access, clause as u32);
    }

    /// What lies on the way to a place holds what the clause speaks of.
    pub(crate) fn hold(&mut self, real: &RealPath, way: Way, access: Access, clause: usize) {
        let place = Folded::new(real, fold);
        for prefix in place.prefixes().filter(|prefix| place.is_on(way, *prefix)) {
            let first = self.holding.at(&place, prefix);
            first.add(access, clause as u32);
        }
    }

    pub(crate) fn deny_object(&mut self, identity: Identity, access: Access, clause: usize) {
        let known = self.identities.entry((identity.device, identity.inode));
        known.or_default().add(access, clause as u32);
    }

    /// What speaks for accesses to the object with this path.
    pub(crate) fn granted(&self, subject: &Subject<'_>) -> First {
        let path = subject.named();
        let (mut all, whole) = (self.below.along(path), path.whole());
        for table in [&self.alone, &self.passing] {
            if let Some(first) = table.find(path, whole) {
                all.join(first);
            }
        }
        all
    }

    /// What speaks for accesses to it and to all that lies below it.
    pub(crate) fn granted_below(&self, subject: &Subject<'_>) -> First {
        self.below.along(subject.named())
    }

    /// What speaks against accesses to it, by its name.
    pub(crate) fn denied(&self, subject: &Subject<'_>) -> First {
        self.denied.along(subject.keyed())
    }

    /// What speaks against accesses to it, whatever its name.
    pub(crate) fn denied_object(&self, identity: &Identity) -> First {
        let known = self.identities.get(&(identity.device, identity.inode));
        known.copied().unwrap_or_default()
    }

    /// The exclusions that it holds in their places: those below it, and those whose names lead
    /// through it.
    pub(crate) fn held(&self, subject: &Subject<'_>) -> First {
        let path = subject.keyed();
        let found = self.holding.find(path, path.whole());
        found.copied().unwrap_or_default()
    }
}

/// How far the way to a place goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// As far as the place, which is not part of it.
    To,
    /// Through the place.
    Through,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(text: &str) -> RealPath {
        RealPath::new(text).unwrap()
    }

    #[test]
    fn a_place_speaks_of_what_lies_below_it_and_a_waypoint_of_itself() {
        let mut index = Index::for_clauses(Names::Exact, 0, 0);
        index.grant_below(&real("/w"), Access::READ, 3);
        index.grant_below(&real("/w/a"), Access::WRITE, 1);
        index.grant_alone(&real("/"), Access::READ, 7);
        let mut passed = Vec::new();
        index.grant_way(&real("/w/x"), Way::To, |name| passed.push(name));
        assert_eq!(passed, [real("/"), real("/w")]);
        let granted = |path| {
            let path = real(path);
            index.granted(&Subject::new(&path, Names::Exact)).access()
        };
        assert_eq!(granted("/w"), Access::READ | Access::STAT);
        assert_eq!(granted("/w/a/b"), Access::READ | Access::WRITE);
        assert_eq!(granted("/w2"), Access::empty());
        assert_eq!(granted("/W"), Access::empty());
        assert_eq!(granted("/"), Access::READ | Access::STAT);
    }

    #[test]
    fn places_are_found_at_every_depth() {
        let at = |depth: usize| real(&"/N".repeat(depth));
        for depth in 1..=80 {
            let mut index = Index::for_clauses(Names::Exact, 0, 0);
            index.grant_below(&at(depth), Access::READ, 0);
            index.deny(&at(depth), Access::WRITE, 0);
            index.grant_alone(&at(depth), Access::EXEC, 0);
            index.hold(&at(depth), Way::To, Access::WRITE, 0);
            for asked in 1..=80 {
                let path = at(asked);
                let subject = Subject::new(&path, Names::Exact);
                let below = asked >= depth;
                let said = |first: First, access| first.access().contains(access);
                assert_eq!(said(index.granted(&subject), Access::READ), below);
                assert_eq!(said(index.granted(&subject), Access::EXEC), asked == depth);
                assert_eq!(said(index.denied(&subject), Access::WRITE), below);
                assert_eq!(said(index.held(&subject), Access::WRITE), asked < depth);
            }
        }
    }

    #[test]
    fn exclusions_fold_and_allowances_do_as_the_volume_does() {
        let mut index = Index::for_clauses(Names::Caseless, 0, 0);
        index.grant_below(&real("/W/É"), Access::READ, 0);
        index.deny(&real("/w/é/ı"), Access::READ, 0);
        let path = real("/w/e\u{301}/I");
        let subject = Subject::new(&path, Names::Caseless);
        assert_eq!(index.granted(&subject).access(), Access::READ);
        assert_eq!(index.denied(&subject).access(), Access::READ);
        let path = real("/w/e\u{301}/J");
        assert_eq!(
            index.denied(&Subject::new(&path, Names::Caseless)).access(),
            Access::empty()
        );
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_compared_by_its_bytes() {
        let mut index = Index::for_clauses(Names::Caseless, 0, 0);
        let raw = RealPath::new(b"/w/\xffA").unwrap();
        index.deny(&raw, Access::READ, 0);
        let denied = |path: &[u8]| {
            let path = RealPath::new(path).unwrap();
            index.denied(&Subject::new(&path, Names::Caseless)).access()
        };
        assert_eq!(denied(b"/W/\xffA"), Access::READ);
        assert_eq!(denied(b"/W/\xffa"), Access::empty());
    }

    #[test]
    fn places_of_one_hash_are_kept_apart() {
        let mut table = Table::default();
        let (one, other) = (real("/one"), real("/other"));
        let (one, other) = (Folded::exactly(&one), Folded::exactly(&other));
        let (first, second) = (one.whole(), other.whole());
        // As if both had one hash.
        let impostor = (one.stored(first), First::default());
        table.places.insert(second.hash, impostor);
        table.at(&one, first).add(Access::READ, 1);
        table.at(&other, second).add(Access::READ, 2);
        let found =
            |path: &Folded<'_>, prefix| match table.find(path, prefix)?.clause(Access::READ)? {
                Clause::Number(number) => Some(number),
                Clause::Waypoint => None,
            };
        assert_eq!(found(&other, second), Some(2));
        assert_eq!(found(&one, first), Some(1));
    }
}
