//! What only a Mac can show: the calls of confined children, judged by the real kernel, and what it is asked to settle
//! open questions. Everywhere, the verdicts that are written here are compared with the guard and with the profile of
//! a model Mac, so that they cannot go stale.
//!
//! `cargo test --test mac` runs all; a name after `--` runs what has it; `--list` lists; `record [FILE]` asks the
//! kernel the questions of `questions.toml`, and prints its answers as cases of measured decisions.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "it is a program that reports"
)]

mod act;
mod entering;
mod record;
mod trial;
mod trials;

use std::env;
use std::process::ExitCode;

use objcap::sandbox::{Confinement, Entry};

use crate::act::ACT;
use crate::entering::QUESTIONS;
use crate::trials::TRIALS;

/// What a check came to, by its name.
type Check = (String, Result<(), String>);

/// What cannot be called without unsafe code, which has no place in a test.
const UNCALLED: [(&str, &str); 4] = [
    ("mmap with PROT_EXEC", "no safe function maps memory"),
    ("exchangedata", "no safe function calls it"),
    ("ioctl with TIOCSTI", "no safe function calls it"),
    ("a look-up of a Mach service", "no safe function calls it"),
];

fn main() -> ExitCode {
    // Before anything else: this process may be the launcher of a confined child.
    objcap::sandbox::launcher();
    let words: Vec<String> = env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some(ACT) => {
            println!("{}", act::act(&words[1..]));
            ExitCode::SUCCESS
        }
        Some("record") => record::record(words.get(1).map(String::as_str)),
        _ => run(&words),
    }
}

fn run(words: &[String]) -> ExitCode {
    let wanted = words.iter().find(|word| !word.starts_with('-'));
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| name.contains(wanted.as_str()));
    let trials: Vec<_> = TRIALS.iter().filter(|one| is_wanted(one.name)).collect();
    let questions: Vec<_> = QUESTIONS.iter().filter(|one| is_wanted(one.name)).collect();
    if words.iter().any(|word| word == "--list") {
        for name in trials
            .iter()
            .map(|one| one.name)
            .chain(questions.iter().map(|one| one.name))
        {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    let mut checks: Vec<Check> = Vec::new();
    for trial in &trials {
        checks.push((format!("model: {}", trial.name), trial.on_the_model()));
    }
    if is_wanted("questions_are_well_formed") {
        checks.push((
            "questions_are_well_formed".to_owned(),
            record::are_well_formed(),
        ));
    }
    match Confinement::current() {
        Confinement::Ready => {
            for trial in &trials {
                let by = |entry| trial.on_this_machine(entry);
                checks.push((format!("kernel: {}", trial.name), by(Entry::Launcher)));
                checks.push((
                    format!("sandbox-exec: {}", trial.name),
                    by(Entry::SandboxExec),
                ));
            }
            let own = env::current_exe().map(|own| own.display().to_string());
            let own = own.unwrap_or_default();
            for question in &questions {
                checks.push((format!("kernel: {}", question.name), (question.ask)(&own)));
            }
        }
        missing => println!(
            "NOT CHECKED: {} trials and {} questions need the kernel of a Mac that confines nobody yet: {missing:?}",
            trials.len(),
            questions.len()
        ),
    }
    for (call, why) in UNCALLED {
        println!("NOT CHECKED: {call}: {why}");
    }
    report(&checks)
}

fn report(checks: &[Check]) -> ExitCode {
    let mut failed = 0;
    for (name, result) in checks {
        match result {
            Ok(()) => println!("test {name} ... ok"),
            Err(why) => {
                failed += 1;
                println!("test {name} ... FAILED\n    {why}");
            }
        }
    }
    println!("\n{} passed; {failed} failed", checks.len() - failed);
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(101),
    }
}
