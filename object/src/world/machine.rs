//! This machine as a world: what its permissions let the process's effective user do.

use std::io::{self, Read as _};

use objcap_walk::{Kind, Tree as _};

use super::{HEAD, World, along};
use crate::error::{Error, ErrorKind, Operation};
use crate::{Dir, Machine, Object, Open, RealPath, Right, sys};

/// How often an object that is moved meanwhile is looked for again.
const TRIES: usize = 8;

/// An object of this machine, kept by a handle where the system has one that opens nothing.
#[derive(Debug)]
pub struct Kept(sys::Kept);

impl World for Machine {
    type Kept = Kept;

    fn keep(&self, object: &Object<Dir>) -> io::Result<Kept> {
        let present = object.present(Operation::Keep).map_err(into_io)?;
        let place = present.place;
        let kept = sys::Kept::take(place.dir, place.name, present.kind)
            .map_err(|source| into_io(present.failed(source)))?;
        let status = kept
            .status()
            .map_err(|source| into_io(present.failed(source)))?;
        present.compare(&status).map_err(into_io)?;
        Ok(Kept(kept))
    }

    fn whereabouts(&self, kept: &Kept) -> io::Result<Option<RealPath>> {
        for _ in 0..TRIES {
            let Some(told) = told(self, &kept.0)? else {
                return Ok(None);
            };
            if let Some(real) = leads(self, &told, &kept.0)? {
                return Ok(Some(real));
            }
            // The name does not lead there: for good, or because the object has been moved.
            if self::told(self, &kept.0)?.as_ref() == Some(&told) {
                return Ok(None);
            }
        }
        Err(io::Error::other(
            "the object is moved faster than it can be found",
        ))
    }

    fn head(&self, object: &Object<Dir>) -> io::Result<Vec<u8>> {
        let file = object.open(Open::READ).map_err(into_io)?;
        let mut head = Vec::new();
        file.take(HEAD as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    fn is_changeable(&self, object: &Object<Dir>) -> io::Result<bool> {
        for real in object.real().ancestors() {
            let above = along(self, &real)?;
            if above.identity().is_some() && is_users(&above)? {
                return Ok(true);
            }
        }
        match object.identity() {
            Some(_) => is_users(object),
            None => Ok(false),
        }
    }

    fn is_runnable(&self, object: &Object<Dir>) -> io::Result<bool> {
        if object.kind() != Some(Kind::File) {
            return Ok(false);
        }
        has(object, Right::Execute)
    }

    fn name_count(&self, object: &Object<Dir>) -> io::Result<u64> {
        Ok(object.stat().map_err(into_io)?.links)
    }
}

/// The path by which the system knows the object, from this tree's root. It may lead elsewhere.
fn told(machine: &Machine, kept: &sys::Kept) -> io::Result<Option<RealPath>> {
    let (Some(told), Some(root)) = (kept.told()?, sys::told(machine.root())?) else {
        return Ok(None);
    };
    let (Some(told), Some(root)) = (RealPath::new(told), RealPath::new(root)) else {
        return Ok(None);
    };
    Ok(match told.below(&root) {
        Some(below) => RealPath::new([b"/", below].concat()),
        None => None,
    })
}

/// The path as stored, if it leads to the object.
fn leads(machine: &Machine, told: &RealPath, kept: &sys::Kept) -> io::Result<Option<RealPath>> {
    let walked = match along(machine, told) {
        Ok(walked) => walked,
        Err(error) if is_elsewhere(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let now = match kept.status() {
        Ok(now) => now,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let same = (walked.kind(), walked.identity()) == (Some(now.kind), Some(now.identity));
    Ok(same.then(|| walked.real().clone()))
}

/// Whether a walk failed because its path is none any more: a link or a file came into it.
fn is_elsewhere(error: &io::Error) -> bool {
    use objcap_walk::ErrorKind::{LinkRefused, MagicLink, NotADirectory, NotFound};
    let walk = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<objcap_walk::Error>());
    walk.is_some_and(|error| {
        matches!(
            error.kind(),
            LinkRefused | MagicLink | NotADirectory | NotFound
        )
    })
}

/// Whether the user owns the object or may write it. A link's text is never written.
fn is_users(object: &Object<Dir>) -> io::Result<bool> {
    let status = object.stat().map_err(into_io)?;
    if status.owner == sys::effective_user() {
        return Ok(true);
    }
    Ok(status.kind != Kind::Symlink && has(object, Right::Write)?)
}

fn has(object: &Object<Dir>, right: Right) -> io::Result<bool> {
    match object.access(right) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Denied => Ok(false),
        Err(error) => Err(into_io(error)),
    }
}

/// An operation that failed, as an error of the system's sort, with all that it says behind it.
fn into_io(error: Error) -> io::Error {
    let kind = match (error.io_error(), error.kind()) {
        (Some(source), _) => source.kind(),
        (None, ErrorKind::Absent) => io::ErrorKind::NotFound,
        (None, ErrorKind::IsADirectory | ErrorKind::IsALink | ErrorKind::SpecialFile) => {
            io::ErrorKind::InvalidInput
        }
        (None, _) => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
