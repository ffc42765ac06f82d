//! Where walks start, and what names are given relative to: the current folder or `--root`, inside
//! the whole machine or enclosed.

use std::ffi::OsStr;

use objcap::object::{Dir, Machine};
use objcap::walk::{
    ErrorKind, Fault, Options, Require, Start, Step, Tail, Tree as _, Walked, path, walk, walk_from,
};

use crate::output::Failure;

/// A tree, the folder where relative paths start, and the folder that names are relative to.
#[derive(Debug)]
pub(super) struct Place {
    machine: Machine,
    start: Folder,
    /// `None`: names are the tree's own.
    base: Option<Vec<u8>>,
}

#[derive(Debug)]
enum Folder {
    /// The root of the tree.
    Root,
    /// A folder below it, and its real path.
    Below(Dir, Vec<u8>),
    /// The current folder, which has no name any more.
    Lost(Fault),
}

/// A name as it is shown.
// Exhaustive: a name lies at or below the base, or it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown<'a> {
    /// Relative to the base, which is `/`.
    Inside(&'a [u8]),
    /// The machine's own.
    Outside(&'a [u8]),
}

impl<'a> Shown<'a> {
    pub(super) fn text(self) -> &'a [u8] {
        match self {
            Shown::Inside(name) | Shown::Outside(name) => name,
        }
    }
}

impl Place {
    /// The whole machine, paths starting at `root` or else at the current folder.
    pub(super) fn open(root: Option<&OsStr>) -> Result<Self, Failure> {
        let machine = ambient()?;
        Ok(match root {
            Some(root) => {
                let (dir, real) = find(&machine, root)?;
                Place {
                    start: Folder::Below(dir, real.clone()),
                    base: Some(real),
                    machine,
                }
            }
            None => Place {
                // Without one, absolute paths can be answered all the same.
                start: match machine.ambient_current() {
                    Ok((dir, real)) => Folder::Below(dir, real),
                    Err(fault) => Folder::Lost(fault),
                },
                base: None,
                machine,
            },
        })
    }

    /// Only what is below `root`, or else the current folder: a tree of its own.
    pub(super) fn enclosed(root: Option<&OsStr>) -> Result<Self, Failure> {
        let machine = ambient()?;
        let (dir, _) = match root {
            Some(root) => find(&machine, root)?,
            None => machine.ambient_current().map_err(lost)?,
        };
        Ok(Place {
            machine: Machine::at(dir),
            start: Folder::Root,
            base: None,
        })
    }

    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Where the walk of `path` starts; the fault of the current folder when it cannot start there.
    pub(super) fn start(&self, path: &[u8]) -> Result<Start<'_, Dir>, &Fault> {
        match &self.start {
            Folder::Below(dir, real) => Ok(Start { dir, real }),
            Folder::Lost(fault) if !path.is_empty() && !path.starts_with(b"/") => Err(fault),
            Folder::Root | Folder::Lost(_) => Ok(Start {
                dir: self.machine.root(),
                real: b"/",
            }),
        }
    }

    /// A real path of the tree as it is shown.
    pub(super) fn show<'a>(&self, real: &'a [u8]) -> Shown<'a> {
        let Some(base) = &self.base else {
            return Shown::Inside(real);
        };
        match real.strip_prefix(path::trim_end(base)) {
            Some([]) => Shown::Inside(b"/"),
            Some(below @ [b'/', ..]) => Shown::Inside(below),
            _ => Shown::Outside(real),
        }
    }
}

fn ambient() -> Result<Machine, Failure> {
    Machine::ambient_root().map_err(|fault| Failure::new(format_args!("the root: {fault}")))
}

fn lost(fault: impl std::fmt::Display) -> Failure {
    Failure::new(format_args!("the current folder: {fault}"))
}

/// The folder that `--root` names, opened, and its real path.
fn find(machine: &Machine, root: &OsStr) -> Result<(Dir, Vec<u8>), Failure> {
    let root = root.as_encoded_bytes();
    let options = Options {
        tail: Tail::Refuse,
        require: Require::Directory,
        ..Options::default()
    };
    let walked = if root.starts_with(b"/") {
        walk(machine, root, &options)
    } else {
        let (dir, real) = machine.ambient_current().map_err(lost)?;
        let start = Start {
            dir: &dir,
            real: &real,
        };
        walk_from(machine, start, root, &options)
    };
    let refused = |why: &dyn std::fmt::Display| {
        Failure::new(format_args!("--root `{}`: {why}", path::display(root)))
    };
    let walked = walked.map_err(|error| refused(&error))?;
    let dir = enter(machine, &walked).map_err(|fault| refused(&fault))?;
    Ok((dir, walked.real().to_vec()))
}

/// The directory that a walk found, opened through its parent's handle.
fn enter(machine: &Machine, walked: &Walked<Dir>) -> Result<Dir, Fault> {
    let Some(leaf) = walked.leaf() else {
        return machine.share(machine.root());
    };
    match machine.step(walked.parent(), leaf, &mut Default::default())? {
        Step::Directory(dir, stat) if Some(stat.identity) == walked.identity() => Ok(dir),
        _ => Err(ErrorKind::Raced.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_relative_to_the_base_by_components() {
        let place = |base: Option<&[u8]>| Place {
            machine: Machine::ambient_root().unwrap(),
            start: Folder::Root,
            base: base.map(<[u8]>::to_vec),
        };
        let below = place(Some(b"/w"));
        assert_eq!(below.show(b"/w"), Shown::Inside(b"/"));
        assert_eq!(below.show(b"/w/f"), Shown::Inside(b"/f"));
        assert_eq!(below.show(b"/w-evil/f"), Shown::Outside(b"/w-evil/f"));
        assert_eq!(below.show(b"/"), Shown::Outside(b"/"));
        for all in [place(Some(b"/")), place(None)] {
            assert_eq!(all.show(b"/"), Shown::Inside(b"/"));
            assert_eq!(all.show(b"/w"), Shown::Inside(b"/w"));
        }
    }
}
