//! Grants about file-system objects, and the guard that judges by them.
//!
//! A [`Grant`] is what an author wrote: clauses with positions. A [`Stack`] is what the names of some
//! grants became when they were walked in a [`Host`](objcap_object::Host). A [`Guard`] judges accesses
//! by it, and hands out objects that can be used as was admitted.
//!
//! ```
//! use objcap_capability::{Access, Grant, Guard, Stack};
//! use objcap_object::Host;
//!
//! let mac = Host::stock_mac();
//! let grant = Grant::parse(
//!     "grant.toml",
//!     b"[fs]\nread = ['~/app']\nexclude = ['~/app/.env']",
//!     &mac.vars,
//! )?;
//! let stack = Stack::freeze(&[grant], &mac)?;
//! let guard = Guard::new(&mac, &stack);
//! assert!(guard.judge("/Users/me/app/main.rs", Access::READ)?.is_admitted());
//! assert_eq!(
//!     guard.judge("/Users/me/app/.ENV", Access::READ)?.to_string(),
//!     "read of `/Users/me/app/.ENV` is refused: exclude `~/app/.env` (grant.toml:3:12) excludes \
//!      it: `/Users/me/app/.ENV` is `/Users/me/app/.env` under another spelling",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
