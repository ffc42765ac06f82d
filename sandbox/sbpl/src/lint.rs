//! What a profile says that its author did not mean, as far as that can be told.
//!
//! A finding is no error: the profile compiles. Each says what was measured or is known
//! (docs/seatbelt.md), and a rule that no finding names may still be wrong.

mod coverage;
mod dead;
mod witness;

use std::fmt;

use crate::ast::{Action, Operation, TextErrorKind};
use crate::diagnostic::render_at;
use crate::judge::{Decision, Judge, PerReading};
use crate::parse::Parsed;
use crate::span::Origin;

/// Something that a profile says and its author may not mean.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    kind: FindingKind,
    rule: Option<usize>,
    origin: Option<Origin>,
}

/// What a finding is about.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FindingKind {
    /// A path filter that never matches, because of how its text is written.
    Dead(TextErrorKind),
    /// A path filter spelled through a name that the kernel resolves first, such as `/tmp`.
    RootAlias {
        /// The name.
        alias: &'static str,
        /// What the kernel presents in its place.
        real: &'static str,
    },
    /// A rule that never decides: whatever it matches, a later one on the same operations does too.
    Shadowed {
        /// The later rule, by its index.
        by: usize,
    },
    /// What the rule does depends on how the kernel reads the profile.
    DependsOnReading {
        /// An operation for which it does.
        operation: Operation,
        /// What is asked under each reading, and by which rule it is decided.
        verdicts: Box<PerReading>,
        /// What the operation is about, as a filter or name would be written.
        about: Box<str>,
    },
    /// A rule on files that has no filter.
    Unfiltered {
        /// Whether it allows or denies.
        action: Action,
        /// The operation.
        operation: Operation,
    },
    /// Operations that start allowed and that no rule names, under a profile that denies by
    /// default.
    NotMentioned(Vec<Operation>),
    /// An import that brings rules which allow something.
    ImportGrants {
        /// What was imported.
        name: Vec<u8>,
        /// How many of its rules allow.
        rules: usize,
    },
    /// An import that was not loaded, and may grant anything.
    ImportUnknown,
}

impl Finding {
    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> &FindingKind {
        &self.kind
    }

    /// The rule, by its index in [`crate::Profile::rules`]; `None` if it is about none.
    #[must_use]
    pub fn rule(&self) -> Option<usize> {
        self.rule
    }

    /// The place; `None` if it is about the whole profile.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// The finding with its line and carets. `name` is what the profile's own text is called.
    #[must_use]
    pub fn render(&self, parsed: &Parsed, name: &str) -> String {
        let Some(origin) = self.origin else {
            return format!("finding: {self}\n");
        };
        let Some(text) = parsed.texts().nth(origin.text) else {
            return format!("finding: {self}\n");
        };
        let name = match text.name() {
            b"" => name.into(),
            imported => String::from_utf8_lossy(imported),
        };
        render_at(
            &format!("finding: {self}"),
            origin.span,
            text.source(),
            &name,
        )
    }
}

/// All findings: those about rules in the order of the rules, then those about the whole profile.
///
/// ```
/// let parsed = sbpl::parse(b"(version 1) (deny default) (allow file-read* (subpath \"/tmp/a\"))");
/// let findings = sbpl::lint::lint(&parsed);
/// assert_eq!(
///     findings[0].to_string(),
///     "nothing is found under `/tmp`: the kernel presents `/private/tmp`",
/// );
/// ```
#[must_use]
pub fn lint(parsed: &Parsed) -> Vec<Finding> {
    let rules = parsed.profile().rules();
    let judge = Judge::new(parsed.profile());
    let shadows = coverage::shadows(rules);
    let mut findings = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let mut add = |kind, span: Option<crate::span::Span>| {
            let origin = rule.origin().map(|origin| Origin {
                span: span.unwrap_or(origin.span),
                ..origin
            });
            findings.push(Finding {
                kind,
                rule: Some(number),
                origin,
            });
        };
        for filter in rule.filters() {
            dead::dead(filter, &mut |kind| add(kind, filter.span()));
        }
        if let Some(Some(by)) = shadows.get(number) {
            add(FindingKind::Shadowed { by: *by }, None);
        }
        if let Some(kind) = witness::depends_on_reading(&judge, number, rule) {
            add(kind, None);
        }
        let on_file = rule
            .operations()
            .iter()
            .find(|operation| operation.name().starts_with("file"));
        if let (Some(operation), true) = (on_file, rule.filters().is_empty()) {
            let operation = (**operation).clone();
            let action = rule.action();
            add(FindingKind::Unfiltered { action, operation }, None);
        }
    }
    findings.extend(not_mentioned(parsed));
    findings.extend(imports(parsed));
    findings
}

fn not_mentioned(parsed: &Parsed) -> Option<Finding> {
    let rules = parsed.profile().rules();
    let names = |operation: &Operation| {
        let mut all = rules.iter().flat_map(|rule| rule.operations());
        all.any(|named| **named == *operation)
    };
    let denies = rules.iter().any(|rule| {
        let mut operations = rule.operations().iter();
        rule.action() == Action::Deny && operations.any(|named| **named == Operation::Default)
    });
    let start_allowed = Operation::ALL
        .iter()
        .filter(|operation| operation.starts_allowed());
    let missing: Vec<_> = start_allowed
        .filter(|operation| !names(operation))
        .cloned()
        .collect();
    (denies && !missing.is_empty()).then_some(Finding {
        kind: FindingKind::NotMentioned(missing),
        rule: None,
        origin: None,
    })
}

fn imports(parsed: &Parsed) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, text) in parsed.texts().enumerate().skip(1) {
        let of_text = parsed.profile().rules().iter().filter(|rule| {
            let is_here = rule.origin().is_some_and(|origin| origin.text == number);
            is_here && rule.action() == Action::Allow
        });
        let rules = of_text.count();
        if rules > 0 {
            findings.push(Finding {
                kind: FindingKind::ImportGrants {
                    name: text.name().to_vec(),
                    rules,
                },
                rule: None,
                origin: text.imported_at(),
            });
        }
    }
    let kept = parsed.profile().unevaluated().iter();
    findings.extend(
        kept.filter(|form| form.as_str().starts_with("(import "))
            .map(|form| Finding {
                kind: FindingKind::ImportUnknown,
                rule: None,
                origin: form.span().map(|span| Origin { text: 0, span }),
            }),
    );
    findings
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FindingKind::Dead(kind) => kind.fmt(f),
            FindingKind::RootAlias { alias, real } => {
                write!(
                    f,
                    "nothing is found under `{alias}`: the kernel presents `{real}`"
                )
            }
            FindingKind::Shadowed { by } => {
                write!(
                    f,
                    "the rule never decides: rule {by} matches all that it matches"
                )
            }
            FindingKind::DependsOnReading {
                operation,
                verdicts,
                about,
            } => {
                let word = |decision| match decision {
                    Decision::Allow => "allowed",
                    Decision::Deny => "denied",
                    Decision::Unknown => "unknown",
                };
                write!(
                    f,
                    "readings differ on `{operation}` of {about}: {} if the last rule decides, {} if the nearest operation does, {} if its filtered rules come first",
                    word(verdicts.flat.decision),
                    word(verdicts.specific.decision),
                    word(verdicts.filtered_first.decision),
                )
            }
            FindingKind::Unfiltered {
                action: Action::Allow,
                operation,
            } => {
                write!(f, "`{operation}` is allowed for every file")
            }
            FindingKind::Unfiltered {
                action: Action::Deny,
                operation,
            } => write!(
                f,
                "`{operation}` is denied where nothing else is said: a rule with a filter comes first"
            ),
            FindingKind::NotMentioned(operations) => {
                f.write_str("`(deny default)` does not cover what starts allowed:")?;
                for operation in operations {
                    write!(f, " {operation}")?;
                }
                Ok(())
            }
            FindingKind::ImportGrants { name, rules } => {
                let name = String::from_utf8_lossy(name);
                write!(
                    f,
                    "the import of `{}` brings rules that allow: {rules}",
                    name.escape_debug()
                )
            }
            FindingKind::ImportUnknown => {
                f.write_str("the import is not loaded, and may allow anything")
            }
        }
    }
}
