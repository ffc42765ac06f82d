//! Grants about file-system objects, enforced in process and rendered as macOS sandbox profiles.

pub use objcap_object as object;
pub use objcap_walk as walk;
