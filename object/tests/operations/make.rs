//! Making files, directories and links where nothing was.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Leaf, Mode};

use super::{World, assert_refused};

#[test]
fn a_dangling_link_is_the_place_that_it_names() {
    // O_CREAT through `dang` creates `nope`. The walk names `nope`, so that a grant can be
    // asked about it, and it is made there.
    let world = World::of_section_q();
    let object = world.walk("dang");
    assert_eq!(object.leaf(), Some(&b"nope"[..]));
    object
        .create_new(Mode::FILE)
        .unwrap()
        .write_all(b"made")
        .unwrap();
    assert_eq!(world.read("nope"), "made");
    // as itself the link is there already, and is not followed.
    let world = World::of_section_q();
    assert_refused(
        world.named("dang").create_new(Mode::FILE),
        ErrorKind::Exists,
    );
    assert!(!world.path("nope").exists());
}

#[test]
fn a_file_is_not_made_where_its_directory_is_missing() {
    //
    let world = World::of_section_q();
    for name in ["dangdeep", "nope/x", "nope/x/y"] {
        assert_refused(world.walk(name).create_new(Mode::FILE), ErrorKind::NoParent);
        assert_refused(
            world.walk(name).create_dir(Mode::DIRECTORY),
            ErrorKind::NoParent,
        );
        assert_refused(world.walk(name).symlink(b"t"), ErrorKind::NoParent);
    }
    world.walk("nope").create_dir(Mode::DIRECTORY).unwrap();
    world.walk("nope/x").create_new(Mode::FILE).unwrap();
}

#[test]
fn a_name_that_asks_for_a_directory_gets_no_file() {
    // the kernel says EISDIR of a new name with a slash.
    let world = World::of_section_q();
    world.walk("new").create_new(Mode::FILE).unwrap();
    for name in ["new1/", "new1///", "new1/."] {
        let object = world.walk(name);
        assert_refused(object.create_new(Mode::FILE), ErrorKind::IsADirectory);
        assert_refused(object.symlink(b"file"), ErrorKind::IsADirectory);
    }
    // `dangdir` says `nope/`: it asks for one too.
    assert_refused(
        world.walk("dangdir").create_new(Mode::FILE),
        ErrorKind::IsADirectory,
    );
    // what is there is a directory, and has its name.
    for name in ["dir", "dir/", ".", "dir/.."] {
        assert_refused(world.walk(name).create_new(Mode::FILE), ErrorKind::Exists);
    }
    assert_refused(world.at_root().create_new(Mode::FILE), ErrorKind::Exists);
    assert_eq!(fs::read_dir(&world.root).unwrap().count(), 9);
}

#[test]
fn names_that_lead_nowhere_fail_in_the_walk() {
    // before any operation.
    let world = World::of_section_q();
    for (name, kind) in [
        ("file/x", objcap_object::ErrorKind::NotADirectory),
        ("lf/", objcap_object::ErrorKind::NotADirectory),
        ("self", objcap_object::ErrorKind::TooManyLinks),
        ("nope/..", objcap_object::ErrorKind::NotFound),
    ] {
        let error = world.try_walk(name, Leaf::Follow).unwrap_err();
        assert_eq!(error.kind(), kind, "{name}");
    }
    let options = objcap_object::Options::default();
    let empty = objcap_object::Object::walk(&world.machine, "", &options).unwrap_err();
    assert_eq!(empty.kind(), objcap_object::ErrorKind::EmptyPath);
}

#[test]
fn directories_are_made_with_and_without_slashes() {
    //
    for name in ["new1", "new1/", "new1///", "new1/."] {
        let world = World::new();
        world.walk(name).create_dir(Mode::DIRECTORY).unwrap();
        assert!(world.path("new1").is_dir(), "{name}");
    }
}

#[test]
fn a_directory_is_not_made_over_anything() {
    //
    let world = World::of_section_q();
    for name in ["ld", "dir/.", "dir/..", ".", "..", "dir", "file", "lf"] {
        assert_refused(
            world.walk(name).create_dir(Mode::DIRECTORY),
            ErrorKind::Exists,
        );
    }
    assert_refused(
        world.at_root().create_dir(Mode::DIRECTORY),
        ErrorKind::Exists,
    );
    for name in ["dang", "dangdir", "self", "ld"] {
        assert_refused(
            world.named(name).create_dir(Mode::DIRECTORY),
            ErrorKind::Exists,
        );
    }
    assert!(!world.path("nope").exists());
    // Ours by design: mkdir(2) follows no last link, even with a slash behind it (EEXIST). A walk
    // that follows is asked for the object, which is `nope`, and that is made.
    world.walk("dangdir").create_dir(Mode::DIRECTORY).unwrap();
    assert!(world.path("nope").is_dir());
}

#[test]
fn a_directory_is_its_parents_group_where_the_parent_says_so() {
    //
    let world = World::new();
    world.dir("d");
    if std::os::unix::fs::chown(world.path("d"), None, Some(12345)).is_err() {
        super::not_checked("a set-group directory", "not allowed to give it a group");
        return;
    }
    fs::set_permissions(world.path("d"), fs::Permissions::from_mode(0o2755)).unwrap();
    world.walk("d/e").create_dir(Mode::DIRECTORY).unwrap();
    let made = fs::metadata(world.path("d/e")).unwrap();
    assert_eq!(made.gid(), 12345);
    assert_eq!(made.mode() & 0o2000, 0o2000);
}

#[test]
fn a_link_says_what_it_was_given() {
    let world = World::new();
    world.walk("l").symlink(b"../outside/secret").unwrap();
    let link = world.named("l");
    assert_eq!(link.read_link().unwrap(), b"../outside/secret");
    assert_refused(world.named("l").symlink(b"x"), ErrorKind::Exists);
    assert_refused(world.walk("m").symlink(b""), ErrorKind::System);
}

#[test]
fn what_appeared_meanwhile_is_neither_opened_nor_changed() {
    // [Z-18]: as a file, as a link to elsewhere, as a directory.
    type Appear = fn(&World);
    let appearances: [Appear; 3] = [
        |world| {
            world.file("f", "theirs");
        },
        |world| {
            world.link("f", world.outside().join("new"));
        },
        |world| {
            world.dir("f");
        },
    ];
    for appear in appearances {
        let world = World::new();
        world.walk("other").create_new(Mode::FILE).unwrap();
        let object = world.walk("f");
        appear(&world);
        let appeared = Changed(Change::Appeared);
        assert_refused(object.create_new(Mode::FILE), appeared);
        assert_refused(object.create_dir(Mode::DIRECTORY), appeared);
        assert_refused(object.symlink(b"t"), appeared);
        assert_refused(world.walk("other").link(&object), appeared);
        let keep = objcap_object::Existing::Keep;
        assert_refused(world.walk("other").rename(&object, keep), appeared);
        let replace = objcap_object::Existing::Replace;
        assert_refused(world.walk("other").rename(&object, replace), appeared);
        let kept = objcap_object::NewMode::Kept;
        assert_refused(object.replace(b"ours", kept), appeared);
        assert!(world.is_outside_untouched());
        assert_eq!(world.names("."), ["f", "other"], "nothing staged is left");
    }
}

#[test]
fn nothing_is_made_in_a_directory_that_was_removed() {
    // [Z-16]: its handle is still good, and nothing can be made in it.
    let world = World::new();
    world.dir("d");
    let objects = [world.walk("d/x"), world.walk("d/y"), world.walk("d/z")];
    objects[0].create_dir(Mode::DIRECTORY).unwrap();
    fs::remove_dir_all(world.path("d")).unwrap();
    for object in &objects[1..] {
        let gone = Changed(Change::ParentGone);
        assert_refused(object.create_dir(Mode::DIRECTORY), gone);
        assert_refused(object.create_new(Mode::FILE), gone);
        assert_refused(object.symlink(b"t"), gone);
    }
    // [Z-17]: another directory of that name is another place.
    world.dir("d");
    assert_refused(
        objects[1].create_new(Mode::FILE),
        Changed(Change::ParentGone),
    );
    assert_eq!(fs::read_dir(world.path("d")).unwrap().count(), 0);
}

#[test]
fn a_new_file_has_the_mode_that_the_mask_leaves() {
    let world = World::new();
    world.walk("f").create_new(Mode::new(0o600)).unwrap();
    assert_eq!(world.walk("f").stat().unwrap().mode, Mode::new(0o600));
    assert_eq!(format!("{:?}", Mode::new(0o10_644)), "Mode(0o644)");
}
