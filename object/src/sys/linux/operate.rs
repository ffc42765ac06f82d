//! What Linux has of its own for operations: `O_PATH` holds, statx(2), `FICLONE`.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use objcap_walk::Kind;
use rustix::fs::{AtFlags, FileType, Mode as RawMode, OFlags, Statx, StatxFlags, StatxTimestamp};
use rustix::io::Errno;

use super::arm::{Dir, UNIQUE_MOUNT, identity};
use super::unix::kind;
use super::unix_operate::{create_new, unlink};
use crate::{Mode, Status, Time};

#[path = "kept.rs"]
mod kept;

pub(crate) use self::kept::*;

const HOLD: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// File systems on which an object that loses a name is seen to have one less (`f_type`,
/// statfs(2)). An overlay hides a file of its lower layer, which loses no name; a server says what
/// it likes.
const COUNTING: &[i64] = &[
    0xef53,      // ext2, ext3, ext4
    0x5846_5342, // xfs
    0x9123_683e, // btrfs
    0xf2f5_2010, // f2fs
    0x0102_1994, // tmpfs
];

/// What stands at a name, held without being opened: neither a device nor a FIFO notices, and no
/// permission on the object is asked for.
#[derive(Debug)]
pub(crate) struct Hold<'o> {
    fd: OwnedFd,
    dir: &'o Dir,
    name: &'o [u8],
}

impl<'o> Hold<'o> {
    pub(crate) fn take(dir: &'o Dir, name: &'o [u8]) -> io::Result<Self> {
        let fd = rustix::fs::openat(dir, name, HOLD, RawMode::empty())?;
        Ok(Hold { fd, dir, name })
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        status(&self.fd)
    }

    /// The text of a link: of this one, whatever its name has become.
    pub(crate) fn read_link(&self) -> io::Result<Vec<u8>> {
        Ok(rustix::fs::readlinkat(&self.fd, c"", Vec::new())?.into_bytes())
    }

    /// Gives what is held another name. Since 6.10 whoever opened it may (linkat(2),
    /// `AT_EMPTY_PATH`); before, only with `CAP_DAC_READ_SEARCH`, and then by its name.
    pub(crate) fn link(&self, to: &Dir, new: &[u8]) -> io::Result<()> {
        match rustix::fs::linkat(&self.fd, c"", to, new, AtFlags::EMPTY_PATH) {
            // "No such capability" is said as ENOENT, and so is "no such directory any more".
            Err(Errno::NOENT | Errno::INVAL) => {
                let by_name = AtFlags::empty();
                Ok(rustix::fs::linkat(self.dir, self.name, to, new, by_name)?)
            }
            answer => Ok(answer?),
        }
    }

    /// Whether its volume keeps count of the names that an object has, for one that is held too.
    pub(crate) fn counts_names(&self) -> bool {
        rustix::fs::fstatfs(&self.fd).is_ok_and(|statfs| COUNTING.contains(&statfs.f_type))
    }

    /// What the held object is by now, whatever has its name; `None` where the system holds none.
    pub(crate) fn now(&self) -> Option<Status> {
        self.status().ok()
    }
}

pub(crate) fn status_of(file: &File) -> io::Result<Status> {
    status(file)
}

pub(crate) fn status_of_dir(dir: &Dir) -> io::Result<Status> {
    status(dir)
}

fn status(fd: impl AsFd) -> io::Result<Status> {
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME | UNIQUE_MOUNT;
    Ok(describe(&rustix::fs::statx(
        fd,
        c"",
        AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW,
        wanted,
    )?))
}

fn describe(statx: &Statx) -> Status {
    let time = |time: &StatxTimestamp| Time {
        seconds: time.tv_sec,
        nanoseconds: time.tv_nsec,
    };
    Status {
        kind: kind(FileType::from_raw_mode(statx.stx_mode.into())),
        identity: identity(statx),
        size: statx.stx_size,
        mode: Mode::new(statx.stx_mode.into()),
        links: statx.stx_nlink.into(),
        owner: statx.stx_uid,
        group: statx.stx_gid,
        accessed: time(&statx.stx_atime),
        modified: time(&statx.stx_mtime),
        changed: time(&statx.stx_ctime),
    }
}

/// A handle for passing and looking, as the walk's are.
pub(crate) fn open_search(dir: &Dir, name: &[u8]) -> io::Result<Dir> {
    let fd = rustix::fs::openat(dir, name, HOLD | OFlags::DIRECTORY, RawMode::empty())?;
    Ok(Dir::new(fd))
}

/// Makes a file that shares the source's data. Directories are not cloned (ioctl_ficlone(2)).
pub(crate) fn clone_to(source: &File, status: &Status, to: &Dir, name: &[u8]) -> io::Result<()> {
    if status.kind != Kind::File {
        return Err(Errno::OPNOTSUPP.into());
    }
    let made = create_new(to, name, status.mode.permissions())?;
    rustix::fs::ioctl_ficlone(&made, source).map_err(|errno| {
        forget(&made, to, name);
        errno.into()
    })
}

/// Takes a file that was made here away again, unless something else has its name by now.
fn forget(made: &File, dir: &Dir, name: &[u8]) {
    let made = status_of(made).map(|status| status.identity);
    let there = Hold::take(dir, name).and_then(|hold| hold.status());
    if matches!((made, there), (Ok(made), Ok(there)) if made == there.identity) {
        // The failure that led here is the one to report.
        let _ = unlink(dir, name);
    }
}
