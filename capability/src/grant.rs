//! The grant as its author wrote it: tables, clauses in their lists, and the access to the network.
//!
//! It says nothing of objects: a clause's path has been expanded, not walked. What is read from TOML and what
//! a program builds end in the same clauses.

mod build;
mod clause;
mod keys;
mod only;
mod parse;
mod position;
mod schema;

pub use build::GrantBuilder;
pub use clause::{Clause, List, Origin, Subject};
pub use only::Only;
pub use position::Position;
pub use schema::Schema;

use std::path::PathBuf;

/// One grant.
///
/// A table that was left out leaves its dimension unrestricted; an empty one refuses everything in it.
// No `Default`: a grant that restricts nothing is asked for by name.
#[derive(Clone, Debug)]
pub struct Grant {
    file: Option<Box<str>>,
    fs: Option<Fs>,
    exec: Option<Exec>,
    net: Option<Net>,
    own: Vec<PathBuf>,
}

/// The table `[fs]`: which places may be read and written.
#[derive(Clone, Debug)]
pub struct Fs {
    clauses: Vec<Clause>,
}

/// The table `[exec]`: which programs may be run.
#[derive(Clone, Debug, Default)]
pub struct Exec {
    clauses: Vec<Clause>,
    only: Vec<Only>,
}

/// The table `[net]`.
#[derive(Clone, Debug)]
pub struct Net {
    access: NetAccess,
    origin: Origin,
    sockets: Vec<Clause>,
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

    /// The table `[exec]`; `None` when the grant does not restrict programs.
    pub fn exec(&self) -> Option<&Exec> {
        self.exec.as_ref()
    }

    /// The table `[net]`; `None` when the grant does not restrict the network.
    pub fn net(&self) -> Option<&Net> {
        self.net.as_ref()
    }
}

impl Grant {
    /// Keeps a file from being written, linked or replaced by whoever holds the grant, as if the program's
    /// own executable: the file that the grant was read from, say. The path is absolute.
    #[must_use]
    pub fn protect_self(mut self, path: impl Into<PathBuf>) -> Grant {
        self.own.push(path.into());
        self
    }

    /// The files that [`protect_self`](Grant::protect_self) named.
    pub fn own(&self) -> &[PathBuf] {
        &self.own
    }
}

impl Exec {
    /// Every clause but those of `only`, in the order written.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The programs of which only some subcommands may be run.
    pub fn only(&self) -> &[Only] {
        &self.only
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

    /// The sockets that may be connected to, whatever else the network is.
    pub fn sockets(&self) -> &[Clause] {
        &self.sockets
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
