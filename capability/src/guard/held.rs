//! What the guard hands out: an object that can be used as was admitted, and in no other way.

use std::fs::File;
use std::marker::PhantomData;

use objcap_object::{
    Entries, Existing, Identity, Kind, Leaf, Machine, Mode, NewMode, Object, Open, RealPath,
    Status, World,
};

use crate::Access;
use crate::guard::act::{COPIED, LINKED, MOVED};
use crate::guard::error::{GuardError, Refused, admitted};
use crate::guard::{End, Extent, Guard};

/// An object that may be used with the right `R`, and with no other. It can be narrowed, and never
/// widened.
///
/// ```
/// # use objcap_capability::{Grant, Guard, Read, Stack, Stat};
/// # use objcap_object::Host;
/// # let folder = tempfile::tempdir()?;
/// # let root = std::fs::canonicalize(folder.path())?;
/// # std::fs::write(root.join("a"), "text")?;
/// let host = Host::ambient()?;
/// let grant = Grant::builder().read(&root).build(&host.vars)?;
/// let stack = Stack::freeze(&[grant], &host)?;
/// let guard = Guard::new(&host, &stack);
/// let held = guard.locate::<Read>(root.join("a"))?;
/// assert_eq!(std::io::read_to_string(held.open()?)?, "text");
/// assert_eq!(held.narrow::<Stat>().status()?.size, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What was not admitted is not there to be called:
///
/// ```compile_fail,E0599
/// # use objcap_capability::{Held, Read};
/// fn make(held: Held<'_, Read>) {
///     let _ = held.create_new(objcap_object::Mode::FILE);
/// }
/// ```
///
/// ```compile_fail,E0599
/// # use objcap_capability::{Held, Stat};
/// fn read(held: Held<'_, Stat>) {
///     let _ = held.open();
/// }
/// ```
///
/// And nothing widens it:
///
/// ```compile_fail,E0277
/// # use objcap_capability::{Held, Read, Write};
/// fn widen<'a>(held: Held<'a, Read>) -> Held<'a, Write> {
///     held.narrow::<Write>()
/// }
/// ```
#[derive(Debug)]
pub struct Held<'a, R, W: World = Machine> {
    guard: Guard<'a, W>,
    object: Object<W::Dir>,
    real: RealPath,
    right: PhantomData<R>,
}

/// A right to an object, as a type. There are [`Stat`], [`Read`] and [`Write`]; what may be run
/// comes from [`Guard::exec`].
pub trait Right: sealed::Sealed {
    /// The accesses that it stands for.
    const ACCESS: Access;
}

/// A right that holds another.
pub trait Includes<R>: Right {}

/// To ask what it is.
#[derive(Debug)]
pub struct Stat;
/// To read it, and to ask what it is.
#[derive(Debug)]
pub struct Read;
/// To make, change and remove it; to read it too, as every grant has it.
#[derive(Debug)]
pub struct Write;

mod sealed {
    /// Not to be had outside this crate: a right that others made could stand for anything.
    pub trait Sealed {}
    impl Sealed for super::Stat {}
    impl Sealed for super::Read {}
    impl Sealed for super::Write {}
}

impl Right for Stat {
    const ACCESS: Access = Access::STAT;
}
impl Right for Read {
    const ACCESS: Access = Access::STAT.union(Access::READ);
}
impl Right for Write {
    const ACCESS: Access = Access::FILES;
}

impl Includes<Stat> for Stat {}
impl Includes<Stat> for Read {}
impl Includes<Read> for Read {}
impl Includes<Stat> for Write {}
impl Includes<Read> for Write {}
impl Includes<Write> for Write {}

impl<'a, W: World> Guard<'a, W> {
    /// Walks a name once, judges the object that it leads to, and hands it out. One that is absent is
    /// judged by where it would stand, and can be made.
    ///
    /// # Errors
    /// When the name cannot be walked, and when a grant refuses.
    pub fn locate<R: Right>(
        &self,
        path: impl AsRef<std::ffi::OsStr>,
    ) -> Result<Held<'a, R, W>, GuardError> {
        self.hold(path, Leaf::Follow)
    }

    /// The same, of what stands under the name itself: a link at its end is not followed. So it is moved,
    /// removed, and made.
    ///
    /// # Errors
    /// As [`locate`](Guard::locate).
    pub fn locate_as_named<R: Right>(
        &self,
        path: impl AsRef<std::ffi::OsStr>,
    ) -> Result<Held<'a, R, W>, GuardError> {
        self.hold(path, Leaf::AsNamed)
    }

    fn hold<R: Right>(
        &self,
        path: impl AsRef<std::ffi::OsStr>,
        leaf: Leaf,
    ) -> Result<Held<'a, R, W>, GuardError> {
        let end = End {
            access: R::ACCESS,
            leaf,
            extent: Extent::Contents,
        };
        let (object, real, verdict) = self.judge_end(path, end)?.into_parts();
        admitted(verdict, R::ACCESS, &real)?;
        Ok(Held {
            guard: *self,
            object,
            real,
            right: PhantomData,
        })
    }
}

impl<'a, R: Right, W: World> Held<'a, R, W> {
    /// The object's real path, as the system presents it.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// What kind of object it was when it was walked; `None` when it was absent.
    pub fn kind(&self) -> Option<Kind> {
        self.object.kind()
    }

    /// Which object it was.
    pub fn identity(&self) -> Option<Identity> {
        self.object.identity()
    }

    /// Gives up what the narrower right does not have.
    pub fn narrow<N: Right>(self) -> Held<'a, N, W>
    where
        R: Includes<N>,
    {
        Held {
            guard: self.guard,
            object: self.object,
            real: self.real,
            right: PhantomData,
        }
    }

    /// Whether it may be an end of something that concerns more than what it holds.
    fn may(&self, end: End) -> Result<(), GuardError> {
        match self.guard.decide(&self.object, &self.real, end) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(GuardError::Refused(Refused::new(
                end.access,
                self.real.clone(),
                &refusal,
            ))),
        }
    }
}

impl<R: Includes<Stat>> Held<'_, R> {
    /// What the system says of it.
    ///
    /// # Errors
    /// As [`Object::stat`].
    pub fn status(&self) -> Result<Status, GuardError> {
        Ok(self.object.stat()?)
    }
}

impl<R: Includes<Read>> Held<'_, R> {
    /// Opens the file for reading.
    ///
    /// # Errors
    /// As [`Object::open`].
    pub fn open(&self) -> Result<File, GuardError> {
        Ok(self.object.open(Open::READ)?)
    }

    /// The directory's entries.
    ///
    /// # Errors
    /// As [`Object::read_dir`].
    pub fn read_dir(&self) -> Result<Entries, GuardError> {
        Ok(self.object.read_dir()?)
    }

    /// The link's text.
    ///
    /// # Errors
    /// As [`Object::read_link`].
    pub fn read_link(&self) -> Result<Vec<u8>, GuardError> {
        Ok(self.object.read_link()?)
    }

    /// Makes a copy at `to` that shares its data. A folder that holds an exclusion is not copied as a
    /// whole.
    ///
    /// # Errors
    /// As [`Object::clone_to`], and when it holds an exclusion.
    pub fn clone_to(&self, to: &Held<'_, Write>) -> Result<(), GuardError> {
        self.may(COPIED)?;
        Ok(self.object.clone_to(&to.object)?)
    }
}

impl Held<'_, Write> {
    /// Opens the file as asked: for writing, appending, emptied first.
    ///
    /// # Errors
    /// As [`Object::open`].
    pub fn open_with(&self, how: Open) -> Result<File, GuardError> {
        Ok(self.object.open(how)?)
    }

    /// Makes the file, which was absent.
    ///
    /// # Errors
    /// As [`Object::create_new`].
    pub fn create_new(&self, mode: Mode) -> Result<File, GuardError> {
        Ok(self.object.create_new(mode)?)
    }

    /// Makes the directory, which was absent.
    ///
    /// # Errors
    /// As [`Object::create_dir`].
    pub fn create_dir(&self, mode: Mode) -> Result<(), GuardError> {
        Ok(self.object.create_dir(mode)?)
    }

    /// Makes a link, which was absent. What its text leads to is judged when it is followed.
    ///
    /// # Errors
    /// As [`Object::symlink`].
    pub fn symlink(&self, text: &[u8]) -> Result<(), GuardError> {
        Ok(self.object.symlink(text)?)
    }

    /// Replaces the file's contents in one step.
    ///
    /// # Errors
    /// As [`Object::replace`].
    pub fn replace(&self, contents: &[u8], mode: NewMode) -> Result<(), GuardError> {
        self.may(MOVED)?;
        Ok(self.object.replace(contents, mode)?)
    }

    /// Removes it; a directory when it is empty.
    ///
    /// # Errors
    /// As [`Object::remove`], and when it holds an exclusion.
    pub fn remove(&self) -> Result<(), GuardError> {
        self.may(MOVED)?;
        Ok(self.object.remove()?)
    }

    /// Removes it with all that lies below.
    ///
    /// # Errors
    /// As [`Object::remove_all`], and when it holds an exclusion.
    pub fn remove_all(&self) -> Result<(), GuardError> {
        self.may(MOVED)?;
        Ok(self.object.remove_all()?)
    }

    /// Gives it the name of `to`, and takes its own away.
    ///
    /// # Errors
    /// As [`Object::rename`], and when either holds an exclusion.
    pub fn rename(&self, to: &Held<'_, Write>, existing: Existing) -> Result<(), GuardError> {
        self.may(MOVED)?;
        to.may(MOVED)?;
        Ok(self.object.rename(&to.object, existing)?)
    }

    /// Exchanges the names of two.
    ///
    /// # Errors
    /// As [`Object::swap`], and when either holds an exclusion.
    pub fn swap(&self, with: &Held<'_, Write>) -> Result<(), GuardError> {
        self.may(MOVED)?;
        with.may(MOVED)?;
        Ok(self.object.swap(&with.object)?)
    }

    /// Gives it a second name.
    ///
    /// # Errors
    /// As [`Object::link`].
    pub fn link(&self, to: &Held<'_, Write>) -> Result<(), GuardError> {
        self.may(LINKED)?;
        Ok(self.object.link(&to.object)?)
    }
}
