//! The walk: from a name to the object that it leads to.
//!
//! [`walk`] takes a path over a [`Tree`] and passes it component by component. It never lets the
//! system follow a symlink: each one is read from the link that was opened, recorded, and its text
//! walked in turn. What comes back is a [`Walked`]: the handle of the parent, the leaf's name, the
//! one real path, every name that was passed on the way, and what stands at the end.
//!
//! This crate knows no operating system and does no input or output of its own. The tree does; so
//! a test can hand the walk a tree that changes between two steps. [`Memory`] is a tree of plain
//! data.
//!
//! ```
//! use objcap_walk::{Memory, Options, walk};
//!
//! let mut tree = Memory::new();
//! tree.file("/private/tmp/notes");
//! tree.link("/tmp", "private/tmp");
//!
//! let walked = walk(&tree, b"/tmp/notes", &Options::default())?;
//! assert_eq!(walked.real(), b"/private/tmp/notes");
//! assert_eq!(walked.leaf(), Some(&b"notes"[..]));
//! let links: Vec<_> = walked.links().map(|link| (link.at(), link.text())).collect();
//! assert_eq!(links, [(&b"/tmp"[..], &b"private/tmp"[..])]);
//! # Ok::<(), objcap_walk::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod path;

mod error;
mod memory;
mod options;
mod passed;
mod record;
mod rest;
mod spelling;
mod standing;
mod trail;
mod tree;
mod walker;

pub use error::{Error, ErrorKind, Fault};
pub use memory::{About, Memory, Owner, Place};
pub use options::{Leaf, Links, Options, Require, Scope, Start, Tail};
pub use record::{Presence, Traversed, Walked};
pub use tree::{Identity, Kind, Link, Ran, Reach, Refusal, Spelled, Spelling, Stat, Step, Tree};
pub use walker::{LINK_LIMIT, walk, walk_from};
