//! A text in one layout, with its comments: what people keep in a repository.
//!
//! Lines break where the author broke them. What changes is the white space: two blanks for each
//! list that a line stands in, one between expressions, no bracket alone on a line, one empty line
//! at most, and each expression that stands in no list on its own line. Words, strings and
//! comments stay as they are. The canonical text of a profile, without comments and evaluated, is
//! what [`crate::print`] is for.

use std::fmt;

use crate::span::Span;
use crate::syntax::{Token, TokenKind, Tree, TreeErrorKind, tokens};

/// Lists beyond this many do not move a line further to the right, which keeps the length of the
/// result in proportion.
const MAX_INDENT: usize = 40;

/// Lays a text out.
///
/// # Errors
///
/// [`FormatError`] if brackets or quotes do not match: moving white space might change what such a
/// text means.
///
/// ```
/// let text = b"( allow file-read*   ; all of it\n (subpath \"/usr\"\n)   )(deny default)";
/// assert_eq!(
///     sbpl::format::format(text)?,
///     b"(allow file-read* ; all of it\n  (subpath \"/usr\"))\n(deny default)\n",
/// );
/// # Ok::<(), sbpl::format::FormatError>(())
/// ```
pub fn format(text: &[u8]) -> Result<Vec<u8>, FormatError> {
    if let Some(error) = Tree::parse(text).1.first() {
        return Err(FormatError {
            kind: error.kind,
            span: error.span,
        });
    }
    let mut layout = Layout::default();
    for token in tokens(text) {
        layout.token(token.kind, shown(text, token));
    }
    Ok(layout.finish())
}

/// A token without the blanks that end a comment.
fn shown(text: &[u8], token: Token) -> &[u8] {
    let bytes = text.get(token.span.range()).unwrap_or_default();
    match token.kind {
        TokenKind::Comment => bytes.trim_ascii_end(),
        _ => bytes,
    }
}

/// The result so far, and what stands at its end.
#[derive(Default)]
struct Layout {
    out: Vec<u8>,
    depth: usize,
    last: Option<TokenKind>,
    /// `,` was last, which must not meet an `@`.
    is_behind_comma: bool,
    /// Line breaks since the last token.
    breaks: usize,
}

impl Layout {
    fn token(&mut self, kind: TokenKind, bytes: &[u8]) {
        match kind {
            TokenKind::Space => {
                self.breaks += bytes.iter().filter(|&&byte| byte == b'\n').count();
                return;
            }
            TokenKind::Close => {
                self.depth = self.depth.saturating_sub(1);
                if self.last == Some(TokenKind::Comment) {
                    self.line(1);
                }
            }
            _ => self.separate(kind, bytes),
        }
        self.out.extend_from_slice(bytes);
        if kind == TokenKind::Open {
            self.depth += 1;
        }
        self.last = Some(kind);
        self.is_behind_comma = bytes == b",";
        self.breaks = 0;
    }

    /// What stands between the last token and this one.
    fn separate(&mut self, kind: TokenKind, bytes: &[u8]) {
        let is_comment = kind == TokenKind::Comment;
        match self.last {
            None => {}
            Some(TokenKind::Comment) => self.line(self.breaks.max(1)),
            Some(TokenKind::Prefix) if self.is_behind_comma && bytes.starts_with(b"@") => {
                self.out.push(b' ');
            }
            Some(TokenKind::Open | TokenKind::Prefix) if !is_comment => {}
            Some(_) if self.breaks > 0 => self.line(self.breaks),
            Some(_) if self.depth == 0 && !is_comment => self.line(1),
            Some(_) => self.out.push(b' '),
        }
    }

    fn line(&mut self, breaks: usize) {
        self.out.extend(std::iter::repeat_n(b'\n', breaks.min(2)));
        let blanks = 2 * self.depth.min(MAX_INDENT);
        self.out.extend(std::iter::repeat_n(b' ', blanks));
    }

    fn finish(mut self) -> Vec<u8> {
        if self.last.is_some() {
            self.out.push(b'\n');
        }
        self.out
    }
}

/// Why a text is not laid out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FormatError {
    kind: TreeErrorKind,
    span: Span,
}

impl FormatError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> TreeErrorKind {
        self.kind
    }

    /// Where it is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::diagnostic::DiagnosticKind::Tree(self.kind).fmt(f)
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let formatted = String::from_utf8(format(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(formatted, expected, "{text}");
        assert_eq!(format(expected.as_bytes()).unwrap(), expected.as_bytes());
    }

    #[test]
    fn white_space_is_laid_out_and_comments_stay() {
        check("", "");
        check(" \n ", "");
        check("; a \n\n\n\n;b", "; a\n\n;b\n");
        check("(version 1)(deny default)", "(version 1)\n(deny default)\n");
        check(
            "(deny default) ; why\r\n(allow signal)",
            "(deny default) ; why\n(allow signal)\n",
        );
        check(
            "(allow\n\tfile*\n(literal\n\"/a\"  \"/b\")\n)",
            "(allow\n  file*\n  (literal\n    \"/a\" \"/b\"))\n",
        );
        check("(a ; c\n)", "(a ; c\n)\n");
        check("( ; c\na)", "( ; c\n  a)\n");
        check(
            "(define(f x)`(, @a ,@ b 'c))",
            "(define (f x) `(, @a ,@b 'c))\n",
        );
        check("(a\"b\"#\"c\\\"(d))", "(a \"b\" #\"c\\\" (d))\n");
    }

    #[test]
    fn brackets_have_to_match() {
        assert!(format(b"(a)").is_ok());
        for (text, kind, at) in [
            ("(a", TreeErrorKind::Unclosed, 0),
            ("a)", TreeErrorKind::Unopened, 1),
            ("(\"a)", TreeErrorKind::OpenString, 1),
            ("(')", TreeErrorKind::DanglingPrefix, 1),
        ] {
            let error = format(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind(), error.span().start), (kind, at), "{text}");
        }
    }

    #[test]
    fn depth_costs_little() {
        let text = "(\na ".repeat(50_000) + &")".repeat(50_000);
        assert!(format(text.as_bytes()).unwrap().len() < 10_000_000);
    }
}
