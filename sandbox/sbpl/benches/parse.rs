//! Bytes a second, from a text to a profile, and into a judge.

#![expect(missing_docs, reason = "the group is a function that criterion makes")]

mod profiles;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sbpl::{Judge, parse};

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.sample_size(20);
    for rules in [500, 10_000] {
        let text = profiles::profile(rules);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("parse/{rules}"), |bencher| {
            bencher.iter(|| parse(text.as_bytes()))
        });
        group.bench_function(format!("tree/{rules}"), |bencher| {
            bencher.iter(|| sbpl::syntax::Tree::parse(text.as_bytes()))
        });
    }

    let mut large = profiles::profile(10_000);
    while large.len() < 4 << 20 {
        large.push_str(large.clone().get(..1 << 16).unwrap_or_default());
    }
    group.throughput(Throughput::Bytes(large.len() as u64));
    group.bench_function("parse/4 MiB", |bencher| {
        bencher.iter(|| parse(large.as_bytes()))
    });

    let parsed = parse(profiles::profile(500).as_bytes());
    group.throughput(Throughput::Elements(500));
    group.bench_function("compile/500", |bencher| {
        bencher.iter(|| Judge::new(parsed.profile()))
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = read
}
criterion_main!(benches);
