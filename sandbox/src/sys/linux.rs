//! Linux: the place of its backend, which is not written. Nothing here confines, and nothing says it does.

use crate::enter::entry::System;

#[path = "linux/descriptors.rs"]
mod descriptors;

pub(super) use descriptors::Sealer;

/// What confines a process here: nothing.
pub(crate) fn backend() -> Option<&'static dyn System> {
    None
}
