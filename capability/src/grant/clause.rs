//! One clause: a name, the list it stands in, and where it was written.
//!
//! It holds text and a path, no object: nothing here looks at the file system, and `..`, `//` and a trailing
//! slash are left for the walk, which alone knows what they mean.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Position;
use crate::error::{Error, ErrorKind, Fault, quoted};
use crate::{Vars, expand};

/// An entry of one of a grant's lists.
///
/// `Display` gives the list and the surface: ``read `~/src` ``, ``exec.veto `curl` ``.
#[derive(Clone, Debug)]
pub struct Clause(Arc<Inner>);

/// What is written once, and cited by whatever comes of it.
#[derive(Debug)]
struct Inner {
    list: List,
    surface: OsString,
    subject: Subject,
    origin: Origin,
}

/// What a clause speaks of.
// Exhaustive: whoever reads a clause must decide about each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A place in the file system: absolute and without NUL, otherwise as written.
    Place(PathBuf),
    /// A program by its bare name: the file that `PATH` finds, or, of a veto, every file of that name.
    Name(OsString),
    /// Every program.
    Every,
}

/// The list that a clause stands in.
// Exhaustive: whoever enforces a grant must decide about each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// `[fs]`: what may be read.
    Read,
    /// `[fs]`: what may be written, and so read.
    Write,
    /// `[fs]`: what may not be accessed at all, whatever another clause says.
    Exclude,
    /// `[fs]`: what may never be written, linked or replaced. It says nothing about reading.
    Protect,
    /// `[exec]`: what may be run.
    Allow,
    /// `[exec]`: what may not be run. It says nothing about reading.
    ExecExclude,
    /// `[exec]`: names under which nothing may be run, wherever they lead.
    Veto,
    /// `[exec]`: programs of which only some subcommands may be run. It allows nothing by itself.
    Only,
    /// `[net]`: sockets of other programs that may be connected to.
    Socket,
}

/// Where a part of a grant was written.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// In a grant's file.
    File(Position),
    /// In the program that built the grant.
    Code,
    /// Nowhere: it is what the system needs for programs to run at all.
    Host,
}

impl Clause {
    /// Reads the surface as its list takes it: a name that can be walked (not empty, no NUL, absolute once
    /// expanded), or, of a program, a bare name.
    pub(super) fn new(
        list: List,
        surface: OsString,
        origin: Origin,
        vars: &Vars,
    ) -> Result<Clause, Error> {
        match Subject::of(list, &surface, vars) {
            Ok(subject) => Ok(Clause(Arc::new(Inner {
                list,
                surface,
                subject,
                origin,
            }))),
            Err(fault) => Err(fault.at(origin)),
        }
    }

    /// A place that the host's programs need, whatever the grant.
    pub(crate) fn of_host(list: List, path: &Path) -> Clause {
        Clause(Arc::new(Inner {
            list,
            surface: path.into(),
            subject: Subject::Place(path.into()),
            origin: Origin::Host,
        }))
    }

    /// The list it stands in.
    pub fn list(&self) -> List {
        self.0.list
    }

    /// The name as the author wrote it, before expansion.
    pub fn surface(&self) -> &OsStr {
        &self.0.surface
    }

    /// What it speaks of, after expansion.
    pub fn subject(&self) -> &Subject {
        &self.0.subject
    }

    /// The place that it speaks of; `None` for a bare name and for every program.
    pub fn path(&self) -> Option<&Path> {
        match &self.0.subject {
            Subject::Place(path) => Some(path),
            Subject::Name(_) | Subject::Every => None,
        }
    }

    /// Where it was written.
    pub fn origin(&self) -> &Origin {
        &self.0.origin
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            self.0.list.name(),
            quoted(&self.0.surface.to_string_lossy())
        )
    }
}

impl List {
    /// How messages call the list: its key, with the table in front where that is not `[fs]`.
    pub const fn name(self) -> &'static str {
        match self {
            List::Read => "read",
            List::Write => "write",
            List::Exclude => "exclude",
            List::Protect => "protect",
            List::Allow => "exec.allow",
            List::ExecExclude => "exec.exclude",
            List::Veto => "exec.veto",
            List::Only => "exec.only",
            List::Socket => "net.sockets",
        }
    }
}

impl Origin {
    /// The name of the file; `None` for code.
    pub fn file(&self) -> Option<&str> {
        self.place().map(Position::file)
    }

    /// The line, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place().and_then(Position::line)
    }

    /// The column, from 1, in characters: for a clause, that of its opening quote.
    pub fn column(&self) -> Option<usize> {
        self.place().and_then(Position::column)
    }

    fn place(&self) -> Option<&Position> {
        match self {
            Origin::File(place) => Some(place),
            Origin::Code | Origin::Host => None,
        }
    }
}

/// The word by which `exec.allow` admits every program.
const EVERY: &str = "every";

impl Subject {
    fn of(list: List, surface: &OsStr, vars: &Vars) -> Result<Subject, Fault> {
        let bytes = surface.as_encoded_bytes();
        if bytes.is_empty() {
            return Err(Fault::new(ErrorKind::EmptyClause, "the clause is empty"));
        }
        let shown = || quoted(&surface.to_string_lossy());
        if bytes.contains(&0) {
            let shown = shown();
            let message = format!("{shown} contains a NUL, which no path can hold");
            return Err(Fault::new(ErrorKind::NulInClause, message));
        }
        match list {
            List::Allow if surface == EVERY => return Ok(Subject::Every),
            List::Allow | List::Only if is_bare(bytes) => return Ok(Subject::Name(surface.into())),
            List::Veto if is_bare(bytes) => return Ok(Subject::Name(surface.into())),
            List::Veto => {
                let shown = shown();
                let message = format!(
                    "{shown} is no bare name: a veto is of a name, wherever it leads. \
                     `exec.exclude` takes a file or folder"
                );
                return Err(Fault::new(ErrorKind::NotAName, message));
            }
            List::ExecExclude if is_bare(bytes) => {
                let shown = shown();
                let message = format!(
                    "{shown} is a bare name, which `exec.exclude` does not take: \
                     `exec.veto` keeps a name from running, wherever it leads"
                );
                return Err(Fault::new(ErrorKind::NotAPlace, message));
            }
            _ => {}
        }
        expanded(surface, shown, vars).map(|path| Subject::Place(path.into()))
    }
}

/// Whether a program is called by its name alone: by what stands between two slashes, and is no
/// variable.
fn is_bare(bytes: &[u8]) -> bool {
    let special = matches!(bytes, b"." | b".." | b"~");
    let variable = bytes.starts_with(b"~") || bytes.windows(2).any(|pair| pair == b"${");
    !(special || variable || bytes.contains(&b'/'))
}

fn expanded(surface: &OsStr, shown: impl Fn() -> String, vars: &Vars) -> Result<OsString, Fault> {
    let bytes = surface.as_encoded_bytes();
    let path = match surface.to_str() {
        Some(text) => expand::expand(vars, text)?,
        None if bytes.starts_with(b"~") || bytes.windows(2).any(|pair| pair == b"${") => {
            let message = format!("{} is not UTF-8, so it cannot be expanded", shown());
            return Err(Fault::new(ErrorKind::Encoding, message));
        }
        None => surface.to_owned(),
    };
    if path.as_encoded_bytes().starts_with(b"/") {
        return Ok(path);
    }
    let advice = match surface.to_str().and_then(expand::lacking_braces) {
        Some(name) => format!("a variable is written `${{{name}}}`"),
        None => "a clause starts with `/`, `~` or a variable such as `${CWD}`".to_owned(),
    };
    Err(Fault::new(
        ErrorKind::RelativeClause,
        format!("{} is relative: {advice}", shown()),
    ))
}
