//! One object of the model: what it is, whose it is, and who may do what with it.

use std::sync::Arc;

use objcap_walk::{Kind, Owner};

use super::folder::Folder;
use super::{Attribute, Mac};

/// Bytes that copies share: names, contents, a link's text.
pub type Bytes = Arc<[u8]>;

/// The number of an object: unique in a [`Mac`] and all its copies that made the same objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ino(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) owner: Owner,
    /// Permission bits, and the bits for set-user-ID and sticky (chmod(2)).
    pub(super) mode: u16,
    /// A place in [`Mac::volumes`].
    pub(super) volume: u8,
    /// Which attributes were ever set: a bit for each [`Attribute`].
    pub(super) touched: u8,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Folder(Folder),
    File(Bytes),
    Link(Bytes),
    Other(Kind),
}

/// Something a process wants of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Read = 4,
    Write = 2,
    /// To run a file, or to look a name up in a folder.
    Execute = 1,
}

/// Deleting and renaming in the folder is for owners (sticky(7)).
pub(super) const STICKY: u16 = 0o1000;
/// A program that runs as its owner.
pub(super) const SET_UID: u16 = 0o4000;

impl Node {
    pub(super) fn kind(&self) -> Kind {
        match &self.body {
            Body::Folder(_) => Kind::Directory,
            Body::File(_) => Kind::File,
            Body::Link(_) => Kind::Symlink,
            Body::Other(kind) => *kind,
        }
    }

    pub(super) fn folder(&self) -> Option<&Folder> {
        match &self.body {
            Body::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    /// Whether the permission bits let the user do it. Every process is the user's.
    pub(super) fn permits(&self, wish: Wish) -> bool {
        let shift = match self.owner {
            Owner::User => 6,
            Owner::System => 0,
        };
        (self.mode >> shift) & wish as u16 != 0
    }

    pub(super) fn touch(&mut self, attribute: Attribute) {
        self.touched |= 1 << attribute.number();
    }
}

impl Mac {
    pub(super) fn node(&self, ino: Ino) -> &Node {
        &self.nodes[ino.0 as usize]
    }

    pub(super) fn node_mut(&mut self, ino: Ino) -> &mut Node {
        Arc::make_mut(&mut Arc::make_mut(&mut self.nodes)[ino.0 as usize])
    }

    pub(super) fn add(&mut self, node: Node) -> Ino {
        let ino = Ino(self.nodes.len() as u32);
        Arc::make_mut(&mut self.nodes).push(Arc::new(node));
        ino
    }

    /// What kind of object it is.
    pub fn kind(&self, ino: Ino) -> Kind {
        self.node(ino).kind()
    }

    /// What a regular file holds, or a link's text; `None` of another object.
    pub fn contents(&self, ino: Ino) -> Option<&Bytes> {
        match &self.node(ino).body {
            Body::File(bytes) | Body::Link(bytes) => Some(bytes),
            Body::Folder(_) | Body::Other(_) => None,
        }
    }

    /// Whose it is.
    pub fn owner(&self, ino: Ino) -> Owner {
        self.node(ino).owner
    }

    /// Its permission bits, with those for set-user-ID and sticky.
    pub fn mode(&self, ino: Ino) -> u16 {
        self.node(ino).mode
    }

    /// Whether a call ever set this attribute of it.
    pub fn is_touched(&self, ino: Ino, attribute: Attribute) -> bool {
        self.node(ino).touched & 1 << attribute.number() != 0
    }

    /// Every object that was ever made, those that no name leads to any more included.
    pub fn objects(&self) -> impl Iterator<Item = Ino> {
        (0..self.nodes.len() as u32).map(Ino)
    }
}
