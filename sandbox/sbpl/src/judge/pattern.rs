//! Patterns, matched where that can be done exactly.
//!
//! A path is matched in key form, and so is the literal text of the pattern; classes take either
//! case. Whether Seatbelt's `.` and `[^…]` take a byte or a character is not known, so both are
//! tried, and where they differ the answer is "unknown". So it is for a pattern outside the known
//! subset (docs/seatbelt.md, section 5), for a class with letters beyond ASCII, and for names
//! with a line break in them.

use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::answer::Answer;
use super::key::{Key, fold};
use crate::ast::{Class, Pattern, Piece, Repeat};

/// A pattern over paths.
#[derive(Debug)]
pub(super) struct PathPattern {
    /// Over bytes and over characters; `None` if it cannot be matched exactly.
    compiled: Option<(Regex, Regex)>,
}

/// Many patterns over paths, searched for in one pass.
#[derive(Debug)]
pub(super) struct PathPatterns {
    set: RegexSet,
}

impl PathPatterns {
    /// `None` if one of them cannot be matched exactly, or if together they are too large.
    pub(super) fn new<'p>(patterns: impl Iterator<Item = &'p PathPattern>) -> Option<Self> {
        let texts: Option<Vec<&str>> = patterns
            .map(|pattern| Some(pattern.compiled.as_ref()?.0.as_str()))
            .collect();
        let set = RegexSetBuilder::new(texts?)
            .unicode(false)
            .dot_matches_new_line(true)
            .size_limit(SET_LIMIT)
            .dfa_size_limit(SET_LIMIT)
            .build();
        set.ok().map(|set| Self { set })
    }

    /// The first, in their order, that is found; in a path for which [`is_plain`] holds.
    pub(super) fn first_in(&self, path: &Key) -> Option<usize> {
        let path = path.as_bytes();
        if self.set.is_match(path) {
            self.set.matches(path).iter().next()
        } else {
            None
        }
    }
}

/// How large the automaton of many patterns may become.
const SET_LIMIT: usize = 64 << 20;

/// Whether bytes are characters in a path, and lines are nothing to think of.
pub(super) fn is_plain(path: &Key) -> bool {
    let path = path.as_bytes();
    path.is_ascii() && !path.contains(&b'\n')
}

impl PathPattern {
    pub(super) fn new(pattern: &Pattern) -> Self {
        let text = translate(pattern, key_of);
        let compiled = text.and_then(|text| {
            Some((
                compile(&text, Unit::Byte, Case::Kept)?,
                compile(&text, Unit::Character, Case::Kept)?,
            ))
        });
        Self { compiled }
    }

    /// Whether it can be matched exactly in a path for which [`is_plain`] holds.
    pub(super) fn is_exact(&self) -> bool {
        self.compiled.is_some()
    }

    pub(super) fn is_found_in(&self, path: &Key) -> Answer {
        let path = path.as_bytes();
        let Some((bytes, characters)) = &self.compiled else {
            return Answer::Unknown;
        };
        if path.contains(&b'\n') {
            return Answer::Unknown;
        }
        let found = bytes.is_match(path);
        if path.is_ascii() || characters.is_match(path) == found {
            found.into()
        } else {
            Answer::Unknown
        }
    }
}

/// A pattern over names that are no paths. Whether case matters to it is not known.
#[derive(Debug)]
pub(super) struct NamePattern {
    /// With case and without; `None` if it cannot be matched exactly.
    compiled: Option<(Regex, Regex)>,
}

impl NamePattern {
    pub(super) fn new(pattern: &Pattern) -> Self {
        let ascii = |char: char| char.is_ascii().then(|| char.to_string());
        let compiled = translate(pattern, ascii).and_then(|text| {
            Some((
                compile(&text, Unit::Byte, Case::Kept)?,
                compile(&text, Unit::Byte, Case::Folded)?,
            ))
        });
        Self { compiled }
    }

    pub(super) fn is_found_in(&self, name: &[u8]) -> Answer {
        let Some((kept, folded)) = &self.compiled else {
            return Answer::Unknown;
        };
        let found = kept.is_match(name);
        if name.is_ascii() && !name.contains(&b'\n') && folded.is_match(name) == found {
            found.into()
        } else {
            Answer::Unknown
        }
    }
}

/// The key of one character of a pattern; `None` if it joins with what stands before it.
fn key_of(char: char) -> Option<String> {
    if char.is_ascii() {
        return Some(char.to_ascii_lowercase().to_string());
    }
    let key = fold(char.encode_utf8(&mut [0; 4]));
    key.starts_with(char::is_alphanumeric).then_some(key)
}

enum Unit {
    Byte,
    Character,
}

#[derive(Clone, Copy)]
enum Case {
    Kept,
    Folded,
}

fn compile(text: &str, unit: Unit, case: Case) -> Option<Regex> {
    RegexBuilder::new(text)
        .unicode(matches!(unit, Unit::Character))
        .case_insensitive(matches!(case, Case::Folded))
        .dot_matches_new_line(true)
        .build()
        // The engine has limits of its own.
        .ok()
}

/// The same pattern in the syntax of the engine, each literal character through `literal`.
fn translate(pattern: &Pattern, literal: impl Fn(char) -> Option<String>) -> Option<String> {
    let mut text = String::new();
    for piece in pattern.pieces().ok()? {
        match piece {
            Piece::Literal(char) => {
                text.push_str("(?:");
                text.push_str(&regex::escape(&literal(char)?));
                text.push(')');
            }
            Piece::Any => text.push('.'),
            Piece::Class(class) => text.push_str(&translate_class(&class)?),
            Piece::Start => text.push('^'),
            Piece::End => text.push('$'),
            Piece::Open => text.push_str("(?:"),
            Piece::Close => text.push(')'),
            Piece::Or => text.push('|'),
            Piece::Repeat(Repeat::ZeroOrMore) => text.push('*'),
            Piece::Repeat(Repeat::OneOrMore) => text.push('+'),
            Piece::Repeat(Repeat::Optional) => text.push('?'),
        }
    }
    Some(text)
}

/// Every end of a range is written as a number, so that none can be read as syntax.
fn translate_class(class: &Class) -> Option<String> {
    let mut text = String::from(if class.negated { "(?i:[^" } else { "(?i:[" });
    for &(first, last) in &class.ranges {
        if !first.is_ascii() || !last.is_ascii() {
            return None;
        }
        text.push_str(&format!(
            "\\x{:02x}-\\x{:02x}",
            u32::from(first),
            u32::from(last)
        ));
    }
    text.push_str("])");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::Answer::{No, Unknown, Yes};
    use super::*;

    fn path(pattern: &str, path: &[u8]) -> Answer {
        let pattern = Pattern::parsed(crate::Text::new(pattern).unwrap());
        PathPattern::new(&pattern).is_found_in(&Key::new(path))
    }

    fn name(pattern: &str, name: &[u8]) -> Answer {
        NamePattern::new(&Pattern::new(pattern).unwrap()).is_found_in(name)
    }

    #[test]
    fn a_pattern_is_searched_for() {
        assert_eq!(path(r"/\.env", b"/w/.env.local"), Yes);
        assert_eq!(path(r"/\.env$", b"/w/.env.local"), No);
        assert_eq!(path(r"^/w/(.*/)?\.env$", b"/w/a/.env"), Yes);
        assert_eq!(path(r"^/w/[^/]*\.txt$", b"/w/a/b.txt"), No);
        assert_eq!(path("^(/a|/b)+$", b"/a/b"), Yes);
        assert_eq!(path("[.-]x", b"-x"), Yes);
    }

    #[test]
    fn case_and_composition_do_not_matter() {
        assert_eq!(path("^/W/[A-C]$", b"/w/b"), Yes);
        assert_eq!(path("^/w/[^A-C]$", b"/w/b"), No);
        assert_eq!(path("/caf\u{e9}$", "/CAFE\u{301}".as_bytes()), Yes);
        assert_eq!(path("/caf\u{e9}*$", "/caf\u{e9}\u{c9}".as_bytes()), Yes);
    }

    #[test]
    fn what_cannot_be_exact_is_unknown() {
        assert_eq!(path("/(?:a)", b"/a"), Unknown);
        assert_eq!(
            path("^/...$", "/\u{65e5}".as_bytes()),
            Unknown,
            "three bytes, one character"
        );
        assert_eq!(path("^/.*$", "/\u{65e5}".as_bytes()), Yes);
        assert_eq!(path("[\u{e9}]", b"/a"), Unknown);
        assert_eq!(path("e\u{301}", b"/a"), Unknown);
        assert_eq!(path("a$", b"/a\n"), Unknown);
        assert_eq!(path("^/.$", b"/\xff"), Unknown);
    }

    #[test]
    fn names_that_are_no_paths() {
        assert_eq!(name(r"^com\.apple\.lsd\.", b"com.apple.lsd.open"), Yes);
        assert_eq!(name(r"^com\.apple\.lsd\.", b"com.apple.trustd"), No);
        assert_eq!(name("^COM", b"com"), Unknown);
    }
}
