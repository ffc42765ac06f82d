//! A file system of plain data. It stands in for a machine that is not there: a stock Mac whose
//! grant is judged on Linux, or a test's world.

mod change;
mod contents;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use self::contents::{About, Owner};
use crate::{ErrorKind, Fault, Identity, Kind, Link, Spelled, Stat, Step, Tree, path};

/// A tree in memory: a volume that tells names apart by their bytes, or one that folds them.
///
/// The methods that build it make parents as needed and replace what stood at the name. They take
/// real paths: a link on the way is not followed but replaced by a directory. What is made belongs to
/// whoever owns the folder, at first the system; a file may be run.
///
/// A handle goes on meaning its directory whatever becomes of the name, in a copy of the tree too:
/// so a test can change a copy and let a walk go on in it.
#[derive(Debug, Clone)]
pub struct Memory {
    nodes: Vec<Node>,
    fold: Fold,
    root: Place,
}

/// How a volume reduces a name to what it tells names apart by.
type Fold = fn(&[u8]) -> Cow<'_, [u8]>;

/// A handle on a directory of a [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(usize);

#[derive(Debug, Clone)]
struct Node {
    parent: usize,
    body: Body,
    identity: Identity,
    owner: Owner,
}

#[derive(Debug, Clone)]
enum Body {
    Directory(BTreeMap<Vec<u8>, Entry>),
    Link(Vec<u8>),
    File(File),
    Other(Kind),
}

#[derive(Debug, Clone)]
struct File {
    contents: Vec<u8>,
    runnable: bool,
}

/// A directory's entry: the name as it was made, and the object.
#[derive(Debug, Clone)]
struct Entry {
    name: Vec<u8>,
    node: usize,
}

const ROOT: usize = 0;

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl Memory {
    /// A tree with nothing but its root, which tells names apart by their bytes.
    pub fn new() -> Self {
        Memory::folding(|name| Cow::Borrowed(name))
    }

    /// A tree with nothing but its root, where names that `fold` makes alike are one name. It keeps
    /// the spelling that a name was made with.
    pub fn folding(fold: fn(&[u8]) -> Cow<'_, [u8]>) -> Self {
        let mut tree = Memory {
            nodes: Vec::new(),
            fold,
            root: Place(ROOT),
        };
        tree.node(ROOT, Body::Directory(BTreeMap::new()));
        tree
    }

    /// Makes a directory, or keeps the one that is there.
    pub fn directory(&mut self, real: impl AsRef<[u8]>) {
        self.enter(real.as_ref());
    }

    /// Makes an empty regular file.
    pub fn file(&mut self, real: impl AsRef<[u8]>) {
        self.put(real.as_ref(), Body::File(File::new(b"")));
    }

    /// Makes a symlink.
    pub fn link(&mut self, real: impl AsRef<[u8]>, text: impl AsRef<[u8]>) {
        self.put(real.as_ref(), Body::Link(text.as_ref().to_vec()));
    }

    /// Makes an object of another kind: a socket, say.
    pub fn other(&mut self, real: impl AsRef<[u8]>, kind: Kind) {
        let body = match kind {
            Kind::File => Body::File(File::new(b"")),
            kind => Body::Other(kind),
        };
        self.put(real.as_ref(), body);
    }

    fn put(&mut self, real: &[u8], body: Body) {
        let Some(name) = path::components(real).next_back() else {
            return;
        };
        let parent = self.enter(path::parent(path::trim_end(real)));
        let node = self.node(parent, body);
        self.name(parent, name, node);
    }

    /// Makes an object that has no name yet.
    fn node(&mut self, parent: usize, body: Body) -> usize {
        let node = self.nodes.len();
        let (device, owner) = match self.nodes.get(parent) {
            Some(dir) => (dir.identity.device, dir.owner),
            None => (1, Owner::System),
        };
        self.nodes.push(Node {
            parent,
            body,
            identity: Identity {
                device,
                inode: node as u64,
                mount: None,
                // One object is made at a time.
                born: Some((node as i64, 0)),
            },
            owner,
        });
        node
    }

    /// The directory at a real path, made where it is missing.
    fn enter(&mut self, real: &[u8]) -> usize {
        let mut at = ROOT;
        for name in path::components(real) {
            at = match self.entry(at, name) {
                Some(node) if self.kind(node) == Kind::Directory => node,
                _ => {
                    let node = self.node(at, Body::Directory(BTreeMap::new()));
                    self.name(at, name, node);
                    node
                }
            };
        }
        at
    }

    fn name(&mut self, parent: usize, name: &[u8], node: usize) {
        let key = (self.fold)(name).into_owned();
        if let Some(Node {
            body: Body::Directory(entries),
            ..
        }) = self.nodes.get_mut(parent)
        {
            let kept = entries.entry(key).or_insert_with(|| Entry {
                name: name.to_vec(),
                node,
            });
            kept.node = node;
        }
    }

    fn entry(&self, dir: usize, name: &[u8]) -> Option<usize> {
        let Node {
            parent,
            body: Body::Directory(entries),
            ..
        } = self.nodes.get(dir)?
        else {
            return None;
        };
        match name {
            b"." => Some(dir),
            b".." => Some(*parent),
            _ => entries.get(&*(self.fold)(name)).map(|entry| entry.node),
        }
    }

    /// How a name is spelled in its directory.
    fn spelled(&self, dir: usize, name: &[u8]) -> Spelled {
        let Some(Node {
            body: Body::Directory(entries),
            ..
        }) = self.nodes.get(dir)
        else {
            return Spelled::AsGiven;
        };
        match entries.get(&*(self.fold)(name)) {
            Some(entry) if entry.name != name => Spelled::Stored(entry.name.clone().into()),
            _ => Spelled::AsGiven,
        }
    }

    fn kind(&self, node: usize) -> Kind {
        match self.nodes.get(node).map(|node| &node.body) {
            Some(Body::Directory(_)) => Kind::Directory,
            Some(Body::Link(_)) => Kind::Symlink,
            Some(Body::File(_)) => Kind::File,
            Some(Body::Other(kind)) => *kind,
            None => Kind::Unknown,
        }
    }

    fn describe(&self, node: usize, spelled: Spelled) -> Stat {
        let nothing = Identity {
            device: 0,
            inode: 0,
            mount: None,
            born: None,
        };
        Stat {
            kind: self.kind(node),
            identity: self.nodes.get(node).map_or(nothing, |node| node.identity),
            spelled,
        }
    }

    fn find(&self, dir: &Place, name: &[u8]) -> Result<Option<usize>, Fault> {
        // As on every file system that this one stands in for (pathconf(3), NAME_MAX).
        if name.len() > 255 {
            return Err(ErrorKind::NameTooLong.into());
        }
        Ok(self.entry(dir.0, name))
    }
}

impl Tree for Memory {
    type Dir = Place;
    type Notes = ();

    fn root(&self) -> &Place {
        &self.root
    }

    fn share(&self, dir: &Place) -> Result<Place, Fault> {
        Ok(*dir)
    }

    fn stat(&self, dir: &Place) -> Result<Stat, Fault> {
        Ok(self.describe(dir.0, Spelled::AsGiven))
    }

    fn look(&self, dir: &Place, name: &[u8]) -> Result<Option<Stat>, Fault> {
        Ok(self
            .find(dir, name)?
            .map(|node| self.describe(node, self.spelled(dir.0, name))))
    }

    fn step(&self, dir: &Place, name: &[u8], (): &mut ()) -> Result<Step<Place>, Fault> {
        let Some(node) = self.find(dir, name)? else {
            return Ok(Step::Absent);
        };
        let stat = self.describe(node, self.spelled(dir.0, name));
        Ok(match self.nodes.get(node).map(|node| &node.body) {
            Some(Body::Directory(_)) => Step::Directory(Place(node), stat),
            Some(Body::Link(text)) => Step::Link(Link {
                text: text.clone(),
                spelled: stat.spelled,
                refusal: None,
            }),
            _ => Step::Other(stat),
        })
    }
}
