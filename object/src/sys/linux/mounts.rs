//! Which mounts may fold names: decided once per mount, by the types of the file systems on the way
//! to it. The rule is told in docs/decisions/0005-stored-spelling.md.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags, openat, statx};
use rustix::io::Errno;

use super::{Dir, MOUNT, UNIQUE_MOUNT};

/// How a file system tells names apart.
// Exhaustive: whoever spells a name must decide about each. In the order of doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Folding {
    /// By their bytes.
    Never,
    /// By their bytes, except in folders that carry a flag (`FS_CASEFOLD_FL`).
    ByFolder,
    /// Unknown: it may fold case or normalisation anywhere.
    Maybe,
}

/// What is known of a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mount {
    /// How its own file system tells names apart.
    pub(super) own: Folding,
    /// The most doubtful of all mounts on the way from the root to it, itself included.
    pub(super) way: Folding,
}

const UNKNOWN: Mount = Mount {
    own: Folding::Maybe,
    way: Folding::Maybe,
};

/// A mount's number, and the device that it shows. Before Linux 6.8 the number of a mount that is
/// gone may be given again; the device makes it less likely that the one is taken for the other.
pub(super) type Number = (u64, u64);

/// File systems that tell every two names apart by their bytes, by the name of their type
/// (proc_pid_mountinfo(5)).
const PLAIN: &[&[u8]] = &[
    b"bpf",
    b"btrfs",
    b"cgroup",
    b"cgroup2",
    b"configfs",
    b"debugfs",
    b"devpts",
    b"devtmpfs",
    b"erofs",
    b"ext2",
    b"hugetlbfs",
    b"mqueue",
    b"proc",
    b"pstore",
    b"ramfs",
    b"rootfs",
    b"securityfs",
    b"squashfs",
    b"sysfs",
    b"tracefs",
    b"xfs",
];

/// File systems whose folders may be made to fold, each with the name under which it says in sysfs
/// that this kernel can do so. An overlay folds where its layers do.
const BY_FOLDER: &[(&[u8], &[&str])] = &[
    (b"ext3", &["ext4"]),
    (b"ext4", &["ext4"]),
    (b"f2fs", &["f2fs"]),
    (b"tmpfs", &["tmpfs"]),
    (b"overlay", &["ext4", "f2fs", "tmpfs"]),
];

/// The mounts that were seen.
#[derive(Debug, Default)]
pub(super) struct Mounts(Mutex<BTreeMap<Number, Mount>>);

impl Mounts {
    /// The mount with this number; `open` gives an object on it, and is asked on first sight only.
    pub(super) fn get(
        &self,
        number: Option<Number>,
        open: impl FnOnce() -> Result<Dir, Errno>,
    ) -> Mount {
        // Before Linux 5.8 mounts have no numbers.
        let Some(number) = number else {
            return UNKNOWN;
        };
        let seen = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mount) = seen().get(&number) {
            return *mount;
        }
        let Some(listed) = open().ok().and_then(|opened| listed(&opened, number.0)) else {
            return UNKNOWN;
        };
        let mount = classify(
            &read(&mountinfo()).unwrap_or_default(),
            listed,
            kernel_folds,
        );
        seen().insert(number, mount);
        mount
    }
}

/// The number under which procfs lists the mount that `opened` is on; `None` when it is another
/// than the one asked for.
fn listed(opened: &Dir, mount: u64) -> Option<u64> {
    let number = |flag| {
        let empty = AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW;
        statx(opened, c"", empty, flag).map(|statx| statx.stx_mnt_id)
    };
    let same = number(UNIQUE_MOUNT | MOUNT) == Ok(mount);
    same.then(|| number(MOUNT).ok()).flatten()
}

/// The list of mounts, named without `/proc/self`, which is a link.
fn mountinfo() -> String {
    format!(
        "/proc/{}/mountinfo",
        rustix::process::getpid().as_raw_nonzero()
    )
}

fn read(name: &str) -> Result<Vec<u8>, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(CWD, name, flags, Mode::empty())?;
    let mut text = Vec::new();
    let mut part = [0; 4096];
    loop {
        let length = rustix::io::retry_on_intr(|| rustix::io::read(&file, &mut part))?;
        if length == 0 {
            return Ok(text);
        }
        text.extend_from_slice(part.get(..length).unwrap_or_default());
    }
}

/// What a list of mounts says of one of them.
fn classify(mountinfo: &[u8], listed: u64, kernel_folds: fn(&str) -> bool) -> Mount {
    let lines = mountinfo.split(|&byte| byte == b'\n').filter_map(line);
    let mounts: HashMap<u64, (u64, &[u8])> = lines.collect();
    let Some(&(mut parent, own)) = mounts.get(&listed) else {
        return UNKNOWN;
    };
    let own = folding(own, kernel_folds);
    let mut way = own;
    // The root's parent is not listed. No chain is longer than the list.
    for _ in 0..mounts.len() {
        let Some(&(above, kind)) = mounts.get(&parent) else {
            break;
        };
        way = way.max(folding(kind, kernel_folds));
        parent = above;
    }
    Mount { own, way }
}

/// A mount's number, its parent's, and the type of its file system.
fn line(line: &[u8]) -> Option<(u64, (u64, &[u8]))> {
    let mut fields = line.split(|&byte| byte == b' ');
    let mut number = || std::str::from_utf8(fields.next()?).ok()?.parse().ok();
    let (mount, parent) = (number()?, number()?);
    // After the options comes any number of tags, and then a dash.
    let kind = fields.skip_while(|&field| field != b"-").nth(1)?;
    Some((mount, (parent, kind)))
}

fn folding(kind: &[u8], kernel_folds: fn(&str) -> bool) -> Folding {
    if PLAIN.contains(&kind) {
        return Folding::Never;
    }
    match BY_FOLDER.iter().find(|(name, _)| *name == kind) {
        Some((_, features)) if features.iter().any(|name| kernel_folds(name)) => Folding::ByFolder,
        Some(_) => Folding::Never,
        None => Folding::Maybe,
    }
}

/// Whether this kernel's driver of a file system knows folders that fold: it says so by a file. A
/// kernel that was built without Unicode has none. Where sysfs is missing it may.
fn kernel_folds(name: &str) -> bool {
    let asks = |name: &str| {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        statx(CWD, name, flags, StatxFlags::TYPE).map(drop)
    };
    asks(&format!("/sys/fs/{name}/features/casefold")) != Err(Errno::NOENT)
        || asks("/sys/fs").is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[u8] = b"\
1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw
20 1 0:5 / /w rw shared:7 master:2 - fuse.cased cased rw
21 20 0:6 / /w/in rw - tmpfs tmpfs rw
22 1 0:7 / /t rw - tmpfs tmpfs rw
23 22 8:2 / /t/data rw - xfs /dev/sdb1 rw
24 1 0:9 / /n rw - a-new-type none rw
";

    #[test]
    fn a_mount_is_known_by_the_types_on_the_way_to_it() {
        use Folding::{ByFolder, Maybe, Never};
        let without = |_: &str| false;
        let with_ext4 = |name: &str| name == "ext4";
        type Kernel = fn(&str) -> bool;
        let table: [(u64, Kernel, Folding, Folding); 9] = [
            (1, without, Never, Never),
            (1, with_ext4, ByFolder, ByFolder),
            (20, without, Maybe, Maybe),
            (21, without, Never, Maybe),
            (22, without, Never, Never),
            (23, without, Never, Never),
            (23, with_ext4, Never, ByFolder),
            (24, without, Maybe, Maybe),
            // Not listed: of another namespace, or outside the root of this process.
            (25, without, Maybe, Maybe),
        ];
        for (mount, kernel, own, way) in table {
            assert_eq!(classify(LIST, mount, kernel), Mount { own, way }, "{mount}");
        }
    }

    #[test]
    fn a_list_that_turns_in_a_circle_ends() {
        let circle = b"1 2 0:1 / / rw - xfs x rw\n2 1 0:2 / / rw - proc x rw\n";
        let plain = Mount {
            own: Folding::Never,
            way: Folding::Never,
        };
        assert_eq!(classify(circle, 1, |_| true), plain);
    }
}
