//! The kernel's own answers: what a path leads to when the kernel resolves it, links and all, and
//! by which name the kernel knows what it reached. Linux only; procfs is needed here, not by the
//! product.

use std::ffi::OsStr;
use std::fmt;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;

use objcap_object::{Leaf, Links, Options, Require};
use rustix::fs::{
    CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat2, readlink, readlinkat, unlink,
};
use rustix::io::Errno;

use crate::world::Ground;

/// What the kernel reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The object: device and inode.
    pub id: (u64, u64),
    /// What kind of object it is.
    pub kind: FileType,
    /// The kernel's own name of it, from the root of the machine.
    pub name: Name,
}

/// What `path` leads to from `dir`, which is the root of a scoped question.
pub fn resolve(
    dir: impl AsFd,
    path: &[u8],
    ground: Ground,
    options: &Options,
) -> Result<Reached, Errno> {
    let mut flags = OFlags::PATH;
    if options.leaf == Leaf::AsNamed {
        flags |= OFlags::NOFOLLOW;
    }
    if options.require == Require::Directory {
        flags |= OFlags::DIRECTORY;
    }
    reached(&open(dir, path, flags, scope(ground, options))?)
}

/// What stands at a real path, when not one link is followed on the way to it.
pub fn stands_at(real: &Name) -> Result<Reached, Errno> {
    reached(&open_as_named(real)?)
}

/// The text of the link at a real path.
pub fn link_text(real: &Name) -> Result<Name, Errno> {
    let text = readlinkat(open_as_named(real)?, c"", Vec::new())?;
    Ok(Name(text.into_bytes()))
}

/// Where the kernel puts the file when it is told to make what `path` leads to. The file is gone
/// again afterwards.
pub fn made_at(
    dir: impl AsFd,
    path: &[u8],
    ground: Ground,
    options: &Options,
) -> Result<Name, Errno> {
    let flags = OFlags::CREATE | OFlags::WRONLY;
    let name = reached(&open(dir, path, flags, scope(ground, options))?)?.name;
    unlink(OsStr::from_bytes(&name.0))?;
    Ok(name)
}

fn open_as_named(real: &Name) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW;
    open(CWD, &real.0, flags, ResolveFlags::NO_SYMLINKS)
}

fn scope(ground: Ground, options: &Options) -> ResolveFlags {
    let scope = match ground {
        Ground::Machine => ResolveFlags::empty(),
        Ground::InRoot => ResolveFlags::IN_ROOT,
        Ground::Beneath => ResolveFlags::BENEATH,
    };
    match options.links {
        Links::Follow => scope,
        Links::Refuse => scope | ResolveFlags::NO_SYMLINKS,
    }
}

fn open(
    dir: impl AsFd,
    path: &[u8],
    flags: OFlags,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    let mode = if flags.contains(OFlags::CREATE) {
        Mode::RUSR
    } else {
        Mode::empty()
    };
    loop {
        // A scoped `..` fails so whenever a rename happened anywhere meanwhile (openat2(2)).
        match openat2(&dir, path, flags | OFlags::CLOEXEC, mode, resolve) {
            Err(Errno::AGAIN) => {}
            answer => return answer,
        }
    }
}

fn reached(fd: &OwnedFd) -> Result<Reached, Errno> {
    use std::os::fd::AsRawFd as _;
    let stat = fstat(fd)?;
    let name = readlink(format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new())?;
    Ok(Reached {
        id: (stat.st_dev, stat.st_ino),
        kind: FileType::from_raw_mode(stat.st_mode),
        name: Name(name.into_bytes()),
    })
}

/// A path, or a link's text, that a failing test can show.
#[derive(Clone, PartialEq, Eq)]
pub struct Name(pub Vec<u8>);

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Self {
        Name(bytes.to_vec())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0.escape_ascii())
    }
}
