//! What only a child that was entered can say of itself.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Output;

use objcap::object::Machine;
use objcap::sandbox::{Command, Entry, Session};

use crate::act::ACT;
use crate::machine::{Scratch, plan, stack};
use crate::text;

/// One question to a child, and the answer that it must give.
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) ask: fn() -> Result<(), String>,
}

pub(crate) const QUESTIONS: &[Question] = &[
    Question {
        name: "a_confined_child_can_confine_nobody",
        ask: || said_by_both(&["confinement"], "Nested"),
    },
    Question {
        name: "the_very_same_text_is_not_entered_twice",
        ask: twice,
    },
    Question {
        name: "a_child_has_no_descriptor_above_two",
        ask: || said_by_both(&["descriptors"], ""),
    },
    Question {
        name: "a_child_begins_a_session",
        ask: || said_by_both(&["session"], "own"),
    },
    Question {
        name: "in_front_it_stays_in_the_callers",
        ask: || {
            said(Entry::Launcher, &["session"], "another's", |child| {
                child.session(Session::Foreground)
            })
        },
    },
    Question {
        name: "the_environment_is_what_was_given",
        ask: environment,
    },
    Question {
        name: "a_loaders_library_is_the_childs_and_not_the_launchers",
        ask: library,
    },
];

const GRANT: &str = "[fs]\nread = ['{own}', '/dev/fd']\n[exec]\nallow = ['{own}']\n[net]\n";

/// How a child ends that is asked something, and what it says.
fn output(
    entry: Entry,
    words: &[&str],
    change: impl FnOnce(Command<'_, Machine>) -> Command<'_, Machine>,
) -> Result<Output, String> {
    let scratch = Scratch::new().map_err(text)?;
    let host = scratch.host()?;
    let stack = stack(&host, &scratch.places.fill(GRANT))?;
    let plan = plan(&stack, &host, entry)?;
    let child = plan.command(&scratch.places.own).arg(ACT).args(words);
    change(child.current_dir("/")).output().map_err(text)
}

fn said(
    entry: Entry,
    words: &[&str],
    expected: &str,
    change: impl FnOnce(Command<'_, Machine>) -> Command<'_, Machine>,
) -> Result<(), String> {
    let output = output(entry, words, change)?;
    match output.stdout.trim_ascii() == expected.as_bytes() && output.status.success() {
        true => Ok(()),
        false => Err(format!("by {entry:?}: {output:?}, and not {expected:?}")),
    }
}

fn said_by_both(words: &[&str], expected: &str) -> Result<(), String> {
    [Entry::Launcher, Entry::SandboxExec]
        .into_iter()
        .try_for_each(|entry| said(entry, words, expected, |child| child))
}

fn twice() -> Result<(), String> {
    let scratch = Scratch::new().map_err(text)?;
    let words = ["enter-twice".to_owned(), scratch.places.fill(GRANT)];
    match scratch.unconfined(&words)?.as_str() {
        "entered, Nested" => Ok(()),
        other => Err(other.to_owned()),
    }
}

fn environment() -> Result<(), String> {
    for (name, expected) in [("GIVEN", "1 = 1"), ("HOME", "unset")] {
        said(Entry::Launcher, &["variable", name], expected, |child| {
            child.env("GIVEN", "1 = 1")
        })?;
    }
    Ok(())
}

/// A library that is not there ends whoever is started with it, before `main` and by SIGABRT: the child, which says which
/// library it was, and no launcher, which would end without a word.
fn library() -> Result<(), String> {
    const ABSENT: &str = "/nowhere.dylib";
    const SIGABRT: i32 = 6;
    said(Entry::Launcher, &["session"], "own", |child| child)?;
    let output = output(Entry::Launcher, &["session"], |child| {
        child.env("DYLD_INSERT_LIBRARIES", ABSENT)
    })?;
    let told = String::from_utf8_lossy(&output.stderr);
    match output.status.signal() == Some(SIGABRT) && told.contains(ABSENT) {
        true => Ok(()),
        false => Err(format!("the child was not started with it: {output:?}")),
    }
}
