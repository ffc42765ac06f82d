//! What a walk costs beside its peers, in one run: existing and absent names at three depths, and
//! chains of links. `docs/performance.md` has the table; compare ratios, not times.
//!
//! The peers do less: pathrs and cap-std's `open` give a handle and no path, canonicalize gives a path
//! and no handle, and the raw pair of calls gives a handle and an identity for a name without links.

#[cfg(target_os = "linux")]
#[path = "walk/peers.rs"]
mod peers;
#[cfg(target_os = "linux")]
#[path = "walk/turns.rs"]
mod turns;

#[cfg(target_os = "linux")]
fn main() {
    peers::run();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    // The peers' raw calls are Linux's.
}
