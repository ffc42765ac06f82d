//! Paths as clauses compare them, and their hashes: computed once from the left, eight bytes at a time.

use std::borrow::Cow;
use std::hash::{BuildHasherDefault, Hasher};

use objcap_object::name::{self, caseless, fold};
use objcap_object::{Names, RealPath, path};

use super::Way;

/// A real path in the two forms under which clauses compare it.
pub(crate) struct Subject<'p> {
    /// As its volume compares names: for allowances.
    pub(super) named: Folded<'p>,
    /// By collision key: for exclusions.
    pub(super) keyed: Folded<'p>,
}

/// A path as it is compared. The root is empty.
pub(super) struct Folded<'p> {
    pub(super) bytes: Cow<'p, [u8]>,
    letters: Letters,
}

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
        Subject {
            named: Folded::named(real, names),
            keyed: Folded::new(real, fold),
        }
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
        Folded {
            bytes: Cow::Borrowed(path::trim_end(real.as_bytes())),
            letters: Letters::Exact,
        }
    }

    pub(super) fn new(real: &'p RealPath, fold: fn(&[u8]) -> name::Folded<'_>) -> Self {
        if real.as_bytes().is_ascii() {
            return Folded {
                letters: Letters::Small,
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
            letters: Letters::Exact,
        }
    }

    /// The root, and every path on the way to this one, it included.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = Prefix> {
        let mut last = Prefix::ROOT;
        let below = std::iter::from_fn(move || {
            let name = self.bytes.get(last.end + 1..)?;
            let length = name.iter().position(|byte| *byte == b'/');
            let length = length.unwrap_or(name.len());
            last = Prefix {
                hash: hashed(last.hash, name.get(..length)?, self.letters),
                end: last.end + 1 + length,
                depth: last.depth + 1,
            };
            Some(last)
        });
        std::iter::once(Prefix::ROOT).chain(below)
    }

    /// Whether its first names are on the way to it.
    pub(super) fn is_on(&self, way: Way, prefix: Prefix) -> bool {
        way == Way::Through || prefix.end < self.bytes.len()
    }

    pub(super) fn whole(&self) -> Prefix {
        self.prefixes().last().unwrap_or(Prefix::ROOT)
    }

    pub(super) fn is_prefix(&self, prefix: Prefix, stored: &[u8]) -> bool {
        let prefix = self.bytes.get(..prefix.end).unwrap_or_default();
        match self.letters {
            Letters::Exact => prefix == stored,
            Letters::Small => prefix.eq_ignore_ascii_case(stored),
        }
    }

    pub(super) fn stored(&self, prefix: Prefix) -> Box<[u8]> {
        let prefix = self.bytes.get(..prefix.end).unwrap_or_default();
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
    /// How many bytes of the folded path they are.
    end: usize,
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
#[inline]
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
#[inline]
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
