//! `objcap profile`: grants as the text of a sandbox profile.

use std::fmt;

use objcap::capability::{Clause, Stack};
use objcap::object::{Host, RealPath, World};
use objcap::sandbox::{Profile, Why};
use serde::Serialize;

use crate::grant::{self, ClauseRecord};
use crate::json::Text;
use crate::output::{Failure, Output, Verdict};

/// Print grants as one sandbox profile for macOS.
///
/// The text goes to stdout. Clauses whose name leads to nothing are told on stderr: they hold for
/// what will stand there.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    /// Say in comments which clause each rule, or each name in it, comes from, and why. It is the same profile.
    #[arg(long, conflicts_with = "json")]
    annotate: bool,

    /// Answer in one line of JSON: the text, and each rule with its line and the clause or reason
    /// that it comes from.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    args.grant.open(args)
}

impl grant::Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let profile = grant::render(stack, host)?;
        let absent: Vec<_> = absent(stack).collect();
        let mut output = Output::open();
        if self.json {
            output.json(&Record::of(&profile, &absent))?;
        } else {
            for absent in &absent {
                output.note(absent);
            }
            match self.annotate {
                true => output.text(profile.annotated())?,
                false => output.text(profile.text())?,
            }
        }
        output.flush()?;
        Ok(Verdict::Yes)
    }
}

/// A clause whose name leads to nothing.
struct Absent<'a> {
    clause: &'a Clause,
    real: &'a RealPath,
}

impl fmt::Display for Absent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: nothing stands at `{}` yet",
            Why::Clause(Box::new(self.clause.clone())),
            self.real
        )
    }
}

fn absent<W: World>(stack: &Stack<W>) -> impl Iterator<Item = Absent<'_>> {
    let layers = stack.layers().iter();
    let clauses = layers.flat_map(|layer| {
        let allowances = layer.allowances().map(|one| (one.clause(), one.place()));
        let exclusions = layer.exclusions();
        let exclusions = exclusions.filter_map(|one| Some((one.clause(), one.places().last()?)));
        allowances.chain(exclusions)
    });
    clauses
        .filter(|(clause, place)| place.kind().is_none() && ClauseRecord::of(clause).is_some())
        .map(|(clause, place)| Absent {
            clause,
            real: place.real(),
        })
}

#[derive(Serialize)]
struct Record<'a> {
    profile: &'a str,
    rules: Vec<RuleRecord<'a>>,
    absent: Vec<AbsentRecord<'a>>,
}

#[derive(Serialize)]
struct RuleRecord<'a> {
    line: Option<usize>,
    section: &'static str,
    rule: String,
    whys: Vec<String>,
    clauses: Vec<ClauseRecord<'a>>,
}

#[derive(Serialize)]
struct AbsentRecord<'a> {
    real: Text<'a>,
    clause: Option<ClauseRecord<'a>>,
}

impl<'a> Record<'a> {
    fn of(profile: &'a Profile, absent: &[Absent<'a>]) -> Self {
        let lines = profile
            .sections()
            .flat_map(|(section, lines)| lines.iter().map(move |line| (section, line)));
        let rules = lines
            .enumerate()
            .map(|(index, (section, line))| RuleRecord {
                line: profile.line_number(index),
                section: section.title(),
                rule: line.rule().to_string(),
                whys: line.whys().map(ToString::to_string).collect(),
                clauses: line.whys().filter_map(clause_of).collect(),
            });
        let absent = absent.iter().map(|absent| AbsentRecord {
            real: Text(absent.real.as_bytes()),
            clause: ClauseRecord::of(absent.clause),
        });
        Record {
            profile: profile.text(),
            rules: rules.collect(),
            absent: absent.collect(),
        }
    }
}

/// The clause behind a rule, if an author wrote one.
pub(crate) fn clause_of(why: &Why) -> Option<ClauseRecord<'_>> {
    match why {
        Why::Clause(clause) => ClauseRecord::of(clause),
        Why::Reason(_) => None,
    }
}
