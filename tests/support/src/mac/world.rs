//! The model as a world that a grant is frozen in.

use std::io;

use objcap_object::{HEAD, Host, Object, RealPath, World};
use objcap_walk::{Kind, Owner, walk};

use super::node::{Body, Wish};
use super::{Ino, Mac};

/// An object of a [`Mac`], kept by its number and the name that it was kept under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    ino: Ino,
    real: RealPath,
}

impl Mac {
    /// The world of which this is the file system: the variables, the search path, the floor and the base
    /// of [`Host::stock_mac`], and this Mac's own root aliases. Of the floor, what stands here.
    ///
    /// The names of a host fold as one; a volume here may not, which residual G-1 of
    /// docs/residuals.md is about.
    pub fn host(self) -> Host<Mac> {
        let stock = Host::stock_mac();
        let mut floor = stock.floor;
        floor.retain(|real| {
            walk(&self, real.as_bytes(), &Default::default())
                .is_ok_and(|walked| walked.kind().is_some())
        });
        Host {
            aliases: self.aliases.to_vec(),
            tree: self,
            vars: stock.vars,
            search: stock.search,
            executable: stock.executable,
            data_prefix: stock.data_prefix,
            names: stock.names,
            floor,
            base_read: stock.base_read,
            base_write: stock.base_write,
        }
    }

    /// The object that was walked, if it still stands there.
    fn walked(&self, object: &Object<Ino>) -> io::Result<Ino> {
        let found = match object.leaf() {
            None => Some(*object.parent()),
            Some(leaf) => self.find(*object.parent(), leaf),
        };
        found
            .filter(|&ino| object.identity() == Some(self.identity(ino)))
            .ok_or_else(|| {
                let why = format!("`{}` is not what was walked", object.real());
                io::Error::new(io::ErrorKind::NotFound, why)
            })
    }

    /// Whether the user owns it or may write it.
    fn is_users_to_change(&self, ino: Ino) -> bool {
        let node = self.node(ino);
        node.owner == Owner::User || node.permits(Wish::Write)
    }
}

impl World for Mac {
    type Kept = Kept;

    fn keep(&self, object: &Object<Ino>) -> io::Result<Kept> {
        Ok(Kept {
            ino: self.walked(object)?,
            real: object.real().clone(),
        })
    }

    fn whereabouts(&self, kept: &Kept) -> io::Result<Option<RealPath>> {
        let names = self.names_of(kept.ino);
        if names.iter().any(|name| name == kept.real.as_bytes()) {
            return Ok(Some(kept.real.clone()));
        }
        Ok(names.into_iter().find_map(RealPath::new))
    }

    fn head(&self, object: &Object<Ino>) -> io::Result<Vec<u8>> {
        let ino = self.walked(object)?;
        match &self.node(ino).body {
            Body::File(_) if !self.node(ino).permits(Wish::Read) => {
                Err(io::ErrorKind::PermissionDenied.into())
            }
            Body::File(bytes) => Ok(bytes.get(..HEAD).unwrap_or(bytes).to_vec()),
            _ => {
                let why = format!("`{}` is no regular file", object.real());
                Err(io::Error::new(io::ErrorKind::InvalidInput, why))
            }
        }
    }

    fn is_changeable(&self, object: &Object<Ino>) -> io::Result<bool> {
        let own = object
            .leaf()
            .and_then(|leaf| self.find(*object.parent(), leaf));
        if own.is_some_and(|ino| self.is_users_to_change(ino)) {
            return Ok(true);
        }
        // By the real path, as a user would go about it.
        let mut names = object.real().components();
        names.next_back();
        let mut at = self.root;
        loop {
            if self.is_users_to_change(at) {
                return Ok(true);
            }
            match names.next().and_then(|name| self.find(at, name)) {
                Some(ino) if self.kind(ino) == Kind::Directory => at = ino,
                _ => return Ok(false),
            }
        }
    }

    fn is_runnable(&self, object: &Object<Ino>) -> io::Result<bool> {
        if object.identity().is_none() {
            return Ok(false);
        }
        let ino = self.walked(object)?;
        let node = self.node(ino);
        Ok(node.kind() == Kind::File && node.permits(Wish::Execute))
    }
    fn name_count(&self, object: &Object<Ino>) -> io::Result<u64> {
        Ok(self.names_of(self.walked(object)?).len() as u64)
    }
}
