//! The record of a walk: what it ended with, and every name that it passed.
//!
//! Names are derived, not stored: a walk that passes no link and no `..` leaves nothing behind but
//! its real path, whose prefixes are the names. One that does leaves its [`Trail`] too.

use std::borrow::Cow;

use crate::passed::Stands;
use crate::trail::Trail;
use crate::{Identity, Kind, Spelling, Stat, path};

/// A name, walked.
///
/// The object is what `leaf` names in `parent`, or, without a leaf, `parent` itself, which is then
/// the tree's root.
#[derive(Debug)]
pub struct Walked<D> {
    pub(crate) parent: D,
    /// `/` for the root; otherwise no slash at the end.
    pub(crate) real: Vec<u8>,
    /// How many components of the real path the walk started with.
    pub(crate) start: usize,
    pub(crate) tail: Vec<u8>,
    pub(crate) found: Option<Stat>,
    pub(crate) slash: bool,
    pub(crate) spelling: Spelling,
    pub(crate) trail: Trail,
}

/// Whether the object exists.
// Exhaustive: it does or it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It existed when the walk ended.
    Present {
        /// What kind of object it was.
        kind: Kind,
        /// Which object it was.
        identity: Identity,
    },
    /// It did not.
    Absent,
}

/// A link that the walk passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traversed<'a> {
    pub(crate) at: &'a [u8],
    pub(crate) text: &'a [u8],
    pub(crate) stands: Stands,
}

impl<'a> Traversed<'a> {
    /// Where the link stands, under its parent's real path.
    pub fn at(&self) -> &'a [u8] {
        self.at
    }

    /// What the link says.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Whether nothing but slashes followed the link: the object that it leads to is the one that
    /// the name led to.
    pub fn is_last(&self) -> bool {
        self.stands == Stands::Last
    }
}

impl<D> Walked<D> {
    /// The directory that holds the leaf.
    pub fn parent(&self) -> &D {
        &self.parent
    }

    /// The handle by itself.
    pub fn into_parent(self) -> D {
        self.parent
    }

    /// The real path: no link, no `.`, no `..`; `/` for the root. Of an absent object with a
    /// [`tail`](Walked::tail), the path of its first absent component.
    pub fn real(&self) -> &[u8] {
        &self.real
    }

    /// The real path with the tail behind it: where the object would stand.
    pub fn full(&self) -> Vec<u8> {
        let mut full = self.real.clone();
        for name in self.tail() {
            path::push(&mut full, name);
        }
        full
    }

    /// The real path of the parent; `None` for the root.
    pub fn parent_real(&self) -> Option<&[u8]> {
        self.leaf().map(|_| path::parent(&self.real))
    }

    /// The leaf's name; `None` for the root.
    pub fn leaf(&self) -> Option<&[u8]> {
        path::components(&self.real).next_back()
    }

    /// What follows an absent leaf: components below something that does not exist.
    pub fn tail(&self) -> impl Iterator<Item = &[u8]> {
        path::components(&self.tail)
    }

    /// Whether the object exists.
    pub fn presence(&self) -> Presence {
        match &self.found {
            Some(stat) => Presence::Present {
                kind: stat.kind,
                identity: stat.identity,
            },
            None => Presence::Absent,
        }
    }

    /// What kind of object it is; `None` when it is absent.
    pub fn kind(&self) -> Option<Kind> {
        self.found.as_ref().map(|stat| stat.kind)
    }

    /// Which object it is; `None` when it is absent.
    pub fn identity(&self) -> Option<Identity> {
        self.found.as_ref().map(|stat| stat.identity)
    }

    /// Whether the name asked for a directory: by a slash at its end, `.` or `..`, or by those of
    /// the last link's text.
    pub fn asks_for_directory(&self) -> bool {
        self.slash
    }

    /// Whether the real path is spelled as its volumes store it.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// The links passed, in order; one passed twice is listed twice.
    pub fn links(&self) -> impl Iterator<Item = Traversed<'_>> {
        self.trail.passed().links()
    }

    /// Every component passed, in order, each under its parent's real path: directories, links,
    /// and the leaf. The directory where the walk started is none of them, and one passed twice is
    /// listed twice.
    ///
    /// What a walk passed before its last link or `..` is put together from its trail; the rest
    /// is borrowed from the real path.
    pub fn lookups(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let from = self.trail.kept(&self.real).unwrap_or(self.start);
        let before = self.trail.replay().skip(self.start).map(Cow::Owned);
        before.chain(path::prefixes(&self.real).skip(from).map(Cow::Borrowed))
    }
}
