//! Whether a name still leads to the object that was walked, and what changed if not.

use objcap_walk::{
    ErrorKind, Fault, Kind, Leaf, Links, Options, Presence, Scope, Tail, Tree, Walked, walk,
};

use crate::{Change, Object};

/// Whether an object is what its name leads to.
// Exhaustive: it is or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Current {
    /// The real path leads to it, or still to nothing, through the directory that is held.
    Same,
    /// It does not.
    Changed(Change),
}

impl<D> Object<D> {
    /// Walks the real path again, in the tree that the object was walked in, and compares the
    /// object and the directory that holds it with those of the first walk. No link is followed:
    /// a real path has none.
    ///
    /// The answer holds for the moment of that walk. [`stat`](Object::stat) asks less: whether the
    /// name in the held directory still is the object's, wherever the directory went.
    ///
    /// # Errors
    /// When the tree cannot say.
    pub fn is_current<T: Tree<Dir = D>>(&self, tree: &T) -> Result<Current, Fault> {
        let options = Options {
            scope: Scope::InRoot,
            links: Links::Refuse,
            leaf: Leaf::AsNamed,
            tail: Tail::Accept,
            ..Options::default()
        };
        let depth = |real: &[u8]| objcap_walk::path::components(real).count();
        let walked = self.walked();
        let change = match walk(tree, self.real().as_bytes(), &options) {
            Ok(now) => change(tree, walked, &now)?,
            Err(error) => {
                let is_leaf = depth(error.at()) >= depth(walked.real());
                match error.kind() {
                    ErrorKind::LinkRefused | ErrorKind::MagicLink if is_leaf => {
                        Some(appeared_or(walked.presence(), Change::BecameLink))
                    }
                    ErrorKind::LinkRefused | ErrorKind::MagicLink => Some(Change::ParentBecameLink),
                    ErrorKind::NotADirectory if is_leaf => {
                        Some(appeared_or(walked.presence(), Change::Kind))
                    }
                    ErrorKind::NotADirectory => Some(Change::ParentReplaced),
                    _ => return Err(error.into_fault()),
                }
            }
        };
        Ok(change.map_or(Current::Same, Current::Changed))
    }
}

/// Something where nothing stood has appeared, whatever else it is.
fn appeared_or(walked: Presence, change: Change) -> Change {
    match walked {
        Presence::Absent => Change::Appeared,
        Presence::Present { .. } => change,
    }
}

fn change<T: Tree>(
    tree: &T,
    walked: &Walked<T::Dir>,
    now: &Walked<T::Dir>,
) -> Result<Option<Change>, Fault> {
    // By depth: on a volume that folds, the name may have come to be stored in another spelling.
    let depth = |real: &[u8]| objcap_walk::path::components(real).count();
    let (was_at, is_at) = (depth(walked.real()), depth(now.real()));
    if is_at < was_at {
        return Ok(Some(Change::ParentGone));
    }
    if is_at > was_at {
        // A tail of absent components has become shorter.
        return Ok(Some(Change::Appeared));
    }
    let held = tree.stat(walked.parent())?.identity;
    let named = tree.stat(now.parent())?.identity;
    match Change::between((Kind::Directory, held), (Kind::Directory, named)) {
        None => {}
        Some(Change::Mount) => return Ok(Some(Change::Mount)),
        Some(_) => return Ok(Some(Change::ParentReplaced)),
    }
    Ok(match (walked.presence(), now.presence()) {
        (Presence::Absent, Presence::Absent) => None,
        (Presence::Absent, Presence::Present { .. }) => Some(Change::Appeared),
        (Presence::Present { .. }, Presence::Absent) => Some(Change::Gone),
        (
            Presence::Present { kind, identity },
            Presence::Present {
                kind: kind_now,
                identity: identity_now,
            },
        ) => Change::between((kind, identity), (kind_now, identity_now)),
    })
}
