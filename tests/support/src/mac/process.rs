//! Processes: a current folder, descriptors, a program, and perhaps a sandbox.

use std::sync::Arc;

use sbpl::judge::Decision;
use sbpl::{Judge, Reading};

use super::answer::{Answer, Errno, Outcome, Program};
use super::node::Bytes;
use super::plan::{Asking, plan};
use super::{Call, Choices, Fd, Ino, Mac, Question};

/// A process of the user's. Its copy is its child after fork(2).
#[derive(Clone, Debug)]
pub struct Process {
    pub(super) sandbox: Option<Sandbox>,
    pub(super) cwd: Ino,
    pub(super) descriptors: Vec<Option<Descriptor>>,
    pub(super) program: Option<Program>,
    pub(super) terminal: Terminal,
}

/// A profile that a process runs under, and what the kernel is taken to be like.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The profile.
    pub judge: Arc<Judge>,
    /// How the kernel decides between rules.
    pub reading: Reading,
    /// What it asks.
    pub choices: Choices,
}

/// Whether a process has a controlling terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminal {
    /// It has.
    Controlling,
    /// It started a session of its own and has none.
    None,
}

/// An open object. It goes on working whatever becomes of the name, and in a sandbox that would not
/// have let it be opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// The object.
    pub ino: Ino,
    /// What it may be used for.
    pub rights: Rights,
    /// The folder and the name that it was opened by.
    pub(super) opened: (Ino, Bytes),
}

/// What a descriptor may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// Reading, or listing and searching a folder.
    Read,
    /// Writing from the beginning.
    Write,
    /// Both.
    ReadWrite,
    /// Writing at the end.
    Append,
}

/// What a call would ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The questions, in order, if each is allowed.
    pub questions: Vec<Question>,
    /// Whether the call would then be done, or how it would fail.
    pub then: Result<(), Errno>,
}

impl Process {
    /// A process without a sandbox, in the folder with that real path.
    ///
    /// # Panics
    /// When no folder stands there.
    pub fn unconfined(mac: &Mac, cwd: impl AsRef<[u8]>) -> Self {
        let cwd = mac.at(cwd).filter(|&ino| mac.node(ino).folder().is_some());
        Process {
            sandbox: None,
            cwd: cwd.expect("a current folder"),
            descriptors: Vec::new(),
            program: None,
            terminal: Terminal::Controlling,
        }
    }

    /// The same process in a sandbox: what it has open stays open.
    ///
    /// # Panics
    /// When it has one: profiles do not stack (docs/seatbelt.md, section 6).
    #[must_use]
    pub fn confined(mut self, sandbox: Sandbox) -> Self {
        assert!(self.sandbox.is_none(), "profiles do not stack");
        self.sandbox = Some(sandbox);
        self
    }

    /// The same process in a session of its own, without a controlling terminal.
    #[must_use]
    pub fn detached(mut self) -> Self {
        self.terminal = Terminal::None;
        self
    }

    /// Makes a call.
    pub fn call(&mut self, mac: &mut Mac, call: &Call) -> Answer {
        let choices = self.sandbox.as_ref().map(|sandbox| sandbox.choices);
        let mut asking = Asking::new(choices);
        let planned = plan(mac, self, call, &mut asking);
        let mut asked = asking.asked;
        if let Some((at, decision)) = self.refusal(&asked) {
            asked.truncate(at + 1);
            let outcome = Outcome::Refused { decision };
            return Answer { outcome, asked };
        }
        let outcome = match planned {
            Ok(act) => Outcome::Done(act.perform(mac, self)),
            Err(errno) => Outcome::Failed(errno),
        };
        Answer { outcome, asked }
    }

    /// The first question that is not allowed.
    fn refusal(&self, asked: &[Question]) -> Option<(usize, Decision)> {
        let sandbox = self.sandbox.as_ref()?;
        asked.iter().enumerate().find_map(|(at, question)| {
            let verdict = sandbox.judge.decide(&question.request(), sandbox.reading);
            (verdict.decision != Decision::Allow).then_some((at, verdict.decision))
        })
    }

    /// What a call would ask this process's profile, whether or not it has one; nothing is judged
    /// and nothing changes.
    pub fn asks(&self, mac: &Mac, call: &Call, choices: &Choices) -> Asked {
        let mut asking = Asking::new(Some(*choices));
        let planned = plan(mac, self, call, &mut asking);
        Asked {
            questions: asking.asked,
            then: planned.map(drop),
        }
    }

    /// The sandbox, if it has one.
    pub fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.as_ref()
    }

    /// The current folder.
    pub fn cwd(&self) -> Ino {
        self.cwd
    }

    /// What it runs, once it has made [`Call::Exec`].
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// What a descriptor is open on.
    ///
    /// # Errors
    /// EBADF if it is not open.
    pub fn descriptor(&self, fd: Fd) -> Result<&Descriptor, Errno> {
        let open = self.descriptors.get(fd.0);
        open.and_then(Option::as_ref).ok_or(Errno::BADF)
    }

    /// All that is open, by number.
    pub fn descriptors(&self) -> impl Iterator<Item = (Fd, &Descriptor)> {
        let open = self.descriptors.iter().enumerate();
        open.filter_map(|(at, open)| Some((Fd(at), open.as_ref()?)))
    }

    /// Opens at the lowest number that is free.
    pub(super) fn open(&mut self, descriptor: Descriptor) -> Fd {
        let free = self.descriptors.iter().position(Option::is_none);
        let at = free.unwrap_or(self.descriptors.len());
        match free {
            Some(at) => self.descriptors[at] = Some(descriptor),
            None => self.descriptors.push(Some(descriptor)),
        }
        Fd(at)
    }
}

impl Rights {
    pub(super) fn reads(self) -> bool {
        matches!(self, Rights::Read | Rights::ReadWrite)
    }

    pub(super) fn writes(self) -> bool {
        self != Rights::Read
    }
}
