//! What a stack says that its authors may not mean. Nothing here is refused: what cannot be meant is an
//! error when a grant is read or frozen.

mod absent;
mod allowances;
mod exclusions;
mod stack;

use std::fmt;
use std::path::Path;

use objcap_object::{RealPath, path};

use crate::guard::cited;
use crate::{Access, Clause, Deputy, List};

/// Something that a stack says and its authors may not mean.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Lint<'a> {
    /// An allowance that allows nothing: an exclusion covers its place, or a veto its name.
    Dead {
        /// The allowance.
        clause: &'a Clause,
        /// What speaks against it.
        by: &'a Clause,
    },
    /// An allowance of which something is left: a clause speaks against a part of it at its own place.
    Overlapping {
        /// The allowance.
        clause: &'a Clause,
        /// What speaks against it.
        by: &'a Clause,
        /// What is left.
        left: Access,
    },
    /// A clause that another implies: an allowance inside another, or an exclusion.
    Shadowed {
        /// The clause.
        clause: &'a Clause,
        /// The clause that says it, too.
        by: &'a Clause,
    },
    /// A clause whose name leads to nothing. It holds for what will stand there.
    Absent {
        /// The clause.
        clause: &'a Clause,
        /// Where the object would stand.
        at: &'a RealPath,
    },
    /// A name that leads to nothing and is written as if it were a pattern: it means itself, and no other name.
    Pattern {
        /// The clause.
        clause: &'a Clause,
        /// The letter that looks like one.
        sign: char,
    },
    /// A program that a clause allows and no clause lets be read: it is not run.
    Unread {
        /// The clause.
        clause: &'a Clause,
        /// The program, or the folder of them.
        at: &'a RealPath,
    },
    /// A bare name that no folder of `PATH` has, where the search looks: it allows nothing.
    Unfound {
        /// The clause.
        clause: &'a Clause,
    },
    /// A program that is bound to some first arguments, and that nothing allows.
    Unallowed {
        /// The entry of `exec.only`.
        clause: &'a Clause,
    },
    /// An exclusion of the root: it speaks against all that there is.
    Everything {
        /// The exclusion.
        clause: &'a Clause,
    },
    /// An exclusion whose name is a link. The link and what it leads to are both excluded.
    Linked {
        /// The exclusion.
        clause: &'a Clause,
        /// The link.
        at: &'a RealPath,
        /// What it leads to.
        to: &'a RealPath,
    },
    /// A script that is not to be run. Whoever may run its interpreter and read it still runs it.
    Script {
        /// The clause of `exec.exclude`, or the veto.
        clause: &'a Clause,
        /// The script.
        at: RealPath,
        /// Its interpreter, as the script names it.
        interpreter: Vec<u8>,
    },
    /// An entry of `PATH` that is never searched.
    SearchPath {
        /// The entry, as written.
        folder: &'a Path,
        /// Why not.
        why: Unsearched<'a>,
    },
    /// Programs are restricted and files are not: what may be run may be replaced.
    UnrestrictedFiles,
    /// Layers that each allow something, and together nothing.
    Nothing {
        /// What is left to nobody.
        of: Dimension,
    },
    /// A place that may be both written and run.
    Deputy(Deputy<'a>),
    /// A file of the program's own that has another name. The kernel protects names; a write clause may
    /// reach the other one.
    SecondName {
        /// The file.
        at: &'a RealPath,
        /// A clause that lets a place of the same volume be written; `None` where files are not
        /// restricted.
        clause: Option<&'a Clause>,
    },
    /// Excluded objects that are not held open, so that they are not found again once they were moved.
    Unkept {
        /// How many.
        count: usize,
    },
}

/// Why an entry of `PATH` is never searched.
// Exhaustive: these are the reasons.
#[derive(Debug, Clone, Copy)]
pub enum Unsearched<'a> {
    /// It is relative: where it leads hangs on where one stands.
    Relative,
    /// It is empty, which stands for the current folder.
    Empty,
    /// The clause lets the program write it.
    Writable(&'a Clause),
}

/// What a stack can leave nothing of.
// Exhaustive: these are what grants speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Files to read.
    Reading,
    /// Files to write.
    Writing,
    /// Programs to run.
    Running,
    /// Sockets to connect to.
    Sockets,
}

impl<'a> Lint<'a> {
    /// The clause that it is about; `None` when it is about none.
    pub fn clause(&self) -> Option<&'a Clause> {
        match self {
            Lint::Dead { clause, .. }
            | Lint::Overlapping { clause, .. }
            | Lint::Shadowed { clause, .. }
            | Lint::Absent { clause, .. }
            | Lint::Pattern { clause, .. }
            | Lint::Unread { clause, .. }
            | Lint::Unfound { clause }
            | Lint::Unallowed { clause }
            | Lint::Everything { clause }
            | Lint::Linked { clause, .. }
            | Lint::Script { clause, .. } => Some(clause),
            Lint::SecondName { clause, .. } => *clause,
            Lint::SearchPath { why, .. } => match why {
                Unsearched::Writable(clause) => Some(clause),
                Unsearched::Relative | Unsearched::Empty => None,
            },
            Lint::Deputy(deputy) => Some(deputy.write().clause()),
            Lint::UnrestrictedFiles | Lint::Nothing { .. } | Lint::Unkept { .. } => None,
        }
    }

    /// A word for its kind, for machines.
    pub fn name(&self) -> &'static str {
        match self {
            Lint::Dead { .. } => "dead",
            Lint::Overlapping { .. } => "overlapping",
            Lint::Shadowed { .. } => "shadowed",
            Lint::Absent { .. } => "absent",
            Lint::Pattern { .. } => "pattern",
            Lint::Unread { .. } => "unread",
            Lint::Unfound { .. } => "unfound",
            Lint::Unallowed { .. } => "unallowed",
            Lint::Everything { .. } => "everything",
            Lint::Linked { .. } => "linked",
            Lint::Script { .. } => "script",
            Lint::SearchPath { .. } => "search-path",
            Lint::UnrestrictedFiles => "unrestricted-files",
            Lint::Nothing { .. } => "nothing",
            Lint::Deputy(_) => "deputy",
            Lint::SecondName { .. } => "second-name",
            Lint::Unkept { .. } => "unkept",
        }
    }
}

impl fmt::Display for Lint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lint::Dead { clause, by } => {
                write!(f, "{clause} allows nothing: {} keeps it from it", cited(by))
            }
            Lint::Overlapping { clause, by, left } => {
                let by = cited(by);
                write!(
                    f,
                    "{by} takes from {clause} at its own place: {left} is left"
                )
            }
            Lint::Shadowed { clause, by } => {
                write!(f, "{clause} adds nothing: {} says it already", cited(by))
            }
            Lint::Absent { clause, at } => write!(
                f,
                "{clause}: nothing stands at `{at}` yet; it holds for what will"
            ),
            Lint::Pattern { clause, sign } => write!(
                f,
                "{clause} is no pattern: `{sign}` is a letter, and it means the one name that has it"
            ),
            Lint::Unread { clause, at } => write!(
                f,
                "{clause} runs nothing: what is run must be read, and no clause lets `{at}` be read"
            ),
            Lint::Unfound { clause } => {
                write!(
                    f,
                    "{clause} allows nothing: no folder of PATH that is searched has it"
                )
            }
            Lint::Unallowed { clause } => {
                write!(f, "{clause} binds a program that nothing lets be run")
            }
            Lint::Everything { clause } => write!(
                f,
                "{clause} is the root: nothing is left to {}",
                match clause.list() {
                    List::Protect => "write",
                    List::ExecExclude => "run",
                    _ => "read, write or run",
                }
            ),
            Lint::Linked { clause, at, to } => write!(
                f,
                "{clause}: `{at}` is a link, and it is excluded with what it leads to, `{to}`"
            ),
            Lint::Script {
                clause,
                at,
                interpreter,
            } => {
                let interpreter = path::display(interpreter);
                write!(
                    f,
                    "{clause}: `{at}` is a script, which `{interpreter}` still runs when it is given it to \
                     read; `exclude` under [fs] keeps it from being read"
                )
            }
            Lint::SearchPath { folder, why } => {
                let folder = crate::error::quoted(&folder.to_string_lossy());
                match why {
                    Unsearched::Relative => write!(f, "the folder {folder} of PATH is relative")?,
                    Unsearched::Empty => {
                        f.write_str("PATH has an empty folder, the current one")?
                    }
                    Unsearched::Writable(clause) => {
                        let clause = cited(clause);
                        write!(f, "the folder {folder} of PATH may be written, by {clause}")?;
                    }
                }
                f.write_str(": no bare name is looked for there")
            }
            Lint::UnrestrictedFiles => f.write_str(
                "programs are restricted, and files are not: what may be run can be overwritten, \
                 with any other program",
            ),
            Lint::Nothing { of } => write!(
                f,
                "the layers leave nothing to {}: no clause of one lies within a clause of every other",
                match of {
                    Dimension::Reading => "read",
                    Dimension::Writing => "write",
                    Dimension::Running => "run",
                    Dimension::Sockets => "connect to",
                }
            ),
            Lint::Deputy(deputy) => deputy.fmt(f),
            Lint::SecondName { at, clause } => {
                write!(f, "`{at}`, this program's own, has another name")?;
                match clause {
                    Some(clause) => write!(f, "; {} may reach it", cited(clause)),
                    None => f.write_str("; files are not restricted, and so it may be written"),
                }
            }
            Lint::Unkept { count } => write!(
                f,
                "{count} excluded objects are not held open: once moved, they are known by their identity \
                 to the guard, and to the profile no more"
            ),
        }
    }
}
