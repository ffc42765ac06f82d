//! What a profile decides about an access, judged by its own text.

use objcap_capability::Access;
use objcap_object::{Host, Object, RealPath, Tree};
use sbpl::Operation;
use sbpl::judge::{Decider, Decision, Reading, Request, Verdict};

use crate::{Line, Profile};

/// What the kernel would be asked, and under which name it would be shown.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The operation.
    pub operation: Operation,
    /// The name.
    pub name: RealPath,
}

/// What a profile decides about an access, under one reading.
#[derive(Debug)]
pub struct Outcome<'a> {
    reading: Reading,
    asked: Asked,
    verdict: Verdict,
    rule: Option<(usize, &'a Line)>,
}

/// What a profile decides about an access, under every reading.
#[derive(Debug)]
pub struct Explanation<'a> {
    outcomes: Vec<Outcome<'a>>,
}

/// What the kernel asks when a program reads or writes an object by the name that was walked: one
/// look at each link that the lookup passes, then the access itself (docs/seatbelt.md, section 3).
/// The object is asked for under its real path, and again under each twin.
pub fn access_requests<D, T: Tree>(
    object: &Object<D>,
    access: Access,
    host: &Host<T>,
) -> Vec<Asked> {
    let operation = match (access, object.kind()) {
        (access, None) if access.contains(Access::WRITE) => Operation::FileWriteCreate,
        (access, Some(_)) if access.contains(Access::WRITE) => Operation::FileWriteData,
        (access, _) if access.contains(Access::READ) => Operation::FileReadData,
        _ => Operation::FileReadMetadata,
    };
    let links = object.links().filter_map(|link| RealPath::new(link.at()));
    let links = links.map(|link| (Operation::FileReadMetadata, host.presented(link)));
    let real = host.presented(object.real().clone());
    let mut asked = Vec::new();
    for (operation, name) in links.chain([(operation, real)]) {
        for name in objcap_capability::spellings(&name, host) {
            asked.push(Asked {
                operation: operation.clone(),
                name,
            });
        }
    }
    asked
}

impl Profile {
    /// Judges requests that belong to one access, under every reading: the first that is not
    /// allowed decides, or the last of all.
    pub fn explain(&self, requests: &[Asked]) -> Explanation<'_> {
        let outcomes = Reading::ALL.into_iter().filter_map(|reading| {
            let mut last = None;
            for asked in requests {
                let outcome = last.insert(self.decide(asked, reading));
                if outcome.decision() != Decision::Allow {
                    break;
                }
            }
            last
        });
        Explanation {
            outcomes: outcomes.collect(),
        }
    }

    fn decide(&self, asked: &Asked, reading: Reading) -> Outcome<'_> {
        let request = Request::new(asked.operation.clone()).path(asked.name.as_bytes());
        let verdict = self.judge().decide(&request, reading);
        let rule = match verdict.by {
            Decider::Rule(index) | Decider::Undecided(index) => {
                self.lines().nth(index).map(|line| (index, line))
            }
            _ => None,
        };
        Outcome {
            reading,
            asked: asked.clone(),
            verdict,
            rule,
        }
    }
}

impl<'a> Outcome<'a> {
    /// The reading.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// The request that decided.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The decision.
    pub fn decision(&self) -> Decision {
        self.verdict.decision
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

    /// The decision, when every reading comes to the same.
    pub fn settled(&self) -> Option<Decision> {
        let (first, others) = self.outcomes.split_first()?;
        let decision = first.decision();
        others
            .iter()
            .all(|other| other.decision() == decision)
            .then_some(decision)
    }
}
