//! Rename, swap, link and clone: both ends are walked.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Existing, Kind};

use super::{World, assert_refused, not_checked};

#[test]
fn an_object_takes_a_free_name() {
    let world = World::of_section_q();
    world
        .walk("file")
        .rename(&world.walk("zz"), Existing::Keep)
        .unwrap();
    assert_eq!(world.read("zz"), "contents");
    world
        .walk("dir")
        .rename(&world.walk("newx/"), Existing::Keep)
        .unwrap();
    assert!(world.path("newx").is_dir() && !world.path("dir").exists());
    world
        .named("lf")
        .rename(&world.named("newx/lf"), Existing::Keep)
        .unwrap();
    assert_eq!(world.named("newx/lf").read_link().unwrap(), b"file");
}

#[test]
fn a_file_takes_no_name_that_asks_for_a_directory() {
    //
    let world = World::of_section_q();
    let file = world.walk("file");
    assert_refused(
        file.rename(&world.walk("newx/"), Existing::Keep),
        ErrorKind::NotADirectory,
    );
    assert_refused(
        file.rename(&world.walk("dir/"), Existing::Replace),
        ErrorKind::NotADirectory,
    );
    assert_eq!(
        world
            .try_walk("file/", objcap_object::Leaf::AsNamed)
            .unwrap_err()
            .kind(),
        objcap_object::ErrorKind::NotADirectory
    );
    // rename(2) refuses a link with a slash behind it. Ours by design: the object that such
    // a name leads to is the directory, and that is what gets the new name.
    world
        .named("ld/")
        .rename(&world.walk("z"), Existing::Keep)
        .unwrap();
    assert!(world.path("z").is_dir() && !world.path("dir").exists());
    assert_eq!(world.named("ld").read_link().unwrap(), b"dir");
}

#[test]
fn an_object_that_has_the_name_stays_or_goes_as_was_said() {
    // the link goes, and not what it leads to.
    let world = World::new();
    world
        .file("src", "new")
        .file("target", "old")
        .link("over", "target");
    let (src, over) = (world.walk("src"), world.named("over"));
    assert_refused(src.rename(&over, Existing::Keep), ErrorKind::Exists);
    assert_eq!(world.names("."), ["over", "src", "target"]);
    src.rename(&over, Existing::Replace).unwrap();
    assert_eq!(world.read("over"), "new");
    assert_eq!(world.read("target"), "old");
    // a directory with entries does not go.
    world.dir("a/b").dir("empty");
    let b = world.walk("a/b");
    assert_refused(
        b.rename(&world.walk("a"), Existing::Replace),
        ErrorKind::NotEmpty,
    );
    b.rename(&world.walk("empty"), Existing::Replace).unwrap();
    assert_eq!(world.names("a"), Vec::<String>::new());
    // Kinds do not take each other's place.
    let file = world.walk("over");
    assert_refused(
        file.rename(&world.walk("a"), Existing::Replace),
        ErrorKind::IsADirectory,
    );
    let into_itself = world.walk("a").rename(&world.walk("a/x"), Existing::Keep);
    assert_refused(into_itself, ErrorKind::System);
}

#[test]
fn the_root_has_no_name_to_give_or_take() {
    // the kernel says EBUSY.
    let world = World::new();
    world.file("f", "");
    let (root, file) = (world.at_root(), world.walk("f"));
    assert_refused(
        root.rename(&world.walk("x"), Existing::Keep),
        ErrorKind::NoLeaf,
    );
    assert_refused(file.rename(&root, Existing::Replace), ErrorKind::NoLeaf);
    assert_refused(root.swap(&file), ErrorKind::NoLeaf);
    assert_refused(root.remove(), ErrorKind::NoLeaf);
    assert_refused(root.remove_all(), ErrorKind::NoLeaf);
    assert_refused(root.link(&world.walk("x")), ErrorKind::IsADirectory);
    file.rename(&world.walk("x"), Existing::Keep).unwrap();
}

#[test]
fn a_dot_at_the_end_names_the_directory_itself() {
    // rename(2) refuses `.` and `..` as last components (EBUSY). Ours by design: the walk
    // has found which directory that is, and under which name.
    let world = World::new();
    world.dir("a/b");
    world
        .walk("a/b/.")
        .rename(&world.walk("c"), Existing::Keep)
        .unwrap();
    assert_eq!(world.names("."), ["a", "c"]);
}

#[test]
fn an_end_that_changed_is_refused() {
    let world = World::new();
    world.file("f", "f").file("over", "over").file("g", "g");
    let (f, over, free) = (world.walk("f"), world.walk("over"), world.walk("free"));
    world
        .rename("over", "kept")
        .link("over", world.outside().join("secret"));
    assert_refused(
        f.rename(&over, Existing::Replace),
        Changed(Change::BecameLink),
    );
    assert_refused(f.swap(&over), Changed(Change::BecameLink));
    assert_refused(over.link(&free), Changed(Change::BecameLink));
    assert_refused(over.clone_to(&free), Changed(Change::BecameLink));
    world.rename("f", "f2");
    assert_refused(f.rename(&free, Existing::Keep), Changed(Change::Gone));
    assert_refused(f.link(&free), Changed(Change::Gone));
    assert_refused(f.swap(&world.walk("g")), Changed(Change::Gone));
    world.file("f", "another");
    assert_refused(f.rename(&free, Existing::Keep), Changed(Change::Replaced));
    assert_eq!(world.names("."), ["f", "f2", "g", "kept", "over"]);
    assert!(world.is_outside_untouched());
    world.walk("f").rename(&free, Existing::Keep).unwrap();
}

#[test]
fn two_objects_exchange_their_names() {
    let world = World::new();
    world.file("f", "f").dir("d").link("l", "f");
    let (f, d) = (world.walk("f"), world.walk("d"));
    match f.swap(&d) {
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            return not_checked("swap", &error.to_string());
        }
        answer => answer.unwrap(),
    }
    assert_eq!(world.read("d"), "f");
    assert!(world.path("f").is_dir());
    assert_refused(f.stat(), Changed(Change::Kind));
    // A link is swapped itself.
    world.named("l").swap(&world.walk("d")).unwrap();
    assert_eq!(world.named("d").read_link().unwrap(), b"f");
    assert_refused(world.walk("d").swap(&world.walk("nope")), ErrorKind::Absent);
}

#[test]
fn a_second_name_is_the_same_object() {
    let world = World::of_section_q();
    world.walk("file").link(&world.walk("hard")).unwrap();
    let (one, other) = (world.walk("file"), world.walk("hard"));
    assert_eq!(one.identity(), other.identity());
    assert_eq!(one.stat().unwrap().links, 2);
    // of a link walked as itself, the link's.
    world.named("dang").link(&world.walk("second")).unwrap();
    assert_eq!(world.named("second").kind(), Some(Kind::Symlink));
    assert_eq!(world.named("second").read_link().unwrap(), b"nope");
    let free = world.walk("free");
    assert_refused(world.walk("dir").link(&free), ErrorKind::IsADirectory);
    assert_refused(world.walk("nope").link(&free), ErrorKind::Absent);
    assert_refused(
        world.walk("file").link(&world.walk("free/")),
        ErrorKind::IsADirectory,
    );
    assert_refused(
        world.walk("file").link(&world.walk("hard")),
        ErrorKind::Exists,
    );
    assert_refused(
        world.walk("file").link(&world.walk("nope/x")),
        ErrorKind::NoParent,
    );
}

#[test]
fn both_ends_say_where_they_lie() {
    // [T-62, T-63]: a new name through a link leads where the link leads, and says so.
    let world = World::new();
    world.file("f", "").link("l", world.outside());
    let to = world.walk("l/new");
    assert_eq!(to.links().count(), 1);
    let real: &std::path::Path = to.real().as_ref();
    assert_eq!(real, world.outside().join("new"));
    // Within a scope it is refused in the walk, before anything is done.
    let machine = objcap_object::Machine::at(world.walk(".").open_dir().unwrap());
    let options = objcap_object::Options {
        scope: objcap_object::Scope::Beneath,
        ..Default::default()
    };
    objcap_object::Object::walk(&machine, "f", &options).unwrap();
    let error = objcap_object::Object::walk(&machine, "l/new", &options).unwrap_err();
    assert_eq!(error.kind(), objcap_object::ErrorKind::OutsideScope);
    assert!(world.is_outside_untouched());
}

/// Where to look for a volume that shares data between files: `OBJCAP_REFLINK`, or the folder for
/// temporary files.
fn clone_world() -> (World, tempfile::TempDir) {
    let place = std::env::var_os("OBJCAP_REFLINK").unwrap_or_else(|| std::env::temp_dir().into());
    let folder = tempfile::tempdir_in(place).unwrap();
    (World::new(), folder)
}

#[test]
fn a_clone_has_the_contents_and_is_another_object() {
    let (world, folder) = clone_world();
    fs::write(folder.path().join("f"), "contents").unwrap();
    let walk = |name: &str| {
        let path = folder.path().join(name);
        objcap_object::Object::walk(&world.machine, path, &Default::default()).unwrap()
    };
    let f = walk("f");
    match f.clone_to(&walk("g")) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::CannotClone);
            assert_eq!(walk("g").kind(), None, "nothing is left");
            not_checked("a clone", "this volume shares no data between files");
        }
        Ok(()) => {
            assert_eq!(
                fs::read_to_string(folder.path().join("g")).unwrap(),
                "contents"
            );
            assert_ne!(walk("f").identity(), walk("g").identity());
            let mode = |name| fs::metadata(folder.path().join(name)).unwrap().mode();
            assert_eq!(mode("f"), mode("g"));
            fs::write(folder.path().join("g"), "other").unwrap();
            assert_eq!(
                fs::read_to_string(folder.path().join("f")).unwrap(),
                "contents"
            );
        }
    }
}

#[test]
fn what_cannot_be_cloned_is_said_and_nothing_made() {
    let world = World::of_section_q();
    world.fifo("pipe");
    let free = world.walk("free");
    assert_refused(world.named("lf").clone_to(&free), ErrorKind::IsALink);
    assert_refused(world.walk("pipe").clone_to(&free), ErrorKind::SpecialFile);
    assert_refused(world.walk("nope").clone_to(&free), ErrorKind::Absent);
    assert_refused(
        world.walk("file").clone_to(&world.walk("lf")),
        ErrorKind::Exists,
    );
    assert_refused(
        world.walk("file").clone_to(&world.walk("free/")),
        ErrorKind::IsADirectory,
    );
    if cfg!(target_os = "linux") {
        assert_refused(world.walk("dir").clone_to(&free), ErrorKind::CannotClone);
    }
    assert!(!world.path("free").exists());
    let device = |path: &std::path::Path| fs::metadata(path).unwrap().dev();
    let elsewhere = tempfile::tempdir_in("/dev/shm")
        .ok()
        .filter(|folder| device(folder.path()) != device(&world.root));
    let Some(elsewhere) = elsewhere else {
        return not_checked("two ends on two volumes", "/dev/shm is not another volume");
    };
    let path = elsewhere.path().join("free");
    let far = objcap_object::Object::walk(&world.machine, path, &Default::default()).unwrap();
    let file = world.walk("file");
    assert_refused(file.clone_to(&far), ErrorKind::CannotClone);
    assert_refused(file.link(&far), ErrorKind::CrossesDevices);
    assert_refused(file.rename(&far, Existing::Keep), ErrorKind::CrossesDevices);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    file.link(&free).unwrap();
}
