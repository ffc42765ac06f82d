//! Clauses by the places they speak of, so that a verdict costs by the depth of the path it is
//! about, and not by the number of clauses.
//!
//! A table is keyed by the hash of each place's folded path. A path is asked about by hashing it
//! once from the left, and looking each prefix up as its hash comes by: nothing is allocated for a
//! name in ASCII.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use objcap_object::name::{self, caseless, fold};
use objcap_object::{Identity, Names, RealPath, path};

use crate::Access;

/// A real path in the two forms under which clauses compare it.
pub(crate) struct Subject<'p> {
    /// As its volume compares names: for allowances.
    named: Folded<'p>,
    /// By collision key: for exclusions.
    keyed: Folded<'p>,
}

/// A path whose bytes, each put through `letter`, are what is compared. The root is empty.
struct Folded<'p> {
    bytes: Cow<'p, [u8]>,
    letter: fn(&u8) -> u8,
}

impl<'p> Subject<'p> {
    pub(crate) fn new(real: &'p RealPath, names: Names) -> Self {
        Subject {
            named: Folded::named(real, names),
            keyed: Folded::new(real, fold),
        }
    }
}

impl<'p> Folded<'p> {
    fn named(real: &'p RealPath, names: Names) -> Self {
        match names {
            Names::Exact => Folded::exactly(real),
            Names::Caseless => Folded::new(real, caseless),
        }
    }

    fn exactly(real: &'p RealPath) -> Self {
        Folded {
            bytes: Cow::Borrowed(path::trim_end(real.as_bytes())),
            letter: |byte| *byte,
        }
    }

    fn new(real: &'p RealPath, fold: fn(&[u8]) -> name::Folded<'_>) -> Self {
        if real.as_bytes().is_ascii() {
            // What both folds come to there, without a copy.
            return Folded {
                letter: u8::to_ascii_lowercase,
                ..Folded::exactly(real)
            };
        }
        let mut bytes = Vec::with_capacity(real.as_bytes().len());
        for name in real.components() {
            bytes.push(b'/');
            bytes.extend(fold(name).bytes());
        }
        Folded {
            bytes: Cow::Owned(bytes),
            letter: |byte| *byte,
        }
    }

    /// The root, and every path on the way to this one, it included: each with its hash and its
    /// length.
    fn prefixes(&self) -> impl Iterator<Item = (u64, usize)> {
        let mut hash = Hash::new();
        let end = self.bytes.len();
        let after = self.bytes.iter().enumerate().filter_map(move |(at, byte)| {
            hash.add((self.letter)(byte));
            let next = self.bytes.get(at + 1);
            matches!(next, None | Some(b'/')).then_some((hash.value(), at + 1))
        });
        std::iter::once((Hash::new().value(), 0)).chain(after.filter(move |(_, at)| *at <= end))
    }

    fn whole(&self) -> u64 {
        self.prefixes().last().map_or(0, |(hash, _)| hash)
    }

    fn is_prefix(&self, end: usize, stored: &[u8]) -> bool {
        let prefix = self.bytes.get(..end).unwrap_or_default();
        prefix.len() == stored.len() && prefix.iter().map(self.letter).eq(stored.iter().copied())
    }

    fn stored(&self) -> Box<[u8]> {
        self.bytes.iter().map(self.letter).collect()
    }
}

/// FNV-1a over the bytes so far. Whoever writes a grant could make its own clauses collide, and
/// would wait for them.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn value(self) -> u64 {
        // The table takes the low bits for the place and the high ones for a check: both are mixed.
        self.0 ^ (self.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A key that is a hash already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Places, each with what is said of it.
#[derive(Debug, Clone)]
struct Table<V>(HashMap<u64, (Box<[u8]>, V), BuildHasherDefault<Hashed>>);

impl<V> Default for Table<V> {
    fn default() -> Self {
        Table(HashMap::default())
    }
}

impl<V: Default> Table<V> {
    /// What is said of a place, to be added to.
    fn at(&mut self, place: &Folded<'_>) -> &mut V {
        let mut hash = place.whole();
        // Two places of one hash stand next to each other.
        while let Some((stored, _)) = self.0.get(&hash) {
            if place.is_prefix(place.bytes.len(), stored) {
                break;
            }
            hash = hash.wrapping_add(1);
        }
        let entry = self.0.entry(hash);
        &mut entry.or_insert_with(|| (place.stored(), V::default())).1
    }

    fn find(&self, path: &Folded<'_>, (mut hash, end): (u64, usize)) -> Option<&V> {
        while let Some((stored, value)) = self.0.get(&hash) {
            if path.is_prefix(end, stored) {
                return Some(value);
            }
            hash = hash.wrapping_add(1);
        }
        None
    }
}

/// Which clauses speak of a place, by access: for each, the first of its list.
#[derive(Debug, Clone, Default)]
struct Spoken {
    below: First,
    alone: First,
}

/// For each access, the number of the first clause that speaks of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct First([Option<u32>; BITS]);

const BITS: usize = Access::all().bits().count_ones() as usize;

/// Stands for all waypoints: they come from many clauses, and end in none.
const WAYPOINT: u32 = u32::MAX;

impl First {
    fn add(&mut self, access: Access, clause: u32) {
        for (bit, first) in self.0.iter_mut().enumerate() {
            if access.bits() & (1 << bit) != 0 {
                *first = Some(first.map_or(clause, |known| known.min(clause)));
            }
        }
    }

    fn join(&mut self, other: &First) {
        for (first, other) in self.0.iter_mut().zip(other.0) {
            *first = match (*first, other) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
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
        let spoken = self.0.iter().enumerate().filter(|(_, one)| one.is_some());
        spoken.fold(Access::empty(), |all, (bit, _)| {
            all | Access::from_bits_truncate(1 << bit)
        })
    }

    /// The first clause that speaks of one of these accesses; of several, that of the strongest.
    pub(crate) fn clause(&self, access: Access) -> Option<Clause> {
        let bits = self.0.iter().enumerate().rev();
        let mut asked = bits.filter(|(bit, _)| access.bits() & (1 << bit) != 0);
        asked
            .find_map(|(_, first)| *first)
            .map(|first| match first {
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
    granted: Table<Spoken>,
    denied: Table<Spoken>,
    /// What lies above an exclusion, or on the way to it, and so holds it in its place.
    holding: Table<First>,
    identities: HashMap<(u64, u64), First>,
}

impl Index {
    pub(crate) fn new(names: Names) -> Self {
        Index {
            names,
            granted: Table::default(),
            denied: Table::default(),
            holding: Table::default(),
            identities: HashMap::new(),
        }
    }

    pub(crate) fn grant_below(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::named(real, self.names);
        self.granted.at(&place).below.add(access, clause as u32);
    }

    pub(crate) fn grant_alone(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::named(real, self.names);
        self.granted.at(&place).alone.add(access, clause as u32);
    }

    /// Lets a name be looked at on the way to what is allowed.
    pub(crate) fn grant_passing(&mut self, real: &RealPath) {
        let place = Folded::named(real, self.names);
        self.granted.at(&place).alone.add(Access::STAT, WAYPOINT);
    }

    pub(crate) fn deny(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::new(real, fold);
        self.denied.at(&place).below.add(access, clause as u32);
    }

    pub(crate) fn hold(&mut self, real: &RealPath, access: Access, clause: usize) {
        let place = Folded::new(real, fold);
        self.holding.at(&place).add(access, clause as u32);
    }

    pub(crate) fn deny_object(&mut self, identity: Identity, access: Access, clause: usize) {
        let known = self.identities.entry((identity.device, identity.inode));
        known.or_default().add(access, clause as u32);
    }

    /// What speaks for accesses to the object with this path.
    pub(crate) fn granted(&self, subject: &Subject<'_>) -> First {
        Index::spoken(&self.granted, &subject.named)
    }

    /// What speaks for accesses to it and to all that lies below it.
    pub(crate) fn granted_below(&self, subject: &Subject<'_>) -> First {
        Index::spoken_below(&self.granted, &subject.named)
    }

    /// What speaks against accesses to it, by its name.
    pub(crate) fn denied(&self, subject: &Subject<'_>) -> First {
        Index::spoken(&self.denied, &subject.keyed)
    }

    /// What speaks against accesses to it, whatever its name.
    pub(crate) fn denied_object(&self, identity: &Identity) -> First {
        let known = self.identities.get(&(identity.device, identity.inode));
        known.copied().unwrap_or_default()
    }

    /// The exclusions that it holds in their places: those below it, and those whose names lead
    /// through it.
    pub(crate) fn held(&self, subject: &Subject<'_>) -> First {
        let path = &subject.keyed;
        let whole = (path.whole(), path.bytes.len());
        self.holding.find(path, whole).copied().unwrap_or_default()
    }

    fn spoken(table: &Table<Spoken>, path: &Folded<'_>) -> First {
        let mut all = First::default();
        for (hash, end) in path.prefixes() {
            if let Some(spoken) = table.find(path, (hash, end)) {
                all.join(&spoken.below);
                if end == path.bytes.len() {
                    all.join(&spoken.alone);
                }
            }
        }
        all
    }

    fn spoken_below(table: &Table<Spoken>, path: &Folded<'_>) -> First {
        let mut all = First::default();
        for spoken in path
            .prefixes()
            .filter_map(|prefix| table.find(path, prefix))
        {
            all.join(&spoken.below);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(text: &str) -> RealPath {
        RealPath::new(text).unwrap()
    }

    #[test]
    fn a_place_speaks_of_what_lies_below_it_and_a_waypoint_of_itself() {
        let mut index = Index::new(Names::Exact);
        index.grant_below(&real("/w"), Access::READ, 3);
        index.grant_below(&real("/w/a"), Access::WRITE, 1);
        index.grant_alone(&real("/"), Access::READ, 7);
        index.grant_passing(&real("/w"));
        let granted = |path| {
            let path = real(path);
            index.granted(&Subject::new(&path, Names::Exact)).access()
        };
        assert_eq!(granted("/w"), Access::READ | Access::STAT);
        assert_eq!(granted("/w/a/b"), Access::READ | Access::WRITE);
        assert_eq!(granted("/w2"), Access::empty());
        assert_eq!(granted("/W"), Access::empty());
        assert_eq!(granted("/"), Access::READ);
    }

    #[test]
    fn exclusions_fold_and_allowances_do_as_the_volume_does() {
        let mut index = Index::new(Names::Caseless);
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
        let mut index = Index::new(Names::Caseless);
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
        let mut table: Table<u32> = Table::default();
        let (one, other) = (real("/one"), real("/other"));
        let (one, other) = (Folded::exactly(&one), Folded::exactly(&other));
        *table.at(&one) = 1;
        // As if both had one hash.
        table.0.insert(other.whole(), (one.stored(), 7));
        *table.at(&other) = 2;
        assert_eq!(table.find(&other, (other.whole(), 6)), Some(&2));
        assert_eq!(table.find(&one, (one.whole(), 4)), Some(&1));
    }
}
