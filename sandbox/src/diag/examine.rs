//! What a profile decides about a denied request, under every reading, and by which of its parts.

use sbpl::judge::{Decider, Decision, Reading, Request};

use crate::{Line, Profile, Section, Why};

/// The rule that denies, and why it is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Denying<'a> {
    pub(super) rule: usize,
    pub(super) line: &'a Line,
    pub(super) section: Section,
    pub(super) why: Option<&'a Why>,
}

/// What the profile says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Examined<'a> {
    /// Every request is allowed, under every reading.
    Admitted,
    /// One is not: by this rule, when a rule decides. One that speaks against comes before one that is merely
    /// what is left where nothing speaks for it.
    Denied(Option<Denying<'a>>),
}

impl<'a> Examined<'a> {
    pub(super) fn of(profile: &'a Profile, requests: &[Request]) -> Self {
        let mut denied = false;
        let mut strongest: Option<Denying<'a>> = None;
        for request in requests {
            for reading in Reading::ALL {
                let verdict = profile.judge().decide(request, reading);
                if verdict.decision == Decision::Allow {
                    continue;
                }
                denied = true;
                let (Decider::Rule(rule) | Decider::Undecided(rule)) = verdict.by else {
                    continue;
                };
                let found = denying(profile, rule, request);
                let known = strongest.map_or(0, |known| weight(known.section) + 1);
                strongest = match found {
                    Some(found) if weight(found.section) + 1 > known => Some(found),
                    _ => strongest,
                };
            }
        }
        match denied {
            true => Examined::Denied(strongest),
            false => Examined::Admitted,
        }
    }
}

fn denying<'a>(profile: &'a Profile, rule: usize, request: &Request) -> Option<Denying<'a>> {
    let lines = profile
        .sections()
        .flat_map(|(section, lines)| lines.iter().map(move |line| (section, line)));
    let (section, line) = lines.enumerate().find(|(at, _)| *at == rule)?.1;
    let filter = profile.judge().matching(rule, request);
    Some(Denying {
        rule,
        line,
        section,
        why: line.why(filter),
    })
}

fn weight(section: Section) -> u8 {
    match section {
        Section::Exclusions => 3,
        Section::Pins => 2,
        Section::Bound => 1,
        _ => 0,
    }
}
