//! Removing a directory with all below it: at any depth with a few descriptors, and nothing that
//! is not below it.

use std::io;

use objcap_walk::{Identity, Kind};

use crate::error::{Error, ErrorKind, Operation};
use crate::place::Present;
use crate::sys::{self, Hold};
use crate::{Change, Dir, Object, RealPath};

/// How often a directory that keeps being filled is emptied before that is an error.
const REFILLS: usize = 64;

const OPERATION: Operation = Operation::RemoveAll;

impl Object<Dir> {
    /// Removes the object, and of a directory first all that is in it.
    ///
    /// It goes down through handles and follows no link. It comes up by `..`, and goes on only if
    /// that is the directory from which it went down: one that is moved away meanwhile ends it. It
    /// enters no other mount. Three descriptors suffice for any depth.
    ///
    /// # Errors
    /// As [`remove`](Object::remove), at the entry that it failed at; what was removed before that
    /// is gone. [`CrossesDevices`](ErrorKind::CrossesDevices) at an entry on another mount;
    /// [`NotEmpty`](ErrorKind::NotEmpty) where someone keeps filling a directory.
    pub fn remove_all(&self) -> Result<(), Error> {
        let present = self.named(OPERATION)?;
        if present.kind != Kind::Directory {
            return present.remove();
        }
        let listing = present.open_listing()?;
        let identity = present.opened(&listing)?.identity;
        Sweep {
            real: self.real().clone(),
            top: present,
            here: sys::dir(listing).map_err(|source| present.failed(source))?,
            levels: vec![Level::of(Vec::new(), identity)],
        }
        .run()
    }
}

struct Sweep<'o> {
    /// The object, and its real path.
    top: Present<'o>,
    real: RealPath,
    /// The directory that is being emptied: the last of the levels.
    here: Dir,
    /// From the object down.
    levels: Vec<Level>,
}

/// A directory that was gone down into.
struct Level {
    /// Its name in the one above; of the object itself none.
    name: Vec<u8>,
    identity: Identity,
    refills: usize,
}

impl Level {
    fn of(name: Vec<u8>, identity: Identity) -> Self {
        Level {
            name,
            identity,
            refills: 0,
        }
    }
}

impl Sweep<'_> {
    fn run(mut self) -> Result<(), Error> {
        loop {
            if let Some(name) = self.empty()? {
                self.go_down(name)?;
            } else if self.levels.len() > 1 {
                self.go_up()?;
            } else {
                match self.top.remove() {
                    Err(error) if error.kind() == ErrorKind::NotEmpty => self.refilled()?,
                    answer => return answer,
                }
            }
        }
    }

    /// Removes what is here and no directory; stops at the first directory.
    fn empty(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let listing = sys::open_listing(&self.here, b".").and_then(sys::Listing::new);
        let mut listing = listing.map_err(|source| self.failed(None, source))?;
        while let Some(entry) = listing.read() {
            let (name, kind) = entry.map_err(|source| self.failed(None, source))?;
            if kind == Some(Kind::Directory) {
                return Ok(Some(name));
            }
            match sys::unlink(&self.here, &name) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    // A directory after all: the kind in a listing is a hint, and may be missing.
                    match Hold::take(&self.here, &name).and_then(|hold| hold.status()) {
                        Ok(status) if status.kind == Kind::Directory => return Ok(Some(name)),
                        _ => return Err(self.failed(Some(&name), source)),
                    }
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(None)
    }

    fn go_down(&mut self, name: Vec<u8>) -> Result<(), Error> {
        let opened = match sys::open_listing(&self.here, &name) {
            Ok(opened) => opened,
            Err(source) => {
                // It may have become something else since it was listed: then it is listed again.
                return match Hold::take(&self.here, &name).and_then(|hold| hold.status()) {
                    Ok(status) if status.kind == Kind::Directory => {
                        Err(self.failed(Some(&name), source))
                    }
                    _ => self.refilled(),
                };
            }
        };
        let status = sys::status_of(&opened).map_err(|source| self.failed(Some(&name), source))?;
        let here = self.last()?;
        if (status.identity.device, status.identity.mount) != (here.device, here.mount) {
            return Err(self.error(Some(&name), ErrorKind::CrossesDevices));
        }
        self.here = sys::dir(opened).map_err(|source| self.failed(Some(&name), source))?;
        self.levels.push(Level::of(name, status.identity));
        Ok(())
    }

    /// Goes up from an empty directory, and removes it.
    fn go_up(&mut self) -> Result<(), Error> {
        let opened = sys::open_listing(&self.here, b"..");
        let opened = opened.map_err(|source| self.failed(None, source))?;
        let status = sys::status_of(&opened).map_err(|source| self.failed(None, source))?;
        let Some(left) = self.levels.pop() else {
            return Ok(());
        };
        if status.identity != self.last()? {
            let moved = ErrorKind::Changed(Change::ParentGone);
            return Err(self.error(Some(&left.name), moved));
        }
        self.here = sys::dir(opened).map_err(|source| self.failed(None, source))?;
        let there = Hold::take(&self.here, &left.name).and_then(|hold| hold.status());
        match there {
            Ok(there) if there.identity == left.identity => {}
            Ok(_) => {
                let changed = ErrorKind::Changed(Change::Replaced);
                return Err(self.error(Some(&left.name), changed));
            }
            Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(self.failed(Some(&left.name), source)),
        }
        match sys::remove_dir(&self.here, &left.name) {
            Ok(()) => Ok(()),
            Err(source) => match ErrorKind::of(&source) {
                ErrorKind::Absent => Ok(()),
                ErrorKind::NotEmpty | ErrorKind::Exists => self.refilled(),
                _ => Err(self.failed(Some(&left.name), source)),
            },
        }
    }

    /// Counts that the directory here did not stay as it was.
    fn refilled(&mut self) -> Result<(), Error> {
        let not_empty = self.error(None, ErrorKind::NotEmpty);
        match self.levels.last_mut() {
            Some(level) if level.refills < REFILLS => {
                level.refills += 1;
                Ok(())
            }
            _ => Err(not_empty),
        }
    }

    fn last(&self) -> Result<Identity, Error> {
        match self.levels.last() {
            Some(level) => Ok(level.identity),
            None => Err(self.error(None, ErrorKind::System)),
        }
    }

    /// The real path of the directory here, or of an entry in it.
    fn at(&self, entry: Option<&[u8]>) -> RealPath {
        let names = self.levels.iter().map(|level| &level.name[..]);
        names
            .chain(entry)
            .fold(self.real.clone(), |at, name| at.join(name).unwrap_or(at))
    }

    fn error(&self, entry: Option<&[u8]>, kind: ErrorKind) -> Error {
        Error::new(OPERATION, &self.at(entry), kind, None)
    }

    fn failed(&self, entry: Option<&[u8]>, source: io::Error) -> Error {
        let kind = ErrorKind::of(&source);
        Error::new(OPERATION, &self.at(entry), kind, Some(source))
    }
}
