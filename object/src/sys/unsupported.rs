//! Any other system: it builds, and says that it cannot walk.

use objcap_walk::{ErrorKind, Fault, Ran, Spelled, Stat, Step};

use super::Runs;

/// A handle on a directory. There is none on this system.
#[derive(Debug)]
pub struct Dir(Never);

#[derive(Debug, Clone, Copy)]
enum Never {}

impl Dir {
    /// Whatever is asked of a handle that cannot be.
    pub(super) fn never<T>(&self) -> T {
        match self.0 {}
    }
}

#[derive(Debug)]
pub(crate) struct Volume;

/// Nothing: there is no directory to note anything of.
pub(crate) type Notes = ();

impl Volume {
    pub(crate) fn current(_: Runs) -> Self {
        Volume
    }
}

pub(crate) fn open_root() -> Result<Dir, Fault> {
    Err(ErrorKind::Unsupported.into())
}

pub(crate) fn open_current() -> Result<(Dir, Vec<u8>), Fault> {
    Err(ErrorKind::Unsupported.into())
}

pub(crate) fn share(dir: &Dir) -> Result<Dir, Fault> {
    match dir.0 {}
}

pub(crate) fn stat(_: &Volume, dir: &Dir) -> Result<Stat, Fault> {
    match dir.0 {}
}

pub(crate) fn look(_: &Volume, dir: &Dir, _: &[u8]) -> Result<Option<Stat>, Fault> {
    match dir.0 {}
}

pub(crate) fn step(_: &Volume, dir: &Dir, _: &[u8], (): &mut Notes) -> Result<Step<Dir>, Fault> {
    match dir.0 {}
}

pub(crate) fn run(_: &Volume, _: &Dir, _: &[u8]) -> Ran<Dir> {
    Ran {
        dir: None,
        passed: 0,
        spelled: Spelled::AsGiven,
    }
}

pub(crate) fn spell(_: &Volume, root: &Dir, _: &[u8]) -> Spelled {
    match root.0 {}
}
