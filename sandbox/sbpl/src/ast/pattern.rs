//! Patterns of `regex` filters, held to the subset that Seatbelt is known to take.
//!
//! Seatbelt's own matcher is neither POSIX nor Perl: `(?:…)` compiles there and never matches.
//! Known to work are `^ $ . [ ] ( ) | * + ?` and escaped literals (docs/seatbelt.md, section 5).
//! A pattern is taken apart here; matching is done in [`crate::judge`].

use std::fmt;

use super::{Text, TextError, TextErrorKind};

/// How many groups may stand within one another.
const MAX_GROUPS: usize = 32;

/// A pattern: a text, and perhaps one outside the known subset if it was parsed from a profile.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Pattern {
    text: Text,
}

impl Pattern {
    /// A pattern within the known subset.
    ///
    /// # Errors
    ///
    /// [`PatternErrorKind::Text`] if it cannot be written, [`PatternErrorKind::Unknown`] if it
    /// leaves the subset.
    ///
    /// ```
    /// use sbpl::Pattern;
    ///
    /// let named = |name: &str| [b"/", &Pattern::escape(name)[..], b"$"].concat();
    /// assert_eq!(Pattern::new(named("c++"))?.as_bytes(), br"/c\+\+$");
    /// assert!(Pattern::new("/(?:a|b)$").is_err());
    /// # Ok::<(), sbpl::ast::PatternError>(())
    /// ```
    pub fn new(bytes: impl AsRef<[u8]>) -> Result<Self, PatternError> {
        let text = Text::new(bytes).map_err(|error| PatternError {
            kind: PatternErrorKind::Text(error.kind()),
        })?;
        pieces(text.as_bytes())?;
        Ok(Self { text })
    }

    /// The pattern that finds these bytes and nothing else.
    #[must_use]
    pub fn escape(literal: impl AsRef<[u8]>) -> Vec<u8> {
        let mut pattern = Vec::new();
        for &byte in literal.as_ref() {
            if is_special(char::from(byte)) {
                pattern.push(b'\\');
            }
            pattern.push(byte);
        }
        pattern
    }

    /// The bytes of the pattern.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The pattern as a text.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// A pattern that was read from a profile, where it stands whether it is understood or not.
    pub(crate) fn parsed(text: Text) -> Self {
        Self { text }
    }

    /// What keeps it from being understood; `None` if it is within the known subset.
    #[must_use]
    pub fn flaw(&self) -> Option<PatternErrorKind> {
        self.pieces().err().map(|error| error.kind)
    }

    /// Takes it apart, unless it leaves the subset.
    pub(crate) fn pieces(&self) -> Result<Vec<Piece>, PatternError> {
        pieces(self.as_bytes())
    }
}

/// A part of a pattern.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Piece {
    Literal(char),
    Any,
    Class(Class),
    Start,
    End,
    Open,
    Close,
    Or,
    Repeat(Repeat),
}

/// `[…]`: ranges of characters, both ends included.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Class {
    pub(crate) negated: bool,
    pub(crate) ranges: Vec<(char, char)>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Repeat {
    ZeroOrMore,
    OneOrMore,
    Optional,
}

fn is_special(char: char) -> bool {
    r"^$.[]()|*+?{}\".contains(char)
}

fn pieces(bytes: &[u8]) -> Result<Vec<Piece>, PatternError> {
    let unknown = |at| PatternError {
        kind: PatternErrorKind::Unknown { at },
    };
    let text = std::str::from_utf8(bytes).map_err(|error| unknown(error.valid_up_to()))?;
    let mut chars = text.char_indices().peekable();
    let mut pieces = Vec::new();
    let mut depth = 0_usize;
    while let Some((at, char)) = chars.next() {
        let piece = match char {
            '^' => Piece::Start,
            '$' => Piece::End,
            '.' => Piece::Any,
            '(' if depth < MAX_GROUPS => {
                depth += 1;
                Piece::Open
            }
            // Whether an empty branch matches everything, nothing, or is an error is not known.
            ')' | '|' if matches!(pieces.last(), None | Some(Piece::Open | Piece::Or)) => {
                return Err(unknown(at));
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or_else(|| unknown(at))?;
                Piece::Close
            }
            '|' => Piece::Or,
            '*' | '+' | '?' => match pieces.last() {
                Some(Piece::Literal(_) | Piece::Any | Piece::Class(_) | Piece::Close) => {
                    Piece::Repeat(match char {
                        '*' => Repeat::ZeroOrMore,
                        '+' => Repeat::OneOrMore,
                        _ => Repeat::Optional,
                    })
                }
                // Nothing to repeat; or `(?`, or a lazy or possessive repetition.
                _ => return Err(unknown(at)),
            },
            '[' => Piece::Class(class(&mut chars).ok_or_else(|| unknown(at))?),
            '\\' => match chars.next() {
                // An escaped letter or digit is a class or a reference in other dialects.
                Some((_, escaped)) if !escaped.is_alphanumeric() => Piece::Literal(escaped),
                _ => return Err(unknown(at)),
            },
            '(' | ']' | '{' | '}' => return Err(unknown(at)),
            literal => Piece::Literal(literal),
        };
        pieces.push(piece);
    }
    if depth > 0 || matches!(pieces.last(), None | Some(Piece::Or)) {
        return Err(unknown(bytes.len()));
    }
    Ok(pieces)
}

/// The rest of a class behind its `[`; `None` for what dialects read differently: a backslash,
/// another `[`, a `]` that comes first, a range that runs backwards.
fn class(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Option<Class> {
    let negated = chars.next_if(|&(_, char)| char == '^').is_some();
    let mut ranges = Vec::new();
    loop {
        match chars.next()?.1 {
            ']' if ranges.is_empty() => return None,
            ']' => return Some(Class { negated, ranges }),
            '\\' | '[' => return None,
            first => {
                let hyphen = chars.next_if(|&(_, char)| char == '-').is_some();
                match chars.peek()?.1 {
                    // A hyphen that comes last stands for itself.
                    ']' if hyphen => ranges.extend([(first, first), ('-', '-')]),
                    '\\' | '[' => return None,
                    last if hyphen => {
                        chars.next();
                        if last < first {
                            return None;
                        }
                        ranges.push((first, last));
                    }
                    _ => ranges.push((first, first)),
                }
            }
        }
    }
}

/// Why bytes cannot be a pattern.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PatternError {
    kind: PatternErrorKind,
}

/// What is wrong with the bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PatternErrorKind {
    /// They cannot be written.
    Text(TextErrorKind),
    /// Seatbelt is not known to take what stands at this offset.
    Unknown {
        /// Offset of the first such byte; the length of the pattern if its end comes too early.
        at: usize,
    },
}

impl PatternError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> PatternErrorKind {
        self.kind
    }
}

impl From<TextError> for PatternError {
    fn from(error: TextError) -> Self {
        Self {
            kind: PatternErrorKind::Text(error.kind()),
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PatternErrorKind::Text(kind) => kind.fmt(f),
            PatternErrorKind::Unknown { at } => {
                write!(
                    f,
                    "the pattern leaves the subset that is known to work, at byte {at}"
                )
            }
        }
    }
}

impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_subset_is_taken() {
        for pattern in [
            r"/\.env",
            "^/a/[^/]*$",
            "^/ws/(.*/)?\\.env$",
            "[a-z0-9_-]+",
            "a|(b|c)*",
            "é",
        ] {
            assert!(Pattern::new(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn anything_else_names_its_place() {
        let cases = [
            ("", 0),
            ("(?:a)", 1),
            ("a{2}", 1),
            (r"a\d", 1),
            ("a**", 2),
            ("*a", 0),
            ("a|", 2),
            ("(|a)", 1),
            ("()", 1),
            ("(a", 2),
            ("a)", 1),
            ("a]", 1),
            ("[]a]", 0),
            (r"[\]]", 0),
            ("[z-a]", 0),
            ("[a", 0),
            ("[[:alpha:]]", 0),
            ("a\\", 1),
        ];
        for (pattern, at) in cases {
            let error = Pattern::new(pattern).unwrap_err();
            assert_eq!(error.kind(), PatternErrorKind::Unknown { at }, "{pattern}");
        }
    }

    #[test]
    fn an_escaped_name_is_a_pattern() {
        assert_eq!(Pattern::escape("a.b[c]"), br"a\.b\[c\]");
        assert!(Pattern::new(Pattern::escape(r"^$.[]()|*+?{}\")).is_ok());
    }
}
