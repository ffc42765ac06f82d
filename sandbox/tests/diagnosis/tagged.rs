//! A tagged profile: it decides as the same without a tag, and what it denies is told from others' denials.

use objcap_sandbox::diag::Tag;
use objcap_sandbox::{Decision, Profile};
use sbpl::ast::{Modifier, Quantity, Subject, Symbol, Target, Value};
use sbpl::judge::{Reading, Request, Socket};
use sbpl::{Action, Judge, Operation, parse};

use crate::case::Case;

fn requests() -> Vec<Request> {
    let files = Operation::ALL.iter().flat_map(|operation| {
        let names = [
            "/",
            "/Users/me/app/a",
            "/Users/me/app/.env",
            "/Users/me",
            "/usr/bin/curl",
            "/w",
            "/tmp",
        ];
        names.map(|name| Request::new(operation.clone()).path(name))
    });
    let ask = |operation| Request::new(operation);
    let others = [
        ask(Operation::Signal).target(Target::SameSandbox),
        ask(Operation::Signal).target(Target::Others),
        ask(Operation::MachLookup).name(Subject::GlobalName, "com.apple.logd"),
        ask(Operation::MachLookup).name(Subject::GlobalName, "com.apple.pasteboard"),
        ask(Operation::NetworkOutbound).remote(Socket::Unix(b"/w/s".to_vec())),
        ask(Operation::FileIoctl).path("/dev/tty").value(
            Quantity::IoctlCommand,
            Value::Symbol(Symbol::new("TIOCSTI").unwrap()),
        ),
    ];
    files.chain(others).collect()
}

#[test]
fn a_tag_changes_no_decision_and_stands_in_every_rule_that_denies() {
    let grants = [
        "",
        "[fs]",
        "[fs]\nwrite = ['~/app']\nexclude = ['~/app/.env']\n[exec]\nallow = ['every']\nveto = ['curl']",
        "[net]\nsockets = ['/w/s']",
    ];
    for grant in grants {
        let plain = Case::new(&[grant]).0.profile;
        let tagged = Case::new(&[grant])
            .0
            .profile
            .tagged(&Tag::new("run-17").unwrap())
            .unwrap();
        let judges = [&plain, &tagged]
            .map(|profile: &Profile| Judge::new(parse(profile.text().as_bytes()).profile()));
        let mut seen = [false; 2];
        for request in requests() {
            for reading in Reading::ALL {
                let [before, after] =
                    [&judges[0], &judges[1]].map(|judge| judge.decide(&request, reading));
                assert_eq!(before, after, "{grant}: {request:?}");
                seen[usize::from(before.decision == Decision::Deny)] = true;
            }
        }
        assert_eq!(seen, [true, true], "{grant}");
        let marked: Vec<_> = tagged.lines().map(|line| line.rule()).collect();
        assert!(marked.iter().all(|rule| {
            let carries = rule.modifiers().iter().any(
                |one| matches!(&**one, Modifier::Message(text) if text.as_bytes() == b"run-17"),
            );
            carries == (rule.action() == Action::Deny)
        }));
        let read = parse(tagged.text().as_bytes()).into_profile();
        assert_eq!(read.rules().iter().collect::<Vec<_>>(), marked, "{grant}");
        assert_eq!(plain.lines().count(), marked.len());
        assert!(plain.text().len() < tagged.text().len() && !plain.text().contains("run-17"));
    }
}
