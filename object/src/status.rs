//! What the system says of an object: kind, size, mode, links, owners, times, identity.

use objcap_walk::{Identity, Kind};

/// What is known of an object. It holds for the moment in which it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// What kind of object it is.
    pub kind: Kind,
    /// Which object it is; its birth time is here.
    pub identity: Identity,
    /// How many bytes it holds; of a link, how long its text is.
    pub size: u64,
    /// Its permission bits.
    pub mode: Mode,
    /// How many names it has on its volume. More than one means that a write through this name is
    /// seen through others, which may lie anywhere.
    pub links: u64,
    /// The user that owns it.
    pub owner: u32,
    /// The group that owns it.
    pub group: u32,
    /// When it was last read, as far as the volume keeps that.
    pub accessed: Time,
    /// When its contents last changed.
    pub modified: Time,
    /// When its contents or its status last changed.
    pub changed: Time,
}

/// A moment, counted from the beginning of 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// Whole seconds.
    pub seconds: i64,
    /// And nanoseconds.
    pub nanoseconds: u32,
}

/// Permission bits, with the set-id bits and the sticky bit (chmod(2)).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mode(u32);

impl Mode {
    /// Everyone may read and write, as far as the process's mask lets them: what a new file has.
    pub const FILE: Mode = Mode(0o666);
    /// Everyone may list, change and search: what a new directory has.
    pub const DIRECTORY: Mode = Mode(0o777);
    /// The owner may read and write, and nobody else.
    pub const PRIVATE: Mode = Mode(0o600);

    /// The lowest twelve bits of `bits`; others are not permissions.
    pub const fn new(bits: u32) -> Self {
        Mode(bits & 0o7777)
    }

    /// The bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Without set-id and sticky bits.
    pub(crate) const fn permissions(self) -> Self {
        Mode(self.0 & 0o777)
    }
}

/// In octal, as everyone reads them.
impl std::fmt::Debug for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mode({:#o})", self.0)
    }
}
