//! Components of a path as bytes. Nothing here looks at a file system: `.` and `..` are names.

use std::fmt::{self, Write as _};

/// The longest text that a system call takes: `PATH_MAX` of Linux less its final NUL.
pub const PATH_LIMIT: usize = 4095;

/// How many bytes [`count`] takes together.
const PART: usize = u8::MAX as usize;

/// The components of `path`, in order: what stands between slashes, without the empty ones.
pub fn components(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/')
        .filter(|name| !name.is_empty())
}

/// How many components `path` has.
pub fn count(path: &[u8]) -> usize {
    // One begins at each byte that is no slash and stands behind one. Counted in parts that a byte
    // can count, the processor takes many bytes at a time.
    let first = path.first().is_some_and(|&byte| byte != b'/');
    let begins = |(&one, &next): (&u8, &u8)| u8::from((one == b'/') & (next != b'/'));
    let parts = path.chunks(PART).zip(behind(path).chunks(PART));
    let counts = parts.map(|(ones, nexts)| ones.iter().zip(nexts).map(begins).sum::<u8>());
    usize::from(first) + counts.map(usize::from).sum::<usize>()
}

/// Whether one of the components of `path` is `..`.
pub fn rises(path: &[u8]) -> bool {
    // Hardly a path has two dots in a row, and that is seen sooner.
    pairs(path, |one, next| (one == b'.') & (next == b'.'))
        && components(path).any(|name| name == b"..")
}

/// Whether `path` is plainly written: names with one slash between two. One with a name that ends
/// in a dot may be taken for one that is not; no other is.
pub(crate) fn is_plain(path: &[u8]) -> bool {
    path.first().is_some_and(|&byte| byte != b'/')
        && path.last().is_some_and(|byte| !b"/.".contains(byte))
        && !pairs(path, |one, next| {
            (next == b'/') & ((one == b'/') | (one == b'.'))
        })
}

/// Whether two bytes that stand beside each other are so. All are asked, many at a time.
fn pairs(path: &[u8], are: impl Fn(u8, u8) -> bool) -> bool {
    let pairs = path.iter().zip(behind(path));
    pairs.fold(0, |any, (&one, &next)| any | u8::from(are(one, next))) != 0
}

/// `path` without its first byte.
fn behind(path: &[u8]) -> &[u8] {
    path.get(1..).unwrap_or_default()
}

/// Whether `name` is `.` or `..`, which name no entry of their own.
pub fn is_dot(name: &[u8]) -> bool {
    matches!(name, b"." | b"..")
}

/// `path` without the slashes in front.
pub fn trim_start(path: &[u8]) -> &[u8] {
    let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
    path.get(slashes..).unwrap_or_default()
}

/// `path` without the slashes at its end; empty for the root.
pub fn trim_end(path: &[u8]) -> &[u8] {
    let slashes = path.iter().rev().take_while(|&&byte| byte == b'/').count();
    path.get(..path.len() - slashes).unwrap_or_default()
}

/// Splits `path` behind its first component, slashes before it dropped. `None` when it has none.
pub fn split_first(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let path = trim_start(path);
    let end = path
        .iter()
        .position(|&byte| byte == b'/')
        .unwrap_or(path.len());
    path.split_at_checked(end)
        .filter(|(name, _)| !name.is_empty())
}

/// A real path in runs that a system call takes each: names with one slash between, none in front.
pub fn runs(real: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut left = trim_start(real);
    std::iter::from_fn(move || {
        let end = if left.len() <= PATH_LIMIT {
            left.len()
        } else {
            let fits = left.get(..=PATH_LIMIT)?;
            // A single name beyond the limit is left for the system to refuse.
            let slash = |part: &[u8]| part.iter().rposition(|&byte| byte == b'/');
            slash(fits)
                .or_else(|| left.iter().position(|&byte| byte == b'/'))
                .unwrap_or(left.len())
        };
        let (run, after) = left
            .split_at_checked(end)
            .filter(|(run, _)| !run.is_empty())?;
        left = trim_start(after);
        Some(run)
    })
}

/// The prefixes of a real path that end at a component, the shortest first.
pub fn prefixes(real: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut left = real;
    std::iter::from_fn(move || {
        let (_, after) = split_first(left)?;
        left = after;
        real.get(..real.len() - after.len())
    })
}

/// The parent of a real path, `/` being its own.
pub fn parent(real: &[u8]) -> &[u8] {
    match real.iter().rposition(|&byte| byte == b'/') {
        None | Some(0) => b"/",
        Some(at) => real.get(..at).unwrap_or_default(),
    }
}

/// `parent` and `name` joined by one slash.
pub fn join(parent: &[u8], name: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(parent.len() + 1 + name.len());
    joined.extend_from_slice(parent);
    push(&mut joined, name);
    joined
}

/// Appends `name` to `path` behind one slash.
pub fn push(path: &mut Vec<u8>, name: &[u8]) {
    if path.last() != Some(&b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// A name for a person to read: what a terminal would obey (control characters, an escape, a
/// reversal of direction) or what is not UTF-8 is shown as an escape, and so is the backslash.
pub fn display(name: &[u8]) -> impl fmt::Display + '_ {
    Shown(name)
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '"' | '\'' => f.write_char(c)?,
                    _ => write!(f, "{}", c.escape_debug())?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_splits_at_its_slashes() {
        let table: [(&[u8], &[&[u8]]); 5] = [
            (b"", &[]),
            (b"///", &[]),
            (b"a", &[b"a"]),
            (b"/a//b/", &[b"a", b"b"]),
            (b"./../...", &[b".", b"..", b"..."]),
        ];
        for (path, want) in table {
            assert_eq!(components(path).collect::<Vec<_>>(), want, "{path:?}");
            assert_eq!(count(path), want.len(), "{path:?}");
        }
        for (path, want) in [
            ("..", true),
            ("a/../b", true),
            ("a../..b/...", false),
            ("", false),
        ] {
            assert_eq!(rises(path.as_bytes()), want, "{path:?}");
        }
        for names in 1..300 {
            assert_eq!(count(&b"/a".repeat(names)), names);
            assert_eq!(count(&b"a//bc".repeat(names)), names + 1);
        }
        assert_eq!(split_first(b"//a/b/"), Some((&b"a"[..], &b"/b/"[..])));
        assert_eq!(split_first(b"//"), None);
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_as_an_escape() {
        for (name, want) in [
            (&b"/h\xc3\xa9/it's \"x\""[..], "/hé/it's \"x\""),
            (b"a\nb\x1b[2J", "a\\nb\\u{1b}[2J"),
            ("\u{202e}gpj".as_bytes(), "\\u{202e}gpj"),
            (b"\xff\\", "\\xff\\\\"),
        ] {
            assert_eq!(display(name).to_string(), want);
        }
    }

    #[test]
    fn a_long_real_path_comes_in_runs() {
        let real = "/12345".repeat(1000);
        let lengths: Vec<_> = runs(real.as_bytes()).map(<[u8]>::len).collect();
        assert_eq!(lengths, [682 * 6 - 1, 318 * 6 - 1]);
        assert_eq!(runs(b"/").count(), 0);
        assert_eq!(runs(b"/a/b").collect::<Vec<_>>(), [b"a/b"]);
    }

    #[test]
    fn the_root_is_its_own_parent() {
        for (real, want) in [("/", "/"), ("/a", "/"), ("/a/b", "/a")] {
            assert_eq!(parent(real.as_bytes()), want.as_bytes());
        }
        assert_eq!(join(b"/", b"a"), b"/a");
        assert_eq!(join(b"/a", b"b"), b"/a/b");
    }
}
