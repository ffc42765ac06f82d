//! The spelling of a record, put right when a walk ends. Only a walk whose tree left it open comes
//! here: on volumes that tell all spellings apart, a name is stored as it is typed.

use crate::trail::Trail;
use crate::{Spelled, Spelling, Tree, path};

/// A real path with every component as stored; `None` where the tree cannot tell.
pub(crate) fn stored<T: Tree>(tree: &T, real: &[u8]) -> Option<Vec<u8>> {
    match tree.spell(real) {
        Spelled::AsGiven => Some(real.to_vec()),
        Spelled::Stored(stored) => Some(path::join(b"", &stored)),
        Spelled::Unknown => None,
    }
}

/// Spells what a walk passed, and the real path that it ended at, as stored. Of the real path only
/// the first `exists` bytes exist: an absent name keeps the form that it was typed in.
pub(crate) fn settle<T: Tree>(
    tree: &T,
    trail: &mut Trail,
    real: &mut Vec<u8>,
    exists: usize,
) -> Spelling {
    let passed = trail.spell(|real| stored(tree, real));
    let (there, absent) = real.split_at_checked(exists).unwrap_or_default();
    if there.is_empty() {
        return passed;
    }
    let Some(mut spelled) = stored(tree, there) else {
        return Spelling::Typed;
    };
    spelled.extend_from_slice(absent);
    trail.respell(real, &spelled);
    *real = spelled;
    passed
}
