//! The scenarios, and every peer on each.

#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::ambient_authority;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use objcap_object::{Machine, Object, Options};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, StatxFlags, openat, openat2, statx};

/// A tree on disk with one name to ask for.
struct Scenario {
    title: String,
    path: PathBuf,
    exists: bool,
    links: usize,
}

/// A folder `depth` components below the root, its own included.
fn deep(base: &Path, depth: usize) -> PathBuf {
    let mut path = base.to_owned();
    for level in path.components().count() - 1..depth - 1 {
        path.push(format!("folder-{level:02}"));
    }
    fs::create_dir_all(&path).unwrap();
    path
}

fn scenarios(base: &Path) -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for depth in [8, 32] {
        let folder = deep(base, depth);
        fs::write(folder.join("leaf"), "").unwrap();
        for (leaf, exists) in [("leaf", true), ("absent", false)] {
            let kind = if exists { "existing" } else { "absent" };
            let title = format!("{kind}, depth {depth}");
            scenarios.push(Scenario {
                title,
                path: folder.join(leaf),
                exists,
                links: 0,
            });
        }
        // Chains `l0 -> l1 -> … -> leaf` in the folder.
        for links in [1, 8, 40] {
            for link in 0..links {
                let next = if link + 1 == links {
                    "leaf".into()
                } else {
                    format!("{links}-{}", link + 1)
                };
                symlink(next, folder.join(format!("{links}-{link}"))).unwrap();
            }
            let title = format!("{links} links, depth {depth}");
            let path = folder.join(format!("{links}-0"));
            scenarios.push(Scenario {
                title,
                path,
                exists: true,
                links,
            });
        }
        // One link in the middle of the way.
        let middle = deep(base, depth / 2).join("link");
        let target = deep(base, depth / 2 + 1);
        symlink(target.file_name().unwrap(), &middle).unwrap();
        let rest = folder.strip_prefix(&target).unwrap().join("leaf");
        let title = format!("1 link in the middle, depth {depth}");
        scenarios.push(Scenario {
            title,
            path: middle.join(rest),
            exists: true,
            links: 1,
        });
    }
    let shallow = Path::new("/proc").to_owned();
    scenarios.push(Scenario {
        title: "existing, depth 1".into(),
        path: shallow,
        exists: true,
        links: 0,
    });
    scenarios
}

fn compare(group: &mut BenchmarkGroup<'_, WallTime>, scenario: &Scenario, base: &Path) {
    let path = &scenario.path;
    let below = path.strip_prefix("/").unwrap();
    let options = Options::default();
    let machine = Machine::ambient_root().unwrap();
    group.bench_function("objcap", |bench| {
        bench.iter(|| Object::walk(&machine, path, &options).unwrap());
    });
    let stepwise = Machine::ambient_root().unwrap().stepwise();
    group.bench_function("objcap, name by name", |bench| {
        bench.iter(|| Object::walk(&stepwise, path, &options).unwrap());
    });
    if scenario.links == 0 {
        let root = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let parent = below.parent().unwrap();
        let leaf = below.file_name().unwrap();
        group.bench_function("openat2 and statx", |bench| {
            bench.iter(|| {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let resolve = ResolveFlags::NO_SYMLINKS;
                let dir = if parent.as_os_str().is_empty() {
                    rustix::io::fcntl_dupfd_cloexec(&root, 0).unwrap()
                } else {
                    openat2(&root, parent, flags, Mode::empty(), resolve).unwrap()
                };
                let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
                (
                    statx(&dir, leaf, AtFlags::SYMLINK_NOFOLLOW, wanted).is_ok(),
                    dir,
                )
            });
        });
    }
    if scenario.exists {
        group.bench_function("std canonicalize", |bench| {
            bench.iter(|| fs::canonicalize(path).unwrap());
        });
        let cap = cap_std::fs::Dir::open_ambient_dir("/", ambient_authority()).unwrap();
        group.bench_function("cap-std canonicalize", |bench| {
            bench.iter(|| cap.canonicalize(below).unwrap());
        });
        group.bench_function("cap-std open", |bench| {
            bench.iter(|| cap.open(below).map(drop).map_err(drop));
        });
        let root = pathrs::Root::open("/").unwrap();
        group.bench_function("pathrs resolve", |bench| {
            bench.iter(|| root.resolve(below).unwrap());
        });
    }
    group.bench_function("soft-canonicalize", |bench| {
        bench.iter(|| soft_canonicalize::soft_canonicalize(path).unwrap());
    });
    if path.starts_with(base) {
        let boundary: strict_path::PathBoundary = strict_path::PathBoundary::try_new(base).unwrap();
        let inside = path.strip_prefix(base).unwrap();
        group.bench_function("strict-path join", |bench| {
            bench.iter(|| boundary.strict_join(inside).unwrap());
        });
    }
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let base = fs::canonicalize(folder.path()).unwrap();
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    for scenario in scenarios(&base) {
        let mut group = criterion.benchmark_group(&scenario.title);
        compare(&mut group, &scenario, &base);
        group.finish();
    }
    criterion.final_summary();
}
