//! Strings between a text and bytes: escapes resolved and put back.
//!
//! `"…"` knows `\n \t \r \" \\ \xHH`; `#"…"` is raw up to the next quote (docs/seatbelt.md,
//! section 5).

use std::borrow::Cow;

/// Whether all escapes of a string are known ones.
// Exhaustive: there is no third kind of string.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Escapes {
    Known,
    /// At least one is not, and was read as the character behind its backslash.
    Unknown,
}

/// The bytes that a string token stands for. A quote that is missing at the end is not missed.
pub(crate) fn unquote(token: &[u8]) -> (Cow<'_, [u8]>, Escapes) {
    if let Some(raw) = token.strip_prefix(b"#\"") {
        let closed = raw.strip_suffix(b"\"").unwrap_or(raw);
        return (Cow::Borrowed(closed), Escapes::Known);
    }
    let mut rest = token.strip_prefix(b"\"").unwrap_or(token);
    if !rest.contains(&b'\\') {
        let closed = rest.strip_suffix(b"\"").unwrap_or(rest);
        return (Cow::Borrowed(closed), Escapes::Known);
    }
    let mut bytes = Vec::with_capacity(rest.len());
    let mut escapes = Escapes::Known;
    loop {
        match rest {
            [] | [b'"', ..] => return (Cow::Owned(bytes), escapes),
            [b'\\', b'x' | b'X', high, low, after @ ..]
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                bytes.push(digit(*high) << 4 | digit(*low));
                rest = after;
            }
            [b'\\', escaped, after @ ..] => {
                bytes.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'"' | b'\\' => *escaped,
                    _ => {
                        escapes = Escapes::Unknown;
                        *escaped
                    }
                });
                rest = after;
            }
            // The text ended in the middle of an escape.
            [b'\\'] => {
                escapes = Escapes::Unknown;
                rest = &[];
            }
            [byte, after @ ..] => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
}

/// The value of an ASCII hexadecimal digit; 0 for any other byte.
fn digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => 0,
    }
}

/// `"…"` that stands for these bytes, in ASCII.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut string = String::with_capacity(bytes.len() + 2);
    string.push('"');
    for &byte in bytes {
        match byte {
            b'"' => string.push_str("\\\""),
            b'\\' => string.push_str("\\\\"),
            b'\n' => string.push_str("\\n"),
            b'\t' => string.push_str("\\t"),
            b'\r' => string.push_str("\\r"),
            b' '..=b'~' => string.push(char::from(byte)),
            _ => {
                string.push_str("\\x");
                string.extend([byte >> 4, byte & 15].iter().map(|&half| hex(half)));
            }
        }
    }
    string.push('"');
    string
}

/// `#"…"` that stands for these bytes; `None` if only a string with escapes can.
pub(crate) fn raw_quoted(bytes: &[u8]) -> Option<String> {
    let plain = bytes
        .iter()
        .all(|byte| matches!(byte, b' '..=b'~') && *byte != b'"');
    let characters = || bytes.iter().map(|&byte| char::from(byte));
    plain.then(|| "#\"".chars().chain(characters()).chain(['"']).collect())
}

/// The digit of a number below 16.
fn hex(half: u8) -> char {
    char::from_digit(u32::from(half), 16).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved() {
        let cases: [(&str, &[u8]); 8] = [
            (r#""""#, b""),
            (r#""a\n\t\r\"\\b""#, b"a\n\t\r\"\\b"),
            (r#""\x41\xe9\XFF""#, b"A\xe9\xff"),
            (r#"#"a\.b\n""#, br"a\.b\n"),
            (r#""open"#, b"open"),
            (r#"#"open"#, b"open"),
            ("\"caf\u{e9}\"", "caf\u{e9}".as_bytes()),
            (r#""a'b""#, b"a'b"),
        ];
        for (token, bytes) in cases {
            assert_eq!(
                unquote(token.as_bytes()),
                (Cow::Borrowed(bytes), Escapes::Known),
                "{token}"
            );
        }
    }

    #[test]
    fn an_unknown_escape_is_the_character_behind_it() {
        assert_eq!(unquote(br#""\.env""#), (b".env".into(), Escapes::Unknown));
        assert_eq!(unquote(br#""\xg1""#), (b"xg1".into(), Escapes::Unknown));
    }

    #[test]
    fn every_byte_survives_and_the_text_is_ascii() {
        let bytes: Vec<u8> = (0..=255).collect();
        let string = quoted(&bytes);
        assert!(string.is_ascii());
        assert_eq!(unquote(string.as_bytes()), (bytes.into(), Escapes::Known));
        assert_eq!(quoted(b"\xc3\xa9\"\x00"), r#""\xc3\xa9\"\x00""#);
    }

    #[test]
    fn a_raw_string_is_for_what_needs_no_escape() {
        assert_eq!(raw_quoted(br"/\.env'$").as_deref(), Some(r#"#"/\.env'$""#));
        for bytes in [&b"a\"b"[..], b"a\nb", b"\xc3\xa9", b"\x7f"] {
            assert_eq!(raw_quoted(bytes), None);
        }
    }
}
