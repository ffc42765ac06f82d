//! What a verdict costs beside the walk before it, and how it grows with the clauses; what parsing and
//! freezing cost beside the walks alone. Compare ratios, not times: `docs/performance.md` has the table.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench says what it finds, and stops at the first surprise"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::Criterion;
use objcap_capability::{Access, Act, Grant, Guard, Stack};
use objcap_object::{Host, Machine, Memory, Object, Options};

/// Of clauses, the fewest and the most.
const FEW: usize = 10;
const MANY: usize = 100_000;

/// A place of depth 6; every third one is excluded.
fn place(number: usize) -> String {
    format!("/w/a/{}/c/{}/{number:06}", number % 7, number % 61)
}

fn grant(host: &Host<Memory>, clauses: usize) -> Grant {
    let mut builder = Grant::builder().fs();
    for number in 0..clauses {
        builder = match number % 3 {
            0 => builder.exclude(place(number)),
            1 => builder.read(place(number)),
            _ => builder.write(place(number)),
        };
    }
    builder.build(&host.vars).unwrap()
}

/// A world without floor, aliases or folding: the clauses are the grant's, and as many as it has.
fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree = Memory::new();
    host.tree.directory("/w");
    host.floor.clear();
    host.aliases.clear();
    host
}

fn verdicts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    let host = world();
    let end = Act::Read.ends()[0];
    for clauses in [FEW, 1_000, MANY] {
        let stack = Stack::freeze(&[grant(&host, clauses)], &host).unwrap();
        let guard = Guard::new(&host, &stack);
        let walk = |path: String| {
            let object = Object::walk(&host.tree, path, &Options::default()).unwrap();
            black_box(object.real());
            object
        };
        let hot = walk(place(4) + "/f");
        group.bench_function(format!("hot, {clauses} clauses"), |bencher| {
            bencher.iter(|| black_box(guard.verdict(&hot, end)));
        });
        // The same subjects for every number of clauses, in an order that no cache foresees.
        let mut state = 88_172_645_463_325_252_u64;
        let objects: Vec<_> = (0..4_096)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                walk(place(state as usize % MANY) + "/f")
            })
            .collect();
        let mut next = 0;
        group.bench_function(format!("random, {clauses} clauses"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % objects.len();
                black_box(guard.verdict(&objects[next], end))
            });
        });
    }
    group.finish();
}

/// A tree on disk with a file at depth 6 below the root, and the clauses that name what is beside it.
fn beside_the_walk(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    std::fs::create_dir_all(root.join("a/b/c/d")).unwrap();
    std::fs::write(root.join("a/b/c/d/f"), "").unwrap();
    let mut host = Host::ambient().unwrap();
    host.floor.clear();
    let mut builder = Grant::builder().read(root.join("a/b/c/d"));
    for number in 1..FEW {
        builder = builder.exclude(root.join(format!("a/b/c/d{number}")));
    }
    let stack = Stack::freeze(&[builder.build(&host.vars).unwrap()], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let path = root.join("a/b/c/d/f");
    let end = Act::Read.ends()[0];
    let walk = || Object::walk(&host.tree, &path, &Options::default()).unwrap();
    assert!(guard.judge(&path, Access::READ).unwrap().is_admitted());

    let mut group = criterion.benchmark_group("beside the walk");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    group.bench_function("walk", |bencher| bencher.iter(|| black_box(walk())));
    let object = walk();
    black_box(object.real());
    group.bench_function("verdict", |bencher| {
        bencher.iter(|| black_box(guard.verdict(&object, end)));
    });
    group.finish();
}

/// Ten thousand names on this machine, half of them of nothing, as a grant and as walks alone. Taken in
/// turns, since the machine's own pace changes: the median of the ratios is the figure.
fn freezing() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(folder.path()).unwrap();
    let host = Host::ambient().unwrap();
    let names = names(&root);
    let mut text = String::from("[fs]\n");
    for (list, part) in ["read", "write", "exclude"].iter().zip(names.chunks(3_334)) {
        writeln!(text, "{list} = [").unwrap();
        for name in part {
            writeln!(text, "  '{name}',").unwrap();
        }
        writeln!(text, "]").unwrap();
    }
    let mut ratios: Vec<(f64, Duration, Duration)> = (0..15)
        .map(|_| {
            let clock = Instant::now();
            for name in &names {
                black_box(Object::walk(&host.tree, name, &Options::default()).unwrap());
            }
            let walks = clock.elapsed();
            let clock = Instant::now();
            let grant = Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap();
            let stack: Stack<Machine> = Stack::freeze(&[grant], &host).unwrap();
            black_box(&stack);
            let frozen = clock.elapsed();
            (frozen.as_secs_f64() / walks.as_secs_f64(), walks, frozen)
        })
        .collect();
    ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (ratio, walks, frozen) = ratios[ratios.len() / 2];
    println!("10,000 names: walks {walks:?}, parsed and frozen {frozen:?}: {ratio:.2} times");
}

fn names(root: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for number in 0..10_000 {
        let dir = root.join(format!("src/{}/part/{}", number % 20, number % 100));
        let name = dir.join(format!("file-{number:05}"));
        std::fs::create_dir_all(dir).unwrap();
        if number % 2 == 0 {
            std::fs::write(&name, "").unwrap();
        }
        names.push(name.to_str().unwrap().to_owned());
    }
    names
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    freezing();
    verdicts(&mut criterion);
    beside_the_walk(&mut criterion);
    criterion.final_summary();
}
