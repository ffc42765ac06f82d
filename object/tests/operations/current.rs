//! Whether a name still leads to the object that was walked.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::Duration;

use objcap_object::error::ErrorKind::Changed;
use objcap_object::{Change, Current, Memory, NewMode, Object, Open, Options};

use super::{World, assert_refused, mount, not_checked};

impl World {
    fn is_current(&self, object: &Object) -> Current {
        object.is_current(&self.machine).unwrap()
    }
}

#[test]
fn nothing_has_changed() {
    let world = World::of_section_q();
    let names = [
        "dir", "dir/", ".", "file", "ld", "lf", "dang", "dangdeep", "a/b/c",
    ];
    for name in names {
        let object = world.walk(name);
        assert_eq!(world.is_current(&object), Current::Same, "{name}");
    }
    for name in ["ld", "dang", "self"] {
        let object = world.named(name);
        assert_eq!(world.is_current(&object), Current::Same, "{name}");
    }
    assert_eq!(world.is_current(&world.at_root()), Current::Same);
    // What is in it is not what it is.
    let object = world.walk("file");
    world.file("file", "other contents");
    assert_eq!(world.is_current(&object), Current::Same);
}

#[test]
fn what_changed_is_named() {
    type Script = fn(&World);
    let table: [(&str, Script, Change); 14] = [
        (
            "a/f",
            |world| {
                world.remove("a/f");
            },
            Change::Gone,
        ),
        (
            "a/f",
            |world| {
                world.rename("a/f", "kept").file("a/f", "");
            },
            Change::Replaced,
        ),
        (
            "a/f",
            |world| {
                world.remove("a/f").dir("a/f");
            },
            Change::Kind,
        ),
        (
            "a/f",
            |world| {
                world.rename("a/f", "kept").link("a/f", "../kept");
            },
            Change::BecameLink,
        ),
        ("a/f/", |_| {}, Change::Kind), // replaced below: a directory that becomes a file
        (
            "a/new",
            |world| {
                world.file("a/new", "");
            },
            Change::Appeared,
        ),
        (
            "a/new",
            |world| {
                world.link("a/new", "f");
            },
            Change::Appeared,
        ),
        (
            "new/x/y",
            |world| {
                world.dir("new");
            },
            Change::Appeared,
        ),
        (
            "new/x/y",
            |world| {
                world.file("new", "");
            },
            Change::Appeared,
        ),
        (
            "new/x/y",
            |world| {
                world.link("new", "a");
            },
            Change::Appeared,
        ),
        // [Z-15, Z-16, Z-17]
        (
            "a/f",
            |world| {
                world.rename("a", "moved");
            },
            Change::ParentGone,
        ),
        (
            "a/f",
            |world| {
                world.rename("a", "kept").dir("a").file("a/f", "");
            },
            Change::ParentReplaced,
        ),
        (
            "a/f",
            |world| {
                world.rename("a", "kept").file("a", "");
            },
            Change::ParentReplaced,
        ),
        (
            "a/f",
            |world| {
                world.rename("a", "kept").link("a", "kept");
            },
            Change::ParentBecameLink,
        ),
    ];
    for (name, script, change) in table {
        let world = World::new();
        world.dir("a").file("a/f", "");
        if name.ends_with('/') {
            world.remove("a/f").dir("a/f");
        }
        let object = world.walk(name);
        assert_eq!(world.is_current(&object), Current::Same, "{name}");
        if name.ends_with('/') {
            fs::remove_dir(world.path("a/f")).unwrap();
            world.file("a/f", "");
        }
        script(&world);
        assert_eq!(
            world.is_current(&object),
            Current::Changed(change),
            "{name}"
        );
    }
}

#[test]
fn an_absent_object_stays_absent_only_in_its_own_directory() {
    let world = World::new();
    world.dir("a/b");
    let object = world.walk("a/b/new");
    world.rename("a/b", "moved");
    assert_eq!(
        world.is_current(&object),
        Current::Changed(Change::ParentGone)
    );
    world.dir("a/b");
    assert_eq!(
        world.is_current(&object),
        Current::Changed(Change::ParentReplaced)
    );
    let object = world.walk("a/new");
    world.rename("a", "moved/a");
    assert_eq!(
        world.is_current(&object),
        Current::Changed(Change::ParentGone)
    );
}

#[test]
fn a_directory_moved_out_of_the_tree_is_gone_from_it() {
    // [Z-15]: an operation would still happen, wherever the directory went; whoever must not act
    // outside asks first.
    let world = World::new();
    world.dir("d").file("d/f", "contents");
    let object = world.walk("d/f");
    fs::rename(world.path("d"), world.outside().join("d")).unwrap();
    object.open(Open::READ).unwrap();
    assert_eq!(
        world.is_current(&object),
        Current::Changed(Change::ParentGone)
    );
}

#[test]
fn an_inode_that_was_given_to_another_file_is_another_object() {
    // [Z-12, Z-13, T-90]: ext4 gives the number of a removed file to the next one.
    let world = World::new();
    type Make = fn(&World);
    let makes: [Make; 2] = [
        |world| {
            world.file("f", "contents");
        },
        |world| {
            world.link("f", "text");
        },
    ];
    for make in makes {
        let mut tried = 0;
        let object = loop {
            make(&world);
            let object = world.named("f");
            if object.identity().unwrap().born.is_none() {
                return not_checked("an inode used again", "this volume knows no birth times");
            }
            // Longer than the volume's clock ticks: see the test below.
            std::thread::sleep(Duration::from_millis(20));
            world.remove("f");
            make(&world);
            let now = fs::symlink_metadata(world.path("f")).unwrap();
            if now.ino() == object.identity().unwrap().inode {
                break object;
            }
            world.remove("f");
            tried += 1;
            if tried == 100 {
                return not_checked("an inode used again", "this volume gives no number twice");
            }
        };
        assert_refused(object.stat(), Changed(Change::Replaced));
        assert_refused(object.remove(), Changed(Change::Replaced));
        assert_eq!(
            world.is_current(&object),
            Current::Changed(Change::Replaced)
        );
        world.remove("f");
    }
}

#[test]
fn residual_an_inode_used_again_within_a_tick_of_the_clock_looks_the_same() {
    // docs/residuals.md: where birth times come from a coarse clock. Linux 6.13 and later keep finer
    // ones (multigrain timestamps), once somebody has looked at the old file, as a walk does.
    let world = World::new();
    for _ in 0..2000 {
        world.file("f", "walked");
        let object = world.walk("f");
        world.remove("f").file("f", "another");
        let alike = object.stat().is_ok();
        world.remove("f");
        if alike {
            return;
        }
    }
    not_checked(
        "an inode used again at once",
        "it did not come to that on this volume",
    );
}

#[test]
fn a_mount_over_a_name_is_a_change() {
    let world = World::new();
    world.dir("d/e").file("d/e/f", "");
    let (held, above, below) = (world.walk("d"), world.walk("d/e"), world.walk("d/e/f"));
    let Some(_mounted) = mount::tmpfs(&world.path("d/e")) else {
        return not_checked("a mount over a name", "not allowed to mount");
    };
    assert_eq!(world.is_current(&held), Current::Same);
    assert_eq!(world.is_current(&above), Current::Changed(Change::Mount));
    assert_eq!(world.is_current(&below), Current::Changed(Change::Mount));
    // Z-22: through the held parent the mount is seen too.
    assert_refused(above.read_dir(), Changed(Change::Mount));
    assert_refused(above.open_dir(), Changed(Change::Mount));
}

#[test]
fn a_file_that_was_replaced_is_another_object() {
    let world = World::new();
    world.file("f", "old");
    let object = world.walk("f");
    object.replace(b"new", NewMode::Kept).unwrap();
    assert_eq!(
        world.is_current(&object),
        Current::Changed(Change::Replaced)
    );
}

#[test]
fn a_model_answers_as_the_machine_does() {
    let walk = |tree: &Memory| Object::walk(tree, "/a/f", &Options::default()).unwrap();
    let mut tree = Memory::new();
    tree.file("/a/f");
    let object = walk(&tree);
    assert_eq!(object.is_current(&tree).unwrap(), Current::Same);
    let mut without = Memory::new();
    without.directory("/b");
    let gone = Object::walk(&without, "/b/f", &Options::default()).unwrap();
    without.file("/b/f");
    assert_eq!(
        gone.is_current(&without).unwrap(),
        Current::Changed(Change::Appeared)
    );
}
