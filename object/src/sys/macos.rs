//! macOS: search handles (`O_SEARCH`), runs by `O_NOFOLLOW_ANY`, stored spellings by
//! `F_GETPATH` (of what was opened) and getattrlistat(2) (of a name).
//!
//! No call here follows a symlink, and a directory is opened for search only: that is all that the
//! kernel's own resolver holds on an ancestor, so a walk works inside a sandbox that denies reading
//! it. Written from xnu's sources and open(2); it is type-checked on Linux and runs on a Mac.

use std::ffi::CString;

use objcap_walk::{Fault, Identity, Kind, Link, Ran, Spelled, Stat, Step, path};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat as Status, fstat, getpath, openat, statat,
};
use rustix::io::Errno;

use super::Runs;
pub use super::unix::Dir;
pub(crate) use super::unix::share;
use super::unix::{fault, kind, long_current};
use crate::name;

const SEARCH: OFlags = OFlags::from_bits_retain(libc::O_SEARCH as u32).union(OFlags::CLOEXEC);
pub(super) const SEARCH_NAME: OFlags = SEARCH.union(OFlags::NOFOLLOW);
/// Refuses a symlink anywhere in the path; not to be joined with `O_NOFOLLOW` (EINVAL).
const SEARCH_RUN: OFlags = SEARCH.union(OFlags::from_bits_retain(libc::O_NOFOLLOW_ANY as u32));
/// Opens a link itself; the link's own permission to be read is not asked for (`O_EVTONLY`).
pub(super) const LINK: OFlags =
    OFlags::from_bits_retain((libc::O_SYMLINK | libc::O_EVTONLY) as u32).union(OFlags::CLOEXEC);
/// Room for the longest name, 255 UTF-16 units of up to three bytes each, and what stands before it.
const NAME_ANSWER: usize = 1024;
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

/// Nothing: a link is read and described by itself.
pub(crate) type Notes = ();

pub(crate) fn open_root() -> Result<Dir, Fault> {
    openat(CWD, c"/", SEARCH_NAME, Mode::empty())
        .map(Dir::new)
        .map_err(fault)
}

/// The current folder and the kernel's name of it.
pub(crate) fn open_current() -> Result<(Dir, Vec<u8>), Fault> {
    let dir = openat(CWD, c".", SEARCH_NAME, Mode::empty()).map_err(fault)?;
    let real = match getpath(&dir) {
        Ok(real) => real.into_bytes(),
        // A name beyond PATH_MAX (fcntl(2), F_GETPATH).
        Err(Errno::NAMETOOLONG | Errno::NOSPC) => long_current()?,
        Err(errno) => return Err(fault(errno)),
    };
    Ok((Dir::new(dir), real))
}

pub(crate) fn stat(_: &Volume, dir: &Dir) -> Result<Stat, Fault> {
    let status = fstat(dir).map_err(fault)?;
    Ok(describe(&status, stored(dir, 1)))
}

pub(crate) fn look(_: &Volume, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(status) => {
            let spelled = believed(stored_name(dir, name), name, &status);
            Ok(Some(describe(&status, spelled)))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(fault(errno)),
    }
}

pub(crate) fn step(
    volume: &Volume,
    dir: &Dir,
    name: &[u8],
    (): &mut Notes,
) -> Result<Step<Dir>, Fault> {
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
    let stat = describe(&status, believed(stored(&link, 1), name, &status));
    if stat.kind != Kind::Symlink {
        return Ok(Step::Other(stat));
    }
    let text = read_opened_link(&link).map_err(fault)?;
    Ok(Step::Link(Link {
        text,
        spelled: stat.spelled,
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
    // A run that turns is passed name by name: only so is the name of what it leaves known.
    let turns = path::components(names).any(path::is_dot);
    let whole = match volume.runs {
        Runs::Whole if !turns => openat(dir, names, SEARCH_RUN, Mode::empty()),
        Runs::Whole | Runs::Single => Err(Errno::NOSYS),
    };
    let mut told = Some(Vec::with_capacity(names.len()));
    if let Ok(fd) = whole {
        ran.passed = path::components(names).count();
        ran.dir = Some(Dir::new(fd));
    } else {
        for name in path::components(names) {
            let at = ran.dir.as_ref().unwrap_or(dir);
            let Ok(next) = openat(at, name, SEARCH_NAME, Mode::empty()) else {
                break;
            };
            let next = Dir::new(next);
            if turns {
                told = told.and_then(|text| spell_next(text, name, &next));
            }
            ran.dir = Some(next);
            ran.passed += 1;
        }
    }
    if turns {
        ran.spelled = told.map_or(Spelled::Unknown, |text| Spelled::Stored(text.into()));
        return ran;
    }
    if let Some(dir) = &ran.dir {
        ran.spelled = stored(dir, ran.passed);
    }
    ran
}

/// Adds to `text` the stored name of a directory that was opened as `name`.
fn spell_next(mut text: Vec<u8>, name: &[u8], opened: &Dir) -> Option<Vec<u8>> {
    let spelled = if path::is_dot(name) {
        Spelled::AsGiven
    } else {
        stored(opened, 1)
    };
    match &spelled {
        Spelled::AsGiven => path::push(&mut text, name),
        Spelled::Stored(stored) => path::push(&mut text, stored),
        Spelled::Unknown => return None,
    }
    Some(text)
}

/// There is nobody else to ask: each answer on the way told what the volume tells.
pub(crate) fn spell(_: &Volume, _: &Dir, _: &[u8]) -> Spelled {
    Spelled::Unknown
}

/// A stored name, if it is that of the name which was typed: of a file with several names the
/// kernel tells one. A volume may fold otherwise than by our key, and is believed where there is no
/// other name.
fn believed(spelled: Spelled, typed: &[u8], status: &Status) -> Spelled {
    match spelled {
        Spelled::Stored(stored) if *stored == *typed => Spelled::AsGiven,
        Spelled::Stored(stored)
            if status.st_nlink > 1
                && FileType::from_raw_mode(status.st_mode) != FileType::Directory
                && name::caseless(&stored) != name::caseless(typed) =>
        {
            Spelled::Unknown
        }
        spelled => spelled,
    }
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
        identity: identity(status),
        spelled,
    }
}

/// Which object fstat spoke of.
pub(super) fn identity(status: &Status) -> Identity {
    Identity {
        // A device number is signed here; its bits are what tells two apart.
        device: u64::from(status.st_dev as u32),
        inode: status.st_ino,
        mount: None,
        born: u32::try_from(status.st_birthtime_nsec)
            .ok()
            .map(|nanoseconds| (status.st_birthtime, nanoseconds)),
    }
}

/// The text of a link that was opened (`freadlink`, macOS 13).
#[expect(unsafe_code, reason = "freadlink(2) has no safe wrapper")]
pub(super) fn read_opened_link(link: &Dir) -> Result<Vec<u8>, Errno> {
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

/// The stored name of what stands at `name` (`ATTR_CMN_NAME`, getattrlist(2)). Nothing is opened, so
/// it is asked of any kind of object. A volume that tells all spellings apart gives back what was
/// typed; whether it does is not asked, since one that tells case apart still folds normal forms.
#[expect(unsafe_code, reason = "getattrlistat(2) has no safe wrapper")]
fn stored_name(dir: &Dir, name: &[u8]) -> Spelled {
    use std::os::fd::{AsFd as _, AsRawFd as _};

    let Ok(name) = CString::new(name) else {
        return Spelled::Unknown;
    };
    let mut wanted = libc::attrlist {
        bitmapcount: libc::ATTR_BIT_MAP_COUNT,
        reserved: 0,
        commonattr: libc::ATTR_CMN_NAME,
        volattr: 0,
        dirattr: 0,
        fileattr: 0,
        forkattr: 0,
    };
    let mut answer = [0_u8; NAME_ANSWER];
    // SAFETY: `dir` is open for as long as it is borrowed, `name` ends with a NUL, `wanted` is a
    // whole attrlist, and `answer` is writable for the `answer.len()` bytes that the call is told
    // of. It keeps no pointer.
    let status = unsafe {
        libc::getattrlistat(
            dir.as_fd().as_raw_fd(),
            name.as_ptr(),
            (&raw mut wanted).cast(),
            answer.as_mut_ptr().cast(),
            answer.len(),
            libc::FSOPT_NOFOLLOW.into(),
        )
    };
    let stored = if status == 0 { name_in(&answer) } else { None };
    stored.map_or(Spelled::Unknown, |stored| Spelled::Stored(stored.into()))
}

/// The name in an answer: behind the answer's length stands an `attrreference_t`, whose offset counts from
/// itself and whose length counts the final NUL.
fn name_in(answer: &[u8]) -> Option<&[u8]> {
    let word = |at: usize| Some(u32::from_ne_bytes(*answer.get(at..)?.first_chunk()?));
    let from = usize::try_from(word(4)?).ok()?.checked_add(4)?;
    let length = usize::try_from(word(8)?).ok()?.checked_sub(1)?;
    answer.get(from..from.checked_add(length)?)
}
