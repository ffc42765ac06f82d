//! What a walk may do where its user may not do everything: folders without search or listing, links
//! that the kernel guards, mounts that follow none, and filters that forbid a call. The rows are those
//! of section R; are about macOS and type-checked there, R-10 is about operations, and
//! R-21 about reopening through procfs, which nothing here does.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use objcap::object::{Dir, Leaf, Machine, Options, Start, Tree as _};
use objcap::walk::walk_from;
use objcap_support::child::{NOBODY, again, folder, is_root, not_checked, privately, words};
use objcap_support::scratch::{Entry, Scratch};
use objcap_support::told::{all, answer, machines_at};

const AS_NAMED: Options = Options {
    leaf: Leaf::AsNamed,
    ..FOLLOW
};
const FOLLOW: Options = Options {
    scope: objcap::object::Scope::InRoot,
    links: objcap::object::Links::Follow,
    leaf: Leaf::Follow,
    tail: objcap::object::Tail::Accept,
    require: objcap::object::Require::Anything,
    budget: 8 << 20,
};

/// A tree that everyone may enter.
fn open_tree(entries: &[Entry]) -> Scratch {
    let tree = Scratch::new(entries);
    for folder in [tree.root(), tree.root().parent().unwrap()] {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    tree
}

fn mode(place: &Path, mode: u32) {
    fs::set_permissions(place, Permissions::from_mode(mode)).unwrap();
}

/// The test again as a user who is not root, since root may do everything.
fn as_nobody(name: &str, tree: &Scratch) {
    if is_root() {
        again(name, &words(&NOBODY), tree.root());
    } else {
        again(name, &[], tree.root());
    }
}

fn folders() -> Scratch {
    let mut entries = vec![Entry::File(b"file".to_vec())];
    for name in ["ns", "xo", "z"] {
        entries.push(Entry::File(format!("{name}/in/f").into()));
        entries.push(Entry::Link(format!("{name}/l").into(), b"in".to_vec()));
        entries.push(Entry::Link(
            format!("to-{name}").into(),
            format!("{name}/in").into(),
        ));
    }
    open_tree(&entries)
}

#[test]
fn a_folder_without_search_is_an_error_and_never_absence() {
    let Some(root) = folder() else {
        let tree = folders();
        mode(&tree.root().join("ns"), 0o444);
        mode(&tree.root().join("xo"), 0o111);
        mode(&tree.root().join("z"), 0o000);
        as_nobody(
            "a_folder_without_search_is_an_error_and_never_absence",
            &tree,
        );
        for name in ["ns", "xo", "z"] {
            mode(&tree.root().join(name), 0o755);
        }
        return;
    };
    let trees = machines_at(&root);
    all(
        &trees,
        &[
            // What may be done under the same conditions.
            ("file", "file /file"),
            ("xo", "directory /xo"),
            ("xo/.", "directory /xo"),
            ("xo/..", "directory /"),
            ("xo/in/f", "file /xo/in/f"),
            ("xo/l", "directory /xo/in"),
            ("xo/l/../in/f", "file /xo/in/f"),
            ("to-xo/f", "file /xo/in/f"),
            ("xo/nope", "absent /xo/nope"),
            ("xo/nope/x", "absent /xo/nope + x"),
            ("ns", "directory /ns"),
            ("ns/", "directory /ns"),
            ("z", "directory /z"),
            ("z/", "directory /z"),
            // `.` and `..` need search.
            ("ns/.", "permission-denied at /ns/."),
            ("ns/..", "permission-denied at /ns/.."),
            ("ns/../file", "permission-denied at /ns/.."),
            ("ns/../..", "permission-denied at /ns/.."),
            //
            ("ns/in", "permission-denied at /ns/in"),
            ("ns/in/f", "permission-denied at /ns/in"),
            ("ns/in/../../file", "permission-denied at /ns/in"),
            ("ns/nope", "permission-denied at /ns/nope"),
            ("ns/nope/x", "permission-denied at /ns/nope"),
            ("ns/l", "permission-denied at /ns/l"),
            ("ns/l/", "permission-denied at /ns/l"),
            ("to-ns", "permission-denied at /ns/in"),
            ("to-ns/../..", "permission-denied at /ns/in"),
            //
            ("z/.", "permission-denied at /z/."),
            ("z/in", "permission-denied at /z/in"),
            ("to-z/f", "permission-denied at /z/in"),
        ],
        &FOLLOW,
    );
    let as_named = [
        ("xo/l", "symlink /xo/l"),
        ("to-ns", "symlink /to-ns"),
        ("ns/l", "permission-denied at /ns/l"),
        ("to-ns/", "permission-denied at /ns/in"),
    ];
    all(&trees, &as_named, &AS_NAMED);
    // from a handle on such a folder.
    for tree in &trees {
        let from = |name: &str, path: &[u8]| {
            let dir = tree.run(tree.root(), name.as_bytes()).dir.unwrap();
            let real = format!("/{name}");
            let real = real.as_bytes();
            answer(&walk_from(tree, Start { dir: &dir, real }, path, &FOLLOW))
        };
        assert_eq!(from("xo", b"."), "directory /xo");
        assert_eq!(from("xo", b".."), "directory /");
        assert_eq!(from("ns", b"."), "permission-denied at /ns/.");
        assert_eq!(from("ns", b".."), "permission-denied at /ns/..");
        assert_eq!(from("ns", b"in"), "permission-denied at /ns/in");
    }
}

#[test]
fn a_root_that_may_be_searched_but_not_listed_is_enough() {
    // R-22, as far as it can be shown here: on a Mac a sandbox denies file-read-data of `/`.
    let Some(root) = folder() else {
        let tree = open_tree(&[
            Entry::File(b"a/b/f".to_vec()),
            Entry::Link(b"a/up".to_vec(), b"/a/b/..".to_vec()),
        ]);
        let folders = [tree.root().join("a"), tree.root().to_owned()];
        // Whoever is not root is no other user, and the folders' owner.
        folders.iter().for_each(|folder| mode(folder, 0o311));
        as_nobody(
            "a_root_that_may_be_searched_but_not_listed_is_enough",
            &tree,
        );
        // To be removed, they are listed.
        folders.iter().for_each(|folder| mode(folder, 0o755));
        return;
    };
    assert!(fs::read_dir(&root).is_err(), "the folder cannot be listed");
    let rows = [
        ("a/b/f", "file /a/b/f"),
        ("a/b/../b/.", "directory /a/b"),
        ("a/up/b/f", "file /a/b/f"),
        ("a/new", "absent /a/new"),
        ("..", "directory /"),
    ];
    all(&machines_at(&root), &rows, &FOLLOW);
}

/// A sticky folder that everyone may write, with links of root (whose folder it is not), of the
/// walker, and of the folder's owner.
fn sticky() -> Scratch {
    let tree = open_tree(&[
        Entry::File(b"d/f".to_vec()),
        Entry::Directory(b"tmp".to_vec()),
        Entry::Directory(b"sticky".to_vec()),
        Entry::Directory(b"shared".to_vec()),
    ]);
    let root = tree.root();
    for folder in ["tmp", "sticky", "shared"] {
        for (name, owner) in [("alien", 1000), ("mine", 65534), ("owners", 2000)] {
            let link = root.join(folder).join(name);
            symlink("/d", &link).unwrap();
            std::os::unix::fs::lchown(&link, Some(owner), None).unwrap();
        }
        chown(root.join(folder), Some(2000), None).unwrap();
    }
    for (folder, text) in [("tmp", "../shared/alien"), ("shared", "../tmp/alien")] {
        let chain = [("1", "2"), ("2", "3"), ("3", "alien"), ("over", text)];
        for (name, text) in chain {
            let link = root.join(folder).join(name);
            symlink(text, &link).unwrap();
            std::os::unix::fs::lchown(&link, Some(65534), None).unwrap();
        }
    }
    symlink("tmp/alien", root.join("by-name")).unwrap();
    mode(&root.join("tmp"), 0o1777);
    mode(&root.join("sticky"), 0o1775);
    mode(&root.join("shared"), 0o777);
    tree
}

/// R-17, with the setting that the child finds in procfs: a file of ours stands over it, so that
/// nobody else's links are guarded any less meanwhile.
fn with_protected_symlinks(name: &str, setting: &str) {
    if !is_root() {
        not_checked(name, "links of other owners need root");
        return;
    }
    let tree = sticky();
    let ours = tree.root().join("setting");
    fs::write(&ours, setting).unwrap();
    let mount = "mount --bind \"$0\"/setting /proc/sys/fs/protected_symlinks";
    let mut under = privately(mount, tree.root());
    under.extend(words(&NOBODY));
    again(name, &under, tree.root());
}

#[test]
fn protected_symlinks_on_guards_links_of_others_in_a_sticky_folder() {
    let Some(root) = folder() else {
        return with_protected_symlinks(
            "protected_symlinks_on_guards_links_of_others_in_a_sticky_folder",
            "1\n",
        );
    };
    let trees = machines_at(&root);
    all(
        &trees,
        &[
            ("tmp/mine", "directory /d"),
            ("tmp/owners", "directory /d"),
            ("tmp/alien", "permission-denied at /tmp/alien"),
            ("tmp/alien/", "permission-denied at /tmp/alien"),
            ("by-name", "permission-denied at /tmp/alien"),
            // The kernel asks only of a link that ends the name (may_follow_link in fs/namei.c).
            ("tmp/alien/f", "file /d/f"),
            ("tmp/alien/.", "directory /d"),
            // A link is asked by itself, whatever was known of those before it.
            ("tmp/1", "permission-denied at /tmp/alien"),
            ("shared/1", "directory /d"),
            ("shared/over", "permission-denied at /tmp/alien"),
            ("tmp/over", "directory /d"),
            // Neither folder is both sticky and open to everyone.
            ("sticky/alien", "directory /d"),
            ("shared/alien", "directory /d"),
        ],
        &FOLLOW,
    );
    all(&trees, &[("tmp/alien", "symlink /tmp/alien")], &AS_NAMED);
}

#[test]
fn protected_symlinks_off_guards_nothing() {
    let Some(root) = folder() else {
        return with_protected_symlinks("protected_symlinks_off_guards_nothing", "0\n");
    };
    let rows = [
        ("tmp/mine", "directory /d"),
        ("tmp/alien", "directory /d"),
        ("by-name", "directory /d"),
    ];
    all(&machines_at(&root), &rows, &FOLLOW);
}

#[test]
fn a_mount_with_nosymfollow_refuses_its_links_and_shows_them() {
    //
    let name = "a_mount_with_nosymfollow_refuses_its_links_and_shows_them";
    let Some(root) = folder() else {
        if !is_root() {
            not_checked(name, "a mount needs root");
            return;
        }
        let tree = open_tree(&[
            Entry::Directory(b"m".to_vec()),
            Entry::File(b"d/f".to_vec()),
            Entry::Link(b"d/in".to_vec(), b"../m/l".to_vec()),
            Entry::Link(b"d/past".to_vec(), b"../m/d".to_vec()),
        ]);
        let mount = "mount -t tmpfs -o nosymfollow none \"$0\"/m; mkdir \"$0\"/m/d; \
                     touch \"$0\"/m/d/f; ln -s d \"$0\"/m/l; ln -s /d \"$0\"/m/out";
        again(name, &privately(mount, tree.root()), tree.root());
        return;
    };
    let trees = machines_at(&root);
    all(
        &trees,
        &[
            ("m/d/f", "file /m/d/f"),
            ("m/d/../../d/f", "file /d/f"),
            ("d/past/f", "file /m/d/f"),
            ("m/l", "link-refused at /m/l"),
            ("m/l/", "link-refused at /m/l"),
            ("m/l/f", "link-refused at /m/l"),
            ("m/out", "link-refused at /m/out"),
            ("d/in/f", "link-refused at /m/l"),
        ],
        &FOLLOW,
    );
    all(&trees, &[("m/l", "symlink /m/l")], &AS_NAMED);
    for tree in &trees {
        let error = objcap::walk::walk(tree, b"m/l", &FOLLOW).unwrap_err();
        assert_eq!(error.kind().errno(), Some("ELOOP"));
    }
}

/// Another thread's filter is not this thread's: what failed for one is tried anew by the other,
/// on one and the same machine.
#[test]
fn a_filter_that_forbids_openat2_is_not_remembered_from_another_thread() {
    // R-23; every row of the table under such a filter: tests/walk_cases.rs.
    let name = "a_filter_that_forbids_openat2_is_not_remembered_from_another_thread";
    let Some(root) = folder() else {
        let tree = open_tree(&[Entry::File(b"a/b/c/f".to_vec())]);
        let trace = tree.root().join("trace");
        let mut under = words(&["strace", "-f", "-qq", "-e", "trace=openat2", "-o"]);
        under.push(trace.clone().into());
        if !again(name, &under, tree.root()) {
            return;
        }
        let calls = fs::read_to_string(trace).unwrap();
        let count = |end: &str| calls.lines().filter(|call| call.contains(end)).count();
        assert_eq!(
            count("EPERM"),
            1,
            "the filtered thread asked once:\n{calls}"
        );
        assert_eq!(count("ENOSYS"), 1, "and under the other filter:\n{calls}");
        // A call that another thread's interrupted stands in two lines, its result in the second.
        let ended = calls.lines().filter(|call| !call.contains("unfinished"));
        let done = ended.filter(|call| !call.contains("= -1")).count();
        let want = 2 + 3;
        assert_eq!(
            done, want,
            "to open two roots; before, between and after:\n{calls}"
        );
        return;
    };
    let [machine, _] = machines_at(&root);
    let ask = || objcap_support::told::told(&machine, "a/b/c/f", &FOLLOW);
    let filtered = |errno| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                forbid_openat2(errno);
                ask()
            });
            thread.join().unwrap()
        })
    };
    let want = "file /a/b/c/f";
    // EPERM and ENOSYS, by their numbers on every Linux but a few old ones (errno(3)).
    let answers = [ask(), filtered(1), ask(), filtered(38), ask()];
    assert_eq!(answers, [want; 5]);
}

/// Puts this thread, for good, under a filter that answers openat2 with an error.
fn forbid_openat2(errno: u32) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    /// openat2's number, the same on every architecture (since 5.6).
    const OPENAT2: i64 = 437;
    let filter = SeccompFilter::new(
        [(OPENAT2, Vec::new())].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(errno),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    apply_filter(&program).unwrap();
}

/// The start of a walk may itself be out of reach: then it is an error to leave it, and its own
/// handle still serves.
#[test]
fn a_handle_serves_where_its_name_does_not() {
    let name = "a_handle_serves_where_its_name_does_not";
    let Some(root) = folder() else {
        if !is_root() {
            not_checked(
                name,
                "the handle is opened as root, before the walk is another user's",
            );
            return;
        }
        let tree = open_tree(&[Entry::File(b"shut/in/f".to_vec())]);
        again(name, &[], tree.root());
        return;
    };
    let [machine, _] = machines_at(&root);
    let dir = machine.run(machine.root(), b"shut/in").dir.unwrap();
    mode(&root.join("shut"), 0o700);
    let start = |dir: &Dir, machine: &Machine, path: &[u8]| {
        let start = Start {
            dir,
            real: b"/shut/in",
        };
        answer(&walk_from(machine, start, path, &FOLLOW))
    };
    rustix::thread::set_thread_res_uid(
        rustix::process::Uid::from_raw(65534),
        rustix::process::Uid::from_raw(65534),
        rustix::process::Uid::from_raw(65534),
    )
    .unwrap();
    assert_eq!(start(&dir, &machine, b"f"), "file /shut/in/f");
    assert_eq!(start(&dir, &machine, b"new"), "absent /shut/in/new");
    assert_eq!(
        start(&dir, &machine, b"/shut/in/f"),
        "permission-denied at /shut/in"
    );
    // What was passed by `..` is opened again by its name.
    assert_eq!(
        start(&dir, &machine, b"../in/f"),
        "permission-denied at /shut/in"
    );
}
