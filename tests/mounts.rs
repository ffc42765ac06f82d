//! Walks over mounts, and links of procfs whose text is not where they lead. The rows are those of
//! section M. M-01 to M-06 are about `RESOLVE_NO_XDEV`, which no option of the walk asks for: a walk
//! crosses mounts as the kernel does, and says in the identity which mount it ended on.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::fs::symlink;

use objcap::object::{ErrorKind, Leaf, Machine, Options, Tree};
use objcap::walk::{Fault, Memory, Stat, Step, walk};
use objcap_support::child::{again, folder, is_root, not_checked, privately};
use objcap_support::scratch::{Entry, Scratch};
use objcap_support::told::{all, machines_at, told};

fn follow() -> Options {
    Options::default()
}

fn as_named() -> Options {
    Options {
        leaf: Leaf::AsNamed,
        ..follow()
    }
}

fn machines() -> [Machine; 2] {
    let machine = || Machine::ambient_root().unwrap();
    [machine(), machine().stepwise()]
}

/// What a name below `/proc/self` is called by a walk.
fn of_process(name: &str) -> String {
    format!("/proc/{}/{name}", std::process::id())
}

#[test]
fn magic_links_are_refused_wherever_they_stand_and_shown_as_named() {
    // M-08 to M-14, M-18.
    let file = fs::File::open("/dev/null").unwrap();
    let (reader, _writer) = std::io::pipe().unwrap();
    let (socket, _other) = std::os::unix::net::UnixStream::pair().unwrap();
    let mut links = vec![
        "exe".to_owned(),
        "cwd".to_owned(),
        "root".to_owned(),
        "ns/mnt".to_owned(),
        "ns/user".to_owned(),
        "task/../exe".to_owned(),
    ];
    for fd in [
        file.as_fd().as_raw_fd(),
        // `pipe:[…]` and `socket:[…]`.
        reader.as_fd().as_raw_fd(),
        socket.as_fd().as_raw_fd(),
    ] {
        links.push(format!("fd/{fd}"));
    }
    if let Some(mapped) = fs::read_dir("/proc/self/map_files").unwrap().next() {
        let mapped = mapped.unwrap().file_name().into_string().unwrap();
        links.push(format!("map_files/{mapped}"));
    }
    for link in links {
        let at = of_process(&link.replace("task/../", ""));
        for tree in machines() {
            let asked = |front: &str, end: &str| format!("{front}/{link}{end}");
            let refused = format!("magic-link at {at}");
            for front in ["/proc/self", "/proc/self/../self", "/proc/self/task/.."] {
                for end in ["", "/", "/.", "/..", "/etc", "/../../etc"] {
                    let path = asked(front, end);
                    assert_eq!(told(&tree, &path, &follow()), refused, "{path}");
                    if end.is_empty() {
                        assert_eq!(told(&tree, &path, &as_named()), format!("symlink {at}"));
                    } else {
                        assert_eq!(told(&tree, &path, &as_named()), refused, "{path}");
                    }
                }
            }
        }
    }
}

#[test]
fn plain_links_of_procfs_are_followed() {
    // M-15, M-16.
    let rows = [
        (
            "/proc/self".to_owned(),
            format!("directory {}", of_process("").trim_end_matches('/')),
        ),
        (
            "/proc/self/.".to_owned(),
            format!("directory {}", of_process("").trim_end_matches('/')),
        ),
        ("/proc/self/..".to_owned(), "directory /proc".to_owned()),
        (
            "/proc/mounts".to_owned(),
            format!("file {}", of_process("mounts")),
        ),
        (
            "/proc/net".to_owned(),
            format!("directory {}", of_process("net")),
        ),
        (
            "/proc/self/status".to_owned(),
            format!("file {}", of_process("status")),
        ),
        (
            "/proc/self/fd".to_owned(),
            format!("directory {}", of_process("fd")),
        ),
        (
            "/proc/self/fd/9999".to_owned(),
            format!("absent {}", of_process("fd/9999")),
        ),
        (
            "/proc/self/status/x".to_owned(),
            format!("not-a-directory at {}", of_process("status")),
        ),
    ];
    let rows: Vec<_> = rows.iter().map(|(ask, want)| (&**ask, &**want)).collect();
    all(&machines(), &rows, &follow());
    all(
        &machines(),
        &[("/proc/self", "symlink /proc/self")],
        &as_named(),
    );
    let refuse = Options {
        links: objcap::object::Links::Refuse,
        ..follow()
    };
    all(
        &machines(),
        &[("/proc/self", "link-refused at /proc/self")],
        &refuse,
    );
}

#[test]
fn links_from_outside_lead_to_magic_links_by_text_and_are_refused_there() {
    let tree = Scratch::new(&[
        Entry::File(b"d/f".to_vec()),
        Entry::Link(b"to-exe".to_vec(), b"/proc/self/exe".to_vec()),
        Entry::Link(b"to-root".to_vec(), b"/proc/self/../self/root".to_vec()),
        Entry::Link(b"to-cwd".to_vec(), b"/proc/self/cwd/".to_vec()),
        Entry::Link(b"to-link".to_vec(), b"to-root".to_vec()),
        Entry::Link(b"to-fd".to_vec(), b"/dev/fd/0".to_vec()),
        Entry::Link(b"to-plain".to_vec(), b"/proc/self".to_vec()),
    ]);
    let at = |name: &str| format!("magic-link at {}", of_process(name));
    let ask = |name: &str| tree.root().join(name).to_str().unwrap().to_owned();
    for machine in machines() {
        for (name, want) in [
            ("to-exe", at("exe")),
            ("to-root/etc", at("root")),
            ("to-cwd", at("cwd")),
            ("to-link/..", at("root")),
            (
                "to-plain",
                format!("directory /proc/{}", std::process::id()),
            ),
            ("to-plain/root", at("root")),
        ] {
            assert_eq!(told(&machine, ask(name), &follow()), want, "{name}");
        }
        // The last link as named is the one that the text ends with, and not what that leads to.
        let exe = ask("to-exe");
        assert_eq!(told(&machine, &exe, &as_named()), format!("symlink {exe}"));
        // M-18: devtmpfs has plain links to procfs.
        if fs::symlink_metadata("/dev/fd").is_ok_and(|found| found.is_symlink()) {
            assert_eq!(told(&machine, "/dev/fd/0", &follow()), at("fd/0"));
            assert_eq!(
                told(&machine, "/dev/fd/9999", &follow()),
                format!("absent {}", of_process("fd/9999"))
            );
            assert_eq!(told(&machine, ask("to-fd"), &follow()), at("fd/0"));
        } else {
            not_checked("/dev/fd", "it is no link here");
        }
        if fs::symlink_metadata("/dev/stdin").is_ok_and(|found| found.is_symlink()) {
            assert_eq!(told(&machine, "/dev/stdin", &follow()), at("fd/0"));
            assert_eq!(
                told(&machine, "/dev/stdin", &as_named()),
                "symlink /dev/stdin"
            );
        } else {
            not_checked("/dev/stdin", "it is no link here");
        }
    }
}

#[test]
fn the_folders_of_another_process_are_no_way_out() {
    let mut child = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .unwrap();
    let pid = child.id();
    for machine in machines() {
        for name in ["root", "cwd", "exe"] {
            for front in ["", "/..", "/../../proc/self/.."] {
                let path = format!("/proc/{pid}{front}/{pid}/{name}/etc");
                let path = if front.is_empty() {
                    format!("/proc/{pid}/{name}/etc")
                } else {
                    path
                };
                let want = format!("magic-link at /proc/{pid}/{name}");
                assert_eq!(told(&machine, &path, &follow()), want, "{path}");
            }
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_text_of_a_magic_link_names_another_object() {
    // M-11 and M-13: `/proc/self/fd/N` of a removed file says `f (deleted)`, and a file can have
    // that name.
    let tree = Scratch::new(&[
        Entry::File(b"f".to_vec()),
        Entry::File(b"f (deleted)".to_vec()),
    ]);
    let held = fs::File::open(tree.root().join("f")).unwrap();
    fs::remove_file(tree.root().join("f")).unwrap();
    let fd = format!("fd/{}", held.as_raw_fd());
    let text = fs::read_link(format!("/proc/self/{fd}")).unwrap();
    assert_eq!(text, tree.root().join("f (deleted)"), "the trap is set");
    for machine in machines() {
        let want = format!("magic-link at {}", of_process(&fd));
        assert_eq!(told(&machine, format!("/proc/self/{fd}"), &follow()), want);
    }
    let rows = [("f (deleted)", "file /f (deleted)"), ("f", "absent /f")];
    all(&machines_at(tree.root()), &rows, &follow());
}

#[test]
fn mounts_are_crossed_both_ways_and_told_by_their_number() {
    // What M-01 to M-06 ask of a kernel flag, and M-21.
    let name = "mounts_are_crossed_both_ways_and_told_by_their_number";
    let Some(root) = folder() else {
        if !is_root() {
            not_checked(name, "a mount needs root");
            return;
        }
        let tree = Scratch::new(&[
            Entry::Directory(b"m".to_vec()),
            Entry::File(b"d/f".to_vec()),
            Entry::Directory(b"b".to_vec()),
            Entry::File(b"over/f".to_vec()),
        ]);
        let mounts = "mount -t tmpfs none \"$0\"/m; mkdir \"$0\"/m/in; ln -s ../m/in \"$0\"/m/self; \
                      ln -s /m \"$0\"/m/abs; mount --bind \"$0\"/d \"$0\"/b";
        again(name, &privately(mounts, tree.root()), tree.root());
        return;
    };
    let trees = machines_at(&root);
    all(
        &trees,
        &[
            ("m", "directory /m"),
            ("m/.", "directory /m"),
            ("m/in/../../d/f", "file /d/f"),
            ("m/..", "directory /"),
            ("m/self", "directory /m/in"),
            ("m/abs/in", "directory /m/in"),
            ("b/f", "file /b/f"),
            ("b/../d/f", "file /d/f"),
        ],
        &follow(),
    );
    let [tree, _] = &trees;
    let identity = |path: &str| {
        walk(tree, path.as_bytes(), &follow())
            .unwrap()
            .identity()
            .unwrap()
    };
    let (plain, bound) = (identity("d/f"), identity("b/f"));
    assert!(plain.may_be(&bound), "one object");
    assert_ne!(plain.mount, bound.mount, "by two mounts");
    assert_ne!(identity("m").mount, identity("d").mount);
    // M-21: the handle goes on meaning what it was opened on; the name means another mount.
    let before = walk(tree, b"over/f", &follow()).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["--bind"])
        .args([root.join("d"), root.join("over")])
        .status();
    assert!(mounted.unwrap().success());
    let held = tree.look(before.parent(), b"f").unwrap().unwrap();
    assert_eq!(Some(held.identity), before.identity());
    let now = identity("over/f");
    assert_ne!(Some(now), before.identity());
    assert_ne!(
        Some(now.mount),
        before.identity().map(|before| before.mount)
    );
}

#[test]
fn what_stands_over_procfs_is_walked_as_what_it_is() {
    // M-17: links on the mount are text like any other, and a part of procfs bound elsewhere keeps
    // its magic links.
    let name = "what_stands_over_procfs_is_walked_as_what_it_is";
    let Some(root) = folder() else {
        if !is_root() {
            not_checked(name, "a mount needs root");
            return;
        }
        let tree = Scratch::new(&[
            Entry::File(b"d/f".to_vec()),
            Entry::Directory(b"proc".to_vec()),
            Entry::Directory(b"one".to_vec()),
        ]);
        symlink("../d", tree.root().join("one/fd")).unwrap();
        let mounts = "mount -t proc none \"$0\"/proc; mount --bind \"$0\"/one \"$0\"/proc/1; \
                      mount --bind \"$0\"/proc/$$ \"$0\"/d";
        again(name, &privately(mounts, tree.root()), tree.root());
        return;
    };
    let rows = [
        ("proc/1/fd", "absent /proc/d"),
        ("d/root", "magic-link at /d/root"),
        ("d/root/etc", "magic-link at /d/root"),
        ("d/../d/exe", "magic-link at /d/exe"),
        ("d/status", "file /d/status"),
    ];
    all(&machines_at(&root), &rows, &follow());
}

/// A tree where one name is out of reach, as on a file server that is gone.
struct Stale(Memory);

impl Stale {
    fn fault(name: &[u8]) -> Result<(), Fault> {
        if name == b"gone" {
            // ESTALE (errno(3)): no name of it in std is stable.
            return Err(Fault::new(
                ErrorKind::System,
                std::io::Error::from_raw_os_error(116),
            ));
        }
        Ok(())
    }
}

impl Tree for Stale {
    type Dir = <Memory as Tree>::Dir;
    type Notes = ();

    fn root(&self) -> &Self::Dir {
        self.0.root()
    }

    fn share(&self, dir: &Self::Dir) -> Result<Self::Dir, Fault> {
        self.0.share(dir)
    }

    fn stat(&self, dir: &Self::Dir) -> Result<Stat, Fault> {
        self.0.stat(dir)
    }

    fn look(&self, dir: &Self::Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
        Stale::fault(name)?;
        self.0.look(dir, name)
    }

    fn step(&self, dir: &Self::Dir, name: &[u8], (): &mut ()) -> Result<Step<Self::Dir>, Fault> {
        Stale::fault(name)?;
        self.0.step(dir, name, &mut ())
    }
}

#[test]
fn a_stale_handle_is_an_error_and_never_absence() {
    // M-20.
    let mut tree = Stale(Memory::new());
    tree.0.file("/m/f");
    tree.0.link("/l", "m/gone/x");
    let rows = [
        ("/m/f", "file /m/f"),
        ("/m/no", "absent /m/no"),
        ("/m/gone", "system at /m/gone"),
        ("/m/gone/x", "system at /m/gone"),
        ("/m/gone/../f", "system at /m/gone"),
        ("/l", "system at /m/gone"),
    ];
    all(&[tree], &rows, &follow());
}

#[test]
fn procfs_is_no_way_out_by_any_text() {
    // golang/go#73572, soft-canonicalize 0.5.0 to 0.5.6, CVE-2024-21626.
    let tree = Scratch::new(&[
        Entry::Link(b"l".to_vec(), b"/proc/self/../self/root".to_vec()),
        Entry::Link(b"m".to_vec(), b"l/etc".to_vec()),
        Entry::Link(b"d/n".to_vec(), b"../m".to_vec()),
    ]);
    let root = tree.root().to_str().unwrap();
    let magic = format!("magic-link at /proc/{}", std::process::id());
    let leaked = fs::File::open("/").unwrap();
    let fd = leaked.as_raw_fd();
    for machine in machines() {
        for path in [
            "/proc/self/root/etc".to_owned(),
            "/proc/self/../self/root/etc".to_owned(),
            format!("{root}/l"),
            format!("{root}/l/etc"),
            format!("{root}/m"),
            format!("{root}/d/n/.."),
            "/proc/self/cwd/../..".to_owned(),
            "/proc/thread-self/root".to_owned(),
        ] {
            let answer = told(&machine, &path, &follow());
            assert!(answer.starts_with(&magic), "{path}: {answer}");
        }
        let answer = told(&machine, format!("/proc/self/fd/{fd}/../.."), &follow());
        assert_eq!(answer, format!("{magic}/fd/{fd}"));
    }
    // In a root of its own that has no procfs, the text leads nowhere.
    let rows = [("l", "not-found at /proc"), ("d/n", "not-found at /proc")];
    all(&machines_at(tree.root()), &rows, &follow());
}

#[test]
fn a_magic_link_that_is_mounted_elsewhere_stays_one() {
    let name = "a_magic_link_that_is_mounted_elsewhere_stays_one";
    let Some(root) = folder() else {
        if !is_root() {
            not_checked(name, "a mount needs root");
            return;
        }
        let tree = Scratch::new(&[
            Entry::Directory(b"m".to_vec()),
            Entry::Directory(b"proc".to_vec()),
        ]);
        // The root of such a mount has the number that procfs's root has.
        let mounts = "mount -t tmpfs none \"$0\"/m; ln -s x \"$0\"/m/root; \
                      cd \"$0\"/m; ln -s b a; ln -s c b; ln -s root c; cd /; \
                      mount -t proc none \"$0\"/proc";
        again(name, &privately(mounts, tree.root()), tree.root());
        return;
    };
    use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};
    let clone = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_SYMLINK_NOFOLLOW;
    let mount_at = |name: &str| {
        let link = open_tree(rustix::fs::CWD, root.join("proc/self/root"), clone)?;
        let source = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        move_mount(&link, "", rustix::fs::CWD, root.join(name), source)
    };
    all(
        &machines_at(&root),
        &[(
            "proc/net/..",
            &format!("directory /proc/{}", std::process::id()),
        )],
        &follow(),
    );
    let mounted = mount_at("m/root").and_then(|()| mount_at("proc/net"));
    if let Err(error) = mounted {
        not_checked(name, &format!("this kernel mounts no link: {error}"));
        return;
    }
    let rows = [
        ("m/root", "magic-link at /m/root"),
        ("m/root/etc", "magic-link at /m/root"),
        // What is known of the links before it in the folder says nothing of it.
        ("m/a", "magic-link at /m/root"),
        ("proc/net", "magic-link at /proc/net"),
        ("proc/net/etc", "magic-link at /proc/net"),
    ];
    all(&machines_at(&root), &rows, &follow());
}
