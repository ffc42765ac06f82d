//! Replacing a file in one step.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::sync::atomic::{AtomicBool, Ordering};

use objcap_object::error::ErrorKind::{self, Changed};
use objcap_object::{Change, Mode, NewMode};

use super::{World, assert_refused};

#[test]
fn the_new_file_has_the_name_and_the_old_ones_mode() {
    let world = World::new();
    world.file("f", "old");
    fs::set_permissions(world.path("f"), fs::Permissions::from_mode(0o4751)).unwrap();
    fs::hard_link(world.path("f"), world.path("second")).unwrap();
    let object = world.walk("f");
    object.replace(b"new", NewMode::Kept).unwrap();
    assert_eq!(world.read("f"), "new");
    // Without the set-user bit: a program's privilege is not handed to new bytes.
    assert_eq!(
        fs::metadata(world.path("f")).unwrap().mode() & 0o7777,
        0o751
    );
    assert_eq!(
        world.read("second"),
        "old",
        "another name keeps the old file"
    );
    assert_eq!(world.names("."), ["f", "second"]);
    // It is another object now.
    assert_refused(
        object.replace(b"again", NewMode::Kept),
        Changed(Change::Replaced),
    );
    world
        .walk("f")
        .replace(b"again", NewMode::Given(Mode::PRIVATE))
        .unwrap();
    assert_eq!(world.walk("f").stat().unwrap().mode, Mode::PRIVATE);
}

#[test]
fn a_file_that_was_not_there_is_made() {
    let world = World::new();
    world.walk("f").replace(b"new", NewMode::Kept).unwrap();
    assert_eq!(world.read("f"), "new");
    let given = NewMode::Given(Mode::new(0o666));
    world.walk("g").replace(b"new", given).unwrap();
    assert_eq!(world.walk("g").stat().unwrap().mode, Mode::new(0o666));
    assert_refused(
        world.walk("h/").replace(b"", given),
        ErrorKind::IsADirectory,
    );
    assert_refused(world.walk("h/i").replace(b"", given), ErrorKind::NoParent);
    assert_eq!(world.names("."), ["f", "g"]);
}

#[test]
fn a_failure_leaves_the_old_file_and_nothing_beside_it() {
    let world = World::new();
    world.file("f", "old");
    let object = world.walk("f");
    let answer = object.replace_with(NewMode::Kept, |file| {
        file.write_all(b"half")?;
        Err(std::io::Error::other("the source dried up"))
    });
    let error = answer.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::System);
    assert!(
        error.to_string().ends_with("the source dried up"),
        "{error}"
    );
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        object.replace_with(NewMode::Kept, |_| panic!("the writer fell over"))
    }));
    assert!(panicked.is_err());
    assert_eq!(world.read("f"), "old");
    assert_eq!(world.names("."), ["f"]);
    object.replace(b"new", NewMode::Kept).unwrap();
}

#[test]
fn only_a_file_is_replaced() {
    let world = World::of_section_q();
    world.fifo("pipe");
    let kept = NewMode::Kept;
    assert_refused(
        world.walk("dir").replace(b"", kept),
        ErrorKind::IsADirectory,
    );
    assert_refused(world.named("lf").replace(b"", kept), ErrorKind::IsALink);
    assert_refused(
        world.walk("pipe").replace(b"", kept),
        ErrorKind::SpecialFile,
    );
    assert_refused(world.at_root().replace(b"", kept), ErrorKind::NoLeaf);
    // Through a link, what it leads to is replaced, and the link stays.
    world.walk("lf").replace(b"new", kept).unwrap();
    assert_eq!(world.read("file"), "new");
    assert_eq!(world.named("lf").read_link().unwrap(), b"file");
}

#[test]
fn what_came_into_its_place_while_it_was_written_stays() {
    let world = World::new();
    world.file("f", "old");
    let object = world.walk("f");
    let answer = object.replace_with(NewMode::Kept, |file| {
        world
            .rename("f", "kept")
            .link("f", world.outside().join("secret"));
        file.write_all(b"new")
    });
    assert_refused(answer, Changed(Change::BecameLink));
    assert!(world.is_outside_untouched());
    assert_eq!(world.names("."), ["f", "kept"]);
    // And what came into the place of the file that was written.
    let answer = world.walk("kept").replace_with(NewMode::Kept, |_| {
        let staged = world
            .names(".")
            .into_iter()
            .find(|name| name.starts_with(".objcap-"));
        let staged = staged.unwrap();
        world.rename(&staged, "stolen").file(&staged, "theirs");
        Ok(())
    });
    assert_refused(answer, Changed(Change::Replaced));
    assert_eq!(world.read("kept"), "old");
    let left = world.names(".");
    assert_eq!(left.len(), 4, "theirs is not removed: {left:?}");
}

#[test]
fn a_reader_sees_the_old_or_the_new() {
    let world = World::new();
    let old = "old".repeat(4000);
    let new = "new".repeat(5000);
    world.file("f", &old);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) || reads == 0 {
                let read = world.read("f");
                assert!(read == old || read == new, "{} bytes", read.len());
                reads += 1;
            }
        });
        for round in 0..100 {
            let contents = if round % 2 == 0 { &new } else { &old };
            world
                .walk("f")
                .replace(contents.as_bytes(), NewMode::Kept)
                .unwrap();
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
    assert_eq!(world.names("."), ["f"]);
}
