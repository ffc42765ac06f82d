//! The crate's one error: what kind it is, where in a grant it arose, and a message to show.
//!
//! It decides nothing and reads nothing: the line it underlines comes from the text that was parsed.

use std::error;
use std::fmt;

use crate::grant::Origin;

/// Why a grant was refused.
///
/// `Display` gives `file:line:column: message`, and below it the line with the culprit underlined. User
/// text in it is escaped, so that no name can send control characters to a terminal.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    fault: Fault,
    origin: Origin,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// What kind of mistake an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not TOML; a key given twice is one such mistake.
    Syntax,
    /// The text is not UTF-8, or a name that needs expansion is not.
    Encoding,
    /// A table or key that a grant does not have.
    UnknownKey,
    /// A value of the wrong type, such as a string where a list of strings belongs.
    Type,
    /// A word that the key does not know, such as an `access` that is neither of its two.
    UnknownValue,
    /// A clause with no text.
    EmptyClause,
    /// A clause that does not start at the root.
    RelativeClause,
    /// A clause with a NUL, which no path can hold.
    NulInClause,
    /// `~user`: only the caller's own home has a short form.
    UserHome,
    /// `${` with no `}` after it.
    UnclosedVariable,
    /// A variable that is not in the closed list.
    UnknownVariable,
    /// A variable that is not a clause's whole first part.
    MisplacedVariable,
    /// A variable with no value, or with an empty one.
    UnsetVariable,
    /// A variable whose value is not an absolute path.
    RelativeVariable,
    /// A veto that is no bare name: it holds a slash, or begins with a variable.
    NotAName,
    /// A bare name in a list that takes places.
    NotAPlace,
    /// Two clauses that cannot both be meant.
    Contradiction,
    /// A clause whose name could not be walked.
    Walk,
    /// A clause whose name is longer than a system call takes.
    TooLong,
    /// A clause that names the root of the data volume. What lies there is presented in the root, beside what
    /// is the system's, and nothing tells the two apart.
    DataVolume,
    /// An allowance whose walk passes a link that the grant lets the program replace.
    WritableLink,
}

/// A mistake whose place is not yet known; [`Fault::at`] makes it an [`Error`].
#[derive(Debug)]
pub(crate) struct Fault {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// What kind of mistake this is.
    pub fn kind(&self) -> ErrorKind {
        self.0.fault.kind
    }

    /// The name of the file that holds the mistake; `None` for a clause made by a program.
    pub fn file(&self) -> Option<&str> {
        self.0.origin.file()
    }

    /// The line of the mistake, from 1.
    pub fn line(&self) -> Option<usize> {
        self.0.origin.line()
    }

    /// The column of the mistake, from 1, in characters.
    pub fn column(&self) -> Option<usize> {
        self.0.origin.column()
    }

    /// The message alone: no position, no underlined line.
    pub fn message(&self) -> &str {
        &self.0.fault.message
    }

    /// Adds the error of a lower layer that this one reports.
    pub(crate) fn with_source(
        mut self,
        source: impl Into<Box<dyn error::Error + Send + Sync>>,
    ) -> Error {
        self.0.source = Some(source.into());
        self
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        let source = self.0.source.as_deref()?;
        Some(source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { fault, origin, .. } = &*self.0;
        match origin {
            Origin::File(place) => {
                write!(f, "{place}: {}", fault.message)?;
                place.underline(f)
            }
            Origin::Code | Origin::Host => f.write_str(&fault.message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Fault {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault {
            kind,
            message: message.into(),
        }
    }

    /// The error of this mistake made there.
    pub(crate) fn at(self, origin: Origin) -> Error {
        Error(Box::new(Inner {
            fault: self,
            origin,
            source: None,
        }))
    }
}

/// The most characters of one name that a message repeats.
const QUOTED_MAX: usize = 200;

/// User text in backticks, safe to print.
///
/// A text that needs an escape has its backslashes doubled, so that two names never look alike; any other
/// is given as it is. A long one is cut.
pub(crate) fn quoted(text: &str) -> String {
    let (text, rest) = match text.char_indices().nth(QUOTED_MAX) {
        Some((cut, _)) => (text.get(..cut).unwrap_or(text), "…"),
        None => (text, ""),
    };
    let escaping = text.chars().any(is_hidden);
    let text: String = text
        .chars()
        .map(|c| match c {
            '\\' if escaping => r"\\".to_owned(),
            c => printable(c),
        })
        .collect();
    format!("`{text}{rest}`")
}

/// One character as it may be shown: itself, or its escape.
pub(crate) fn printable(c: char) -> String {
    if is_hidden(c) {
        c.escape_default().to_string()
    } else {
        c.to_string()
    }
}

/// Whether a terminal acts on the character, or shows nothing for it, or reorders what follows it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The names, quoted and separated, for a message that lists what is known.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(quoted).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        let long = "é".repeat(201);
        let cut = format!("`{}…`", "é".repeat(200));
        let table = [
            ("/w/a b", "`/w/a b`"),
            (r#"/w/[*?]"'\"#, r#"`/w/[*?]"'\`"#),
            ("/w/é/e\u{301}/日", "`/w/é/e\u{301}/日`"),
            ("a\nb", r"`a\nb`"),
            ("a\\n\nb", r"`a\\n\nb`"),
            ("\u{1b}[31m", r"`\u{1b}[31m`"),
            ("\u{9b}\u{7f}\0", r"`\u{9b}\u{7f}\u{0}`"),
            ("a\u{202e}b", r"`a\u{202e}b`"),
            (&long, &cut),
        ];
        for (text, expected) in table {
            assert_eq!(quoted(text), expected, "{text:?}");
        }
    }

    #[test]
    fn errors_cross_threads() {
        fn check<T: error::Error + Send + Sync + 'static>() {}
        check::<Error>();
    }

    #[test]
    fn the_source_is_kept() {
        let fault = Fault::new(ErrorKind::Encoding, "outer");
        let error = fault.at(Origin::Code).with_source("inner");
        assert_eq!(error.to_string(), "outer");
        assert_eq!(
            error::Error::source(&error).map(ToString::to_string),
            Some("inner".into())
        );
        assert_eq!(
            (error.file(), error.line(), error.column()),
            (None, None, None)
        );
    }
}
