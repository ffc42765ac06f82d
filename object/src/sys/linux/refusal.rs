//! Links that exist and can be read, and that the kernel would still not follow.

use std::ffi::CStr;

use objcap_walk::{ErrorKind, Reach, Refusal};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, Statx, fstatfs, openat};
use rustix::io::Errno;

use super::{Dir, Volume, ask};

/// `ST_NOSYMFOLLOW` in `f_flags` (statfs(2), since 5.10).
const NOSYMFOLLOW: i64 = 0x2000;
const PROCFS: i64 = 0x9fa0;
const SECURITYFS: i64 = 0x7363_6673;
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

/// Why the kernel would not follow a link that was opened in `dir`, if it would not. The walk does
/// not leave the question to the kernel, so it has to ask what the kernel asks.
pub(super) fn refusal(
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
        // processes, are not (proc_pid_fd(5), proc_pid_root(5)). A link can be mounted itself:
        // in another file system, whose root may have the same number, or over `self`.
        PROCFS => {
            let folder = ask(dir, c"", AtFlags::EMPTY_PATH)?;
            let mount = |of: &Statx| (of.stx_dev_major, of.stx_dev_minor, of.stx_mnt_id);
            if folder.stx_ino != PROCFS_ROOT || mount(&folder) != mount(statx) {
                return anywhere(ErrorKind::MagicLink);
            }
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
