//! A grant as a macOS sandbox profile that says of names what the guard says of objects, and how a program is run under it.
//!
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

pub mod diag;
mod enter;
mod profile;
mod sys;

pub use enter::{
    Child, Command, Confinement, Consent, Enforced, Entry, LaunchError, LaunchErrorKind,
    Limitation, LimitationKind, Prepared, Sandbox, Session, launcher,
};
pub use profile::{
    Asked, Door, Error, ErrorKind, Explanation, Line, Outcome, Profile, Section, Why, act_requests,
    withheld, withheld_doors,
};
#[doc(inline)]
pub use sbpl::judge::{Decision, Reading};
#[doc(inline)]
pub use sbpl::size::{Limit, Size};
