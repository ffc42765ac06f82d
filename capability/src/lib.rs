//! Grants about file-system objects, and the guard that judges by them.
//!
//! A [`Grant`] is what an author wrote: clauses with positions. [`Frozen`] is what its names became
//! when they were walked in a [`Host`](objcap_object::Host). A [`Guard`] judges accesses by it.
//!
//! ```
//! use objcap_capability::{Access, Frozen, Grant, Guard};
//! use objcap_object::Host;
//!
//! let mac = Host::stock_mac();
//! let grant = Grant::parse(
//!     "grant.toml",
//!     b"[fs]\nread = ['~/app']\nexclude = ['~/app/.env']",
//!     &mac.vars,
//! )?;
//! let frozen = Frozen::freeze(&grant, &mac)?;
//! let guard = Guard::new(&mac, &frozen);
//! assert!(guard.judge("/Users/me/app/main.rs", Access::READ)?.is_admitted());
//! assert_eq!(
//!     guard.judge("/Users/me/app/.ENV", Access::READ)?.to_string(),
//!     "read of `/Users/me/app/.ENV` is refused: exclude `~/app/.env` (grant.toml:3:12) excludes \
//!      it: `/Users/me/app/.ENV` is `/Users/me/app/.env` under another spelling",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod error;
mod expand;
mod frozen;
mod grant;
mod guard;

pub use access::Access;
pub use error::{Error, ErrorKind};
pub use frozen::{Allowance, Exclusion, Frozen, FrozenFs, Place, Reach, spellings};
pub use grant::{Clause, Fs, Grant, GrantBuilder, List, Net, NetAccess, Origin, Position};
pub use guard::{Ground, Guard, Judgement, Match, Refusal, Verdict};
#[doc(inline)]
pub use objcap_object::Vars;
