//! macOS: search handles (`O_SEARCH`), runs by `O_NOFOLLOW_ANY`, stored spellings by `F_GETPATH`.
//!
//! No call here follows a symlink, and a directory is opened for search only: that is all that the
//! kernel's own resolver holds on an ancestor, so a walk works inside a sandbox that denies reading
//! it. Written from xnu's sources and open(2); it is type-checked on Linux and runs on a Mac.

use objcap_walk::{Fault, Identity, Kind, Link, Ran, Spelled, Stat, Step, path};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat as Status, fstat, getpath, openat, statat,
};
use rustix::io::Errno;

use super::Runs;
pub use super::unix::Dir;
pub(crate) use super::unix::share;
use super::unix::{fault, kind};

const SEARCH: OFlags = OFlags::from_bits_retain(libc::O_SEARCH as u32).union(OFlags::CLOEXEC);
const SEARCH_NAME: OFlags = SEARCH.union(OFlags::NOFOLLOW);
/// Refuses a symlink anywhere in the path; not to be joined with `O_NOFOLLOW` (EINVAL).
const SEARCH_RUN: OFlags = SEARCH.union(OFlags::from_bits_retain(libc::O_NOFOLLOW_ANY as u32));
/// Opens a link itself; the link's own permission to be read is not asked for (`O_EVTONLY`).
const LINK: OFlags =
    OFlags::from_bits_retain((libc::O_SYMLINK | libc::O_EVTONLY) as u32).union(OFlags::CLOEXEC);
/// A link's text is shorter than a path (`PATH_MAX`, 1,024).
const TEXT_LIMIT: usize = 1024;

#[derive(Debug)]
pub(crate) struct Volume {
    runs: Runs,
}

impl Volume {
    pub(crate) fn current(runs: Runs) -> Self {
        Volume { runs }
    }
}

pub(crate) fn open_root() -> Result<Dir, Fault> {
    openat(CWD, c"/", SEARCH_NAME, Mode::empty())
        .map(Dir::new)
        .map_err(fault)
}

/// The current folder and the kernel's name of it.
pub(crate) fn open_current() -> Result<(Dir, Vec<u8>), Fault> {
    let dir = openat(CWD, c".", SEARCH_NAME, Mode::empty()).map_err(fault)?;
    let real = getpath(&dir).map_err(fault)?;
    Ok((Dir::new(dir), real.into_bytes()))
}

pub(crate) fn stat(_: &Volume, dir: &Dir) -> Result<Stat, Fault> {
    let status = fstat(dir).map_err(fault)?;
    Ok(describe(&status, stored(dir, 1)))
}

pub(crate) fn look(_: &Volume, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(status) => Ok(Some(describe(&status, Spelled::Unknown))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(fault(errno)),
    }
}

pub(crate) fn step(volume: &Volume, dir: &Dir, name: &[u8]) -> Result<Step<Dir>, Fault> {
    match openat(dir, name, SEARCH_NAME, Mode::empty()) {
        Ok(fd) => {
            let opened = Dir::new(fd);
            let stat = stat(volume, &opened)?;
            return Ok(Step::Directory(opened, stat));
        }
        Err(Errno::NOENT) => return Ok(Step::Absent),
        // With O_DIRECTORY a link is "not a directory" to some versions and a loop to others.
        Err(Errno::NOTDIR | Errno::LOOP) => {}
        Err(errno) => return Err(fault(errno)),
    }
    let Some(stat) = look(volume, dir, name)? else {
        return Ok(Step::Absent);
    };
    if stat.kind != Kind::Symlink {
        return Ok(Step::Other(stat));
    }
    let link = Dir::new(openat(dir, name, LINK, Mode::empty()).map_err(fault)?);
    let status = fstat(&link).map_err(fault)?;
    let stat = describe(&status, stored(&link, 1));
    if stat.kind != Kind::Symlink {
        return Ok(Step::Other(stat));
    }
    let text = read_opened_link(&link).map_err(fault)?;
    Ok(Step::Link(Link {
        text,
        stat,
        refusal: None,
    }))
}

/// Asks for the whole run at once; where that fails, name by name.
pub(crate) fn run(volume: &Volume, dir: &Dir, names: &[u8]) -> Ran<Dir> {
    let mut ran = Ran {
        dir: None,
        passed: 0,
        spelled: Spelled::AsGiven,
    };
    let whole = match volume.runs {
        Runs::Whole => openat(dir, names, SEARCH_RUN, Mode::empty()),
        Runs::Single => Err(Errno::NOSYS),
    };
    if let Ok(fd) = whole {
        ran.passed = path::components(names).count();
        ran.dir = Some(Dir::new(fd));
    } else {
        for name in path::components(names) {
            let at = ran.dir.as_ref().unwrap_or(dir);
            let Ok(next) = openat(at, name, SEARCH_NAME, Mode::empty()) else {
                break;
            };
            ran.dir = Some(Dir::new(next));
            ran.passed += 1;
        }
    }
    if let Some(dir) = &ran.dir {
        ran.spelled = stored(dir, ran.passed);
    }
    ran
}

/// The last `count` names of an open object as its volume stores them. The kernel knows an object
/// by one of its names: of a file with several, it may be another than the one that was opened.
fn stored(opened: &Dir, count: usize) -> Spelled {
    let Ok(real) = getpath(opened) else {
        return Spelled::Unknown;
    };
    let real = real.into_bytes();
    let names: Vec<_> = path::components(&real).rev().take(count).collect();
    if names.len() < count {
        // The root's own name, or a mount below it that counts fewer names.
        return Spelled::AsGiven;
    }
    Spelled::Stored(
        names
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
            .join(&b'/')
            .into(),
    )
}

fn describe(status: &Status, spelled: Spelled) -> Stat {
    Stat {
        kind: kind(FileType::from_raw_mode(status.st_mode)),
        identity: Identity {
            // A device number is signed here; its bits are what tells two apart.
            device: u64::from(status.st_dev as u32),
            inode: status.st_ino,
            mount: None,
            born: u32::try_from(status.st_birthtime_nsec)
                .ok()
                .map(|nanoseconds| (status.st_birthtime, nanoseconds)),
        },
        spelled,
    }
}

/// The text of a link that was opened (`freadlink`, macOS 13).
#[expect(unsafe_code, reason = "freadlink(2) has no safe wrapper")]
fn read_opened_link(link: &Dir) -> Result<Vec<u8>, Errno> {
    use std::os::fd::{AsFd as _, AsRawFd as _};

    let mut text = vec![0_u8; TEXT_LIMIT];
    let fd = link.as_fd().as_raw_fd();
    // SAFETY: `fd` is open for as long as `link` is borrowed, and `text` is writable for the
    // `text.len()` bytes that the call is told of. It writes no NUL and keeps no pointer.
    let length = unsafe { libc::freadlink(fd, text.as_mut_ptr().cast(), text.len()) };
    match usize::try_from(length) {
        Ok(length) => {
            text.truncate(length);
            Ok(text)
        }
        Err(_) => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}
