//! Why a program was not started confined. Nothing ran, then.

use std::fmt;
use std::io;

use crate::enter::entry::NotEntered;

/// Why a program was not started, or a process not confined.
#[derive(Debug)]
pub struct LaunchError {
    kind: LaunchErrorKind,
    told: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kept a program from being started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaunchErrorKind {
    /// This system has nothing to confine with.
    NoBackend,
    /// Something cannot be held, and nobody accepted that.
    Unaccepted,
    /// This program cannot start itself as a launcher: it does not call [`launcher`](crate::launcher()).
    NoLauncher,
    /// There is no such program, or nothing to interpret it.
    NotFound,
    /// The guard refuses the program, or nobody would run it.
    Refused,
    /// A NUL in an argument, or a variable without a name.
    Invalid,
    /// More arguments and environment than the system takes.
    TooLong,
    /// The child's folder is none, or may not be looked at.
    Folder,
    /// The process is confined already, and profiles do not stack. What holds for both grants is to be rendered
    /// outside, as one stack.
    Nested,
    /// The system does not take the profile. It is a bug here, or a system that is not known yet.
    Rejected,
    /// The system took the profile, and the process is not confined.
    NotInForce,
    /// The launcher could not be started or did not do its part.
    Start,
    /// The program could not be executed under the profile.
    Exec,
}

impl LaunchError {
    pub(crate) fn new(kind: LaunchErrorKind, told: impl Into<String>) -> Self {
        LaunchError {
            kind,
            told: told.into(),
            source: None,
        }
    }

    pub(crate) fn caused(
        kind: LaunchErrorKind,
        told: impl Into<String>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        LaunchError {
            kind,
            told: told.into(),
            source: Some(Box::new(source)),
        }
    }

    /// A step that the system refused.
    pub(crate) fn system(kind: LaunchErrorKind, step: &str, error: io::Error) -> Self {
        LaunchError::caused(kind, format!("{step}: {error}"), error)
    }

    /// What kept it from being started.
    pub fn kind(&self) -> LaunchErrorKind {
        self.kind
    }

    /// What the system said, where it was the system.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.source.as_deref()?.downcast_ref()
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl std::error::Error for LaunchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<NotEntered> for LaunchError {
    fn from(error: NotEntered) -> Self {
        match error {
            NotEntered::Nested => LaunchError::new(
                LaunchErrorKind::Nested,
                "this process is in a sandbox already, and profiles do not stack: nothing is started under the one that is in force",
            ),
            NotEntered::Rejected(told) => LaunchError::new(
                LaunchErrorKind::Rejected,
                format!("the system does not take the profile: {told}"),
            ),
            NotEntered::NotInForce => LaunchError::new(
                LaunchErrorKind::NotInForce,
                "the system took the profile, and the process is not confined",
            ),
        }
    }
}
