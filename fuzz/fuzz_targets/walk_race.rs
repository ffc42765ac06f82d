//! A walk in a tree that changes answers what the rules allow. Glue: the tree and the script are
//! drawn by `tests/support/src/perturbed.rs`, the rules stand in `tests/support/src/resolution.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use objcap_support::perturbed::Perturbed;

fuzz_target!(|world: Perturbed| {
    if let Err(wrong) = world.check() {
        panic!("{wrong}\n{world:?}");
    }
});
