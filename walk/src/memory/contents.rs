//! What is known of an object in a [`Memory`] beyond what a walk asks: a file's contents, whose it
//! is, whether it may be run, and every name that it has. Permission bits are not modelled.

use super::{Body, File, Memory, Node, Place};
use crate::Identity;

/// What a tree in memory knows of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct About<'m> {
    /// Which object it is.
    pub identity: Identity,
    /// What a regular file holds; `None` of another object.
    pub contents: Option<&'m [u8]>,
    /// Whose it is.
    pub owner: Owner,
    /// Whether it is a regular file with an execute bit.
    pub runnable: bool,
}

/// Whose an object is.
// Exhaustive: the model has one user, and everybody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Somebody else's: the user may read it and no more.
    System,
    /// The user's: it may change it as it likes.
    User,
}

impl File {
    pub(super) fn new(contents: &[u8]) -> Self {
        File {
            contents: contents.to_vec(),
            runnable: true,
        }
    }
}

/// Contents and owners. Real paths name the places, from the root that the tree was made with.
impl Memory {
    /// Makes a regular file that holds this, or puts it in the place of what the file there holds.
    /// That file stays the object that it was, under all its names.
    pub fn write(&mut self, real: impl AsRef<[u8]>, contents: impl AsRef<[u8]>) {
        let (real, contents) = (real.as_ref(), contents.as_ref());
        match self.file_at(real) {
            Some(file) => file.contents = contents.to_vec(),
            None => self.put(real, Body::File(File::new(contents))),
        }
    }

    /// What the regular file at a real path holds; `None` where there is none.
    pub fn contents(&self, real: impl AsRef<[u8]>) -> Option<&[u8]> {
        match &self.nodes.get(self.find_real(real.as_ref())?)?.body {
            Body::File(file) => Some(&file.contents),
            _ => None,
        }
    }

    /// Takes a regular file's execute bits away. Whether there is such a file.
    pub fn forbid_running(&mut self, real: impl AsRef<[u8]>) -> bool {
        let file = self.file_at(real.as_ref());
        file.map(|file| file.runnable = false).is_some()
    }

    /// Makes an object the user's, and everything below it; what is made below it later is the
    /// user's too. Whether there is such an object.
    pub fn give(&mut self, real: impl AsRef<[u8]>) -> bool {
        let Some(node) = self.find_real(real.as_ref()) else {
            return false;
        };
        let mut left = vec![node];
        while let Some(Node { body, owner, .. }) =
            left.pop().and_then(|node| self.nodes.get_mut(node))
        {
            *owner = Owner::User;
            if let Body::Directory(entries) = body {
                left.extend(entries.values().map(|entry| entry.node));
            }
        }
        true
    }

    /// What is known of what stands at a name in a directory; `.` is the directory itself, and `..`
    /// the one that holds it.
    pub fn about(&self, dir: &Place, name: &[u8]) -> Option<About<'_>> {
        let node = self.nodes.get(self.entry(dir.0, name)?)?;
        let file = match &node.body {
            Body::File(file) => Some(file),
            _ => None,
        };
        Some(About {
            identity: node.identity,
            contents: file.map(|file| &file.contents[..]),
            owner: node.owner,
            runnable: file.is_some_and(|file| file.runnable),
        })
    }

    /// Every real path that leads to an object, from this tree's root and in the order of their
    /// bytes: none, one, or as many as a file has names.
    pub fn names_of(&self, identity: Identity) -> Vec<Vec<u8>> {
        let above = self.real_of(self.root.0);
        let below = self.objects().into_iter();
        let mut names: Vec<_> = below
            .filter(|(_, stat)| stat.identity == identity)
            .filter_map(|(real, _)| Some(real.strip_prefix(&above[..])?.to_vec()))
            .collect();
        if self
            .nodes
            .get(self.root.0)
            .is_some_and(|root| root.identity == identity)
        {
            names.push(b"/".to_vec());
        }
        names.sort();
        names
    }

    fn file_at(&mut self, real: &[u8]) -> Option<&mut File> {
        let node = self.find_real(real)?;
        match &mut self.nodes.get_mut(node)?.body {
            Body::File(file) => Some(file),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about<'m>(tree: &'m Memory, real: &str) -> About<'m> {
        let (folder, name) = real.rsplit_once('/').unwrap();
        let place = tree.find_real(folder.as_bytes()).map(Place).unwrap();
        tree.about(&place, name.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_written_is_read_under_every_name_of_the_file() {
        let mut tree = Memory::new();
        tree.write("/a/f", "one");
        let made = about(&tree, "/a/f").identity;
        assert!(tree.link_hard("/a/f", "/g"));
        tree.write("/g", "two");
        assert_eq!(tree.contents("/a/f"), Some(&b"two"[..]));
        assert_eq!(about(&tree, "/a/f").identity, made, "the same file");
        tree.file("/g");
        assert_eq!(tree.contents("/g"), Some(&b""[..]));
        assert_eq!(tree.contents("/a/f"), Some(&b"two"[..]), "another file");
        tree.link("/l", "a/f");
        for other in ["/a", "/l", "/none"] {
            assert_eq!(tree.contents(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_given_is_the_users_with_all_that_comes_below_it() {
        let mut tree = Memory::new();
        tree.file("/home/me/f");
        tree.file("/usr/g");
        assert_eq!(about(&tree, "/home/me/f").owner, Owner::System);
        assert!(tree.give("/home/me"));
        tree.file("/home/me/new/f");
        for (real, owner) in [
            ("/home/me", Owner::User),
            ("/home/me/f", Owner::User),
            ("/home/me/new/f", Owner::User),
            ("/home", Owner::System),
            ("/usr/g", Owner::System),
        ] {
            assert_eq!(about(&tree, real).owner, owner, "{real}");
        }
        assert!(!tree.give("/none"));
    }

    #[test]
    fn a_file_may_be_run_until_that_is_forbidden() {
        let mut tree = Memory::new();
        tree.file("/f");
        tree.directory("/d");
        assert!(about(&tree, "/f").runnable && !about(&tree, "/d").runnable);
        assert!(tree.forbid_running("/f") && !tree.forbid_running("/d"));
        assert!(!about(&tree, "/f").runnable);
    }

    #[test]
    fn an_object_is_found_under_all_its_names_in_this_tree() {
        let mut tree = Memory::new();
        tree.file("/a/f");
        tree.link_hard("/a/f", "/a/e");
        tree.directory("/b");
        tree.link_hard("/a/f", "/b/f");
        let file = about(&tree, "/a/f").identity;
        assert_eq!(tree.names_of(file), [&b"/a/e"[..], b"/a/f", b"/b/f"]);
        let folder = about(&tree, "/a").identity;
        let inner = tree.rooted_at("/a").unwrap();
        assert_eq!(inner.names_of(file), [&b"/e"[..], b"/f"]);
        assert_eq!(inner.names_of(folder), [b"/"]);
        tree.remove("/a");
        tree.remove("/b/f");
        assert_eq!(tree.names_of(file), [b""; 0]);
    }
}
