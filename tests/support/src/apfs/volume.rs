//! A volume's folders and files as plain data, and what may be done to them. FUSE is not known here.

use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

use rustix::fs::FileType;
use rustix::io::Errno;

use super::Rule;

/// The root's number.
pub(super) const ROOT: u64 = 1;

/// A volume. Nothing that was made is freed, so no number is used twice.
#[derive(Debug)]
pub(super) struct Volume {
    rule: Rule,
    nodes: HashMap<u64, Node>,
}

/// An object.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) mode: u16,
    pub(super) owner: (u32, u32),
    pub(super) links: u32,
    pub(super) changed: SystemTime,
}

#[derive(Debug)]
pub(super) enum Body {
    Folder(Folder),
    File(Vec<u8>),
    Link(Vec<u8>),
    /// A pipe, a socket or a device, and the device's number.
    Other(FileType, u32),
}

/// A folder's entries by their key.
#[derive(Debug, Default)]
pub(super) struct Folder {
    entries: BTreeMap<Vec<u8>, Entry>,
    parent: u64,
}

/// An entry: the name as it was made, and the object.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) node: u64,
}

/// Whether a rename may replace what stands at its target.
// Exhaustive: these are the flags of renameat2(2) that a volume answers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Replace,
    Keep,
    Exchange,
}

type Result<T> = std::result::Result<T, Errno>;

impl Node {
    pub(super) fn new(body: Body, mode: u16, owner: (u32, u32)) -> Self {
        let links = if matches!(body, Body::Folder(_)) {
            2
        } else {
            1
        };
        Node {
            body,
            mode,
            owner,
            links,
            changed: SystemTime::now(),
        }
    }

    pub(super) fn kind(&self) -> FileType {
        match &self.body {
            Body::Folder(_) => FileType::Directory,
            Body::File(_) => FileType::RegularFile,
            Body::Link(_) => FileType::Symlink,
            Body::Other(kind, _) => *kind,
        }
    }
}

impl Volume {
    pub(super) fn new(rule: Rule) -> Self {
        let owner = (
            rustix::process::geteuid().as_raw(),
            rustix::process::getegid().as_raw(),
        );
        let folder = Folder {
            parent: ROOT,
            ..Folder::default()
        };
        let root = Node::new(Body::Folder(folder), 0o755, owner);
        Volume {
            rule,
            nodes: HashMap::from([(ROOT, root)]),
        }
    }

    pub(super) fn node(&self, node: u64) -> Result<&Node> {
        self.nodes.get(&node).ok_or(Errno::STALE)
    }

    pub(super) fn node_mut(&mut self, node: u64) -> Result<&mut Node> {
        self.nodes.get_mut(&node).ok_or(Errno::STALE)
    }

    pub(super) fn contents(&mut self, node: u64) -> Result<&mut Vec<u8>> {
        let node = self.node_mut(node)?;
        node.changed = SystemTime::now();
        match &mut node.body {
            Body::File(bytes) => Ok(bytes),
            Body::Folder(_) => Err(Errno::ISDIR),
            _ => Err(Errno::INVAL),
        }
    }

    fn folder(&self, node: u64) -> Result<&Folder> {
        match &self.node(node)?.body {
            Body::Folder(folder) => Ok(folder),
            _ => Err(Errno::NOTDIR),
        }
    }

    fn folder_mut(&mut self, node: u64) -> Result<&mut Folder> {
        let node = self.node_mut(node)?;
        node.changed = SystemTime::now();
        match &mut node.body {
            Body::Folder(folder) => Ok(folder),
            _ => Err(Errno::NOTDIR),
        }
    }

    /// What stands at a name, under whatever spelling.
    pub(super) fn find(&self, folder: u64, name: &[u8]) -> Result<u64> {
        if name.len() > 255 {
            return Err(Errno::NAMETOOLONG);
        }
        let entry = self.folder(folder)?.entries.get(&self.rule.key(name));
        entry.map(|entry| entry.node).ok_or(Errno::NOENT)
    }

    /// The entries, `.` and `..` first.
    pub(super) fn list(&self, folder: u64) -> Result<Vec<Entry>> {
        let listed = self.folder(folder)?;
        let dot = |name: &[u8], node| Entry {
            name: name.to_vec(),
            node,
        };
        let mut all = vec![dot(b".", folder), dot(b"..", listed.parent)];
        all.extend(listed.entries.values().cloned());
        Ok(all)
    }

    /// Puts a new object at a name where none stands.
    pub(super) fn make(&mut self, folder: u64, name: &[u8], mut node: Node) -> Result<u64> {
        self.is_free(folder, name)?;
        let number = self.nodes.len() as u64 + ROOT;
        if let Body::Folder(made) = &mut node.body {
            made.parent = folder;
        }
        self.nodes.insert(number, node);
        self.put(folder, name, number)?;
        Ok(number)
    }

    /// Another name for an object.
    pub(super) fn link(&mut self, node: u64, folder: u64, name: &[u8]) -> Result<()> {
        if matches!(self.node(node)?.body, Body::Folder(_)) {
            return Err(Errno::PERM);
        }
        self.is_free(folder, name)?;
        self.node_mut(node)?.links += 1;
        self.put(folder, name, node)
    }

    fn is_free(&self, folder: u64, name: &[u8]) -> Result<()> {
        // APFS stores no other names.
        std::str::from_utf8(name).map_err(|_| Errno::ILSEQ)?;
        match self.find(folder, name) {
            Ok(_) => Err(Errno::EXIST),
            Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno),
        }
    }

    fn put(&mut self, folder: u64, name: &[u8], node: u64) -> Result<()> {
        let key = self.rule.key(name);
        let entry = Entry {
            name: name.to_vec(),
            node,
        };
        self.folder_mut(folder)?.entries.insert(key, entry);
        if let Body::Folder(moved) = &mut self.node_mut(node)?.body {
            moved.parent = folder;
        }
        Ok(())
    }

    fn take(&mut self, folder: u64, name: &[u8]) -> Result<()> {
        let key = self.rule.key(name);
        let taken = self.folder_mut(folder)?.entries.remove(&key);
        taken.map(drop).ok_or(Errno::NOENT)
    }

    pub(super) fn unlink(&mut self, folder: u64, name: &[u8]) -> Result<()> {
        let node = self.find(folder, name)?;
        if matches!(self.node(node)?.body, Body::Folder(_)) {
            return Err(Errno::ISDIR);
        }
        self.take(folder, name)?;
        self.node_mut(node)?.links -= 1;
        Ok(())
    }

    pub(super) fn rmdir(&mut self, folder: u64, name: &[u8]) -> Result<()> {
        let node = self.find(folder, name)?;
        if !self.folder(node)?.entries.is_empty() {
            return Err(Errno::NOTEMPTY);
        }
        self.take(folder, name)?;
        self.node_mut(node)?.links = 0;
        Ok(())
    }

    pub(super) fn rename(
        &mut self,
        (from, name): (u64, &[u8]),
        (to, new): (u64, &[u8]),
        target: Target,
    ) -> Result<()> {
        std::str::from_utf8(new).map_err(|_| Errno::ILSEQ)?;
        let node = self.find(from, name)?;
        let there = match self.find(to, new) {
            Ok(there) => Some(there),
            Err(Errno::NOENT) => None,
            Err(errno) => return Err(errno),
        };
        let itself = from == to && self.rule.key(name) == self.rule.key(new);
        match (target, there) {
            (Target::Exchange, None) => return Err(Errno::NOENT),
            (Target::Exchange, Some(there)) => {
                // Each name keeps its spelling: it is the objects that change places.
                let spelled = |volume: &Self, folder, name: &[u8]| {
                    let entry = volume.folder(folder)?.entries.get(&volume.rule.key(name));
                    Ok(entry.ok_or(Errno::NOENT)?.name.clone())
                };
                let (name, new) = (spelled(self, from, name)?, spelled(self, to, new)?);
                self.put(from, &name, there)?;
                return self.put(to, &new, node);
            }
            (Target::Keep, Some(_)) if !itself => return Err(Errno::EXIST),
            (_, Some(there)) if !itself => {
                let kinds = [node, there].map(|node| self.folder(node).is_ok());
                match kinds {
                    [true, true] => self.rmdir(to, new)?,
                    [false, false] => self.unlink(to, new)?,
                    [true, false] => return Err(Errno::NOTDIR),
                    [false, true] => return Err(Errno::ISDIR),
                }
            }
            _ => {}
        }
        self.take(from, name)?;
        self.put(to, new, node)
    }
}
