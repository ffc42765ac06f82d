//! Diagnosis: what a log of the system says was denied, and what would admit it, if anything should.
//!
//! [`Log`] reads lines: denials from macOS's unified log, what `sandbox-exec` says on stderr, in any bytes.
//! [`Diagnoser`] judges each denial by the profile and the stack that it was rendered from, and answers with
//! one [`Hint`]: a clause in the grant's own words, or why there is none. It asks no system: the lines,
//! and which process is whose child, are data.
//!
//! A hint is advice to whoever wrote the grant, and is never applied by itself: a program picks its own
//! name, and may write to the log, so that a log is no evidence of what a program needs.
//!
//! ```
//! use objcap_capability::{Grant, Stack};
//! use objcap_object::Host;
//! use objcap_sandbox::Profile;
//! use objcap_sandbox::diag::{Diagnoser, Log};
//!
//! let mac = Host::stock_mac();
//! let text = b"[fs]\nread = ['~/app']\nexclude = ['~/app/.env']";
//! let stack = Stack::freeze(&[Grant::parse("grant.toml", text, &mac.vars)?], &mac)?;
//! let profile = Profile::render(&stack, &mac)?;
//!
//! let mut log = Log::default();
//! log.read(&b"Sandbox: cat(71) deny(1) file-read-data /Users/me/my notes\n\
//!     Sandbox: cat(71) deny(1) file-read-data /Users/me/app/.env\n"[..])?;
//! let diagnoser = Diagnoser::new(&profile, &stack, &mac);
//! let found = log.finish();
//! let hints: Vec<String> = found.denials().iter()
//!     .map(|denial| diagnoser.denial(denial).hint().to_string())
//!     .collect();
//! assert_eq!(hints[0], "to admit it: [fs] read = [\"~/my notes\"]");
//! assert_eq!(hints[1], "exclude `~/app/.env` (grant.toml:3:12) speaks against it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod addition;
mod attribution;
mod decided;
mod denial;
mod diagnoser;
mod examine;
mod files;
mod hint;
mod log;
mod message;
mod network;
mod operand;
mod record;
mod services;
mod spelling;
mod summary;
mod trouble;

pub use crate::profile::{Tag, TagError};
pub use addition::{Addition, Setting};
pub use attribution::Attribution;
pub use denial::{Denial, Policy};
pub use diagnoser::{Diagnoser, Diagnosis};
pub use hint::{Cause, Hint, Note};
pub use log::{Counts, DISTINCT_MAX, Found, LINE_MAX, Log};
pub use message::MESSAGE_MAX;
pub use operand::Operand;
pub use summary::summary;
pub use trouble::{Output, Trouble};
