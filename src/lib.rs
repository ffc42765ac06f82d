//! Grants about file-system objects, enforced in process and rendered as macOS sandbox profiles.
//!
//! This crate re-exports the layers, lowest first: [`walk`] finds the object that a name leads to,
//! [`object`] holds it, [`capability`] judges it, and [`sandbox`] says in names what was judged, in
//! the language of [`sbpl`].
//!
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

/// The page for a shell's path layer, so that its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/ral.md")]
mod ral {}

pub use objcap_capability as capability;
pub use objcap_object as object;
pub use objcap_sandbox as sandbox;
pub use objcap_walk as walk;
pub use sbpl;
