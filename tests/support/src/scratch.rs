//! Trees to walk, from a list of entries: on disk in a fresh folder, or in memory.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use objcap_object::{Kind, Memory, path};

use crate::mac::{Mac, Rule};

/// One object to make; parents are made as needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory(Vec<u8>),
    /// A regular file.
    File(Vec<u8>),
    /// A link and its text, in which `{T}` stands for the root of the tree.
    Link(Vec<u8>, Vec<u8>),
    /// A named pipe.
    Fifo(Vec<u8>),
    /// A socket.
    Socket(Vec<u8>),
}

impl Entry {
    /// Where it stands below the root of the tree.
    pub fn path(&self) -> &[u8] {
        match self {
            Entry::Directory(path)
            | Entry::File(path)
            | Entry::Link(path, _)
            | Entry::Fifo(path)
            | Entry::Socket(path) => path,
        }
    }

    /// The same object at another place.
    #[must_use]
    pub fn at(&self, place: &[u8]) -> Self {
        let mut entry = self.clone();
        match &mut entry {
            Entry::Directory(path)
            | Entry::File(path)
            | Entry::Link(path, _)
            | Entry::Fifo(path)
            | Entry::Socket(path) => *path = place.to_vec(),
        }
        entry
    }
}

/// A tree on disk: a folder `ROOT`, and `outside/secret` beside it. It goes when dropped.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl Scratch {
    /// Builds the entries below `ROOT`.
    pub fn new(entries: &[Entry]) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        // The folder's own name may pass a link; the cases are about what lies below it.
        let real = fs::canonicalize(folder.path()).expect("the scratch folder is there");
        let root = real.join("ROOT");
        fs::create_dir(&root).expect("a fresh folder");
        fs::create_dir(real.join("outside")).expect("a fresh folder");
        fs::write(real.join("outside/secret"), "secret").expect("a fresh file");
        for entry in entries {
            make(&root, entry);
        }
        Scratch {
            root,
            _folder: folder,
        }
    }

    /// The path of `ROOT`.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

fn make(root: &Path, entry: &Entry) {
    let place = root.join(OsStr::from_bytes(entry.path()));
    let parent = place.parent().expect("an entry lies below the root");
    fs::create_dir_all(parent).expect("parents can be made");
    let made = match entry {
        Entry::Directory(_) => fs::create_dir_all(&place),
        Entry::File(_) => fs::write(&place, "contents"),
        Entry::Link(_, text) => symlink(OsStr::from_bytes(&expand(text, root)), &place),
        Entry::Fifo(_) => make_fifo(&place),
        Entry::Socket(_) => UnixListener::bind(&place).map(drop),
    };
    made.unwrap_or_else(|error| panic!("{entry:?}: {error}"));
}

#[cfg(not(target_vendor = "apple"))]
fn make_fifo(place: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    Ok(mknodat(
        CWD,
        place,
        FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    )?)
}

#[cfg(target_vendor = "apple")]
fn make_fifo(place: &Path) -> io::Result<()> {
    let made = std::process::Command::new("mkfifo").arg(place).status()?;
    if made.success() {
        Ok(())
    } else {
        Err(io::Error::other("mkfifo failed"))
    }
}

/// The same tree in memory, standing at `base`. The links' texts name `root`.
pub fn memory(base: &[u8], root: &Path, entries: &[Entry]) -> Memory {
    let mut tree = Memory::new();
    tree.directory(base);
    tree.file(path::join(path::parent(base), b"outside/secret"));
    for entry in entries {
        let place = path::join(base, entry.path());
        match entry {
            Entry::Directory(_) => tree.directory(place),
            Entry::File(_) => tree.file(place),
            Entry::Link(_, text) => tree.link(place, expand(text, root)),
            Entry::Fifo(_) => tree.other(place, Kind::Fifo),
            Entry::Socket(_) => tree.other(place, Kind::Socket),
        }
    }
    tree
}

/// The same tree in a model Mac, on a volume of that rule, and all the user's.
pub fn model(base: &[u8], root: &Path, entries: &[Entry], rule: Rule) -> Mac {
    let mut mac = Mac::empty(rule);
    mac.directory(base);
    mac.file(path::join(path::parent(base), b"outside/secret"), b"secret");
    for entry in entries {
        let place = path::join(base, entry.path());
        match entry {
            Entry::Directory(_) => mac.directory(place),
            Entry::File(_) => mac.file(place, b"contents"),
            Entry::Link(_, text) => mac.link(place, expand(text, root)),
            Entry::Fifo(_) => mac.other(place, Kind::Fifo),
            Entry::Socket(_) => mac.other(place, Kind::Socket),
        };
    }
    mac.give("/");
    mac
}

/// Puts the root's path in place of `{T}`.
pub fn expand(text: &[u8], root: &Path) -> Vec<u8> {
    let mut expanded = Vec::new();
    let mut left = text;
    while let Some(at) = left.windows(3).position(|part| part == b"{T}") {
        expanded.extend_from_slice(&left[..at]);
        expanded.extend_from_slice(root.as_os_str().as_bytes());
        left = &left[at + 3..];
    }
    expanded.extend_from_slice(left);
    expanded
}
