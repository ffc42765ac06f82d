//! The walk: from a name to the object that it leads to.
//!
#![doc = include_str!("../README.md")]
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
