//! The model Mac (`objcap_support::mac`) is a file system and a kernel: each row of
//! docs/seatbelt.md, section 3, under a small profile written by hand, the admitted call first. The
//! rows of the case table are in `tests/walk_cases.rs`.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod attributes;
mod choices;
mod doors;
mod files;
mod lookups;
mod names;
mod programs;
mod rendered;
mod state;
mod volumes;

use std::sync::Arc;

use objcap::walk::Leaf;
use objcap_support::mac::{Answer, Call, Choices, Fd, How, Mac, Name, Outcome, Process, Sandbox};
use sbpl::{Judge, Reading};

/// A stock Mac with a small world in `/w`, which is the user's: a folder, files, links, a second name.
fn world() -> Mac {
    let mut mac = Mac::stock();
    mac.directory("/w/d");
    mac.file("/w/f", "held");
    mac.file("/w/d/g", "below");
    mac.file("/w/secret", "secret");
    mac.link_hard("/w/secret", "/w/second");
    mac.link("/w/to-f", "f");
    mac.link("/w/to-d", "d");
    mac.link("/w/to-secret", "secret");
    mac.give("/w");
    mac
}

/// What every profile here begins with.
const HEAD: &str = "(version 1) (deny default)";

fn sandbox(rules: &str, choices: Choices) -> Sandbox {
    let parsed = sbpl::parse(format!("{HEAD} {rules}").as_bytes());
    assert!(parsed.diagnostics().is_empty(), "{rules}");
    Sandbox {
        judge: Arc::new(Judge::new(parsed.profile())),
        reading: Reading::FilteredFirst,
        choices,
    }
}

fn confined(mac: &Mac, rules: &str) -> Process {
    confined_as(mac, rules, Choices::default())
}

fn confined_as(mac: &Mac, rules: &str, choices: Choices) -> Process {
    Process::unconfined(mac, "/w").confined(sandbox(rules, choices))
}

fn name(path: &str) -> Name {
    Name::from(path)
}

fn open(path: &str, how: How) -> Call {
    Call::Open {
        name: name(path),
        how,
        leaf: Leaf::Follow,
    }
}

/// What was asked, a line each: `file-read-data /w/f`.
fn asked(answer: &Answer) -> Vec<String> {
    answer.asked.iter().map(ToString::to_string).collect()
}

/// A call that is done under these rules; what it asked.
fn done(mac: &mut Mac, rules: &str, call: &Call) -> Vec<String> {
    let answer = confined(mac, rules).call(mac, call);
    assert!(answer.is_done(), "{call:?}: {answer:?}");
    asked(&answer)
}

/// The question at which a call is refused; nothing changes.
fn refused(mac: &mut Mac, rules: &str, call: &Call) -> String {
    let before = objcap_support::mac::State::new(mac, &[], |_| 0);
    let answer = confined(mac, rules).call(mac, call);
    let Outcome::Refused { decision } = answer.outcome else {
        panic!("{call:?}: {answer:?}");
    };
    assert_eq!(decision, sbpl::judge::Decision::Deny, "{call:?}");
    let after = objcap_support::mac::State::new(mac, &[], |_| 0);
    assert!(before == after, "{call:?} changed something");
    answer.refused().unwrap().to_string()
}

/// A call that is done under all of these rules, asking what they are about in this order, and
/// refused under all but any one of them.
///
/// A rule is written `operation name`, as it is asked.
fn asks_each(mac: &Mac, call: &Call, questions: &[&str]) {
    asks_each_as(mac, call, questions, Choices::default());
}

fn asks_each_as(mac: &Mac, call: &Call, questions: &[&str], choices: Choices) {
    let rule = |question: &&str| {
        let (operation, name) = question.split_once(' ').unwrap();
        format!("(allow {operation} (literal \"{name}\"))")
    };
    let all: String = questions.iter().map(rule).collect();
    // What starts allowed is refused only where a rule says so.
    let starts = "(deny file-link file-clone file-map-executable file-test-existence \
                  (subpath \"/\"))";
    let run = |rules: &str| {
        let mut mac = mac.clone();
        confined_as(&mac, &format!("{starts} {rules}"), choices).call(&mut mac, call)
    };
    let answer = run(&all);
    assert!(answer.is_done(), "{call:?}: {answer:?}");
    assert_eq!(asked(&answer), questions, "{call:?}");
    for (at, missing) in questions.iter().enumerate() {
        let others = questions.iter().filter(|other| other != &missing);
        let answer = run(&others.map(rule).collect::<String>());
        assert!(
            answer.is_refused(),
            "{call:?} without {missing}: {answer:?}"
        );
        assert_eq!(
            asked(&answer),
            questions[..=at],
            "{call:?} without {missing}"
        );
    }
}

/// Opens without a sandbox.
fn opened(mac: &mut Mac, process: &mut Process, path: &str, how: How) -> Fd {
    process.call(mac, &open(path, how)).fd()
}
