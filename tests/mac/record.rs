//! The recorder: asks the kernel each question of `questions.toml`, and writes the answers as cases of measured
//! decisions.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use objcap::sbpl::parse;
use toml::{Table, Value};

use crate::act::ACT;
use crate::trial::make;

const QUESTIONS: &str = include_str!("questions.toml");

/// A question: rules, and a call that a process under them makes.
struct Question {
    id: String,
    settles: String,
    operation: String,
    syscall: String,
    target: String,
    made: Vec<String>,
    call: Vec<String>,
    rules: String,
}

fn questions() -> Result<Vec<Question>, String> {
    let table: Table = QUESTIONS
        .parse()
        .map_err(|error| format!("questions.toml: {error}"))?;
    let all = table.get("question").and_then(Value::as_array);
    let all = all.ok_or("questions.toml: there are none")?;
    all.iter().map(question).collect()
}

fn question(value: &Value) -> Result<Question, String> {
    let text = |key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.map(str::to_owned)
            .ok_or_else(|| format!("`{key}` is missing in {value}"))
    };
    let list = |key: &str| {
        let list = value.get(key).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    Ok(Question {
        id: text("id")?,
        settles: text("settles")?,
        operation: text("operation")?,
        syscall: text("syscall")?,
        target: text("target")?,
        made: list("made"),
        call: list("call"),
        rules: text("rules")?,
    })
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
        let parsed = parse(one.rules.replace("{}", "/private/tmp/x").as_bytes());
        if !parsed.diagnostics().is_empty() {
            return Err(format!("{}: {:?}", one.id, parsed.diagnostics()));
        }
    }
    match questions.len() {
        0..20 => Err(format!("only {} questions", questions.len())),
        _ => Ok(()),
    }
}

/// Asks them all, and writes the answers to a file, or to standard output.
pub(crate) fn record(to: Option<&str>) -> ExitCode {
    let answers = match cfg!(target_vendor = "apple") {
        true => questions().and_then(|all| all.iter().map(answer).collect::<Result<String, _>>()),
        false => Err("NOT CHECKED: the questions are for the kernel of a Mac".to_owned()),
    };
    let written = answers.and_then(|answers| match to {
        Some(path) => fs::write(path, answers).map_err(|error| format!("{path}: {error}")),
        None => {
            println!("{answers}");
            Ok(())
        }
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::from(2)
        }
    }
}

/// One case, in the form of the measured decisions that are known.
fn answer(question: &Question) -> Result<String, String> {
    let text = |error: &dyn std::error::Error| format!("{}: {error}", question.id);
    let scratch = tempfile::tempdir().map_err(|error| text(&error))?;
    let folder = fs::canonicalize(scratch.path()).map_err(|error| text(&error))?;
    for object in &question.made {
        make(&folder, object).map_err(|error| text(&error))?;
    }
    let shown = folder.display().to_string();
    let filled = |text: &str| text.replace("{}", &shown);
    let rules = filled(&question.rules);
    let own = env::current_exe().map_err(|error| text(&error))?;
    let call = question.call.iter().map(|word| filled(word));
    let output = Command::new("/usr/bin/sandbox-exec")
        .args(["-p", &rules])
        .arg(own)
        .arg(ACT)
        .args(call)
        .output()
        .map_err(|error| text(&error))?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let observed = match (output.status.success(), said.as_str()) {
        (true, "ok") => "allow".to_owned(),
        (true, "EPERM") => "deny".to_owned(),
        (true, other) => other.to_owned(),
        (false, _) => format!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        ),
    };
    let quoted = |text: &str| Value::String(text.to_owned()).to_string();
    let target = filled(&question.target);
    let resolved = resolved(Path::new(&target));
    Ok(format!(
        "# settles: {}\n[[case]]\nid = {}\nsource = \"objcap record\"\nmacos = {}\nevidence = \"recorded\"\n\
         operation = {}\ntarget = {}\nresolved = {}\nsyscall = {}\nobserved = {}\nrules = '''\n{}'''\n\n",
        question.settles,
        quoted(&question.id),
        quoted(&system()),
        quoted(&question.operation),
        quoted(&target),
        quoted(&resolved),
        quoted(&question.syscall),
        quoted(&observed),
        rules,
    ))
}

/// The kernel's own name of what may be absent.
fn resolved(path: &Path) -> String {
    let parent = path
        .parent()
        .and_then(|parent| fs::canonicalize(parent).ok());
    let real = match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    };
    real.display().to_string()
}

/// The system, as `14.4.1 (23E224) arm64`.
fn system() -> String {
    let version = |what: &str| {
        let output = Command::new("/usr/bin/sw_vers").arg(what).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        text.unwrap_or_default()
    };
    let (product, build) = (version("-productVersion"), version("-buildVersion"));
    format!("{product} ({build}) {}", env::consts::ARCH)
}
