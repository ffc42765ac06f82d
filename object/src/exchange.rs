//! Operations with two ends: rename, swap, link, clone. Both ends are objects, walked.

use objcap_walk::Kind;

use crate::error::{Error, ErrorKind, Operation};
use crate::{Dir, For, Object, sys};

/// What becomes of an object that has the new name already.
// Exhaustive: it stays or it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Existing {
    /// It stays, and the rename is an error.
    Keep,
    /// It goes: a file, a link, or an empty directory.
    Replace,
}

/// Operations with two ends. Each end is compared with what was walked, before and after: a system
/// moves a name, and has no call that moves an object. A name that is swapped between the look and
/// the call is therefore moved, and then reported as [`Changed`](ErrorKind::Changed)
/// (docs/residuals.md).
impl Object<Dir> {
    /// Gives the object the name of `to`, and takes its own away.
    ///
    /// Where `to` was absent, nothing that has appeared there is replaced.
    ///
    /// # Errors
    /// Of the object: [`Absent`](ErrorKind::Absent), [`NoLeaf`](ErrorKind::NoLeaf). Of `to`:
    /// [`Exists`](ErrorKind::Exists) under [`Existing::Keep`], [`NoParent`](ErrorKind::NoParent),
    /// [`NotADirectory`](ErrorKind::NotADirectory) where the name ended in a slash and the object is
    /// no directory, and [`NoLeaf`](ErrorKind::NoLeaf). Of either: [`Changed`](ErrorKind::Changed).
    pub fn rename(&self, to: &Object, existing: Existing) -> Result<(), Error> {
        let operation = Operation::Rename;
        let from = self.named(operation)?;
        if to.leaf().is_none() {
            return Err(to.error(operation, ErrorKind::NoLeaf));
        }
        if to.walked().asks_for_directory() && from.kind != Kind::Directory {
            return Err(to.error(operation, ErrorKind::NotADirectory));
        }
        let (dir, name) = (from.place.dir, from.place.name);
        let hold;
        if to.kind().is_none() || existing == Existing::Keep {
            let place = to.vacant(operation)?;
            (hold, _) = from.hold()?;
            sys::rename_new(dir, name, place.dir, place.name)
                .map_err(|source| self.not_moved(to, operation, source))?;
        } else {
            let over = to.named(operation)?;
            over.hold()?;
            (hold, _) = from.hold()?;
            sys::rename(dir, name, over.place.dir, over.place.name)
                .map_err(|source| self.not_moved(to, operation, source))?;
        }
        from.arrived(&hold, to)
    }

    /// Exchanges the names of two objects, in one step.
    ///
    /// # Errors
    /// Of either: [`Absent`](ErrorKind::Absent), [`NoLeaf`](ErrorKind::NoLeaf),
    /// [`Changed`](ErrorKind::Changed). [`Unsupported`](ErrorKind::Unsupported) where the volume has
    /// no such step.
    pub fn swap(&self, with: &Object) -> Result<(), Error> {
        let operation = Operation::Swap;
        let (one, other) = (self.named(operation)?, with.named(operation)?);
        let (other_hold, _) = other.hold()?;
        let (one_hold, _) = one.hold()?;
        sys::exchange(
            one.place.dir,
            one.place.name,
            other.place.dir,
            other.place.name,
        )
        .map_err(|source| self.not_moved(with, operation, source))?;
        one.arrived(&one_hold, with)?;
        other.arrived(&other_hold, self)
    }

    /// Gives the object a second name, that of `to`. A link is given one itself; a directory has
    /// one name only.
    ///
    /// # Errors
    /// Of the object: [`Absent`](ErrorKind::Absent), [`IsADirectory`](ErrorKind::IsADirectory),
    /// [`Changed`](ErrorKind::Changed). Of `to`: as [`create_new`](Object::create_new).
    pub fn link(&self, to: &Object) -> Result<(), Error> {
        let operation = Operation::Link;
        let from = self.present(operation)?;
        if from.kind == Kind::Directory {
            return Err(from.error(ErrorKind::IsADirectory));
        }
        let place = to.vacant_plain(operation)?;
        let (hold, _) = from.hold()?;
        hold.link(place.dir, place.name)
            .map_err(|source| self.not_moved(to, operation, source))?;
        // Where the system could link only by name, another object may have been linked. The new
        // name is left to whoever is told of it: to take it away again would go by name too.
        from.arrived(&hold, to)
    }

    /// Makes a copy at `to` that shares its data with the object until one of them is written
    /// (`FICLONE`; fclonefileat(2)). A directory is cloned with all below it, where the system does
    /// that in one step: on macOS.
    ///
    /// # Errors
    /// [`CannotClone`](ErrorKind::CannotClone) where the volume cannot, or not this kind of object;
    /// then nothing is made. [`IsALink`](ErrorKind::IsALink),
    /// [`SpecialFile`](ErrorKind::SpecialFile) and otherwise as [`link`](Object::link).
    pub fn clone_to(&self, to: &Object) -> Result<(), Error> {
        let operation = Operation::Clone;
        let from = self.present(operation)?;
        let place = match from.kind {
            Kind::File => to.vacant_plain(operation)?,
            Kind::Directory => to.vacant(operation)?,
            Kind::Symlink => return Err(from.error(ErrorKind::IsALink)),
            _ => return Err(from.error(ErrorKind::SpecialFile)),
        };
        let source = if from.kind == Kind::Directory {
            from.open_listing()?
        } else {
            from.open(For::Read)?
        };
        let status = from.opened(&source)?;
        sys::clone_to(&source, &status, place.dir, place.name).map_err(|source| {
            if sys::is_no_clone(&source) {
                Error::new(operation, self.real(), ErrorKind::CannotClone, Some(source))
            } else {
                to.not_made(operation, source)
            }
        })
    }

    /// Why an object could not be brought to another name: which end it was, and what of it.
    fn not_moved(&self, to: &Object, operation: Operation, source: std::io::Error) -> Error {
        let kind = ErrorKind::of(&source);
        match kind {
            ErrorKind::Exists if to.kind().is_none() => to.not_made(operation, source),
            ErrorKind::Exists | ErrorKind::NotEmpty | ErrorKind::IsADirectory => {
                Error::new(operation, to.real(), kind, Some(source))
            }
            // One of the two is no longer there: the object itself, or a directory.
            ErrorKind::Absent => {
                let gone = |object: &Object| match object.present(operation).map(|it| it.hold()) {
                    Ok(Err(error)) => Some(error),
                    _ => None,
                };
                gone(self)
                    .or_else(|| gone(to))
                    .unwrap_or_else(|| to.not_made(operation, source))
            }
            _ => Error::new(operation, self.real(), kind, Some(source)),
        }
    }
}
