//! The places that grants speak of, and what the layers together come to there.

use std::collections::{BTreeMap, HashSet};

use objcap::capability::{Access, Clause, Layer, Origin, Reach, Stack, Subject};
use objcap::object::{Host, RealPath, World, name};

/// A place, and what holds there.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) real: RealPath,
    pub(super) state: State,
    pub(super) reach: Reach,
    /// The clauses that speak of just this place.
    pub(super) clauses: Vec<&'a Clause>,
}

/// What holds at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// What may be done, of what grants restrict.
    pub(super) may: Access,
    /// What is spoken against.
    pub(super) denied: Access,
    /// Whether it is a program that may be run but for its name.
    pub(super) vetoed: bool,
}

impl State {
    /// What holds where no clause speaks: nothing that grants restrict.
    pub(super) const SILENCE: State = State {
        may: Access::empty(),
        denied: Access::empty(),
        vetoed: false,
    };
}

impl Place<'_> {
    /// Whether no author wrote a clause about it.
    pub(super) fn is_needed(&self) -> bool {
        self.clauses
            .iter()
            .all(|clause| matches!(clause.origin(), Origin::Host))
    }
}

/// Every place that a clause speaks of, a folder before what lies in it.
pub(super) fn places<'a, W: World>(stack: &'a Stack<W>, host: &Host<W>) -> Vec<Place<'a>> {
    let mut found: BTreeMap<&RealPath, (Vec<&'a Clause>, Reach)> = BTreeMap::new();
    let mut add = |real: &'a RealPath, clause: &'a Clause, reach: Reach| {
        let (clauses, known) = found.entry(real).or_insert((Vec::new(), reach));
        clauses.push(clause);
        if reach == Reach::Below {
            *known = reach;
        }
    };
    for allowance in stack.layers().iter().flat_map(Layer::allowances) {
        add(
            allowance.place().real(),
            allowance.clause(),
            allowance.reach(),
        );
    }
    let exclusions = stack.layers().iter().flat_map(Layer::exclusions);
    for exclusion in exclusions.chain(stack.own()) {
        for place in exclusion.places() {
            add(place.real(), exclusion.clause(), Reach::Below);
        }
    }
    let vetoed = vetoed(stack);
    let mut places: Vec<_> = found
        .into_iter()
        .map(|(real, (clauses, reach))| Place {
            state: state(real, reach, stack, &vetoed, host),
            real: real.clone(),
            reach,
            clauses,
        })
        .collect();
    // By their bytes, `/a-b` would come between `/a` and `/a/b`.
    places.sort_by(|one, other| one.real.components().cmp(other.real.components()));
    places
}

fn state<W: World>(
    real: &RealPath,
    reach: Reach,
    stack: &Stack<W>,
    vetoed: &HashSet<Vec<u8>>,
    host: &Host<W>,
) -> State {
    let evidence = stack.evidence(real, reach, host);
    let mut restricted = Access::empty();
    if stack.restricts_files() {
        restricted |= Access::READ | Access::WRITE;
    }
    if stack.restricts_programs() {
        restricted |= Access::EXEC;
    }
    let may = (evidence.granted - evidence.denied) & restricted;
    let named = real
        .leaf()
        .is_some_and(|leaf| vetoed.contains(&name::fold(leaf).into_owned()));
    let vetoed = named && may.contains(Access::EXEC);
    State {
        may: if vetoed { may - Access::EXEC } else { may },
        denied: evidence.denied - Access::STAT,
        vetoed,
    }
}

/// The vetoed names, folded as the guard compares them.
fn vetoed<W: World>(stack: &Stack<W>) -> HashSet<Vec<u8>> {
    let programs = stack.layers().iter().filter_map(Layer::exec);
    let names = programs.flat_map(|exec| exec.vetoes());
    let names = names.filter_map(|clause| match clause.subject() {
        Subject::Name(named) => Some(name::fold(named.as_encoded_bytes()).into_owned()),
        Subject::Place(_) | Subject::Every => None,
    });
    names.collect()
}
