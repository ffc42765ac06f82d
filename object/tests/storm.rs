//! Races with the real kernel: threads exchange names (`RENAME_EXCHANGE`) as fast as they can while
//! walks go through them, by whole runs and name by name. No walk may reach what lies outside its
//! root; that is told by the identity of what it reached, and of the directory that it holds.
//!
//! Which race comes when is left to chance here. Each of them by construction: `tests/races`.

#![cfg(target_os = "linux")]
#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and tells what it counted"
)]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use objcap_object::{Dir, Machine, Object, Options, Presence, Scope, Tree as _};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// A tree, what is exchanged in it, and what is asked meanwhile.
struct Shape {
    row: &'static str,
    /// Below a fresh folder: `x/` is a directory, `x -> y` a link. The walks' root is `ROOT`.
    entries: &'static [&'static str],
    /// The pairs that a thread each exchanges; where one name is free, the other object moves there.
    moves: &'static [(&'static str, &'static str)],
    paths: &'static [&'static str],
}

const SHAPES: &[Shape] = &[
    Shape {
        row: "Z-01",
        entries: &["ROOT/c/", "b/"],
        moves: &[("ROOT/c", "b")],
        paths: &[
            "c/../../c/../../c/../../c/../../c/../../c/../../c/../../c/../../c/../../",
            "c/../c/../c/../c/../c/../c/../c/../c/../c/../c/../c/../c/../c/../c/../c",
        ],
    },
    Shape {
        row: "Z-02",
        entries: &[
            "ROOT/a/b/c/d/",
            "ROOT/a/b/c/file",
            "ROOT/b-link -> ../b/../a",
            "ROOT/c-link -> ../../outside",
            "ROOT/e -> a/b/c/d/../file",
            "outside/secret",
            "outside/d/file",
        ],
        moves: &[("ROOT/a/b", "ROOT/b-link"), ("ROOT/a/b/c", "ROOT/c-link")],
        paths: &[
            "a/b/c/d",
            "a/b/c/../c/./d/../d",
            "a/b/c/d/../../../../a/b/c/d",
            "e",
        ],
    },
    Shape {
        row: "Z-05",
        entries: &[
            "ROOT/etc-target/passwd",
            "ROOT/etc-attack-rel -> ../outside",
            "outside/passwd",
        ],
        moves: &[("ROOT/etc-target", "ROOT/etc-attack-rel")],
        paths: &["etc-target/passwd", "etc-target/../etc-target/passwd"],
    },
    Shape {
        row: "Z-06",
        entries: &["ROOT/a/b/", "ROOT/a/c/", "ROOT/in/", "out/"],
        moves: &[("ROOT/a/b", "ROOT/b"), ("ROOT/a/c", "out/c")],
        paths: &["a/b/..", "b/..", "a/c/..", "a/c/../..", "a/c/../c"],
    },
    Shape {
        row: "Z-07",
        entries: &["ROOT/a/a/a/a/", "ROOT/a/f", "b/f", "a/f"],
        moves: &[("ROOT/a", "b")],
        paths: &["a/a/a/a/../../../../a/f", "a/a/../../a/f", "a/f"],
    },
];

/// How long a storm lasts.
#[derive(Debug, Clone, Copy)]
enum Length {
    Time(Duration),
    Rounds(u64),
}

/// What walks answered, by name.
type Count = BTreeMap<String, u64>;

const ESCAPED: &str = "ESCAPED";

#[test]
fn a_storm_of_two_seconds() {
    let each = Duration::from_secs(2) / (SHAPES.len() * 4) as u32;
    storms(Length::Time(each));
}

#[test]
#[ignore = "long: 20,000 rounds for each of five rows, two scopes and two resolvers"]
fn a_storm_of_four_hundred_thousand_rounds() {
    let rounds = storms(Length::Rounds(20_000));
    assert!(rounds >= 400_000, "{rounds}");
}

/// Every shape, with every resolver in every scope; says how many rounds that were.
fn storms(length: Length) -> u64 {
    let mut all = 0;
    let resolvers = [
        ("whole runs", Machine::at as fn(Dir) -> Machine),
        ("single steps", |dir| Machine::at(dir).stepwise()),
    ];
    for shape in SHAPES {
        for (name, make) in resolvers {
            for scope in [Scope::InRoot, Scope::Beneath] {
                let place = Place::build(shape);
                let (count, exchanges) = storm(shape, &place, make, scope, length);
                let rounds: u64 = count.values().sum();
                all += rounds;
                let what = format!("{} {name} {scope:?}", shape.row);
                println!("{what}: {rounds} rounds, {exchanges} exchanges, {count:?}");
                assert!(exchanges > 0 && rounds > 0, "{what}: nothing was tried");
                assert!(!count.contains_key(ESCAPED), "{what}: {count:?}");
            }
        }
    }
    println!("{all} rounds");
    all
}

fn storm(
    shape: &Shape,
    place: &Place,
    make: fn(Dir) -> Machine,
    scope: Scope,
    length: Length,
) -> (Count, u64) {
    let machine = make(place.root());
    let options = Options {
        scope,
        ..Options::default()
    };
    let stop = AtomicBool::new(false);
    let exchanges = AtomicU64::new(0);
    let mut count = Count::new();
    std::thread::scope(|threads| {
        for (one, other) in shape.moves {
            threads.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let moved = place.exchange(one, other);
                    exchanges.fetch_add(u64::from(moved), Ordering::Relaxed);
                }
            });
        }
        // The attackers get going first: on a busy machine a storm could be over before.
        while exchanges.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        let begin = Instant::now();
        let mut round = 0;
        while match length {
            Length::Time(time) => begin.elapsed() < time || round == 0,
            Length::Rounds(rounds) => round < rounds,
        } {
            let path = shape.paths[round as usize % shape.paths.len()];
            let told = place.told(&machine, path, &options);
            *count.entry(told).or_default() += 1;
            round += 1;
        }
        stop.store(true, Ordering::Relaxed);
    });
    (count, exchanges.into_inner())
}

/// A shape on disk.
struct Place {
    folder: PathBuf,
    /// What lies outside of the root and never moves into it.
    outside: HashSet<(u64, u64)>,
    _temporary: tempfile::TempDir,
}

impl Place {
    fn build(shape: &Shape) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(temporary.path()).unwrap();
        for entry in shape.entries {
            let (at, text) = entry.split_once(" -> ").unwrap_or((entry, ""));
            let at = folder.join(at);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            let made = match text {
                "" if entry.ends_with('/') => fs::create_dir_all(&at),
                "" => fs::write(&at, "contents"),
                text => symlink(text, &at),
            };
            made.unwrap();
        }
        let inside: Vec<_> = (shape.moves.iter())
            .flat_map(|(one, other)| [folder.join(one), folder.join(other)])
            .chain([folder.join("ROOT")])
            .collect();
        let mut outside: HashSet<_> = folder.ancestors().map(identity).collect();
        collect(&folder, &inside, &mut outside);
        Place {
            folder,
            outside,
            _temporary: temporary,
        }
    }

    fn root(&self) -> Dir {
        OwnedFd::from(fs::File::open(self.folder.join("ROOT")).unwrap()).into()
    }

    fn exchange(&self, one: &str, other: &str) -> bool {
        let (one, other) = (self.folder.join(one), self.folder.join(other));
        let rename =
            |from: &Path, to: &Path, flags| renameat_with(CWD, from, CWD, to, flags).is_ok();
        rename(&one, &other, RenameFlags::EXCHANGE)
            || rename(&one, &other, RenameFlags::NOREPLACE)
            || rename(&other, &one, RenameFlags::NOREPLACE)
    }

    /// One walk, and what became of it.
    fn told(&self, machine: &Machine, path: &str, options: &Options) -> String {
        let object = match Object::walk(machine, path, options) {
            Ok(object) => object,
            Err(error) => return error.kind().name().to_owned(),
        };
        let parent = machine.stat(object.parent()).unwrap().identity;
        let reached = match object.presence() {
            Presence::Present { identity, .. } => Some(identity),
            Presence::Absent => None,
        };
        let is_outside = [Some(parent), reached]
            .into_iter()
            .flatten()
            .any(|identity| self.outside.contains(&(identity.device, identity.inode)));
        match reached {
            _ if is_outside => ESCAPED,
            Some(_) => "inside",
            None => "absent",
        }
        .to_owned()
    }
}

fn identity(path: &Path) -> (u64, u64) {
    let metadata = fs::symlink_metadata(path).unwrap();
    (metadata.dev(), metadata.ino())
}

/// Adds everything below a folder, but for what lies at or below the places in `without`.
fn collect(folder: &Path, without: &[PathBuf], all: &mut HashSet<(u64, u64)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if without.contains(&path) {
            continue;
        }
        all.insert(identity(&path));
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            collect(&path, without, all);
        }
    }
}

/// Without attackers some path of every shape leads inside; and a resolver that follows links by
/// itself does escape, and is seen.
#[test]
fn the_storms_have_something_to_find() {
    for shape in SHAPES {
        let place = Place::build(shape);
        let machine = Machine::at(place.root());
        let told: Vec<_> = (shape.paths.iter())
            .map(|path| place.told(&machine, path, &Options::default()))
            .collect();
        assert!(
            told.contains(&"inside".to_owned()),
            "{}: {told:?}",
            shape.row
        );
        assert!(
            !told.contains(&ESCAPED.to_owned()),
            "{}: {told:?}",
            shape.row
        );
    }
    let place = Place::build(&SHAPES[2]);
    assert!(place.exchange("ROOT/etc-target", "ROOT/etc-attack-rel"));
    let naive = fs::metadata(place.folder.join("ROOT/etc-target/passwd")).unwrap();
    assert!(place.outside.contains(&(naive.dev(), naive.ino())));
}
