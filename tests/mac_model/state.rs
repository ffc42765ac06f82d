//! States: equal where nothing tells two worlds apart, and only there.

use objcap_support::mac::{Call, How, Mac, New, Process, State};

use crate::{name, open, world};

fn state(mac: &Mac) -> State {
    State::new(mac, &[], |_| 0)
}

#[test]
fn what_was_made_and_removed_again_leaves_no_trace() {
    let mut mac = world();
    let before = state(&mac);
    let mut process = Process::unconfined(&mac, "/w");
    let make = Call::Make {
        name: name("new"),
        what: New::Directory,
    };
    assert!(process.call(&mut mac, &make).is_done());
    assert_ne!(state(&mac), before);
    assert!(
        process
            .call(&mut mac, &Call::RemoveFolder(name("new")))
            .is_done()
    );
    assert_eq!(state(&mac), before);
}

#[test]
fn a_copy_does_not_change_with_its_original() {
    let mut mac = world();
    let copy = mac.clone();
    let before = state(&copy);
    let mut process = Process::unconfined(&mac, "/w");
    for call in [
        Call::Unlink(name("f")),
        Call::Rename {
            from: name("d"),
            to: name("e"),
        },
        open("secret", How::Truncate),
    ] {
        assert!(process.call(&mut mac, &call).is_done(), "{call:?}");
        assert_eq!(state(&copy), before);
    }
    assert_ne!(state(&mac), before);
}

#[test]
fn a_hard_link_is_no_copy_and_a_tag_tells_equal_files_apart() {
    let two = |linked: fn(&mut Mac)| {
        let mut mac = world();
        mac.file("/w/one", "same");
        linked(&mut mac);
        mac
    };
    let hard = two(|mac| mac.link_hard("/w/one", "/w/two"));
    let copied = two(|mac| {
        mac.file("/w/two", "same");
    });
    assert_ne!(state(&hard), state(&copied));
    let mut swapped = copied.clone();
    let swap = Call::Swap {
        one: name("one"),
        other: name("two"),
    };
    assert!(
        Process::unconfined(&swapped, "/w")
            .call(&mut swapped, &swap)
            .is_done()
    );
    assert_eq!(state(&swapped), state(&copied));
    let one = copied.at("/w/one").unwrap();
    let tagged = |mac: &Mac| State::new(mac, &[], |ino| u64::from(ino == one));
    assert_ne!(tagged(&swapped), tagged(&copied));
}

#[test]
fn what_a_process_holds_is_part_of_its_state() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let of = |mac: &Mac, process: &Process| State::new(mac, &[process], |_| 0);
    let before = of(&mac, &process);
    let fd = process.call(&mut mac, &open("f", How::Read)).fd();
    let opened = of(&mac, &process);
    assert_ne!(opened, before);
    assert!(process.call(&mut mac, &Call::Close(fd)).is_done());
    assert_eq!(of(&mac, &process), before);
    assert!(
        process
            .call(&mut mac, &Call::ChangeFolder(name("d")))
            .is_done()
    );
    assert_ne!(of(&mac, &process), before);
}

/// What is asked about it goes by the name that it had.
#[test]
fn a_removed_folder_that_a_process_stands_in_keeps_its_name() {
    let standing_in = |folder: &str| {
        let mut mac = world();
        let mut process = Process::unconfined(&mac, "/w");
        let make = Call::Make {
            name: name(folder),
            what: New::Directory,
        };
        let remove = Call::RemoveFolder(name(&format!("../{folder}")));
        for call in [make, Call::ChangeFolder(name(folder)), remove] {
            assert!(process.call(&mut mac, &call).is_done(), "{call:?}");
        }
        State::new(&mac, &[&process], |_| 0)
    };
    assert_eq!(standing_in("one"), standing_in("one"));
    assert_ne!(standing_in("one"), standing_in("other"));
}
