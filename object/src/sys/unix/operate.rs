//! Operations on a name in a held directory, where Linux and macOS agree. No call here follows a
//! symlink, and none blocks on what it opens.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;

use objcap_walk::Kind;
use rustix::fs::{AtFlags, Mode as RawMode, OFlags, RawMode as Bits, RenameFlags};
use rustix::io::Errno;

use super::unix::{Dir, kind};
use crate::{Change, For, Mode, Right};

/// What every open here has: the name itself, no wait for the other end of a FIFO or for a line,
/// no controlling terminal, nothing for a child to inherit.
const OPEN: OFlags = OFlags::NOFOLLOW
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

fn mode(mode: Mode) -> RawMode {
    // `mode_t` has 16 bits on macOS; permissions have twelve.
    RawMode::from_raw_mode(mode.bits() as Bits)
}

pub(crate) fn open(dir: &Dir, name: &[u8], purpose: For) -> io::Result<File> {
    let purpose = match purpose {
        For::Read => OFlags::RDONLY,
        For::Write => OFlags::WRONLY,
        For::ReadWrite => OFlags::RDWR,
        For::Append => OFlags::WRONLY | OFlags::APPEND,
    };
    let fd = rustix::fs::openat(dir, name, OPEN | purpose, RawMode::empty())?;
    Ok(File::from(fd))
}

/// A directory, for reading its entries and for writing it to disk.
pub(crate) fn open_listing(dir: &Dir, name: &[u8]) -> io::Result<File> {
    let flags = OPEN | OFlags::RDONLY | OFlags::DIRECTORY;
    let fd = rustix::fs::openat(dir, name, flags, RawMode::empty())?;
    Ok(File::from(fd))
}

/// A file in a place where nothing stands, for reading and writing.
pub(crate) fn create_new(dir: &Dir, name: &[u8], permissions: Mode) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::CREATE | OFlags::EXCL | OFlags::RDWR;
    let fd = rustix::fs::openat(dir, name, flags, mode(permissions))?;
    Ok(File::from(fd))
}

pub(crate) fn create_dir(dir: &Dir, name: &[u8], permissions: Mode) -> io::Result<()> {
    Ok(rustix::fs::mkdirat(dir, name, mode(permissions))?)
}

pub(crate) fn symlink(text: &[u8], dir: &Dir, name: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::symlinkat(text, dir, name)?)
}

/// Makes reads and writes wait again, as they do on a file that was opened without `O_NONBLOCK`.
pub(crate) fn let_wait(file: &File) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(file)?;
    Ok(rustix::fs::fcntl_setfl(
        file,
        flags.difference(OFlags::NONBLOCK),
    )?)
}

pub(crate) fn set_mode(file: &File, permissions: Mode) -> io::Result<()> {
    file.set_permissions(std::fs::Permissions::from_mode(permissions.bits()))
}

/// As the process's effective user. Rights are asked of the name itself: where the system can do so
/// only by following a link (Linux before 5.8), it says that it cannot.
pub(crate) fn access(dir: &Dir, name: &[u8], right: Right) -> io::Result<()> {
    let right = match right {
        Right::Read => rustix::fs::Access::READ_OK,
        Right::Write => rustix::fs::Access::WRITE_OK,
        Right::Execute => rustix::fs::Access::EXEC_OK,
    };
    let flags = AtFlags::EACCESS | AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::accessat(dir, name, right, flags)?)
}

/// The user whose rights count.
pub(crate) fn effective_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Takes the place of whatever has the new name.
pub(crate) fn rename(from: &Dir, old: &[u8], to: &Dir, new: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::renameat(from, old, to, new)?)
}

/// Fails when something has the new name (`RENAME_NOREPLACE`, `RENAME_EXCL`). A file system of Linux
/// that does not know the flag says EINVAL (renameat2(2)).
pub(crate) fn rename_new(from: &Dir, old: &[u8], to: &Dir, new: &[u8]) -> io::Result<()> {
    let flags = RenameFlags::NOREPLACE;
    Ok(rustix::fs::renameat_with(from, old, to, new, flags)?)
}

/// Exchanges two objects (`RENAME_EXCHANGE`, `RENAME_SWAP`).
pub(crate) fn exchange(from: &Dir, old: &[u8], to: &Dir, new: &[u8]) -> io::Result<()> {
    let flags = RenameFlags::EXCHANGE;
    Ok(rustix::fs::renameat_with(from, old, to, new, flags)?)
}

pub(crate) fn unlink(dir: &Dir, name: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::empty())?)
}

pub(crate) fn remove_dir(dir: &Dir, name: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
}

/// Whether the system has no such operation, here or at all.
pub(crate) fn is_unsupported(error: &io::Error) -> bool {
    let unsupported = [Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
    Errno::from_io_error(error).is_some_and(|errno| unsupported.contains(&errno))
}

/// What an error shows of a name that was walked to a file or a directory: that it is a link, or of
/// another kind. The system gives none of these for what was walked.
pub(crate) fn betrays(error: &io::Error) -> Option<Change> {
    match Errno::from_io_error(error)? {
        // `O_NOFOLLOW` on a link.
        Errno::LOOP => Some(Change::BecameLink),
        // A directory for writing or for unlink; `O_DIRECTORY` or rmdir on what is none; a socket,
        // or a FIFO that nobody reads.
        Errno::ISDIR | Errno::NOTDIR | Errno::NXIO => Some(Change::Kind),
        _ => None,
    }
}

/// Whether a clone was refused because of what the two volumes are or can do (ioctl_ficlone(2),
/// clonefile(2)).
pub(crate) fn is_no_clone(error: &io::Error) -> bool {
    let refused = [Errno::XDEV, Errno::INVAL, Errno::NOTTY, Errno::TXTBSY];
    is_unsupported(error)
        || Errno::from_io_error(error).is_some_and(|errno| refused.contains(&errno))
}

/// The entries of a directory that was opened for reading.
#[derive(Debug)]
pub(crate) struct Listing(rustix::fs::Dir);

impl Listing {
    pub(crate) fn new(dir: File) -> io::Result<Self> {
        Ok(Listing(rustix::fs::Dir::new(OwnedFd::from(dir))?))
    }

    /// The next name that is not `.` or `..`, and its kind, where the directory tells.
    pub(crate) fn read(&mut self) -> Option<io::Result<(Vec<u8>, Option<Kind>)>> {
        loop {
            let entry = match self.0.read()? {
                Ok(entry) => entry,
                Err(errno) => return Some(Err(errno.into())),
            };
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = Some(kind(entry.file_type())).filter(|&kind| kind != Kind::Unknown);
            return Some(Ok((name.to_vec(), kind)));
        }
    }
}

/// An opened directory as a handle.
pub(crate) fn dir(file: File) -> io::Result<Dir> {
    Ok(Dir::new(OwnedFd::from(file)))
}
