//! Why the guard handed nothing out, or what it handed out could not be used.

use std::ffi::OsString;
use std::fmt;

use objcap_object::{RealPath, path};

use crate::guard::{Refusal, Verdict};
use crate::{Access, Clause};

/// Why the guard handed nothing out, or an operation on what it handed out failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum GuardError {
    /// The name could not be walked.
    Walk(objcap_object::Error),
    /// The grants refuse it.
    Refused(Refused),
    /// The program's first line, or the programs it leads to, are nothing a system would run.
    NotRunnable {
        /// The program.
        real: RealPath,
        /// Why not.
        why: String,
    },
    /// The program is a script, and nothing stands where its interpreter should.
    NoInterpreter {
        /// The script.
        script: RealPath,
        /// Where its interpreter would be.
        interpreter: RealPath,
    },
    /// No folder of `PATH` has a program of this name.
    NotFound(String),
    /// The program's path leads to nothing.
    Absent(RealPath),
    /// The path is relative, and the host has no current folder.
    NoFolder(OsString),
    /// It was admitted, and the system did not do it.
    Operation(objcap_object::error::Error),
}

/// A refusal, by itself: it outlives the grants that it comes from.
#[derive(Debug)]
pub struct Refused {
    access: Access,
    real: RealPath,
    clause: Option<Box<Clause>>,
    reason: String,
}

impl Refused {
    pub(crate) fn new(access: Access, real: RealPath, refusal: &Refusal<'_>) -> Self {
        Refused {
            access,
            clause: refusal.clause().cloned().map(Box::new),
            reason: refusal.reason(&real),
            real,
        }
    }

    /// The access that was refused.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The object's real path.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// The clause that refuses; `None` when none allows.
    pub fn clause(&self) -> Option<&Clause> {
        self.clause.as_deref()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused {
            access,
            real,
            reason,
            ..
        } = self;
        write!(f, "{access} of `{real}` is refused: {reason}")
    }
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardError::Walk(error) => error.fmt(f),
            GuardError::Refused(refused) => refused.fmt(f),
            GuardError::NotRunnable { real, why } => write!(f, "`{real}` cannot be run: {why}"),
            GuardError::NoInterpreter {
                script,
                interpreter,
            } => write!(
                f,
                "`{script}` cannot be run: its interpreter: `{interpreter}` does not exist"
            ),
            GuardError::NotFound(name) => {
                let name = crate::error::quoted(name);
                write!(f, "no folder of PATH has a program {name}")
            }
            GuardError::Absent(real) => write!(f, "`{real}` does not exist"),
            GuardError::NoFolder(path) => write!(
                f,
                "`{}` is relative, and there is no current folder",
                path::display(path.as_encoded_bytes())
            ),
            GuardError::Operation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GuardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GuardError::Walk(error) => error.source(),
            GuardError::Operation(error) => error.source(),
            GuardError::Refused(_)
            | GuardError::NotRunnable { .. }
            | GuardError::NoInterpreter { .. }
            | GuardError::NotFound(_)
            | GuardError::Absent(_)
            | GuardError::NoFolder(_) => None,
        }
    }
}

impl From<objcap_object::Error> for GuardError {
    fn from(error: objcap_object::Error) -> Self {
        GuardError::Walk(error)
    }
}

impl From<objcap_object::error::Error> for GuardError {
    fn from(error: objcap_object::error::Error) -> Self {
        GuardError::Operation(error)
    }
}

/// The ground, or the error that says why there is none.
pub(crate) fn admitted<'a>(
    verdict: Verdict<'a>,
    access: Access,
    real: &RealPath,
) -> Result<crate::Ground<'a>, GuardError> {
    match verdict {
        Verdict::Admitted(ground) => Ok(ground),
        Verdict::Refused(refusal) => Err(GuardError::Refused(Refused::new(
            access,
            real.clone(),
            &refusal,
        ))),
    }
}
