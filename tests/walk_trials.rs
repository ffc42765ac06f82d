//! Mistakes of other path resolvers, as trials of the walk: each test is named after what it tries,
//! and its comment names the reports by their numbers in public. Every row is asked three times: by
//! whole runs, name by name, and in memory. Trials of operations, of races, of a changed spelling on a
//! real volume, and of Windows stand elsewhere or nowhere.

#![expect(
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

#[path = "walk_trials/dotdot.rs"]
mod dotdot;
#[path = "walk_trials/holes.rs"]
mod holes;
#[path = "walk_trials/leaf.rs"]
mod leaf;
#[path = "walk_trials/names.rs"]
mod names;

use objcap::object::{Leaf, Machine, Memory, Object, Options, Scope, Tree};
use objcap_support::scratch::{Entry, Scratch, expand};
use objcap_support::told::{all, machines_at};

/// A tree on disk and in memory, each as its own root, and `outside/secret` beside the one on disk.
struct World {
    scratch: Scratch,
    machines: [Machine; 2],
    memory: Memory,
}

/// `d` makes a directory, `f` a file, `l NAME TEXT` a link.
fn world(entries: &[&[&str]]) -> World {
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| match *entry {
            ["d", at] => Entry::Directory((*at).into()),
            ["f", at] => Entry::File((*at).into()),
            ["l", at, text] => Entry::Link((*at).into(), (*text).into()),
            _ => unreachable!("no such entry: {entry:?}"),
        })
        .collect();
    let scratch = Scratch::new(&entries);
    let mut memory = Memory::new();
    for entry in &entries {
        match entry {
            Entry::Directory(at) => memory.directory(at),
            Entry::Link(at, text) => memory.link(at, expand(text, scratch.root())),
            entry => memory.file(entry.path()),
        }
    }
    World {
        machines: machines_at(scratch.root()),
        memory,
        scratch,
    }
}

impl World {
    fn all(&self, options: &Options, rows: &[(&str, &str)]) {
        all(&self.machines, rows, options);
        all(std::slice::from_ref(&self.memory), rows, options);
    }

    /// The links that a walk passes, as `at -> text`, alike on each tree.
    fn links(&self, path: &str, want: &[&str]) {
        fn of<T: Tree>(tree: &T, path: &str) -> Vec<String> {
            let object = Object::walk(tree, path, &Options::default()).unwrap();
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            object
                .links()
                .map(|link| format!("{} -> {}", text(link.at()), text(link.text())))
                .collect()
        }
        for machine in &self.machines {
            assert_eq!(of(machine, path), want, "{path}");
        }
        assert_eq!(of(&self.memory, path), want, "{path}");
    }
}

fn in_root() -> Options {
    Options::default()
}

fn beneath() -> Options {
    Options {
        scope: Scope::Beneath,
        ..in_root()
    }
}

fn as_named() -> Options {
    Options {
        leaf: Leaf::AsNamed,
        ..in_root()
    }
}
