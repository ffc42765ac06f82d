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

/// How often the second takes as long as the first: the median of rounds in which both are timed, one right
/// after the other, since the machine's own pace changes.
fn ratio(rounds: usize, mut first: impl FnMut(), mut second: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let clock = Instant::now();
        work();
        clock.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<_> = (0..rounds)
        .map(|_| {
            let base = time(&mut first);
            time(&mut second) / base
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[rounds / 2]
}

fn verdicts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    let host = world();
    let end = Act::Read.ends()[0];
    let walk = |path: String| {
        let object = Object::walk(&host.tree, path, &Options::default()).unwrap();
        black_box(object.real());
        object
    };
    let hot = walk(place(4) + "/f");
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
    let freeze = |clauses| Stack::freeze(&[grant(&host, clauses)], &host).unwrap();
    let stacks = [FEW, 1_000, MANY].map(|clauses| (clauses, freeze(clauses)));
    for (clauses, stack) in &stacks {
        let guard = Guard::new(&host, stack);
        group.bench_function(format!("hot, {clauses} clauses"), |bencher| {
            bencher.iter(|| black_box(guard.verdict(&hot, end)));
        });
        let mut next = 0;
        group.bench_function(format!("random, {clauses} clauses"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % objects.len();
                black_box(guard.verdict(&objects[next], end))
            });
        });
    }
    group.finish();
    let [few, _, many] = stacks.each_ref().map(|(_, stack)| Guard::new(&host, stack));
    let again = |guard: Guard<'_, Memory>| {
        for _ in 0..objects.len() {
            black_box(guard.verdict(black_box(&hot), end));
        }
    };
    let each = |guard: Guard<'_, Memory>| {
        for object in &objects {
            black_box(guard.verdict(object, end));
        }
    };
    let (hot, random) = (
        ratio(301, || again(few), || again(many)),
        ratio(301, || each(few), || each(many)),
    );
    println!("from {FEW} to {MANY} clauses: hot {hot:.2} times, random {random:.2} times");
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
    let walks = || (0..500).for_each(|_| drop(black_box(walk())));
    let verdicts = || {
        for _ in 0..500 {
            black_box(guard.verdict(black_box(&object), end));
        }
    };
    let share = ratio(301, walks, verdicts);
    println!("at {FEW} clauses a verdict is {share:.3} of the walk");
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
    let walks = || {
        for name in &names {
            black_box(Object::walk(&host.tree, name, &Options::default()).unwrap());
        }
    };
    // What was frozen goes outside the time that is taken.
    let mut frozen: Option<Stack<Machine>> = None;
    let mut ratios: Vec<_> = (0..31)
        .map(|_| {
            frozen = None;
            let clock = Instant::now();
            walks();
            let base = clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let grant = Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap();
            frozen = Some(Stack::freeze(&[grant], &host).unwrap());
            clock.elapsed().as_secs_f64() / base
        })
        .collect();
    black_box(&frozen);
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    println!("10,000 names parsed and frozen: {ratio:.2} times the walks alone");
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
