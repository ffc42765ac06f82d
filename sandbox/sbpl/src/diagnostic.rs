//! What is wrong, or doubtful, with a text, and where.
//!
//! A diagnostic never stops the parser. It holds its place and what is needed to word it; the text
//! itself is asked for when it is shown.

mod render;
mod suggest;

use std::fmt;

pub(crate) use self::render::render_at;

use crate::ast::{MAX_DEPTH, TextErrorKind};
use crate::span::{Source, Span};
use crate::syntax::TreeErrorKind;

/// A remark about a place in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    kind: DiagnosticKind,
    span: Span,
    text: usize,
}

/// How bad it is.
// Exhaustive: a text either compiles or it does not.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// The text compiles, but part of it is not understood or does not do what it seems to.
    Warning,
    /// The system's compiler refuses the text, as far as is known.
    Error,
}

/// What a diagnostic is about.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The text is no sequence of expressions.
    Tree(TreeErrorKind),
    /// There is no `(version …)`.
    NoVersion,
    /// `(version …)` does not hold one number.
    BadVersion,
    /// An expression that stays unevaluated, such as an `(import …)` that nothing loads.
    NotEvaluated(Box<str>),
    /// A text that could not be imported.
    CannotImport {
        /// What the import named.
        name: Box<str>,
        /// What its loader says.
        why: Box<str>,
    },
    /// A word that nothing defines.
    Unbound(Box<str>),
    /// Whether a word is defined depends on the system; it was taken as not defined.
    PerhapsDefined(Box<str>),
    /// A form lacks a part.
    Incomplete(Box<str>),
    /// `()` where something is to be called.
    EmptyCall,
    /// Something is called that is no function.
    NoFunction,
    /// A function takes another number of arguments.
    ArgumentCount {
        /// How many it takes; at least, if it takes any number.
        takes: usize,
        /// How many there are.
        given: usize,
    },
    /// A function takes another kind of value.
    WrongType {
        /// What it takes.
        needs: &'static str,
    },
    /// A `,` outside a template, or a quotation within one.
    Unquoted,
    /// The profile itself raised an error.
    Raised(Box<str>),
    /// The evaluation takes too many steps.
    OutOfFuel,
    /// A rule that names no operation.
    NoOperation,
    /// A word where no operation can stand, or that cannot name one.
    BadOperation,
    /// An operation that is not known.
    UnknownOperation(Box<str>),
    /// A filter that is not known.
    UnknownFilter(Box<str>),
    /// A modifier that is not known.
    UnknownModifier,
    /// Something that is no filter stands where one is needed.
    NoFilter,
    /// The arguments of a filter are not what it takes.
    BadArgument {
        /// The filter.
        filter: Box<str>,
        /// What it takes.
        takes: &'static str,
    },
    /// The address of `remote` or `local` has a host that is not `*` or `localhost`, or no port.
    BadAddress,
    /// Filters stand within one another beyond [`MAX_DEPTH`], or other expressions beyond a limit.
    TooDeep,
    /// A parameter that no one has defined.
    UndefinedParameter(Box<str>),
    /// A string with an escape that is not known.
    UnknownEscape,
    /// A text that cannot be written, or that never matches in a path filter.
    Text(TextErrorKind),
    /// A pattern that leaves the known subset, at this byte of it.
    Pattern {
        /// Offset within the pattern's bytes.
        at: usize,
    },
    /// There is more to say than is said.
    TooMany,
}

impl Diagnostic {
    pub(crate) fn new(kind: DiagnosticKind, span: Span, text: usize) -> Self {
        Self { kind, span, text }
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> &DiagnosticKind {
        &self.kind
    }

    /// The place.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The text that the place is in: an index into [`crate::Parsed::texts`].
    #[must_use]
    pub fn text(&self) -> usize {
        self.text
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.kind {
            DiagnosticKind::NoVersion
            | DiagnosticKind::NotEvaluated(_)
            | DiagnosticKind::UnknownModifier
            | DiagnosticKind::TooDeep
            | DiagnosticKind::UnknownEscape
            | DiagnosticKind::Text(
                TextErrorKind::Empty | TextErrorKind::Relative | TextErrorKind::Unresolved,
            )
            | DiagnosticKind::Pattern { .. }
            // A later system may know an operation or a filter that this crate does not.
            | DiagnosticKind::UnknownOperation(_)
            | DiagnosticKind::UnknownFilter(_)
            | DiagnosticKind::PerhapsDefined(_)
            | DiagnosticKind::TooMany => Severity::Warning,
            DiagnosticKind::Tree(_)
            | DiagnosticKind::CannotImport { .. }
            | DiagnosticKind::Unbound(_)
            | DiagnosticKind::Incomplete(_)
            | DiagnosticKind::EmptyCall
            | DiagnosticKind::NoFunction
            | DiagnosticKind::ArgumentCount { .. }
            | DiagnosticKind::WrongType { .. }
            | DiagnosticKind::Unquoted
            | DiagnosticKind::Raised(_)
            | DiagnosticKind::OutOfFuel
            | DiagnosticKind::BadAddress
            | DiagnosticKind::BadVersion
            | DiagnosticKind::NoOperation
            | DiagnosticKind::BadOperation
            | DiagnosticKind::NoFilter
            | DiagnosticKind::BadArgument { .. }
            | DiagnosticKind::UndefinedParameter(_)
            | DiagnosticKind::Text(TextErrorKind::Nul { .. } | TextErrorKind::TooLong { .. }) => {
                Severity::Error
            }
        }
    }

    /// The known word that was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'static str> {
        match &self.kind {
            DiagnosticKind::UnknownOperation(name) => suggest::operation(name),
            DiagnosticKind::UnknownFilter(name) => suggest::filter(name),
            DiagnosticKind::Unbound(name) => suggest::word(name),
            _ => None,
        }
    }

    /// The message with its line and carets under the place.
    ///
    /// ```
    /// let parsed = sbpl::parse(b"(version 1)\n(allow file-reed-data)\n");
    /// assert_eq!(
    ///     parsed.diagnostics()[0].render(parsed.source()),
    ///     "\
    /// warning: `file-reed-data` is no operation that is known
    ///  --> 2:8
    ///   |
    /// 2 | (allow file-reed-data)
    ///   |        ^^^^^^^^^^^^^^
    ///   = did you mean `file-read-data`?
    /// ",
    /// );
    /// ```
    #[must_use]
    pub fn render(&self, source: &Source) -> String {
        render::render(self, source, "")
    }

    /// The same, with the name of the text before the place.
    #[must_use]
    pub fn render_in(&self, source: &Source, name: &str) -> String {
        render::render(self, source, name)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagnosticKind::Tree(TreeErrorKind::Unclosed) => f.write_str("nothing closes this `(`"),
            DiagnosticKind::Tree(TreeErrorKind::Unopened) => {
                f.write_str("this `)` closes nothing and is skipped")
            }
            DiagnosticKind::Tree(TreeErrorKind::OpenString) => {
                f.write_str("the string does not end")
            }
            DiagnosticKind::Tree(TreeErrorKind::DanglingPrefix) => {
                f.write_str("there is nothing behind this quotation mark")
            }
            DiagnosticKind::NoVersion => f.write_str("there is no `(version 1)`"),
            DiagnosticKind::BadVersion => f.write_str("`version` takes one number"),
            DiagnosticKind::NotEvaluated(form) => {
                write!(f, "`{}` is kept but not evaluated", form.escape_debug())
            }
            DiagnosticKind::CannotImport { name, why } => {
                let (name, why) = (name.escape_debug(), why.escape_debug());
                write!(f, "`{name}` cannot be imported: {why}")
            }
            DiagnosticKind::Unbound(name) => {
                write!(f, "`{}` is not defined", name.escape_debug())
            }
            DiagnosticKind::PerhapsDefined(name) => write!(
                f,
                "whether `{}` is defined depends on the system; taken as not",
                name.escape_debug()
            ),
            DiagnosticKind::Incomplete(name) => {
                write!(f, "`{}` lacks a part", name.escape_debug())
            }
            DiagnosticKind::EmptyCall => f.write_str("there is nothing to call"),
            DiagnosticKind::NoFunction => f.write_str("what is called here is no function"),
            DiagnosticKind::ArgumentCount { takes, given } => {
                write!(
                    f,
                    "the function takes {takes} arguments, and there are {given}"
                )
            }
            DiagnosticKind::WrongType { needs } => write!(f, "{needs} is needed here"),
            DiagnosticKind::Unquoted => f.write_str("a quotation mark has no meaning here"),
            DiagnosticKind::Raised(message) => {
                write!(f, "the profile raises an error: {}", message.escape_debug())
            }
            DiagnosticKind::OutOfFuel => f.write_str("the evaluation takes too many steps"),
            DiagnosticKind::BadAddress => {
                f.write_str("the host must be `*` or `localhost`, and the port a number or `*`")
            }
            DiagnosticKind::NoOperation => f.write_str("the rule names no operation"),
            DiagnosticKind::BadOperation => f.write_str("no operation can stand here"),
            DiagnosticKind::UnknownOperation(name) => {
                write!(f, "`{}` is no operation that is known", name.escape_debug())
            }
            DiagnosticKind::UnknownFilter(name) => {
                write!(f, "`{}` is no filter that is known", name.escape_debug())
            }
            DiagnosticKind::UnknownModifier => f.write_str("the modifier is not known"),
            DiagnosticKind::NoFilter => f.write_str("a filter is needed here"),
            DiagnosticKind::BadArgument { filter, takes } => {
                write!(f, "`{}` takes {takes}", filter.escape_debug())
            }
            DiagnosticKind::TooDeep => write!(
                f,
                "more than {MAX_DEPTH} filters, or too many calls, stand within one another"
            ),
            DiagnosticKind::UndefinedParameter(name) => {
                write!(f, "the parameter `{}` is not defined", name.escape_debug())
            }
            DiagnosticKind::UnknownEscape => {
                f.write_str("the string has an escape that is not known; its backslash is dropped")
            }
            DiagnosticKind::Text(kind) => kind.fmt(f),
            DiagnosticKind::Pattern { at } => {
                write!(
                    f,
                    "the pattern leaves the subset that is known to work, at its byte {at}"
                )
            }
            DiagnosticKind::TooMany => f.write_str("there is more to say than is said here"),
        }
    }
}

/// Collects diagnostics, up to a number that someone might read.
#[derive(Default)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
    has_error: bool,
}

/// How many diagnostics a text may have before the last one says that there are more.
const MAX_DIAGNOSTICS: usize = 1000;

impl Diagnostics {
    pub(crate) fn push(&mut self, kind: DiagnosticKind, span: Span, text: usize) {
        let diagnostic = Diagnostic::new(kind, span, text);
        self.has_error |= diagnostic.severity() == Severity::Error;
        if self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        } else if self.list.len() == MAX_DIAGNOSTICS {
            self.list
                .push(Diagnostic::new(DiagnosticKind::TooMany, span, text));
        }
    }

    pub(crate) fn finish(self) -> (Vec<Diagnostic>, Option<Severity>) {
        let worst = match (self.has_error, self.list.is_empty()) {
            (true, _) => Some(Severity::Error),
            (false, false) => Some(Severity::Warning),
            (false, true) => None,
        };
        (self.list, worst)
    }
}
