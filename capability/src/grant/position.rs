//! Where in a grant's text something stands, and how to show it: line, column, underlined excerpt.
//!
//! It knows nothing of grants: it maps byte offsets of one text. Columns count characters, not terminal
//! cells, so a caret below wide characters may stand to their left.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::error::printable;

/// A stretch of a grant's file.
#[derive(Clone)]
pub struct Position {
    text: Arc<Text>,
    /// `None` when only the file is known.
    span: Option<Range<usize>>,
}

/// One file's text, prepared so that an offset's line and column cost the same everywhere in it.
pub(crate) struct Text {
    name: Box<str>,
    text: Box<str>,
    /// The offset at which each line starts; the first is 0.
    lines: Vec<usize>,
    /// How many characters start before each multiple of `STRIDE` bytes. Without it, a grant of a million
    /// clauses on one line would be counted through once per clause.
    chars: Vec<usize>,
}

const STRIDE: usize = 256;

/// How much of a long line is shown: this many characters before the span, and from its start on.
const BEFORE: usize = 40;
const FROM: usize = 80;

impl Position {
    pub(crate) fn new(text: &Arc<Text>, span: Option<Range<usize>>) -> Position {
        Position {
            text: Arc::clone(text),
            span,
        }
    }

    /// The name of the file, as it was given to the parser.
    pub fn file(&self) -> &str {
        &self.text.name
    }

    /// The line on which it starts, from 1; `None` when only the file is known.
    pub fn line(&self) -> Option<usize> {
        let start = self.span.as_ref()?.start;
        Some(self.text.line_at(start).0)
    }

    /// The column at which it starts, from 1, in characters; `None` when only the file is known.
    pub fn column(&self) -> Option<usize> {
        let start = self.span.as_ref()?.start;
        let (_, line) = self.text.line_at(start);
        Some(self.text.chars_before(start) - self.text.chars_before(line) + 1)
    }

    /// The bytes of the file that it covers, counted after a byte order mark; `None` when only the file is
    /// known.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// For a person: a line break, the line on which it starts, and carets below what it covers of it.
    /// Nothing when only the file is known.
    pub fn excerpt(&self) -> impl fmt::Display {
        struct Excerpt<'a>(&'a Position);
        impl fmt::Display for Excerpt<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.underline(f)
            }
        }
        Excerpt(self)
    }

    /// Writes a line break, the line, and carets below the span, as far as it lies on that line.
    pub(crate) fn underline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(span) = &self.span else {
            return Ok(());
        };
        let (number, line) = self.text.line_at(span.start);
        let before = self.text.text.get(line..span.start).unwrap_or("");
        let rest = self.text.text.get(span.start..).unwrap_or("");
        // The line's own ending is neither shown nor underlined.
        let rest = rest.split('\n').next().unwrap_or("");
        let rest = rest.strip_suffix('\r').unwrap_or(rest);

        let mut shown = String::new();
        if let Some((cut, _)) = before
            .char_indices()
            .rev()
            .nth(BEFORE - 1)
            .filter(|c| c.0 > 0)
        {
            shown.push('…');
            shown.extend(before.get(cut..).unwrap_or("").chars().map(printable));
        } else {
            shown.extend(before.chars().map(printable));
        }
        let indent = shown.chars().count();

        let mut carets = 0;
        for (at, c) in rest.char_indices().take(FROM) {
            let c = printable(c);
            if at < span.len() {
                carets += c.chars().count();
            }
            shown.push_str(&c);
        }
        if rest.char_indices().nth(FROM).is_some() {
            shown.push('…');
        }

        let number = number.to_string();
        write!(f, "\n{number} | {shown}")?;
        write!(
            f,
            "\n{:gutter$} | {:indent$}",
            "",
            "",
            gutter = number.len()
        )?;
        // An empty span, such as the end of the text, still has a place to point at.
        write!(f, "{:^<carets$}", "", carets = carets.max(1))
    }
}

/// `file:line:column`, or the file alone.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.file().chars() {
            f.write_str(&printable(c))?;
        }
        match (self.line(), self.column()) {
            (Some(line), Some(column)) => write!(f, ":{line}:{column}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

impl Text {
    pub(crate) fn new(name: &str, text: &str) -> Text {
        let lines = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(at, _)| at + 1);
        let mut counted = 0;
        let mut chars = vec![0];
        for chunk in text.as_bytes().chunks(STRIDE) {
            counted += starts_in(chunk);
            chars.push(counted);
        }
        Text {
            name: name.into(),
            text: text.into(),
            lines: std::iter::once(0).chain(lines).collect(),
            chars,
        }
    }

    /// The number of the line that holds the offset, and where that line starts.
    fn line_at(&self, offset: usize) -> (usize, usize) {
        let number = self.lines.partition_point(|start| *start <= offset);
        let start = number.checked_sub(1).and_then(|i| self.lines.get(i));
        (number, start.copied().unwrap_or(0))
    }

    fn chars_before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let counted = self.chars.get(stride).copied().unwrap_or(0);
        let rest = self
            .text
            .as_bytes()
            .get(stride * STRIDE..offset)
            .unwrap_or_default();
        counted + starts_in(rest)
    }
}

/// How many characters start in these bytes of UTF-8.
fn starts_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, span: Range<usize>) -> Position {
        Position::new(&Arc::new(Text::new("g.toml", text)), Some(span))
    }

    #[test]
    fn lines_and_columns() {
        let text = "ab\né日x\n\ny";
        // offset, line, column
        let table = [
            (0, 1, 1),
            (2, 1, 3),
            (3, 2, 1),
            (5, 2, 2),
            (8, 2, 3),
            (9, 2, 4),
            (10, 3, 1),
        ];
        for (offset, line, column) in table.into_iter().chain([(11, 4, 1), (12, 4, 2)]) {
            let place = place(text, offset..offset);
            assert_eq!(
                (place.line(), place.column()),
                (Some(line), Some(column)),
                "{offset}"
            );
        }
    }

    #[test]
    fn columns_across_strides() {
        // Two bytes a character: a stride of 256 bytes holds 128 of them.
        let text = format!("x\n{}", "é".repeat(1000));
        for (offset, column) in [(2, 1), (254, 127), (256, 128), (258, 129), (2000, 1000)] {
            assert_eq!(
                place(&text, offset..offset).column(),
                Some(column),
                "{offset}"
            );
        }
    }

    #[test]
    fn excerpts() {
        struct Underlined(Position);
        impl fmt::Display for Underlined {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.underline(f)
            }
        }
        let long = "ab".repeat(500);
        let long_shown = format!("…{}{}…", "ab".repeat(20), "ab".repeat(40));
        let table = [
            ("key = 'v'\r\nb", 6..9, "key = 'v'".to_owned(), "      ^^^"),
            ("a = '''x\ny'''", 4..13, "a = '''x".to_owned(), "    ^^^^"),
            ("a = ", 4..4, "a = ".to_owned(), "    ^"),
            ("\t\u{1b} = 1", 1..2, r"\t\u{1b} = 1".to_owned(), "  ^^^^^^"),
            (&long, 500..503, long_shown, &format!("{:41}^^^", "")),
        ];
        for (text, span, line, carets) in table {
            let expected = format!("\n1 | {line}\n  | {carets}");
            assert_eq!(
                Underlined(place(text, span)).to_string(),
                expected,
                "{text:?}"
            );
        }
    }
}
