//! What can be said about a denial to whoever wrote the grant.

use std::fmt;

use objcap_capability::Clause;

use super::Addition;
use crate::{Door, Why};

/// What would admit what was denied, or why nothing should.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Hint {
    /// No clause speaks for it. With these in their layers it is admitted.
    Add {
        /// The least that is missing: exact places, and one access.
        clauses: Vec<Addition>,
        /// What to know before they are added.
        notes: Vec<Note>,
    },
    /// It is a door that is withheld on purpose.
    Withheld(&'static Door),
    /// A clause speaks against it.
    Excluded(Clause),
    /// It holds what a clause speaks of in its place, and may not be moved, made anew or cloned as a whole.
    Pinned(Clause),
    /// No grant can admit it, for this reason.
    Decided(&'static str),
    /// The profile admits it: another denied it.
    Admitted,
    /// A profile holds already where another was to be applied.
    Nesting,
    /// The program died before it began.
    StartUp,
    /// There is no telling.
    Unknown(Cause),
}

/// What to know of clauses before they are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Only to look at it was denied, and no clause gives less than to read it with all below it.
    OnlyLooked,
    /// It is a folder that holds what the grants name: a clause gives all below it.
    Holds,
    /// A clause means what a link leads to, so if this is a link, it takes one for the folder that the link is in.
    PerhapsLink,
    /// The name has what may be an escape of the log's (`\134`): whether it escapes is not measured.
    PerhapsEscaped,
    /// A socket of its own counts as the network, too.
    OwnSocket,
}

/// Why there is no telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// What it was about is not in the log.
    Unnamed,
    /// What it was about is not in a form that is known.
    Unread,
    /// The line is as long as the system's lines get: the name may go on.
    Cut,
    /// A grant's file, or a profile, cannot write the name, or the log could not.
    Unwritable,
    /// To write there would let the program replace a link by which the grant names another place.
    WritableLink,
    /// The operation is not known.
    Operation,
    /// Clauses speak for it, and the profile still denies: a bug, or a log of an older grant.
    Disagreement,
    /// The program is told by a name that is no path.
    Program,
    /// The system did not take a profile: it is none of this library, or there is a bug.
    Profile,
    /// There is no such program.
    NotFound,
}

impl Hint {
    /// The clauses to add; none for other hints.
    pub fn clauses(&self) -> &[Addition] {
        match self {
            Hint::Add { clauses, .. } => clauses,
            _ => &[],
        }
    }

    /// One word for what it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Hint::Add { .. } => "add",
            Hint::Withheld(_) => "withheld",
            Hint::Excluded(_) => "excluded",
            Hint::Pinned(_) => "pinned",
            Hint::Decided(_) => "decided",
            Hint::Admitted => "admitted",
            Hint::Nesting => "nesting",
            Hint::StartUp => "start-up",
            Hint::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Add { clauses, notes } => {
                f.write_str("to admit it: ")?;
                for (number, clause) in clauses.iter().enumerate() {
                    let and = if number == 0 { "" } else { " and " };
                    write!(f, "{and}{clause}")?;
                }
                notes.iter().try_for_each(|note| write!(f, "; {note}"))
            }
            Hint::Withheld(door) => {
                write!(f, "withheld on purpose: {}: {}", door.name, door.reason)
            }
            Hint::Excluded(clause) => write!(f, "{} speaks against it", Why::of(clause)),
            Hint::Pinned(clause) => {
                write!(f, "{} holds it in its place", Why::of(clause))
            }
            Hint::Decided(reason) => write!(f, "no grant admits it: {reason}"),
            Hint::Admitted => f.write_str(
                "the profile admits it: the denial is of another profile, or of before",
            ),
            Hint::Nesting => f.write_str(
                "profiles do not stack: meet the grants, and enter the one profile of all of them from outside",
            ),
            Hint::StartUp => f.write_str(
                "it died in dyld, before its own code: what it needs to start is among the denials of its log, \
                 or not readable where it lies",
            ),
            Hint::Unknown(cause) => write!(f, "no clause is proposed: {cause}"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::OnlyLooked => {
                "it was only looked at, and a clause gives no less than to read it with all below it"
            }
            Note::Holds => "it holds what the grants name, and a clause gives all below it",
            Note::PerhapsLink => "if it is a link, the clause means what it leads to",
            Note::PerhapsEscaped => {
                "the log may have escaped the name: whether it does is not known"
            }
            Note::OwnSocket => "a socket of its own counts as the network, too",
        })
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Unnamed => "the log does not say what it was about",
            Cause::Unread => "what it was about is in no form that is known",
            Cause::Cut => "the line is as long as lines get, and the name may go on",
            Cause::Unwritable => "neither a grant's file nor a profile can hold the name as the log has it",
            Cause::WritableLink => {
                "to write there would let the program replace a link by which the grants name a place"
            }
            Cause::Operation => "the operation is not known",
            Cause::Disagreement => {
                "the grants speak for it, and the profile denies it: it may be of another grant"
            }
            Cause::Program => "the program is told by a name that is no path",
            Cause::Profile => "the system did not take the profile, which is a bug or none of ours",
            Cause::NotFound => "there is no such program, whatever the grant",
        })
    }
}
