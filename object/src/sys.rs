//! The operating system, chosen once: every arm has the same names and signatures. Nothing outside
//! this folder asks which system it is.

#[cfg(all(target_os = "linux", not(force_unsupported)))]
#[path = "sys/linux.rs"]
mod arm;

#[cfg(all(target_vendor = "apple", not(force_unsupported)))]
#[path = "sys/macos.rs"]
mod arm;

#[cfg(any(
    force_unsupported,
    not(any(target_os = "linux", target_vendor = "apple"))
))]
#[path = "sys/unsupported.rs"]
mod arm;

#[cfg(all(
    any(target_os = "linux", target_vendor = "apple"),
    not(force_unsupported)
))]
#[path = "sys/unix.rs"]
mod unix;

#[cfg(all(target_os = "linux", not(force_unsupported)))]
#[path = "sys/linux/operate.rs"]
mod operate;

#[cfg(all(target_vendor = "apple", not(force_unsupported)))]
#[path = "sys/macos/operate.rs"]
mod operate;

#[cfg(any(
    force_unsupported,
    not(any(target_os = "linux", target_vendor = "apple"))
))]
#[path = "sys/unsupported/operate.rs"]
mod operate;

#[cfg(all(
    any(target_os = "linux", target_vendor = "apple"),
    not(force_unsupported)
))]
#[path = "sys/unix/operate.rs"]
mod unix_operate;

#[cfg(all(
    any(target_os = "linux", target_vendor = "apple"),
    not(force_unsupported)
))]
pub(crate) use unix_operate::*;

pub use arm::Dir;
pub(crate) use arm::{Notes, Volume, look, open_current, open_root, run, share, spell, stat, step};
pub(crate) use operate::*;

/// Whether this system's names are a Mac's.
pub(crate) const IS_MAC: bool = cfg!(target_vendor = "apple");

/// How a run of names is asked for.
// Exhaustive: there are these two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// By one call, where the system has it.
    Whole,
    /// Name by name, as on a system without that call.
    Single,
}
