//! What guard and profile say, in JSON and for people.

use std::ffi::OsString;
use std::fmt;

use objcap::capability::{Act, Ground, Judgement, Refusal, Verdict as Guards};
use objcap::sandbox::{Decision, Explanation, Outcome, Profile, Reading};
use serde::Serialize;

use super::rule::Deciding;
use crate::grant::ClauseRecord;
use crate::json::Text;
use crate::output::Verdict;
use crate::profile::clause_of;

/// What guard and profile say of an access.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    access: &'static str,
    verdict: &'static str,
    /// What the guard says of each object, in the order asked.
    ends: Vec<End<'a>>,
    /// And of what interprets a script.
    interpreters: Vec<End<'a>>,
    profile: Vec<OutcomeRecord<'a>>,
    settled: bool,
    /// The guard refuses an argument, which the profile cannot see.
    guard_alone: bool,
    agree: bool,
}

/// What the guard says of one object.
#[derive(Debug, Serialize)]
pub(super) struct End<'a> {
    /// As it was asked for; `None` for what a script names.
    path: Option<Text<'a>>,
    real: Option<Text<'a>>,
    verdict: &'static str,
    why: String,
    clause: Option<ClauseRecord<'a>>,
    #[serde(skip)]
    argument: bool,
}

#[derive(Debug, Serialize)]
struct OutcomeRecord<'a> {
    reading: &'static str,
    decision: &'static str,
    operation: String,
    name: Text<'a>,
    rule: Option<String>,
    /// The filter of the rule that matched.
    matched: Option<String>,
    #[serde(skip)]
    deciding: Option<Deciding<'a>>,
    line: Option<usize>,
    why: Option<String>,
    clause: Option<ClauseRecord<'a>>,
}

const ADMITTED: &str = "admitted";
const REFUSED: &str = "refused";

fn word(guard: &Guards<'_>) -> &'static str {
    match guard {
        Guards::Admitted(_) => ADMITTED,
        Guards::Refused(_) => REFUSED,
    }
}

impl<'a> End<'a> {
    pub(super) fn of<D>(path: &'a OsString, judged: &'a Judgement<'a, D>) -> Self {
        End {
            path: Some(Text(path.as_encoded_bytes())),
            ..End::of_interpreter(judged)
        }
    }

    pub(super) fn of_interpreter<D>(judged: &'a Judgement<'a, D>) -> Self {
        End {
            path: None,
            real: Some(Text(judged.real().as_bytes())),
            verdict: word(judged.verdict()),
            why: judged.reason(),
            clause: clause_behind(judged.verdict()),
            argument: matches!(judged.verdict(), Guards::Refused(Refusal::Argument { .. })),
        }
    }

    fn is_admitted(&self) -> bool {
        self.verdict == ADMITTED
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

impl<'a> Answer<'a> {
    pub(super) fn of(
        act: Act,
        ends: Vec<End<'a>>,
        interpreters: Vec<End<'a>>,
        explanation: &'a Explanation<'a>,
        profile: &Profile,
    ) -> Self {
        let mut files = ends.iter().chain(&interpreters);
        let refused = files.find(|end| !end.is_admitted());
        let expected = match refused {
            None => Decision::Allow,
            Some(_) => Decision::Deny,
        };
        let settled = explanation.settled();
        let argument = refused.is_some_and(|end| end.argument);
        let guard_alone = argument && settled == Some(Decision::Allow);
        Answer {
            access: act.name(),
            verdict: refused.map_or(ADMITTED, |_| REFUSED),
            profile: explanation
                .outcomes()
                .iter()
                .map(|outcome| OutcomeRecord::of(outcome, profile))
                .collect(),
            settled: settled.is_some(),
            guard_alone,
            agree: settled == Some(expected) || guard_alone,
            ends,
            interpreters,
        }
    }

    /// A name that leads to nothing that could be accessed so: the kernel is not asked.
    pub(super) fn lost(act: Act, paths: &'a [OsString], why: String) -> Self {
        let end = |path: &'a OsString| End {
            path: Some(Text(path.as_encoded_bytes())),
            real: None,
            verdict: REFUSED,
            why: why.clone(),
            clause: None,
            argument: false,
        };
        Answer {
            access: act.name(),
            verdict: REFUSED,
            ends: paths.iter().map(end).collect(),
            interpreters: Vec::new(),
            profile: Vec::new(),
            settled: true,
            guard_alone: false,
            agree: true,
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        match (self.agree, self.verdict) {
            (false, _) => Verdict::Differ,
            (true, ADMITTED) => Verdict::Yes,
            (true, _) => Verdict::No,
        }
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
            matched: outcome.matched().map(ToString::to_string),
            deciding: Deciding::of(outcome),
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
        write!(f, "{} of ", self.access)?;
        for (number, path) in self.ends.iter().filter_map(|end| end.path).enumerate() {
            let and = if number == 0 { "" } else { " and " };
            write!(f, "{and}`{path}`")?;
        }
        writeln!(f, " is {}", self.verdict)?;
        self.guards(f)?;
        self.profiles(f)?;
        match (self.settled, self.agree, self.profile.is_empty()) {
            (_, _, true) => Ok(()),
            _ if self.guard_alone => {
                writeln!(
                    f,
                    "  the profile sees no arguments: the guard alone refuses this one"
                )
            }
            (false, ..) => writeln!(f, "  the readings differ"),
            (true, false, _) => writeln!(f, "  guard and profile differ"),
            (true, true, _) => writeln!(f, "  guard and profile agree"),
        }
    }
}

impl Answer<'_> {
    fn guards(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = || self.ends.iter();
        for end in ends() {
            match (end.path, end.real) {
                (Some(path), Some(real)) if real.0 != path.0 && self.ends.len() == 1 => {
                    writeln!(f, "  which is `{real}`")?;
                }
                (Some(path), Some(real)) if real.0 != path.0 => {
                    writeln!(f, "  `{path}` is `{real}`")?;
                }
                _ => {}
            }
        }
        match &self.ends[..] {
            [end] => writeln!(f, "  guard: {}", end.why)?,
            // A name that leads nowhere is the same for all.
            [end, ..] if end.real.is_none() => writeln!(f, "  guard: {}", end.why)?,
            ends => {
                for end in ends {
                    let (real, verdict, why) =
                        (end.real.unwrap_or(Text(b"")), end.verdict, &end.why);
                    writeln!(f, "  guard, of `{real}`: {verdict}: {why}")?;
                }
            }
        }
        for end in &self.interpreters {
            let (real, verdict, why) = (end.real.unwrap_or(Text(b"")), end.verdict, &end.why);
            writeln!(f, "  guard, of the interpreter `{real}`: {verdict}: {why}")?;
        }
        Ok(())
    }

    fn profiles(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            if let (Some(line), Some(rule)) = (outcome.line, &outcome.deciding) {
                writeln!(f, "    line {line}: {rule}")?;
            }
            if let Some(why) = &outcome.why {
                writeln!(f, "    because of {why}")?;
            }
            told.push(outcome);
        }
        Ok(())
    }
}
