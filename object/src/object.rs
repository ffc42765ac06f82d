//! A walked name, and the object that it led to.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::sync::OnceLock;

use objcap_walk::{
    Error, Identity, Kind, Options, Presence, Start, Traversed, Tree, Walked, walk, walk_from,
};

use crate::{Dir, RealPath};

/// A name that was walked: its parent's handle, the leaf, the real path and the record of the walk.
#[derive(Debug)]
pub struct Object<D = Dir> {
    walked: Walked<D>,
    /// Made when it is first asked for: whoever only opens the object needs none.
    real: OnceLock<RealPath>,
}

impl<D> Object<D> {
    /// Walks `path` from the root of `tree`.
    ///
    /// # Errors
    /// When the path leads nowhere that the options accept, or the tree cannot say where.
    pub fn walk<T: Tree<Dir = D>>(
        tree: &T,
        path: impl AsRef<OsStr>,
        options: &Options,
    ) -> Result<Self, Error> {
        walk(tree, path.as_ref().as_encoded_bytes(), options).map(Object::from)
    }

    /// Walks `path`, from `start` when it is relative.
    ///
    /// # Errors
    /// As [`walk`](Object::walk).
    pub fn walk_from<T: Tree<Dir = D>>(
        tree: &T,
        start: Start<'_, D>,
        path: impl AsRef<OsStr>,
        options: &Options,
    ) -> Result<Self, Error> {
        walk_from(tree, start, path.as_ref().as_encoded_bytes(), options).map(Object::from)
    }

    /// The directory that holds the leaf; for the root, the root.
    pub fn parent(&self) -> &D {
        self.walked.parent()
    }

    /// The leaf's name; `None` for the root.
    pub fn leaf(&self) -> Option<&[u8]> {
        self.walked.leaf()
    }

    /// Where the object stands, or would stand if the missing part of its path were made.
    pub fn real(&self) -> &RealPath {
        self.real.get_or_init(|| RealPath::of(&self.walked))
    }

    /// Whether it existed when the walk ended.
    pub fn presence(&self) -> Presence {
        self.walked.presence()
    }

    /// What kind of object it was; `None` when it was absent.
    pub fn kind(&self) -> Option<Kind> {
        self.walked.kind()
    }

    /// Which object it was; `None` when it was absent.
    pub fn identity(&self) -> Option<Identity> {
        self.walked.identity()
    }

    /// Every component passed, in order, each under its parent's real path.
    pub fn lookups(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        self.walked.lookups()
    }

    /// The links passed, in order.
    pub fn links(&self) -> impl Iterator<Item = Traversed<'_>> {
        self.walked.links()
    }

    /// The whole record.
    pub fn walked(&self) -> &Walked<D> {
        &self.walked
    }
}

impl<D> From<Walked<D>> for Object<D> {
    fn from(walked: Walked<D>) -> Self {
        Object {
            real: OnceLock::new(),
            walked,
        }
    }
}
