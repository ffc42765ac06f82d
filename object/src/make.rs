//! Making an object where none was: a file, a directory, a link.

use std::fs::File;
use std::io;

use crate::error::{Error, ErrorKind, Operation};
use crate::{Dir, Mode, Object, sys};

/// Making. The place was empty when it was walked; something that has appeared there since is
/// neither opened nor changed.
impl Object<Dir> {
    /// Makes the file, and opens it for reading and writing (`O_CREAT | O_EXCL`). The process's mask
    /// takes from `mode`.
    ///
    /// # Errors
    /// [`Exists`](ErrorKind::Exists) and [`NoParent`](ErrorKind::NoParent) by what was walked;
    /// [`IsADirectory`](ErrorKind::IsADirectory) when the name ended in a slash;
    /// [`Changed`](ErrorKind::Changed) when something appeared, or the parent was removed.
    pub fn create_new(&self, mode: Mode) -> Result<File, Error> {
        let place = self.vacant_plain(Operation::CreateNew)?;
        sys::create_new(place.dir, place.name, mode)
            .map_err(|source| self.not_made(Operation::CreateNew, source))
    }

    /// Makes the directory. The process's mask takes from `mode`; group and set-group bit come from
    /// the parent as its volume has it.
    ///
    /// # Errors
    /// As [`create_new`](Object::create_new); a slash at the end of the name is welcome.
    pub fn create_dir(&self, mode: Mode) -> Result<(), Error> {
        let place = self.vacant(Operation::CreateDir)?;
        sys::create_dir(place.dir, place.name, mode)
            .map_err(|source| self.not_made(Operation::CreateDir, source))
    }

    /// Makes a link that says `text`, which is stored as it is and need not lead anywhere. Where it
    /// leads is for whoever follows it to judge: a caller that has a say in that walks it first.
    ///
    /// # Errors
    /// As [`create_new`](Object::create_new); and no link has an empty text.
    pub fn symlink(&self, text: &[u8]) -> Result<(), Error> {
        let place = self.vacant_plain(Operation::Symlink)?;
        if text.is_empty() {
            let source = io::ErrorKind::InvalidInput.into();
            return Err(Error::new(
                Operation::Symlink,
                self.real(),
                ErrorKind::System,
                Some(source),
            ));
        }
        sys::symlink(text, place.dir, place.name)
            .map_err(|source| self.not_made(Operation::Symlink, source))
    }
}
