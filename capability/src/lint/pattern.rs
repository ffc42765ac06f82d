//! Names that are written as patterns are, where they lead to nothing: a clause has no patterns.

use crate::{Clause, Lint, Place};

/// What other tools take for a pattern, and no name that leads somewhere was written with by mistake.
const SIGNS: [u8; 3] = [b'*', b'?', b'['];

/// Of a place, those of its names count at which nothing stands.
pub(super) fn of_place<'a>(clause: &'a Clause, place: &Place) -> Option<Lint<'a>> {
    if place.kind().is_some() {
        return None;
    }
    let absent = place.absent_ancestors();
    let mut names = absent.chain([place.real().clone()]);
    names.find_map(|name| of_name(clause, name.leaf().unwrap_or_default()))
}

pub(super) fn of_name<'a>(clause: &'a Clause, name: &[u8]) -> Option<Lint<'a>> {
    let sign = name.iter().find(|byte| SIGNS.contains(byte))?;
    Some(Lint::Pattern {
        clause,
        sign: char::from(*sign),
    })
}
