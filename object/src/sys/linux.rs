//! Linux: `O_PATH` handles, runs by openat2(2), everything else by statx(2).
//!
//! No call here follows a symlink. A kernel or a seccomp filter without openat2 is met by single
//! steps, decided at each call: another thread may be under another filter.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use objcap_walk::{
    ErrorKind, Fault, Identity, Kind, Link, Ran, Reach, Refusal, Spelled, Stat, Step, path,
};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Statx, StatxFlags, fstatfs, openat,
    openat2, readlinkat, statx,
};
use rustix::io::Errno;

use super::Runs;
pub use super::unix::Dir;
pub(crate) use super::unix::share;
use super::unix::{fault, kind};

const PASS: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const PASS_DIRECTORY: OFlags = PASS.union(OFlags::DIRECTORY);

/// `STATX_MNT_ID_UNIQUE` (statx(2), since 6.8): a mount's number that is never used again.
const UNIQUE_MOUNT: StatxFlags = StatxFlags::from_bits_retain(0x4000);
const MOUNT: StatxFlags = StatxFlags::from_bits_retain(0x1000);

/// `ST_NOSYMFOLLOW` in `f_flags` (statfs(2), since 5.10).
const NOSYMFOLLOW: i64 = 0x2000;
const PROCFS: i64 = 0x9fa0;
const SECURITYFS: i64 = 0x7363_6673;
/// The inode of procfs's root directory (`PROC_ROOT_INO`).
const PROCFS_ROOT: u64 = 1;

/// File systems that tell every two names apart by their bytes (`f_type`, statfs(2)). Any other may
/// fold case or normalisation. A folder of ext4, f2fs or tmpfs that was made to fold is not known
/// for one here.
const PLAIN: &[i64] = &[
    0xef53,      // ext2, ext3, ext4
    0x5846_5342, // xfs
    0x9123_683e, // btrfs
    0xf2f5_2010, // f2fs
    0x0102_1994, // tmpfs, devtmpfs
    0x8584_58f6, // ramfs
    0x794c_7630, // overlayfs
    0x7371_7368, // squashfs
    0xe0f5_e1e2, // erofs
    PROCFS,
    SECURITYFS,
    0x6265_6572, // sysfs
    0x6367_7270, // cgroup2
    0x1cd1,      // devpts
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
];

/// What does not change from one walk to the next.
#[derive(Debug)]
pub(crate) struct Volume {
    runs: Runs,
    protected_symlinks: bool,
    /// Whether a mount's file system may fold names, by the mount's number.
    folds: Mutex<HashMap<u64, bool>>,
}

impl Volume {
    pub(crate) fn current(runs: Runs) -> Self {
        Volume {
            runs,
            // Where procfs is missing the protection is taken to be on: that is what distributions
            // set, and the narrower answer.
            protected_symlinks: read_setting(c"/proc/sys/fs/protected_symlinks") != Ok(b'0'),
            folds: Mutex::default(),
        }
    }

    /// How names are spelled in `dir`, whose mount has the given number.
    fn spelled(&self, dir: &Dir, mount: Option<u64>) -> Spelled {
        let known = |folds: &HashMap<u64, bool>| mount.and_then(|mount| folds.get(&mount).copied());
        let mut folds = self.folds.lock().unwrap_or_else(PoisonError::into_inner);
        let may_fold = known(&folds).unwrap_or_else(|| {
            let plain = fstatfs(dir).is_ok_and(|statfs| PLAIN.contains(&statfs.f_type));
            if let Some(mount) = mount {
                folds.insert(mount, !plain);
            }
            !plain
        });
        if may_fold {
            Spelled::Unknown
        } else {
            Spelled::AsGiven
        }
    }
}

/// The first byte of a setting in procfs.
fn read_setting(name: &CStr) -> Result<u8, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let setting = openat(CWD, name, flags, Mode::empty())?;
    let mut first = [0];
    rustix::io::read(setting, &mut first)?;
    Ok(first[0])
}

pub(crate) fn open_root() -> Result<Dir, Fault> {
    openat(CWD, c"/", PASS_DIRECTORY, Mode::empty())
        .map(Dir::new)
        .map_err(fault)
}

/// The current folder and the kernel's name of it.
pub(crate) fn open_current() -> Result<(Dir, Vec<u8>), Fault> {
    let dir = openat(CWD, c".", PASS_DIRECTORY, Mode::empty()).map_err(fault)?;
    let real = rustix::process::getcwd(Vec::new()).map_err(fault)?;
    Ok((Dir::new(dir), real.into_bytes()))
}

pub(crate) fn stat(volume: &Volume, dir: &Dir) -> Result<Stat, Fault> {
    let statx = ask(dir, c"", AtFlags::EMPTY_PATH).map_err(fault)?;
    Ok(describe(volume, dir, &statx))
}

pub(crate) fn look(volume: &Volume, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
    match ask(dir, name, AtFlags::empty()) {
        Ok(statx) => Ok(Some(describe(volume, dir, &statx))),
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
    let stat = describe(volume, dir, &statx);
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
pub(crate) fn run(volume: &Volume, dir: &Dir, names: &[u8]) -> Ran<Dir> {
    let mut ran = Ran {
        dir: None,
        passed: 0,
        spelled: Spelled::AsGiven,
    };
    let first = match volume.runs {
        Runs::Whole => open_run(dir, names),
        Runs::Single => Err(Errno::NOSYS),
    };
    match first {
        Ok(dir) => {
            ran.passed = path::components(names).count();
            ran.dir = Some(dir);
        }
        // No such call (ENOSYS), or a filter that forbids it (EPERM).
        Err(Errno::NOSYS | Errno::PERM) => {
            for name in path::components(names) {
                let at = ran.dir.as_ref().unwrap_or(dir);
                let Ok(next) = openat(at, name, PASS_DIRECTORY, Mode::empty()) else {
                    break;
                };
                ran.dir = Some(Dir::new(next));
                ran.passed += 1;
            }
        }
        Err(_) => {
            let mut fails = names;
            while let Some((half, other)) = halve(fails) {
                match open_run(ran.dir.as_ref().unwrap_or(dir), half) {
                    Ok(dir) => {
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

fn open_run(dir: &Dir, names: &[u8]) -> Result<Dir, Errno> {
    // Without a symlink there is no magic link either; both are named so that it can be read.
    let resolve = ResolveFlags::NO_SYMLINKS.union(ResolveFlags::NO_MAGICLINKS);
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

/// What statx said of a name in `dir`.
fn describe(volume: &Volume, dir: &Dir, statx: &Statx) -> Stat {
    let told = |flag: StatxFlags| statx.stx_mask & flag.bits() != 0;
    let mount = (told(UNIQUE_MOUNT) || told(MOUNT)).then_some(statx.stx_mnt_id);
    let born = told(StatxFlags::BTIME).then_some((statx.stx_btime.tv_sec, statx.stx_btime.tv_nsec));
    Stat {
        kind: kind(FileType::from_raw_mode(statx.stx_mode.into())),
        identity: Identity {
            device: rustix::fs::makedev(statx.stx_dev_major, statx.stx_dev_minor),
            inode: statx.stx_ino,
            mount,
            born,
        },
        spelled: volume.spelled(dir, mount),
    }
}

/// Why the kernel would not follow a link that was opened in `dir`, if it would not. The walk does
/// not leave the question to the kernel, so it has to ask what the kernel asks.
fn refusal(
    volume: &Volume,
    dir: &Dir,
    link: &Dir,
    statx: &Statx,
) -> Result<Option<Refusal>, Errno> {
    let anywhere = |kind| {
        Ok(Some(Refusal {
            kind,
            reach: Reach::Anywhere,
        }))
    };
    let statfs = fstatfs(link)?;
    if statfs.f_flags & NOSYMFOLLOW != 0 {
        return anywhere(ErrorKind::LinkRefused);
    }
    match statfs.f_type {
        // The links in procfs's root (`self`, `mounts`) are text; those below, in the folders of
        // processes, are not (proc_pid_fd(5), proc_pid_root(5)).
        PROCFS if ask(dir, c"", AtFlags::EMPTY_PATH)?.stx_ino != PROCFS_ROOT => {
            return anywhere(ErrorKind::MagicLink);
        }
        // AppArmor's `policy` is one (apparmorfs).
        SECURITYFS => return anywhere(ErrorKind::MagicLink),
        _ => {}
    }
    if !volume.protected_symlinks || statx.stx_uid == rustix::process::geteuid().as_raw() {
        return Ok(None);
    }
    // fs.protected_symlinks (proc_sys_fs(5)): in a sticky folder that everyone may write, a link is
    // followed only for its owner, or when the folder's owner made it.
    let folder = ask(dir, c"", AtFlags::EMPTY_PATH)?;
    let sticky = (Mode::SVTX | Mode::WOTH).bits();
    let guarded = u32::from(folder.stx_mode) & sticky == sticky && folder.stx_uid != statx.stx_uid;
    Ok(guarded.then_some(Refusal {
        kind: ErrorKind::PermissionDenied,
        reach: Reach::LastOnly,
    }))
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
