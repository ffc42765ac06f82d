//! A tree in memory as a world: a user who owns what was given, and nothing else.

use std::io;

use objcap_walk::{About, Identity, Memory, Owner, Place, Step, Tree as _};

use super::{HEAD, World};
use crate::{Object, RealPath};

/// An object of a [`Memory`], kept by its identity and the name that it was kept under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    identity: Identity,
    real: RealPath,
}

/// Of a file with several names, the one that it was kept under is told for as long as it leads to it.
/// The owner of a folder above the tree's root does not count: nothing in the tree leads there.
impl World for Memory {
    type Kept = Remembered;

    fn keep(&self, object: &Object<Place>) -> io::Result<Remembered> {
        Ok(Remembered {
            identity: about(self, object)?.identity,
            real: object.real().clone(),
        })
    }

    fn whereabouts(&self, kept: &Remembered) -> io::Result<Option<RealPath>> {
        let names = self.names_of(kept.identity);
        let mut reals = names.into_iter().filter_map(RealPath::new);
        let first = reals.next();
        if first.as_ref() == Some(&kept.real) || reals.any(|real| real == kept.real) {
            return Ok(Some(kept.real.clone()));
        }
        Ok(first)
    }

    fn head(&self, object: &Object<Place>) -> io::Result<Vec<u8>> {
        let contents = about(self, object)?.contents;
        let contents = contents.ok_or_else(|| {
            let why = format!("`{}` is no regular file", object.real());
            io::Error::new(io::ErrorKind::InvalidInput, why)
        })?;
        Ok(contents.get(..HEAD).unwrap_or(contents).to_vec())
    }

    fn is_changeable(&self, object: &Object<Place>) -> io::Result<bool> {
        let is_users =
            |about: Option<About<'_>>| about.is_some_and(|about| about.owner == Owner::User);
        let own = object
            .leaf()
            .and_then(|name| self.about(object.parent(), name));
        if is_users(own) {
            return Ok(true);
        }
        // By the real path, as a user would go about it.
        let mut above = *self.root();
        let mut names = object.real().components();
        // The last one is the object itself.
        names.next_back();
        loop {
            if is_users(self.about(&above, b".")) {
                return Ok(true);
            }
            let next = names.next().map(|name| self.step(&above, name, &mut ()));
            match next {
                Some(Ok(Step::Directory(place, _))) => above = place,
                _ => return Ok(false),
            }
        }
    }

    fn is_runnable(&self, object: &Object<Place>) -> io::Result<bool> {
        Ok(object.identity().is_some() && about(self, object)?.runnable)
    }

    fn name_count(&self, object: &Object<Place>) -> io::Result<u64> {
        let names = self.names_of(about(self, object)?.identity);
        Ok(names.len() as u64)
    }
}

/// What is known of the object that was walked, if it is still there.
fn about<'m>(tree: &'m Memory, object: &Object<Place>) -> io::Result<About<'m>> {
    let name = object.leaf().unwrap_or(b".");
    tree.about(object.parent(), name)
        .filter(|about| object.identity() == Some(about.identity))
        .ok_or_else(|| {
            let why = format!("`{}` is not what was walked", object.real());
            io::Error::new(io::ErrorKind::NotFound, why)
        })
}
