//! What freezing a grant asks of a system beyond a walk: where an object is by now, the first bytes
//! of a file, whether the user could change them, whether it would be run. Not what is done with
//! an object: nothing here changes anything.

mod machine;
mod memory;

use std::io;

use objcap_walk::{Leaf, Links, Options, Scope, Tail, Tree, walk};

pub use self::machine::Kept;
pub use self::memory::Remembered;
use crate::{Object, RealPath};

/// How many bytes of a file [`World::head`] reads at most. An interpreter's name, with its argument,
/// ends before the 256th on Linux and the 512th on a Mac (execve(2)); a shell script's first lines fit.
pub const HEAD: usize = 4_096;

/// A system to freeze a grant in. Every answer holds for the moment in which it was asked.
pub trait World: Tree {
    /// An object kept, so that it can be asked later where it is.
    type Kept: std::fmt::Debug;

    /// Keeps the object that was walked, whatever becomes of its name. On a machine this takes one
    /// descriptor for as long as it is kept; nothing is opened for reading.
    ///
    /// # Errors
    /// When the object was absent or is not there any more, and when the system has no handle left.
    fn keep(&self, object: &Object<Self::Dir>) -> io::Result<Self::Kept>;

    /// The real path that leads to it now, as stored; `None` when it has none: it was removed, is
    /// covered by a mount, or lies outside this tree. Of a file with several names it is one of
    /// them; a system that knows the object by a name that is gone has none to tell.
    ///
    /// What the system says is believed only when a walk of that path, which follows no link, comes
    /// to the same object.
    ///
    /// # Errors
    /// When the system cannot say, as where procfs is missing on Linux, and when the object is moved
    /// faster than it can be found.
    fn whereabouts(&self, kept: &Self::Kept) -> io::Result<Option<RealPath>>;

    /// The first bytes of a regular file, at most [`HEAD`].
    ///
    /// # Errors
    /// When it is no regular file or not the one that was walked, and when it may not be read.
    fn head(&self, object: &Object<Self::Dir>) -> io::Result<Vec<u8>>;

    /// Whether this user could change what is found under the object's real path: by writing it, by
    /// owning it, since an owner sets its permissions, or by writing or owning a folder above it,
    /// and so replacing what is below. An absent object can be changed where it can be made.
    ///
    /// In doubt it is changeable: a sticky folder that the user may write counts as one in which
    /// everything can be replaced. For root everything is changeable. The links that the walk passed
    /// are other objects, to be asked for by themselves. A file system that the user serves (FUSE)
    /// says what it likes.
    ///
    /// # Errors
    /// When the system cannot say.
    fn is_changeable(&self, object: &Object<Self::Dir>) -> io::Result<bool>;

    /// Whether the system would run it for this user: a regular file with an execute bit that counts
    /// for the user, on a volume where programs may be run. An absent object is not runnable.
    ///
    /// # Errors
    /// When the system cannot say, or what stands there is not what was walked.
    fn is_runnable(&self, object: &Object<Self::Dir>) -> io::Result<bool>;

    /// How many names it has on its volume, as far as the volume counts them; of a directory, what the
    /// system says.
    ///
    /// # Errors
    /// When the system cannot say, or what stands there is not what was walked.
    fn name_count(&self, object: &Object<Self::Dir>) -> io::Result<u64>;
}

/// Walks a real path, which has no link to follow; what is missing of it may be.
fn along<T: Tree>(tree: &T, real: &RealPath) -> io::Result<Object<T::Dir>> {
    let options = Options {
        scope: Scope::InRoot,
        links: Links::Refuse,
        leaf: Leaf::AsNamed,
        tail: Tail::Accept,
        ..Options::default()
    };
    walk(tree, real.as_bytes(), &options)
        .map(Object::from)
        .map_err(not_walked)
}

/// A walk that failed, as an error of the system's sort.
fn not_walked(error: objcap_walk::Error) -> io::Error {
    use objcap_walk::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    let kind = match (error.fault().io_error(), error.kind()) {
        (Some(source), _) => source.kind(),
        (None, NotFound) => io::ErrorKind::NotFound,
        (None, NotADirectory) => io::ErrorKind::NotADirectory,
        (None, PermissionDenied) => io::ErrorKind::PermissionDenied,
        (None, _) => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
