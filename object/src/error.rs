//! Why an operation on an object failed. A walk that fails has the walk's own error.

use std::{fmt, io};

use crate::{Change, RealPath};

/// An operation that failed: which one, on which object, why, and what the system said.
#[derive(Debug)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    operation: Operation,
    at: RealPath,
    kind: ErrorKind,
    source: Option<io::Error>,
}

/// What an object was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// [`Object::open`](crate::Object::open)
    Open,
    /// [`Object::open_dir`](crate::Object::open_dir)
    OpenDir,
    /// [`Object::create_new`](crate::Object::create_new)
    CreateNew,
    /// [`Object::create_dir`](crate::Object::create_dir)
    CreateDir,
    /// [`Object::symlink`](crate::Object::symlink)
    Symlink,
    /// [`Object::stat`](crate::Object::stat)
    Stat,
    /// [`Object::read_link`](crate::Object::read_link)
    ReadLink,
    /// [`Object::read_dir`](crate::Object::read_dir), and what its entries are read by
    ReadDir,
    /// [`Object::access`](crate::Object::access)
    Access,
    /// [`World::keep`](crate::World::keep)
    Keep,
    /// [`Object::rename`](crate::Object::rename)
    Rename,
    /// [`Object::swap`](crate::Object::swap)
    Swap,
    /// [`Object::link`](crate::Object::link)
    Link,
    /// [`Object::clone_to`](crate::Object::clone_to)
    Clone,
    /// [`Object::remove`](crate::Object::remove)
    Remove,
    /// [`Object::remove_all`](crate::Object::remove_all)
    RemoveAll,
    /// [`Object::replace`](crate::Object::replace)
    Replace,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Open => "open",
            Operation::OpenDir => "open the directory",
            Operation::CreateNew => "create the file",
            Operation::CreateDir => "create the directory",
            Operation::Symlink => "create the link",
            Operation::Stat => "stat",
            Operation::ReadLink => "read the link",
            Operation::ReadDir => "list",
            Operation::Access => "ask for access to",
            Operation::Keep => "keep",
            Operation::Rename => "rename",
            Operation::Swap => "swap",
            Operation::Link => "link",
            Operation::Clone => "clone",
            Operation::Remove => "remove",
            Operation::RemoveAll => "remove all of",
            Operation::Replace => "replace",
        })
    }
}

/// Why an operation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What stands at the name is not what was walked.
    Changed(Change),
    /// The object was absent when it was walked, and the operation needs it.
    Absent,
    /// The object was present when it was walked, and the operation needs its name to be free.
    Exists,
    /// The operation, or a slash at the end of the name, asks for a directory, and it is none.
    NotADirectory,
    /// It is a directory, or the name asks for one, and the operation has no use for one.
    IsADirectory,
    /// The directory has entries.
    NotEmpty,
    /// It is a link. Walked with [`Leaf::Follow`](crate::Leaf::Follow), the same name leads to
    /// what the link leads to.
    IsALink,
    /// It is no link.
    NotALink,
    /// It is the root, which has no name to operate on.
    NoLeaf,
    /// The directory that it would stand in does not exist.
    NoParent,
    /// It is a FIFO, a socket or a device, and that was not asked for by name.
    SpecialFile,
    /// The volume shares no data between files, or not for this kind of object.
    CannotClone,
    /// The two names lie on different volumes or mounts, or an entry leads onto another.
    CrossesDevices,
    /// Permission is missing.
    Denied,
    /// This system, or this volume, has no such operation.
    Unsupported,
    /// The system said something else: see the source.
    System,
}

impl ErrorKind {
    /// What the system's error means where the operation knows nothing better.
    pub(crate) fn of(source: &io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => ErrorKind::Absent,
            io::ErrorKind::AlreadyExists => ErrorKind::Exists,
            io::ErrorKind::NotADirectory => ErrorKind::NotADirectory,
            io::ErrorKind::IsADirectory => ErrorKind::IsADirectory,
            io::ErrorKind::DirectoryNotEmpty => ErrorKind::NotEmpty,
            io::ErrorKind::CrossesDevices => ErrorKind::CrossesDevices,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::Denied
            }
            io::ErrorKind::Unsupported => ErrorKind::Unsupported,
            _ => ErrorKind::System,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::Changed(change) => {
                return write!(f, "not what was walked: {change}");
            }
            ErrorKind::Absent => "no such file or directory",
            ErrorKind::Exists => "it exists",
            ErrorKind::NotADirectory => "not a directory",
            ErrorKind::IsADirectory => "a directory",
            ErrorKind::NotEmpty => "a directory with entries",
            ErrorKind::IsALink => "a symbolic link",
            ErrorKind::NotALink => "not a symbolic link",
            ErrorKind::NoLeaf => "the root has no name",
            ErrorKind::NoParent => "the directory that would hold it does not exist",
            ErrorKind::SpecialFile => "a FIFO, a socket or a device",
            ErrorKind::CannotClone => "it cannot be cloned there",
            ErrorKind::CrossesDevices => "on another volume",
            ErrorKind::Denied => "permission denied",
            ErrorKind::Unsupported => "not supported here",
            ErrorKind::System => "the system refused",
        })
    }
}

impl Error {
    pub(crate) fn new(
        operation: Operation,
        at: &RealPath,
        kind: ErrorKind,
        source: Option<io::Error>,
    ) -> Self {
        Error {
            inner: Box::new(Inner {
                operation,
                at: at.clone(),
                kind,
                source,
            }),
        }
    }

    /// What was asked for.
    pub fn operation(&self) -> Operation {
        self.inner.operation
    }

    /// The real path of the object that it failed at: of two, the one whose fault it is; of a
    /// directory's contents, the entry.
    pub fn at(&self) -> &RealPath {
        &self.inner.at
    }

    /// Why.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// What the system said, if it was the system that refused.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.inner.source.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            operation,
            at,
            kind,
            source,
        } = &*self.inner;
        write!(f, "cannot {operation} `{at}`: ")?;
        match (kind, source) {
            (ErrorKind::System, Some(source)) => source.fmt(f),
            _ => kind.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.inner.source.as_ref().map(|source| source as _)
    }
}
