//! What a call came to.

use objcap_walk::{Kind, Owner};
use sbpl::judge::Decision;

pub use rustix::io::Errno;

use super::node::Bytes;
use super::{Fd, Ino, Question};

/// What a call came to, and what was asked on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it came to.
    pub outcome: Outcome,
    /// The questions that were put to the profile, in order, up to the one that was refused. An
    /// unconfined process is asked nothing.
    pub asked: Vec<Question>,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Done(Effect),
    /// The profile did not allow the last question, and nothing changed: EPERM to the process.
    Refused {
        /// [`Decision::Unknown`] shows a question that the judge could not decide: a defect of the
        /// model or of the profile, never a verdict.
        decision: Decision,
    },
    /// The kernel failed it for another reason, and nothing changed. What was asked was allowed; what
    /// would have been asked later was not.
    Failed(Errno),
}

/// What a call gave to its process, beside what it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// A descriptor.
    Opened(Fd),
    /// What a file holds, or a link's text.
    Contents(Bytes),
    /// The names in a folder.
    Names(Vec<Bytes>),
    /// What an object is.
    Status(Status),
    /// The process runs this now.
    Running(Program),
    /// An object is mapped, connected to, made or typed into.
    Reached(Ino),
}

/// What stat(2) tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Which object.
    pub ino: Ino,
    /// What kind.
    pub kind: Kind,
    /// Whose.
    pub owner: Owner,
    /// Permission bits.
    pub mode: u16,
    /// Bytes of a file or of a link's text.
    pub size: usize,
}

/// What a process runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The image: of a script, its interpreter.
    pub image: Ino,
    /// The script, if it is one.
    pub script: Option<Ino>,
    /// Its arguments, the program's own name first; of a script as execve(2) puts them together.
    pub arguments: Vec<Vec<u8>>,
}

impl Answer {
    /// Whether it was done.
    pub fn is_done(&self) -> bool {
        matches!(self.outcome, Outcome::Done(_))
    }

    /// Whether the profile refused it.
    pub fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused { .. })
    }

    /// The question that was not allowed.
    pub fn refused(&self) -> Option<&Question> {
        self.asked.last().filter(|_| self.is_refused())
    }

    /// The descriptor that was opened.
    ///
    /// # Panics
    /// When none was.
    pub fn fd(&self) -> Fd {
        match self.outcome {
            Outcome::Done(Effect::Opened(fd)) => fd,
            ref other => panic!("no descriptor: {other:?}"),
        }
    }
}
