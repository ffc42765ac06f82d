//! What the system does to confine a process and to start one, chosen once. Nothing outside this folder asks
//! which system it is. Not what is decided: that stands in `entry` and `launch`, and runs everywhere.
//!
//! A backend for Linux has its place in `sys/linux.rs`. Until it stands there, nothing is confined on
//! Linux: [`backend`] has none to give, and whoever wants to run a program gets an error.

#[cfg(target_vendor = "apple")]
#[path = "sys/macos.rs"]
mod arm;

#[cfg(target_os = "linux")]
#[path = "sys/linux.rs"]
mod arm;

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
#[path = "sys/unsupported.rs"]
mod arm;

#[path = "sys/unix.rs"]
mod process;

pub(crate) use arm::backend;
pub(crate) use process::*;
