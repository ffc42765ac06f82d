//! Places in a text: byte ranges, and the lines and columns that people read.
//!
//! A span belongs to the text it was taken from and knows nothing of it; [`Source`] does.

use std::ops::{Deref, Range};

/// A range of bytes, `start` included and `end` not.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The same as a range, for slicing with `get`.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A place in one of the texts that a profile is made of.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Origin {
    /// Which text: 0 is the profile itself, then its imports in the order of their loading. An
    /// index into [`crate::Parsed::texts`].
    pub text: usize,
    /// Where in that text.
    pub span: Span,
}

/// A line and a column, both counted from 1; the column counts bytes.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The byte within the line, from 1.
    pub column: usize,
}

/// A part of a tree and the place it was parsed from, which equality leaves out.
#[derive(Clone, Debug)]
pub struct Located<T> {
    value: T,
    span: Option<Span>,
}

impl<T> Located<T> {
    /// A part that was built and stands in no text.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self { value, span: None }
    }

    /// A part that stands at `span`.
    #[must_use]
    pub fn at(value: T, span: Span) -> Self {
        Self {
            value,
            span: Some(span),
        }
    }

    /// Where it stood; `None` if it was built.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// The part itself.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A text with an index of its lines, so that a position is found by a binary search.
#[derive(Clone, Debug)]
pub struct Source {
    text: Vec<u8>,
    // INVARIANT: ascending, and the first is 0.
    line_starts: Vec<usize>,
}

impl Source {
    /// Indexes `text`.
    #[must_use]
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        let text = text.into();
        let newlines = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(newlines.map(|(at, _)| at + 1))
            .collect();
        Self { text, line_starts }
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes at `span`; empty if it does not lie within the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &[u8] {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The line and column of a byte. An offset behind the end counts as the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self
            .line_starts
            .partition_point(|&start| start <= offset)
            .max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or_default();
        Position {
            line,
            column: offset - start + 1,
        }
    }

    /// The bytes of a line, counted from 1, without its line break; empty if there is no such line.
    #[must_use]
    pub fn line(&self, line: usize) -> &[u8] {
        let Some(&start) = line
            .checked_sub(1)
            .and_then(|index| self.line_starts.get(index))
        else {
            return &[];
        };
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |next| next - 1);
        let bytes = self.text.get(start..end).unwrap_or_default();
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one() {
        let source = Source::new("ab\n\ncd");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3), "the line break belongs to its line");
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (3, 2));
        assert_eq!(at(99), (3, 3), "behind the end is the end");
    }

    #[test]
    fn lines_come_without_their_break() {
        let source = Source::new("ab\r\n\ncd");
        assert_eq!(source.line(0), b"");
        assert_eq!(source.line(1), b"ab");
        assert_eq!(source.line(2), b"");
        assert_eq!(source.line(3), b"cd");
        assert_eq!(source.line(4), b"");
    }

    #[test]
    fn equality_leaves_the_span_out() {
        assert_eq!(Located::at(1, Span::new(3, 4)), Located::new(1));
    }
}
