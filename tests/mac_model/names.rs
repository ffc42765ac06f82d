//! Giving, moving, exchanging and taking names.

use objcap::walk::Leaf;
use objcap_support::mac::{Call, Effect, Errno, How, Ino, Mac, New, Outcome, Process};

use crate::{asked, asks_each, confined, done, name, open, refused, world};

fn rename(from: &str, to: &str) -> Call {
    Call::Rename {
        from: name(from),
        to: name(to),
    }
}

fn swap(one: &str, other: &str) -> Call {
    Call::Swap {
        one: name(one),
        other: name(other),
    }
}

fn link(from: &str, to: &str) -> Call {
    Call::Link {
        from: name(from),
        to: name(to),
        leaf: Leaf::Follow,
    }
}

fn clone(from: &str, to: &str) -> Call {
    Call::Clone {
        from: name(from),
        to: name(to),
        leaf: Leaf::Follow,
    }
}

fn at(mac: &Mac, real: &str) -> Ino {
    mac.at(real).unwrap()
}

#[test]
fn renaming_asks_to_unlink_and_to_create_and_never_to_read() {
    let mut mac = world();
    let call = rename("f", "d/moved");
    asks_each(
        &mac,
        &call,
        &["file-write-unlink /w/f", "file-write-create /w/d/moved"],
    );
    let over = rename("f", "d/g");
    let replacing = [
        "file-write-unlink /w/f",
        "file-write-unlink /w/d/g",
        "file-write-create /w/d/g",
    ];
    asks_each(&mac, &over, &replacing);
    let f = at(&mac, "/w/f");
    let rules = "(allow file-write* (subpath \"/w\")) (deny file-read* (subpath \"/\"))";
    done(&mut mac, rules, &over);
    assert_eq!((at(&mac, "/w/d/g"), mac.at("/w/f")), (f, None));
}

#[test]
fn renaming_a_folder_asks_for_the_folder_alone() {
    let mut mac = world();
    let g = at(&mac, "/w/d/g");
    let call = rename("d", "e");
    asks_each(
        &mac,
        &call,
        &["file-write-unlink /w/d", "file-write-create /w/e"],
    );
    // What lies below is denied, and comes along all the same.
    let rules = "(allow file-write* (subpath \"/w\")) (deny file-write* (literal \"/w/d/g\"))";
    assert_eq!(
        refused(&mut mac, rules, &Call::Unlink(name("d/g"))),
        "file-write-unlink /w/d/g"
    );
    done(&mut mac, rules, &call);
    assert_eq!(at(&mac, "/w/e/g"), g);
}

#[test]
fn a_rename_that_posix_refuses_is_refused() {
    let mut mac = world();
    mac.directory("/w/full/in");
    mac.directory("/w/empty");
    mac.give("/w");
    let mut process = Process::unconfined(&mac, "/w");
    let mut run = |call: &Call| process.call(&mut mac, call).outcome;
    for (from, to, errno) in [
        ("d", "d/inner", Errno::INVAL),
        ("d", "d/g/x", Errno::NOTDIR),
        ("d", "full", Errno::NOTEMPTY),
        ("f", "empty", Errno::ISDIR),
        ("d", "f", Errno::NOTDIR),
        ("none", "x", Errno::NOENT),
        ("f", "x/", Errno::NOTDIR),
        ("d/.", "x", Errno::INVAL),
        ("/", "x", Errno::INVAL),
        ("f", "/w/d/..", Errno::INVAL),
        ("/Users", "/w/x", Errno::ACCESS),
    ] {
        assert_eq!(
            run(&rename(from, to)),
            Outcome::Failed(errno),
            "{from} {to}"
        );
    }
    assert_eq!(run(&rename("d", "empty/")), Outcome::Done(Effect::None));
    assert_eq!(
        run(&rename("second", "secret")),
        Outcome::Done(Effect::None)
    );
    assert!(
        mac.at("/w/second").is_some(),
        "two names of one file: nothing happens"
    );
    assert!(mac.at("/w/empty/g").is_some());
}

#[test]
fn another_spelling_of_a_name_is_no_second_one() {
    let mut mac = world();
    let call = rename("f", "F");
    asks_each(
        &mac,
        &call,
        &["file-write-unlink /w/f", "file-write-create /w/f"],
    );
    Process::unconfined(&mac, "/w").call(&mut mac, &call);
    assert_eq!(mac.real_path_of(at(&mac, "/w"), b"f"), b"/w/F");
}

#[test]
fn swapping_asks_for_both_names() {
    let mut mac = world();
    let [f, d] = ["/w/f", "/w/d"].map(|real| at(&mac, real));
    let call = swap("f", "d");
    let questions = [
        "file-write-unlink /w/f",
        "file-write-unlink /w/d",
        "file-write-create /w/f",
        "file-write-create /w/d",
    ];
    asks_each(&mac, &call, &questions);
    done(&mut mac, "(allow file-write* (subpath \"/w\"))", &call);
    assert_eq!((at(&mac, "/w/f"), at(&mac, "/w/d")), (d, f));
    assert!(mac.at("/w/f/g").is_some());
    // Each name keeps its spelling.
    let mut process = Process::unconfined(&mac, "/w");
    assert!(process.call(&mut mac, &swap("F", "D")).is_done());
    assert_eq!(mac.real_path_of(at(&mac, "/w"), b"F"), b"/w/f");
    assert_eq!(mac.real_path(at(&mac, "/w/d")), b"/w/d");
    assert!(process.call(&mut mac, &swap("f", "d")).is_done());
    let answer = process.call(&mut mac, &swap("f", "f/g"));
    assert_eq!(
        answer.outcome,
        Outcome::Failed(Errno::INVAL),
        "one lies below the other"
    );
    let answer = process.call(&mut mac, &swap("f", "none"));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::NOENT));
}

#[test]
fn exchanging_data_asks_for_reading_and_writing_both() {
    let mut mac = world();
    let call = Call::Exchange {
        one: name("f"),
        other: name("d/g"),
    };
    let questions = [
        "file-read-data /w/f",
        "file-write-data /w/f",
        "file-read-data /w/d/g",
        "file-write-data /w/d/g",
    ];
    asks_each(&mac, &call, &questions);
    done(&mut mac, "(allow file* (subpath \"/w\"))", &call);
    assert_eq!(**mac.contents(at(&mac, "/w/f")).unwrap(), *b"below");
    assert_eq!(**mac.contents(at(&mac, "/w/d/g")).unwrap(), *b"held");
}

#[test]
fn linking_asks_about_its_source_and_for_the_new_name() {
    let mut mac = world();
    let call = link("f", "d/h");
    asks_each(&mac, &call, &["file-link /w/f", "file-write-create /w/d/h"]);
    let through = link("to-f", "d/h");
    let questions = [
        "file-read-metadata /w/to-f",
        "file-link /w/f",
        "file-write-create /w/d/h",
    ];
    asks_each(&mac, &through, &questions);
    // It starts allowed: `(deny default)` does not speak of it.
    done(
        &mut mac,
        "(allow file-write-create (literal \"/w/d/h\"))",
        &call,
    );
    assert_eq!(at(&mac, "/w/d/h"), at(&mac, "/w/f"));
    let mut process = Process::unconfined(&mac, "/w");
    let answer = process.call(&mut mac, &link("d", "e"));
    assert_eq!(
        answer.outcome,
        Outcome::Failed(Errno::PERM),
        "a folder has one name"
    );
}

#[test]
fn the_name_of_a_hard_link_decides() {
    let mut mac = world();
    let rules =
        "(allow file-read-data (subpath \"/w\")) (deny file-read-data (literal \"/w/secret\"))";
    assert_eq!(at(&mac, "/w/secret"), at(&mac, "/w/second"));
    done(&mut mac, rules, &open("second", How::Read));
    refused(&mut mac, rules, &open("secret", How::Read));
}

#[test]
fn a_file_is_cloned_where_it_may_be_read() {
    let mut mac = world();
    let call = clone("f", "d/copy");
    let questions = [
        "file-clone /w/f",
        "file-read-data /w/f",
        "file-write-create /w/d/copy",
    ];
    asks_each(&mac, &call, &questions);
    let rules =
        "(allow file-read-data (literal \"/w/f\")) (allow file-write-create (subpath \"/w/d\"))";
    done(&mut mac, rules, &call);
    let copy = at(&mac, "/w/d/copy");
    assert_ne!(copy, at(&mac, "/w/f"));
    assert_eq!(**mac.contents(copy).unwrap(), *b"held");
    mac.permit("/w/f", 0o640);
    done(&mut mac, rules, &clone("f", "d/again"));
    assert_eq!(
        mac.mode(at(&mac, "/w/d/again")),
        0o640,
        "the mode comes along"
    );
    mac.permit("/w/f", 0o200);
    let answer = confined(&mac, rules).call(&mut mac, &clone("f", "d/third"));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::ACCESS));
}

#[test]
fn a_folder_is_cloned_once_with_all_below_it() {
    let mut mac = world();
    mac.file("/w/d/deep/er/secret", "deep");
    mac.give("/w");
    let call = clone("d", "copy");
    let questions = [
        "file-clone /w/d",
        "file-read-data /w/d",
        "file-write-create /w/copy",
    ];
    asks_each(&mac, &call, &questions);
    let rules = "(allow file-read* file-write* (subpath \"/w\")) \
                 (deny file-read* file-write* file-clone (subpath \"/w/d/deep\"))";
    refused(&mut mac, rules, &open("d/deep/er/secret", How::Read));
    refused(&mut mac, rules, &clone("d/deep/er/secret", "copy"));
    let answer = confined(&mac, rules).call(&mut mac, &call);
    assert_eq!(asked(&answer), questions);
    assert_eq!(
        **mac.contents(at(&mac, "/w/copy/deep/er/secret")).unwrap(),
        *b"deep"
    );
    done(&mut mac, rules, &open("copy/deep/er/secret", How::Read));
    // The measure against it: `file-clone` denied on the folder above.
    let pinned = format!("{rules} (deny file-clone (literal \"/w/d\"))");
    assert_eq!(
        refused(&mut mac, &pinned, &clone("d", "again")),
        "file-clone /w/d"
    );
    let mut process = Process::unconfined(&mac, "/w");
    let answer = process.call(&mut mac, &clone("d", "d/inner"));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::INVAL));
}

#[test]
fn taking_a_name_away_asks_to_unlink() {
    let mut mac = world();
    asks_each(&mac, &Call::Unlink(name("f")), &["file-write-unlink /w/f"]);
    asks_each(
        &mac,
        &Call::Unlink(name("to-f")),
        &["file-write-unlink /w/to-f"],
    );
    mac.directory("/w/empty");
    mac.give("/w");
    asks_each(
        &mac,
        &Call::RemoveFolder(name("empty")),
        &["file-write-unlink /w/empty"],
    );
    let mut process = Process::unconfined(&mac, "/w");
    for (call, errno) in [
        (Call::Unlink(name("d")), Errno::PERM),
        (Call::RemoveFolder(name("d")), Errno::NOTEMPTY),
        (Call::RemoveFolder(name("f")), Errno::NOTDIR),
        (Call::RemoveFolder(name("empty/.")), Errno::INVAL),
        (Call::Unlink(name("f/")), Errno::NOTDIR),
    ] {
        let answer = process.call(&mut mac, &call);
        assert_eq!(answer.outcome, Outcome::Failed(errno), "{call:?}");
    }
    assert!(
        process
            .call(&mut mac, &Call::RemoveFolder(name("empty")))
            .is_done()
    );
    assert!(
        process
            .call(&mut mac, &Call::Unlink(name("secret")))
            .is_done()
    );
    assert_eq!(**mac.contents(at(&mac, "/w/second")).unwrap(), *b"secret");
}

#[test]
fn in_a_sticky_folder_names_are_their_owners() {
    let mut mac = world();
    mac.file("/private/tmp/mine", "");
    mac.file("/private/tmp/theirs", "");
    mac.give("/private/tmp/mine");
    // The folder is the system's, as on a Mac, and everybody writes in it.
    let mut process = Process::unconfined(&mac, "/private/tmp");
    let answer = process.call(&mut mac, &rename("mine", "theirs"));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::PERM), "replaced");
    let answer = process.call(&mut mac, &rename("theirs", "new"));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::PERM), "moved");
    assert!(
        process
            .call(&mut mac, &Call::Unlink(name("mine")))
            .is_done()
    );
    let answer = process.call(&mut mac, &Call::Unlink(name("theirs")));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::PERM));
}

#[test]
fn a_removed_folder_takes_no_new_names() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let make = Call::Make {
        name: name("gone"),
        what: New::Directory,
    };
    assert!(process.call(&mut mac, &make).is_done());
    assert!(
        process
            .call(&mut mac, &Call::ChangeFolder(name("gone")))
            .is_done()
    );
    assert!(process.call(&mut mac, &open("in", How::Create)).is_done());
    assert!(process.call(&mut mac, &Call::Unlink(name("in"))).is_done());
    assert!(
        process
            .call(&mut mac, &Call::RemoveFolder(name("../gone")))
            .is_done()
    );
    let answer = process.call(&mut mac, &open("in", How::Create));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::NOENT));
}
