//! `objcap explain`: what guard and profile say of one access, and whether they agree.

use std::ffi::OsString;
use std::fmt;

use clap::ValueEnum;
use objcap::capability::{Access, Act, Ground, Guard, Judgement, Stack, Verdict as Guards};
use objcap::object::{Host, World};
use objcap::sandbox::{Decision, Explanation, Outcome, Profile, Reading, act_requests};
use serde::Serialize;

use crate::grant::{self, ClauseRecord};
use crate::json::Text;
use crate::output::{Failure, Output, Verdict};
use crate::profile::clause_of;

/// Say whether a grant admits an access, and why: by the guard, and by the profile under every
/// reading of how the kernel decides.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    /// The access.
    #[arg(value_enum)]
    access: AccessFlag,

    /// What is accessed. A relative path starts at the host's current folder.
    path: OsString,

    /// Answer in one line of JSON.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 admitted; 1 refused; 2 bad input, told on stderr; 3 the readings, or guard and profile, differ.";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AccessFlag {
    /// To read a file or list a folder.
    Read,
    /// To make, change or remove.
    Write,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    args.grant.open(args)
}

impl grant::Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let (act, access) = match self.access {
            AccessFlag::Read => (Act::Read, Access::READ),
            AccessFlag::Write => (Act::Write, Access::WRITE),
        };
        let path = grant::absolute(&self.path, host)?;
        let profile = grant::render(stack, host)?;
        let guard = Guard::new(host, stack);
        match guard.judge(&path, access) {
            Err(error) => self.show(&Answer::lost(access, path.as_encoded_bytes(), &error)),
            Ok(judgement) => {
                let requests = act_requests(act, &[judgement.object()], host);
                let explanation = profile.explain(&requests);
                let path = path.as_encoded_bytes();
                self.show(&Answer::of(path, &judgement, &explanation, &profile))
            }
        }
    }
}

impl Args {
    fn show(&self, answer: &Answer<'_>) -> Result<Verdict, Failure> {
        let mut output = Output::open();
        if self.json {
            output.json(answer)?;
        } else {
            output.text(answer)?;
        }
        output.flush()?;
        Ok(answer.verdict())
    }
}

/// What guard and profile say.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    access: String,
    path: Text<'a>,
    real: Option<Text<'a>>,
    guard: GuardRecord<'a>,
    profile: Vec<OutcomeRecord<'a>>,
    settled: bool,
    agree: bool,
}

#[derive(Debug, Serialize)]
struct GuardRecord<'a> {
    verdict: &'static str,
    why: String,
    clause: Option<ClauseRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct OutcomeRecord<'a> {
    reading: &'static str,
    decision: &'static str,
    operation: String,
    name: Text<'a>,
    rule: Option<String>,
    line: Option<usize>,
    why: Option<String>,
    clause: Option<ClauseRecord<'a>>,
}

const ADMITTED: &str = "admitted";
const REFUSED: &str = "refused";

impl<'a> Answer<'a> {
    fn of<D>(
        path: &'a [u8],
        judgement: &'a Judgement<'a, D>,
        explanation: &'a Explanation<'a>,
        profile: &Profile,
    ) -> Self {
        let admitted = judgement.is_admitted();
        let expected = if admitted {
            Decision::Allow
        } else {
            Decision::Deny
        };
        let settled = explanation.settled();
        Answer {
            access: judgement.access().to_string(),
            path: Text(path),
            real: Some(Text(judgement.real().as_bytes())),
            guard: GuardRecord {
                verdict: if admitted { ADMITTED } else { REFUSED },
                why: judgement.reason(),
                clause: clause_behind(judgement.verdict()),
            },
            profile: explanation
                .outcomes()
                .iter()
                .map(|outcome| OutcomeRecord::of(outcome, profile))
                .collect(),
            settled: settled.is_some(),
            agree: settled == Some(expected),
        }
    }

    /// A name that leads nowhere: nobody can access it, and the kernel is not asked.
    fn lost(access: Access, path: &'a [u8], error: &objcap::object::Error) -> Self {
        Answer {
            access: access.to_string(),
            path: Text(path),
            real: None,
            guard: GuardRecord {
                verdict: REFUSED,
                why: format!("the name leads nowhere: {error}"),
                clause: None,
            },
            profile: Vec::new(),
            settled: true,
            agree: true,
        }
    }

    fn verdict(&self) -> Verdict {
        match (self.agree, self.guard.verdict) {
            (false, _) => Verdict::Differ,
            (true, ADMITTED) => Verdict::Yes,
            (true, _) => Verdict::No,
        }
    }
}

/// The clause that a verdict of the guard rests on.
fn clause_behind<'a>(verdict: &Guards<'a>) -> Option<ClauseRecord<'a>> {
    match verdict {
        Guards::Admitted(Ground::Allowance(allowance)) => ClauseRecord::of(allowance.clause()),
        Guards::Admitted(Ground::Waypoint | Ground::Unrestricted) => None,
        Guards::Refused(refusal) => refusal.clause().and_then(ClauseRecord::of),
    }
}

impl<'a> OutcomeRecord<'a> {
    fn of(outcome: &'a Outcome<'a>, profile: &Profile) -> Self {
        let rule = outcome.rule();
        OutcomeRecord {
            reading: match outcome.reading() {
                Reading::Flat => "flat",
                Reading::Specific => "specific",
                Reading::FilteredFirst => "filtered-first",
            },
            decision: match outcome.decision() {
                Decision::Allow => "allow",
                Decision::Deny => "deny",
                Decision::Unknown => "unknown",
            },
            operation: outcome.operation().name().to_owned(),
            name: Text(outcome.name().as_bytes()),
            rule: rule.map(|(_, line)| line.rule().to_string()),
            line: rule.and_then(|(index, _)| profile.line_number(index)),
            why: outcome.why().map(ToString::to_string),
            clause: outcome.why().and_then(clause_of),
        }
    }

    /// What the reading decides, without its name.
    fn decided(&self) -> (&str, &str, &[u8], Option<usize>) {
        (self.decision, &self.operation, self.name.0, self.line)
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer {
            access,
            path,
            guard,
            ..
        } = self;
        writeln!(f, "{access} of `{path}` is {}", guard.verdict)?;
        match &self.real {
            Some(real) if real.0 != path.0 => writeln!(f, "  which is `{real}`")?,
            _ => {}
        }
        writeln!(f, "  guard: {}", guard.why)?;
        let mut told: Vec<&OutcomeRecord<'_>> = Vec::new();
        for outcome in &self.profile {
            if told
                .iter()
                .any(|before| before.decided() == outcome.decided())
            {
                continue;
            }
            let readings: Vec<_> = self
                .profile
                .iter()
                .filter(|other| other.decided() == outcome.decided())
                .map(|other| other.reading)
                .collect();
            let readings = match readings.len() {
                3 => "under every reading".to_owned(),
                _ => format!("read as {}", readings.join(" or ")),
            };
            let OutcomeRecord {
                decision,
                operation,
                name,
                ..
            } = outcome;
            writeln!(
                f,
                "  profile: {decision} {operation} of `{name}`, {readings}"
            )?;
            if let (Some(line), Some(rule)) = (outcome.line, &outcome.rule) {
                writeln!(f, "    line {line}: {rule}")?;
            }
            if let Some(why) = &outcome.why {
                writeln!(f, "    because of {why}")?;
            }
            told.push(outcome);
        }
        match (self.settled, self.agree, self.profile.is_empty()) {
            (_, _, true) => Ok(()),
            (false, ..) => writeln!(f, "  the readings differ"),
            (true, false, _) => writeln!(f, "  guard and profile differ"),
            (true, true, _) => writeln!(f, "  guard and profile agree"),
        }
    }
}
