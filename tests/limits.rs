//! Long names, deep trees and odd inputs: the rows of section V that a walk has. Those about calls on
//! an object (V-24 to V-28) belong to the operations; a kernel's own limits are the oracle's, in
//! tests/walk_cases.rs.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;

use objcap::object::{Dir, ErrorKind, Machine, Object, Options, Start, Tree as _, path};
use objcap::walk::{Memory, walk, walk_from};
use objcap_support::child::{again, folder, is_root, not_checked, words};
use objcap_support::scratch::{Entry, Scratch};
use objcap_support::told::{all, machines_at, told};
use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, open, openat, unlinkat};
use rustix::process::{Resource, Rlimit, fchdir, setrlimit};

/// A descent of folders below a scratch tree, which no path of one call can name. It is taken away
/// from its bottom up, since the remover of scratch folders would give up.
struct Deep {
    tree: Scratch,
    name: String,
    depth: usize,
}

impl Deep {
    fn new(name: &str, depth: usize) -> Self {
        let tree = Scratch::new(&[]);
        let mut at = folder_at(tree.root());
        for _ in 0..depth {
            mkdirat(&at, name, Mode::RWXU).unwrap();
            at = below(&at, name);
        }
        let file = openat(&at, "f", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR);
        drop(file.unwrap());
        Deep {
            tree,
            name: name.to_owned(),
            depth,
        }
    }

    /// The path of its last folder, from the scratch root.
    fn bottom(&self) -> String {
        format!("/{}", self.name).repeat(self.depth)
    }

    fn open_bottom(&self) -> OwnedFd {
        let root = folder_at(self.tree.root());
        (0..self.depth).fold(root, |at, _| below(&at, &self.name))
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        let bottom = self.open_bottom();
        let _ = unlinkat(&bottom, "f", AtFlags::empty());
        let mut at = bottom;
        for _ in 0..self.depth {
            at = below(&at, "..");
            let _ = unlinkat(&at, &*self.name, AtFlags::REMOVEDIR);
        }
    }
}

fn folder_at(place: &Path) -> OwnedFd {
    open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap()
}

fn below(dir: &OwnedFd, name: &str) -> OwnedFd {
    openat(dir, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap()
}

#[test]
fn a_real_path_longer_than_any_call_takes() {
    // V-04: 40 names of 200 bytes.
    let deep = Deep::new(&"n".repeat(200), 40);
    let bottom = deep.bottom();
    assert_eq!(bottom.len(), 8040);
    symlink(
        format!("{}/..", "./".repeat(1500)),
        deep.tree.root().join("dots"),
    )
    .unwrap();
    for tree in machines_at(deep.tree.root()) {
        for (asked, want) in [
            (bottom.clone(), format!("directory {bottom}")),
            (format!("{bottom}/f"), format!("file {bottom}/f")),
            (format!("{bottom}/new"), format!("absent {bottom}/new")),
            (
                format!("{bottom}/f/x"),
                format!("not-a-directory at {bottom}/f"),
            ),
            (format!("{bottom}/."), format!("directory {bottom}")),
            (
                format!("{bottom}/../x"),
                format!("absent {}/x", &bottom[..39 * 201]),
            ),
            (
                format!("{bottom}{}", "/..".repeat(40)),
                "directory /".to_owned(),
            ),
            (
                format!("{bottom}{}{bottom}/f", "/..".repeat(40)),
                format!("file {bottom}/f"),
            ),
            // Link text and rest are longer than a call takes only together (X-13).
            (format!("dots{bottom}/f"), format!("file {bottom}/f")),
        ] {
            assert_eq!(told(&tree, &asked, &Options::default()), want);
        }
    }
    // Every name that was passed is in the record.
    let [tree, _] = machines_at(deep.tree.root());
    let object = Object::walk(
        &tree,
        format!("{bottom}/../{}/f", "n".repeat(200)),
        &Options::default(),
    )
    .unwrap();
    assert_eq!(object.lookups().count(), 40 + 1 + 1);
    assert_eq!(object.real().as_bytes(), format!("{bottom}/f").as_bytes());
}

#[test]
fn a_current_folder_deeper_than_any_call_takes() {
    let name = "a_current_folder_deeper_than_any_call_takes";
    let Some(root) = folder() else {
        let deep = Deep::new(&"n".repeat(200), 40);
        // The current folder is a process's own: a child goes there.
        again(name, &[], deep.tree.root());
        return;
    };
    let n = "n".repeat(200);
    let bottom = (0..40).fold(folder_at(&root), |at, _| below(&at, &n));
    fchdir(&bottom).unwrap();
    let kernel = rustix::process::getcwd(Vec::new());
    assert_eq!(
        kernel,
        Err(rustix::io::Errno::NAMETOOLONG),
        "the trap is set"
    );
    let machine = Machine::ambient_root().unwrap();
    let (dir, real) = machine.ambient_current().unwrap();
    let want = format!("{}{}", root.to_str().unwrap(), format!("/{n}").repeat(40));
    assert_eq!(String::from_utf8(real.clone()).unwrap(), want);
    let start = Start {
        dir: &dir,
        real: &real,
    };
    let walked = walk_from(&machine, start, b"../../../f", &Options::default()).unwrap();
    assert_eq!(
        walked.real(),
        format!("{}/f", &want[..want.len() - 3 * 201]).as_bytes()
    );
    assert!(walked.kind().is_none());
    let walked = walk_from(&machine, start, b"f", &Options::default()).unwrap();
    assert_eq!(walked.real(), format!("{want}/f").as_bytes());
    assert!(walked.kind().is_some());
}

#[test]
fn a_current_folder_that_is_gone_is_an_error() {
    let name = "a_current_folder_that_is_gone_is_an_error";
    let Some(root) = folder() else {
        again(name, &[], Scratch::new(&[]).root());
        return;
    };
    let machine = Machine::ambient_root().unwrap();
    std::env::set_current_dir(&root).unwrap();
    assert!(machine.ambient_current().is_ok());
    fs::create_dir(root.join("gone")).unwrap();
    std::env::set_current_dir(root.join("gone")).unwrap();
    fs::remove_dir(root.join("gone")).unwrap();
    assert_eq!(
        machine.ambient_current().unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn three_hundred_levels_with_sixty_four_descriptors() {
    // V-05.
    let name = "three_hundred_levels_with_sixty_four_descriptors";
    let Some(root) = folder() else {
        let deep = Deep::new("n", 300);
        symlink(deep.bottom(), deep.tree.root().join("l")).unwrap();
        again(name, &[], deep.tree.root());
        return;
    };
    let trees = machines_at(&root);
    let limit = Rlimit {
        current: Some(64),
        maximum: Some(64),
    };
    setrlimit(Resource::Nofile, limit).unwrap();
    let bottom = "/n".repeat(300);
    for tree in &trees {
        assert_eq!(
            told(tree, format!("{bottom}/f"), &Options::default()),
            format!("file {bottom}/f")
        );
        let path = format!("l/../{}", "../n/".repeat(20));
        assert_eq!(
            told(tree, path, &Options::default()),
            format!("directory {}", "/n".repeat(299))
        );
        let path = format!("l{}", "/..".repeat(301));
        assert_eq!(told(tree, path, &Options::default()), "directory /");
    }
}

#[test]
fn paths_about_as_long_as_a_call_takes() {
    // V-01, V-02.
    let scratch = Scratch::new(&[Entry::File(b"a/f".to_vec())]);
    for tree in machines_at(scratch.root()) {
        for length in [4090, 4094, 4095, 4096, 4097, 4099, 8190, 8191, 8192] {
            for filler in ["./", "/", "a/../"] {
                let front = filler.repeat(length / filler.len());
                for (end, want) in [
                    ("a/f", "file /a/f"),
                    ("a/no", "absent /a/no"),
                    ("a/f/x", "not-a-directory at /a/f"),
                    ("a/", "directory /a"),
                ] {
                    assert_eq!(
                        told(&tree, format!("{front}{end}"), &Options::default()),
                        want
                    );
                }
            }
        }
        assert_eq!(
            told(&tree, "/".repeat(4000), &Options::default()),
            "directory /"
        );
        let inner = format!("a{}f", "/".repeat(10_000));
        assert_eq!(told(&tree, inner, &Options::default()), "file /a/f");
    }
}

#[test]
fn a_name_that_is_too_long_says_so_only_where_it_is_looked_up() {
    // V-09.
    let (fits, long) = ("x".repeat(255), "x".repeat(256));
    let mut memory = Memory::new();
    memory.file("/d/f");
    let scratch = Scratch::new(&[Entry::File(b"d/f".to_vec())]);
    let rows = [
        (format!("d/{fits}"), format!("absent /d/{fits}")),
        (format!("d/{long}"), format!("name-too-long at /d/{long}")),
        (format!("d/{long}/"), format!("name-too-long at /d/{long}")),
        (format!("d/{long}/y"), format!("name-too-long at /d/{long}")),
        (
            format!("d/{long}/../f"),
            format!("name-too-long at /d/{long}"),
        ),
        // Behind what is absent nothing is looked up, and a file has no entries to look at.
        (format!("no/{long}"), format!("absent /no + {long}")),
        (format!("d/f/{long}"), "not-a-directory at /d/f".to_owned()),
    ];
    let rows: Vec<_> = rows.iter().map(|(ask, want)| (&**ask, &**want)).collect();
    all(&machines_at(scratch.root()), &rows, &Options::default());
    all(&[memory], &rows, &Options::default());
    // As long as no call takes.
    let endless = "x".repeat(5000);
    for tree in machines_at(scratch.root()) {
        let want = format!("name-too-long at /d/{endless}");
        assert_eq!(
            told(&tree, format!("d/{endless}"), &Options::default()),
            want
        );
        assert_eq!(
            told(&tree, format!("d/{endless}/y"), &Options::default()),
            want
        );
    }
}

#[test]
fn a_nul_is_refused_in_a_path_and_in_a_link() {
    // V-07, V-10: a kernel stores no such text, but a file server may send one.
    let scratch = Scratch::new(&[Entry::File(b"a".to_vec())]);
    let mut memory = Memory::new();
    memory.file("/a");
    memory.link("/l", b"a\0b");
    memory.link("/empty", b"");
    let nul = [
        ("a\0b", "nul-in-path at no name"),
        ("\0", "nul-in-path at no name"),
        ("a", "file /a"),
    ];
    all(&machines_at(scratch.root()), &nul, &Options::default());
    let rows = [
        ("a\0b", "nul-in-path at no name"),
        ("l", "nul-in-path at /l"),
        ("l/x", "nul-in-path at /l"),
        ("empty", "not-found at /empty"),
        ("a", "file /a"),
    ];
    all(&[memory], &rows, &Options::default());
}

#[test]
fn what_could_block_or_act_when_opened_is_not_opened() {
    // V-14, V-16: a FIFO without a writer, a socket, devices.
    let scratch = Scratch::new(&[
        Entry::Fifo(b"fifo".to_vec()),
        Entry::Socket(b"socket".to_vec()),
        Entry::Link(b"l".to_vec(), b"fifo".to_vec()),
    ]);
    let rows = [
        ("fifo", "fifo /fifo"),
        ("l", "fifo /fifo"),
        ("socket", "socket /socket"),
        ("fifo/", "not-a-directory at /fifo"),
        ("fifo/x", "not-a-directory at /fifo"),
        ("l/..", "not-a-directory at /fifo"),
        ("socket/../x", "not-a-directory at /socket"),
    ];
    all(&machines_at(scratch.root()), &rows, &Options::default());
    let devices = [
        ("/dev/null", "character device /dev/null"),
        ("/dev/null/x", "not-a-directory at /dev/null"),
        ("/dev/null/..", "not-a-directory at /dev/null"),
        ("/dev/tty/.", "not-a-directory at /dev/tty"),
    ];
    all(&machines_at(Path::new("/")), &devices, &Options::default());
    if !is_root() {
        not_checked("block devices in the middle", "making one needs root");
        return;
    }
    let made = std::process::Command::new("mknod")
        .arg(scratch.root().join("block"))
        .args(["b", "7", "200"])
        .status();
    if made.is_ok_and(|status| status.success()) {
        let rows = [
            ("block", "block device /block"),
            ("block/x", "not-a-directory at /block"),
        ];
        all(&machines_at(scratch.root()), &rows, &Options::default());
    } else {
        not_checked("block devices in the middle", "mknod makes none here");
    }
}

#[test]
fn a_scope_root_that_is_renamed_goes_on_being_the_root() {
    // V-19.
    let scratch = Scratch::new(&[
        Entry::File(b"r/a/f".to_vec()),
        Entry::Link(b"r/up".to_vec(), b"/a/../a".to_vec()),
    ]);
    let trees = machines_at(&scratch.root().join("r"));
    let rows = [
        ("a/f", "file /a/f"),
        ("up/f", "file /a/f"),
        ("a/../../a/.", "directory /a"),
        ("new", "absent /new"),
    ];
    all(&trees, &rows, &Options::default());
    fs::rename(scratch.root().join("r"), scratch.root().join("moved")).unwrap();
    fs::create_dir(scratch.root().join("r")).unwrap();
    all(&trees, &rows, &Options::default());
    fs::rename(scratch.root().join("moved"), scratch.root().join("r/in")).unwrap();
    all(&trees, &rows, &Options::default());
}

#[test]
fn names_are_kept_raw_and_shown_escaped() {
    // V-29.
    for (name, shown) in [
        (&b"a\nb"[..], "`/a\\nb`: not a directory"),
        (b"\x1b[2J", "`/\\u{1b}[2J`: not a directory"),
        ("\u{202e}gpj".as_bytes(), "`/\\u{202e}gpj`: not a directory"),
        (b"\xff", "`/\\xff`: not a directory"),
    ] {
        let scratch = Scratch::new(&[Entry::File(name.to_vec())]);
        for tree in machines_at(scratch.root()) {
            let walked = walk(&tree, name, &Options::default()).unwrap();
            assert_eq!(walked.real(), path::join(b"/", name));
            let error = walk(&tree, &path::join(name, b"x"), &Options::default()).unwrap_err();
            assert_eq!(
                (error.at(), &*error.to_string()),
                (&path::join(b"/", name)[..], shown)
            );
        }
    }
}

#[test]
fn no_descriptor_left_is_an_error_and_never_absence() {
    // V-06.
    let name = "no_descriptor_left_is_an_error_and_never_absence";
    let Some(root) = folder() else {
        let scratch = Scratch::new(&[
            Entry::File(b"d/f".to_vec()),
            Entry::Link(b"l".to_vec(), b"d/f".to_vec()),
        ]);
        again(name, &words(&[]), scratch.root());
        return;
    };
    let trees = machines_at(&root);
    let paths = [
        "d/f", "d/no", "no", "no/x", "d/.", "l", "l/x", "d", ".", "d/../no",
    ];
    for tree in &trees {
        assert_eq!(told(tree, "d/f", &Options::default()), "file /d/f");
    }
    let mut held = Vec::new();
    let limit = Rlimit {
        current: Some(32),
        maximum: Some(32),
    };
    setrlimit(Resource::Nofile, limit).unwrap();
    while let Ok(next) = open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
        held.push(next);
    }
    // EMFILE is 24 on every system that walks.
    let errors: Vec<_> = trees
        .iter()
        .flat_map(|tree| paths.map(|path| (path, walk(tree, path.as_bytes(), &Options::default()))))
        .map(|(path, walked)| {
            let errno = walked.err().and_then(|error| {
                let source = error.fault().io_error()?.raw_os_error();
                source.filter(|_| error.kind() == ErrorKind::System)
            });
            (path, errno)
        })
        .collect();
    // With one, two, three more: right or an error, and not absent where it is not.
    let mut partly = Vec::new();
    for _ in 0..3 {
        held.pop();
        for tree in &trees {
            partly.push(told(tree, "d/../d/f", &Options::default()));
            partly.push(told(tree, "l", &Options::default()));
        }
    }
    drop(held);
    for (path, errno) in errors {
        assert_eq!(errno, Some(24), "{path}");
    }
    for answer in partly {
        assert!(
            answer == "file /d/f" || answer.starts_with("system at "),
            "{answer}"
        );
    }
    let [tree, _] = &trees;
    assert_eq!(told(tree, "d/no", &Options::default()), "absent /d/no");
    let _: &Dir = tree.root();
}
