//! Bytes as a world, grants, and the programs of a confined adversary: laws 6 and 9 hold after each call, whatever
//! the kernel may ask and in whichever way it may decide.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use objcap_support::adversary::{Generations, Maker, Ran, run};

fuzz_target!(|bytes: &[u8]| {
    let generations = match bytes.first() {
        Some(first) if first % 2 == 1 => Generations::Two,
        _ => Generations::One,
    };
    let mut draw = Unstructured::new(bytes.get(1..).unwrap_or_default());
    if let Ran::Broken(how) = run(&mut draw, &Maker::product(), generations) {
        panic!("{how}");
    }
});
