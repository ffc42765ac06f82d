//! The tag of a profile: a word that its denials carry in the log, so that they are told from others'.

use std::fmt;

use sbpl::Text;
use sbpl::ast::Modifier;

use crate::{Error, ErrorKind};

/// A word of ASCII letters, digits and `-`, from one to [`Tag::MAX`] of them.
///
/// It is written into a profile and searched for in a log, and means the same in both: nothing in it is
/// quoted, escaped or parted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tag(Box<str>);

/// A text that is no tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagError(String);

impl Tag {
    /// The most bytes that one has.
    pub const MAX: usize = 64;

    /// The tag of that text.
    ///
    /// # Errors
    /// When the text is empty, too long, or has something else in it.
    pub fn new(text: &str) -> Result<Self, TagError> {
        Tag::read(text.as_bytes()).ok_or_else(|| TagError(text.chars().take(Tag::MAX).collect()))
    }

    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let is_tag = !text.is_empty() && text.len() <= Tag::MAX && text.iter().all(is_part);
        let text = std::str::from_utf8(text).ok().filter(|_| is_tag)?;
        Some(Tag(text.into()))
    }

    /// What a rule says to have its denials carry the tag.
    pub(crate) fn modifier(&self) -> Result<Modifier, Error> {
        let text =
            Text::new(self.as_str()).map_err(|error| Error::new(ErrorKind::Unwritable, error))?;
        Ok(Modifier::Message(text))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TagError(text) = self;
        write!(
            f,
            "{text:?} is no tag: a tag has from 1 to {} ASCII letters, digits and `-`",
            Tag::MAX
        )
    }
}

impl std::error::Error for TagError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_letters_digits_and_dashes() {
        for good in ["a", "run-17", "-", &"x".repeat(64)] {
            assert_eq!(Tag::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a\"", "ä", "a\n", "a_b", &"x".repeat(65)] {
            assert!(Tag::new(bad).is_err(), "{bad:?}");
        }
    }
}
