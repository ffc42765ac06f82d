//! What is changed of an object beside its contents and names.

use objcap::walk::{Leaf, Owner};
use objcap_support::mac::{Attribute, Call, Errno, Mac, Outcome, Process, State};

use crate::{asks_each, name, world};

fn change(path: &str, attribute: Attribute) -> Call {
    Call::Change {
        name: name(path),
        attribute,
        leaf: Leaf::Follow,
    }
}

#[test]
fn each_attribute_asks_its_own_operation() {
    let mac = world();
    for (attribute, question) in [
        (Attribute::Mode(0o600), "file-write-mode /w/f"),
        (Attribute::Owner(Owner::User), "file-write-owner /w/f"),
        (Attribute::Flags, "file-write-flags /w/f"),
        (Attribute::Times, "file-write-times /w/f"),
        (Attribute::Acl, "file-write-acl /w/f"),
        (Attribute::Xattr, "file-write-xattr /w/f"),
    ] {
        asks_each(&mac, &change("f", attribute), &[question]);
        let mut changed = mac.clone();
        let mut process = Process::unconfined(&changed, "/w");
        assert!(
            process
                .call(&mut changed, &change("f", attribute))
                .is_done()
        );
        let f = changed.at("/w/f").unwrap();
        assert!(changed.is_touched(f, attribute) && !mac.is_touched(f, attribute));
        let state = |mac: &Mac| State::new(mac, &[], |_| 0);
        assert_ne!(state(&mac), state(&changed));
    }
}

#[test]
fn a_link_is_changed_as_named_or_followed() {
    let mac = world();
    let questions = ["file-read-metadata /w/to-f", "file-write-mode /w/f"];
    asks_each(&mac, &change("to-f", Attribute::Mode(0)), &questions);
    let as_named = Call::Change {
        name: name("to-f"),
        attribute: Attribute::Mode(0),
        leaf: Leaf::AsNamed,
    };
    asks_each(&mac, &as_named, &["file-write-mode /w/to-f"]);
}

#[test]
fn attributes_are_for_owners_to_change() {
    let mut mac = world();
    mac.file("/System/theirs", "");
    mac.permit("/System/theirs", 0o666);
    let mut process = Process::unconfined(&mac, "/w");
    let mut run = |path: &str, attribute| {
        let answer = process.call(&mut mac, &change(path, attribute));
        answer.outcome
    };
    let refused = Outcome::Failed(Errno::PERM);
    assert_eq!(run("/System/theirs", Attribute::Mode(0o777)), refused);
    assert_eq!(run("/System/theirs", Attribute::Times), refused);
    assert_eq!(run("f", Attribute::Owner(Owner::System)), refused);
    // Who may write a file may note something beside it.
    assert!(matches!(
        run("/System/theirs", Attribute::Xattr),
        Outcome::Done(_)
    ));
    assert!(matches!(run("f", Attribute::Mode(0o700)), Outcome::Done(_)));
    assert_eq!(mac.mode(mac.at("/w/f").unwrap()), 0o700);
}
