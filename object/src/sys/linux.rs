//! Linux: `O_PATH` handles, runs by openat2(2), everything else by statx(2).
//!
//! No call here follows a symlink. A kernel or a seccomp filter without openat2 is met by single
//! steps, decided at each call: another thread may be under another filter.

use objcap_walk::{Fault, Identity, Kind, Link, Ran, Spelled, Stat, Step, path};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Statx, StatxFlags, openat, openat2,
    readlinkat, statx,
};
use rustix::io::Errno;

use self::mounts::{Folding, Mounts, Number};
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

pub(crate) fn step(volume: &Volume, dir: &Dir, name: &[u8]) -> Result<Step<Dir>, Fault> {
    let opened = match openat(dir, name, PASS, Mode::empty()) {
        Ok(fd) => Dir::new(fd),
        Err(Errno::NOENT) => return Ok(Step::Absent),
        Err(errno) => return Err(fault(errno)),
    };
    let statx = ask(&opened, c"", AtFlags::EMPTY_PATH).map_err(fault)?;
    let stat = describe(volume, dir, &statx, || same(&opened));
    Ok(match stat.kind {
        Kind::Directory => Step::Directory(opened, stat),
        Kind::Symlink => {
            let text = readlinkat(&opened, c"", Vec::new())
                .map_err(fault)?
                .into_bytes();
            let refusal = refusal(volume, dir, &opened, &statx).map_err(fault)?;
            Step::Link(Link {
                text,
                stat,
                refusal,
            })
        }
        _ => Step::Other(stat),
    })
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
    let turns = path::components(names).any(|name| name == b"..");
    // Without a symlink there is no magic link either; both are named so that it can be read.
    let mut resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    if turns {
        resolve |= ResolveFlags::NO_XDEV;
    }
    let first = match volume.runs {
        Runs::Whole => open_run(dir, names, resolve),
        Runs::Single => Err(Errno::NOSYS),
    };
    match first {
        Ok(dir) => {
            ran.passed = path::components(names).count();
            ran.dir = Some(dir);
        }
        // No such call (ENOSYS), a filter that forbids it (EPERM), or a mount on the way (EXDEV).
        Err(Errno::NOSYS | Errno::PERM | Errno::XDEV) => {
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
                        ran.passed += path::components(half).count();
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
    openat2(dir, names, PASS_DIRECTORY, Mode::empty(), resolve).map(Dir::new)
}

/// A run of names in two halves; `None` when it is a single one.
fn halve(names: &[u8]) -> Option<(&[u8], &[u8])> {
    let half = path::components(names).count() / 2;
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
