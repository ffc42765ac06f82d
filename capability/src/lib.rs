//! Grants about file-system objects, and the guard that judges by them.
//!
#![doc = include_str!("../README.md")]

mod access;
mod allowance;
mod bytes;
mod deputy;
mod error;
mod evidence;
mod exclusion;
mod expand;
mod grant;
mod guard;
mod index;
mod interpreter;
mod layer;
mod lint;
mod place;
mod program;
mod rights;
mod stack;

pub use access::Access;
pub use allowance::{Allowance, Reach};
pub use deputy::Deputy;
pub use error::{Error, ErrorKind};
pub use evidence::Evidence;
pub use exclusion::Exclusion;
pub use grant::{
    Clause, Exec, Fs, Grant, GrantBuilder, List, Net, NetAccess, Only, Origin, Position, Schema,
    Subject,
};
pub use guard::{
    Act, End, Extent, Ground, Guard, GuardError, Held, Includes, JudgedRun, Judgement, Match, Read,
    Refusal, Right, Runnable, Stat, Verdict, Write,
};
pub use layer::{Layer, Sockets};
pub use lint::{Dimension, Lint, Unsearched};
#[doc(inline)]
pub use objcap_object::Vars;
pub use place::{Place, spellings};
pub use program::{Bound, Programs};
pub use rights::{Rights, Voice};
pub use stack::Stack;
