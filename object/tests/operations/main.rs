//! Operations on objects, on the real file system. Every test has a fresh folder `ROOT` with
//! `outside/secret` beside it.
//!
//! Names in brackets are rows of the tables of cases and of public bug reports that a test
//! restates: Q operations, Z races, V special files, T reports.

#![cfg(any(target_os = "linux", target_os = "macos"))]
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and says what it could not try"
)]

mod current;
mod listing;
mod make;
mod matrix;
mod mount;
mod open;
mod overlay;
mod remove;
mod replace;
mod storm;
mod two_ends;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use objcap_object::error::{Error, ErrorKind};
use objcap_object::{Leaf, Machine, Object, Options};

/// A fresh folder, and the machine to walk it on.
struct World {
    machine: Machine,
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        let root = real.join("ROOT");
        fs::create_dir(&root).unwrap();
        fs::create_dir(real.join("outside")).unwrap();
        fs::write(real.join("outside/secret"), "secret").unwrap();
        World {
            machine: Machine::ambient_root().unwrap(),
            root,
            _folder: folder,
        }
    }

    /// The tree of section Q: dir/, file, ld → dir, lf → file, dang → nope, dangdir → nope/,
    /// dangdeep → nope/x, self → self.
    fn of_section_q() -> Self {
        let world = World::new();
        world.dir("dir").file("file", "contents");
        for (name, text) in [
            ("ld", "dir"),
            ("lf", "file"),
            ("dang", "nope"),
            ("dangdir", "nope/"),
            ("dangdeep", "nope/x"),
            ("self", "self"),
        ] {
            world.link(name, text);
        }
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn outside(&self) -> PathBuf {
        self.root.parent().unwrap().join("outside")
    }

    fn file(&self, name: &str, contents: &str) -> &Self {
        fs::write(self.path(name), contents).unwrap();
        self
    }

    fn dir(&self, name: &str) -> &Self {
        fs::create_dir_all(self.path(name)).unwrap();
        self
    }

    fn link(&self, name: &str, text: impl AsRef<Path>) -> &Self {
        symlink(text, self.path(name)).unwrap();
        self
    }

    fn fifo(&self, name: &str) -> &Self {
        // By a program: macOS has no mkfifoat, and rustix no mkfifo.
        let made = Command::new("mkfifo").arg(self.path(name)).status();
        assert!(made.unwrap().success());
        self
    }

    fn remove(&self, name: &str) -> &Self {
        fs::remove_file(self.path(name)).unwrap();
        self
    }

    fn rename(&self, from: &str, to: &str) -> &Self {
        fs::rename(self.path(from), self.path(to)).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Whether the folder outside is as it was made.
    fn is_outside_untouched(&self) -> bool {
        fs::read_dir(self.outside()).unwrap().count() == 1
            && fs::read_to_string(self.outside().join("secret")).unwrap() == "secret"
    }

    /// The names in the folder, sorted.
    fn names(&self, name: &str) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.path(name))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn try_walk(&self, name: &str, leaf: Leaf) -> Result<Object, objcap_object::Error> {
        let options = Options {
            leaf,
            ..Options::default()
        };
        let path = format!("{}/{name}", self.root.to_str().unwrap());
        Object::walk(&self.machine, path, &options)
    }

    /// The object that the name leads to.
    fn walk(&self, name: &str) -> Object {
        self.try_walk(name, Leaf::Follow).unwrap()
    }

    /// The object that has the name: of a link, the link.
    fn named(&self, name: &str) -> Object {
        self.try_walk(name, Leaf::AsNamed).unwrap()
    }

    fn at_root(&self) -> Object {
        Object::walk(&self.machine, "/", &Options::default()).unwrap()
    }
}

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(answer: Result<T, Error>, kind: ErrorKind) {
    assert_eq!(answer.unwrap_err().kind(), kind);
}

/// Says loudly that something could not be tried here.
fn not_checked(what: &str, why: &str) {
    println!("NOT CHECKED: {what}: {why}");
}
