//! Decisions a second: each with its request made from a path, and with requests made before.

#![expect(missing_docs, reason = "the group is a function that criterion makes")]

mod profiles;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sbpl::judge::naive;
use sbpl::{Judge, Reading, parse};

fn judge(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("judge");
    for rules in [500, 10_000] {
        let parsed = parse(profiles::profile(rules).as_bytes());
        assert_eq!(
            (parsed.profile().rules().len(), parsed.worst()),
            (rules, None)
        );
        let judge = Judge::new(parsed.profile());
        let naive = naive::Judge::new(parsed.profile());
        let questions = profiles::questions(rules);
        let requests: Vec<_> = questions.iter().map(profiles::request).collect();
        for request in &requests {
            assert_eq!(judge.settle(request), naive.settle(request));
        }

        group.throughput(Throughput::Elements(questions.len() as u64));
        group.bench_function(format!("decide/{rules}"), |bencher| {
            bencher.iter(|| {
                let decide = |request| judge.decide(request, Reading::FilteredFirst);
                requests.iter().map(decide).collect::<Vec<_>>()
            })
        });
        group.bench_function(format!("ask and decide/{rules}"), |bencher| {
            bencher.iter(|| {
                let decide = |request| judge.decide(&request, Reading::FilteredFirst);
                questions
                    .iter()
                    .map(profiles::request)
                    .map(decide)
                    .collect::<Vec<_>>()
            })
        });
        group.bench_function(format!("settle/{rules}"), |bencher| {
            bencher.iter(|| {
                requests
                    .iter()
                    .map(|request| judge.settle(request))
                    .collect::<Vec<_>>()
            })
        });
        group.bench_function(format!("naive/{rules}"), |bencher| {
            bencher.iter(|| {
                let decide = |request| naive.decide(request, Reading::FilteredFirst);
                requests.iter().map(decide).collect::<Vec<_>>()
            })
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = judge
}
criterion_main!(benches);
