//! The grant as its author wrote it: tables, clauses in their lists, and the access to the network.
//!
//! It says nothing of objects: a clause's path has been expanded, not walked. What is read from TOML and what
//! a program builds end in the same clauses.

mod build;
mod clause;
mod parse;
mod position;

pub use build::GrantBuilder;
pub use clause::{Clause, List, Origin};
pub use position::Position;

/// One grant.
///
/// A table that was left out leaves its dimension unrestricted; an empty one refuses everything in it.
// No `Default`: a grant that restricts nothing is asked for by name.
#[derive(Clone, Debug)]
pub struct Grant {
    file: Option<Box<str>>,
    fs: Option<Fs>,
    net: Option<Net>,
}

/// The table `[fs]`: which places may be read and written.
#[derive(Clone, Debug)]
pub struct Fs {
    clauses: Vec<Clause>,
}

/// The table `[net]`.
#[derive(Clone, Debug)]
pub struct Net {
    access: NetAccess,
    origin: Origin,
}

/// Whether the network may be used.
// Exhaustive: whoever enforces a grant must decide about each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetAccess {
    /// No network; an empty `[net]` says the same.
    Offline,
    /// The network as the system offers it.
    Open,
}

impl Grant {
    /// The name of the file it was read from; `None` for a grant made by a program.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The table `[fs]`; `None` when the grant does not restrict files.
    pub fn fs(&self) -> Option<&Fs> {
        self.fs.as_ref()
    }

    /// The table `[net]`; `None` when the grant does not restrict the network.
    pub fn net(&self) -> Option<&Net> {
        self.net.as_ref()
    }
}

impl Fs {
    /// Every clause, in the order written.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The clauses of one list, in the order written.
    pub fn list(&self, list: List) -> impl Iterator<Item = &Clause> {
        self.clauses
            .iter()
            .filter(move |clause| clause.list() == list)
    }
}

impl Net {
    /// What the table grants.
    pub fn access(&self) -> NetAccess {
        self.access
    }

    /// Where that is said: the value of `access`, or the table itself.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl NetAccess {
    const ALL: [NetAccess; 2] = [NetAccess::Offline, NetAccess::Open];

    /// The word that a grant's file uses.
    pub const fn name(self) -> &'static str {
        match self {
            NetAccess::Offline => "offline",
            NetAccess::Open => "open",
        }
    }
}
