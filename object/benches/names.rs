//! What folding a name costs beside std's lower case, in one run: names of ASCII and others. Compare
//! ratios, not times; `docs/performance.md` has the table.

use std::hint::black_box;

use criterion::Criterion;
use objcap_object::name::{caseless, fold};

const NAMES: &[(&str, &str)] = &[
    ("small ASCII", "registry-index.json"),
    ("mixed ASCII", "LaunchServices.framework"),
    ("Latin, composed", "Größenänderung.été"),
    (
        "Latin, decomposed",
        "Gro\u{308}ßena\u{308}nderung.e\u{301}te\u{301}",
    ),
    ("Greek", "Ἀρχιμήδης.txt"),
    ("Han and kana", "設計書の写し.pdf"),
    ("Hangul", "한글문서.hwp"),
];

/// Whoever compares or hashes a folded name reads its bytes.
fn sum(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.map(u32::from).sum()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (kind, name) in NAMES {
        let mut group = criterion.benchmark_group(*kind);
        group.bench_function("fold", |bencher| {
            bencher.iter(|| sum(fold(black_box(name.as_bytes())).bytes()));
        });
        group.bench_function("caseless", |bencher| {
            bencher.iter(|| sum(caseless(black_box(name.as_bytes())).bytes()));
        });
        group.bench_function("std to_lowercase", |bencher| {
            bencher.iter(|| sum(black_box(*name).to_lowercase().bytes()));
        });
        group.finish();
    }
    criterion.final_summary();
}
