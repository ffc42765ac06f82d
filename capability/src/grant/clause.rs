//! One clause: a name, the list it stands in, and where it was written.
//!
//! It holds text and a path, no object: nothing here looks at the file system, and `..`, `//` and a trailing
//! slash are left for the walk, which alone knows what they mean.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use objcap_object::RealPath;

use super::Position;
use crate::error::{Error, ErrorKind, Fault, quoted};
use crate::{Vars, expand};

/// A name in one of a grant's lists.
///
/// `Display` gives the list and the surface: ``read `~/src` ``.
#[derive(Clone, Debug)]
pub struct Clause {
    list: List,
    surface: OsString,
    path: PathBuf,
    origin: Origin,
}

/// The list of `[fs]` that a clause stands in.
// Exhaustive: whoever enforces a grant must decide about each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// What may be read.
    Read,
    /// What may be written, and so read.
    Write,
    /// What may not be accessed at all, whatever another clause says.
    Exclude,
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
    /// Expands the surface and checks that it can be walked: not empty, no NUL, absolute.
    pub(super) fn new(
        list: List,
        surface: OsString,
        origin: Origin,
        vars: &Vars,
    ) -> Result<Clause, Error> {
        match expanded(&surface, vars) {
            Ok(path) => Ok(Clause {
                list,
                surface,
                path: path.into(),
                origin,
            }),
            Err(fault) => Err(fault.at(origin)),
        }
    }

    /// A place that the host's programs need, whatever the grant.
    pub(crate) fn of_host(list: List, real: &RealPath) -> Clause {
        let path: &Path = real.as_ref();
        Clause {
            list,
            surface: path.into(),
            path: path.into(),
            origin: Origin::Host,
        }
    }

    /// The list it stands in.
    pub fn list(&self) -> List {
        self.list
    }

    /// The name as the author wrote it, before expansion.
    pub fn surface(&self) -> &OsStr {
        &self.surface
    }

    /// The name after expansion: absolute and without NUL, otherwise as written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it was written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            self.list.name(),
            quoted(&self.surface.to_string_lossy())
        )
    }
}

impl List {
    /// The key of the list in a grant's file.
    pub const fn name(self) -> &'static str {
        match self {
            List::Read => "read",
            List::Write => "write",
            List::Exclude => "exclude",
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

fn expanded(surface: &OsStr, vars: &Vars) -> Result<OsString, Fault> {
    let bytes = surface.as_encoded_bytes();
    if bytes.is_empty() {
        return Err(Fault::new(ErrorKind::EmptyClause, "the clause is empty"));
    }
    let shown = quoted(&surface.to_string_lossy());
    if bytes.contains(&0) {
        let message = format!("{shown} contains a NUL, which no path can hold");
        return Err(Fault::new(ErrorKind::NulInClause, message));
    }
    let path = match surface.to_str() {
        Some(text) => expand::expand(vars, text)?,
        None if bytes.starts_with(b"~") || bytes.windows(2).any(|pair| pair == b"${") => {
            let message = format!("{shown} is not UTF-8, so it cannot be expanded");
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
        format!("{shown} is relative: {advice}"),
    ))
}
