//! What is found in grants.

use std::fmt;

use objcap::capability::{Lint, Origin, Stack};
use objcap::object::{Host, World};
use serde::Serialize;

use super::Args;
use crate::grant::{ClauseRecord, Given, Verb};
use crate::output::{Failure, Output, Verdict};

pub(super) fn run(args: &Args) -> Result<Verdict, Failure> {
    let given = Given {
        grants: args.files.clone(),
        place: args.place.clone(),
    };
    given.open(args)
}

impl Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let found = stack.lint(host);
        let mut output = Output::open();
        for finding in &found {
            if self.json {
                output.json(&Record {
                    finding: finding.name(),
                    message: finding.to_string(),
                    clause: finding.clause().and_then(ClauseRecord::of),
                })?;
            } else {
                output.text(Shown(finding))?;
            }
        }
        output.flush()?;
        Ok(match found.is_empty() {
            true => Verdict::Yes,
            false => Verdict::No,
        })
    }
}

#[derive(Debug, Serialize)]
struct Record<'a> {
    finding: &'static str,
    message: String,
    clause: Option<ClauseRecord<'a>>,
}

/// A finding for people, with its line.
struct Shown<'a>(&'a Lint<'a>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(finding) = self;
        writeln!(f, "finding: {finding}")?;
        match finding.clause().map(objcap::capability::Clause::origin) {
            Some(Origin::File(position)) => {
                writeln!(f, " --> {position}{}", position.excerpt())
            }
            _ => Ok(()),
        }
    }
}
