//! What macOS has of its own for operations: fstatat(2), `O_SYMLINK`, fclonefileat(2).

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use objcap_walk::Kind;
use rustix::fs::{AtFlags, CloneFlags, FileType, Mode as RawMode, Stat};

use super::arm::{Dir, LINK, SEARCH_NAME, identity, read_opened_link};
use super::unix::kind;
use crate::{Mode, Status, Time};

#[path = "kept.rs"]
mod kept;

pub(crate) use self::kept::*;

/// What stands at a name. A link is held; anything else is asked for by its name each time, since
/// macOS has no way to hold a device or a FIFO that does not open it.
#[derive(Debug)]
pub(crate) struct Hold<'o> {
    dir: &'o Dir,
    name: &'o [u8],
    link: Option<Dir>,
}

impl<'o> Hold<'o> {
    pub(crate) fn take(dir: &'o Dir, name: &'o [u8]) -> io::Result<Self> {
        let mut hold = Hold {
            dir,
            name,
            link: None,
        };
        if hold.status()?.kind == Kind::Symlink {
            let fd = rustix::fs::openat(dir, name, LINK, RawMode::empty())?;
            hold.link = Some(Dir::new(fd));
        }
        Ok(hold)
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        match &self.link {
            Some(link) => status(link),
            None => {
                let flags = AtFlags::SYMLINK_NOFOLLOW;
                Ok(describe(&rustix::fs::statat(self.dir, self.name, flags)?))
            }
        }
    }

    /// The text of a link: of this one, whatever its name has become.
    pub(crate) fn read_link(&self) -> io::Result<Vec<u8>> {
        match &self.link {
            Some(link) => Ok(read_opened_link(link)?),
            None => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Gives what has the name another one. Without `AT_SYMLINK_FOLLOW` a link is linked itself
    /// (link(2)).
    pub(crate) fn link(&self, to: &Dir, new: &[u8]) -> io::Result<()> {
        let itself = AtFlags::empty();
        Ok(rustix::fs::linkat(self.dir, self.name, to, new, itself)?)
    }

    /// Whether its volume keeps count of the names that an object has, for one that is held too.
    pub(crate) fn counts_names(&self) -> bool {
        self.link.is_some()
    }

    /// What the held object is by now, whatever has its name; `None` where the system holds none.
    pub(crate) fn now(&self) -> Option<Status> {
        status(self.link.as_ref()?).ok()
    }
}

pub(crate) fn status_of(file: &File) -> io::Result<Status> {
    status(file)
}

pub(crate) fn status_of_dir(dir: &Dir) -> io::Result<Status> {
    status(dir)
}

fn status(fd: impl AsFd) -> io::Result<Status> {
    Ok(describe(&rustix::fs::fstat(fd)?))
}

fn describe(stat: &Stat) -> Status {
    let time = |seconds, nanoseconds| Time {
        seconds,
        nanoseconds: u32::try_from(nanoseconds).unwrap_or(0),
    };
    Status {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        identity: identity(stat),
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mode: Mode::new(stat.st_mode.into()),
        links: stat.st_nlink.into(),
        owner: stat.st_uid,
        group: stat.st_gid,
        accessed: time(stat.st_atime, stat.st_atime_nsec),
        modified: time(stat.st_mtime, stat.st_mtime_nsec),
        changed: time(stat.st_ctime, stat.st_ctime_nsec),
    }
}

/// A handle for passing and looking, as the walk's are.
pub(crate) fn open_search(dir: &Dir, name: &[u8]) -> io::Result<Dir> {
    let fd = rustix::fs::openat(dir, name, SEARCH_NAME, RawMode::empty())?;
    Ok(Dir::new(fd))
}

/// Clones an opened file, or an opened directory with all below it (fclonefileat(2)). The clone
/// belongs to whoever makes it.
pub(crate) fn clone_to(source: &File, _: &Status, to: &Dir, name: &[u8]) -> io::Result<()> {
    let flags = CloneFlags::NOFOLLOW | CloneFlags::NOOWNERCOPY;
    Ok(rustix::fs::fclonefileat(source, to, name, flags)?)
}
