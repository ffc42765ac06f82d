//! Opening: the object that was walked, for what was asked, and nothing that only opening sets off.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Kind, Object, Open, Options, Right};
use rustix::fs::OFlags;
use rustix::io::{Errno, FdFlags};

use super::{World, assert_refused};

#[test]
fn a_file_is_opened_for_what_was_asked() {
    let world = World::new();
    world.file("file", "contents");
    let mut read = String::new();
    let mut file = world.walk("file").open(Open::READ).unwrap();
    file.read_to_string(&mut read).unwrap();
    assert_eq!(read, "contents");
    assert!(file.write(b"x").is_err(), "it was opened for reading");

    world
        .walk("file")
        .open(Open::APPEND)
        .unwrap()
        .write_all(b"+")
        .unwrap();
    assert_eq!(world.read("file"), "contents+");
    world
        .walk("file")
        .open(Open::WRITE)
        .unwrap()
        .write_all(b"C")
        .unwrap();
    assert_eq!(world.read("file"), "Contents+");
    let mut both = world.walk("file").open(Open::READ_WRITE).unwrap();
    both.write_all(b"cO").unwrap();
    read.clear();
    both.read_to_string(&mut read).unwrap();
    assert_eq!(read, "ntents+");
    world.walk("file").open(Open::WRITE.truncated()).unwrap();
    assert_eq!(world.read("file"), "");
}

#[test]
fn a_file_that_was_opened_waits_for_its_disk_and_dies_with_an_exec() {
    let world = World::new();
    world.file("file", "contents");
    let file = world.walk("file").open(Open::READ).unwrap();
    let flags = rustix::fs::fcntl_getfl(&file).unwrap();
    assert!(!flags.contains(OFlags::NONBLOCK));
    // [T-26]: a descriptor that a child inherits is a way back out.
    assert!(
        rustix::io::fcntl_getfd(&file)
            .unwrap()
            .contains(FdFlags::CLOEXEC)
    );
    let dir = world.walk(".").open_dir().unwrap();
    assert!(
        rustix::io::fcntl_getfd(&dir)
            .unwrap()
            .contains(FdFlags::CLOEXEC)
    );
}

#[test]
fn a_directory_is_opened_as_a_place_and_not_as_a_file() {
    let world = World::of_section_q();
    for name in ["dir", "dir/", ".", "ld", "ld/", "dir/.."] {
        let object = world.walk(name);
        assert_refused(object.open(Open::READ), ErrorKind::IsADirectory);
        let dir = cap_std::fs::Dir::from(object.open_dir().unwrap());
        assert!(dir.dir_metadata().unwrap().is_dir(), "{name}");
    }
    assert_refused(world.walk("file").open_dir(), ErrorKind::NotADirectory);
    assert_refused(world.named("ld").open_dir(), ErrorKind::IsALink);
    assert_refused(world.at_root().open(Open::READ), ErrorKind::IsADirectory);
    world.at_root().open_dir().unwrap();
}

#[test]
fn handles_become_those_of_cap_std() {
    let world = World::new();
    world.dir("dir").file("dir/file", "contents");
    let dir = cap_std::fs::Dir::from(world.walk("dir").open_dir().unwrap());
    assert_eq!(dir.read_to_string("file").unwrap(), "contents");
    assert!(dir.open("../../outside/secret").is_err());
    let file = world.walk("dir/file").open(Open::READ).unwrap();
    let mut file = cap_std::fs::File::from_std(file);
    let mut read = String::new();
    file.read_to_string(&mut read).unwrap();
    assert_eq!(read, "contents");
    // And back: a tree to walk from a handle of theirs.
    let machine = objcap_object::Machine::at(dir.into());
    let object = Object::walk(&machine, "/file", &Options::default()).unwrap();
    assert_eq!(object.real().as_bytes(), b"/file");
    object.open(Open::READ).unwrap();
}

#[test]
fn what_does_not_exist_is_not_made_by_opening_it() {
    let world = World::of_section_q();
    world.walk("file").open(Open::WRITE).unwrap();
    for name in ["nope", "nope/", "nope/x", "dang", "dangdir", "dangdeep"] {
        for how in [Open::READ, Open::WRITE, Open::APPEND, Open::READ_WRITE] {
            assert_refused(world.walk(name).open(how), ErrorKind::Absent);
        }
    }
    assert!(!world.path("nope").exists());
}

#[test]
fn a_link_that_was_walked_as_itself_is_not_followed() {
    // [T-36, T-44, T-64]
    let world = World::new();
    let secret = world.outside().join("secret");
    world.link("l", &secret);
    for how in [Open::READ, Open::WRITE.truncated(), Open::APPEND] {
        assert_refused(world.named("l").open(how), ErrorKind::IsALink);
    }
    // The walk that follows it says so, by the real path.
    let followed = world.walk("l");
    assert_eq!(followed.real().as_ref() as &std::path::Path, secret);
    assert_eq!(followed.links().count(), 1);
    assert!(world.is_outside_untouched());
}

#[test]
fn a_file_that_became_something_else_is_refused_and_left_alone() {
    // [T-24, T-25, T-35, T-64]: a link to elsewhere, to procfs, another file, a directory, a FIFO.
    type Swap = fn(&World);
    let swaps: [(Swap, Change); 6] = [
        (
            |world| {
                world.link("f", world.outside().join("secret"));
            },
            Change::BecameLink,
        ),
        (
            |world| {
                world.link("f", "/proc/self/comm");
            },
            Change::BecameLink,
        ),
        (
            |world| {
                world.file("f", "another");
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
                world.fifo("f");
            },
            Change::Kind,
        ),
        (|_| {}, Change::Gone), // [Z-20]: nothing at all, and no second walk
    ];
    for (swap, change) in swaps {
        for how in [
            Open::READ,
            Open::WRITE.truncated(),
            Open::APPEND,
            Open::READ.even_special(),
        ] {
            let world = World::new();
            world.file("f", "walked");
            let object = world.walk("f");
            object.open(how).unwrap();
            world.rename("f", "kept");
            swap(&world);
            assert_refused(object.open(how), Changed(change));
            assert_refused(object.stat(), Changed(change));
            assert_refused(object.access(Right::Read), Changed(change));
            assert!(world.is_outside_untouched());
            if change == Change::Replaced {
                assert_eq!(world.read("f"), "another", "not truncated");
            }
            // Back in its place it is the object again.
            let _ = fs::remove_file(world.path("f"));
            let _ = fs::remove_dir(world.path("f"));
            world.rename("kept", "f");
            object.open(how).unwrap();
        }
    }
}

#[test]
fn a_fifo_is_opened_only_when_asked_for_and_never_waited_for() {
    // [V-14, V-28]
    let world = World::new();
    world.file("file", "").fifo("pipe");
    world.walk("file").open(Open::WRITE).unwrap();
    let pipe = world.walk("pipe");
    assert_eq!(pipe.kind(), Some(Kind::Fifo));
    for how in [Open::READ, Open::WRITE, Open::READ_WRITE] {
        assert_refused(pipe.open(how), ErrorKind::SpecialFile);
    }
    // Nobody reads it: a writer is told so at once.
    let refused = pipe.open(Open::WRITE.even_special()).unwrap_err();
    let source = refused.io_error().unwrap();
    assert_eq!(Errno::from_io_error(source), Some(Errno::NXIO));
    // Nobody writes it: a reader is there at once, and does not wait for bytes either.
    let mut reader = pipe.open(Open::READ.even_special()).unwrap();
    assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
    let mut writer = pipe.open(Open::WRITE.even_special()).unwrap();
    writer.write_all(b"through").unwrap();
    let mut read = [0; 7];
    reader.read_exact(&mut read).unwrap();
    assert_eq!(&read, b"through");
    assert_eq!(
        reader.read(&mut read).unwrap_err().kind(),
        std::io::ErrorKind::WouldBlock
    );
}

#[test]
fn devices_and_sockets_are_opened_only_when_asked_for() {
    let world = World::new();
    let options = Options::default();
    // [T-23]: that it is *the* null device is in its identity.
    let null = Object::walk(&world.machine, "/dev/null", &options).unwrap();
    assert_eq!(null.kind(), Some(Kind::CharDevice));
    assert_refused(null.open(Open::WRITE), ErrorKind::SpecialFile);
    let mut opened = null.open(Open::WRITE.even_special()).unwrap();
    opened.write_all(b"away").unwrap();
    match Object::walk(&world.machine, "/dev/tty", &options) {
        Ok(tty) if tty.kind().is_some() => {
            assert_refused(tty.open(Open::READ), ErrorKind::SpecialFile);
        }
        _ => super::not_checked("/dev/tty", "there is none"),
    }
    let _listener = UnixListener::bind(world.path("socket")).unwrap();
    let socket = world.walk("socket");
    assert_eq!(socket.kind(), Some(Kind::Socket));
    assert_refused(socket.open(Open::READ), ErrorKind::SpecialFile);
    assert_refused(socket.open(Open::READ.even_special()), ErrorKind::System);
}

#[test]
fn a_second_name_of_a_file_is_in_its_status() {
    // [Z-26, T-78]: a write through one name is seen through the other.
    let world = World::new();
    let secret = world.outside().join("secret");
    let held = world.file("f", "").walk("f").open(Open::WRITE).unwrap();
    assert_eq!(world.walk("f").stat().unwrap().links, 1);
    fs::hard_link(world.path("f"), world.path("g")).unwrap();
    assert_eq!(world.walk("f").stat().unwrap().links, 2);
    drop(held);
    fs::hard_link(&secret, world.path("h")).unwrap();
    let object = world.walk("h");
    assert_eq!(object.stat().unwrap().links, 2);
    // The identity is that of the file outside: whoever excludes that one knows this name by it.
    let options = Options::default();
    let same = Object::walk(&world.machine, &secret, &options).unwrap();
    assert_eq!(object.identity(), same.identity());
}
