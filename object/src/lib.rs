//! File-system objects as handles.
//!
//! An [`Object`] is a name that was walked: the handle of its parent, the leaf's name, the real
//! path, every name passed, and the identity of what stands there. [`Machine`] is this operating
//! system as a tree to walk; [`Host`] is the world that a grant is frozen in, which may be this
//! machine or a model of another.
//!
//! ```
//! use objcap_object::{Machine, Object, Options};
//!
//! let machine = Machine::ambient_root()?;
//! let object = Object::walk(&machine, "/usr/bin/..", &Options::default())?;
//! assert_eq!(object.real().as_bytes(), b"/usr");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod name;

mod errno;
mod host;
mod machine;
mod object;
mod sys;
mod vars;

pub use errno::errno_name;
pub use host::{Alias, Host, Names};
pub use machine::Machine;
pub use name::{Key, RealPath};
#[doc(inline)]
pub use objcap_walk::{
    Error, ErrorKind, Identity, Kind, Leaf, Links, Memory, Options, Presence, Require, Scope,
    Spelling, Start, Tail, Traversed, Tree, path,
};
pub use object::Object;
pub use sys::Dir;
pub use vars::Vars;
