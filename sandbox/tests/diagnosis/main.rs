//! Diagnosis: lines of logs as denials, and denials as hints.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod case;
mod files;
mod log;
mod services;
mod tagged;
mod told;
mod verified;
#[path = "../world/mod.rs"]
mod world;
