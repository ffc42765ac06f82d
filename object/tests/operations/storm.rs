//! Names that change all the time: whatever comes of an operation, it is never about another
//! object.

use std::fs;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};

use objcap_object::error::ErrorKind;
use objcap_object::{Change, Object, Open, Right};

use super::World;

const ROUNDS: usize = 5_000;

/// Exchanges two names until the work is done.
fn while_exchanging(world: &World, one: &str, other: &str, work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let flags = rustix::fs::RenameFlags::EXCHANGE;
            let cwd = rustix::fs::CWD;
            let (one, other) = (world.path(one), world.path(other));
            while !done.load(Ordering::Relaxed) {
                // One of them may be gone for the moment.
                let _ = rustix::fs::renameat_with(cwd, &one, cwd, &other, flags);
            }
        });
        // The other thread stops even if the work does not end well.
        struct Done<'a>(&'a AtomicBool);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _done = Done(&done);
        work();
    });
}

/// The same object, as often as it is walked.
fn walk_until(world: &World, name: &str, is_it: impl Fn(&Object) -> bool) -> Object {
    loop {
        let object = world.named(name);
        if is_it(&object) {
            return object;
        }
    }
}

#[test]
fn a_file_exchanged_with_a_link_is_opened_as_itself_or_not_at_all() {
    let world = World::new();
    world
        .file("f", "walked")
        .link("l", world.outside().join("secret"));
    while_exchanging(&world, "f", "l", || {
        let (mut opened, mut refused) = (0, 0);
        let is_file = |object: &Object| object.kind() == Some(objcap_object::Kind::File);
        for _ in 0..ROUNDS {
            let object = walk_until(&world, "f", is_file);
            match object.open(Open::READ_WRITE) {
                Ok(mut file) => {
                    let mut read = String::new();
                    file.read_to_string(&mut read).unwrap();
                    assert_eq!(read, "walked");
                    opened += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Changed(Change::BecameLink));
                    refused += 1;
                }
            }
        }
        println!("opened {opened}, refused {refused}");
        assert!(opened > 0);
    });
    assert!(world.is_outside_untouched());
}

#[test]
fn a_file_exchanged_with_anything_is_never_waited_for_and_never_something_else() {
    // [Z-25, V-14]. Whatever the system says of the other object must not be said of this one.
    let is_file = |object: &Object| object.kind() == Some(objcap_object::Kind::File);
    for how in [Open::READ, Open::WRITE, Open::APPEND] {
        for other in ["pipe", "dir", "link", "file"] {
            let world = World::new();
            world.file("f", "walked").fifo("pipe").dir("dir");
            world.link("link", "nowhere").file("file", "another");
            let walked = world.walk("f").identity();
            while_exchanging(&world, "f", other, || {
                let mut opened = 0;
                while opened < 200 {
                    let object = walk_until(&world, "f", is_file);
                    match object.open(how) {
                        Ok(file) => {
                            let opens = if object.identity() == walked { 6 } else { 7 };
                            assert_eq!(file.metadata().unwrap().len(), opens);
                            opened += 1;
                        }
                        Err(error) => {
                            let kind = error.kind();
                            assert!(matches!(kind, ErrorKind::Changed(_)), "{other}: {error}");
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn what_is_removed_from_under_an_exchange_is_told_apart() {
    let is_file = |object: &Object| object.kind() == Some(objcap_object::Kind::File);
    for _ in 0..300 {
        let world = World::new();
        world.file("f", "walked").dir("dir");
        while_exchanging(&world, "f", "dir", || {
            let object = walk_until(&world, "f", is_file);
            if let Err(error) = object.remove() {
                let kind = error.kind();
                assert!(matches!(kind, ErrorKind::Changed(_)), "{error}");
            }
        });
    }
}

#[test]
fn a_directory_exchanged_with_a_link_is_never_left() {
    // [T-30, T-37]: listing, and removing all that is below.
    let world = World::new();
    world.dir("d").link("l", world.outside());
    while_exchanging(&world, "d", "l", || {
        let mut listed = 0;
        let is_dir = |object: &Object| object.kind() == Some(objcap_object::Kind::Directory);
        for _ in 0..ROUNDS {
            let object = walk_until(&world, "d", is_dir);
            if let Ok(entries) = object.read_dir() {
                assert_eq!(entries.count(), 0, "the directory outside has an entry");
                listed += 1;
            }
        }
        assert!(listed > 0);
    });
    for _ in 0..200 {
        world
            .dir("tree/d/e")
            .file("tree/d/f", "")
            .link("tree/l", world.outside());
        while_exchanging(&world, "tree/d", "tree/l", || {
            // Some entry changes its kind under it; in the end all is gone or an error says why.
            let _ = world.walk("tree").remove_all();
            fs::create_dir_all(world.path("tree/d")).ok();
            fs::write(world.path("tree/l"), "").ok();
        });
        let _ = fs::remove_dir_all(world.path("tree"));
        assert!(world.is_outside_untouched());
    }
}

#[test]
fn rights_and_status_are_of_the_object_or_not_given() {
    let world = World::new();
    world.file("f", "walked").file("g", "another one");
    let object = world.walk("f");
    while_exchanging(&world, "f", "g", || {
        let (mut told, mut rounds) = (0, 0);
        while told < 100 || rounds < ROUNDS {
            rounds += 1;
            match object.stat() {
                Ok(status) => {
                    assert_eq!(status.size, 6);
                    told += 1;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::Changed(Change::Replaced)),
            }
            if let Err(error) = object.access(Right::Read) {
                assert_eq!(error.kind(), ErrorKind::Changed(Change::Replaced));
            }
        }
    });
}
