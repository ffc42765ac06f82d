//! What only a child that was entered can say of itself.

use std::fs;

use objcap::object::Host;
use objcap::sandbox::{Entry, Session};

use crate::act::ACT;
use crate::trial::{ask, plan, stack};

/// One question to a child, and the answer that it must give.
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) ask: fn(&str) -> Result<(), String>,
}

pub(crate) const QUESTIONS: &[Question] = &[
    Question {
        name: "a_confined_child_can_confine_nobody",
        ask: |own| said(own, &["confinement"], "Nested"),
    },
    Question {
        name: "a_child_has_no_descriptor_above_two",
        ask: |own| said(own, &["descriptors"], ""),
    },
    Question {
        name: "a_child_begins_a_session",
        ask: |own| said(own, &["session"], "own"),
    },
    Question {
        name: "in_front_it_stays_in_the_callers",
        ask: foreground,
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

fn said(own: &str, words: &[&str], expected: &str) -> Result<(), String> {
    let host = Host::ambient().map_err(|error| error.to_string())?;
    let stack = stack(&host, &GRANT.replace("{own}", own))?;
    for entry in [Entry::Launcher, Entry::SandboxExec] {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let said = ask(&plan(&stack, &host, entry)?, own, &words)?;
        if said != expected {
            return Err(format!("by {entry:?}: {said:?}, and not {expected:?}"));
        }
    }
    Ok(())
}

fn foreground(own: &str) -> Result<(), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let host = Host::ambient().map_err(|error| text(&error))?;
    let stack = stack(&host, &GRANT.replace("{own}", own))?;
    let plan = plan(&stack, &host, Entry::Launcher)?;
    let child = plan.command(own).args([ACT, "session"]).current_dir("/");
    let output = child.session(Session::Foreground).output();
    let output = output.map_err(|error| text(&error))?;
    match output.stdout.trim_ascii() {
        b"another's" => Ok(()),
        other => Err(String::from_utf8_lossy(other).into_owned()),
    }
}

fn environment(own: &str) -> Result<(), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let host = Host::ambient().map_err(|error| text(&error))?;
    let stack = stack(&host, &GRANT.replace("{own}", own))?;
    let plan = plan(&stack, &host, Entry::Launcher)?;
    for (name, expected) in [("GIVEN", "1 = 1"), ("HOME", "unset")] {
        let child = plan.command(own).args([ACT, "variable", name]);
        let output = child.env("GIVEN", "1 = 1").current_dir("/").output();
        let output = output.map_err(|error| text(&error))?;
        if output.stdout.trim_ascii() != expected.as_bytes() {
            return Err(format!(
                "{name} is {:?}",
                String::from_utf8_lossy(&output.stdout)
            ));
        }
    }
    Ok(())
}

/// A library that is not there ends whoever is started with it, before `main`: the child, and no launcher, which
/// would end without a word.
fn library(own: &str) -> Result<(), String> {
    let host = Host::ambient().map_err(|error| error.to_string())?;
    let stack = stack(&host, &GRANT.replace("{own}", own))?;
    let plan = plan(&stack, &host, Entry::Launcher)?;
    let child = plan.command(own).args([ACT, "session"]).current_dir("/");
    let absent = fs::canonicalize("/").map_err(|error| error.to_string())?;
    let child = child.env("DYLD_INSERT_LIBRARIES", absent.join("nowhere.dylib"));
    let output = child
        .output()
        .map_err(|error| format!("the launcher: {error}"))?;
    match output.status.success() {
        true => Err("the child did not load it".to_owned()),
        false => Ok(()),
    }
}
