//! Volumes: how each tells names apart, where it is mounted, and the firmlinks between two.

use std::borrow::Cow;
use std::sync::Arc;

use objcap_object::name::caseless;
use objcap_walk::path;

use super::folder::Folder;
use super::node::{Body, Node};
use super::{Ino, Mac};

/// How a volume tells names apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// By canonical caseless equivalence, as APFS does out of the box; the spelling that a name was
    /// made with is kept.
    Folding,
    /// By their bytes.
    Exact,
}

#[derive(Clone, Debug)]
pub(super) struct Volume {
    pub(super) rule: Rule,
    pub(super) root: Ino,
    /// The folder that the volume is mounted on; `None` of the first.
    pub(super) covers: Option<Ino>,
}

impl Rule {
    /// What two spellings of one name have in common.
    pub(super) fn key(self, name: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Rule::Folding => caseless(name).into(),
            Rule::Exact => Cow::Borrowed(name),
        }
    }
}

impl Mac {
    /// Where one comes to who steps on this object: the root of the volume that covers it, or itself.
    pub(super) fn uncovered(&self, ino: Ino) -> Ino {
        let over = self
            .volumes
            .iter()
            .find(|volume| volume.covers == Some(ino));
        over.map_or(ino, |volume| volume.root)
    }

    /// Whether the name is a mount point, a firmlink, or the place on the other volume where a
    /// firmlink leads: such a name is neither moved nor removed.
    pub(super) fn is_fixed(&self, dir: Ino, ino: Ino) -> bool {
        let elsewhere = self.node(ino).folder().map(|folder| folder.parent) != Some(dir);
        self.node(ino).folder().is_some()
            && (elsewhere
                || self.node(dir).volume != self.node(ino).volume
                || self.uncovered(ino) != ino)
    }

    /// How the volume of an object tells names apart.
    pub fn rule(&self, ino: Ino) -> Rule {
        self.volumes[usize::from(self.node(ino).volume)].rule
    }

    /// Mounts a new volume, the folder being made where it is missing. The volume's root belongs to
    /// whoever owns that folder.
    pub fn mount(&mut self, real: impl AsRef<[u8]>, rule: Rule) {
        let covered = self.enter(real.as_ref());
        let volume = self.volumes.len() as u8;
        let below = self.node(covered);
        let (owner, mode) = (below.owner, below.mode);
        let name = below.folder().map(|folder| Arc::clone(&folder.name));
        let parent = self.parent(covered);
        let root = self.add(Node {
            body: Body::Folder(Folder::new(rule, parent, &name.unwrap_or_default())),
            owner,
            mode,
            volume,
            touched: 0,
        });
        Arc::make_mut(&mut self.volumes).push(Volume {
            rule,
            root,
            covers: Some(covered),
        });
    }

    /// Makes a firmlink: `source` leads to the folder `target` of another volume, which is made
    /// where it is missing. To the kernel that folder then stands at `source`, and its `..` is the
    /// folder of the firmlink (docs/decisions/0002, docs/seatbelt.md, section 4).
    pub fn firmlink(&mut self, source: impl AsRef<[u8]>, target: impl AsRef<[u8]>) {
        let source = source.as_ref();
        let target = self.enter(target.as_ref());
        let dir = self.enter(path::parent(path::trim_end(source)));
        if let Some(name) = path::components(source).next_back() {
            self.put(dir, name, target);
        }
    }
}
