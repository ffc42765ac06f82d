//! The property that `fuzz/fuzz_targets/walk.rs` looks for exceptions to, over worlds that are drawn
//! the same in every run. It asks the kernel of Linux.

#![cfg(target_os = "linux")]

use arbitrary::{Arbitrary as _, Unstructured};
use objcap_support::agreement::{build_in_memory, walk_agrees_with_the_kernel};
use objcap_support::world::World;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, Strategy as _, TestCaseError, any};
use proptest::test_runner::{RngSeed, TestRunner};

#[test]
fn two_thousand_arbitrary_worlds() {
    build_in_memory();
    let config = ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let worlds = vec(any::<u8>(), 0..600).prop_map(|bytes| {
        World::arbitrary(&mut Unstructured::new(&bytes)).expect("any bytes draw a world")
    });
    TestRunner::new(config)
        .run(&worlds, |world| {
            walk_agrees_with_the_kernel(&world).map_err(TestCaseError::fail)
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
