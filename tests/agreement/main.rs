//! Guard and kernel agree: in small worlds of the model Mac, a program under a rendered profile makes
//! every system call, and what the kernel admits is compared with what the guard admits.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod adversary;
mod calibrated;
mod calls;
mod small;
mod worlds;
