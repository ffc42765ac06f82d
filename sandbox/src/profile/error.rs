//! Why a profile could not be rendered. Nothing is dropped in silence: a name that cannot be
//! written is an error, and so is a text that does not read back as what was meant.

use std::fmt;

use objcap_capability::Clause;
use objcap_object::RealPath;

/// A profile that cannot be.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    clause: Option<Box<Clause>>,
    name: Option<RealPath>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of profile cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that a profile cannot write.
    Unwritable,
    /// A limit of the system that the text would exceed.
    TooLarge,
    /// A socket by which names are resolved, named by a grant that is offline: each name that is asked for
    /// would leave the machine.
    Resolver,
    /// An exclusion could not be walked again.
    Walk,
    /// The text does not read back as the rules that it was printed from. It is a bug.
    Unfaithful,
}

impl Error {
    pub(crate) fn unwritable(
        name: &RealPath,
        clause: Option<&Clause>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Error {
            kind: ErrorKind::Unwritable,
            clause: clause.cloned().map(Box::new),
            name: Some(name.clone()),
            source: Some(Box::new(source)),
        }
    }

    pub(crate) fn unwritable_name(
        name: &[u8],
        clause: &Clause,
        source: Box<dyn std::error::Error + Send + Sync>,
    ) -> Self {
        let as_path = RealPath::root().join(name);
        Error {
            kind: ErrorKind::Unwritable,
            clause: Some(Box::new(clause.clone())),
            name: as_path,
            source: Some(source),
        }
    }

    pub(crate) fn refused(kind: ErrorKind, clause: &Clause) -> Self {
        Error {
            kind,
            clause: Some(Box::new(clause.clone())),
            name: None,
            source: None,
        }
    }

    pub(crate) fn new(
        kind: ErrorKind,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Error {
            kind,
            clause: None,
            name: None,
            source: Some(source.into()),
        }
    }

    /// The same, about a clause.
    pub(crate) fn by(mut self, clause: Option<&Clause>) -> Self {
        self.clause = clause.cloned().map(Box::new);
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The clause whose name it is about, if it is about one.
    pub fn clause(&self) -> Option<&Clause> {
        self.clause.as_deref()
    }
}

/// How much of a name a message shows.
const NAME_SHOWN: usize = 120;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(clause) = &self.clause {
            if let objcap_capability::Origin::File(position) = clause.origin() {
                write!(f, "{position}: ")?;
            }
            write!(f, "{clause}: ")?;
        }
        match self.kind {
            ErrorKind::Unwritable => f.write_str("a profile cannot write")?,
            ErrorKind::TooLarge => f.write_str("the profile is too large")?,
            ErrorKind::Resolver => f.write_str(
                "names are resolved over this socket, and each that is asked for leaves the \
                 machine: an offline grant cannot name it",
            )?,
            ErrorKind::Walk => f.write_str("an exclusion cannot be walked again")?,
            ErrorKind::Unfaithful => {
                f.write_str("the profile does not read back as it was meant")?
            }
        }
        if let Some(name) = &self.name {
            let shown: String = name.to_string().chars().take(NAME_SHOWN).collect();
            let cut = if shown.len() < name.to_string().len() {
                "…"
            } else {
                ""
            };
            write!(f, " `{shown}{cut}`")?;
        }
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
