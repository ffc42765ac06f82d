//! Operations on any other system: there is no handle to operate on, so none can be called.

use std::fs::File;
use std::io;

use objcap_walk::Kind;

use super::arm::Dir;
use crate::{Change, For, Mode, Right, Status};

#[path = "kept.rs"]
mod kept;

pub(crate) use self::kept::*;

#[derive(Debug)]
pub(crate) struct Hold<'o>(&'o Dir);

impl<'o> Hold<'o> {
    pub(crate) fn take(dir: &'o Dir, _: &'o [u8]) -> io::Result<Self> {
        dir.never()
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        self.0.never()
    }

    pub(crate) fn read_link(&self) -> io::Result<Vec<u8>> {
        self.0.never()
    }

    pub(crate) fn link(&self, _: &Dir, _: &[u8]) -> io::Result<()> {
        self.0.never()
    }

    pub(crate) fn counts_names(&self) -> bool {
        self.0.never()
    }

    pub(crate) fn now(&self) -> Option<Status> {
        self.0.never()
    }
}

#[derive(Debug)]
pub(crate) struct Listing;

impl Listing {
    pub(crate) fn new(_: File) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn read(&mut self) -> Option<io::Result<(Vec<u8>, Option<Kind>)>> {
        None
    }
}

pub(crate) fn open(dir: &Dir, _: &[u8], _: For) -> io::Result<File> {
    dir.never()
}

pub(crate) fn open_listing(dir: &Dir, _: &[u8]) -> io::Result<File> {
    dir.never()
}

pub(crate) fn open_search(dir: &Dir, _: &[u8]) -> io::Result<Dir> {
    dir.never()
}

pub(crate) fn create_new(dir: &Dir, _: &[u8], _: Mode) -> io::Result<File> {
    dir.never()
}

pub(crate) fn create_dir(dir: &Dir, _: &[u8], _: Mode) -> io::Result<()> {
    dir.never()
}

pub(crate) fn symlink(_: &[u8], dir: &Dir, _: &[u8]) -> io::Result<()> {
    dir.never()
}

pub(crate) fn let_wait(_: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn set_mode(_: &File, _: Mode) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn status_of(_: &File) -> io::Result<Status> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn status_of_dir(dir: &Dir) -> io::Result<Status> {
    dir.never()
}

pub(crate) fn access(dir: &Dir, _: &[u8], _: Right) -> io::Result<()> {
    dir.never()
}

pub(crate) fn rename(from: &Dir, _: &[u8], _: &Dir, _: &[u8]) -> io::Result<()> {
    from.never()
}

pub(crate) fn rename_new(from: &Dir, _: &[u8], _: &Dir, _: &[u8]) -> io::Result<()> {
    from.never()
}

pub(crate) fn exchange(from: &Dir, _: &[u8], _: &Dir, _: &[u8]) -> io::Result<()> {
    from.never()
}

pub(crate) fn unlink(dir: &Dir, _: &[u8]) -> io::Result<()> {
    dir.never()
}

pub(crate) fn remove_dir(dir: &Dir, _: &[u8]) -> io::Result<()> {
    dir.never()
}

pub(crate) fn clone_to(_: &File, _: &Status, to: &Dir, _: &[u8]) -> io::Result<()> {
    to.never()
}

pub(crate) fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

pub(crate) fn betrays(_: &io::Error) -> Option<Change> {
    None
}

pub(crate) fn is_no_clone(error: &io::Error) -> bool {
    is_unsupported(error)
}

pub(crate) fn dir(_: File) -> io::Result<Dir> {
    Err(io::ErrorKind::Unsupported.into())
}
