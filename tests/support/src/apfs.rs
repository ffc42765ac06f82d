//! A volume that folds names, mounted through FUSE: what a Mac's volumes do, on Linux. Its files are
//! in memory and go with it. Linux only.
//!
//! It is a model of APFS as far as names go. Two things the kernel above it does that a Mac's does
//! not: it takes a rename of `a` to `A` for one of an object to itself, and does nothing (rename(2)), and
//! its own name of an open directory is the one typed last.

mod serve;
mod volume;

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use fuser::{BackgroundSession, Config, MountOption, SessionACL};
use icu_normalizer::DecomposingNormalizerBorrowed;
use objcap_object::name;
use rustix::io::Errno;
use rustix::mount::{UnmountFlags, unmount};

use self::serve::Served;
use self::volume::Volume;

/// How a volume tells names apart. It keeps the spelling that a name was made with.
// Exhaustive: a volume must have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// By canonical caseless equivalence: APFS as it comes.
    Caseless,
    /// By canonical equivalence alone: APFS formatted as case-sensitive.
    Cased,
    /// More coarsely than either: joiners count for nothing, as on HFS+, and neither do dots and
    /// spaces at the end, as on VFAT.
    Coarse,
}

impl Rule {
    /// What two spellings of one name have in common.
    fn key(self, name: &[u8]) -> Vec<u8> {
        match (self, std::str::from_utf8(name)) {
            (Rule::Caseless, _) | (_, Err(_)) => name::caseless(name).into_owned(),
            (Rule::Cased, Ok(text)) => decompose(text).into_owned().into_bytes(),
            (Rule::Coarse, Ok(text)) => {
                let text = text.replace(['\u{200c}', '\u{200d}', '\u{feff}'], "");
                let text = text.trim_end_matches(['.', ' ']);
                name::caseless(text.as_bytes()).into_owned()
            }
        }
    }
}

fn decompose(text: &str) -> Cow<'_, str> {
    const { DecomposingNormalizerBorrowed::new_nfd() }.normalize(text)
}

/// A mounted volume. It is unmounted when dropped, also while a test fails and holds handles on it.
#[derive(Debug)]
pub struct Apfs {
    root: PathBuf,
    session: Option<BackgroundSession>,
    _folder: Option<tempfile::TempDir>,
}

/// How many volumes could not be mounted.
static NOT_MOUNTED: AtomicUsize = AtomicUsize::new(0);

impl Apfs {
    /// Mounts an empty volume in a fresh folder. `None`, said loudly and counted, only where FUSE is missing or closed to
    /// this user.
    pub fn mount(rule: Rule) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let real = fs::canonicalize(folder.path()).expect("the scratch folder is there");
        let root = real.join("Volume");
        fs::create_dir(&root).expect("a fresh folder");
        let mut mounted = Apfs::mount_at(rule, &root)?;
        mounted._folder = Some(folder);
        Some(mounted)
    }

    /// The same on a folder that exists.
    pub fn mount_at(rule: Rule, root: &Path) -> Option<Self> {
        match start(rule, root) {
            Ok(session) => Some(Apfs {
                root: root.to_owned(),
                session: Some(session),
                _folder: None,
            }),
            Err(error) if is_closed(&error) => {
                let count = NOT_MOUNTED.fetch_add(1, Ordering::Relaxed) + 1;
                println!("NOT CHECKED: no folding volume ({count} in this run): FUSE: {error}");
                None
            }
            Err(error) => panic!("a folding volume at {}: {error}", root.display()),
        }
    }

    /// Where it is mounted.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

fn start(rule: Rule, root: &Path) -> io::Result<BackgroundSession> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/fuse")?;
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::FSName("apfs".to_owned()),
        MountOption::Subtype("apfs".to_owned()),
        MountOption::DefaultPermissions,
        MountOption::Dev,
    ];
    // For others than the one who mounts it takes a setting in /etc/fuse.conf.
    if rustix::process::geteuid().is_root() {
        config.acl = SessionACL::All;
    }
    fuser::spawn_mount(Served::new(Volume::new(rule)), root, &config)
}

/// Whether FUSE is missing, or this user may not mount and has no `fusermount3` to do it.
fn is_closed(error: &io::Error) -> bool {
    let absent = [Errno::NODEV, Errno::NXIO].map(|errno| Some(errno.raw_os_error()));
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
    ) || absent.contains(&error.raw_os_error())
}

impl Drop for Apfs {
    fn drop(&mut self) {
        // Detached, since a failing test may hold handles. Without the right to, the session's own
        // way is left, which asks fusermount3.
        let _ = unmount(&self.root, UnmountFlags::DETACH);
        drop(self.session.take());
    }
}
