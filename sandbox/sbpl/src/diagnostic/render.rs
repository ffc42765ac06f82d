//! Shows a diagnostic with its line and carets.
//!
//! Only the first line of a place is shown, and of a long line only what surrounds the place. The
//! text may hold anything, so what could move a terminal's cursor is shown as a `?`.

use super::{Diagnostic, Severity};
use crate::span::{Source, Span};

/// How many characters of a line are shown.
const WINDOW: usize = 96;
/// How many of them stand before the place.
const BEFORE: usize = 32;

pub(super) fn render(diagnostic: &Diagnostic, source: &Source, name: &str) -> String {
    let severity = match diagnostic.severity() {
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut out = render_at(
        &format!("{severity}: {diagnostic}"),
        diagnostic.span,
        source,
        name,
    );
    if let Some(suggestion) = diagnostic.suggestion() {
        let line = source.position(diagnostic.span.start).line;
        let margin = " ".repeat(line.to_string().len());
        out.push_str(&format!("{margin} = did you mean `{suggestion}`?\n"));
    }
    out
}

/// A message with the line of its place and carets under it.
pub(crate) fn render_at(message: &str, span: Span, source: &Source, name: &str) -> String {
    let at = source.position(span.start);
    let line = source.line(at.line);
    let column = (at.column - 1).min(line.len());
    let width = span.end.saturating_sub(span.start);
    let first = if line.len() <= WINDOW {
        0
    } else {
        column.saturating_sub(BEFORE)
    };
    let last = line.len().min(first + WINDOW);
    let before = shown(line.get(first..column).unwrap_or_default());
    let marked = shown(
        line.get(column..last.min(column + width))
            .unwrap_or_default(),
    );
    let after = shown(line.get(last.min(column + width)..last).unwrap_or_default());

    let blanks = " ".repeat(before.chars().count());
    let carets = "^".repeat(marked.chars().count().max(1));
    let number = at.line.to_string();
    let margin = " ".repeat(number.len());
    let place = match name {
        "" => String::new(),
        name => shown(name.as_bytes()) + ":",
    };
    format!(
        "{message}\n{margin}--> {place}{number}:{}\n{margin} |\n{number} | {before}{marked}{after}\n{margin} | {blanks}{carets}\n",
        at.column
    )
}

/// Bytes as they can be shown: one column for each character.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .map(|char| match char {
            '\t' => ' ',
            _ if char.is_control() || is_invisible(char) => '?',
            _ => char,
        })
        .collect()
}

/// Marks that reorder or hide what stands around them.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Diagnostic, DiagnosticKind};
    use crate::span::{Source, Span};

    fn render(text: &[u8], start: usize, end: usize) -> String {
        Diagnostic::new(DiagnosticKind::NoFilter, Span::new(start, end), 0)
            .render(&Source::new(text))
    }

    #[test]
    fn a_place_on_two_lines_is_marked_up_to_the_first_line_end() {
        let expected = "\
error: a filter is needed here
 --> 2:2
  |
2 |  (a
  |  ^^
";
        assert_eq!(render(b"\n (a\nb)", 2, 7), expected);
    }

    #[test]
    fn a_place_behind_the_end_has_a_caret() {
        let expected = "\
error: a filter is needed here
 --> 1:3
  |
1 | ab
  |   ^
";
        assert_eq!(render(b"ab", 9, 9), expected);
    }

    #[test]
    fn a_long_line_is_cut_and_controls_are_not_shown() {
        let mut text = vec![b'\x1b'; 1 << 20];
        text[500_000] = b'x';
        let shown = render(&text, 500_000, 500_001);
        assert!(shown.len() < 400);
        assert!(!shown.contains('\x1b'));
        assert!(shown.contains("?x?"));
    }
}
