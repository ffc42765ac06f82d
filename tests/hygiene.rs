//! What walks cost in things that run out: descriptors, steps, and bytes. Work is counted, not timed.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::cell::Cell;
use std::fs;

use objcap::object::{ErrorKind, Leaf, Options, Scope, Tree};
use objcap::walk::{Fault, Memory, Ran, Stat, Step, Walked, walk};
use objcap_support::child::{again, folder};
use objcap_support::scratch::{Entry, Scratch};
use objcap_support::told::{machines_at, told};

#[test]
fn descriptors_are_constant_over_a_hundred_thousand_walks() {
    let name = "descriptors_are_constant_over_a_hundred_thousand_walks";
    let Some(root) = folder() else {
        let scratch = Scratch::new(&[
            Entry::File(b"a/b/f".to_vec()),
            Entry::Link(b"l".to_vec(), b"a/b/..".to_vec()),
            Entry::Link(b"loop".to_vec(), b"loop".to_vec()),
            Entry::Link(b"dangling".to_vec(), b"a/no/x".to_vec()),
            Entry::Link(b"out".to_vec(), b"../../../outside".to_vec()),
            Entry::Fifo(b"fifo".to_vec()),
        ]);
        // Alone in its process: other tests open files of their own.
        again(name, &[], scratch.root());
        return;
    };
    let long = "x".repeat(256);
    let paths = [
        "a/b/f",
        "a/b/../b/f",
        "l/b/f",
        "a/new",
        "dangling",
        "fifo",
        "loop",
        "loop/x",
        "a/b/f/x",
        "no/../x",
        "out/secret",
        "fifo/",
        &long,
        "",
        "a\0b",
        "..",
        "/",
        "l/../l/../l/b/.",
    ];
    let kinds: Vec<Options> = [Scope::InRoot, Scope::Beneath]
        .into_iter()
        .flat_map(|scope| {
            [Leaf::Follow, Leaf::AsNamed].map(|leaf| Options {
                scope,
                leaf,
                ..Options::default()
            })
        })
        .collect();
    let trees = machines_at(&root);
    let count = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = count();
    let (mut walked, mut failed, mut most) = (0, 0, 0);
    'all: loop {
        for tree in &trees {
            for options in &kinds {
                for path in paths {
                    let held = walk(tree, path.as_bytes(), options);
                    if walked + failed < 1000 {
                        most = most.max(count());
                    }
                    match held {
                        Ok(_) => walked += 1,
                        Err(_) => failed += 1,
                    }
                    if walked + failed == 100_000 {
                        break 'all;
                    }
                }
            }
        }
    }
    assert!(walked > 40_000 && failed > 40_000, "{walked} and {failed}");
    assert_eq!(count(), before);
    assert_eq!(
        most,
        before + 1,
        "an answer holds its parent, and an error nothing"
    );
}

#[test]
fn descriptors_are_closed_in_programs_that_are_started() {
    let scratch = Scratch::new(&[Entry::File(b"a/b/f".to_vec())]);
    for tree in machines_at(scratch.root()) {
        let held = walk(&tree, b"a/../a/b/f", &Options::default()).unwrap();
        let flags = rustix::io::fcntl_getfd(held.parent()).unwrap();
        assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        let shared = tree.share(held.parent()).unwrap();
        let flags = rustix::io::fcntl_getfd(shared).unwrap();
        assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
    }
}

/// A tree that counts what it is asked: questions, and the bytes of the names in them.
struct Counting {
    tree: Memory,
    asked: Cell<usize>,
    bytes: Cell<usize>,
}

impl Counting {
    fn new(tree: Memory) -> Self {
        Counting {
            tree,
            asked: Cell::new(0),
            bytes: Cell::new(0),
        }
    }

    fn count(&self, name: &[u8]) {
        self.asked.set(self.asked.get() + 1);
        self.bytes.set(self.bytes.get() + name.len());
    }

    /// The questions and bytes of one walk, and its answer.
    fn work(&self, path: &[u8]) -> (usize, usize, Walked<<Memory as Tree>::Dir>) {
        self.asked.set(0);
        self.bytes.set(0);
        let walked = walk(self, path, &Options::default()).unwrap();
        (self.asked.get(), self.bytes.get(), walked)
    }
}

impl Tree for Counting {
    type Dir = <Memory as Tree>::Dir;
    type Notes = ();

    fn root(&self) -> &Self::Dir {
        self.tree.root()
    }

    fn share(&self, dir: &Self::Dir) -> Result<Self::Dir, Fault> {
        self.tree.share(dir)
    }

    fn stat(&self, dir: &Self::Dir) -> Result<Stat, Fault> {
        self.count(b"");
        self.tree.stat(dir)
    }

    fn look(&self, dir: &Self::Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
        self.count(name);
        self.tree.look(dir, name)
    }

    fn step(&self, dir: &Self::Dir, name: &[u8], (): &mut ()) -> Result<Step<Self::Dir>, Fault> {
        self.count(name);
        self.tree.step(dir, name, &mut ())
    }

    fn run(&self, dir: &Self::Dir, names: &[u8]) -> Ran<Self::Dir> {
        self.count(names);
        self.tree.run(dir, names)
    }
}

#[test]
fn a_path_twice_as_long_costs_twice_as_much() {
    let mut tree = Memory::new();
    tree.file("/a/b/c/d/f");
    tree.link("/a/up", "..");
    let tree = Counting::new(tree);
    for filler in [
        "./",
        "a/../",
        "/",
        "../",
        "a/b/../../",
        "a/b/c/d/../../../../",
        ".//./",
        "a/up/../",
    ] {
        // More than 40 links are refused: there the length is made of something else.
        let links = filler.contains("up");
        let path = |size: usize| {
            let length = if links { 20 } else { size / filler.len() };
            let rest = if links {
                "./".repeat(size / 2)
            } else {
                String::new()
            };
            format!("{}{rest}a/b/c/d/f", filler.repeat(length))
        };
        let (asked, bytes, walked) = tree.work(path(1 << 20).as_bytes());
        assert_eq!(walked.real(), b"/a/b/c/d/f", "{filler}");
        let (twice, twice_bytes, walked) = tree.work(path(2 << 20).as_bytes());
        assert_eq!(walked.real(), b"/a/b/c/d/f", "{filler}");
        assert!(
            twice * 10 <= asked * 22,
            "`{filler}`: {asked} questions, then {twice}"
        );
        assert!(
            twice_bytes * 10 <= bytes * 22 + 10_000,
            "`{filler}`: {bytes} bytes, then {twice_bytes}"
        );
        // A run takes 4,095 bytes, and each may cost one more question to open where it ended. A
        // name that is entered after a `..` and left again ends a run too (decision 2).
        let turns = if filler.starts_with('a') && !links {
            (1 << 20) / filler.len()
        } else {
            0
        };
        assert!(
            asked <= 2 * (turns + (1 << 20) / 4000) + 200,
            "`{filler}`: {asked} questions"
        );
        // Where a run ends by a turn, the folder that it reached is asked for again by name.
        let again = if turns > 0 { 1 << 20 } else { 1 << 18 };
        assert!(bytes <= (1 << 20) + again, "`{filler}`: {bytes} bytes");
    }
}

#[test]
fn long_paths_through_a_machine_end_where_they_should() {
    let scratch = Scratch::new(&[
        Entry::File(b"a/f".to_vec()),
        Entry::Link(b"long".to_vec(), b"a/../".repeat(800)),
    ]);
    for tree in machines_at(scratch.root()) {
        for (filler, times) in [
            ("./", 1 << 19),
            ("a/../", 100_000),
            ("/", 1 << 20),
            ("../", 300_000),
        ] {
            let path = format!("{}a/f", filler.repeat(times));
            assert_eq!(
                told(&tree, path, &Options::default()),
                "file /a/f",
                "{filler}"
            );
        }
        let path = format!("{}a/f", "long/".repeat(40));
        assert_eq!(told(&tree, path, &Options::default()), "file /a/f");
    }
}

#[test]
fn a_long_legitimate_path_does_not_meet_the_budget_wherever_it_starts() {
    // Every `..` once kept the whole name of the folder it left: 100,000 of them below a name of
    // 2,000 bytes came to 200 MB, and below a short name to more than the budget all the same.
    let mut tree = Memory::new();
    let deep = "/n".repeat(1000);
    tree.file(format!("{deep}/a/f"));
    tree.file(format!("{deep}/b/f"));
    for (path, lookups) in [
        (
            format!("{deep}/{}a/f", "a/../b/../".repeat(50_000)),
            1000 + 100_000 + 2,
        ),
        (
            format!("{deep}/a/{}f", "../a/".repeat(100_000)),
            1000 + 100_001 + 1,
        ),
        (
            format!(
                "{}{deep}/a/f",
                format!("{deep}{}", "/..".repeat(1000)).repeat(10)
            ),
            11_002,
        ),
    ] {
        let walked = walk(&tree, path.as_bytes(), &Options::default()).unwrap();
        assert_eq!(walked.real(), format!("{deep}/a/f").as_bytes());
        assert_eq!(walked.lookups().count(), lookups);
        assert!(walked.lookups().all(|name| name.starts_with(b"/n")));
    }
}

#[test]
fn text_that_grows_meets_the_budget() {
    let mut tree = Memory::new();
    tree.file("/d/f");
    // Each link says the next one many times: 1,000 bytes ask for a walk of 40 links at most, and
    // the texts of those count.
    tree.link("/l", format!("{}l", "./".repeat(200_000)));
    tree.link("/once", format!("{}d/f", "./".repeat(200_000)));
    let failed = walk(&tree, b"l", &Options::default()).unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::Budget, "{failed}");
    assert_eq!(failed.kind().errno(), None);
    assert!(failed.links().count() < 40);
    assert_eq!(told(&tree, "once", &Options::default()), "file /d/f");

    let small = Options {
        budget: 100,
        ..Options::default()
    };
    assert_eq!(told(&tree, "d/f", &small), "file /d/f");
    assert_eq!(told(&tree, "x".repeat(101), &small), "budget at no name");
    assert!(told(&tree, "d/../".repeat(19) + "d/f", &small).starts_with("budget at "));
    assert!(told(&tree, "once", &small).starts_with("budget at "));
}
