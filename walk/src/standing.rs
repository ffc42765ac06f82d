//! The directory where a walk stands: the handle on it, and what is kept of it until the walk
//! leaves. The real path that leads there is the walker's.

use crate::{Fault, Spelling, Step, Tree, path};
use crate::{Spelled, Start};

/// How many links are followed in one directory before the next leaf there is expected to be a link
/// too. A name that is no link is then asked twice, so a single link is not enough.
const CHAIN: usize = 2;

/// Where a walk stands.
pub(crate) struct Standing<T: Tree> {
    here: Here<T::Dir>,
    notes: T::Notes,
    /// How many links of this directory were followed, each to a name in it.
    followed: usize,
}

/// The handle on a directory.
enum Here<D> {
    /// The one that the walk started in.
    Start,
    /// The tree's root.
    Root,
    /// One that the walk opened.
    Opened(D),
    /// None: the real path leads there, and it has to be opened.
    Unopened,
}

impl<T: Tree> Standing<T> {
    fn new(here: Here<T::Dir>) -> Self {
        Standing {
            here,
            notes: T::Notes::default(),
            followed: 0,
        }
    }

    pub(crate) fn at_start() -> Self {
        Standing::new(Here::Start)
    }

    pub(crate) fn at_root() -> Self {
        Standing::new(Here::Root)
    }

    pub(crate) fn opened(dir: T::Dir) -> Self {
        Standing::new(Here::Opened(dir))
    }

    pub(crate) fn unopened() -> Self {
        Standing::new(Here::Unopened)
    }

    pub(crate) fn is_unopened(&self) -> bool {
        matches!(self.here, Here::Unopened)
    }

    /// The handle; for want of one, the root's.
    pub(crate) fn dir<'a>(&'a self, tree: &'a T, start: Start<'a, T::Dir>) -> &'a T::Dir {
        self.here.dir(tree, start)
    }

    /// The handle by itself.
    pub(crate) fn into_dir(self, tree: &T, start: Start<'_, T::Dir>) -> Result<T::Dir, Fault> {
        match self.here {
            Here::Opened(dir) => Ok(dir),
            here => tree.share(here.dir(tree, start)),
        }
    }

    /// Asks for one component of the directory.
    pub(crate) fn step(
        &mut self,
        tree: &T,
        start: Start<'_, T::Dir>,
        name: &[u8],
    ) -> Result<Step<T::Dir>, Fault> {
        tree.step(self.here.dir(tree, start), name, &mut self.notes)
    }

    /// A link to another name in the directory was followed.
    pub(crate) fn follow(&mut self) {
        self.followed += 1;
    }

    /// Whether a leaf here is most likely the next link of a chain.
    pub(crate) fn in_chain(&self) -> bool {
        self.followed >= CHAIN
    }
}

impl<D> Here<D> {
    fn dir<'a, T: Tree<Dir = D>>(&'a self, tree: &'a T, start: Start<'a, D>) -> &'a D {
        match self {
            Here::Start => start.dir,
            Here::Opened(dir) => dir,
            Here::Root | Here::Unopened => tree.root(),
        }
    }
}

/// What the directory at a real path is by now.
pub(crate) enum Reopened<T: Tree> {
    /// Opened, with that path as stored.
    Directory(Standing<T>, Vec<u8>, Spelling),
    /// A name on the way is no directory any more.
    Changed,
}

/// Opens the directory at a real path, from the root.
///
/// # Errors
/// What the tree says, and of which name.
pub(crate) fn reopen<T: Tree>(tree: &T, real: &[u8]) -> Result<Reopened<T>, (Fault, Vec<u8>)> {
    let mut opened = None;
    let mut stored = Vec::with_capacity(real.len());
    let mut spelling = Spelling::Stored;
    for run in path::runs(real) {
        let dir = opened.as_ref().unwrap_or(tree.root());
        let ran = tree.run(dir, run);
        if let Some(stop) = path::components(run).nth(ran.passed) {
            let dir = ran.dir.as_ref().unwrap_or(dir);
            return match tree.step(dir, stop, &mut T::Notes::default()) {
                Ok(_) => Ok(Reopened::Changed),
                Err(fault) => Err((fault, path::join(&stored, stop))),
            };
        }
        match &ran.spelled {
            Spelled::Stored(names) => path::push(&mut stored, names),
            Spelled::AsGiven => path::push(&mut stored, run),
            Spelled::Unknown => {
                path::push(&mut stored, run);
                spelling = Spelling::Typed;
            }
        }
        opened = ran.dir;
    }
    let standing = opened.map_or_else(Standing::at_root, Standing::opened);
    Ok(Reopened::Directory(standing, stored, spelling))
}
