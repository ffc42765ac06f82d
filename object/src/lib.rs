//! File-system objects as handles.
//!
#![doc = include_str!("../README.md")]

pub mod error;
pub mod name;

#[cfg(test)]
#[cfg(all(unix, not(force_unsupported)))]
mod between;
mod change;
mod current;
mod errno;
mod exchange;
mod host;
mod machine;
mod make;
mod object;
mod open;
mod place;
mod read;
mod remove;
mod replace;
mod status;
mod sweep;
mod sys;
mod vars;
mod world;

pub use change::Change;
pub use current::Current;
pub use errno::errno_name;
pub use exchange::Existing;
pub use host::{Alias, Host, Names};
pub use machine::Machine;
pub use name::{Key, RealPath};
#[doc(inline)]
pub use objcap_walk::{
    About, Error, ErrorKind, Identity, Kind, Leaf, Links, Memory, Options, Owner, Presence,
    Require, Scope, Spelling, Start, Tail, Traversed, Tree, path,
};
pub use object::Object;
pub use open::{Contents, For, Open, Special};
pub use read::{Entries, Entry, Right};
pub use replace::NewMode;
pub use status::{Mode, Status, Time};
pub use sys::Dir;
pub use vars::Vars;
pub use world::{HEAD, Kept, Remembered, World};
