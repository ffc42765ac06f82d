//! What a child has of the process that starts it: its streams, descriptors, and session.

use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

/// What a child has of this process.
#[derive(Debug, Default)]
pub(crate) struct Inherited {
    pub(crate) streams: Streams,
    /// Descriptors, under the numbers that they have here.
    pub(crate) kept: Vec<OwnedFd>,
    pub(crate) session: Session,
}

/// Standard input, output and error; what is not given is this process's own.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    pub(crate) input: Option<Stdio>,
    pub(crate) output: Option<Stdio>,
    pub(crate) error: Option<Stdio>,
}

impl Streams {
    /// Pipes for what is written and nothing to read, where nothing else was asked for. As std's `output`: a child
    /// whose output is collected takes nothing of what its caller is to read.
    pub(crate) fn pipe_output(&mut self) {
        self.input.get_or_insert_with(Stdio::null);
        self.output.get_or_insert_with(Stdio::piped);
        self.error.get_or_insert_with(Stdio::piped);
    }

    pub(crate) fn give(self, command: &mut Command) {
        command.stdin(self.input.unwrap_or_else(Stdio::inherit));
        command.stdout(self.output.unwrap_or_else(Stdio::inherit));
        command.stderr(self.error.unwrap_or_else(Stdio::inherit));
    }
}

/// Which session a child belongs to.
// Exhaustive: a new one, or the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Session {
    /// A new one, which has no terminal: nothing can be typed into the caller's.
    #[default]
    New,
    /// The caller's, with its terminal in the foreground. The profile is then the only thing that keeps the child
    /// from typing into it (docs/seatbelt.md, section 3, TIOCSTI).
    Foreground,
}
