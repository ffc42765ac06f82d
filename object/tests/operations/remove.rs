//! Removing one object, and a directory with all below it.

use std::fs;

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Kind, Leaf};

use super::{World, assert_refused, not_checked};

#[test]
fn an_object_is_removed_by_its_kind() {
    let world = World::of_section_q();
    world.fifo("pipe");
    for name in ["file", "dir", "dang", "self", "pipe", "ld"] {
        world.named(name).remove().unwrap();
        assert!(fs::symlink_metadata(world.path(name)).is_err(), "{name}");
    }
    assert_eq!(world.names("."), ["dangdeep", "dangdir", "lf"]);
    assert_refused(world.walk("nope").remove(), ErrorKind::Absent);
}

#[test]
fn a_slash_asks_for_the_directory() {
    // unlink(2) and rmdir(2) refuse a link with a slash behind it. Ours by
    // design: such a name leads to the directory, and that is the object.
    let world = World::of_section_q();
    let error = world.try_walk("lf/", Leaf::AsNamed).unwrap_err();
    assert_eq!(error.kind(), objcap_object::ErrorKind::NotADirectory);
    let error = world.try_walk("file/", Leaf::AsNamed).unwrap_err();
    assert_eq!(error.kind(), objcap_object::ErrorKind::NotADirectory);
    let object = world.named("ld/");
    assert_eq!(object.leaf(), Some(&b"dir"[..]));
    object.remove().unwrap();
    assert!(!world.path("dir").exists());
    assert_eq!(world.named("ld").kind(), Some(Kind::Symlink));
}

#[test]
fn a_directory_with_entries_stays() {
    //
    let world = World::new();
    world.dir("a/b");
    assert_refused(world.walk("a").remove(), ErrorKind::NotEmpty);
    assert_refused(world.walk("a/b/..").remove(), ErrorKind::NotEmpty);
    world.walk("a/b").remove().unwrap();
    world.walk("a").remove().unwrap();
}

#[test]
fn what_was_not_walked_is_not_removed() {
    type Swap = fn(&World);
    let swaps: [(Swap, Change); 4] = [
        (
            |world| {
                world.file("f", "theirs");
            },
            Change::Replaced,
        ),
        (
            |world| {
                world.dir("f");
            },
            Change::Kind,
        ),
        (
            |world| {
                world.link("f", world.outside());
            },
            Change::BecameLink,
        ),
        (|_| {}, Change::Gone),
    ];
    for (swap, change) in swaps {
        let world = World::new();
        world.file("f", "").dir("d");
        let object = world.walk("f");
        world.rename("f", "kept");
        swap(&world);
        let before = world.names(".");
        assert_refused(object.remove(), Changed(change));
        assert_refused(object.remove_all(), Changed(change));
        assert_eq!(world.names("."), before);
        world.walk("kept").remove().unwrap();
    }
}

#[test]
fn all_of_a_directory_goes_and_nothing_that_it_leads_to() {
    let world = World::new();
    world
        .dir("d/a/b")
        .dir("d/c")
        .file("d/a/f", "")
        .file("d/a/b/f", "")
        .fifo("d/pipe");
    world
        .link("d/out", world.outside())
        .link("d/a/out", world.outside().join("secret"));
    world
        .link("d/up", "..")
        .link("d/loop", "loop")
        .file("beside", "");
    fs::hard_link(world.outside().join("secret"), world.path("d/hard")).unwrap();
    world.walk("d").remove_all().unwrap();
    assert_eq!(world.names("."), ["beside"]);
    assert!(world.is_outside_untouched());
    // A link goes by itself, a file too; what was not there is said to be absent.
    world.link("l", world.outside());
    world.named("l").remove_all().unwrap();
    world.walk("beside").remove_all().unwrap();
    assert_refused(world.walk("beside").remove_all(), ErrorKind::Absent);
    assert!(world.is_outside_untouched());
}

#[test]
fn a_directory_that_became_a_link_is_not_gone_down_into() {
    // [T-30, T-37]
    let world = World::new();
    world.dir("d").file("d/f", "");
    let object = world.walk("d");
    world.rename("d", "kept").link("d", world.outside());
    assert_refused(object.remove_all(), Changed(Change::BecameLink));
    assert!(world.is_outside_untouched());
    assert_eq!(world.names("kept"), ["f"]);
    world.walk("kept").remove_all().unwrap();
}

#[test]
fn many_entries_go() {
    let world = World::new();
    world.dir("d");
    for number in 0..3000 {
        if number % 10 == 0 {
            world.dir(&format!("d/{number}"));
        }
        world.file(&format!("d/f{number}"), "");
    }
    world.walk("d").remove_all().unwrap();
    assert_eq!(world.names("."), Vec::<String>::new());
}

#[test]
fn another_volume_below_is_not_entered() {
    let world = World::new();
    world.dir("d/mount").dir("free").file("free/f", "");
    let Some(_mounted) = super::mount::tmpfs(&world.path("d/mount")) else {
        return not_checked("remove_all at a mount", "not allowed to mount");
    };
    world.file("d/mount/theirs", "theirs");
    let error = world.walk("d").remove_all().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CrossesDevices);
    assert_eq!(error.at().leaf(), Some(&b"mount"[..]));
    assert_eq!(world.read("d/mount/theirs"), "theirs");
    world.walk("free").remove_all().unwrap();
}
