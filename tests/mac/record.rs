//! The recorder: asks the kernel each question of `questions.toml`, and writes the answers as cases of measured
//! decisions.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, ExitCode};

use objcap::object::{Host, Leaf, Machine, Object, Options};
use objcap::sbpl::parse;
use serde::{Deserialize, Serialize};

use crate::act::ACT;
use crate::machine::Scratch;
use crate::text;

const QUESTIONS: &str = include_str!("questions.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Questions {
    question: Vec<Question>,
}

/// A question: rules, and a call that a process under them makes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    /// The section of docs/seatbelt.md that it settles, and what.
    settles: String,
    operation: String,
    syscall: String,
    target: String,
    made: Vec<String>,
    call: Vec<String>,
    /// How an answer begins that is a refusal, where it is not the call's own.
    refused: Option<String>,
    rules: String,
}

/// An answer, as the measured decisions that are known have it.
#[derive(Serialize)]
struct Case {
    id: String,
    source: String,
    macos: String,
    evidence: &'static str,
    operation: String,
    target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_mode: Option<String>,
    syscall: String,
    observed: &'static str,
    rules: String,
}

#[derive(Serialize)]
struct Cases {
    case: [Case; 1],
}

fn questions() -> Result<Vec<Question>, String> {
    let questions: Questions =
        toml::from_str(QUESTIONS).map_err(|error| format!("questions.toml: {error}"))?;
    Ok(questions.question)
}

/// Every question has an id of its own, a call, and rules that this library reads whole.
pub(crate) fn are_well_formed() -> Result<(), String> {
    let mut ids = BTreeSet::new();
    let questions = questions()?;
    for one in &questions {
        if !ids.insert(one.id.as_str()) {
            return Err(format!("{} is asked twice", one.id));
        }
        if one.call.is_empty() || !one.settles.contains("section") {
            return Err(format!("{} has no call, or settles nothing", one.id));
        }
        let rules = parse(one.rules.replace("{}", "/private/tmp/x").as_bytes());
        if !rules.diagnostics().is_empty() {
            return Err(format!("{}: {:?}", one.id, rules.diagnostics()));
        }
    }
    match questions.len() {
        0..20 => Err(format!("only {} questions", questions.len())),
        _ => Ok(()),
    }
}

/// Asks them all, and writes the answers to the file that is named.
pub(crate) fn record(words: &[String]) -> ExitCode {
    let done = match words {
        [to] if cfg!(target_vendor = "apple") => answers(to),
        [_] => Err("NOT CHECKED: the questions are for the kernel of a Mac".to_owned()),
        _ => Err("--record takes the file that the answers go to".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::from(2)
        }
    }
}

/// A question that has no answer is told in a comment, and in the count; the others are written all the same.
fn answers(to: &str) -> Result<(), String> {
    let (mut written, mut answered) = (String::new(), 0);
    let questions = questions()?;
    for question in &questions {
        written += &format!("# settles: {}\n", question.settles);
        match answer(question) {
            Ok(case) => {
                answered += 1;
                written += &toml::to_string(&Cases { case: [case] }).map_err(text)?;
                written.push('\n');
            }
            Err(why) => {
                println!("{} has no answer: {why}", question.id);
                let why = why.replace('\n', " ");
                written += &format!("# {} has no answer: {why}\n\n", question.id);
            }
        }
    }
    fs::write(to, written).map_err(|error| format!("{to}: {error}"))?;
    println!("{answered} of {} questions have an answer", questions.len());
    Ok(())
}

fn answer(question: &Question) -> Result<Case, String> {
    let scratch = Scratch::new().map_err(text)?;
    let rules = scratch.places.fill(&question.rules);
    let call = scratch.places.fill_all(&question.call);
    scratch.make(&question.made).map_err(text)?;
    let free = scratch.unconfined(&call)?;
    if free != "ok" {
        return Err(format!("without a profile, the call says {free}"));
    }
    scratch.make(&question.made).map_err(text)?;
    let target = scratch.places.fill(&question.target);
    // Before the call, which may move it.
    let (resolved, links) = match target.starts_with('/') {
        true => resolved(&target).map(|(real, links)| (Some(real), links))?,
        false => (None, Vec::new()),
    };
    let status = fs::symlink_metadata(&target).ok();
    let file_mode = status.map(|status| format!("{:04o}", status.mode() & 0o7777));
    let said = said(&scratch, &rules, &call)?;
    let refused = question.refused.as_deref().unwrap_or("EPERM");
    let observed = match said.as_str() {
        "ok" => "allow",
        said if said.starts_with(refused) => "deny",
        other => return Err(format!("the call says {other}")),
    };
    Ok(Case {
        id: question.id.clone(),
        source: format!("objcap record of {}", told("/bin/date", &["-u", "+%F"])),
        macos: system(),
        evidence: "recorded",
        operation: question.operation.clone(),
        target,
        resolved,
        links,
        file_mode,
        syscall: question.syscall.clone(),
        observed,
        rules,
    })
}

/// What a child under these rules says of a call.
fn said(scratch: &Scratch, rules: &str, call: &[String]) -> Result<String, String> {
    let mut child = Command::new("/usr/bin/sandbox-exec");
    let child = child.args(["-p", rules]).arg(&scratch.places.own).arg(ACT);
    let output = child.args(call).output().map_err(text)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Ok(format!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// The name under which the kernel presents an object, which may be absent, and the links on the way to it.
fn resolved(target: &str) -> Result<(String, Vec<String>), String> {
    let host: Host<Machine> = Host::ambient().map_err(text)?;
    let options = Options {
        leaf: Leaf::AsNamed,
        ..Options::default()
    };
    let object = Object::walk(&host.tree, target, &options).map_err(text)?;
    let links = object.links().map(|link| link.at());
    let links = links.map(|at| String::from_utf8_lossy(at).into_owned());
    let links = links.collect();
    Ok((host.presented(object.real().clone()).to_string(), links))
}

/// The system, as `14.4.1 (23E224) arm64`.
fn system() -> String {
    let version = |what| told("/usr/bin/sw_vers", &[what]);
    let (product, build) = (version("-productVersion"), version("-buildVersion"));
    let architecture = match env::consts::ARCH {
        "aarch64" => "arm64",
        other => other,
    };
    format!("{product} ({build}) {architecture}")
}

/// What a program prints.
fn told(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_default()
}
