//! What can be learnt of an object without opening a file: status, text, entries, rights.

use objcap_walk::Kind;

use crate::error::{Error, ErrorKind, Operation};
use crate::{Dir, Object, RealPath, Status, sys};

/// A right on an object.
// Exhaustive: these are the rights of access(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    /// To read it.
    Read,
    /// To write it; in a directory, to make and remove entries.
    Write,
    /// To run it; of a directory, to search it.
    Execute,
}

/// Asking. The answer is about the object that was walked, or it is an error.
impl Object<Dir> {
    /// What the system says of the object now.
    ///
    /// # Errors
    /// [`Absent`](ErrorKind::Absent) by what was walked; [`Changed`](ErrorKind::Changed) when
    /// something else stands there now.
    pub fn stat(&self) -> Result<Status, Error> {
        let (_, status) = self.present(Operation::Stat)?.hold()?;
        Ok(status)
    }

    /// The link's text, read from the link that was walked and not from its name.
    ///
    /// # Errors
    /// As [`stat`](Object::stat); [`NotALink`](ErrorKind::NotALink) by what was walked.
    pub fn read_link(&self) -> Result<Vec<u8>, Error> {
        let present = self.present(Operation::ReadLink)?;
        if present.kind != Kind::Symlink {
            return Err(present.error(ErrorKind::NotALink));
        }
        let (hold, _) = present.hold()?;
        hold.read_link().map_err(|source| present.failed(source))
    }

    /// Lists the directory. The order is the volume's.
    ///
    /// # Errors
    /// As [`stat`](Object::stat); [`NotADirectory`](ErrorKind::NotADirectory) and
    /// [`IsALink`](ErrorKind::IsALink) by what was walked.
    pub fn read_dir(&self) -> Result<Entries, Error> {
        let present = self.present(Operation::ReadDir)?;
        present.must_be_directory()?;
        let listing = sys::Listing::new(present.open_listing()?);
        Ok(Entries {
            listing: listing.map_err(|source| present.failed(source))?,
            of: self.real().clone(),
        })
    }

    /// Whether the process, as its effective user, has a right on the object.
    ///
    /// The system answers about a name: the object is compared before and after. An answer is no
    /// promise; it is the operation that decides.
    ///
    /// # Errors
    /// As [`stat`](Object::stat); [`Denied`](ErrorKind::Denied) when it has not.
    pub fn access(&self, right: Right) -> Result<(), Error> {
        let present = self.present(Operation::Access)?;
        present.hold()?;
        let answer = sys::access(present.place.dir, present.place.name, right);
        present.hold()?;
        answer.map_err(|source| present.failed(source))
    }
}

/// The entries of a directory, in the order of its volume, without `.` and `..`.
#[derive(Debug)]
pub struct Entries {
    listing: sys::Listing,
    of: RealPath,
}

/// One entry, as the directory told it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its name.
    pub name: Vec<u8>,
    /// Its kind, where the directory tells. It is a hint: what stands at the name is what a walk
    /// to it finds.
    pub kind: Option<Kind>,
}

impl Iterator for Entries {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.listing.read()? {
            Ok((name, kind)) => Ok(Entry { name, kind }),
            Err(source) => {
                let kind = ErrorKind::of(&source);
                Err(Error::new(Operation::ReadDir, &self.of, kind, Some(source)))
            }
        })
    }
}
