//! The scenarios, and every peer on each.

#![expect(clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use std::fs;
use std::hint::black_box;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::ambient_authority;
use criterion::Criterion;
use objcap_object::{Machine, Object, Options};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, StatxFlags, openat, openat2, statx};

use crate::turns::{self, Peer};

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
            let noun = if links == 1 { "link" } else { "links" };
            let title = format!("{links} {noun}, depth {depth}");
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

/// Every peer that can answer in a scenario, the walk first.
fn peers<'s>(scenario: &'s Scenario, base: &'s Path) -> Vec<Peer<'s>> {
    let path = &scenario.path;
    let below = path.strip_prefix("/").unwrap();
    let mut peers: Vec<Peer<'s>> = Vec::new();
    let machine = Machine::ambient_root().unwrap();
    for (title, machine) in [
        ("objcap", machine),
        (
            "objcap, name by name",
            Machine::ambient_root().unwrap().stepwise(),
        ),
    ] {
        let options = Options::default();
        let walk = move || drop(black_box(Object::walk(&machine, path, &options).unwrap()));
        peers.push((title, Box::new(walk)));
    }
    if scenario.links == 0 {
        peers.push(("openat2 and statx", raw(below)));
    }
    if scenario.exists {
        let canonicalize = move || drop(black_box(fs::canonicalize(path).unwrap()));
        peers.push(("std canonicalize", Box::new(canonicalize)));
        let open_root = || cap_std::fs::Dir::open_ambient_dir("/", ambient_authority()).unwrap();
        let cap = open_root();
        let canonicalize = move || drop(black_box(cap.canonicalize(below).unwrap()));
        peers.push(("cap-std canonicalize", Box::new(canonicalize)));
        let cap = open_root();
        let open = move || drop(black_box(cap.open(below)));
        peers.push(("cap-std open", Box::new(open)));
        let root = pathrs::Root::open("/").unwrap();
        let resolve = move || drop(black_box(root.resolve(below).unwrap()));
        peers.push(("pathrs resolve", Box::new(resolve)));
    }
    let soft = move || {
        drop(black_box(
            soft_canonicalize::soft_canonicalize(path).unwrap(),
        ))
    };
    peers.push(("soft-canonicalize", Box::new(soft)));
    if let Ok(inside) = path.strip_prefix(base) {
        let boundary: strict_path::PathBoundary = strict_path::PathBoundary::try_new(base).unwrap();
        let join = move || drop(black_box(boundary.strict_join(inside).unwrap()));
        peers.push(("strict-path join", Box::new(join)));
    }
    peers
}

/// The two calls that a link-free walk makes, by themselves.
fn raw<'s>(below: &'s Path) -> Box<dyn FnMut() + 's> {
    let root = openat(CWD, "/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
    let parent = below.parent().unwrap();
    let leaf = below.file_name().unwrap();
    Box::new(move || {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolve = ResolveFlags::NO_SYMLINKS;
        let dir = if parent.as_os_str().is_empty() {
            rustix::io::fcntl_dupfd_cloexec(&root, 0).unwrap()
        } else {
            openat2(&root, parent, flags, Mode::empty(), resolve).unwrap()
        };
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
        let found = statx(&dir, leaf, AtFlags::SYMLINK_NOFOLLOW, wanted);
        drop(black_box((found.is_ok(), dir)));
    })
}

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let base = fs::canonicalize(folder.path()).unwrap();
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    let scenarios = scenarios(&base);
    for scenario in &scenarios {
        let mut group = criterion.benchmark_group(&scenario.title);
        for (title, mut ask) in peers(scenario, &base) {
            group.bench_function(title, |bench| bench.iter(&mut ask));
        }
        group.finish();
    }
    criterion.final_summary();
    turns::heading();
    for scenario in &scenarios {
        turns::row(&scenario.title, peers(scenario, &base));
    }
}
