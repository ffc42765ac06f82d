//! The property that `fuzz/fuzz_targets/walk_race.rs` looks for exceptions to, over trees, paths and
//! scripts that are drawn the same in every run.

use arbitrary::{Arbitrary as _, Unstructured};
use objcap_support::perturbed::Perturbed;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, Strategy as _, TestCaseError, any};
use proptest::test_runner::{RngSeed, TestRunner};

#[test]
fn twenty_thousand_arbitrary_scripts() {
    let config = ProptestConfig {
        cases: 20_000,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let worlds = vec(any::<u8>(), 0..120).prop_map(|bytes| {
        Perturbed::arbitrary(&mut Unstructured::new(&bytes)).expect("any bytes draw a world")
    });
    TestRunner::new(config)
        .run(&worlds, |world| world.check().map_err(TestCaseError::fail))
        .unwrap_or_else(|error| panic!("{error}"));
}
