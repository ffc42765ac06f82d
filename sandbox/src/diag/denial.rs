//! A denial: what a log says was refused, to whom, and how often.

use std::fmt;

use objcap_object::path;
use sbpl::Operation;

use super::{Operand, Tag};

/// What was refused to a program. Lines that say the same of one program are one denial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    pub(super) what: What,
    pub(super) pids: Vec<u32>,
    pub(super) count: u64,
}

/// What makes two lines of a log one denial.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct What {
    pub(super) policy: Policy,
    pub(super) process: Box<[u8]>,
    pub(super) operation: Operation,
    pub(super) operand: Operand,
    pub(super) tag: Option<Tag>,
}

/// Whose policy denied.
// Exhaustive: whoever gives advice must know whose the denial is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// A sandbox profile's.
    Sandbox,
    /// The system's own, which holds for every program (`System Policy: …`; not measured).
    System,
}

/// The most numbers of processes that a denial names.
pub(super) const PIDS_MAX: usize = 8;

impl Denial {
    /// Whose policy denied.
    pub fn policy(&self) -> Policy {
        self.what.policy
    }

    /// The program's name, as it calls itself.
    pub fn process(&self) -> &[u8] {
        &self.what.process
    }

    /// The numbers of its processes, in the order in which they came; the first eight of them.
    pub fn pids(&self) -> &[u32] {
        &self.pids
    }

    /// The operation.
    pub fn operation(&self) -> &Operation {
        &self.what.operation
    }

    /// What it was about.
    pub fn operand(&self) -> &Operand {
        &self.what.operand
    }

    /// The tag of the profile that denied, if the log has one.
    pub fn tag(&self) -> Option<&Tag> {
        self.what.tag.as_ref()
    }

    /// How often: lines, and the duplicates that they report.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.operation().name())?;
        if *self.operand() != Operand::None {
            write!(f, " of {}", self.operand())?;
        }
        write!(f, " was denied to {} (", path::display(self.process()))?;
        for (number, pid) in self.pids.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{pid}")?;
        }
        let more = if self.pids.len() == PIDS_MAX {
            ", …"
        } else {
            ""
        };
        write!(f, "{more})")?;
        match self.count {
            1 => Ok(()),
            count => write!(f, ", {count} times"),
        }
    }
}
