//! Why a walk failed. One error for every system: the kinds are the library's, and what the
//! system said stays behind them as the source.

use std::{fmt, io};

use crate::Traversed;
use crate::passed::Passed;
use crate::path;

/// A walk that failed: what went wrong, at which name, and which links had been passed.
#[derive(Debug)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    fault: Fault,
    at: Vec<u8>,
    passed: Passed,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The path has no text at all.
    EmptyPath,
    /// The path, or a link's text, contains a NUL, which no name can.
    NulInPath,
    /// A component does not exist, and absence was not accepted or a `..` follows it.
    NotFound,
    /// A component that must be a directory is none.
    NotADirectory,
    /// More than [`LINK_LIMIT`](crate::LINK_LIMIT) links.
    TooManyLinks,
    /// A link where links were to be refused, or on a mount that follows none.
    LinkRefused,
    /// A link of procfs whose text is not where it leads (proc_pid_fd(5)).
    MagicLink,
    /// The name leaves the directory that it had to stay beneath.
    OutsideScope,
    /// A directory may not be searched, or a link in a sticky directory may not be followed.
    PermissionDenied,
    /// A component is longer than its file system allows, or a text longer than a call takes.
    NameTooLong,
    /// The text to walk grew beyond the budget of the walk.
    Budget,
    /// The tree kept changing under the walk.
    Raced,
    /// This system cannot be walked.
    Unsupported,
    /// The system said something else: see the source.
    System,
}

impl ErrorKind {
    /// A short name that stays the same between releases.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::EmptyPath => "empty-path",
            ErrorKind::NulInPath => "nul-in-path",
            ErrorKind::NotFound => "not-found",
            ErrorKind::NotADirectory => "not-a-directory",
            ErrorKind::TooManyLinks => "too-many-links",
            ErrorKind::LinkRefused => "link-refused",
            ErrorKind::MagicLink => "magic-link",
            ErrorKind::OutsideScope => "outside-scope",
            ErrorKind::PermissionDenied => "permission-denied",
            ErrorKind::NameTooLong => "name-too-long",
            ErrorKind::Budget => "budget",
            ErrorKind::Raced => "raced",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::System => "system",
        }
    }

    /// The errno that the kernel of Linux gives in this case; `None` where it has no such case, or
    /// where the source must tell.
    pub fn errno(self) -> Option<&'static str> {
        match self {
            ErrorKind::EmptyPath | ErrorKind::NotFound => Some("ENOENT"),
            ErrorKind::NulInPath => Some("EINVAL"),
            ErrorKind::NotADirectory => Some("ENOTDIR"),
            ErrorKind::TooManyLinks | ErrorKind::LinkRefused | ErrorKind::MagicLink => {
                Some("ELOOP")
            }
            ErrorKind::OutsideScope => Some("EXDEV"),
            ErrorKind::PermissionDenied => Some("EACCES"),
            ErrorKind::NameTooLong => Some("ENAMETOOLONG"),
            ErrorKind::Raced => Some("EAGAIN"),
            ErrorKind::Unsupported => Some("ENOSYS"),
            ErrorKind::Budget | ErrorKind::System => None,
        }
    }

    fn message(self) -> &'static str {
        match self {
            ErrorKind::EmptyPath => "the path is empty",
            ErrorKind::NulInPath => "a name cannot contain a NUL",
            ErrorKind::NotFound => "no such file or directory",
            ErrorKind::NotADirectory => "not a directory",
            ErrorKind::TooManyLinks => "more than 40 symbolic links",
            ErrorKind::LinkRefused => "a symbolic link, and links are refused here",
            ErrorKind::MagicLink => "a magic link, whose text is not where it leads",
            ErrorKind::OutsideScope => "the name leaves its scope",
            ErrorKind::PermissionDenied => "permission denied",
            ErrorKind::NameTooLong => "a name is too long",
            ErrorKind::Budget => "the text to walk exceeds its budget",
            ErrorKind::Raced => "the directory tree kept changing",
            ErrorKind::Unsupported => "no walk on this system",
            ErrorKind::System => "the system refused",
        }
    }
}

/// What a tree answers when it cannot: the kind, and what the system said.
#[derive(Debug)]
pub struct Fault {
    kind: ErrorKind,
    source: Option<io::Error>,
}

impl Fault {
    /// A fault with the system's own error behind it.
    pub fn new(kind: ErrorKind, source: io::Error) -> Self {
        Fault {
            kind,
            source: Some(source),
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the system said, if it was the system that refused.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.source.as_ref()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, &self.source) {
            (ErrorKind::System, Some(source)) => source.fmt(f),
            (kind, _) => f.write_str(kind.message()),
        }
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl From<ErrorKind> for Fault {
    fn from(kind: ErrorKind) -> Self {
        Fault { kind, source: None }
    }
}

impl Error {
    pub(crate) fn new(fault: impl Into<Fault>, at: Vec<u8>, passed: Passed) -> Self {
        Error {
            inner: Box::new(Inner {
                fault: fault.into(),
                at,
                passed,
            }),
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.inner.fault.kind
    }

    /// The name at which the walk stopped: the component, under its parent's real path. Empty when
    /// the walk did not begin.
    pub fn at(&self) -> &[u8] {
        &self.inner.at
    }

    /// The links passed before that, in order.
    pub fn links(&self) -> impl Iterator<Item = Traversed<'_>> {
        self.inner.passed.links()
    }

    /// The same without the name: the kind, and what the system said if it was the system that
    /// refused.
    pub fn fault(&self) -> &Fault {
        &self.inner.fault
    }

    /// The fault by itself.
    pub fn into_fault(self) -> Fault {
        self.inner.fault
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.inner.at.is_empty() {
            write!(f, "`{}`: ", path::display(&self.inner.at))?;
        }
        self.inner.fault.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.inner.fault)
    }
}
