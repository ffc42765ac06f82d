//! `objcap lint`: what a sandbox profile says that its author may not mean.

use objcap::sbpl::lint::{Finding, lint};
use serde::Serialize;

use crate::output::{Failure, Output, Verdict};
use crate::text;

/// Find rules that never match or never decide, that depend on how the kernel reads the profile,
/// or that allow more than they seem to.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(flatten)]
    text: text::Given,

    /// Answer in JSON, one finding on a line.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found; 1 something found; 2 bad input, told on stderr.";

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let mut output = Output::open();
    let parsed = args.text.read(&mut output)?;
    let findings = lint(&parsed);
    for finding in &findings {
        if args.json {
            let place = finding
                .origin()
                .and_then(|origin| args.text.place(&parsed, origin));
            output.json(&Record {
                message: finding.to_string(),
                rule: rule(finding, &parsed),
                line: place.as_ref().map(|place| place.line),
                column: place.as_ref().map(|place| place.column),
                file: place.map(|place| place.file),
            })?;
        } else {
            output.text(finding.render(&parsed, &args.text.name()))?;
        }
    }
    output.flush()?;
    Ok(if findings.is_empty() {
        Verdict::Yes
    } else {
        Verdict::No
    })
}

fn rule(finding: &Finding, parsed: &objcap::sbpl::Parsed) -> Option<String> {
    let rule = parsed.profile().rules().get(finding.rule()?)?;
    Some(rule.to_string())
}

#[derive(Debug, Serialize)]
struct Record {
    message: String,
    rule: Option<String>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}
