//! `objcap judge`: what a sandbox profile decides.

mod question;

use std::fmt;

use clap::ValueEnum;
use objcap::sbpl::judge::{Decider, Verdict as Decided};
use objcap::sbpl::{Judge, Parsed, Reading, Request};
use serde::{Serialize, Serializer};

use self::question::{Asked, Question};
use crate::json::Text;
use crate::output::{Failure, Output, Verdict};
use crate::text;

/// Say what a sandbox profile decides, by which rule, and whether that depends on how the kernel
/// reads it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(flatten)]
    text: text::Given,

    #[command(flatten)]
    question: Question,

    /// How the kernel is taken to decide between rules.
    #[arg(long, value_enum, default_value = "all")]
    reading: ReadingFlag,

    /// Answer in one line of JSON.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 allowed; 1 denied; 2 bad input, told on stderr; 3 the readings differ, or the answer is
not known.";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ReadingFlag {
    /// The last rule that matches, of the operation and its wildcards.
    Flat,
    /// The last rule of the operation; else of its wildcard; and so on.
    Specific,
    /// As `specific`, and rules with a filter before those without.
    FilteredFirst,
    /// All of them, and whether they agree.
    All,
}

impl ReadingFlag {
    fn readings(self) -> &'static [Reading] {
        match self {
            Self::Flat => &[Reading::Flat],
            Self::Specific => &[Reading::Specific],
            Self::FilteredFirst => &[Reading::FilteredFirst],
            Self::All => &Reading::ALL,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let mut output = Output::open();
    let requests = args.question.requests()?;
    let parsed = args.text.read(&mut output)?;
    if !parsed.profile().unevaluated().is_empty() {
        let name = args.text.name();
        return Err(Failure::new(format_args!(
            "`{name}` has forms that are not evaluated, and cannot be judged"
        )));
    }
    let judge = Judge::new(parsed.profile());
    let readings = args.reading.readings().iter();
    let answer = Answer::of(
        readings
            .map(|&reading| Outcome::of(args, &parsed, &judge, &requests, reading))
            .collect(),
    );
    if args.json {
        output.json(&answer)?;
    } else {
        output.text(&answer)?;
    }
    output.flush()?;
    Ok(answer.verdict())
}

#[derive(Debug, Serialize)]
struct Answer {
    decision: &'static str,
    settled: bool,
    verdicts: Vec<Outcome>,
}

/// What one reading says.
#[derive(Debug, Serialize)]
struct Outcome {
    reading: &'static str,
    decision: &'static str,
    /// The request that it comes from: the last, or one about a link.
    operation: String,
    #[serde(serialize_with = "name")]
    name: Option<Vec<u8>>,
    why: &'static str,
    rule: Option<String>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

fn name<S: Serializer>(name: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
    name.as_deref().map(Text).serialize(serializer)
}

impl Outcome {
    /// The first request that is denied decides; else one whose answer is not known; else the
    /// last.
    fn of(
        args: &Args,
        parsed: &Parsed,
        judge: &Judge,
        requests: &[Asked],
        reading: Reading,
    ) -> Self {
        let decided = requests.iter().map(|(request, name)| {
            let verdict = judge.decide(request, reading);
            (request, name, verdict)
        });
        let mut decided: Vec<_> = decided.collect();
        // Of equals the last stays last.
        decided.sort_by_key(|(_, _, verdict)| match word(*verdict) {
            "deny" => 2,
            "unknown" => 1,
            _ => 0,
        });
        let (request, name, verdict) = match decided.pop() {
            Some((request, name, verdict)) => {
                (request.operation().to_string(), name.clone(), verdict)
            }
            // There is a request for the operation itself at least.
            None => (
                String::new(),
                None,
                judge.decide(&Request::new(objcap::sbpl::Operation::Default), reading),
            ),
        };
        let rule = match verdict.by {
            Decider::Rule(rule) | Decider::Undecided(rule) => Some(rule),
            _ => None,
        };
        let written = rule.and_then(|rule| parsed.profile().rules().get(rule));
        let place = written
            .and_then(|rule| rule.origin())
            .and_then(|origin| args.text.place(parsed, origin));
        Self {
            reading: match reading {
                Reading::Flat => "flat",
                Reading::Specific => "specific",
                Reading::FilteredFirst => "filtered-first",
            },
            decision: word(verdict),
            operation: request,
            name,
            why: why(verdict.by),
            rule: written.map(ToString::to_string),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            file: place.map(|place| place.file),
        }
    }
}

fn word(verdict: Decided) -> &'static str {
    match verdict.decision {
        objcap::sbpl::judge::Decision::Allow => "allow",
        objcap::sbpl::judge::Decision::Deny => "deny",
        objcap::sbpl::judge::Decision::Unknown => "unknown",
    }
}

fn why(by: Decider) -> &'static str {
    match by {
        Decider::Rule(_) => "the rule decides",
        Decider::StartsAllowed => "the operation starts allowed, and no rule speaks for it",
        Decider::NoDefault => "no rule speaks for it, and there is none on `default`",
        Decider::Undecided(_) => "it is not known whether the rule applies",
        Decider::Unevaluated => "the profile has forms that are not evaluated",
        Decider::UnknownOperation => "it is not known which rules speak for the operation",
    }
}

impl Answer {
    fn of(verdicts: Vec<Outcome>) -> Self {
        let first = verdicts
            .first()
            .map_or("unknown", |outcome| outcome.decision);
        let settled = first != "unknown" && verdicts.iter().all(|one| one.decision == first);
        Self {
            decision: if settled { first } else { "unknown" },
            settled,
            verdicts,
        }
    }

    fn verdict(&self) -> Verdict {
        match (self.settled, self.decision) {
            (true, "allow") => Verdict::Yes,
            (true, _) => Verdict::No,
            (false, _) => Verdict::Differ,
        }
    }
}

/// One line if all readings say the same by the same rule, else one for each.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = |outcome: &Outcome| {
            (
                outcome.decision,
                outcome.why,
                outcome.file.clone(),
                outcome.line,
                outcome.column,
            )
        };
        let mut keys = self.verdicts.iter().map(key);
        let first = keys.next();
        if keys.all(|other| Some(other) == first) {
            return match self.verdicts.first() {
                Some(outcome) => writeln!(f, "{outcome}"),
                None => Ok(()),
            };
        }
        for outcome in &self.verdicts {
            writeln!(f, "{}: {outcome}", outcome.reading)?;
        }
        match self.settled {
            true => writeln!(f, "the readings agree: {}", self.decision),
            false => writeln!(f, "the readings differ"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.decision, self.operation)?;
        if let Some(name) = &self.name {
            write!(f, " `{}`", Text(name))?;
        }
        match (&self.rule, &self.file, self.line, self.column) {
            (Some(rule), Some(file), Some(line), Some(column)) => {
                write!(f, ": {}: {file}:{line}:{column}: {rule}", self.why)
            }
            _ => write!(f, ": {}", self.why),
        }
    }
}
