//! Removing one object: a file, a link, an empty directory. What is below a directory goes in
//! `sweep.rs`.

use std::io;

use objcap_walk::Kind;

use crate::error::{Error, ErrorKind, Operation};
use crate::place::Present;
use crate::sys::Hold;
use crate::{Change, Dir, Object, Status, sys};

/// Removing. A system removes a name, and has no call that removes an object: the object is
/// compared immediately before. A name that is swapped between the look and the call is therefore
/// removed; where the system lets what was walked be held (Linux), that is then noticed and
/// reported as [`Changed`](ErrorKind::Changed) (docs/residuals.md).
impl Object<Dir> {
    /// Removes the object, by its kind: a directory must be empty, and a link goes by itself.
    ///
    /// # Errors
    /// [`Absent`](ErrorKind::Absent) and [`NoLeaf`](ErrorKind::NoLeaf) by what was walked;
    /// [`NotEmpty`](ErrorKind::NotEmpty); [`Changed`](ErrorKind::Changed) when something else
    /// stands there, or was removed in its stead.
    pub fn remove(&self) -> Result<(), Error> {
        self.named(Operation::Remove)?.remove()
    }
}

impl Present<'_> {
    pub(crate) fn remove(&self) -> Result<(), Error> {
        let (hold, before) = self.hold()?;
        self.remove_held(&hold, &before)
    }

    /// The removal itself, and what can be told of it behind.
    pub(crate) fn remove_held(&self, hold: &Hold<'_>, before: &Status) -> Result<(), Error> {
        let (dir, name) = (self.place.dir, self.place.name);
        let removed = if self.kind == Kind::Directory {
            sys::remove_dir(dir, name)
        } else {
            sys::unlink(dir, name)
        };
        removed.map_err(|source| match source.kind() {
            // POSIX lets rmdir(2) say EEXIST of a directory with entries.
            io::ErrorKind::AlreadyExists => self.error(ErrorKind::NotEmpty),
            _ => self.refused(source),
        })?;
        // A directory that has one name only, not two with its own `.`, is not counted (btrfs).
        let counted = before.kind != Kind::Directory || before.links >= 2;
        match hold.now() {
            Some(now) if counted && hold.counts_names() && now.links >= before.links => {
                Err(self.error(ErrorKind::Changed(Change::Replaced)))
            }
            _ => Ok(()),
        }
    }
}
