//! This machine as a tree to walk.

use objcap_walk::{Error, ErrorKind, Fault, Options, Ran, Spelled, Stat, Step, Tree, walk};

use crate::sys::{self, Dir, Notes, Runs, Volume};

/// The file system of this machine, from its root or from one directory.
///
/// Making one from the root takes ambient authority, as the name of the constructor says: whoever
/// holds it can reach whatever this process can.
#[derive(Debug)]
pub struct Machine {
    root: Dir,
    volume: Volume,
}

impl Machine {
    /// The machine's whole file system.
    ///
    /// # Errors
    /// When the root cannot be opened for search, and on systems that cannot be walked.
    pub fn ambient_root() -> Result<Self, Fault> {
        Ok(Machine::at(sys::open_root()?))
    }

    /// The file system below one directory, which is the root of every walk in it.
    pub fn at(root: Dir) -> Self {
        Machine {
            root,
            volume: Volume::current(Runs::Whole),
        }
    }

    /// The same file system, passed name by name, as on a system that has no call for a whole run.
    /// The answers are the same; tests show it.
    #[must_use]
    pub fn stepwise(self) -> Self {
        Machine {
            volume: Volume::current(Runs::Single),
            ..self
        }
    }

    /// The folder that the process is in, and its real path: where a relative name starts.
    ///
    /// # Errors
    /// When it cannot be opened, or has no name that leads to it.
    pub fn ambient_current(&self) -> Result<(Dir, Vec<u8>), Fault> {
        let (dir, real) = sys::open_current()?;
        let held = self.stat(&dir)?;
        // The system's name of it is believed only when it leads there.
        let named = walk(self, &real, &Options::default()).map_err(Error::into_fault)?;
        if named.identity() == Some(held.identity) {
            Ok((dir, real))
        } else {
            Err(ErrorKind::NotFound.into())
        }
    }
}

impl Tree for Machine {
    type Dir = Dir;
    type Notes = Notes;

    fn root(&self) -> &Dir {
        &self.root
    }

    fn share(&self, dir: &Dir) -> Result<Dir, Fault> {
        sys::share(dir)
    }

    fn stat(&self, dir: &Dir) -> Result<Stat, Fault> {
        sys::stat(&self.volume, dir)
    }

    fn look(&self, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
        sys::look(&self.volume, dir, name)
    }

    fn step(&self, dir: &Dir, name: &[u8], notes: &mut Notes) -> Result<Step<Dir>, Fault> {
        sys::step(&self.volume, dir, name, notes)
    }

    fn spell(&self, real: &[u8]) -> Spelled {
        sys::spell(&self.volume, &self.root, real)
    }

    fn run(&self, dir: &Dir, names: &[u8]) -> Ran<Dir> {
        sys::run(&self.volume, dir, names)
    }
}
