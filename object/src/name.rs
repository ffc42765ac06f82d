//! Names of objects: real paths, the keys under which two of them collide, and twins.

mod fold;

use std::fmt;

use objcap_walk::{Walked, path};

pub use self::fold::{Folded, caseless, fold};
use crate::Alias;

/// A real path: absolute, without link, `.` or `..`, every component as its volume stores it.
///
/// That no component is a link holds for the moment of the walk that found it; the rest is this
/// type's own invariant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RealPath(Box<[u8]>);

impl RealPath {
    /// The root.
    pub fn root() -> Self {
        RealPath(Box::from(&b"/"[..]))
    }

    /// Takes a path that is in the form of one: it begins with a slash, and holds no empty
    /// component, no `.`, no `..` and no NUL. `None` for any other.
    pub fn new(text: impl AsRef<[u8]>) -> Option<Self> {
        let text = text.as_ref();
        let mut built = Vec::with_capacity(text.len());
        for name in path::components(text) {
            if path::is_dot(name) || name.contains(&0) {
                return None;
            }
            path::push(&mut built, name);
        }
        if built.is_empty() {
            built.push(b'/');
        }
        (built == text).then(|| RealPath(built.into()))
    }

    /// Where the object of a walk stands, or would stand.
    pub fn of<D>(walked: &Walked<D>) -> Self {
        RealPath(walked.full().into())
    }

    /// The path as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Its components, in order; none for the root.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        path::components(&self.0)
    }

    /// How many components it has.
    pub fn depth(&self) -> usize {
        self.components().count()
    }

    /// The last component; `None` for the root.
    pub fn leaf(&self) -> Option<&[u8]> {
        self.components().next_back()
    }

    /// Its proper ancestors, the root first; none for the root.
    pub fn ancestors(&self) -> impl Iterator<Item = RealPath> {
        let ends = self
            .0
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'/')
            .map(|(at, _)| at);
        let whole = self.0.len();
        ends.filter(move |&end| end + 1 < whole).filter_map(|end| {
            Some(if end == 0 {
                RealPath::root()
            } else {
                RealPath(self.0.get(..end)?.into())
            })
        })
    }

    /// The path of the directory that holds it; `None` for the root.
    pub fn parent(&self) -> Option<RealPath> {
        let parent = path::trim_end(path::parent(&self.0));
        match (self.leaf(), parent) {
            (None, _) => None,
            (_, []) => Some(RealPath::root()),
            (_, parent) => Some(RealPath(parent.into())),
        }
    }

    /// The path of an entry of this directory; `None` for what is no single name.
    pub fn join(&self, name: &[u8]) -> Option<Self> {
        RealPath::new(path::join(&self.0, name)).filter(|joined| joined.leaf() == Some(name))
    }

    /// What follows `ancestor` in this path, without a slash in front: empty when they are equal,
    /// `None` when this path is not at or below it. Names compare by their bytes.
    pub fn below(&self, ancestor: &RealPath) -> Option<&[u8]> {
        let rest = self.0.strip_prefix(path::trim_end(&ancestor.0))?;
        match rest {
            [] => Some(rest),
            [b'/', rest @ ..] => Some(rest),
            _ => None,
        }
    }

    /// Whether this path is `ancestor` or lies below it, names compared by their bytes.
    pub fn is_within(&self, ancestor: &RealPath) -> bool {
        self.below(ancestor).is_some()
    }

    /// The key under which it collides with every other spelling of itself.
    pub fn key(&self) -> Key {
        self.keyed(fold)
    }

    fn keyed(&self, fold: fn(&[u8]) -> Folded<'_>) -> Key {
        let mut key = Vec::with_capacity(self.0.len());
        for name in self.components() {
            key.push(b'/');
            key.extend(fold(name).bytes());
        }
        if key.is_empty() {
            key.push(b'/');
        }
        Key(RealPath(key.into()))
    }

    /// The key under which a Mac's volumes merge spellings: canonical caseless equivalence,
    /// component by component (docs/seatbelt.md, section 4). Finer than [`key`](RealPath::key).
    pub fn caseless_key(&self) -> Key {
        self.keyed(caseless)
    }

    /// Whether the two have one [`key`](RealPath::key). No key is made: on ASCII paths this takes no
    /// allocation.
    pub fn collides_with(&self, other: &RealPath) -> bool {
        self.collides_within(other) && other.depth() == self.depth()
    }

    /// Whether this path is `ancestor` or lies below it, under some spelling, as
    /// [`Key::is_within`] has it. No key is made: on ASCII paths this takes no allocation.
    pub fn collides_within(&self, ancestor: &RealPath) -> bool {
        fold::is_within(&self.0, &ancestor.0, fold)
    }

    /// The same by the [`caseless_key`](RealPath::caseless_key).
    pub fn is_caselessly_within(&self, ancestor: &RealPath) -> bool {
        fold::is_within(&self.0, &ancestor.0, caseless)
    }

    /// The other spellings of this path through root aliases: `/tmp/x` for `/private/tmp/x`, and
    /// the reverse.
    pub fn twins(&self, aliases: &[Alias]) -> Vec<RealPath> {
        let mut twins = Vec::new();
        for (from, to) in both_ways(aliases) {
            let Some(rest) = self.below(from) else {
                continue;
            };
            let twin = match rest {
                [] => to.clone(),
                rest => RealPath(path::join(&to.0, rest).into()),
            };
            if twin != *self && !twins.contains(&twin) {
                twins.push(twin);
            }
        }
        twins
    }

    /// Where else a name may stand that leads to this path or below it: its twins, and each end of
    /// an alias whose other end lies below. What lies below `/private` is shown below `/tmp`, too.
    pub fn twins_below(&self, aliases: &[Alias]) -> Vec<RealPath> {
        let mut twins = self.twins(aliases);
        for (from, to) in both_ways(aliases) {
            if from.is_within(self) && !to.is_within(self) && !twins.contains(to) {
                twins.push(to.clone());
            }
        }
        twins
    }
}

fn both_ways(aliases: &[Alias]) -> impl Iterator<Item = (&RealPath, &RealPath)> {
    aliases
        .iter()
        .flat_map(|alias| [(&alias.target, &alias.name), (&alias.name, &alias.target)])
}

/// As bytes between backquotes would be unreadable in a failing test.
impl fmt::Debug for RealPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Display for RealPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        path::display(&self.0).fmt(f)
    }
}

#[cfg(unix)]
impl AsRef<std::path::Path> for RealPath {
    fn as_ref(&self) -> &std::path::Path {
        use std::os::unix::ffi::OsStrExt as _;
        std::path::Path::new(std::ffi::OsStr::from_bytes(&self.0))
    }
}

/// The collision key of a real path: two paths with one key may name one object on a volume that
/// folds case or normalisation, so an exclusion of the one speaks of the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(RealPath);

impl Key {
    /// Whether the path of this key is that of `ancestor` or lies below it, under some spelling.
    pub fn is_within(&self, ancestor: &Key) -> bool {
        self.0.is_within(&ancestor.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(text: &str) -> RealPath {
        RealPath::new(text).unwrap()
    }

    #[test]
    fn only_the_form_of_a_real_path_is_taken() {
        for good in ["/", "/a", "/a/...", "/a b/[*?]"] {
            assert!(RealPath::new(good).is_some(), "{good}");
        }
        for bad in ["", "a", "/a/", "//a", "/a//b", "/.", "/a/..", "/a\0"] {
            assert!(RealPath::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_parent_is_the_last_ancestor() {
        assert_eq!(real("/a/b/c").parent(), Some(real("/a/b")));
        assert_eq!(real("/a").parent(), Some(real("/")));
        assert_eq!(real("/").parent(), None);
    }

    #[test]
    fn a_prefix_counts_by_components() {
        assert!(real("/w/a").is_within(&real("/w")));
        assert!(real("/w").is_within(&real("/w")));
        assert!(real("/w").is_within(&real("/")));
        assert!(!real("/w-evil/f").is_within(&real("/w")));
        assert!(!real("/").is_within(&real("/w")));
    }
}
