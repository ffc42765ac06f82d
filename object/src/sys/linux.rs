//! Linux: `O_PATH` handles, runs by openat2(2), everything else by statx(2).
//!
//! No call here follows a symlink. A kernel or a seccomp filter without openat2 is met by single
//! steps, decided at each call: another thread may be under another filter.

use std::ffi::CStr;

use objcap_walk::{Fault, Identity, Kind, Link, Ran, Spelled, Stat, Step, path};
use rustix::buffer::spare_capacity;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Statx, StatxFlags, openat, openat2,
    readlinkat_raw, statx,
};
use rustix::io::Errno;

use self::mounts::{Folding, Mounts, Number};
pub(crate) use self::refusal::Notes;
use self::refusal::refusal;
pub(crate) use self::spelling::spell;

use super::Runs;
pub use super::unix::Dir;
pub(crate) use super::unix::share;
use super::unix::{fault, kind, long_current};

#[path = "linux/mounts.rs"]
mod mounts;
#[path = "linux/refusal.rs"]
mod refusal;
#[path = "linux/spelling.rs"]
mod spelling;

const PASS: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const PASS_DIRECTORY: OFlags = PASS.union(OFlags::DIRECTORY);

/// Without a symlink there is no magic link either; both are named so that it can be read.
const WITHOUT_LINKS: ResolveFlags = ResolveFlags::NO_SYMLINKS.union(ResolveFlags::NO_MAGICLINKS);
/// Room for the text of most links.
const SHORT_TEXT: usize = 256;

/// `STATX_MNT_ID_UNIQUE` (statx(2), since 6.8): a mount's number that is never used again.
pub(super) const UNIQUE_MOUNT: StatxFlags = StatxFlags::from_bits_retain(0x4000);
const MOUNT: StatxFlags = StatxFlags::from_bits_retain(0x1000);

/// What does not change from one walk to the next.
#[derive(Debug)]
pub(crate) struct Volume {
    runs: Runs,
    protected_symlinks: bool,
    mounts: Mounts,
}

impl Volume {
    pub(crate) fn current(runs: Runs) -> Self {
        Volume {
            runs,
            protected_symlinks: refusal::protects_symlinks(),
            mounts: Mounts::default(),
        }
    }
}

pub(crate) fn open_root() -> Result<Dir, Fault> {
    openat(CWD, c"/", PASS_DIRECTORY, Mode::empty())
        .map(Dir::new)
        .map_err(fault)
}

/// The current folder and the kernel's name of it.
pub(crate) fn open_current() -> Result<(Dir, Vec<u8>), Fault> {
    let dir = openat(CWD, c".", PASS_DIRECTORY, Mode::empty()).map_err(fault)?;
    let real = match rustix::process::getcwd(Vec::new()) {
        Ok(real) => real.into_bytes(),
        Err(Errno::NAMETOOLONG) => long_current()?,
        Err(errno) => return Err(fault(errno)),
    };
    Ok((Dir::new(dir), real))
}

pub(crate) fn stat(volume: &Volume, dir: &Dir) -> Result<Stat, Fault> {
    let statx = ask(dir, c"", AtFlags::EMPTY_PATH).map_err(fault)?;
    Ok(describe(volume, dir, &statx, || same(dir)))
}

pub(crate) fn look(volume: &Volume, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
    match ask(dir, name, AtFlags::empty()) {
        Ok(statx) => {
            let open = || openat(dir, name, PASS, Mode::empty()).map(Dir::new);
            Ok(Some(describe(volume, dir, &statx, open)))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(fault(errno)),
    }
}

pub(crate) fn step(
    volume: &Volume,
    dir: &Dir,
    name: &[u8],
    notes: &mut Notes,
) -> Result<Step<Dir>, Fault> {
    // What is not mounted by itself shares what was noted of its folder.
    let opened = match volume.runs {
        Runs::Whole => openat2(
            dir,
            name,
            PASS,
            Mode::empty(),
            WITHOUT_LINKS | ResolveFlags::NO_XDEV,
        ),
        Runs::Single => Err(Errno::NOSYS),
    };
    let opened = match opened {
        Ok(fd) => {
            let opened = Dir::new(fd);
            if let Some(link) = link_of(volume, dir, &opened, notes).map_err(fault)? {
                return Ok(Step::Link(link));
            }
            opened
        }
        Err(errno) if is_no_answer(errno) => match openat(dir, name, PASS, Mode::empty()) {
            Ok(fd) => Dir::new(fd),
            Err(Errno::NOENT) => return Ok(Step::Absent),
            Err(errno) => return Err(fault(errno)),
        },
        Err(Errno::NOENT) => return Ok(Step::Absent),
        Err(errno) => return Err(fault(errno)),
    };
    let statx = ask(&opened, c"", AtFlags::EMPTY_PATH).map_err(fault)?;
    let stat = describe(volume, dir, &statx, || same(&opened));
    Ok(match stat.kind {
        Kind::Directory => Step::Directory(opened, stat),
        Kind::Symlink => Step::Link(Link {
            text: text_of(&opened).map_err(fault)?,
            spelled: stat.spelled,
            refusal: refusal(volume, dir, &opened, &statx).map_err(fault)?,
        }),
        _ => Step::Other(stat),
    })
}

/// What was opened in `dir` and on its mount, if it is a link: its text tells that it is one, so the
/// folder alone is asked for the rest.
fn link_of(
    volume: &Volume,
    dir: &Dir,
    opened: &Dir,
    notes: &mut Notes,
) -> Result<Option<Link>, Errno> {
    let text = match text_of(opened) {
        Ok(text) => text,
        // What has no text is said to be absent under an empty name (readlink(2)).
        Err(Errno::NOENT | Errno::INVAL) => return Ok(None),
        Err(errno) => return Err(errno),
    };
    let folder = notes.of(volume, dir)?;
    if !folder.reads_links_only {
        return Ok(None);
    }
    Ok(Some(Link {
        text,
        spelled: folder.spelled.clone(),
        refusal: folder.refusal(opened)?,
    }))
}

/// The text of a link that was opened.
fn text_of(link: &Dir) -> Result<Vec<u8>, Errno> {
    let mut text = Vec::with_capacity(SHORT_TEXT);
    loop {
        readlinkat_raw(link, c"", spare_capacity(&mut text))?;
        // A text that fills its room may be longer.
        if text.len() < text.capacity() {
            return Ok(text);
        }
        let more = text.capacity() * 2;
        text.clear();
        text.reserve(more);
    }
}

/// Whether openat2 did not answer at all: there is no such call (ENOSYS), a filter forbids it (EPERM), or
/// a mount is on the way of one that asks to stay on its own (EXDEV).
fn is_no_answer(errno: Errno) -> bool {
    matches!(errno, Errno::NOSYS | Errno::PERM | Errno::XDEV)
}

/// Asks for the whole run at once. Where that fails, the part that fails is halved until it is one
/// name.
///
/// How the names are spelled is left to the answer that follows in the directory reached: its mount
/// tells of every mount on the way there. Not of those that were left again by `..`; a run that holds one
/// is therefore asked to stay on its mount, and is passed name by name if it does not.
pub(crate) fn run(volume: &Volume, dir: &Dir, names: &[u8]) -> Ran<Dir> {
    let mut ran = Ran {
        dir: None,
        passed: 0,
        spelled: Spelled::AsGiven,
    };
    let turns = path::rises(names);
    let mut resolve = WITHOUT_LINKS;
    if turns {
        resolve |= ResolveFlags::NO_XDEV;
    }
    let first = match volume.runs {
        Runs::Whole => open_run(dir, names, resolve),
        Runs::Single => Err(Errno::NOSYS),
    };
    match first {
        Ok(dir) => {
            ran.passed = path::count(names);
            ran.dir = Some(dir);
        }
        Err(errno) if is_no_answer(errno) => {
            for name in path::components(names) {
                let at = ran.dir.as_ref().unwrap_or(dir);
                let Ok(next) = openat(at, name, PASS_DIRECTORY, Mode::empty()) else {
                    break;
                };
                let next = Dir::new(next);
                if turns && may_fold(volume, &next) {
                    ran.spelled = Spelled::Unknown;
                }
                ran.dir = Some(next);
                ran.passed += 1;
            }
        }
        Err(_) => {
            let mut fails = names;
            while let Some((half, other)) = halve(fails) {
                match open_run(ran.dir.as_ref().unwrap_or(dir), half, resolve) {
                    Ok(dir) => {
                        if turns && may_fold(volume, &dir) {
                            ran.spelled = Spelled::Unknown;
                        }
                        ran.passed += path::count(half);
                        ran.dir = Some(dir);
                        fails = other;
                    }
                    Err(_) => fails = half,
                }
            }
        }
    }
    ran
}

/// Whether a directory, or one on the way to it, may be spelled otherwise.
fn may_fold(volume: &Volume, dir: &Dir) -> bool {
    spelling::mount_of(volume, dir).is_none_or(|mount| mount.way != Folding::Never)
}

fn open_run(dir: &Dir, names: &[u8], resolve: ResolveFlags) -> Result<Dir, Errno> {
    if names.len() < 512 {
        open_copied::<512>(dir, names, resolve)
    } else {
        open_copied::<{ path::PATH_LIMIT + 1 }>(dir, names, resolve)
    }
}

/// Opens a run that has room in `ROOM` bytes with the NUL that the call wants behind it. Asked without
/// one, rustix copies a long text to the heap, and looks through it byte by byte.
#[expect(
    unsafe_code,
    reason = "the safe way looks through the text byte by byte"
)]
fn open_copied<const ROOM: usize>(
    dir: &Dir,
    names: &[u8],
    resolve: ResolveFlags,
) -> Result<Dir, Errno> {
    let mut text = [0; ROOM];
    let place = text.get_mut(..names.len()).ok_or(Errno::NAMETOOLONG)?;
    place.copy_from_slice(names);
    let text = text.get(..=names.len()).ok_or(Errno::NAMETOOLONG)?;
    if names.contains(&0) {
        return Err(Errno::INVAL);
    }
    // SAFETY: `text` is `names`, in which there is no NUL, and one byte of the zeroes behind it.
    let names = unsafe { CStr::from_bytes_with_nul_unchecked(text) };
    openat2(dir, names, PASS_DIRECTORY, Mode::empty(), resolve).map(Dir::new)
}

/// A run of names in two halves; `None` when it is a single one.
fn halve(names: &[u8]) -> Option<(&[u8], &[u8])> {
    let half = path::count(names) / 2;
    let mut left = names;
    for _ in 0..half {
        (_, left) = path::split_first(left)?;
    }
    let (half, other) = names.split_at_checked(names.len() - left.len())?;
    (!half.is_empty()).then(|| (half, path::trim_start(other)))
}

fn ask(dir: &Dir, name: impl rustix::path::Arg, flags: AtFlags) -> Result<Statx, Errno> {
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME | UNIQUE_MOUNT;
    statx(dir, name, flags | AtFlags::SYMLINK_NOFOLLOW, wanted)
}

/// A second handle on an opened object.
fn same(opened: &Dir) -> Result<Dir, Errno> {
    rustix::io::fcntl_dupfd_cloexec(opened, 0).map(Dir::new)
}

/// The number of the mount that statx saw; `None` where the kernel numbers none.
fn number(statx: &Statx) -> Option<Number> {
    let told = statx.stx_mask & (UNIQUE_MOUNT | MOUNT).bits() != 0;
    told.then_some((statx.stx_mnt_id, device(statx)))
}

fn device(statx: &Statx) -> u64 {
    rustix::fs::makedev(statx.stx_dev_major, statx.stx_dev_minor)
}

/// Which object statx spoke of.
pub(super) fn identity(statx: &Statx) -> Identity {
    let born = statx.stx_mask & StatxFlags::BTIME.bits() != 0;
    Identity {
        device: device(statx),
        inode: statx.stx_ino,
        mount: number(statx).map(|(mount, _)| mount),
        born: born.then_some((statx.stx_btime.tv_sec, statx.stx_btime.tv_nsec)),
    }
}

/// What statx said of an object in `dir`, which `open` opens.
fn describe(
    volume: &Volume,
    dir: &Dir,
    statx: &Statx,
    open: impl FnOnce() -> Result<Dir, Errno>,
) -> Stat {
    Stat {
        kind: kind(FileType::from_raw_mode(statx.stx_mode.into())),
        identity: identity(statx),
        spelled: spelling::on_the_way(volume.mounts.get(number(statx), open), dir),
    }
}

#[cfg(test)]
mod tests {
    use super::halve;

    #[test]
    fn a_run_is_halved_between_two_names() {
        let table: [(&str, Option<(&str, &str)>); 5] = [
            ("a", None),
            ("a/b", Some(("a", "b"))),
            ("a//b/c", Some(("a", "b/c"))),
            ("a/./../d", Some(("a/.", "../d"))),
            ("", None),
        ];
        for (names, want) in table {
            let want = want.map(|(half, other)| (half.as_bytes(), other.as_bytes()));
            assert_eq!(halve(names.as_bytes()), want, "{names}");
        }
    }
}
