//! How a volume spells a name. Linux has no call that tells (`/proc/self/fd` and getcwd(2) show the
//! spelling that was typed), so the name is looked for in a listing of its folder. It is the one
//! place where a walk asks more than search, and it happens only where a volume may fold.

use objcap_walk::{Spelled, path};
use rustix::fs::{AtFlags, Mode, OFlags, ioctl_getflags, openat};
use rustix::io::Errno;

use super::mounts::{Folding, Mount};
use super::{Dir, PASS, Volume, ask, number, same};
use crate::name;

/// A directory to be read: more than a walk otherwise asks for.
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// `FS_CASEFOLD_FL` (ioctl_iflags(2)).
const CASEFOLD: u32 = 0x4000_0000;

/// Which object a name leads to: device, inode and mount.
type Id = (u32, u32, u64, u64);

/// What an answer about an object seen in `dir` says of spelling: its own, and that of all names on
/// the way there.
pub(super) fn on_the_way(mount: Mount, dir: &Dir) -> Spelled {
    match mount.way {
        Folding::Never => Spelled::AsGiven,
        // A folder made in one that folds does so too; one that was moved there is not noticed.
        Folding::ByFolder if folder_folds(dir) == Some(false) => Spelled::AsGiven,
        Folding::ByFolder | Folding::Maybe => Spelled::Unknown,
    }
}

/// How the volumes spell a real path, from `root` on.
pub(crate) fn spell(volume: &Volume, root: &Dir, real: &[u8]) -> Spelled {
    let Some(stored) = stored(volume, root, real) else {
        return Spelled::Unknown;
    };
    if path::components(real).eq(path::components(&stored)) {
        Spelled::AsGiven
    } else {
        Spelled::Stored(path::trim_start(&stored).into())
    }
}

/// The path with every name as stored; `None` where one cannot be told, or is gone.
fn stored(volume: &Volume, root: &Dir, real: &[u8]) -> Option<Vec<u8>> {
    let mut dir = same(root).ok()?;
    let mut mount = mount_of(volume, &dir)?;
    let mut stored = Vec::with_capacity(real.len());
    for name in path::components(real) {
        let opened = Dir::new(openat(&dir, name, PASS, Mode::empty()).ok()?);
        let folds = match mount.own {
            Folding::Never => false,
            Folding::ByFolder => folder_folds(&dir)?,
            Folding::Maybe => true,
        };
        if folds {
            path::push(&mut stored, &listed(&dir, name, id(&opened, b"")?)?);
        } else {
            path::push(&mut stored, name);
        }
        mount = mount_of(volume, &opened)?;
        dir = opened;
    }
    Some(stored)
}

pub(super) fn mount_of(volume: &Volume, opened: &Dir) -> Option<Mount> {
    let statx = ask(opened, c"", AtFlags::EMPTY_PATH).ok()?;
    Some(volume.mounts.get(number(&statx), || same(opened)))
}

fn id(dir: &Dir, name: &[u8]) -> Option<Id> {
    let flags = if name.is_empty() {
        AtFlags::EMPTY_PATH
    } else {
        AtFlags::empty()
    };
    let statx = ask(dir, name, flags).ok()?;
    Some((
        statx.stx_dev_major,
        statx.stx_dev_minor,
        statx.stx_ino,
        statx.stx_mnt_id,
    ))
}

/// Whether a folder carries the flag; `None` where it cannot be opened for reading. A file system
/// that has no such flags has no such folders.
fn folder_folds(dir: &Dir) -> Option<bool> {
    let folder = openat(dir, c".", READ, Mode::empty()).ok()?;
    match ioctl_getflags(&folder) {
        Ok(flags) => Some(flags.bits() & CASEFOLD != 0),
        Err(Errno::NOTTY | Errno::OPNOTSUPP) => Some(false),
        Err(_) => None,
    }
}

/// The entry of `dir` that `typed` names, which leads to the object `id`.
///
/// An entry spelled exactly so is the one, whatever else is there. Otherwise it is the entry whose
/// name folds to the same (of a file with several names, not just any of them), and where the
/// volume folds in another way, the only entry that is the object. `None` where the folder may not
/// be read, or two entries could be meant.
fn listed(dir: &Dir, typed: &[u8], id: Id) -> Option<Vec<u8>> {
    let folder = openat(dir, c".", READ, Mode::empty()).ok()?;
    let key = name::caseless(typed);
    let (mut alike, mut same) = (Vec::new(), Vec::new());
    for entry in rustix::fs::Dir::new(folder).ok()? {
        let entry = entry.ok()?;
        let stored = entry.file_name().to_bytes();
        if stored == typed {
            return Some(typed.to_vec());
        }
        if path::is_dot(stored) {
            continue;
        }
        if name::caseless(stored) == key {
            alike.push(stored.to_vec());
        } else if entry.ino() == id.2 {
            same.push(stored.to_vec());
        }
    }
    // A listing may be of names that were there before: what each leads to is asked once more.
    let only = |mut names: Vec<Vec<u8>>| {
        names.retain(|stored| self::id(dir, stored) == Some(id));
        match names.len() {
            1 => names.pop(),
            _ => None,
        }
    };
    if alike.is_empty() {
        only(same)
    } else {
        only(alike)
    }
}
