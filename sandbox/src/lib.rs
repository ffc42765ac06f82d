//! A grant as a macOS sandbox profile that says of names what the guard says of objects.
//!
//! [`Profile`] renders frozen grants. Its rules are syntax trees of [`sbpl`], each with the clause
//! or the reason it came from; its text is printed from them, parsed again and compared before
//! anyone sees it. [`Profile::explain`] judges an access by that text, under every reading of how
//! the kernel decides. [`diag`] turns what a Mac's log says was denied into the clause that is missing,
//! or the reason why none is proposed.
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
pub mod diag;
mod doors;
mod error;
mod exclusions;
mod explain;
mod files;
mod group;
mod line;
mod network;
mod pins;
mod profile;
mod programs;

pub use doors::{Door, withheld, withheld_doors};
pub use error::{Error, ErrorKind};
pub use explain::{Asked, Explanation, Outcome, act_requests};
pub use line::{Line, Why};
pub use profile::{Profile, Section};
#[doc(inline)]
pub use sbpl::judge::{Decision, Reading};
#[doc(inline)]
pub use sbpl::size::{Limit, Size};
