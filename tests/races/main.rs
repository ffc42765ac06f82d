//! Races by construction: section Z of the walk's cases, each row at every moment of the walk. The
//! tree changes as a script says, and the answer must be one that the rules allow
//! ([`objcap_support::resolution`]); what a row says beyond that stands here, written by hand.
//!
//! Rows about what is done with an object after the walk (Z-20, Z-25, Z-26, and the use in Z-15 to
//! Z-18) are not tried here but for what the walk's answer gives such a use to compare.

#![expect(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and tells what it counted"
)]

mod again;
mod arbitrary;
mod exchange;
mod failure;
mod small;

use std::rc::Rc;

use objcap::object::{Memory, Options, Scope};
use objcap_support::resolution::{Outcome, Question};
use objcap_support::scripted::{Change, Runs, Script, Turn, What, When};

/// A tree at `/ROOT` with a secret outside: what ends with a slash is a directory, what has an arrow
/// a link.
fn tree(entries: &[&str]) -> Rc<Memory> {
    let mut tree = Memory::new();
    tree.directory("/ROOT");
    tree.file("/outside/secret");
    tree.file("/outside/passwd");
    for entry in entries {
        match (entry.split_once(" -> "), entry.strip_suffix('/')) {
            (Some((at, text)), _) => tree.link(format!("/ROOT/{at}"), text),
            (_, Some(at)) => tree.directory(format!("/ROOT/{at}")),
            _ => tree.file(format!("/ROOT/{entry}")),
        }
    }
    Rc::new(tree.rooted_at("/ROOT").unwrap())
}

fn exchange(one: &str, other: &str) -> Change {
    Change::Exchange(one.into(), other.into())
}

fn rename(from: &str, to: &str) -> Change {
    Change::Rename(from.into(), to.into())
}

fn link(at: &str, text: &str) -> Change {
    Change::Link(at.into(), text.into())
}

fn script(when: When, what: What, runs: Runs) -> Script {
    Script {
        turns: vec![Turn { when, what }],
        runs,
    }
}

fn scoped(scope: Scope) -> Options {
    Options {
        scope,
        ..Options::default()
    }
}

const RUNS: [Runs; 2] = [Runs::Single, Runs::Halved];
const SCOPES: [Scope; 2] = [Scope::InRoot, Scope::Beneath];

/// Makes the change at every moment of the walk, one walk for each, under both scopes and both kinds
/// of run; every answer is judged and then handed to `see`. Says how many walks that were.
#[track_caller]
fn at_every_moment(
    start: &Rc<Memory>,
    path: &str,
    change: &Change,
    mut see: impl FnMut(Scope, &Outcome),
) -> usize {
    let mut walks = 0;
    for (scope, runs) in SCOPES.into_iter().flat_map(|s| RUNS.map(|runs| (s, runs))) {
        let options = scoped(scope);
        let question = Question::from_root(start, path.as_bytes(), &options);
        for moment in 0.. {
            let change = What::Change(change.clone());
            let asked = question.ask(start, &script(When::At(moment), change, runs));
            question
                .judge(&asked)
                .unwrap_or_else(|wrong| panic!("{scope:?}, before question {moment}: {wrong}"));
            see(scope, &asked.outcome);
            walks += 1;
            if moment >= asked.questions.len() {
                // The walk had ended before.
                assert_eq!(asked.history.len(), 1);
                break;
            }
        }
    }
    walks
}

/// The real path of what was found, or the kind of the error.
fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Present { real, .. } => String::from_utf8_lossy(real).into_owned(),
        Outcome::Absent { real, .. } => format!("absent {}", String::from_utf8_lossy(real)),
        Outcome::Failed { kind, .. } => kind.name().to_owned(),
    }
}

#[track_caller]
fn one_of(outcome: &Outcome, allowed: &[&str]) {
    let told = told(outcome);
    assert!(allowed.contains(&&*told), "{told}, not one of {allowed:?}");
}
