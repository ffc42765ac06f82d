//! Removing a tree that is deeper than a path can be long, with few descriptors. A process of its
//! own, because the limit is the process's.

#![cfg(any(target_os = "linux", target_os = "macos"))]

use std::fs;

use objcap_object::{Machine, Object, Options};
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[test]
fn a_tree_deeper_than_a_path_goes_with_sixteen_descriptors() {
    const DEPTH: usize = 3_000;
    let folder = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(real.join("d")).unwrap();
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let mut here = openat(CWD, real.join("d"), flags, Mode::empty()).unwrap();
    let mode = Mode::from_raw_mode(0o700);
    for _ in 0..DEPTH {
        let file = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        openat(&here, "a-file-beside", file, mode).unwrap();
        mkdirat(&here, "a-folder-below", mode).unwrap();
        here = openat(&here, "a-folder-below", flags, Mode::empty()).unwrap();
    }
    drop(here);
    let machine = Machine::ambient_root().unwrap();
    let object = Object::walk(&machine, real.join("d"), &Options::default()).unwrap();
    let before = getrlimit(Resource::Nofile);
    let few = Rlimit {
        current: Some(16),
        maximum: before.maximum,
    };
    setrlimit(Resource::Nofile, few).unwrap();
    let answer = object.remove_all();
    setrlimit(Resource::Nofile, before).unwrap();
    answer.unwrap();
    assert!(!real.join("d").exists());
}
