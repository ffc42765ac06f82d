//! The kernel's own lookup: every link is followed on the way, and at the end where the call or a
//! slash asks for it. It is written apart from the walk, which is held against it.

use std::borrow::Cow;

use objcap_walk::{Leaf, path};
use sbpl::Operation;

use super::answer::Errno;
use super::choices::Passing;
use super::node::{Body, Wish};
use super::plan::Asking;
use super::{Base, Ino, Mac, Name, Process};

/// How many links one lookup follows (MAXSYMLINKS, <sys/param.h>).
const LINKS: usize = 32;
/// The longest text that a lookup takes, its NUL included (PATH_MAX, <sys/syslimits.h>).
const TEXT: usize = 1024;
/// The longest name (NAME_MAX).
const NAME: usize = 255;

/// Where a lookup ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landing {
    /// In a folder itself: the name was `/`, or ended in `.` or `..`.
    Folder(Ino),
    /// At a name in a folder.
    Entry {
        /// The folder.
        folder: Ino,
        /// The name, as it was typed or as a link's text had it.
        name: Vec<u8>,
        /// What stands there; where a volume is mounted, its root.
        found: Option<Ino>,
        /// Whether a slash followed the name.
        slash: bool,
    },
}

impl Landing {
    /// The object, if there is one.
    pub fn found(&self) -> Option<Ino> {
        match self {
            Landing::Folder(ino) => Some(*ino),
            Landing::Entry { found, .. } => *found,
        }
    }

    /// The real path of the object, or of the place where it would stand.
    pub fn real_path(&self, mac: &Mac) -> Vec<u8> {
        match self {
            Landing::Folder(folder) => mac.real_path(*folder),
            Landing::Entry { folder, name, .. } => mac.real_path_of(*folder, name),
        }
    }

    /// The object.
    pub(super) fn object(&self) -> Result<Ino, Errno> {
        self.found().ok_or(Errno::NOENT)
    }
}

impl Process {
    /// Looks a name up as the kernel does for this process, unconfined.
    ///
    /// # Errors
    /// ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, EBADF as namei(9) has them; EINVAL for a NUL,
    /// with which a name cannot be passed.
    pub fn look_up(&self, mac: &Mac, name: &Name, leaf: Leaf) -> Result<Landing, Errno> {
        look_up(mac, self, name, leaf, &mut Asking::new(None))
    }
}

pub(super) fn look_up(
    mac: &Mac,
    process: &Process,
    name: &Name,
    leaf: Leaf,
    asking: &mut Asking,
) -> Result<Landing, Errno> {
    let text = &name.path[..];
    if text.contains(&0) {
        return Err(Errno::INVAL);
    }
    if text.is_empty() {
        return Err(Errno::NOENT);
    }
    let mut rest = within(Cow::Borrowed(text))?;
    let mut at = match name.base {
        _ if text.starts_with(b"/") => mac.root,
        Base::Cwd => process.cwd,
        Base::At(fd) => {
            let ino = process.descriptor(fd)?.ino;
            mac.node(ino).folder().map(|_| ino).ok_or(Errno::NOTDIR)?
        }
    };
    let mut passed = None;
    let mut links = 0;
    let mut done = 0;
    loop {
        let Some((name, after)) = path::split_first(&rest[done..]) else {
            return Ok(Landing::Folder(at));
        };
        let slash = !after.is_empty();
        let last = path::trim_start(after).is_empty();
        if passed.replace(at) != Some(at) {
            pass(mac, at, asking);
        }
        if !mac.node(at).permits(Wish::Execute) {
            return Err(Errno::ACCESS);
        }
        let next = rest.len() - after.len();
        if path::is_dot(name) {
            if name == b".." {
                at = mac.parent(at);
            }
            done = next;
            continue;
        }
        if name.len() > NAME {
            return Err(Errno::NAMETOOLONG);
        }
        let landed = |found| Landing::Entry {
            folder: at,
            name: name.to_vec(),
            found,
            slash,
        };
        let Some(entry) = mac.entry(at, name) else {
            return if last {
                Ok(landed(None))
            } else {
                Err(Errno::NOENT)
            };
        };
        let ino = mac.uncovered(entry.ino);
        match &mac.node(ino).body {
            Body::Link(text) if !last || slash || leaf == Leaf::Follow => {
                links += 1;
                if links > LINKS {
                    return Err(Errno::LOOP);
                }
                asking.entry(mac, Operation::FileReadMetadata, at, name);
                if text.is_empty() {
                    return Err(Errno::NOENT);
                }
                if text.starts_with(b"/") {
                    at = mac.root;
                }
                rest = within(Cow::Owned([text, after].concat()))?;
                done = 0;
            }
            Body::Folder(_) if last => return Ok(landed(Some(ino))),
            Body::Folder(_) => {
                at = ino;
                done = next;
            }
            _ if !last || slash => return Err(Errno::NOTDIR),
            _ => return Ok(landed(Some(ino))),
        }
    }
}

/// What looking a name up in a folder asks of the folder.
fn pass(mac: &Mac, folder: Ino, asking: &mut Asking) {
    if asking.choices().passing == Passing::Metadata {
        asking.folder(mac, Operation::FileReadMetadata, folder);
    }
}

fn within(text: Cow<'_, [u8]>) -> Result<Cow<'_, [u8]>, Errno> {
    if text.len() < TEXT {
        Ok(text)
    } else {
        Err(Errno::NAMETOOLONG)
    }
}
