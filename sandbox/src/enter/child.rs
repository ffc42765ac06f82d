//! A confined child that runs.

use std::io;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Output};

use crate::enter::inherited::Session;
use crate::enter::plan::Enforced;
use crate::sys;

/// A confined child, and what confines it.
#[must_use = "a child that nobody waits for is left behind when it ends"]
#[derive(Debug)]
pub struct Child {
    process: process::Child,
    session: Session,
    enforced: Enforced,
}

impl Child {
    pub(crate) fn new(process: process::Child, session: Session, enforced: Enforced) -> Self {
        Child {
            process,
            session,
            enforced,
        }
    }

    /// What is in force.
    pub fn enforced(&self) -> &Enforced {
        &self.enforced
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Its standard input, where a pipe was asked for; once.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.process.stdin.take()
    }

    /// Its standard output, where a pipe was asked for; once.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.process.stdout.take()
    }

    /// Its standard error, where a pipe was asked for; once.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.process.stderr.take()
    }

    /// Waits for its end. Its standard input is closed first.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait()
    }

    /// Its end, if it has ended.
    ///
    /// # Errors
    /// What the system says.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }

    /// Waits for its end, and reads what it wrote to the pipes that were asked for.
    ///
    /// # Errors
    /// What the system says.
    pub fn wait_with_output(self) -> io::Result<Output> {
        self.process.wait_with_output()
    }

    /// Kills it, as [`signal`](Child::signal) reaches it.
    ///
    /// # Errors
    /// What the system says. That it has ended is no error.
    pub fn kill(&mut self) -> io::Result<()> {
        self.signal(sys::KILL)
    }

    /// Sends it a signal, by the number that the system gives it; where it has a session of its own, to all of its
    /// first process group: what it started, unless that began another.
    ///
    /// # Errors
    /// When there is no such signal, and what the system says. That it has ended is no error.
    pub fn signal(&mut self, number: i32) -> io::Result<()> {
        // Until it is waited for, its number is nobody else's.
        if self.process.try_wait()?.is_some() {
            return Ok(());
        }
        match sys::send(self.process.id(), number, self.session) {
            // A group in which all have ended is one that a system may refuse to signal.
            Err(_) if self.process.try_wait()?.is_some() => Ok(()),
            sent => sent,
        }
    }
}
