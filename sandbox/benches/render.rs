//! Rendering, its text printed, parsed again and compared: for a thousand prefixes and for ten thousand.

#![expect(missing_docs, reason = "the group is a function that criterion makes")]
#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use objcap_capability::{Grant, Stack};
use objcap_object::Host;
use objcap_sandbox::Profile;

fn render(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("render");
    group.sample_size(10);
    let host = Host::stock_mac();
    for count in [1_000_u64, 10_000] {
        let grant = (0..count).fold(Grant::builder().fs(), |grant, number| {
            let place = format!("/Users/me/src/workspace/packages/dependency-number-{number:09}");
            match number % 3 {
                0 => grant.write(place),
                1 => grant.exclude(place),
                _ => grant.read(place),
            }
        });
        let stack = Stack::freeze(&[grant.build(&host.vars).unwrap()], &host).unwrap();
        group.throughput(Throughput::Elements(count));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| Profile::render(&stack, &host).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, render);
criterion_main!(benches);
