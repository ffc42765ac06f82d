//! Paths as clauses compare them, and their hashes: computed once from the left, eight bytes at a time.

use std::borrow::Cow;
use std::hash::{BuildHasherDefault, Hasher};

use objcap_object::name::{self, caseless, fold};
use objcap_object::{Names, RealPath, path};

use super::Way;

/// A real path in the two forms under which clauses compare it.
pub(crate) struct Subject<'p> {
    /// As its volume compares names: for allowances.
    named: Folded<'p>,
    /// By collision key, for exclusions, where that is another form.
    keyed: Option<Folded<'p>>,
}

/// A path as it is compared. The root is empty.
pub(super) struct Folded<'p> {
    bytes: Cow<'p, [u8]>,
    letters: Letters,
    /// Its first prefixes: several tables are asked about one path.
    known: [Prefix; KNOWN],
    count: usize,
}

/// How many prefixes of a path are kept. Those of a deeper one are found anew for each table.
const KNOWN: usize = 10;

/// How the bytes of a folded path are still to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// As they are.
    Exact,
    /// In ASCII, as small letters: what every fold comes to there, without a copy.
    Small,
}

impl<'p> Subject<'p> {
    pub(crate) fn new(real: &'p RealPath, names: Names) -> Self {
        let bytes = real.as_bytes();
        // Where both forms are one, it is read once: in ASCII both folds come to small letters.
        let one = match names {
            Names::Exact => bytes.is_ascii() && !bytes.iter().any(u8::is_ascii_uppercase),
            Names::Caseless => bytes.is_ascii(),
        };
        Subject {
            named: Folded::named(real, names),
            keyed: (!one).then(|| Folded::new(real, fold)),
        }
    }

    pub(super) fn named(&self) -> &Folded<'p> {
        &self.named
    }

    pub(super) fn keyed(&self) -> &Folded<'p> {
        self.keyed.as_ref().unwrap_or(&self.named)
    }
}

impl<'p> Folded<'p> {
    pub(super) fn named(real: &'p RealPath, names: Names) -> Self {
        match names {
            Names::Exact => Folded::exactly(real),
            Names::Caseless => Folded::new(real, caseless),
        }
    }

    pub(super) fn exactly(real: &'p RealPath) -> Self {
        Folded::of(
            Cow::Borrowed(path::trim_end(real.as_bytes())),
            Letters::Exact,
        )
    }

    pub(super) fn new(real: &'p RealPath, fold: fn(&[u8]) -> name::Folded<'_>) -> Self {
        if real.as_bytes().is_ascii() {
            return Folded::of(
                Cow::Borrowed(path::trim_end(real.as_bytes())),
                Letters::Small,
            );
        }
        let mut bytes = Vec::with_capacity(real.as_bytes().len());
        for name in real.components() {
            bytes.push(b'/');
            bytes.extend(fold(name).bytes());
        }
        Folded::of(Cow::Owned(bytes), Letters::Exact)
    }

    fn of(bytes: Cow<'p, [u8]>, letters: Letters) -> Self {
        let mut known = [Prefix::ROOT; KNOWN];
        let mut count = 1;
        let below = Folded::after(&bytes, letters, Prefix::ROOT);
        for (place, prefix) in known.iter_mut().skip(1).zip(below) {
            *place = prefix;
            count += 1;
        }
        Folded {
            bytes,
            letters,
            known,
            count,
        }
    }

    /// The prefixes that are longer than one.
    fn after(
        bytes: &[u8],
        letters: Letters,
        mut last: Prefix,
    ) -> impl Iterator<Item = Prefix> + use<'_> {
        std::iter::from_fn(move || {
            let name = bytes.get(last.end as usize + 1..)?;
            let length = name.iter().position(|byte| *byte == b'/');
            let length = length.unwrap_or(name.len());
            last = Prefix {
                hash: hashed(last.hash, name.get(..length)?, letters),
                end: last.end + 1 + length as u32,
                depth: last.depth + 1,
            };
            Some(last)
        })
    }

    /// The root, and every path on the way to this one, it included.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = Prefix> {
        self.known
            .iter()
            .take(self.count)
            .copied()
            .chain(self.deep())
    }

    /// The prefixes at depths that have these bits.
    pub(super) fn at_depths(&self, mut depths: u64) -> impl Iterator<Item = Prefix> {
        let deep = match depths >> KNOWN {
            0 => None,
            _ => Some(self.deep()),
        };
        let known = std::iter::from_fn(move || {
            let depth = depths.trailing_zeros() as usize;
            depths &= depths.wrapping_sub(1);
            self.known.get(..self.count)?.get(depth).copied()
        });
        known.chain(deep.into_iter().flatten())
    }

    /// Those that are not kept.
    fn deep(&self) -> impl Iterator<Item = Prefix> {
        let last = self.known.last().filter(|_| self.count == KNOWN);
        let deep = last.map(|last| Folded::after(&self.bytes, self.letters, *last));
        deep.into_iter().flatten()
    }

    /// Whether its first names are on the way to it.
    pub(super) fn is_on(&self, way: Way, prefix: Prefix) -> bool {
        way == Way::Through || (prefix.end as usize) < self.bytes.len()
    }

    pub(super) fn whole(&self) -> Prefix {
        let known = self.known.get(..self.count).and_then(<[Prefix]>::last);
        self.deep()
            .last()
            .or(known.copied())
            .unwrap_or(Prefix::ROOT)
    }

    pub(super) fn is_prefix(&self, prefix: Prefix, stored: &[u8]) -> bool {
        let prefix = self.bytes.get(..prefix.end as usize).unwrap_or_default();
        match self.letters {
            Letters::Exact => prefix == stored,
            Letters::Small => prefix.eq_ignore_ascii_case(stored),
        }
    }

    pub(super) fn stored(&self, prefix: Prefix) -> Box<[u8]> {
        let prefix = self.bytes.get(..prefix.end as usize).unwrap_or_default();
        match self.letters {
            Letters::Exact => prefix.into(),
            Letters::Small => prefix.to_ascii_lowercase().into(),
        }
    }
}

/// The first names of a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix {
    pub(super) hash: u64,
    /// How many bytes of the folded path they are. A walk's paths end long before what fits.
    end: u32,
    /// How many names they are.
    depth: u32,
}

impl Prefix {
    pub(super) const ROOT: Prefix = Prefix {
        hash: ROOT,
        end: 0,
        depth: 0,
    };

    /// The same names of the path that was folded.
    pub(super) fn of(self, real: &RealPath) -> RealPath {
        let mut above = real.ancestors();
        let named = above.nth(self.depth as usize);
        named.unwrap_or_else(|| real.clone())
    }

    /// A bit for its depth, as far as there are bits.
    pub(super) fn depth_bit(self) -> u64 {
        1 << self.depth.min(63)
    }
}

/// The hash of the root.
const ROOT: u64 = 0x243f_6a88_85a3_08d3;

/// The hash of a path, from that of its parent and its last name. Whoever writes a grant could make its
/// own clauses collide, and would wait for them.
fn hashed(parent: u64, name: &[u8], letters: Letters) -> u64 {
    let small = |word| match letters {
        Letters::Exact => word,
        Letters::Small => small_letters(word),
    };
    let mut hash = parent.wrapping_add(name.len() as u64);
    if name.len() > 8 {
        for word in name.chunks_exact(8) {
            hash = mixed(hash, small(word.try_into().map_or(0, u64::from_le_bytes)));
        }
    }
    mixed(hash, small(last_word(name)))
}

/// The last eight bytes of a name, or all that it has.
fn last_word(name: &[u8]) -> u64 {
    if let Some(last) = name.last_chunk() {
        return u64::from_le_bytes(*last);
    }
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << 32;
    }
    let bytes = name.iter().rev();
    bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn mixed(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ (product >> 64) as u64
}

/// Eight bytes at once, the capitals of ASCII among them made small.
fn small_letters(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let seven = word & (EACH * 0x7f);
    // The high bit of each byte says whether it is at least `A`, and whether it is beyond `Z`.
    let from_a = seven + EACH * (0x80 - b'A' as u64);
    let beyond_z = seven + EACH * (0x7f - b'Z' as u64);
    let capital = (from_a ^ beyond_z) & !word & (EACH * 0x80);
    word | capital >> 2
}

/// Of keys that are hashes already, or identities.
#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hashed(self.0, bytes, Letters::Exact);
    }

    fn write_u64(&mut self, value: u64) {
        // Never zero, which would swallow what comes next.
        self.0 = mixed(self.0 ^ ROOT, value);
    }
}

pub(super) type Hashes = BuildHasherDefault<Hashed>;

#[cfg(test)]
mod tests {
    use super::*;

    fn real(text: &str) -> RealPath {
        RealPath::new(text).unwrap()
    }

    #[test]
    fn capitals_are_made_small_eight_at_a_time_and_nothing_else_is() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let mut word = *b"aZ09/[@\x7f";
                word[place] = byte;
                let expected = word.map(|byte| byte.to_ascii_lowercase());
                let found = small_letters(u64::from_le_bytes(word)).to_le_bytes();
                assert_eq!(found, expected, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn names_are_hashed_with_their_ends() {
        let names = [
            "/",
            "/aaaaaaaab",
            "/aaaaaaaa/b",
            "/aaaaaaaa",
            "/aaaaaaa/ab",
            "/aaaaaaa/a/b",
            "/a",
            "/a/b",
            "/ab",
            "/aaaaaaaabbbbbbbb",
            "/aaaaaaaa/bbbbbbbb",
        ];
        let hashes: std::collections::BTreeSet<_> = names
            .iter()
            .map(|name| Folded::exactly(&real(name)).whole().hash)
            .collect();
        assert_eq!(hashes.len(), names.len());
        let small = real("/W/LongerThanEight/.ENV");
        let folded = real("/w/longerthaneight/.env");
        assert_eq!(
            Folded::new(&small, fold).whole().hash,
            Folded::exactly(&folded).whole().hash
        );
    }
}
