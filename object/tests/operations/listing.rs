//! Asking: status, a link's text, a directory's entries, rights.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Kind, Mode, Right};

use super::{World, assert_refused, not_checked};

#[test]
fn a_status_says_what_the_system_says() {
    let world = World::of_section_q();
    fs::set_permissions(world.path("file"), fs::Permissions::from_mode(0o4750)).unwrap();
    let status = world.walk("file").stat().unwrap();
    let theirs = fs::metadata(world.path("file")).unwrap();
    assert_eq!(status.kind, Kind::File);
    assert_eq!(status.size, 8);
    assert_eq!(status.mode, Mode::new(0o4750));
    assert_eq!(status.links, 1);
    assert_eq!((status.owner, status.group), (theirs.uid(), theirs.gid()));
    assert_eq!(status.identity.inode, theirs.ino());
    let time = |seconds, nanoseconds: i64| (seconds, u32::try_from(nanoseconds).unwrap());
    for (ours, theirs) in [
        (status.accessed, time(theirs.atime(), theirs.atime_nsec())),
        (status.modified, time(theirs.mtime(), theirs.mtime_nsec())),
        (status.changed, time(theirs.ctime(), theirs.ctime_nsec())),
    ] {
        assert_eq!((ours.seconds, ours.nanoseconds), theirs);
    }
    // of the link itself, even of one that leads nowhere.
    let link = world.named("dang").stat().unwrap();
    assert_eq!((link.kind, link.size), (Kind::Symlink, 4));
    assert_refused(world.walk("dang").stat(), ErrorKind::Absent);
    assert_eq!(world.walk("ld/").stat().unwrap().kind, Kind::Directory);
    assert_eq!(world.at_root().stat().unwrap().kind, Kind::Directory);
}

#[test]
fn a_links_text_is_that_of_the_link_that_was_walked() {
    let world = World::of_section_q();
    assert_eq!(world.named("ld").read_link().unwrap(), b"dir");
    assert_eq!(world.named("dangdir").read_link().unwrap(), b"nope/");
    assert_eq!(world.named("self").read_link().unwrap(), b"self");
    // a directory behind a link's slash, and a file, have no text.
    assert_refused(world.named("ld/").read_link(), ErrorKind::NotALink);
    assert_refused(world.named("file").read_link(), ErrorKind::NotALink);
    assert_refused(world.named("nope").read_link(), ErrorKind::Absent);
    // [Q-39, Z-08]: another link under the name is another object.
    let link = world.named("ld");
    world.rename("ld", "kept").link("ld", "file");
    assert_refused(link.read_link(), Changed(Change::Replaced));
    world.remove("ld").dir("ld");
    assert_refused(link.read_link(), Changed(Change::Kind));
}

#[test]
fn a_directory_is_listed_through_its_handle() {
    let world = World::of_section_q();
    let names = |name: &str| {
        let entries = world.walk(name).read_dir().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().name).collect();
        names.sort();
        names
    };
    let all = [
        "dang", "dangdeep", "dangdir", "dir", "file", "ld", "lf", "self",
    ];
    assert_eq!(names("."), all.map(|name| name.as_bytes().to_vec()));
    assert_eq!(names("dir"), Vec::<Vec<u8>>::new());
    let of_ours = |name: &[u8]| {
        let mut entries = world.walk(".").read_dir().unwrap().map(Result::unwrap);
        entries.find(|entry| entry.name == name).unwrap().kind
    };
    assert!(matches!(of_ours(b"ld"), Some(Kind::Symlink) | None));
    assert!(matches!(of_ours(b"dir"), Some(Kind::Directory) | None));
    assert!(world.at_root().read_dir().unwrap().count() > 0);
    assert_refused(world.walk("file").read_dir(), ErrorKind::NotADirectory);
    assert_refused(world.named("ld").read_dir(), ErrorKind::IsALink);
    assert_refused(world.walk("nope").read_dir(), ErrorKind::Absent);
}

#[test]
fn a_listing_stays_with_the_directory_that_was_opened() {
    // [T-30, T-32]: a directory swapped for a link is not gone down into, and what was opened goes
    // on being listed wherever it was moved.
    let world = World::new();
    world.dir("d").file("d/in", "");
    let object = world.walk("d");
    object.read_dir().unwrap();
    let mut open = object.read_dir().unwrap();
    world.rename("d", "moved").link("d", world.outside());
    assert_eq!(open.next().unwrap().unwrap().name, b"in");
    assert!(open.next().is_none());
    assert_refused(object.read_dir(), Changed(Change::BecameLink));
    assert_refused(object.open_dir(), Changed(Change::BecameLink));
    world.remove("d").dir("d");
    assert_refused(object.read_dir(), Changed(Change::Replaced));
    // An entry of the held directory is walked from its handle, not by its path.
    let moved = world.walk("moved");
    let dir = moved.open_dir().unwrap();
    world.rename("moved", "away").link("moved", world.outside());
    let start = objcap_object::Start {
        dir: &dir,
        real: moved.real().as_bytes(),
    };
    let options = objcap_object::Options::default();
    let entry = objcap_object::Object::walk_from(&world.machine, start, "in", &options).unwrap();
    entry.stat().unwrap();
}

#[test]
fn a_right_is_that_of_the_object() {
    let world = World::of_section_q();
    fs::set_permissions(world.path("file"), fs::Permissions::from_mode(0o644)).unwrap();
    let file = world.walk("file");
    file.access(Right::Read).unwrap();
    file.access(Right::Write).unwrap();
    // Without any x bit nobody may run it, not even root.
    assert_refused(file.access(Right::Execute), ErrorKind::Denied);
    fs::set_permissions(world.path("file"), fs::Permissions::from_mode(0o755)).unwrap();
    file.access(Right::Execute).unwrap();
    world.walk("dir").access(Right::Execute).unwrap();
    world.at_root().access(Right::Read).unwrap();
    // Asked of a link itself, never of what it leads to.
    world.named("dang").access(Right::Read).unwrap();
    assert_refused(world.walk("dang").access(Right::Read), ErrorKind::Absent);
    if rustix::process::geteuid().is_root() {
        not_checked("a file that may not be read", "root may read every file");
        return;
    }
    fs::set_permissions(world.path("file"), fs::Permissions::from_mode(0o0)).unwrap();
    assert_refused(file.access(Right::Read), ErrorKind::Denied);
    assert_refused(file.open(objcap_object::Open::READ), ErrorKind::Denied);
}
