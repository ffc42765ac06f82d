//! Expressions that are kept without being understood.
//!
//! Kept as text in one canonical layout, so that two that differ in blanks or comments alone are
//! equal, and so that none can be deep enough to matter.

use std::fmt;

use super::string::{quoted, unquote};
use super::token::{TokenKind, tokens};

/// One expression, as text. Only the parser makes it.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Raw {
    // INVARIANT: exactly one expression, complete, in the layout that `canonical` gives.
    text: Box<str>,
}

impl Raw {
    /// The expression that `text` is; what is missing at its end is supplied.
    pub(crate) fn new(text: &[u8]) -> Self {
        Self {
            text: canonical(text).into(),
        }
    }

    /// The expression in its canonical layout.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Tokens with one blank between any two that need one, strings in their canonical spelling.
///
/// A byte of an atom that is not printable ASCII becomes a `|`: no such atom means anything, and
/// the text that is printed has to be ASCII. A bar stands in no symbol, so that the atom does not
/// become one.
fn canonical(text: &[u8]) -> String {
    let mut writer = Writer {
        out: String::with_capacity(text.len()),
        ..Writer::default()
    };
    for token in tokens(text) {
        let bytes = text.get(token.span.range()).unwrap_or_default();
        match token.kind {
            TokenKind::Space | TokenKind::Comment => {}
            TokenKind::Prefix => writer.prefix(bytes),
            TokenKind::Open => writer.open(),
            TokenKind::Close => writer.close(),
            TokenKind::Atom => {
                let shown = |&byte: &u8| {
                    if byte.is_ascii_graphic() {
                        char::from(byte)
                    } else {
                        '|'
                    }
                };
                writer.leaf(&bytes.iter().map(shown).collect::<String>());
            }
            TokenKind::String | TokenKind::RawString | TokenKind::OpenString => {
                writer.leaf(&quoted(&unquote(bytes).0));
            }
        }
    }
    writer.finish()
}

#[derive(Default)]
struct Writer {
    out: String,
    /// Quotation marks, held back until what they stand before is seen.
    prefixes: String,
    depth: usize,
    /// An expression has just ended, so that another one needs a blank before it.
    is_behind_expression: bool,
}

impl Writer {
    fn prefix(&mut self, mark: &[u8]) {
        self.prefixes
            .extend(mark.iter().map(|&byte| char::from(byte)));
    }

    fn open(&mut self) {
        self.begin("(");
        self.depth += 1;
        self.is_behind_expression = false;
    }

    fn close(&mut self) {
        // One that closes nothing is no part of any expression.
        if let Some(outer) = self.depth.checked_sub(1) {
            self.supply();
            self.depth = outer;
            self.out.push(')');
            self.is_behind_expression = true;
        }
    }

    fn leaf(&mut self, text: &str) {
        self.begin(text);
        self.is_behind_expression = true;
    }

    fn begin(&mut self, text: &str) {
        if self.is_behind_expression {
            self.out.push(' ');
        }
        self.out.push_str(&self.prefixes);
        // `, @a` is not `,@a`.
        if self.prefixes.ends_with(',') && text.starts_with('@') {
            self.out.push(' ');
        }
        self.prefixes.clear();
        self.out.push_str(text);
    }

    /// Where nothing stands behind a quotation mark, an empty list does: dropping the mark would
    /// leave a rule with one filter less, and so perhaps with none.
    fn supply(&mut self) {
        if !self.prefixes.is_empty() {
            self.leaf("()");
        }
    }

    fn finish(mut self) -> String {
        self.supply();
        self.out.extend(std::iter::repeat_n(')', self.depth));
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_canonical_and_stays_so() {
        let cases = [
            ("( import  \"a.sb\" ) ; c", "(import \"a.sb\")"),
            (
                "(define (f x)\n  `(a ,@x 'y))",
                "(define (f x) `(a ,@x 'y))",
            ),
            ("(a (b", "(a (b))"),
            ("(a ')", "(a '())"),
            ("'", "'()"),
            ("(a #\"\\.b\" \"\\.c\")", "(a \"\\\\.b\" \".c\")"),
            ("a\"b\"c", "a \"b\" c"),
            ("(x \"open", "(x \"open\")"),
            ("(caf\u{e9})", "(caf||)"),
            ("(, @a ,@b)", "(, @a ,@b)"),
            ("(a''b ' ' c)", "(a''b ''c)"),
        ];
        for (text, expected) in cases {
            assert_eq!(Raw::new(text.as_bytes()).as_str(), expected);
            assert_eq!(Raw::new(expected.as_bytes()).as_str(), expected);
        }
    }
}
