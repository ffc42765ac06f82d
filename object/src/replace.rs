//! Replacing a file's contents in one step: whoever reads sees the old file or the new one.

use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};

use objcap_walk::{Identity, Kind};

use crate::error::{Error, ErrorKind, Operation};
use crate::sys::{self, Hold};
use crate::{Change, Dir, Mode, Object};

/// How many names are tried for the staged file before that is an error.
const NAMES: usize = 16;

const OPERATION: Operation = Operation::Replace;

/// The permissions of the file that takes the place of another.
// Exhaustive: they are the old ones, or they are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewMode {
    /// Those of the file that it replaces, without set-id and sticky bits; of a file that did not
    /// exist, [`Mode::FILE`] as the process's mask has it.
    Kept,
    /// These, whatever the process's mask.
    Given(Mode),
}

impl Object<Dir> {
    /// Puts a file with these contents in the object's place, or makes it there.
    ///
    /// # Errors
    /// As [`replace_with`](Object::replace_with).
    pub fn replace(&self, contents: &[u8], mode: NewMode) -> Result<(), Error> {
        self.replace_with(mode, |file| file.write_all(contents))
    }

    /// Puts the file that `write` writes in the object's place, or makes it there.
    ///
    /// The file is written beside the object, under a name that nobody can foresee; its data is on
    /// disk before it takes the object's name, and the directory is on disk before this returns. On
    /// failure it is taken away. The new file is another object, owned by whoever replaces: other
    /// names of the old one keep the old contents, and its owner, attributes and access list are
    /// not carried over. This object is no longer current afterwards: walk again.
    ///
    /// # Errors
    /// [`IsADirectory`](ErrorKind::IsADirectory), [`IsALink`](ErrorKind::IsALink),
    /// [`SpecialFile`](ErrorKind::SpecialFile) and [`NoParent`](ErrorKind::NoParent) by what was
    /// walked; [`Denied`](ErrorKind::Denied) where the directory may not be opened for reading,
    /// since it could not be written to disk; [`Changed`](ErrorKind::Changed) when something else
    /// stands at the name, or in the place of the file that was written; and what `write` says.
    pub fn replace_with(
        &self,
        mode: NewMode,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        let (place, old) = match self.kind() {
            None => (self.vacant_plain(OPERATION)?, None),
            Some(kind) => {
                let present = self.named(OPERATION)?;
                present.error_of_kind(kind)?;
                (present.place, Some((present, present.hold()?.1)))
            }
        };
        let failed = |source| self.failed(OPERATION, source);
        let directory = sys::open_listing(place.dir, b".").map_err(failed)?;

        let (first, then) = match (mode, &old) {
            (NewMode::Given(mode), _) => (Mode::PRIVATE, Some(mode)),
            (NewMode::Kept, Some((_, old))) => (Mode::PRIVATE, Some(old.mode.permissions())),
            (NewMode::Kept, None) => (Mode::FILE, None),
        };
        let mut staged = Staged::new(place.dir, first).map_err(|e| self.not_made(OPERATION, e))?;
        write(&mut staged.file).map_err(failed)?;
        if let Some(mode) = then {
            sys::set_mode(&staged.file, mode).map_err(failed)?;
        }
        staged.file.sync_all().map_err(failed)?;

        let changed = |change| self.error(OPERATION, ErrorKind::Changed(change));
        if !staged.stands_at(&staged.name).map_err(failed)? {
            return Err(changed(Change::Replaced));
        }
        match old {
            Some((present, _)) => {
                present.hold()?;
                sys::rename(place.dir, &staged.name, place.dir, place.name).map_err(failed)?;
            }
            None => sys::rename_new(place.dir, &staged.name, place.dir, place.name)
                .map_err(|source| self.not_made(OPERATION, source))?,
        }
        staged.stage = Stage::Placed;
        if !staged.stands_at(place.name).map_err(failed)? {
            return Err(changed(Change::Replaced));
        }
        directory.sync_all().map_err(failed)
    }
}

impl crate::place::Present<'_> {
    fn error_of_kind(&self, kind: Kind) -> Result<(), Error> {
        Err(self.error(match kind {
            Kind::File => return Ok(()),
            Kind::Directory => ErrorKind::IsADirectory,
            Kind::Symlink => ErrorKind::IsALink,
            _ => ErrorKind::SpecialFile,
        }))
    }
}

/// A file that is written beside the one whose place it is to take. It goes when dropped, unless it
/// was placed.
struct Staged<'o> {
    dir: &'o Dir,
    name: Vec<u8>,
    file: File,
    identity: Identity,
    stage: Stage,
}

#[derive(PartialEq, Eq)]
enum Stage {
    Beside,
    Placed,
}

impl<'o> Staged<'o> {
    fn new(dir: &'o Dir, mode: Mode) -> io::Result<Self> {
        let mut tried = 0;
        loop {
            let name = unforeseen();
            match sys::create_new(dir, &name, mode) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < NAMES => {
                    tried += 1;
                }
                Err(error) => return Err(error),
                Ok(file) => {
                    let identity = sys::status_of(&file)?.identity;
                    return Ok(Staged {
                        dir,
                        name,
                        file,
                        identity,
                        stage: Stage::Beside,
                    });
                }
            }
        }
    }

    fn stands_at(&self, name: &[u8]) -> io::Result<bool> {
        match Hold::take(self.dir, name).and_then(|hold| hold.status()) {
            Ok(status) => Ok(status.identity == self.identity),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if self.stage == Stage::Beside && self.stands_at(&self.name).unwrap_or(false) {
            // There is an error already that says why it was not placed.
            let _ = sys::unlink(self.dir, &self.name);
        }
    }
}

/// A name from std's random keys, which the system gives. `O_EXCL` is what protects; this is so
/// that nobody can make it fail by having all the names.
fn unforeseen() -> Vec<u8> {
    let half = || RandomState::new().build_hasher().finish();
    format!(".objcap-{:016x}{:016x}", half(), half()).into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_staged_names_are_alike() {
        let (one, other) = (super::unforeseen(), super::unforeseen());
        assert_ne!(one, other);
        assert_eq!(one.len(), 8 + 32);
    }
}
