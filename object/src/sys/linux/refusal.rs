//! Links that exist and can be read, and that the kernel would still not follow. The walk does not
//! leave the question to the kernel, so it has to ask what the kernel asks.

use std::ffi::CStr;

use objcap_walk::{ErrorKind, Reach, Refusal, Spelled};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatFs, Statx, fstatfs, openat};
use rustix::io::Errno;

use super::{Dir, Volume, ask, number, same, spelling};

/// `ST_NOSYMFOLLOW` in `f_flags` (statfs(2), since 5.10).
const NOSYMFOLLOW: i64 = 0x2000;
const PROCFS: i64 = 0x9fa0;
const SECURITYFS: i64 = 0x7363_6673;
/// A folder of it may be a mount point that has a text, as links have (`AFS_FS_MAGIC`).
const AFS: i64 = 0x6b41_4653;
/// The inode of procfs's root directory (`PROC_ROOT_INO`).
const PROCFS_ROOT: u64 = 1;

/// Whether `fs.protected_symlinks` (proc_sys_fs(5)) is on. Where procfs is missing it is taken to be:
/// that is what distributions set, and the narrower answer.
pub(super) fn protects_symlinks() -> bool {
    read_setting(c"/proc/sys/fs/protected_symlinks") != Ok(b'0')
}

/// The first byte of a setting in procfs.
fn read_setting(name: &CStr) -> Result<u8, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let setting = openat(CWD, name, flags, Mode::empty())?;
    let mut first = [0];
    rustix::io::read(setting, &mut first)?;
    Ok(first[0])
}

/// What the links of a folder share, if they stand on its own mount. It is asked when the first of
/// them is met, and holds while a walk stands in the folder; the next walk asks again, since a mount
/// and a folder's mode may change.
#[derive(Debug, Default)]
pub struct Notes(Option<Folder>);

/// A folder that has links.
#[derive(Debug)]
pub(super) struct Folder {
    /// Whether whatever has a text is a link.
    pub(super) reads_links_only: bool,
    /// How the names in it are spelled.
    pub(super) spelled: Spelled,
    /// Why no link in it is followed.
    refusal: Option<Refusal>,
    /// The folder's owner, if only certain owners' links are followed.
    guarded: Option<u32>,
}

impl Notes {
    /// Those on `dir`, asked for if there are none.
    pub(super) fn of(&mut self, volume: &Volume, dir: &Dir) -> Result<&Folder, Errno> {
        match &mut self.0 {
            Some(folder) => Ok(folder),
            none => Ok(none.insert(Folder::ask(volume, dir)?)),
        }
    }
}

impl Folder {
    fn ask(volume: &Volume, dir: &Dir) -> Result<Self, Errno> {
        let statfs = fstatfs(dir)?;
        let statx = ask(dir, c"", AtFlags::EMPTY_PATH)?;
        let mount = volume.mounts.get(number(&statx), || same(dir));
        Ok(Folder {
            reads_links_only: statfs.f_type != AFS,
            spelled: spelling::on_the_way(mount, dir),
            refusal: anywhere(&statfs, || statx.stx_ino == PROCFS_ROOT),
            guarded: guarded(volume, &statx),
        })
    }

    /// Why the kernel would not follow a link of the folder.
    pub(super) fn refusal(&self, link: &Dir) -> Result<Option<Refusal>, Errno> {
        match (self.refusal, self.guarded) {
            (None, Some(owner)) => {
                let statx = ask(link, c"", AtFlags::EMPTY_PATH)?;
                Ok(for_owner(owner, &statx))
            }
            (refusal, _) => Ok(refusal),
        }
    }
}

/// Why the kernel would not follow a link that was opened in `dir`, wherever it is mounted.
pub(super) fn refusal(
    volume: &Volume,
    dir: &Dir,
    link: &Dir,
    statx: &Statx,
) -> Result<Option<Refusal>, Errno> {
    let statfs = fstatfs(link)?;
    let folder = ask(dir, c"", AtFlags::EMPTY_PATH)?;
    // A link can be mounted itself: in another file system, whose root may have the same number, or
    // over one of procfs's.
    let mount = |of: &Statx| (of.stx_dev_major, of.stx_dev_minor, of.stx_mnt_id);
    let in_root = || folder.stx_ino == PROCFS_ROOT && mount(&folder) == mount(statx);
    let anywhere = anywhere(&statfs, in_root);
    let for_owner = || guarded(volume, &folder).and_then(|owner| for_owner(owner, statx));
    Ok(anywhere.or_else(for_owner))
}

/// Why a link is not followed wherever it stands in a path. `in_root` tells whether it stands in the
/// root of its volume.
fn anywhere(statfs: &StatFs, in_root: impl FnOnce() -> bool) -> Option<Refusal> {
    let kind = match statfs.f_type {
        _ if statfs.f_flags & NOSYMFOLLOW != 0 => ErrorKind::LinkRefused,
        // The links in procfs's root (`self`, `mounts`) are text; those below, in the folders of
        // processes, are not (proc_pid_fd(5), proc_pid_root(5)).
        PROCFS if !in_root() => ErrorKind::MagicLink,
        // AppArmor's `policy` is one (apparmorfs).
        SECURITYFS => ErrorKind::MagicLink,
        _ => return None,
    };
    Some(Refusal {
        kind,
        reach: Reach::Anywhere,
    })
}

/// The owner of a folder in which `fs.protected_symlinks` (proc_sys_fs(5)) holds: it is sticky, and
/// everyone may write there.
fn guarded(volume: &Volume, folder: &Statx) -> Option<u32> {
    let sticky = (Mode::SVTX | Mode::WOTH).bits();
    let holds = volume.protected_symlinks && u32::from(folder.stx_mode) & sticky == sticky;
    holds.then_some(folder.stx_uid)
}

/// There a link is followed only for its owner, or when the folder's owner made it.
fn for_owner(folder: u32, link: &Statx) -> Option<Refusal> {
    let followed = link.stx_uid == folder || link.stx_uid == rustix::process::geteuid().as_raw();
    (!followed).then_some(Refusal {
        kind: ErrorKind::PermissionDenied,
        reach: Reach::LastOnly,
    })
}
