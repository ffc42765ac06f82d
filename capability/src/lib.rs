//! Grants about file-system objects: what an author allows and excludes, as clauses with positions.
//!
//! Nothing here opens a file: a grant's text and the values of its variables are handed in.

mod error;
mod expand;
mod grant;

pub use error::{Error, ErrorKind};
pub use grant::{Clause, Fs, Grant, GrantBuilder, List, Net, NetAccess, Origin, Place};
#[doc(inline)]
pub use objcap_object::Vars;
