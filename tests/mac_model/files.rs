//! Opening, making, telling: what each call asks of the profile, and what it then does.

use objcap::walk::{Kind, Leaf};
use objcap_support::mac::{Call, Effect, Errno, Fd, How, New, Outcome, Probe, Process};

use crate::{asks_each, confined, done, name, open, opened, refused, world};

#[test]
fn opening_asks_by_mode() {
    let mac = world();
    for (how, questions) in [
        (How::Read, &["file-read-data /w/f"][..]),
        (How::Write, &["file-write-data /w/f"]),
        (How::Append, &["file-write-data /w/f"]),
        (How::Truncate, &["file-write-data /w/f"]),
        (How::Create, &["file-write-data /w/f"]),
        (
            How::ReadWrite,
            &["file-read-data /w/f", "file-write-data /w/f"],
        ),
    ] {
        asks_each(&mac, &open("f", how), questions);
    }
    asks_each(
        &mac,
        &open("new", How::Create),
        &["file-write-create /w/new"],
    );
    asks_each(
        &mac,
        &open("new", How::CreateNew),
        &["file-write-create /w/new"],
    );
    asks_each(&mac, &open("d", How::Directory), &["file-read-data /w/d"]);
    asks_each(&mac, &open("d/..", How::Read), &["file-read-data /w"]);
}

#[test]
fn what_is_opened_is_read_and_written_without_another_question() {
    let mut mac = world();
    let rules = "(allow file-read-data file-write-data (literal \"/w/f\"))";
    let mut process = confined(&mac, rules);
    let fd = process.call(&mut mac, &open("f", How::ReadWrite)).fd();
    let answer = process.call(&mut mac, &Call::Write(fd, b"HE".to_vec()));
    assert!(answer.is_done() && answer.asked.is_empty());
    let answer = process.call(&mut mac, &Call::Read(fd));
    assert_eq!(
        answer.outcome,
        Outcome::Done(Effect::Contents(b"HEld"[..].into()))
    );
    let end = process.call(&mut mac, &open("f", How::Append)).fd();
    process.call(&mut mac, &Call::Write(end, b"!".to_vec()));
    assert_eq!(**mac.contents(mac.at("/w/f").unwrap()).unwrap(), *b"HEld!");
    let answer = process.call(&mut mac, &Call::Read(end));
    assert_eq!(
        answer.outcome,
        Outcome::Failed(Errno::BADF),
        "for writing alone"
    );
    assert!(process.call(&mut mac, &Call::Close(end)).is_done());
    let answer = process.call(&mut mac, &Call::Write(end, Vec::new()));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::BADF), "closed");
    process.call(&mut mac, &open("f", How::Truncate));
    assert_eq!(mac.contents(mac.at("/w/f").unwrap()).unwrap().len(), 0);
}

#[test]
fn a_descriptor_opened_before_goes_on_working() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let fd = opened(&mut mac, &mut process, "secret", How::ReadWrite);
    let folder = opened(&mut mac, &mut process, "/w", How::Directory);
    let sandbox = crate::sandbox("(allow file-read-data (literal \"/w/f\"))", <_>::default());
    let mut process = process.confined(sandbox);
    assert!(process.call(&mut mac, &open("f", How::Read)).is_done());
    assert!(
        process
            .call(&mut mac, &open("secret", How::Read))
            .is_refused()
    );
    let answer = process.call(&mut mac, &Call::Read(fd));
    assert_eq!(
        answer.outcome,
        Outcome::Done(Effect::Contents(b"secret"[..].into()))
    );
    assert!(
        process
            .call(&mut mac, &Call::Write(fd, b"x".to_vec()))
            .is_done()
    );
    let answer = process.call(&mut mac, &Call::List(folder));
    assert!(answer.asked.is_empty());
    let Outcome::Done(Effect::Names(names)) = answer.outcome else {
        panic!("{answer:?}");
    };
    assert_eq!(names.len(), 7);
    // A name below a descriptor is asked for as any other.
    let below = |path: &str| Call::Open {
        name: objcap_support::mac::Name::at(folder, path),
        how: How::Read,
        leaf: Leaf::Follow,
    };
    assert!(process.call(&mut mac, &below("f")).is_done());
    assert!(process.call(&mut mac, &below("secret")).is_refused());
}

#[test]
fn making_asks_to_create_the_new_name() {
    let mac = world();
    for what in [New::Directory, New::Symlink(b"f".to_vec()), New::Fifo] {
        let call = Call::Make {
            name: name("new"),
            what,
        };
        asks_each(&mac, &call, &["file-write-create /w/new"]);
    }
    let mut mac = mac;
    let mut process = Process::unconfined(&mac, "/w");
    for (path, what, kind) in [
        ("n1", New::Directory, Kind::Directory),
        ("n2", New::Symlink(b"f".to_vec()), Kind::Symlink),
        ("n3", New::Fifo, Kind::Fifo),
    ] {
        let call = Call::Make {
            name: name(path),
            what,
        };
        assert!(process.call(&mut mac, &call).is_done());
        assert_eq!(mac.kind(mac.at(format!("/w/{path}")).unwrap()), kind);
        let answer = process.call(&mut mac, &call);
        assert_eq!(answer.outcome, Outcome::Failed(Errno::EXIST));
    }
}

#[test]
fn telling_asks_for_metadata() {
    let mac = world();
    let stat = |path, leaf| Call::Stat {
        name: name(path),
        leaf,
    };
    asks_each(&mac, &stat("f", Leaf::Follow), &["file-read-metadata /w/f"]);
    asks_each(
        &mac,
        &stat("to-f", Leaf::AsNamed),
        &["file-read-metadata /w/to-f"],
    );
    asks_each(
        &mac,
        &stat("to-f", Leaf::Follow),
        &["file-read-metadata /w/to-f", "file-read-metadata /w/f"],
    );
    let link = Call::ReadLink(name("to-f"));
    asks_each(&mac, &link, &["file-read-metadata /w/to-f"]);
    let mut mac = mac;
    let mut process = confined(
        &mac,
        "(allow file-read-data file-read-metadata (literal \"/w\"))",
    );
    let fd = process.call(&mut mac, &open("/w", How::Directory)).fd();
    let answer = process.call(&mut mac, &Call::ListAttributes(fd));
    assert_eq!(crate::asked(&answer), ["file-read-metadata /w"]);
    assert!(answer.is_done());
    let mut process = confined(&mac, "(allow file-read-data (literal \"/w\"))");
    let fd = process.call(&mut mac, &open("/w", How::Directory)).fd();
    assert!(process.call(&mut mac, &Call::List(fd)).is_done());
    assert!(
        process
            .call(&mut mac, &Call::ListAttributes(fd))
            .is_refused()
    );
}

#[test]
fn access_asks_what_the_deed_would() {
    let mac = world();
    for (probe, question) in [
        (Probe::Exists, "file-test-existence /w/f"),
        (Probe::Read, "file-read-data /w/f"),
        (Probe::Write, "file-write-data /w/f"),
        (Probe::Execute, "process-exec* /w/f"),
    ] {
        asks_each(&mac, &Call::Access(name("f"), probe), &[question]);
    }
}

#[test]
fn truncating_asks_to_write() {
    let mut mac = world();
    let call = Call::Truncate(name("f"));
    asks_each(&mac, &call, &["file-write-data /w/f"]);
    done(
        &mut mac,
        "(allow file-write-data (literal \"/w/f\"))",
        &call,
    );
    assert_eq!(mac.contents(mac.at("/w/f").unwrap()).unwrap().len(), 0);
}

#[test]
fn permissions_count_beside_the_profile() {
    let mut mac = world();
    mac.file("/System/kept", "kept");
    mac.permit("/w/f", 0o555);
    mac.permit("/w/d", 0o600);
    let mut process = Process::unconfined(&mac, "/w");
    let mut fails = |call: &Call| process.call(&mut mac, call).outcome;
    for (call, errno) in [
        (open("/w/f", How::Write), Errno::ACCESS),
        (open("/w/d/g", How::Read), Errno::ACCESS),
        (open("/System/kept", How::Write), Errno::ACCESS),
        (open("/System/new", How::Create), Errno::ACCESS),
        (Call::Unlink(name("/System/kept")), Errno::ACCESS),
        (open("/w", How::Write), Errno::ISDIR),
        (open("none", How::Read), Errno::NOENT),
        (open("f", How::Directory), Errno::NOTDIR),
        (open("none/x", How::Create), Errno::NOENT),
        (open("f", How::CreateNew), Errno::EXIST),
        (open("new/", How::Create), Errno::NOENT),
        (Call::Read(Fd(7)), Errno::BADF),
        (Call::ReadLink(name("f")), Errno::INVAL),
        (Call::Truncate(name("d")), Errno::ISDIR),
    ] {
        assert_eq!(fails(&call), Outcome::Failed(errno), "{call:?}");
    }
    assert!(matches!(
        fails(&open("/System/kept", How::Read)),
        Outcome::Done(_)
    ));
    let raw = Call::Make {
        name: objcap_support::mac::Name::from(b"\xff"),
        what: New::Directory,
    };
    assert_eq!(fails(&raw), Outcome::Failed(Errno::ILSEQ));
}

#[test]
fn creating_follows_a_dangling_link_unless_it_must_be_new() {
    let mut mac = world();
    mac.link("/w/dangling", "d/made");
    let questions = [
        "file-read-metadata /w/dangling",
        "file-write-create /w/d/made",
    ];
    asks_each(&mac, &open("dangling", How::Create), &questions);
    let all = "(allow file* (subpath \"/w\"))";
    let mut process = confined(&mac, all);
    let answer = process.call(&mut mac, &open("dangling", How::CreateNew));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::EXIST));
    let as_named = Call::Open {
        name: name("dangling"),
        how: How::Create,
        leaf: Leaf::AsNamed,
    };
    let answer = process.call(&mut mac, &as_named);
    assert_eq!(answer.outcome, Outcome::Failed(Errno::LOOP));
    done(&mut mac, all, &open("dangling", How::Create));
    assert!(mac.at("/w/d/made").is_some());
}

#[test]
fn a_folder_above_does_not_speak_for_what_is_asked() {
    let mut mac = world();
    let subpath =
        "(allow file-read-data (subpath \"/w\")) (deny file-read-data (literal \"/w/f\"))";
    done(&mut mac, subpath, &open("d/g", How::Read));
    assert_eq!(
        refused(&mut mac, subpath, &open("f", How::Read)),
        "file-read-data /w/f"
    );
}
