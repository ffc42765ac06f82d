//! An object kept by a handle that is for events alone (`O_EVTONLY`), and the kernel's own names of
//! things (`F_GETPATH`).

use std::io;
use std::path::PathBuf;

use objcap_walk::{Kind, path};
use rustix::fs::{AtFlags, Mode, getpath, openat, statat};
use rustix::io::Errno;

use super::super::arm::{Dir, LINK, SEARCH_NAME};
use super::super::unix::share;
use super::{describe, status};
use crate::Status;

/// An object, whatever its name has become, or what stands at a name in a directory wherever that
/// has gone: macOS opens no socket, and has no handle on a device or a FIFO that does not open it.
#[derive(Debug)]
pub(crate) enum Kept {
    Opened(Dir),
    Named(Dir, Vec<u8>),
}

impl Kept {
    pub(crate) fn take(dir: &Dir, name: &[u8], kind: Kind) -> io::Result<Self> {
        let flags = match kind {
            Kind::Directory => SEARCH_NAME,
            // With `O_SYMLINK` no link is followed, and any other object is opened as without.
            Kind::File | Kind::Symlink => LINK,
            _ => {
                let dir = share(dir).map_err(io::Error::other)?;
                return Ok(Kept::Named(dir, name.to_vec()));
            }
        };
        Ok(Kept::Opened(Dir::new(openat(
            dir,
            name,
            flags,
            Mode::empty(),
        )?)))
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        match self {
            Kept::Opened(opened) => status(opened),
            Kept::Named(dir, name) => {
                let flags = AtFlags::SYMLINK_NOFOLLOW;
                Ok(describe(&statat(dir, &name[..], flags)?))
            }
        }
    }

    /// By which path the kernel knows it; `None` when it has none any more.
    pub(crate) fn told(&self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Kept::Opened(opened) => told(opened),
            Kept::Named(dir, name) => Ok(told(dir)?.map(|real| path::join(&real, name))),
        }
    }
}

/// By which path the kernel knows an object that is held (fcntl(2), `F_GETPATH`).
pub(crate) fn told(held: &Dir) -> io::Result<Option<Vec<u8>>> {
    match getpath(held) {
        Ok(real) => Ok(Some(real.into_bytes())),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

/// The program that runs, by the name that it was started with (dyld(3), `_NSGetExecutablePath`, which
/// asks no file system).
pub(crate) fn own_executable() -> io::Result<PathBuf> {
    std::env::current_exe()
}
