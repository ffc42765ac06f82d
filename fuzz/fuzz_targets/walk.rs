//! The walk agrees with the kernel in an arbitrary world. Glue: the world is drawn by
//! `tests/support/src/world.rs`, the property stands in `tests/support/src/agreement.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use objcap_support::agreement::{build_in_memory, walk_agrees_with_the_kernel};
use objcap_support::world::World;

fuzz_target!(init: build_in_memory(), |world: World| {
    // The scratch tree is gone by now: a panic here aborts, and drops nothing.
    if let Err(disagreement) = walk_agrees_with_the_kernel(&world) {
        panic!("{disagreement}");
    }
});
