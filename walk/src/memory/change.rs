//! What happens to names in a [`Memory`]: the changes that another process makes while a walk is
//! under way. Nothing here is done by the walk.

use std::collections::BTreeMap;

use super::{Body, Entry, Memory, Node, Place, ROOT};
use crate::{Kind, Spelled, Stat, path};

/// Changes of names. Real paths name the places, from the root that the tree was made with; each
/// method says whether it could do what it was asked, and changes nothing where it could not.
impl Memory {
    /// The same tree, seen from one of its directories: what lies elsewhere goes on existing, and
    /// no walk may come there. `None` when no directory stands at that place.
    pub fn rooted_at(&self, real: impl AsRef<[u8]>) -> Option<Memory> {
        let node = self.find_real(real.as_ref())?;
        matches!(self.nodes.get(node)?.body, Body::Directory(_)).then(|| Memory {
            root: Place(node),
            ..self.clone()
        })
    }

    /// Moves an object to another name, whose object is removed, as rename(2) does. Where both are
    /// names of one file, both stay.
    pub fn rename(&mut self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> bool {
        let (from, to) = (from.as_ref(), to.as_ref());
        let (Some(node), Some((parent, name))) = (self.find_real(from), self.parent_of(to)) else {
            return false;
        };
        if node == ROOT || self.is_at_or_above(node, parent) {
            return false;
        }
        if self.find_real(to) == Some(node) && self.entry_of(from) != self.entry_of(to) {
            return true;
        }
        self.remove(to);
        self.unname(from);
        self.name(parent, &name, node);
        self.adopt(parent, node);
        true
    }

    /// Exchanges the objects of two names, as `RENAME_EXCHANGE` does (rename(2)).
    pub fn exchange(&mut self, one: impl AsRef<[u8]>, other: impl AsRef<[u8]>) -> bool {
        let places = [one.as_ref(), other.as_ref()];
        let [Some(first), Some(second)] = places.map(|real| self.find_real(real)) else {
            return false;
        };
        let [Some((into, name)), Some((beside, twin))] = places.map(|real| self.parent_of(real))
        else {
            return false;
        };
        if self.is_at_or_above(first, beside) || self.is_at_or_above(second, into) {
            return false;
        }
        self.name(into, &name, second);
        self.name(beside, &twin, first);
        self.adopt(into, second);
        self.adopt(beside, first);
        true
    }

    /// Gives a file a second name, as link(2) does. A directory has one.
    pub fn link_hard(&mut self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) -> bool {
        let (from, to) = (from.as_ref(), to.as_ref());
        let (Some(node), Some((parent, name))) = (self.find_real(from), self.parent_of(to)) else {
            return false;
        };
        if self.kind(node) == Kind::Directory || self.find_real(to).is_some() {
            return false;
        }
        self.name(parent, &name, node);
        true
    }

    /// Removes a name; its object, where it has no other, and everything below it. A handle on a removed directory finds nothing in
    /// it; its `..` is the directory that held it.
    pub fn remove(&mut self, real: impl AsRef<[u8]>) -> bool {
        let real = real.as_ref();
        let Some(node) = self.find_real(real).filter(|&node| node != ROOT) else {
            return false;
        };
        self.unname(real);
        let mut gone = vec![node];
        while let Some(node) = gone.pop() {
            if let Some(Node {
                body: Body::Directory(entries),
                ..
            }) = self.nodes.get_mut(node)
            {
                gone.extend(entries.values().map(|entry| entry.node));
                entries.clear();
            }
        }
        true
    }

    /// Removes an object and makes another like it, which gets the same number: ext4 gives it to
    /// the next file at once. Only the time of birth tells the two apart. A directory is made empty.
    pub fn remake(&mut self, real: impl AsRef<[u8]>) -> bool {
        let real = real.as_ref();
        let (Some(node), Some((parent, name))) = (self.find_real(real), self.parent_of(real))
        else {
            return false;
        };
        let Some(old) = self.nodes.get(node).cloned() else {
            return false;
        };
        let body = match old.body {
            Body::Directory(_) => Body::Directory(BTreeMap::new()),
            body => body,
        };
        self.remove(real);
        let made = self.node(parent, body);
        if let Some(node) = self.nodes.get_mut(made) {
            node.identity.inode = old.identity.inode;
            node.identity.device = old.identity.device;
        }
        self.name(parent, &name, made);
        true
    }

    /// Mounts another volume, with an empty directory for its root, over what stands at a place.
    pub fn mount(&mut self, real: impl AsRef<[u8]>) -> bool {
        let real = real.as_ref();
        let (Some(_), Some((parent, name))) = (self.find_real(real), self.parent_of(real)) else {
            return false;
        };
        let root = self.node(parent, Body::Directory(BTreeMap::new()));
        if let Some(node) = self.nodes.get_mut(root) {
            node.identity.device = root as u64 + 1;
            node.identity.mount = Some(root as u64);
        }
        self.name(parent, &name, root);
        true
    }

    /// Every object below the root, with its real path from the root that the tree was made with,
    /// parents first.
    pub fn objects(&self) -> Vec<(Vec<u8>, Stat)> {
        let mut found = Vec::new();
        let mut left = vec![(self.real_of(self.root.0), self.root.0)];
        while let Some((real, dir)) = left.pop() {
            let Some(Node {
                body: Body::Directory(entries),
                ..
            }) = self.nodes.get(dir)
            else {
                continue;
            };
            for entry in entries.values() {
                let at = path::join(&real, &entry.name);
                found.push((at.clone(), self.describe(entry.node, Spelled::AsGiven)));
                left.push((at, entry.node));
            }
        }
        found
    }

    /// A directory's real path, as far as its parents know it; empty for the first root.
    pub(super) fn real_of(&self, node: usize) -> Vec<u8> {
        let mut real = Vec::new();
        let mut at = node;
        while let Some(Node { parent, .. }) = self.nodes.get(at).filter(|_| at != ROOT) {
            if let Some(entry) = self.entries(*parent).find(|entry| entry.node == at) {
                real = [b"/", &entry.name[..], &real].concat();
            }
            at = *parent;
        }
        real
    }

    fn entries(&self, dir: usize) -> impl Iterator<Item = &Entry> {
        let entries = match self.nodes.get(dir).map(|node| &node.body) {
            Some(Body::Directory(entries)) => Some(entries.values()),
            _ => None,
        };
        entries.into_iter().flatten()
    }

    /// The object at a real path: no link on the way is followed.
    pub(super) fn find_real(&self, real: &[u8]) -> Option<usize> {
        path::components(real).try_fold(ROOT, |at, name| {
            self.entry(at, name).filter(|_| !path::is_dot(name))
        })
    }

    /// The directory that holds a name, and the name itself.
    fn parent_of(&self, real: &[u8]) -> Option<(usize, Vec<u8>)> {
        let name = path::components(real).next_back()?;
        let parent = self.find_real(path::parent(path::trim_end(real)))?;
        matches!(self.nodes.get(parent)?.body, Body::Directory(_)).then(|| (parent, name.to_vec()))
    }

    /// The directory that holds a name, and what it tells the name apart by.
    fn entry_of(&self, real: &[u8]) -> Option<(usize, Vec<u8>)> {
        let (parent, name) = self.parent_of(real)?;
        Some((parent, (self.fold)(&name).into_owned()))
    }

    fn is_at_or_above(&self, node: usize, below: usize) -> bool {
        let mut at = below;
        while at != node && at != ROOT {
            at = self.nodes.get(at).map_or(ROOT, |node| node.parent);
        }
        at == node
    }

    fn adopt(&mut self, parent: usize, node: usize) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.parent = parent;
        }
    }

    fn unname(&mut self, real: &[u8]) {
        let Some((parent, name)) = self.parent_of(real) else {
            return;
        };
        let key = (self.fold)(&name).into_owned();
        if let Some(Node {
            body: Body::Directory(entries),
            ..
        }) = self.nodes.get_mut(parent)
        {
            entries.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Tree as _, walk};

    fn tree() -> Memory {
        let mut tree = Memory::new();
        tree.file("/a/f");
        tree.file("/b/g");
        tree
    }

    fn stands(tree: &Memory, real: &str) -> Option<Stat> {
        let names = real.rsplit_once('/').unwrap();
        let dir = tree.run(tree.root(), names.0.as_bytes()).dir;
        tree.look(&dir.unwrap_or(*tree.root()), names.1.as_bytes())
            .unwrap()
    }

    #[test]
    fn a_handle_means_its_directory_wherever_that_goes() {
        let mut tree = tree();
        let a = tree.run(tree.root(), b"a").dir.unwrap();
        assert!(tree.rename("/a", "/b/inner"));
        assert!(tree.look(&a, b"f").unwrap().is_some());
        let up = tree.run(&a, b"..").dir.unwrap();
        assert!(tree.look(&up, b"g").unwrap().is_some(), "`..` went along");
        assert!(stands(&tree, "/a").is_none());
        assert!(!tree.rename("/b", "/b/inner/deeper"), "into itself");
        assert!(tree.remove("/b"));
        assert!(tree.look(&a, b"f").unwrap().is_none(), "removed with it");
    }

    #[test]
    fn names_are_exchanged_with_all_that_is_below() {
        let mut tree = tree();
        assert!(tree.exchange("/a", "/b/g"));
        assert_eq!(stands(&tree, "/a").unwrap().kind, Kind::File);
        assert_eq!(stands(&tree, "/b/g/f").unwrap().kind, Kind::File);
        assert!(!tree.exchange("/b", "/b/g"), "one lies below the other");
        assert!(!tree.exchange("/b", "/none"));
    }

    #[test]
    fn a_file_has_as_many_names_as_it_was_given() {
        let mut tree = tree();
        let file = stands(&tree, "/a/f").unwrap().identity;
        assert!(tree.link_hard("/a/f", "/b/second"));
        assert_eq!(stands(&tree, "/b/second").unwrap().identity, file);
        assert!(!tree.link_hard("/a/f", "/b/g"), "taken");
        assert!(!tree.link_hard("/a", "/c"), "a directory has one name");
        assert!(tree.rename("/a/f", "/b/second"));
        assert!(stands(&tree, "/a/f").is_some(), "rename(2): both stay");
        assert!(tree.remove("/a/f"));
        assert_eq!(stands(&tree, "/b/second").unwrap().identity, file);
    }

    #[test]
    fn a_name_is_spelled_anew_by_a_rename_to_itself() {
        let mut tree = Memory::folding(|name| name.to_ascii_lowercase().into());
        tree.file("/f");
        assert!(tree.rename("/f", "/F"));
        assert_eq!(tree.objects()[0].0, b"/F");
    }

    #[test]
    fn what_is_made_anew_has_the_number_and_another_birth() {
        let mut tree = tree();
        let old = stands(&tree, "/a/f").unwrap().identity;
        assert!(tree.remake("/a/f"));
        let new = stands(&tree, "/a/f").unwrap().identity;
        assert!(old.may_be(&new) && old != new);
        assert!(tree.mount("/a"));
        let over = stands(&tree, "/a").unwrap().identity;
        assert!(!over.may_be(&old) && over.mount.is_some());
        assert!(stands(&tree, "/a/f").is_none(), "covered");
    }

    #[test]
    fn a_tree_seen_from_a_directory_has_no_way_out() {
        let mut tree = tree();
        tree.link("/a/up", "../b");
        let inner = tree.rooted_at("/a").unwrap();
        let walked = walk(&inner, b"up", &Options::default()).unwrap();
        assert_eq!((walked.real(), walked.kind()), (&b"/b"[..], None));
        let names: Vec<_> = inner.objects().into_iter().map(|(real, _)| real).collect();
        assert_eq!(names, [&b"/a/f"[..], b"/a/up"]);
        assert!(tree.rooted_at("/a/f").is_none());
    }
}
