//! What is found in a sandbox profile.

use std::path::Path;

use objcap::sbpl::lint::{Finding, lint};
use serde::Serialize;

use super::Args;
use crate::output::{Failure, Output, Verdict};
use crate::text;

pub(super) fn run(args: &Args, profile: &Path) -> Result<Verdict, Failure> {
    let text = text::Given {
        profile: profile.to_owned(),
        means: args.means.clone(),
    };
    let mut output = Output::open();
    let parsed = text.read(&mut output)?;
    let findings = lint(&parsed);
    for finding in &findings {
        if args.json {
            let place = finding
                .origin()
                .and_then(|origin| text.place(&parsed, origin));
            output.json(&Record {
                message: finding.to_string(),
                rule: rule(finding, &parsed),
                line: place.as_ref().map(|place| place.line),
                column: place.as_ref().map(|place| place.column),
                file: place.map(|place| place.file),
            })?;
        } else {
            output.text(finding.render(&parsed, &text.name()))?;
        }
    }
    output.flush()?;
    Ok(match findings.is_empty() {
        true => Verdict::Yes,
        false => Verdict::No,
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
