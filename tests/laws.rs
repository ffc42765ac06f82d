//! The laws (docs/ARCHITECTURE.md), a test for each that is not tried elsewhere. What a law says of
//! parts that do not exist yet is told there, not here.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::io::Read as _;
use std::path::Path;

use objcap::capability::{Access, ErrorKind, Grant, Guard, List, Stack};
use objcap::object::{Host, Machine, Object, Options};
use objcap::sandbox::{self, Profile};
use objcap::sbpl;
use objcap_support::scratch::{Entry, Scratch};
use rustix::fs::{Mode, OFlags, openat};

fn file(path: &str) -> Entry {
    Entry::File(path.into())
}

fn link(path: &str, text: &str) -> Entry {
    Entry::Link(path.into(), text.into())
}

fn grant(clauses: &[(List, String)], host: &Host<impl objcap::walk::Tree>) -> Grant {
    let builder = clauses
        .iter()
        .fold(Grant::builder().fs(), |builder, (list, name)| match list {
            List::Read => builder.read(name),
            List::Write => builder.write(name),
            List::Protect => builder.protect(name),
            _ => builder.exclude(name),
        });
    builder.build(&host.vars).unwrap()
}

#[test]
fn law_1_objects_not_names() {
    let scratch = Scratch::new(&[file("a/f"), Entry::Directory("b".into())]);
    fs::write(scratch.root().join("a/f"), "the object").unwrap();
    fs::write(scratch.root().join("b/f"), "another").unwrap();
    let machine = Machine::ambient_root().unwrap();
    let object = Object::walk(&machine, scratch.root().join("a/f"), &Options::default()).unwrap();

    // The folder goes elsewhere, and another takes its name.
    fs::rename(scratch.root().join("a"), scratch.root().join("moved")).unwrap();
    fs::rename(scratch.root().join("b"), scratch.root().join("a")).unwrap();

    let leaf = object.leaf().unwrap();
    let opened = openat(
        object.parent(),
        leaf,
        OFlags::RDONLY | OFlags::NOFOLLOW,
        Mode::empty(),
    );
    let mut text = String::new();
    fs::File::from(opened.unwrap())
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "the object");
}

#[test]
fn law_3_an_exclusion_holds_under_every_spelling() {
    let scratch = Scratch::new(&[file(".env"), file("caf\u{e9}"), file("readme")]);
    let host = Host::ambient().unwrap();
    let at = |name: &str| scratch.root().join(name);
    let clauses = [
        (List::Write, scratch.root().to_str().unwrap().to_owned()),
        (List::Exclude, at(".env").to_str().unwrap().to_owned()),
        (List::Exclude, at("caf\u{e9}").to_str().unwrap().to_owned()),
    ];
    let stack = Stack::freeze(&[grant(&clauses, &host)], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let admitted = |path: &Path, access| guard.judge(path, access).unwrap().is_admitted();
    assert!(admitted(&at("readme"), Access::WRITE));
    for name in [".env", ".ENV", "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}"] {
        assert!(!admitted(&at(name), Access::READ), "{name}");
        assert!(!admitted(&at(name), Access::WRITE), "{name}");
    }
    // An allowance holds under the stored name alone, on a volume that tells names apart.
    let respelled = scratch.root().parent().unwrap().join("root/readme");
    assert!(!admitted(&respelled, Access::READ));
}

#[test]
fn law_4_evidence_is_monotone_and_depth_is_nothing() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/a/b/f");
    let places = ["/w", "/w/a", "/w/a/b", "/w/a/b/f"];
    let lists = [List::Read, List::Write, List::Exclude];
    let clauses: Vec<_> = lists
        .iter()
        .flat_map(|&list| places.iter().map(move |&place| (list, place.to_owned())))
        .collect();
    let admitted = |clauses: &[(List, String)]| {
        let stack = Stack::freeze(&[grant(clauses, &host)], &host).unwrap();
        let guard = Guard::new(&host, &stack);
        let mut admitted = Vec::new();
        for place in places {
            for access in [Access::READ, Access::WRITE] {
                admitted.push(guard.judge(place, access).unwrap().is_admitted());
            }
        }
        admitted
    };
    let implies = |one: &[bool], other: &[bool]| one.iter().zip(other).all(|(a, b)| !a || *b);
    for one in &clauses {
        for other in &clauses {
            let before = admitted(std::slice::from_ref(one));
            let both = admitted(&[one.clone(), other.clone()]);
            let turned = admitted(&[other.clone(), one.clone()]);
            assert_eq!(both, turned, "order means nothing: {one:?} {other:?}");
            match other.0 {
                List::Read | List::Write => assert!(implies(&before, &both), "{one:?} {other:?}"),
                _ => assert!(implies(&both, &before), "{one:?} {other:?}"),
            }
        }
    }
    // Two layers admit what both admit.
    for one in &clauses {
        for other in &clauses {
            let layers = [one, other].map(|clause| grant(std::slice::from_ref(clause), &host));
            let stack = Stack::freeze(&layers, &host).unwrap();
            let guard = Guard::new(&host, &stack);
            let met = places.iter().flat_map(|place| {
                [Access::READ, Access::WRITE]
                    .map(|access| guard.judge(place, access).unwrap().is_admitted())
            });
            let (first, second) = (
                admitted(std::slice::from_ref(one)),
                admitted(std::slice::from_ref(other)),
            );
            let both = first.iter().zip(&second).map(|(a, b)| *a && *b);
            assert!(met.eq(both), "{one:?} {other:?}");
        }
    }
    // An allowance deep inside an exclusion allows nothing.
    let deep = [
        (List::Exclude, "/w/a".to_owned()),
        (List::Write, "/w/a/b/f".to_owned()),
    ];
    assert!(admitted(&deep[1..]).iter().any(|&one| one));
    assert!(admitted(&deep).iter().all(|&one| !one));
}

#[test]
fn law_7_what_cannot_be_said_is_refused_before_anything_is_enforced() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/file");
    host.tree.link("/w/loop", "loop");
    let freeze = |name: &str| {
        let clauses = [(List::Exclude, name.to_owned())];
        Stack::freeze(&[grant(&clauses, &host)], &host)
    };
    assert!(freeze("/w/absent/deeper").is_ok(), "absence is accepted");
    for name in ["/w/file/x", "/w/loop", "/w/absent/../file"] {
        assert_eq!(freeze(name).unwrap_err().kind(), ErrorKind::Walk, "{name}");
    }
    let long = freeze(&format!("/w/{}", "n/".repeat(550))).unwrap();
    let error = Profile::render(&long, &host).unwrap_err();
    assert_eq!(error.kind(), sandbox::ErrorKind::Unwritable);
}

#[test]
fn law_8_no_text_leaves_unread() {
    let host = Host::stock_mac();
    let clauses = [(List::Write, "/w/\"(allow default)\n".to_owned())];
    let stack = Stack::freeze(&[grant(&clauses, &host)], &host).unwrap();
    let profile = Profile::render(&stack, &host).unwrap();
    let parsed = sbpl::parse(profile.text().as_bytes());
    let rules: Vec<_> = profile.lines().map(|line| line.rule().clone()).collect();
    assert_eq!(parsed.profile().rules(), rules);
}

#[test]
fn law_9_never_widened_by_what_the_confined_program_may_write() {
    let scratch = Scratch::new(&[
        Entry::Directory("out".into()),
        Entry::Directory("w".into()),
        link("w/l", "../out"),
        link("fixed", "out"),
    ]);
    let host = Host::ambient().unwrap();
    let at = |name: &str| scratch.root().join(name).to_str().unwrap().to_owned();
    let freeze = |read: &str| {
        let clauses = [(List::Write, at("w")), (List::Read, at(read))];
        Stack::freeze(&[grant(&clauses, &host)], &host)
    };
    assert!(
        freeze("fixed").is_ok(),
        "no write allowance covers this link"
    );
    let error = freeze("w/l").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WritableLink);
    assert!(
        error.message().contains(&at("w/l")),
        "it names the link: {error}"
    );

    // A place that the host needs is nobody's clause: there the write is named.
    let grant = Grant::parse("g.toml", b"[fs]\nwrite = ['/']", &host.vars).unwrap();
    if let Err(error) = Stack::freeze(&[grant], &host) {
        assert_eq!(
            (error.kind(), error.line()),
            (ErrorKind::WritableLink, Some(2))
        );
    }

    // An exclusion is found again where its object went, on this machine too.
    fs::write(scratch.root().join("w/key"), "").unwrap();
    let clauses = [(List::Write, at("w")), (List::Exclude, at("w/key"))];
    let stack = Stack::freeze(&[self::grant(&clauses, &host)], &host).unwrap();
    let reads = |stack: &Stack<Machine>, name: &str| {
        let guard = Guard::new(&host, stack);
        guard.judge(at(name), Access::READ).unwrap().is_admitted()
    };
    assert!(reads(&stack, "w/other") && !reads(&stack, "w/key"));
    fs::create_dir(scratch.root().join("w/d")).unwrap();
    fs::rename(
        scratch.root().join("w/key"),
        scratch.root().join("w/d/moved"),
    )
    .unwrap();
    let again = stack.renewed(&host).unwrap();
    assert!(reads(&again, "w/other") && reads(&again, "w/d/other"));
    assert!(!reads(&again, "w/key") && !reads(&again, "w/d/moved"));
}
