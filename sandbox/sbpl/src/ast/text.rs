//! Text that can be written in a profile: any bytes but NUL, up to the kernel's limit.
//!
//! It is held as bytes and escaped when it is printed, so that no text can end its own string.

use std::fmt;

/// The longest text, in bytes, that is safe to write.
///
/// One project met "Error reading string" near 1,025 bytes (docs/seatbelt.md, section 6). Bytes
/// are counted as the string's reader would store them: an escape counts as the byte it stands for.
pub const MAX_TEXT: usize = 1024;

/// A byte string that a profile can hold.
#[derive(Clone, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Text {
    bytes: Box<[u8]>,
}

impl Text {
    /// A text for any place in a profile.
    ///
    /// # Errors
    ///
    /// [`TextErrorKind::Nul`] and [`TextErrorKind::TooLong`].
    pub fn new(bytes: impl AsRef<[u8]>) -> Result<Self, TextError> {
        let bytes = bytes.as_ref();
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            return Err(TextError {
                kind: TextErrorKind::Nul { at },
            });
        }
        if bytes.len() > MAX_TEXT {
            return Err(TextError {
                kind: TextErrorKind::TooLong {
                    length: bytes.len(),
                },
            });
        }
        Ok(Self {
            bytes: bytes.into(),
        })
    }

    /// A text for a path filter, which has to be a path that the kernel can present: absolute,
    /// and without an empty component, a `.`, a `..` or a slash at its end.
    ///
    /// The kernel compares a filter's text as it stands, so that any other never matches
    /// (docs/seatbelt.md, section 4), and a rule that never matches is a hole if it denies.
    ///
    /// # Errors
    ///
    /// Those of [`Text::new`]; [`TextErrorKind::Empty`], [`TextErrorKind::Relative`] and
    /// [`TextErrorKind::Unresolved`].
    pub fn path(bytes: impl AsRef<[u8]>) -> Result<Self, TextError> {
        let text = Self::new(bytes)?;
        match path_flaw(&text.bytes) {
            Some(kind) => Err(TextError { kind }),
            None => Ok(text),
        }
    }

    /// The bytes, without escapes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A text that was read from a profile, where it stands whether it should or not.
    pub(crate) fn parsed(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.into(),
        }
    }
}

/// What keeps the text of a path filter from ever matching.
pub(crate) fn path_flaw(path: &[u8]) -> Option<TextErrorKind> {
    if path.is_empty() {
        return Some(TextErrorKind::Empty);
    }
    let Some(below_root) = path.strip_prefix(b"/") else {
        return Some(TextErrorKind::Relative);
    };
    if below_root.is_empty() {
        return None;
    }
    below_root
        .split(|&byte| byte == b'/')
        .any(|component| matches!(component, b"" | b"." | b".."))
        .then_some(TextErrorKind::Unresolved)
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.bytes.escape_ascii())
    }
}

/// Why bytes cannot be a text of a profile.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TextError {
    kind: TextErrorKind,
}

/// What is wrong with the bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// A NUL byte, at this offset: it would end the string.
    Nul {
        /// Offset of the first one.
        at: usize,
    },
    /// More than [`MAX_TEXT`] bytes.
    TooLong {
        /// How many there are.
        length: usize,
    },
    /// Nothing, where a path is needed.
    Empty,
    /// A path that does not begin with a slash.
    Relative,
    /// A path with an empty component, a `.`, a `..` or a slash at its end.
    Unresolved,
}

impl TextError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> TextErrorKind {
        self.kind
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Display for TextErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nul { at } => write!(f, "the text has a NUL byte at offset {at}"),
            Self::TooLong { length } => {
                write!(
                    f,
                    "the text is {length} bytes long, and {MAX_TEXT} are the limit"
                )
            }
            Self::Empty => f.write_str("the path is empty"),
            Self::Relative => f.write_str("the path does not begin with `/` and never matches"),
            Self::Unresolved => f.write_str(
                "the path has an empty component, `.`, `..` or a `/` at its end and never matches",
            ),
        }
    }
}

impl std::error::Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused() {
        assert_eq!(Text::new("a\"b\n").unwrap().as_bytes(), b"a\"b\n");
        assert_eq!(
            Text::new(b"a\0").unwrap_err().kind(),
            TextErrorKind::Nul { at: 1 }
        );
        assert!(Text::new([b'a'; 1024]).is_ok());
        let long = Text::new([b'a'; 1025]).unwrap_err();
        assert_eq!(long.kind(), TextErrorKind::TooLong { length: 1025 });
        assert_eq!(
            long.to_string(),
            "the text is 1025 bytes long, and 1024 are the limit"
        );
    }

    #[test]
    fn a_path_is_one_that_can_match() {
        for path in ["/", "/a", "/a/b", "/.a", "/...", "/a b"] {
            assert!(Text::path(path).is_ok(), "{path}");
        }
        assert_eq!(Text::path("").unwrap_err().kind(), TextErrorKind::Empty);
        assert_eq!(Text::path("a").unwrap_err().kind(), TextErrorKind::Relative);
        for path in ["//", "/a/", "/a//b", "/./a", "/a/..", "/a/."] {
            assert_eq!(
                Text::path(path).unwrap_err().kind(),
                TextErrorKind::Unresolved,
                "{path}"
            );
        }
    }
}
