//! A grant as a macOS sandbox profile that says of names what the guard says of objects.
//!
//! [`Profile`] renders frozen grants. Its rules are syntax trees of [`sbpl`], each with the clause
//! or the reason it came from; its text is printed from them, parsed again and compared before
//! anyone sees it. [`Profile::explain`] judges an access by that text, under every reading of how
//! the kernel decides.
//!
//! ```
//! use objcap_capability::{Grant, Stack};
//! use objcap_object::Host;
//! use objcap_sandbox::Profile;
//!
//! let mac = Host::stock_mac();
//! let grant = Grant::parse(
//!     "grant.toml",
//!     b"[fs]\nread = ['/tmp/app']\nexclude = ['/tmp/app/.env']",
//!     &mac.vars,
//! )?;
//! let profile = Profile::render(&Stack::freeze(&[grant], &mac)?, &mac)?;
//! assert!(profile.text().contains(r#"(subpath "/private/tmp/app")"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod base;
mod child;
mod command;
pub mod diag;
mod doors;
mod entry;
mod error;
mod exclusions;
mod explain;
mod files;
mod group;
mod launch;
mod launcher;
mod limitation;
mod line;
mod network;
mod pins;
mod plan;
mod profile;
mod programs;
mod sys;

pub use child::Child;
pub use command::{Command, Prepared, Session};
pub use doors::{Door, withheld, withheld_doors};
pub use error::{Error, ErrorKind};
pub use explain::{Asked, Explanation, Outcome, act_requests};
pub use launch::{LaunchError, LaunchErrorKind};
pub use launcher::launcher;
pub use limitation::{Consent, Limitation, LimitationKind};
pub use line::{Line, Why};
pub use plan::{Confinement, Enforced, Entry, Sandbox};
pub use profile::{Profile, Section};
#[doc(inline)]
pub use sbpl::judge::{Decision, Reading};
#[doc(inline)]
pub use sbpl::size::{Limit, Size};
