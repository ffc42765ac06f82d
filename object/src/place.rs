//! Where an operation happens: the leaf's name in the held parent, and what was walked there.

use std::fs::File;
use std::io;

use objcap_walk::{Identity, Kind, Presence};

use crate::error::{Error, ErrorKind, Operation};
use crate::sys::{self, Hold};
use crate::{Change, Dir, Object, Status};

/// A name in a held directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'o> {
    pub(crate) dir: &'o Dir,
    pub(crate) name: &'o [u8],
}

/// An object that was there when it was walked, as one operation sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Present<'o> {
    object: &'o Object,
    operation: Operation,
    pub(crate) place: Place<'o>,
    pub(crate) kind: Kind,
    identity: Identity,
}

impl Object<Dir> {
    pub(crate) fn error(&self, operation: Operation, kind: ErrorKind) -> Error {
        Error::new(operation, self.real(), kind, None)
    }

    pub(crate) fn failed(&self, operation: Operation, source: io::Error) -> Error {
        let kind = ErrorKind::of(&source);
        Error::new(operation, self.real(), kind, Some(source))
    }

    /// The object as one that exists. The root is `.` in itself.
    pub(crate) fn present(&self, operation: Operation) -> Result<Present<'_>, Error> {
        let Presence::Present { kind, identity } = self.presence() else {
            return Err(self.error(operation, ErrorKind::Absent));
        };
        Ok(Present {
            object: self,
            operation,
            place: Place {
                dir: self.parent(),
                name: self.leaf().unwrap_or(b"."),
            },
            kind,
            identity,
        })
    }

    /// The object as one that exists and has a name, which the root has not.
    pub(crate) fn named(&self, operation: Operation) -> Result<Present<'_>, Error> {
        match self.leaf() {
            Some(_) => self.present(operation),
            None => Err(self.error(operation, ErrorKind::NoLeaf)),
        }
    }

    /// The place of an object that did not exist, in a directory that does.
    pub(crate) fn vacant(&self, operation: Operation) -> Result<Place<'_>, Error> {
        let kind = match (self.presence(), self.leaf()) {
            (Presence::Present { .. }, _) => ErrorKind::Exists,
            (Presence::Absent, Some(name)) if self.walked().tail().next().is_none() => {
                return Ok(Place {
                    dir: self.parent(),
                    name,
                });
            }
            (Presence::Absent, _) => ErrorKind::NoParent,
        };
        Err(self.error(operation, kind))
    }

    /// The same for what is no directory: a name with a slash at its end asks for one.
    pub(crate) fn vacant_plain(&self, operation: Operation) -> Result<Place<'_>, Error> {
        let place = self.vacant(operation)?;
        if self.walked().asks_for_directory() {
            return Err(self.error(operation, ErrorKind::IsADirectory));
        }
        Ok(place)
    }

    /// Why an object could not be made in a vacant place.
    pub(crate) fn not_made(&self, operation: Operation, source: io::Error) -> Error {
        let kind = match ErrorKind::of(&source) {
            ErrorKind::Exists => ErrorKind::Changed(Change::Appeared),
            // The held directory has no entries any more: it was removed.
            ErrorKind::Absent => ErrorKind::Changed(Change::ParentGone),
            kind => kind,
        };
        Error::new(operation, self.real(), kind, Some(source))
    }
}

impl<'o> Present<'o> {
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        self.object.error(self.operation, kind)
    }

    /// What a system call on the name failed with: that nothing stands there is a change.
    pub(crate) fn failed(&self, source: io::Error) -> Error {
        let kind = match ErrorKind::of(&source) {
            ErrorKind::Absent => ErrorKind::Changed(Change::Gone),
            kind => kind,
        };
        Error::new(self.operation, self.object.real(), kind, Some(source))
    }

    /// What a call on the name failed with, where the name may have been swapped under it: a second
    /// look tells, or the error itself, since the object may be back by now.
    pub(crate) fn refused(&self, source: io::Error) -> Error {
        if let Err(changed) = self.hold() {
            return changed;
        }
        let plain = matches!(self.kind, Kind::File | Kind::Directory);
        match sys::betrays(&source).filter(|_| plain) {
            Some(change) => {
                let kind = ErrorKind::Changed(change);
                Error::new(self.operation, self.object.real(), kind, Some(source))
            }
            None => self.failed(source),
        }
    }

    /// Whether this status is that of the object that was walked.
    pub(crate) fn compare(&self, now: &Status) -> Result<(), Error> {
        match Change::between((self.kind, self.identity), (now.kind, now.identity)) {
            None => Ok(()),
            Some(change) => Err(self.error(ErrorKind::Changed(change))),
        }
    }

    /// Takes hold of what stands at the name, if it is the object.
    pub(crate) fn hold(&self) -> Result<(Hold<'o>, Status), Error> {
        let hold = Hold::take(self.place.dir, self.place.name).map_err(|e| self.failed(e))?;
        let status = hold.status().map_err(|e| self.failed(e))?;
        self.compare(&status)?;
        Ok((hold, status))
    }

    /// Whether an opened file is the object.
    pub(crate) fn opened(&self, file: &File) -> Result<Status, Error> {
        let status = sys::status_of(file).map_err(|e| self.failed(e))?;
        self.compare(&status)?;
        Ok(status)
    }

    /// Whether this status is that of the object, which was held and compared before a call that
    /// may have changed its identity: an overlay copies a file of its lower layer when it is first
    /// opened for writing or moved, and the copy has another birth time.
    pub(crate) fn compare_held(&self, hold: &Hold<'_>, now: &Status) -> Result<(), Error> {
        match hold.now() {
            Some(held) if (held.kind, held.identity) == (now.kind, now.identity) => Ok(()),
            _ => self.compare(now),
        }
    }

    /// Whether the object, held before, now stands under the name that an operation gave it.
    pub(crate) fn arrived(&self, hold: &Hold<'_>, to: &Object) -> Result<(), Error> {
        let name = to.leaf().unwrap_or(b".");
        let kind = match Hold::take(to.parent(), name).and_then(|there| there.status()) {
            Ok(now) => match self.compare_held(hold, &now) {
                Ok(()) => return Ok(()),
                Err(changed) => changed.kind(),
            },
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                ErrorKind::Changed(Change::Gone)
            }
            Err(source) => return Err(to.failed(self.operation, source)),
        };
        Err(to.error(self.operation, kind))
    }
}
