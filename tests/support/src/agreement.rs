//! The walk and the kernel, asked the same questions in an arbitrary world. Linux only.
//!
//! The property, for each question:
//!
//! - the walk's object is the one that the kernel reaches, of the same kind, and its real path is
//!   the kernel's own name of it;
//! - the walk fails with the kernel's error, except that a missing object is an answer: of that
//!   the kernel says ENOENT, and makes it at the walk's real path when told to;
//! - every name that the walk passed exists, with no link among its parents, and those of them that
//!   are links are the links it lists, with their texts;
//! - whole runs, single steps and a tree in memory give one answer.

use std::fmt::Debug;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use objcap_object::{
    Dir, Error, Identity, Kind, Machine, Object, Require, Start, Tail, Traversed, Tree, errno_name,
    path,
};
use rustix::fs::FileType;
use rustix::io::Errno;

use crate::oracle::{self, Name, Reached};
use crate::scratch::{Entry, Scratch, expand, memory};
use crate::world::{Ask, Ground, World};

/// Has this process make its scratch trees in memory where the machine has such a place: thousands
/// of them would wait for the disk.
pub fn build_in_memory() {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() {
        // Refused only when a place was chosen before, which then stays.
        let _ = tempfile::env::override_temp_dir(in_memory);
    }
}

/// Builds the world, asks, and compares; the error says what disagreed about which question.
pub fn walk_agrees_with_the_kernel(world: &World) -> Result<(), String> {
    let scratch = Scratch::new(&world.entries);
    let question = |ask| Question {
        world,
        ask,
        root: scratch.root(),
        base: path::trim_end(&path::join(
            scratch.root().as_os_str().as_bytes(),
            &ask.start,
        ))
        .into(),
        path: expand(&ask.path, scratch.root()),
    };
    world
        .asks
        .iter()
        .map(question)
        .try_for_each(|question| question.check())
}

struct Question<'a> {
    world: &'a World,
    ask: &'a Ask,
    /// The tree's root on disk.
    root: &'a Path,
    /// The starting folder on disk.
    base: Vec<u8>,
    /// The path, with the root in the place of `{T}`.
    path: Vec<u8>,
}

/// What a walk said, handles and mounts left out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    outcome: Outcome,
    links: Vec<(Name, Name)>,
    lookups: Vec<Name>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Present {
        real: Name,
        kind: Kind,
        id: Option<(u64, u64)>,
    },
    Absent {
        real: Name,
        tail: Name,
        slash: bool,
    },
    Failed {
        at: Name,
        kind: &'static str,
        errno: Option<&'static str>,
    },
}

impl Question<'_> {
    fn check(&self) -> Result<(), String> {
        let answer = self.walk(&self.machine());
        let stepwise = self.walk(&self.machine().stepwise());
        self.same("whole runs and single steps", &answer, &stepwise)?;
        self.same(
            "machine and memory",
            &without_ids(&answer),
            &self.in_memory(),
        )?;
        self.check_outcome(&answer)?;
        self.check_links(&answer)?;
        self.check_lookups(&answer)
    }

    fn check_outcome(&self, answer: &Answer) -> Result<(), String> {
        let outcome = &answer.outcome;
        let dir = self.base();
        let kernel = oracle::resolve(&dir, &self.path, self.world.ground, &self.ask.options);
        let agree = match (outcome, &kernel) {
            (
                Outcome::Present { real, kind, id },
                Ok(Reached {
                    id: kernel_id,
                    kind: kernel_kind,
                    name,
                }),
            ) => {
                id.as_ref() == Some(kernel_id)
                    && is_kind(*kind, *kernel_kind)
                    && self.on_disk(real) == *name
            }
            (Outcome::Absent { .. }, Err(Errno::NOENT)) => self.ask.options.tail == Tail::Accept,
            (Outcome::Failed { errno, .. }, Err(kernel)) => {
                *errno == errno_name(kernel.raw_os_error())
            }
            _ => false,
        };
        self.same("agreement of walk and kernel", &agree, &true)
            .map_err(|told| format!("walk: {outcome:?}\nkernel: {kernel:?}\n{told}"))?;
        match outcome {
            Outcome::Absent { real, tail, slash } => {
                let dots = path::components(&tail.0).any(path::is_dot);
                self.same("dots below what is missing", &dots, &false)?;
                if *slash || !tail.0.is_empty() {
                    return Ok(());
                }
                self.check_made_at(&dir, real)
            }
            Outcome::Failed { at, errno, .. } => self.check_failure(answer, at, *errno),
            Outcome::Present { .. } => Ok(()),
        }
    }

    /// Nothing is made outside the scratch tree, so an absent place there goes unchecked.
    fn check_made_at(&self, dir: &File, real: &Name) -> Result<(), String> {
        let ours = self
            .on_disk(real)
            .0
            .starts_with(self.root.as_os_str().as_bytes());
        if !ours || self.ask.options.require == Require::Directory {
            return Ok(());
        }
        let made = oracle::made_at(dir, &self.path, self.world.ground, &self.ask.options);
        self.same("place of what is missing", &Ok(self.on_disk(real)), &made)
    }

    /// The name at which a walk stopped is what the error says of it.
    fn check_failure(&self, answer: &Answer, at: &Name, errno: Option<&str>) -> Result<(), String> {
        let stands = || oracle::stands_at(&self.on_disk(at)).map(|reached| reached.kind);
        match errno {
            _ if at.0.is_empty() => Ok(()),
            Some("ENOENT") => {
                // Absence is an answer, but for what a `..` would have to leave again.
                let mut texts = answer
                    .links
                    .iter()
                    .map(|(_, text)| &text.0)
                    .chain([&self.path]);
                let climbs = texts.any(|text| path::components(text).any(|name| name == b".."));
                let excused = climbs || self.ask.options.tail == Tail::Refuse;
                self.same("excuse to refuse what is missing", &excused, &true)?;
                self.same("missing name", &stands(), &Err(Errno::NOENT))
            }
            Some("ENOTDIR") => {
                let is_other = stands().is_ok_and(|kind| kind != FileType::Directory);
                self.same("name of what is no directory", &is_other, &true)
            }
            Some("ELOOP") => self.same("refused link", &stands(), &Ok(FileType::Symlink)),
            _ => Ok(()),
        }
    }

    fn check_links(&self, answer: &Answer) -> Result<(), String> {
        answer.links.iter().try_for_each(|(at, text)| {
            let stored = oracle::link_text(&self.on_disk(at));
            self.same("text of a link", &Ok(text.clone()), &stored)
        })
    }

    fn check_lookups(&self, answer: &Answer) -> Result<(), String> {
        // A link that the walk ended with was passed, but not followed.
        let ended_with = match &answer.outcome {
            Outcome::Failed { .. } => return Ok(()),
            Outcome::Present { real, kind, .. } => (*kind == Kind::Symlink).then_some(real),
            Outcome::Absent { .. } => None,
        };
        let mut passed = &answer.lookups[..];
        if matches!(answer.outcome, Outcome::Absent { .. }) {
            let (leaf, before) = passed.split_last().expect("an absent leaf was looked up");
            let stands = oracle::stands_at(&self.on_disk(leaf));
            self.same("absent leaf", &stands, &Err(Errno::NOENT))?;
            passed = before;
        }
        let mut links = Vec::new();
        for lookup in passed {
            let stands = oracle::stands_at(&self.on_disk(lookup));
            let name = stands.as_ref().map(|reached| reached.name.clone());
            self.same(
                "name of a lookup",
                &Ok(self.on_disk(lookup)),
                &name.map_err(|e| *e),
            )?;
            if stands.is_ok_and(|reached| reached.kind == FileType::Symlink) {
                links.push(lookup);
            }
        }
        let listed: Vec<_> = answer
            .links
            .iter()
            .map(|(at, _)| at)
            .chain(ended_with)
            .collect();
        self.same("links among the lookups", &links, &listed)
    }

    fn machine(&self) -> Machine {
        match self.world.ground {
            Ground::Machine => Machine::ambient_root().expect("a root"),
            Ground::InRoot | Ground::Beneath => Machine::at(OwnedFd::from(self.base()).into()),
        }
    }

    fn base(&self) -> File {
        File::open(std::ffi::OsStr::from_bytes(&self.base)).expect("the start is there")
    }

    fn walk(&self, machine: &Machine) -> Answer {
        let dir = Dir::from(OwnedFd::from(self.base()));
        self.ask_tree(
            machine,
            Start {
                dir: &dir,
                real: self.start(),
            },
        )
    }

    fn in_memory(&self) -> Answer {
        let start = self.start();
        let root = self.root.as_os_str().as_bytes();
        let tree = match self.world.ground {
            Ground::Machine => memory(root, self.root, &self.world.entries),
            Ground::InRoot | Ground::Beneath => memory(
                b"/",
                self.root,
                &below(&self.ask.start, &self.world.entries),
            ),
        };
        let dir = match path::trim_start(start) {
            [] => *tree.root(),
            names => tree
                .run(tree.root(), names)
                .dir
                .expect("the start is a directory"),
        };
        without_ids(&self.ask_tree(
            &tree,
            Start {
                dir: &dir,
                real: start,
            },
        ))
    }

    /// The real path of the start in the tree that is asked.
    fn start(&self) -> &[u8] {
        match self.world.ground {
            Ground::Machine => &self.base,
            Ground::InRoot | Ground::Beneath => b"/",
        }
    }

    fn ask_tree<T: Tree>(&self, tree: &T, start: Start<'_, T::Dir>) -> Answer {
        let asked = std::ffi::OsStr::from_bytes(&self.path);
        match Object::walk_from(tree, start, asked, &self.ask.options) {
            Ok(object) => Answer {
                outcome: outcome(&object),
                links: object.links().map(owned).collect(),
                lookups: object.lookups().map(|name| name[..].into()).collect(),
            },
            Err(error) => Answer {
                outcome: failure(&error),
                links: error.links().map(owned).collect(),
                lookups: Vec::new(),
            },
        }
    }

    /// Where a real path of the tree that was asked stands on disk.
    fn on_disk(&self, real: &Name) -> Name {
        match (self.world.ground, &real.0[..]) {
            (Ground::Machine, real) => real.into(),
            (_, b"/") => self.base[..].into(),
            (_, real) => Name([&self.base, real].concat()),
        }
    }

    fn same<T: Debug + PartialEq>(&self, what: &str, one: &T, other: &T) -> Result<(), String> {
        if one == other {
            return Ok(());
        }
        Err(format!(
            "{what}: {one:?} is not {other:?}\n{:?} in\n{:?}",
            self.ask, self.world
        ))
    }
}

/// The entries below a folder, named from there.
fn below(folder: &[u8], entries: &[Entry]) -> Vec<Entry> {
    let inner = |entry: &Entry| match entry.path().strip_prefix(folder)? {
        [b'/', rest @ ..] => Some(entry.at(rest)),
        rest if folder.is_empty() => Some(entry.at(rest)),
        _ => None,
    };
    entries.iter().filter_map(inner).collect()
}

fn outcome<D>(object: &Object<D>) -> Outcome {
    let walked = object.walked();
    match (object.kind(), object.identity()) {
        (Some(kind), Some(Identity { device, inode, .. })) => Outcome::Present {
            real: walked.real().into(),
            kind,
            id: Some((device, inode)),
        },
        _ => Outcome::Absent {
            real: walked.real().into(),
            tail: Name(walked.tail().collect::<Vec<_>>().join(&b'/')),
            slash: walked.asks_for_directory(),
        },
    }
}

fn failure(error: &Error) -> Outcome {
    let source = error
        .fault()
        .io_error()
        .and_then(std::io::Error::raw_os_error);
    Outcome::Failed {
        at: error.at().into(),
        kind: error.kind().name(),
        errno: error.kind().errno().or_else(|| errno_name(source?)),
    }
}

fn owned(link: Traversed<'_>) -> (Name, Name) {
    (link.at().into(), link.text().into())
}

/// Memory numbers its objects by itself.
fn without_ids(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let Outcome::Present { id, .. } = &mut answer.outcome {
        *id = None;
    }
    answer
}

fn is_kind(walked: Kind, kernel: FileType) -> bool {
    matches!(
        (walked, kernel),
        (Kind::Directory, FileType::Directory)
            | (Kind::File, FileType::RegularFile)
            | (Kind::Symlink, FileType::Symlink)
            | (Kind::Fifo, FileType::Fifo)
    )
}
