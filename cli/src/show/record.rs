//! What grants come to, in JSON, and what of it is no place.

use std::collections::HashSet;

use objcap::capability::{Access, Allowance, Clause, Layer, NetAccess, Reach, Stack};
use objcap::object::{Host, World};
use serde::Serialize;

use super::place::Place;
use crate::grant::ClauseRecord;
use crate::json::Text;

/// What grants come to.
#[derive(Debug, Serialize)]
pub(super) struct Record<'a> {
    pub(super) files: &'static str,
    pub(super) programs: &'static str,
    pub(super) network: &'static str,
    pub(super) sockets: Vec<Named<'a>>,
    pub(super) vetoes: Vec<Named<'a>>,
    pub(super) only: Vec<Only<'a>>,
    places: Vec<PlaceRecord<'a>>,
}

/// A name, and the clause that gives it.
#[derive(Debug, Serialize)]
pub(super) struct Named<'a> {
    pub(super) name: Text<'a>,
    #[serde(skip)]
    pub(super) clause: &'a Clause,
    #[serde(rename = "clause")]
    record: Option<ClauseRecord<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Only<'a> {
    #[serde(flatten)]
    pub(super) program: Named<'a>,
    pub(super) words: Vec<Text<'a>>,
}

#[derive(Debug, Serialize)]
struct PlaceRecord<'a> {
    path: Text<'a>,
    /// Whether it holds for all below, too.
    below: bool,
    read: bool,
    write: bool,
    run: bool,
    excluded: bool,
    protected: bool,
    /// Whether no author wrote of it: it is what every program needs, or a file of the program's own.
    needed: bool,
    clauses: Vec<ClauseRecord<'a>>,
}

impl<'a> Named<'a> {
    fn new(name: &'a [u8], clause: &'a Clause) -> Self {
        Named {
            name: Text(name),
            clause,
            record: ClauseRecord::of(clause),
        }
    }
}

pub(super) const EVERY: &str = "every";
const RESTRICTED: &str = "restricted";
pub(super) const UNRESTRICTED: &str = "unrestricted";

/// Whether an allowance of programs is of all that there are.
fn is_every(allowance: &Allowance) -> bool {
    allowance.place().real().depth() == 0
}

impl<'a> Record<'a> {
    pub(super) fn of<W: World>(
        places: &'a [Place<'a>],
        stack: &'a Stack<W>,
        host: &Host<W>,
    ) -> Self {
        let restricted = |is| if is { RESTRICTED } else { UNRESTRICTED };
        let layers = || stack.layers().iter();
        let programs = || layers().filter_map(Layer::exec);
        let mut known = HashSet::new();
        let sockets = stack.sockets(host).into_iter();
        let sockets = sockets.filter(|one| known.insert(one.place().real()));
        let named = |clause: &'a Clause| Named::new(clause.surface().as_encoded_bytes(), clause);
        Record {
            files: restricted(stack.restricts_files()),
            programs: match stack.programs(host).iter().any(|one| is_every(one)) {
                true => EVERY,
                false => restricted(stack.restricts_programs()),
            },
            network: match (layers().any(|one| one.net().is_some()), stack.net()) {
                (false, _) => UNRESTRICTED,
                (true, NetAccess::Open) => "open",
                (true, NetAccess::Offline) => "offline",
            },
            sockets: sockets
                .map(|one| Named::new(one.place().real().as_bytes(), one.clause()))
                .collect(),
            vetoes: programs()
                .flat_map(|exec| exec.vetoes())
                .map(named)
                .collect(),
            only: programs()
                .flat_map(|exec| exec.only())
                .map(|bound| {
                    let words = bound.only().words().iter();
                    Only {
                        program: named(bound.only().clause()),
                        words: words.map(|word| Text(word.as_encoded_bytes())).collect(),
                    }
                })
                .collect(),
            places: places.iter().map(PlaceRecord::of).collect(),
        }
    }
}

impl<'a> PlaceRecord<'a> {
    fn of(place: &'a Place<'a>) -> Self {
        let (may, denied) = (place.state.may, place.state.denied);
        let excluded = denied.contains(Access::READ);
        PlaceRecord {
            path: Text(place.real.as_bytes()),
            below: place.reach == Reach::Below,
            read: may.contains(Access::READ),
            write: may.contains(Access::WRITE),
            run: may.contains(Access::EXEC),
            excluded,
            protected: !excluded && denied.contains(Access::WRITE),
            needed: place.is_needed(),
            clauses: place
                .clauses
                .iter()
                .filter_map(|clause| ClauseRecord::of(clause))
                .collect(),
        }
    }
}
