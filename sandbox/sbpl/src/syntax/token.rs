//! Tokens: a text cut into words, strings, brackets, comments and the white space between.
//!
//! Cutting never fails. A string that the text ends in the middle of is a token with that flaw,
//! which [`super::Tree`] reports.

use crate::span::Span;

/// A token and its place. The spans of all tokens, in order, cover the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum TokenKind {
    /// White space.
    Space,
    /// `;` up to the end of the line, which is not part of it.
    Comment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `'`, `` ` ``, `,` or `,@`: belongs to the expression that follows.
    Prefix,
    /// `"…"` with escapes.
    String,
    /// `#"…"` without escapes.
    RawString,
    /// `"…` or `#"…`, and the end of the text before the closing quote.
    OpenString,
    /// Anything else: a symbol, a number, `#t`.
    Atom,
}

/// Cuts a text into tokens.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let (kind, length) = first(rest)?;
        let span = Span::new(at, at + length);
        at = span.end;
        Some(Token { kind, span })
    })
}

/// The kind and length of the first token of `rest`; `None` if that is empty.
fn first(rest: &[u8]) -> Option<(TokenKind, usize)> {
    let run = |part: fn(u8) -> bool| rest.iter().take_while(|&&byte| part(byte)).count();
    Some(match rest {
        [] => return None,
        [b'(', ..] => (TokenKind::Open, 1),
        [b')', ..] => (TokenKind::Close, 1),
        [b',', b'@', ..] => (TokenKind::Prefix, 2),
        [b'\'' | b'`' | b',', ..] => (TokenKind::Prefix, 1),
        [b';', ..] => (TokenKind::Comment, run(|byte| byte != b'\n')),
        [b'"', inner @ ..] => match closing_quote(inner) {
            Some(length) => (TokenKind::String, length + 2),
            None => (TokenKind::OpenString, rest.len()),
        },
        [b'#', b'"', inner @ ..] => match inner.iter().position(|&byte| byte == b'"') {
            Some(length) => (TokenKind::RawString, length + 3),
            None => (TokenKind::OpenString, rest.len()),
        },
        [first, ..] if is_space(*first) => (TokenKind::Space, run(is_space)),
        // A prefix character is one only where a token begins: `a'b` is one atom.
        _ => (
            TokenKind::Atom,
            run(|byte| !is_space(byte) && !b"()\";".contains(&byte)),
        ),
    })
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The offset of the quote that ends a string, within what follows its first quote.
fn closing_quote(inner: &[u8]) -> Option<usize> {
    let mut bytes = inner.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at),
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(TokenKind, &str)> {
        tokens(text.as_bytes())
            .map(|token| (token.kind, &text[token.span.range()]))
            .collect()
    }

    #[test]
    fn a_rule() {
        use TokenKind::*;
        assert_eq!(
            cut("(deny file* ; all\n (regex #\"\\.a\"))"),
            [
                (Open, "("),
                (Atom, "deny"),
                (Space, " "),
                (Atom, "file*"),
                (Space, " "),
                (Comment, "; all"),
                (Space, "\n "),
                (Open, "("),
                (Atom, "regex"),
                (Space, " "),
                (RawString, "#\"\\.a\""),
                (Close, ")"),
                (Close, ")"),
            ]
        );
    }

    #[test]
    fn strings_end_at_their_quote() {
        use TokenKind::*;
        assert_eq!(cut(r#""a\"b"c"#), [(String, r#""a\"b""#), (Atom, "c")]);
        assert_eq!(cut(r#"#"a\"b"#), [(RawString, r#"#"a\""#), (Atom, "b")]);
        assert_eq!(cut(r#""a\""#), [(OpenString, r#""a\""#)]);
        assert_eq!(cut(r#"#""#), [(OpenString, r#"#""#)]);
        assert_eq!(cut(r#""a\"#), [(OpenString, r#""a\"#)]);
    }

    #[test]
    fn prefixes_stand_before_an_expression() {
        use TokenKind::*;
        assert_eq!(
            cut("'a `(,b ,@c) d'e"),
            [
                (Prefix, "'"),
                (Atom, "a"),
                (Space, " "),
                (Prefix, "`"),
                (Open, "("),
                (Prefix, ","),
                (Atom, "b"),
                (Space, " "),
                (Prefix, ",@"),
                (Atom, "c"),
                (Close, ")"),
                (Space, " "),
                (Atom, "d'e"),
            ]
        );
    }
}
