//! Names that change while the guard walks, judges and opens: it never hands out what a clause excludes.
//! First with every interleaving of a tree in memory, then with threads on this machine.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how often it tried"
)]

mod interleaved;
mod storm;
