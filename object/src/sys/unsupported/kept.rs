//! Objects kept on any other system: there are none.

use std::io;
use std::path::PathBuf;

use objcap_walk::Kind;

use super::super::arm::Dir;
use crate::Status;

#[derive(Debug)]
pub(crate) struct Kept(Dir);

impl Kept {
    pub(crate) fn take(dir: &Dir, _: &[u8], _: Kind) -> io::Result<Self> {
        dir.never()
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        self.0.never()
    }

    pub(crate) fn told(&self) -> io::Result<Option<Vec<u8>>> {
        self.0.never()
    }
}

pub(crate) fn told(dir: &Dir) -> io::Result<Option<Vec<u8>>> {
    dir.never()
}

pub(crate) fn own_executable() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// Nobody: no object is owned here.
pub(crate) fn effective_user() -> u32 {
    u32::MAX
}
