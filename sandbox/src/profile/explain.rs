//! What a profile decides about an access, judged by its own text.

use objcap_capability::Act;
use objcap_object::{Host, Kind, Object, RealPath, Tree};
use sbpl::judge::{Decider, Decision, Reading, Request};
use sbpl::{Filter, Operation};

use crate::{Line, Profile, Why};

/// What the kernel would be asked, and the names under which it may be shown the object.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The operation.
    pub operation: Operation,
    /// The names: the real path, and its twins.
    pub names: Vec<RealPath>,
}

/// What a profile decides about an access, under one reading.
#[derive(Debug)]
pub struct Outcome<'a> {
    reading: Reading,
    operation: Operation,
    name: RealPath,
    decision: Decision,
    rule: Option<(usize, &'a Line)>,
    matched: Option<&'a Filter>,
    why: Option<&'a Why>,
}

/// What a profile decides about an access, under every reading.
#[derive(Debug)]
pub struct Explanation<'a> {
    outcomes: Vec<Outcome<'a>>,
}

/// What the kernel asks when a program does something to the objects that were walked, one for each end:
/// first one look at each link that a lookup passes, then about the ends (docs/seatbelt.md, section 3).
/// A script's interpreter is asked about as another program.
pub fn act_requests<D, T: Tree>(act: Act, objects: &[&Object<D>], host: &Host<T>) -> Vec<Asked> {
    let links = objects.iter().flat_map(|object| object.links());
    let links = links.filter_map(|link| RealPath::new(link.at()));
    let links = links.map(|link| (Operation::FileReadMetadata, host.presented(link)));
    let ends = objects.iter().enumerate().flat_map(|(end, object)| {
        let real = host.presented(object.real().clone());
        let asked = operations(act, end, object.kind());
        asked
            .iter()
            .map(move |operation| (operation.clone(), real.clone()))
    });
    let asked = links.chain(ends).map(|(operation, name)| {
        // The alias itself is a link in the root: what it leads to is another object.
        let names = if host.aliases.iter().any(|alias| alias.name == name) {
            vec![name]
        } else {
            objcap_capability::spellings(&name, host)
        };
        Asked { operation, names }
    });
    asked.collect()
}

/// What is asked of one end of an act, which exists or does not.
fn operations(act: Act, end: usize, kind: Option<Kind>) -> &'static [Operation] {
    use Operation::{
        FileClone, FileLink, FileReadData, FileReadMetadata, FileWriteCreate, FileWriteData,
        FileWriteUnlink, ProcessExec,
    };
    match (act, end, kind.is_some()) {
        (Act::Stat, ..) => &[FileReadMetadata],
        (Act::Read, ..) => &[FileReadData],
        (Act::Write, _, true) => &[FileWriteData],
        (Act::Exec, ..) => &[ProcessExec],
        (Act::Remove, ..) | (Act::Rename, 0, _) => &[FileWriteUnlink],
        (Act::Swap, ..) | (Act::Rename, _, true) => &[FileWriteUnlink, FileWriteCreate],
        (Act::Link, 0, _) => &[FileLink],
        (Act::Clone, 0, _) => &[FileClone, FileReadData],
        (Act::Write | Act::Create | Act::Rename | Act::Link | Act::Clone, ..) => &[FileWriteCreate],
    }
}

impl Profile {
    /// Judges requests that belong to one access, under every reading: the first that is not
    /// allowed decides, or the last of all.
    pub fn explain(&self, requests: &[Asked]) -> Explanation<'_> {
        let outcomes = Reading::ALL.into_iter().filter_map(|reading| {
            let mut last = None;
            for asked in requests {
                last = self.decide(asked, reading).or(last);
                if last
                    .as_ref()
                    .is_some_and(|one| one.decision != Decision::Allow)
                {
                    break;
                }
            }
            last
        });
        Explanation {
            outcomes: outcomes.collect(),
        }
    }

    /// Under every name of the object. Where the names come to different decisions, there is none.
    fn decide(&self, asked: &Asked, reading: Reading) -> Option<Outcome<'_>> {
        let mut outcomes = asked.names.iter().map(|name| {
            let request = Request::new(asked.operation.clone()).path(name.as_bytes());
            let verdict = self.judge().decide(&request, reading);
            let rule = match verdict.by {
                Decider::Rule(index) | Decider::Undecided(index) => {
                    self.lines().nth(index).map(|line| (index, line))
                }
                _ => None,
            };
            let filter = rule.and_then(|(index, _)| self.judge().matching(index, &request));
            Outcome {
                reading,
                operation: asked.operation.clone(),
                name: name.clone(),
                decision: verdict.decision,
                rule,
                matched: rule.zip(filter).and_then(|((_, line), filter)| {
                    let filters = line.rule().filters();
                    filters.get(filter).map(|filter| &**filter)
                }),
                why: rule.and_then(|(_, line)| line.why(filter)),
            }
        });
        let first = outcomes.next()?;
        let differs = outcomes.find(|outcome| outcome.decision != first.decision);
        Some(match differs {
            None => first,
            Some(other) => Outcome {
                decision: Decision::Unknown,
                ..other
            },
        })
    }
}

impl<'a> Outcome<'a> {
    /// The reading.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// The operation that decided.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The name under which it was asked for.
    pub fn name(&self) -> &RealPath {
        &self.name
    }

    /// The decision; `Unknown` also where it hangs on the name that the kernel shows.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Why the part of the rule is there that decided: the clause that it came from, or a reason. `None`
    /// when no rule decided.
    pub fn why(&self) -> Option<&'a Why> {
        self.why
    }

    /// The filter of that rule that matched; `None` when no rule decided, and of a rule without filters.
    pub fn matched(&self) -> Option<&'a Filter> {
        self.matched
    }

    /// The rule that decided, and its number, from 0; `None` when none did.
    pub fn rule(&self) -> Option<(usize, &'a Line)> {
        self.rule
    }
}

impl<'a> Explanation<'a> {
    /// One outcome for each reading.
    pub fn outcomes(&self) -> &[Outcome<'a>] {
        &self.outcomes
    }

    /// The decision, when every reading comes to the same, under every name; `None` otherwise.
    pub fn settled(&self) -> Option<Decision> {
        let (first, others) = self.outcomes.split_first()?;
        let decision = first.decision();
        let same = others.iter().all(|other| other.decision() == decision);
        (same && decision != Decision::Unknown).then_some(decision)
    }
}
