//! What freezing a grant asks of a world: one table for this machine and for a tree in memory,
//! wherever both can be asked.

#![cfg(any(target_os = "linux", target_os = "macos"))]
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and says what it could not try"
)]

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use objcap_object::{HEAD, Leaf, Machine, Memory, Object, Options, RealPath, Tail, World};

fn at<W: World>(world: &W, path: impl AsRef<Path>) -> Object<W::Dir> {
    let options = Options {
        leaf: Leaf::AsNamed,
        tail: Tail::Accept,
        ..Options::default()
    };
    Object::walk(world, path.as_ref(), &options).unwrap()
}

/// What happens in a world.
#[derive(Debug, Clone, Copy)]
enum Event {
    File(&'static str),
    Link(&'static str, &'static str),
    Folder(&'static str),
    Moved(&'static str, &'static str),
    Removed(&'static str),
}
use Event::{File, Folder, Link, Moved, Removed};

fn in_memory(tree: &mut Memory, event: Event) {
    match event {
        File(real) => tree.write(real, real),
        Link(real, text) => tree.link(real, text),
        Folder(real) => tree.directory(real),
        Moved(from, to) => assert!(tree.rename(from, to)),
        Removed(real) => assert!(tree.remove(real)),
    }
}

/// The machine seen from a fresh folder.
struct Fresh {
    machine: Machine,
    root: PathBuf,
    folder: tempfile::TempDir,
}

impl Fresh {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap().join("root");
        fs::create_dir(&root).unwrap();
        let whole = Machine::ambient_root().unwrap();
        Fresh {
            machine: Machine::at(at(&whole, &root).open_dir().unwrap()),
            root,
            folder,
        }
    }

    fn path(&self, real: &str) -> PathBuf {
        self.root.join(real.trim_start_matches('/'))
    }

    fn happens(&self, event: Event) {
        match event {
            File(real) => fs::write(self.path(real), real),
            Link(real, text) => symlink(text, self.path(real)),
            Folder(real) => fs::create_dir_all(self.path(real)),
            Moved(from, to) => fs::rename(self.path(from), self.path(to)),
            Removed(real) => match fs::remove_file(self.path(real)) {
                Err(_) => fs::remove_dir_all(self.path(real)),
                done => done,
            },
        }
        .unwrap();
    }
}

/// The name that was kept, what happened then, and where the object is.
type Row = (&'static str, &'static [Event], Option<&'static str>);

const WENT: &[Row] = &[
    ("/d/f", &[], Some("/d/f")),
    ("/", &[], Some("/")),
    ("/d/f", &[Moved("/d/f", "/g")], Some("/g")),
    ("/d/f", &[Moved("/d", "/e")], Some("/e/f")),
    ("/d", &[Moved("/d", "/e")], Some("/e")),
    ("/l", &[Moved("/l", "/d/l")], Some("/d/l")),
    ("/d/f", &[Removed("/d/f")], None),
    ("/d", &[Removed("/d")], None),
    // Another object has taken the name.
    ("/d/f", &[Moved("/d/f", "/g"), File("/d/f")], Some("/g")),
    ("/d/f", &[Removed("/d/f"), Folder("/d/f")], None),
    ("/d/f", &[Moved("/d", "/e"), Link("/d", "e")], Some("/e/f")),
    // As procfs marks what is gone; here it is a name like any other.
    (
        "/d/f",
        &[Moved("/d/f", "/d/f (deleted)")],
        Some("/d/f (deleted)"),
    ),
    ("/d/f", &[Removed("/d/f"), File("/d/f (deleted)")], None),
    ("/d/f", &[Moved("/d/f", "/a\n\\040b")], Some("/a\n\\040b")),
];

fn went<W: World>(mut world: W, mut happens: impl FnMut(&mut W, Event), row: &Row) {
    for event in [Folder("/d"), File("/d/f"), Link("/l", "d/f")] {
        happens(&mut world, event);
    }
    let &(name, events, want) = row;
    let kept = world.keep(&at(&world, name)).unwrap();
    for &event in events {
        happens(&mut world, event);
    }
    let found = world.whereabouts(&kept).unwrap();
    assert_eq!(
        found,
        want.map(|real| RealPath::new(real).unwrap()),
        "{name} {events:?}"
    );
}

#[test]
fn a_kept_object_is_found_where_it_went() {
    for row in WENT {
        went(Memory::new(), in_memory, row);
        let fresh = Fresh::new();
        let inner = Machine::at(at(&fresh.machine, "/").open_dir().unwrap());
        went(inner, |_, event| fresh.happens(event), row);
    }
}

#[test]
fn what_left_the_tree_has_no_real_path_in_it() {
    let fresh = Fresh::new();
    fresh.happens(File("/f"));
    let kept = fresh.machine.keep(&at(&fresh.machine, "/f")).unwrap();
    assert!(fresh.machine.whereabouts(&kept).unwrap().is_some());
    let outside = fresh.folder.path().join("f");
    fs::rename(fresh.path("/f"), &outside).unwrap();
    assert_eq!(fresh.machine.whereabouts(&kept).unwrap(), None);
    let whole = Machine::ambient_root().unwrap();
    let real = fs::canonicalize(&outside).unwrap();
    let found = whole.whereabouts(&kept).unwrap().unwrap();
    assert_eq!(
        AsRef::<Path>::as_ref(&found),
        real,
        "the whole machine sees it"
    );

    let mut tree = Memory::new();
    tree.file("/in/f");
    let inner = tree.rooted_at("/in").unwrap();
    let kept = inner.keep(&at(&inner, "/f")).unwrap();
    assert_eq!(inner.whereabouts(&kept).unwrap().unwrap().as_bytes(), b"/f");
    assert!(tree.rename("/in/f", "/f"));
    let inner = tree.rooted_at("/in").unwrap();
    assert_eq!(inner.whereabouts(&kept).unwrap(), None);
}

#[test]
fn keeping_opens_no_fifo_and_no_device() {
    let fresh = Fresh::new();
    let made = Command::new("mkfifo").arg(fresh.path("/p")).status();
    assert!(made.unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(fresh.path("/s")).unwrap();
    for name in ["/p", "/s"] {
        // With a reader's or writer's open it would wait, or fail.
        let kept = fresh.machine.keep(&at(&fresh.machine, name)).unwrap();
        let found = fresh.machine.whereabouts(&kept).unwrap();
        assert_eq!(found, RealPath::new(name));
    }
}

#[test]
fn only_what_was_walked_is_kept() {
    let fresh = Fresh::new();
    let absent = at(&fresh.machine, "/f");
    fresh.happens(File("/f"));
    let walked = at(&fresh.machine, "/f");
    assert!(fresh.machine.keep(&walked).is_ok());
    fresh.happens(Moved("/f", "/g"));
    let gone = fresh.machine.keep(&walked).unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    fresh.happens(Folder("/f"));
    assert!(fresh.machine.keep(&walked).is_err(), "another object");
    let none = fresh.machine.keep(&absent).unwrap_err();
    assert_eq!(none.kind(), ErrorKind::NotFound);

    let mut tree = Memory::new();
    let absent = at(&tree, "/f");
    tree.file("/f");
    let walked = at(&tree, "/f");
    assert!(tree.keep(&walked).is_ok() && tree.keep(&absent).is_err());
    tree.remake("/f");
    assert!(
        tree.keep(&walked).is_err(),
        "another object of the same number"
    );
}

#[test]
fn a_head_is_the_beginning_of_a_regular_file() {
    let long: Vec<u8> = (0..=u8::MAX).cycle().take(HEAD + 1).collect();
    let fresh = Fresh::new();
    let mut tree = Memory::new();
    for event in [Folder("/d"), Link("/l", "f"), File("/f")] {
        in_memory(&mut tree, event);
        fresh.happens(event);
    }
    tree.write("/long", &long);
    fs::write(fresh.path("/long"), &long).unwrap();
    fn heads<W: World>(world: &W, long: &[u8]) {
        let head = |name: &str| world.head(&at(world, name));
        assert_eq!(head("/f").unwrap(), b"/f");
        assert_eq!(head("/long").unwrap(), &long[..HEAD]);
        for other in ["/d", "/l"] {
            assert_eq!(
                head(other).unwrap_err().kind(),
                ErrorKind::InvalidInput,
                "{other}"
            );
        }
        assert_eq!(head("/none").unwrap_err().kind(), ErrorKind::NotFound);
    }
    heads(&tree, &long);
    heads(&fresh.machine, &long);
}

#[test]
fn a_file_has_as_many_names_as_it_was_given() {
    fn count<W: World>(world: &W, name: &str) -> u64 {
        world.name_count(&at(world, name)).unwrap()
    }
    let fresh = Fresh::new();
    let mut tree = Memory::new();
    for event in [File("/f"), File("/g"), Link("/l", "f")] {
        fresh.happens(event);
        in_memory(&mut tree, event);
    }
    fs::hard_link(fresh.path("/g"), fresh.path("/second")).unwrap();
    assert!(tree.link_hard("/g", "/second"));
    for (name, want) in [("/f", 1), ("/l", 1), ("/g", 2), ("/second", 2)] {
        assert_eq!(count(&fresh.machine, name), want, "{name}");
        assert_eq!(count(&tree, name), want, "{name}");
    }
    let gone = at(&tree, "/g");
    assert!(tree.remove("/g"));
    assert!(tree.name_count(&gone).is_err());
}

#[test]
fn a_file_with_an_execute_bit_is_runnable_and_nothing_else() {
    let fresh = Fresh::new();
    let mut tree = Memory::new();
    for event in [Folder("/d"), File("/f"), File("/plain"), Link("/l", "f")] {
        in_memory(&mut tree, event);
        fresh.happens(event);
    }
    fs::set_permissions(fresh.path("/f"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(fresh.path("/plain"), fs::Permissions::from_mode(0o666)).unwrap();
    assert!(tree.forbid_running("/plain"));
    fn runnable<W: World>(world: &W) {
        for (name, want) in [
            ("/f", true),
            ("/plain", false),
            ("/d", false),
            ("/l", false),
            ("/none", false),
        ] {
            assert_eq!(world.is_runnable(&at(world, name)).unwrap(), want, "{name}");
        }
    }
    runnable(&tree);
    runnable(&fresh.machine);
}

/// What a user may change of a tree that is the system's, but for `/mine` and all below it, and
/// `/theirs/f`, which is the user's in a folder of the system's.
const CHANGEABLE: &[(&str, bool)] = &[
    ("/", false),
    ("/theirs", false),
    ("/theirs/g", false),
    ("/theirs/none", false),
    ("/theirs/to-mine", false),
    ("/theirs/f", true),
    ("/mine", true),
    ("/mine/f", true),
    ("/mine/none/deeper", true),
    // The system's file in the user's folder can be replaced.
    ("/mine/theirs", true),
];

const MADE: &[Event] = &[
    Folder("/theirs"),
    File("/theirs/f"),
    File("/theirs/g"),
    Folder("/mine"),
    File("/mine/f"),
    Link("/theirs/to-mine", "../mine"),
];

fn changeable<W: World>(world: &W) {
    for &(name, want) in CHANGEABLE {
        assert_eq!(
            world.is_changeable(&at(world, name)).unwrap(),
            want,
            "{name}"
        );
    }
}

#[test]
fn what_is_changeable_is_the_users_or_stands_in_what_is() {
    let mut tree = Memory::new();
    for &event in MADE {
        in_memory(&mut tree, event);
    }
    tree.file("/theirs/h");
    assert!(tree.give("/mine") && tree.give("/theirs/f"));
    assert!(tree.rename("/theirs/h", "/mine/theirs"));
    changeable(&tree);
}

/// Where the second run finds its tree.
const TREE: &str = "OBJCAP_WORLD_TREE";

/// As root: the tree is root's and everything is changeable, and then a second run of this program, as
/// another user, who has the modes that are set here.
#[test]
fn what_is_changeable_on_this_machine_goes_by_owners_and_modes() {
    if let Some(tree) = std::env::var_os(TREE) {
        let whole = Machine::ambient_root().unwrap();
        let machine = Machine::at(at(&whole, PathBuf::from(tree)).open_dir().unwrap());
        changeable(&machine);
        for (name, want) in [
            ("/theirs/for-all", true),
            ("/theirs/open/f", true),
            ("/theirs/open/sticky/f", true),
            ("/theirs/run-only", false),
        ] {
            let object = at(&machine, name);
            assert_eq!(machine.is_changeable(&object).unwrap(), want, "{name}");
        }
        let run_only = at(&machine, "/theirs/run-only");
        assert!(machine.is_runnable(&run_only).unwrap());
        let denied = machine.head(&run_only).unwrap_err();
        assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
        return;
    }
    if !rustix::process::geteuid().is_root() {
        println!("NOT CHECKED: what another user may change: only root can make such a tree");
        return;
    }
    let fresh = Fresh::new();
    for &event in MADE {
        fresh.happens(event);
    }
    fresh.happens(Folder("/theirs/open/sticky"));
    for name in [
        "/mine/theirs",
        "/theirs/for-all",
        "/theirs/run-only",
        "/theirs/open/f",
        "/theirs/open/sticky/f",
    ] {
        fs::write(fresh.path(name), "").unwrap();
    }
    for (name, mode) in [
        ("/", 0o755),
        ("/theirs", 0o755),
        ("/theirs/g", 0o644),
        ("/theirs/for-all", 0o666),
        ("/theirs/run-only", 0o711),
        ("/theirs/open", 0o777),
        ("/theirs/open/f", 0o644),
        ("/theirs/open/sticky", 0o1777),
        ("/theirs/open/sticky/f", 0o644),
        ("/mine", 0o755),
        ("/mine/theirs", 0o644),
        ("/mine/f", 0o444),
        ("/theirs/f", 0o444),
    ] {
        fs::set_permissions(fresh.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(fresh.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["/mine", "/mine/f", "/theirs/f"] {
        std::os::unix::fs::chown(fresh.path(name), Some(65_534), Some(65_534)).unwrap();
    }
    for &(name, _) in CHANGEABLE {
        let object = at(&fresh.machine, name);
        assert!(
            fresh.machine.is_changeable(&object).unwrap(),
            "root: {name}"
        );
    }
    let ran = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(std::env::current_exe().unwrap())
        .args([
            "what_is_changeable_on_this_machine_goes_by_owners_and_modes",
            "--exact",
        ])
        .env(TREE, &fresh.root)
        .output();
    match ran {
        Ok(ran) => {
            let told = String::from_utf8_lossy(&ran.stdout);
            assert!(ran.status.success() && told.contains("1 passed"), "{told}");
        }
        Err(error) => println!("NOT CHECKED: what another user may change: setpriv: {error}"),
    }
}
