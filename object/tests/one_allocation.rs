//! A walk without links makes one allocation: the real path that it comes back with, whose prefixes
//! are the lookups. Counted on the thread that walks, over `Object::walk` on this machine: every
//! call of the allocator that gives memory, a block that grows included. The first walk also
//! learns the mounts, and is not counted.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use objcap_object::{Machine, Object, Options, Start};

/// The system's allocator, and how often this thread was given memory.
struct Counting;

thread_local! {
    static GIVEN: Cell<usize> = const { Cell::new(0) };
    static LAST: Cell<usize> = const { Cell::new(0) };
}

fn gave(memory: *mut u8) -> *mut u8 {
    GIVEN.set(GIVEN.get() + 1);
    LAST.set(memory.addr());
    memory
}

#[expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait")]
// SAFETY: every call is handed to the system's allocator as it is, and so is its answer. Counting
// allocates nothing: the cells are made with the thread and dropped without code.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promised.
        gave(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promised.
        gave(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promised.
        gave(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What was given while `work` ran, and what it made.
fn counted<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = GIVEN.get();
    let made = black_box(work());
    (GIVEN.get() - before, made)
}

/// A folder `depth` components below `base`.
fn deep(base: &Path, depth: usize) -> PathBuf {
    let names = (0..depth).map(|level| format!("folder-{level:03}"));
    let folder = base.join(names.collect::<PathBuf>());
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_walk_without_links_allocates_its_real_path_and_nothing_else() {
    let scratch = tempfile::tempdir().unwrap();
    let base = fs::canonicalize(scratch.path()).unwrap();
    let machine = Machine::ambient_root().unwrap();
    let options = Options::default();
    for depth in [1, 8, 32, 300] {
        let folder = deep(&base, depth);
        fs::write(folder.join("leaf"), "").unwrap();
        for asked in ["leaf", "absent", ""] {
            let path = folder.join(asked);
            let walk = || Object::walk(&machine, &path, &options).unwrap();
            walk();
            let (given, object) = counted(walk);
            assert_eq!(given, 1, "{asked:?} at depth {depth}");
            let real = object.walked().real();
            assert_eq!(real.as_ptr().addr(), LAST.get(), "the real path");
            let (given, lookups) = counted(|| object.lookups().count());
            assert_eq!(given, 0, "lookups are parts of it");
            assert_eq!(lookups, path.components().count() - 1);
        }
    }
    let beside = Object::walk(&machine, base.join("absent"), &options).unwrap();
    let current = Start {
        dir: beside.parent(),
        real: base.as_os_str().as_encoded_bytes(),
    };
    let walk = || Object::walk_from(&machine, current, "folder-000/leaf", &options).unwrap();
    assert_eq!(counted(walk).0, 1, "from a folder");
}

#[test]
fn what_allocates_more_is_counted() {
    let scratch = tempfile::tempdir().unwrap();
    let base = fs::canonicalize(scratch.path()).unwrap();
    let machine = Machine::ambient_root().unwrap();
    let path = deep(&base, 8).join("link");
    symlink("leaf", &path).unwrap();
    let walk = || Object::walk(&machine, &path, &Options::default()).unwrap();
    walk();
    assert!(counted(walk).0 > 1, "a link has a text");
    let twice = || walk().walked().real().to_vec();
    assert_eq!(counted(twice).0, counted(walk).0 + 1, "a copy of the path");
}
