//! File-system objects as handles.
//!
//! An [`Object`] is a name that was walked: the handle of its parent, the leaf's name, the real
//! path, every name passed, and the identity of what stands there. [`Machine`] is this operating
//! system as a tree to walk; [`Host`] is the world that a grant is frozen in, which may be this
//! machine or a model of another.
//!
//! What is done with an object goes through its handle, follows no link, and is about the object
//! that was walked, or it is an error: [`Error`](error::Error) of the module [`error`]. A walk that
//! fails has the walk's own [`Error`].
//!
//! ```
//! use objcap_object::{Machine, Object, Options};
//!
//! let machine = Machine::ambient_root()?;
//! let object = Object::walk(&machine, "/usr/bin/..", &Options::default())?;
//! assert_eq!(object.real().as_bytes(), b"/usr");
//! assert!(object.read_dir()?.count() > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
