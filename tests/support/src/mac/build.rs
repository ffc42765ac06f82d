//! Building a model Mac by real paths. Nothing is asked and nobody's permission counts here; for
//! what a process does see [`Process`](super::Process).

use std::sync::Arc;

use objcap_object::{Alias, RealPath};
use objcap_walk::{Kind, Owner, path};

use super::folder::Folder;
use super::node::{Body, Node};
use super::volume::Volume;
use super::{Ino, Mac, Rule};

/// What a thing is made with: everybody reads and runs it, the owner writes it.
pub(super) const MODE: u16 = 0o755;

/// The methods that make something make parents as needed and replace what stood at the name; a link
/// on the way is replaced by a folder. What is made belongs to whoever owns the folder, and has the
/// permissions 0755.
impl Mac {
    /// A file system with nothing but its root, which is the system's.
    pub fn empty(rule: Rule) -> Self {
        let root = Ino(0);
        let node = Node {
            body: Body::Folder(Folder::new(rule, root, b"")),
            owner: Owner::System,
            mode: MODE,
            volume: 0,
            touched: 0,
        };
        Mac {
            nodes: Arc::new(vec![Arc::new(node)]),
            volumes: Arc::new(vec![Volume {
                rule,
                root,
                covers: None,
            }]),
            aliases: Arc::new(Vec::new()),
            root,
        }
    }

    /// Makes a folder, or keeps the one that is there.
    pub fn directory(&mut self, real: impl AsRef<[u8]>) -> Ino {
        self.enter(real.as_ref())
    }

    /// Makes a regular file that holds this.
    pub fn file(&mut self, real: impl AsRef<[u8]>, contents: impl AsRef<[u8]>) -> Ino {
        self.make(real.as_ref(), Body::File(contents.as_ref().into()))
    }

    /// Makes a symlink.
    pub fn link(&mut self, real: impl AsRef<[u8]>, text: impl AsRef<[u8]>) -> Ino {
        self.make(real.as_ref(), Body::Link(text.as_ref().into()))
    }

    /// Makes an object of another kind: a socket, a device.
    ///
    /// # Panics
    /// For the kinds that have methods of their own.
    pub fn other(&mut self, real: impl AsRef<[u8]>, kind: Kind) -> Ino {
        let own = matches!(kind, Kind::Directory | Kind::File | Kind::Symlink);
        assert!(!own, "a {kind} has a method of its own");
        self.make(real.as_ref(), Body::Other(kind))
    }

    /// Makes a link in the root through which the paths below its target have a twin.
    ///
    /// # Panics
    /// When one of the two is not in the form of a real path.
    pub fn alias(&mut self, name: &str, target: &str) -> Ino {
        let alias = Alias {
            name: RealPath::new(name).expect("an alias is absolute"),
            target: RealPath::new(target).expect("an alias leads to a real path"),
        };
        Arc::make_mut(&mut self.aliases).push(alias);
        // The system writes them relative: `tmp -> private/tmp`.
        self.link(name, target.trim_start_matches('/'))
    }

    /// Gives an object another name: a hard link.
    ///
    /// # Panics
    /// When nothing but a folder stands at `from`, or nothing at all.
    pub fn link_hard(&mut self, from: impl AsRef<[u8]>, to: impl AsRef<[u8]>) {
        let ino = self.stands(from.as_ref());
        assert!(self.node(ino).folder().is_none(), "a folder has one name");
        let dir = self.enter(path::parent(path::trim_end(to.as_ref())));
        let name = path::components(to.as_ref()).next_back();
        self.put(dir, name.expect("a name below the root"), ino);
    }

    /// Makes an object and everything below it the user's.
    ///
    /// # Panics
    /// When nothing stands there.
    pub fn give(&mut self, real: impl AsRef<[u8]>) {
        let mut left = vec![self.stands(real.as_ref())];
        while let Some(ino) = left.pop() {
            self.node_mut(ino).owner = Owner::User;
            if let Some(folder) = self.node(ino).folder() {
                left.extend(folder.entries().iter().map(|entry| entry.ino));
            }
        }
    }

    /// Sets permission bits, and those for set-user-ID and sticky.
    ///
    /// # Panics
    /// When nothing stands there.
    pub fn permit(&mut self, real: impl AsRef<[u8]>, mode: u16) {
        let ino = self.stands(real.as_ref());
        self.node_mut(ino).mode = mode;
    }

    /// Takes a name away, and with it what has no other.
    ///
    /// # Panics
    /// When nothing stands there.
    pub fn remove(&mut self, real: impl AsRef<[u8]>) {
        let real = path::trim_end(real.as_ref());
        let dir = self.stands(path::parent(real));
        let name = path::components(real).next_back();
        let taken = self.take(dir, name.expect("a name below the root"));
        assert!(taken.is_some(), "nothing stands at {}", path::display(real));
    }

    /// What stands at a real path; no link is followed.
    pub fn at(&self, real: impl AsRef<[u8]>) -> Option<Ino> {
        path::components(real.as_ref()).try_fold(self.root, |at, name| {
            let entry = self.entry(at, name).filter(|_| !path::is_dot(name));
            entry.map(|entry| self.uncovered(entry.ino))
        })
    }

    fn stands(&self, real: &[u8]) -> Ino {
        self.at(real)
            .unwrap_or_else(|| panic!("nothing stands at {}", path::display(real)))
    }

    /// The folder at a real path, made where it is missing.
    pub(super) fn enter(&mut self, real: &[u8]) -> Ino {
        let mut at = self.root;
        for name in path::components(real) {
            let next = self.entry(at, name).map(|entry| self.uncovered(entry.ino));
            at = match next {
                Some(ino) if self.node(ino).folder().is_some() => ino,
                _ => {
                    let rule = self.rule(at);
                    self.make_in(at, name, Body::Folder(Folder::new(rule, at, name)))
                }
            };
        }
        at
    }

    fn make(&mut self, real: &[u8], body: Body) -> Ino {
        let dir = self.enter(path::parent(path::trim_end(real)));
        let name = path::components(real).next_back();
        self.make_in(dir, name.expect("a name below the root"), body)
    }

    fn make_in(&mut self, dir: Ino, name: &[u8], body: Body) -> Ino {
        let owner = self.node(dir).owner;
        self.make_as(dir, name, body, owner)
    }

    /// Makes an object at a name.
    pub(super) fn make_as(&mut self, dir: Ino, name: &[u8], body: Body, owner: Owner) -> Ino {
        let ino = self.add(Node {
            body,
            owner,
            mode: MODE,
            volume: self.node(dir).volume,
            touched: 0,
        });
        self.put(dir, name, ino);
        ino
    }
}
