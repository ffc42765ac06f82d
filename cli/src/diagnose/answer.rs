//! What is said of a denial, in JSON and for people.

use std::fmt;

use objcap::sandbox::diag::{
    Addition, Counts, Denial, Diagnosis, Hint, LINE_MAX, Operand, Trouble,
};
use objcap::sandbox::{Profile, Why};
use serde::Serialize;

use crate::grant::ClauseRecord;
use crate::json::Text;
use crate::profile::clause_of;

/// A denial or a trouble, and what is said of it.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    record: &'static str,
    /// For people, in one line.
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    denial: Option<DenialRecord<'a>>,
    rule: Option<RuleRecord<'a>>,
    hint: HintRecord,
}

#[derive(Debug, Serialize)]
struct DenialRecord<'a> {
    process: Text<'a>,
    pids: &'a [u32],
    count: u64,
    tag: Option<&'a str>,
    operation: &'a str,
    operand: &'static str,
    name: Option<Text<'a>>,
    command: Option<Text<'a>>,
}

/// The rule that denies.
#[derive(Debug, Serialize)]
struct RuleRecord<'a> {
    line: Option<usize>,
    rule: String,
    why: Option<String>,
    clause: Option<ClauseRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct HintRecord {
    kind: &'static str,
    message: String,
    /// The clauses to add.
    add: Vec<AdditionRecord>,
    /// The clause that speaks against it, as people find it.
    clause: Option<String>,
}

#[derive(Debug, Serialize)]
struct AdditionRecord {
    /// The number of the grant on the command line, from 1.
    grant: usize,
    table: &'static str,
    key: &'static str,
    value: String,
}

impl<'a> Answer<'a> {
    pub(super) fn of_denial(denial: &'a Denial, found: Diagnosis<'a>, profile: &Profile) -> Self {
        let operand = denial.operand();
        Answer {
            denial: Some(DenialRecord {
                process: Text(denial.process()),
                pids: denial.pids(),
                count: denial.count(),
                tag: denial.tag().map(|tag| tag.as_str()),
                operation: denial.operation().name(),
                operand: operand.kind(),
                name: operand.text().map(Text),
                command: match operand {
                    Operand::Ioctl { command, .. } => command.as_deref().map(Text),
                    _ => None,
                },
            }),
            ..Answer::of("denial", denial.to_string(), found, profile)
        }
    }

    pub(super) fn of_trouble(trouble: &Trouble, found: Diagnosis<'a>, profile: &Profile) -> Self {
        Answer::of("trouble", trouble.to_string(), found, profile)
    }

    fn of(record: &'static str, what: String, found: Diagnosis<'a>, profile: &Profile) -> Self {
        let rule = found.rule().map(|(number, line)| RuleRecord {
            line: profile.line_number(number),
            rule: line.rule().to_string(),
            why: found.why().map(ToString::to_string),
            clause: found.why().and_then(clause_of),
        });
        Answer {
            record,
            what,
            denial: None,
            rule,
            hint: HintRecord::of(found.hint()),
        }
    }
}

impl HintRecord {
    fn of(hint: &Hint) -> Self {
        let clause = match hint {
            Hint::Excluded(clause) | Hint::Pinned(clause) => {
                Some(Why::Clause(Box::new(clause.clone())).to_string())
            }
            _ => None,
        };
        HintRecord {
            kind: hint.kind(),
            message: hint.to_string(),
            add: hint.clauses().iter().map(AdditionRecord::of).collect(),
            clause,
        }
    }
}

impl AdditionRecord {
    fn of(addition: &Addition) -> Self {
        AdditionRecord {
            grant: addition.layer() + 1,
            table: addition.setting().table(),
            key: addition.setting().key(),
            value: addition.surface().to_owned(),
        }
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.what)?;
        if let Some(
            rule @ RuleRecord {
                line: Some(line), ..
            },
        ) = &self.rule
        {
            write!(f, "  by line {line} of the profile")?;
            // A clause that speaks against it is the hint's to name.
            match (&rule.why, &self.hint.clause) {
                (Some(why), None) => writeln!(f, ": {why}")?,
                _ => writeln!(f)?,
            }
        }
        writeln!(f, "  {}", self.hint.message)
    }
}

/// What became of the lines of a log.
#[derive(Debug, Serialize)]
pub(super) struct CountsRecord {
    record: &'static str,
    lines: u64,
    told: u64,
    others: u64,
    unrelated: u64,
    unread: u64,
    foreign: u64,
    overlong: u64,
    beyond: u64,
}

impl CountsRecord {
    pub(super) fn of(counts: &Counts) -> Self {
        CountsRecord {
            record: "counts",
            lines: counts.lines,
            told: counts.told,
            others: counts.others,
            unrelated: counts.unrelated,
            unread: counts.unread,
            foreign: counts.foreign,
            overlong: counts.overlong,
            beyond: counts.beyond,
        }
    }
}

impl fmt::Display for CountsRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lines, {} of them told", self.lines, self.told)?;
        let rest = [
            (self.others, "of other processes"),
            (self.unrelated, "about something else"),
            (self.unread, "about a sandbox in a form that is not known"),
            (self.foreign, "written by a program as if by the system"),
            (self.beyond, "beyond the most that are told apart"),
        ];
        for (count, what) in rest.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        if self.overlong > 0 {
            write!(f, ", {} longer than {LINE_MAX} bytes", self.overlong)?;
        }
        writeln!(f)
    }
}
