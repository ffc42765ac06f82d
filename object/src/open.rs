//! Opening an object: a file for its contents, a directory for what is in it.

use std::fs::File;

use objcap_walk::Kind;

use crate::error::{Error, ErrorKind, Operation};
use crate::place::Present;
use crate::sys::Hold;
use crate::{Dir, Object, sys};

/// How to open a file that exists. A file that does not is made by
/// [`create_new`](Object::create_new); no option makes one by the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// What the file is opened for.
    pub purpose: For,
    /// What becomes of the contents that it has.
    pub contents: Contents,
    /// Whether it may be something else than a regular file.
    pub special: Special,
}

/// What a file is opened for.
// Exhaustive: these are the access modes of open(2), and its append mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum For {
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Both.
    ReadWrite,
    /// Writing, always at the end.
    Append,
}

/// What becomes of the contents of a file that is opened.
// Exhaustive: they stay or they go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contents {
    /// They stay.
    Keep,
    /// They go, once it is certain that this is the file that was walked. It must be opened for
    /// writing.
    Truncate,
}

/// Whether an object may be opened whose opening alone can do something: a FIFO, a device, a
/// terminal.
// Exhaustive: they may or they may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// Regular files only.
    Refuse,
    /// These too. The descriptor stays non-blocking (`O_NONBLOCK`), and the terminal does not
    /// become the process's own (`O_NOCTTY`).
    Allow,
}

impl Open {
    /// For reading.
    pub const READ: Open = Open::with(For::Read);
    /// For writing over what is there.
    pub const WRITE: Open = Open::with(For::Write);
    /// For both.
    pub const READ_WRITE: Open = Open::with(For::ReadWrite);
    /// For writing behind what is there.
    pub const APPEND: Open = Open::with(For::Append);

    const fn with(purpose: For) -> Self {
        Open {
            purpose,
            contents: Contents::Keep,
            special: Special::Refuse,
        }
    }

    /// The same, of a file that is emptied first.
    #[must_use]
    pub const fn truncated(self) -> Self {
        Open {
            contents: Contents::Truncate,
            ..self
        }
    }

    /// The same, of a FIFO, a device or a terminal too.
    #[must_use]
    pub const fn even_special(self) -> Self {
        Open {
            special: Special::Allow,
            ..self
        }
    }
}

/// Opening. What was opened is the object that was walked, or it is an error.
impl Object<Dir> {
    /// Opens the file.
    ///
    /// The kind is looked at before the open, so that nothing but a file is opened unless it was
    /// asked for. The open itself never waits, and what it opened is compared with what was walked
    /// before anything is done to it. A device that takes the file's name between the look and the
    /// open is opened, and then closed and refused (docs/residuals.md).
    ///
    /// # Errors
    /// [`Absent`](ErrorKind::Absent), [`IsADirectory`](ErrorKind::IsADirectory),
    /// [`IsALink`](ErrorKind::IsALink) and [`SpecialFile`](ErrorKind::SpecialFile) by what was
    /// walked; [`Changed`](ErrorKind::Changed) when something else stands there now; and what the
    /// system says, as `ENXIO` for writing to a FIFO that nobody reads.
    pub fn open(&self, how: Open) -> Result<File, Error> {
        let present = self.present(Operation::Open)?;
        let special = match present.kind {
            Kind::File => Special::Refuse,
            Kind::Directory => return Err(present.error(ErrorKind::IsADirectory)),
            Kind::Symlink => return Err(present.error(ErrorKind::IsALink)),
            _ if how.special == Special::Refuse => {
                return Err(present.error(ErrorKind::SpecialFile));
            }
            _ => Special::Allow,
        };
        let file = present.open(how.purpose)?;
        if special == Special::Refuse {
            sys::let_wait(&file).map_err(|source| present.failed(source))?;
            if how.contents == Contents::Truncate {
                file.set_len(0).map_err(|source| present.failed(source))?;
            }
        }
        Ok(file)
    }

    /// Opens the directory as a handle to walk from and to operate in: a
    /// [`Machine`](crate::Machine) or a [`Start`](crate::Start) is made of it. It allows no
    /// reading; [`read_dir`](Object::read_dir) does.
    ///
    /// # Errors
    /// [`Absent`](ErrorKind::Absent), [`NotADirectory`](ErrorKind::NotADirectory) and
    /// [`IsALink`](ErrorKind::IsALink) by what was walked; [`Changed`](ErrorKind::Changed) when
    /// something else stands there now.
    pub fn open_dir(&self) -> Result<Dir, Error> {
        let present = self.present(Operation::OpenDir)?;
        present.must_be_directory()?;
        let place = present.place;
        let dir = sys::open_search(place.dir, place.name).map_err(|e| present.refused(e))?;
        let status = sys::status_of_dir(&dir).map_err(|e| present.failed(e))?;
        present.compare(&status)?;
        Ok(dir)
    }
}

impl Present<'_> {
    /// Opens what stands at the name, if it is the object, before and after.
    pub(crate) fn open(&self, purpose: For) -> Result<File, Error> {
        let (hold, _) = self.hold()?;
        self.open_held(&hold, purpose)
    }

    /// The open itself, and the comparison behind it.
    pub(crate) fn open_held(&self, hold: &Hold<'_>, purpose: For) -> Result<File, Error> {
        let file = sys::open(self.place.dir, self.place.name, purpose)
            .map_err(|source| self.refused(source))?;
        let status = sys::status_of(&file).map_err(|source| self.failed(source))?;
        self.compare_held(hold, &status)?;
        Ok(file)
    }

    /// Opens the directory for reading its entries, if it is the object.
    pub(crate) fn open_listing(&self) -> Result<File, Error> {
        let file = sys::open_listing(self.place.dir, self.place.name)
            .map_err(|source| self.refused(source))?;
        self.opened(&file)?;
        Ok(file)
    }

    pub(crate) fn must_be_directory(&self) -> Result<(), Error> {
        match self.kind {
            Kind::Directory => Ok(()),
            Kind::Symlink => Err(self.error(ErrorKind::IsALink)),
            _ => Err(self.error(ErrorKind::NotADirectory)),
        }
    }
}
