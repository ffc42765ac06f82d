//! What can be done to objects, and what each end of it needs.

use objcap_object::Leaf;

use crate::Access;

/// Something done to one object, or to two.
// Exhaustive: whoever carries one out must decide about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// To ask what it is.
    Stat,
    /// To read its contents, or list its entries.
    Read,
    /// To change its contents.
    Write,
    /// To run it.
    Exec,
    /// To make it.
    Create,
    /// To remove it.
    Remove,
    /// To give it another name in place of its own.
    Rename,
    /// To exchange the names of two.
    Swap,
    /// To give it a second name.
    Link,
    /// To make a copy that shares its data.
    Clone,
}

/// What one end of an act needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The accesses.
    pub access: Access,
    /// Whether a link at the end of the name is followed.
    pub leaf: Leaf,
    /// How much of the object is concerned.
    pub extent: Extent,
}

/// How much of an object an act concerns.
// Exhaustive: whoever judges must decide about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What it holds.
    Contents,
    /// Its name, too: that is made, or given to another. A device that every program writes to is not
    /// for this.
    Name,
    /// All that lies below it, too: that comes to stand elsewhere, or is gone. A folder that holds an
    /// exclusion is not for this.
    Whole,
}

const fn used(access: Access) -> End {
    End {
        access,
        leaf: Leaf::Follow,
        extent: Extent::Contents,
    }
}

const fn named(access: Access, extent: Extent) -> End {
    End {
        access,
        leaf: Leaf::AsNamed,
        extent,
    }
}

const STAT: End = used(Access::STAT);
const READ: End = used(Access::STAT.union(Access::READ));
const WRITE: End = used(Access::WRITE);
pub(super) const EXEC: End = used(Access::EXEC);
pub(super) const MADE: End = named(Access::WRITE, Extent::Name);
pub(super) const MOVED: End = named(Access::WRITE, Extent::Whole);
/// A second name is as good as the first for whoever writes.
pub(super) const LINKED: End = named(Access::WRITE, Extent::Name);
pub(super) const COPIED: End = named(Access::READ, Extent::Whole);

impl Act {
    /// All of them.
    pub const ALL: [Act; 10] = [
        Act::Stat,
        Act::Read,
        Act::Write,
        Act::Exec,
        Act::Create,
        Act::Remove,
        Act::Rename,
        Act::Swap,
        Act::Link,
        Act::Clone,
    ];

    /// What it needs of each object, in the order in which they are named.
    pub const fn ends(self) -> &'static [End] {
        match self {
            Act::Stat => &[STAT],
            Act::Read => &[READ],
            Act::Write => &[WRITE],
            Act::Exec => &[EXEC],
            Act::Create => &[MADE],
            Act::Remove => &[MOVED],
            // What stood under the new name is gone.
            Act::Rename | Act::Swap => &[MOVED, MOVED],
            Act::Link => &[LINKED, MADE],
            Act::Clone => &[COPIED, MADE],
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Act::Stat => "stat",
            Act::Read => "read",
            Act::Write => "write",
            Act::Exec => "exec",
            Act::Create => "create",
            Act::Remove => "remove",
            Act::Rename => "rename",
            Act::Swap => "swap",
            Act::Link => "link",
            Act::Clone => "clone",
        }
    }
}
