//! What a caller may ask of a walk. Enums throughout: a call site reads like a sentence.

/// How to walk. The default follows every link, stays within the tree's root, accepts absence and
/// any kind of object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What happens to a name that would leave the tree.
    pub scope: Scope,
    /// Whether links on the way are followed.
    pub links: Links,
    /// Whether a link that is the last component is followed.
    pub leaf: Leaf,
    /// Whether a name may end in components that do not exist.
    pub tail: Tail,
    /// Which kinds of object are accepted.
    pub require: Require,
    /// How many bytes of text the walk may hold: what is left to walk, the real path, and the names
    /// that it passed before a link or a `..`.
    pub budget: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            scope: Scope::InRoot,
            links: Links::Follow,
            leaf: Leaf::Follow,
            tail: Tail::Accept,
            require: Require::Anything,
            budget: 8 << 20,
        }
    }
}

/// What happens to a name that would leave the tree.
///
/// A walk without a scope is a walk in the root of a tree that *is* the machine's root.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The tree's root is the root: `..` stays there, and an absolute name starts there, as after
    /// chroot(2).
    InRoot,
    /// A name that would leave the directory where the walk starts is an error, and so is every
    /// absolute name, as with `RESOLVE_BENEATH` (openat2(2)).
    Beneath,
}

/// Whether links on the way are followed.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They are read, recorded, and their text walked.
    Follow,
    /// Meeting one is an error.
    Refuse,
}

/// Whether a link that is the last component is followed. A trailing slash, or `.` or `..` behind
/// it, follows it anyway: the name then asks for a directory.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// The object is what the link leads to.
    Follow,
    /// The object is the link itself.
    AsNamed,
}

/// Whether a name may end in components that do not exist.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Absence is an answer.
    Accept,
    /// Absence is an error.
    Refuse,
}

/// Which kinds of object are accepted.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Require {
    /// Any.
    Anything,
    /// A directory, or nothing at all, as with `O_DIRECTORY` (open(2)).
    Directory,
}

/// Where a relative name starts.
#[derive(Debug)]
pub struct Start<'a, D> {
    /// The directory.
    pub dir: &'a D,
    /// Its real path in the tree, `/` for the root. It must lead to `dir`: a walk that has to leave
    /// `dir` by `..` goes by it.
    pub real: &'a [u8],
}

impl<D> Clone for Start<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Start<'_, D> {}
