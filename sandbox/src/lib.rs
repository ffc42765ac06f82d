//! A grant as a macOS sandbox profile that says of names what the guard says of objects, and how a program is run under it.
//!
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod annotate;
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
mod inherited;
mod launch;
mod launch_error;
mod launcher;
mod limitation;
mod line;
mod network;
mod order;
mod pins;
mod plan;
mod profile;
mod programs;
mod sys;

pub use child::Child;
pub use command::{Command, Prepared};
pub use doors::{Door, withheld, withheld_doors};
pub use error::{Error, ErrorKind};
pub use explain::{Asked, Explanation, Outcome, act_requests};
pub use inherited::Session;
pub use launch_error::{LaunchError, LaunchErrorKind};
pub use launcher::launcher;
pub use limitation::{Consent, Limitation, LimitationKind};
pub use line::{Line, Why};
pub use plan::{Confinement, Enforced, Entry, Sandbox};
pub use profile::{Profile, Section};
#[doc(inline)]
pub use sbpl::judge::{Decision, Reading};
#[doc(inline)]
pub use sbpl::size::{Limit, Size};
