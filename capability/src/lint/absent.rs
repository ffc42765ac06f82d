//! Names that lead to nothing, and those of them that are written as patterns are: a clause has no patterns.

use crate::{Clause, Lint, Place};

/// What other tools take for a pattern, and no name that leads somewhere was written with by mistake.
const SIGNS: [u8; 3] = [b'*', b'?', b'['];

/// That nothing stands at a clause's place. Of its names, those at which nothing stands may be meant as patterns.
pub(super) fn place<'a>(clause: &'a Clause, place: &'a Place, found: &mut Vec<Lint<'a>>) {
    if place.kind().is_some() {
        return;
    }
    let at = place.real();
    found.push(Lint::Absent { clause, at });
    let mut names = place.absent_ancestors().chain([at.clone()]);
    found.extend(names.find_map(|name| pattern(clause, name.leaf().unwrap_or_default())));
}

/// That a name which leads to nothing looks like a pattern.
pub(super) fn pattern<'a>(clause: &'a Clause, name: &[u8]) -> Option<Lint<'a>> {
    let sign = name.iter().find(|byte| SIGNS.contains(byte))?;
    Some(Lint::Pattern {
        clause,
        sign: char::from(*sign),
    })
}
