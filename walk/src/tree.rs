//! What the walk asks of a file system, one component at a time. Not a file-system API: nothing
//! here opens a file's contents or changes anything.

use std::fmt;

use crate::{Fault, path};

/// A file system, as far as a walk needs one.
///
/// No method may follow a symlink. Names are single components, except where it says otherwise,
/// and are never absolute.
pub trait Tree {
    /// A handle on a directory: it goes on meaning that directory when names change.
    type Dir;

    /// What the tree notes of a directory while a walk takes steps there, so that it asks the system
    /// once for what all links of a directory share. A walk that comes back later brings none.
    type Notes: Default;

    /// The directory that absolute names start from, and that no `..` leaves.
    fn root(&self) -> &Self::Dir;

    /// A second handle on the same directory.
    ///
    /// # Errors
    /// When the system has no handle left.
    fn share(&self, dir: &Self::Dir) -> Result<Self::Dir, Fault>;

    /// What the directory itself is.
    ///
    /// # Errors
    /// When the system cannot say.
    fn stat(&self, dir: &Self::Dir) -> Result<Stat, Fault>;

    /// What stands at `name`, without opening it; `None` when nothing does.
    ///
    /// # Errors
    /// Whatever keeps the tree from knowing. Only a held directory's own "no such entry" is
    /// `None`.
    fn look(&self, dir: &Self::Dir, name: &[u8]) -> Result<Option<Stat>, Fault>;

    /// Passes one component, which may be `.` or `..`: a directory comes back opened, a link with
    /// its text, read from the link that was opened. `notes` are those of `dir`.
    ///
    /// # Errors
    /// As [`look`](Tree::look), and where the directory found may not be searched.
    fn step(
        &self,
        dir: &Self::Dir,
        name: &[u8],
        notes: &mut Self::Notes,
    ) -> Result<Step<Self::Dir>, Fault>;

    /// How the volumes spell every component of a real path; its last one may be a link. It is asked
    /// when a walk ends, and only if an answer on the way was [`Spelled::Unknown`].
    ///
    /// The default does not know.
    fn spell(&self, _real: &[u8]) -> Spelled {
        Spelled::Unknown
    }

    /// Passes as many directories of `names` (components with slashes between) as it can, and says
    /// how many that were. It stops before a link, a gap, another object or an error, whichever
    /// comes first; a [`step`](Tree::step) then tells which.
    ///
    /// The default takes single steps. A system with a call for a whole run of names overrides it.
    fn run(&self, dir: &Self::Dir, names: &[u8]) -> Ran<Self::Dir> {
        let mut ran = Ran {
            dir: None,
            passed: 0,
            spelled: Spelled::AsGiven,
        };
        let mut stored = Vec::new();
        for name in path::components(names) {
            let at = ran.dir.as_ref().unwrap_or(dir);
            match self.step(at, name, &mut Self::Notes::default()) {
                Ok(Step::Directory(next, stat)) => {
                    ran.dir = Some(next);
                    ran.passed += 1;
                    ran.spelled.append(&mut stored, name, stat.spelled);
                }
                Ok(Step::Link(_) | Step::Other(_) | Step::Absent) | Err(_) => break,
            }
        }
        if let Spelled::Stored(text) = &mut ran.spelled {
            *text = stored.into();
        }
        ran
    }
}

/// What one component turned out to be.
// Exhaustive: the walk must answer for each.
#[derive(Debug)]
pub enum Step<D> {
    /// A directory, opened.
    Directory(D, Stat),
    /// A symlink and its text.
    Link(Link),
    /// An object that has no entries and is no link.
    Other(Stat),
    /// Nothing.
    Absent,
}

/// How far a run of directories went.
#[derive(Debug)]
pub struct Ran<D> {
    /// The last directory reached; `None` when no component was passed.
    pub dir: Option<D>,
    /// How many components were passed.
    pub passed: usize,
    /// How the volume spells those components. A run that holds no `..` may leave the question to the
    /// [`look`](Tree::look), [`step`](Tree::step) or [`stat`](Tree::stat) that follows it in the
    /// directory it reached: it says [`Spelled::AsGiven`], and the answer that follows is
    /// [`Spelled::Unknown`] if any name on the way there may be spelled otherwise.
    pub spelled: Spelled,
}

/// A symlink that was opened and read.
#[derive(Debug, Clone)]
pub struct Link {
    /// The stored text, byte by byte.
    pub text: Vec<u8>,
    /// How the volume spells the link's name.
    pub spelled: Spelled,
    /// Why the system would not follow this link, if it would not.
    pub refusal: Option<Refusal>,
}

/// A reason not to follow a link that exists and can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The error that following it gives.
    pub kind: crate::ErrorKind,
    /// Where in a path the refusal holds.
    pub reach: Reach,
}

/// Where in a path a [`Refusal`] holds.
// Exhaustive: a component is the last one or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Wherever the link stands.
    Anywhere,
    /// Only where nothing follows the link, as for `fs.protected_symlinks` (proc_sys_fs(5)).
    LastOnly,
}

/// What is known of an object without opening it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// What kind of object it is.
    pub kind: Kind,
    /// Which object it is.
    pub identity: Identity,
    /// How the volume spells the name that led here.
    pub spelled: Spelled,
}

/// How a volume spells names that it was asked by.
// Exhaustive: the walk must answer for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spelled {
    /// Exactly as given: the volume tells all spellings apart.
    AsGiven,
    /// Like this. For a run of names, with a slash between two.
    Stored(Box<[u8]>),
    /// The volume may fold spellings and does not say here how it stores this one: see
    /// [`Tree::spell`].
    Unknown,
}

impl Spelled {
    /// Adds the spelling of one more name of a run; `text` collects it as stored.
    fn append(&mut self, text: &mut Vec<u8>, given: &[u8], next: Spelled) {
        if !text.is_empty() {
            text.push(b'/');
        }
        match next {
            Spelled::Stored(name) => {
                text.extend_from_slice(&name);
                if matches!(self, Spelled::AsGiven) {
                    *self = Spelled::Stored(Box::default());
                }
            }
            Spelled::AsGiven => text.extend_from_slice(given),
            Spelled::Unknown => {
                text.extend_from_slice(given);
                *self = Spelled::Unknown;
            }
        }
    }
}

/// Whether a real path is spelled as its volumes store it.
// Exhaustive: a path is known to be stored so, or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Every existing component is spelled as stored.
    Stored,
    /// Some component may be spelled as typed, on a volume that folds and does not say.
    Typed,
}

/// The kinds of object that POSIX knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A Unix-domain socket.
    Socket,
    /// A character device.
    CharDevice,
    /// A block device.
    BlockDevice,
    /// Something that this system has and POSIX has not.
    Unknown,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Directory => "directory",
            Kind::File => "file",
            Kind::Symlink => "symlink",
            Kind::Fifo => "fifo",
            Kind::Socket => "socket",
            Kind::CharDevice => "character device",
            Kind::BlockDevice => "block device",
            Kind::Unknown => "object of unknown kind",
        })
    }
}

/// Which object it is, as far as the system tells.
///
/// `device` and `inode` together suffice to *refuse*: objects that differ there differ. Only where
/// `mount` and `born` agree too is an object the same as before, since an inode's number is given
/// to the next file as soon as the old one is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The device that holds the object, as `st_dev` numbers it.
    pub device: u64,
    /// The object's number on that device.
    pub inode: u64,
    /// The mount it was reached through, where the system numbers mounts (statx(2), 5.8 and later).
    pub mount: Option<u64>,
    /// When it was made, in seconds and nanoseconds since 1970, where the file system knows.
    pub born: Option<(i64, u32)>,
}

impl Identity {
    /// Whether the two may be one object: what an exclusion goes by.
    pub fn may_be(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}
