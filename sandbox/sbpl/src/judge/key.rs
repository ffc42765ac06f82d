//! The form in which paths are compared: `NFD(casefold(NFD(s)))`, component by component
//! (docs/seatbelt.md, section 4).
//!
//! A component that is not UTF-8 is its own key. Since a key of UTF-8 is UTF-8 again, the two
//! never meet.

use icu_casemap::CaseMapper;
use icu_normalizer::DecomposingNormalizerBorrowed;

/// A path in the form in which it is compared. Slashes stay where they are.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Key {
    bytes: Vec<u8>,
}

impl Key {
    pub(crate) fn new(path: &[u8]) -> Self {
        if path.is_ascii() {
            return Self {
                bytes: path.to_ascii_lowercase(),
            };
        }
        let mut bytes = Vec::with_capacity(path.len());
        for (index, component) in path.split(|&byte| byte == b'/').enumerate() {
            if index > 0 {
                bytes.push(b'/');
            }
            match std::str::from_utf8(component) {
                Ok(name) => bytes.extend_from_slice(fold(name).as_bytes()),
                Err(_) => bytes.extend_from_slice(component),
            }
        }
        Self { bytes }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it is `root`, or lies below it.
    pub(crate) fn is_within(&self, root: &Self) -> bool {
        match self.bytes.strip_prefix(root.bytes.as_slice()) {
            Some([] | [b'/', ..]) => true,
            // Below `/` no slash is left to stand between.
            Some(_) => root.bytes == b"/",
            None => false,
        }
    }
}

/// The key of a name that is UTF-8.
pub(super) fn fold(name: &str) -> String {
    let nfd = DecomposingNormalizerBorrowed::new_nfd();
    let folded = CaseMapper::new()
        .fold_string(&nfd.normalize(name))
        .into_owned();
    nfd.normalize(&folded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: &[u8], right: &[u8]) -> bool {
        Key::new(left) == Key::new(right)
    }

    #[test]
    fn spellings_of_one_name_have_one_key() {
        assert!(same(b"/A/b", b"/a/B"));
        assert!(same("/caf\u{e9}".as_bytes(), "/CAFE\u{301}".as_bytes()));
        assert!(same("/stra\u{df}e".as_bytes(), b"/STRASSE"));
        assert!(same("/\u{212a}".as_bytes(), b"/k"), "the kelvin sign");
        // The iota below sorts behind the acute before it is folded to a letter.
        assert!(same(
            "/\u{345}\u{301}".as_bytes(),
            "/\u{301}\u{3b9}".as_bytes()
        ));
        assert!(!same(b"/a", b"/b"));
        assert!(
            !same("/\u{131}".as_bytes(), b"/i"),
            "a dotless i is another letter"
        );
    }

    #[test]
    fn a_name_that_is_not_utf8_is_its_own_key() {
        assert!(same(b"/A/\xff", b"/a/\xff"));
        assert!(!same(b"/a\xff", b"/A\xff"));
    }

    #[test]
    fn within_goes_by_components() {
        let within = |path: &str, root: &str| {
            Key::new(path.as_bytes()).is_within(&Key::new(root.as_bytes()))
        };
        assert!(within("/a/b", "/a"));
        assert!(within("/A", "/a"));
        assert!(within("/a", "/"));
        assert!(within("/", "/"));
        assert!(!within("/ab", "/a"));
        assert!(!within("/", "/a"));
    }
}
