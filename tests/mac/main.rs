//! What only a Mac can show: the calls of confined children, judged by the real kernel, and what it is asked to settle
//! open questions. Everywhere, the verdicts that are written here are compared with the guard and with the profile of
//! a model Mac, so that they cannot go stale, and every call that is to be refused is made by a child that nothing
//! confines, so that the profile alone can refuse it.
//!
//! `cargo test --test mac` runs all; a name after `--` runs what has it in its own; `--list` lists; `--record FILE` asks
//! the kernel the questions of `questions.toml`, and writes its answers as cases of measured decisions.

#![expect(clippy::print_stdout, reason = "it is a program that reports")]

mod act;
mod doors;
mod entering;
mod machine;
mod model;
mod names;
mod record;
mod trial;
mod trials;

use std::env;
use std::process::ExitCode;

use objcap::sandbox::{Confinement, Entry};

use crate::act::ACT;
use crate::trial::{Case, Trial};

/// What a check came to.
// Exhaustive: there is no fourth.
pub(crate) enum Came {
    Passed,
    Failed(String),
    /// It could not be made, and why.
    NotChecked(String),
}

impl From<Result<(), String>> for Came {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Came::Passed,
            Err(why) => Came::Failed(why),
        }
    }
}

/// What an error says, for whoever reads the report.
pub(crate) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A check: its name, and how it is made.
type Check<'a> = (String, Box<dyn Fn() -> Came + 'a>);

/// What cannot be called without unsafe code, which has no place in a test.
const UNCALLED: [(&str, &str); 4] = [
    ("mmap_with_prot_exec", "no safe function maps memory"),
    ("exchangedata", "no safe function calls it"),
    ("ioctl_with_tiocsti", "no safe function calls it"),
    (
        "a_look_up_of_a_mach_service",
        "no safe function calls it; programs that make one are tried",
    ),
];

fn main() -> ExitCode {
    // Before anything else: this process may be the launcher of a confined child.
    objcap::sandbox::launcher();
    let words: Vec<String> = env::args().skip(1).collect();
    match words.split_first() {
        Some((first, words)) if first == ACT => {
            println!("{}", act::act(words));
            ExitCode::SUCCESS
        }
        Some((first, words)) if first == "--record" => record::record(words),
        _ => run(&words),
    }
}

fn run(words: &[String]) -> ExitCode {
    let cases: Vec<Case> = trials::TRIALS
        .iter()
        .map(Trial::case)
        .chain(names::cases())
        .collect();
    let all = checks(&cases);
    if words.iter().any(|word| word == "--list") {
        for (name, _) in &all {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| {
        wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()))
    };
    let (mut passed, mut failed, mut not_checked, mut left_out) = (0, 0, 0, 0);
    for (name, check) in &all {
        if !is_wanted(name) {
            left_out += 1;
            continue;
        }
        match check() {
            Came::Passed => {
                passed += 1;
                println!("test {name} ... ok");
            }
            Came::Failed(why) => {
                failed += 1;
                println!("test {name} ... FAILED\n    {why}");
            }
            Came::NotChecked(why) => {
                not_checked += 1;
                println!("test {name} ... NOT CHECKED: {why}");
            }
        }
    }
    println!(
        "\n{passed} passed; {failed} failed; {not_checked} NOT CHECKED; {left_out} filtered out"
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(101),
    }
}

/// Every check there is, in the order in which they are made.
fn checks(cases: &[Case]) -> Vec<Check<'_>> {
    let mut checks: Vec<Check<'_>> = Vec::new();
    let mut check = |name: String, made: Box<dyn Fn() -> Came>| checks.push((name, made));
    check(
        "questions_are_well_formed".to_owned(),
        Box::new(|| record::are_well_formed().into()),
    );
    for case in cases {
        checks.push((
            format!("everywhere: {}", case.name),
            Box::new(|| case.everywhere().into()),
        ));
    }
    for (by, entry) in [
        ("launcher", Entry::Launcher),
        ("sandbox-exec", Entry::SandboxExec),
    ] {
        for case in cases {
            checks.push((
                format!("kernel, by {by}: {}", case.name),
                Box::new(move || by_the_kernel(|| machine::confined(case, entry).into())),
            ));
        }
    }
    for question in entering::QUESTIONS {
        checks.push((
            format!("kernel: {}", question.name),
            Box::new(|| by_the_kernel(|| (question.ask)().into())),
        ));
    }
    for door in doors::DOORS {
        checks.push((
            format!("kernel: {}", door.name),
            Box::new(|| by_the_kernel(|| door.tried())),
        ));
    }
    for (call, why) in UNCALLED {
        let why = why.to_owned();
        checks.push((
            format!("kernel: {call}"),
            Box::new(move || Came::NotChecked(why.clone())),
        ));
    }
    checks
}

/// A check that needs the kernel of a Mac.
fn by_the_kernel(check: impl Fn() -> Came) -> Came {
    match Confinement::current() {
        Confinement::Ready => check(),
        missing => Came::NotChecked(format!(
            "it needs the kernel of a Mac that confines nobody yet: {missing:?}"
        )),
    }
}
