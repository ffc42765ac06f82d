//! A folder: names as they were made, found as the volume compares them.

use std::borrow::Cow;

use super::node::{Body, Bytes};
use super::{Ino, Mac, Rule};

#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub(super) rule: Rule,
    /// The folder that holds it: for the kernel, and so for `..`. Of a firmlink's target it is the
    /// folder of the firmlink, of a volume's root the one that holds the mount point.
    pub(super) parent: Ino,
    /// Its name there.
    pub(super) name: Bytes,
    /// By key.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    key: Bytes,
    pub(super) name: Bytes,
    pub(super) ino: Ino,
}

impl Folder {
    pub(super) fn new(rule: Rule, parent: Ino, name: &[u8]) -> Self {
        Folder {
            rule,
            parent,
            name: name.into(),
            entries: Vec::new(),
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn entry(&self, name: &[u8]) -> Option<&Entry> {
        let at = self.place(&self.rule.key(name)).ok()?;
        self.entries.get(at)
    }

    fn place(&self, key: &[u8]) -> Result<usize, usize> {
        self.entries.binary_search_by(|entry| (*entry.key).cmp(key))
    }

    /// Puts an object at a name; what stood there under any spelling loses that name.
    fn put(&mut self, name: &[u8], ino: Ino) {
        let key = self.rule.key(name);
        let name = Bytes::from(name);
        let (place, key) = match key {
            Cow::Borrowed(key) => (self.place(key), Bytes::clone(&name)),
            Cow::Owned(key) => (self.place(&key), key.into()),
        };
        let entry = Entry { key, name, ino };
        match place {
            Ok(at) => self.entries[at] = entry,
            Err(at) => self.entries.insert(at, entry),
        }
    }

    fn take(&mut self, name: &[u8]) -> Option<Ino> {
        let at = self.place(&self.rule.key(name)).ok()?;
        Some(self.entries.remove(at).ino)
    }
}

impl Mac {
    pub(super) fn entry(&self, dir: Ino, name: &[u8]) -> Option<&Entry> {
        self.node(dir).folder()?.entry(name)
    }

    /// The folder that `..` leads to; the root's is the root.
    pub(super) fn parent(&self, dir: Ino) -> Ino {
        self.node(dir).folder().map_or(dir, |folder| folder.parent)
    }

    /// Puts an object at a name, and tells a folder where it stands.
    pub(super) fn put(&mut self, dir: Ino, name: &[u8], ino: Ino) {
        if let Body::Folder(folder) = &mut self.node_mut(dir).body {
            folder.put(name, ino);
        }
        if self.node(ino).folder().is_none() {
            return;
        }
        if let Body::Folder(moved) = &mut self.node_mut(ino).body {
            moved.parent = dir;
            moved.name = name.into();
        }
    }

    pub(super) fn take(&mut self, dir: Ino, name: &[u8]) -> Option<Ino> {
        match &mut self.node_mut(dir).body {
            Body::Folder(folder) => folder.take(name),
            _ => None,
        }
    }

    /// Whether `dir` is `above` or lies below it.
    pub(super) fn is_within(&self, dir: Ino, above: Ino) -> bool {
        let mut at = dir;
        while at != above && at != self.root {
            at = self.parent(at);
        }
        at == above
    }
}
