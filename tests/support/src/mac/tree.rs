//! The model as a tree to walk. What the walk sees of it, the model's own lookup sees too: see
//! `tests/mac_model.rs`.

use std::sync::Arc;

use objcap_walk::{ErrorKind, Fault, Identity, Link, Spelled, Stat, Step, Tree};

use super::node::{Body, Wish};
use super::{Ino, Mac};

impl Mac {
    /// An object's identity. Its birth time tells it from every other, too.
    pub fn identity(&self, ino: Ino) -> Identity {
        Identity {
            device: u64::from(self.node(ino).volume) + 1,
            inode: u64::from(ino.0) + 1,
            // A Mac does not number mounts.
            mount: None,
            born: Some((i64::from(ino.0), 0)),
        }
    }

    /// The object with an identity.
    pub fn of_identity(&self, identity: Identity) -> Option<Ino> {
        let ino = Ino(u32::try_from(identity.inode.checked_sub(1)?).ok()?);
        let exists = (ino.0 as usize) < self.nodes.len();
        (exists && self.identity(ino) == identity).then_some(ino)
    }

    fn describe(&self, ino: Ino, spelled: Spelled) -> Stat {
        Stat {
            kind: self.kind(ino),
            identity: self.identity(ino),
            spelled,
        }
    }

    /// What a name leads to in a folder, `.` and `..` included, and how it is stored.
    fn passed(&self, dir: Ino, name: &[u8]) -> Result<Option<(Ino, Spelled)>, Fault> {
        if !self.node(dir).permits(Wish::Execute) {
            return Err(ErrorKind::PermissionDenied.into());
        }
        // As on every file system that this one stands in for (pathconf(3), NAME_MAX).
        if name.len() > 255 {
            return Err(ErrorKind::NameTooLong.into());
        }
        Ok(match name {
            b"." => Some((dir, Spelled::AsGiven)),
            b".." => Some((self.parent(dir), Spelled::AsGiven)),
            _ => self.entry(dir, name).map(|entry| {
                let spelled = if *entry.name == *name {
                    Spelled::AsGiven
                } else {
                    Spelled::Stored(Box::from(&*entry.name))
                };
                (self.uncovered(entry.ino), spelled)
            }),
        })
    }
}

impl Tree for Mac {
    type Dir = Ino;
    type Notes = ();

    fn root(&self) -> &Ino {
        &self.root
    }

    fn share(&self, dir: &Ino) -> Result<Ino, Fault> {
        Ok(*dir)
    }

    fn stat(&self, dir: &Ino) -> Result<Stat, Fault> {
        Ok(self.describe(*dir, Spelled::AsGiven))
    }

    fn look(&self, dir: &Ino, name: &[u8]) -> Result<Option<Stat>, Fault> {
        let passed = self.passed(*dir, name)?;
        Ok(passed.map(|(ino, spelled)| self.describe(ino, spelled)))
    }

    fn step(&self, dir: &Ino, name: &[u8], (): &mut ()) -> Result<Step<Ino>, Fault> {
        let Some((ino, spelled)) = self.passed(*dir, name)? else {
            return Ok(Step::Absent);
        };
        let stat = self.describe(ino, spelled);
        Ok(match &self.node(ino).body {
            Body::Folder(_) => Step::Directory(ino, stat),
            Body::Link(text) => Step::Link(Link {
                text: Arc::clone(text).to_vec(),
                spelled: stat.spelled,
                refusal: None,
            }),
            Body::File(_) | Body::Other(_) => Step::Other(stat),
        })
    }
}
