//! The sandbox profile language of macOS, by itself: it reads, prints and judges, and enters nothing.
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
mod evaluate;
pub mod format;
pub mod judge;
pub mod lint;
pub mod parse;
pub mod print;
pub mod size;
pub mod span;
pub mod syntax;

pub use crate::ast::{Action, Filter, Modifier, Operation, Pattern, Profile, Rule, Text};
pub use crate::diagnostic::Diagnostic;
pub use crate::judge::{Judge, Reading, Request};
pub use crate::parse::{Parsed, Parser, parse};
