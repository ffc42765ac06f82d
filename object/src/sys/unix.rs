//! What Linux and macOS have in common: handles, and their errors in the words of the walk.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use objcap_walk::{ErrorKind, Fault, Kind};
use rustix::fs::FileType;
use rustix::io::Errno;

/// A handle on a directory. It is close-on-exec, and on Linux it allows no reading (`O_PATH`).
#[derive(Debug)]
pub struct Dir(OwnedFd);

impl Dir {
    pub(crate) fn new(fd: OwnedFd) -> Self {
        Dir(fd)
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Dir> for OwnedFd {
    fn from(dir: Dir) -> OwnedFd {
        dir.0
    }
}

/// Whatever descriptor it is, it must be a directory's: the first walk from it says so otherwise.
impl From<OwnedFd> for Dir {
    fn from(fd: OwnedFd) -> Dir {
        Dir(fd)
    }
}

/// Its own operations take paths, and stay beneath the directory.
impl From<Dir> for cap_std::fs::Dir {
    fn from(dir: Dir) -> cap_std::fs::Dir {
        cap_std::fs::Dir::from_std_file(File::from(dir.0))
    }
}

impl From<cap_std::fs::Dir> for Dir {
    fn from(dir: cap_std::fs::Dir) -> Dir {
        Dir(OwnedFd::from(dir.into_std_file()))
    }
}

/// The name of a current folder that is longer than the kernel tells. The C library climbs from
/// `.` to the root and looks each folder up in its parent (getcwd(3)); who asks compares identities.
pub(super) fn long_current() -> Result<Vec<u8>, Fault> {
    match std::env::current_dir() {
        Ok(real) => Ok(real.into_os_string().into_encoded_bytes()),
        Err(error) => Err(Errno::from_io_error(&error)
            .map_or_else(|| Fault::new(ErrorKind::System, error), fault)),
    }
}

/// An errno in the words of the walk.
pub(super) fn fault(errno: Errno) -> Fault {
    let kind = match errno {
        Errno::NOENT => ErrorKind::NotFound,
        Errno::NOTDIR => ErrorKind::NotADirectory,
        Errno::ACCESS => ErrorKind::PermissionDenied,
        Errno::NAMETOOLONG => ErrorKind::NameTooLong,
        _ => ErrorKind::System,
    };
    Fault::new(kind, errno.into())
}

pub(super) fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::Directory => Kind::Directory,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Symlink,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice => Kind::CharDevice,
        FileType::BlockDevice => Kind::BlockDevice,
        FileType::Unknown => Kind::Unknown,
    }
}

pub(crate) fn share(dir: &Dir) -> Result<Dir, Fault> {
    rustix::io::fcntl_dupfd_cloexec(dir, 0)
        .map(Dir)
        .map_err(fault)
}
