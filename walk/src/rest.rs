//! The text that is still to be walked: the path itself, then whatever links put in its place.

use std::borrow::Cow;

use crate::path;

/// What remains of a path. Borrowed until the first link is spliced in.
#[derive(Debug)]
pub(crate) struct Rest<'p> {
    text: Cow<'p, [u8]>,
    at: usize,
}

/// What comes next in a [`Rest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// Directories to pass.
    Run(Run),
    /// A `..` that would rise above the root.
    Above,
    /// The last component, which names an entry.
    Leaf,
    /// Nothing.
    End,
}

/// A run of directories. None is both entered after a `..` and left again: see [`Rest::ahead_by_name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Run {
    /// Its bytes, slashes in front included: at most [`path::PATH_LIMIT`] unless a single name is
    /// longer.
    pub(crate) length: usize,
    /// Its components.
    pub(crate) count: usize,
    /// How it is written.
    pub(crate) form: Form,
}

/// How a run of names is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    /// As a real path: names with one slash between two.
    #[default]
    Real,
    /// With further slashes, or with `.` or `..`.
    Loose,
}

impl<'p> Rest<'p> {
    pub(crate) fn new(path: &'p [u8]) -> Self {
        Rest {
            text: Cow::Borrowed(path),
            at: 0,
        }
    }

    fn text(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// How many bytes are held.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Looks at what comes next for a walk that stands at `real`.
    pub(crate) fn ahead(&self, real: &[u8]) -> Ahead {
        self.ahead_plainly()
            .unwrap_or_else(|| self.ahead_by_name(real))
    }

    /// The same where the rest is plainly written and fits a system call, as it mostly does: then all
    /// but the last name is a run.
    fn ahead_plainly(&self) -> Option<Ahead> {
        let text = self.text();
        let names = path::trim_start(text);
        if text.len() > path::PATH_LIMIT || !path::is_plain(names) {
            return None;
        }
        let Some(length) = names.iter().rposition(|&byte| byte == b'/') else {
            return Some(Ahead::Leaf);
        };
        Some(Ahead::Run(Run {
            length: text.len() - names.len() + length,
            count: path::count(names.get(..length)?),
            form: Form::Real,
        }))
    }

    /// The same for whatever is written.
    ///
    /// Where a directory is moved away during a run, its `..` leads to where it went, and the names
    /// behind that are looked up there. Those that the run ends in are asked again by the real path;
    /// one that the run leaves by a further `..` would never be, so the run is cut before that.
    fn ahead_by_name(&self, real: &[u8]) -> Ahead {
        let text = self.text();
        // How deep the walk stands is asked at the first `..` alone: most names have none.
        let mut stands = None;
        let mut down = 0_usize;
        let mut up = 0_usize;
        let mut run = Run::default();
        let mut turned = false;
        let mut entered = false;
        let mut next = path::split_first(text);
        while let Some((name, after)) = next {
            next = path::split_first(after);
            let end = text.len() - after.len();
            let dot = path::is_dot(name);
            let leaf = !dot && next.is_none();
            let rises = name == b"..";
            let above = rises && *stands.get_or_insert_with(|| path::count(real)) + down == up;
            let unasked = rises && entered;
            match () {
                () if run.count > 0 && (leaf || above || unasked || end > path::PATH_LIMIT) => {
                    break;
                }
                () if above => return Ahead::Above,
                () if leaf => return Ahead::Leaf,
                () => {}
            }
            if dot || (run.count > 0 && end - run.length != name.len() + 1) {
                run.form = Form::Loose;
            }
            if rises {
                up += 1;
                turned = true;
            } else if !dot {
                down += 1;
                entered = turned;
            }
            run.length = end;
            run.count += 1;
        }
        if run.count > 0 {
            Ahead::Run(run)
        } else {
            Ahead::End
        }
    }

    /// The next `length` bytes.
    pub(crate) fn run(&self, length: usize) -> &[u8] {
        path::trim_start(self.text().get(..length).unwrap_or_default())
    }

    /// The next component, and what follows it.
    pub(crate) fn next(&self) -> Option<(&[u8], &[u8])> {
        path::split_first(self.text())
    }

    /// Leaves the next `length` bytes behind.
    pub(crate) fn pass_run(&mut self, length: usize) {
        self.at += length;
    }

    /// Leaves `count` components behind, with their slashes.
    pub(crate) fn pass(&mut self, count: usize) {
        let mut left = self.text();
        for _ in 0..count {
            left = path::split_first(left).map_or(&[], |(_, after)| after);
        }
        self.at = self.text.len() - left.len();
    }

    /// Puts a link's text in place of the next component.
    pub(crate) fn splice(&mut self, link: &[u8]) {
        let left = self.next().map_or(0, |(_, after)| after.len());
        let end = self.text.len() - left;
        if let (Cow::Owned(text), Some(at)) = (&mut self.text, end.checked_sub(link.len())) {
            // There is room in front of what is left.
            if let Some(place) = text.get_mut(at..end) {
                place.copy_from_slice(link);
                self.at = at;
                return;
            }
        }
        let after = self.text.get(end..).unwrap_or_default();
        let mut text = Vec::with_capacity(link.len() + after.len());
        text.extend_from_slice(link);
        text.extend_from_slice(after);
        self.text = Cow::Owned(text);
        self.at = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_ahead_is_cut_before_the_leaf_and_before_the_root() {
        let real = |length, count| {
            Ahead::Run(Run {
                length,
                count,
                form: Form::Real,
            })
        };
        let loose = |length, count| {
            Ahead::Run(Run {
                length,
                count,
                form: Form::Loose,
            })
        };
        let table = [
            ("", "", Ahead::End),
            ("//", "", Ahead::End),
            ("a", "", Ahead::Leaf),
            ("//a//", "", Ahead::Leaf),
            ("a/b/c", "", real("a/b".len(), 2)),
            ("//a/b/c", "", real("//a/b".len(), 2)),
            ("a//b/c", "", loose("a//b".len(), 2)),
            ("a//b/./c/", "", loose("a//b/.".len(), 3)),
            ("a/.", "", loose("a/.".len(), 2)),
            ("./a/b", "", loose("./a".len(), 2)),
            ("a/..", "", loose("a/..".len(), 2)),
            ("..", "", Ahead::Above),
            ("..", "/d", loose("..".len(), 1)),
            ("a/../../b", "", loose("a/..".len(), 2)),
            ("a/b/../../c/d/..", "", loose("a/b/../../c/d".len(), 6)),
            ("../a/./../b/c", "/d", loose("../a/.".len(), 3)),
            ("...", "", Ahead::Leaf),
        ];
        for (text, real, want) in table {
            assert_eq!(
                Rest::new(text.as_bytes()).ahead(real.as_bytes()),
                want,
                "{text:?} at {real:?}"
            );
        }
    }

    #[test]
    fn what_is_plainly_written_is_seen_as_by_name() {
        let mut plain = 0;
        for length in 0..=7 {
            for number in 0..4_usize.pow(length) {
                let at = |place| b"a./b"[number / 4_usize.pow(place) % 4];
                let text: Vec<u8> = (0..length).map(at).collect();
                let rest = Rest::new(&text);
                if let Some(ahead) = rest.ahead_plainly() {
                    assert_eq!(ahead, rest.ahead_by_name(b""), "{text:?}");
                    plain += 1;
                }
            }
        }
        // Of one byte `a` and `b`; of two those with either at the end and anything before: 2 × 4.
        assert!(plain > 2 + 8, "{plain}");
        for text in [".a/b.c", "/.a", "a/..b", "...a/b"] {
            assert!(
                Rest::new(text.as_bytes()).ahead_plainly().is_some(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_run_fits_a_system_call() {
        let path = "12345/".repeat(1000);
        let run = |length, count| {
            let form = Form::Real;
            Ahead::Run(Run {
                length,
                count,
                form,
            })
        };
        assert_eq!(
            Rest::new(path.as_bytes()).ahead(b""),
            run(682 * 6 - 1, 682),
            "682 names of five bytes with slashes between; one more would make 4,097"
        );
        let long = format!("a/{}/b", "n".repeat(5000));
        let rest = Rest::new(long.as_bytes());
        assert_eq!(
            rest.ahead(b""),
            run(1, 1),
            "a name that no call takes stands alone"
        );
        assert_eq!(rest.run(1), b"a");
    }

    #[test]
    fn a_link_takes_the_place_of_its_name() {
        let mut rest = Rest::new(b"a//l///b/");
        rest.pass(1);
        assert_eq!(rest.next(), Some((&b"l"[..], &b"///b/"[..])));
        rest.splice(b"../x/");
        assert_eq!(rest.text(), b"../x////b/");
        rest.splice(b"c/d");
        assert_eq!(rest.text(), b"c/d/x////b/", "longer than what it replaces");
        rest.splice(b"e");
        assert_eq!(rest.text(), b"e/d/x////b/");
        rest.pass(2);
        rest.splice(b"fgh");
        assert_eq!(rest.text(), b"fgh////b/", "in front of what is left");
        rest.pass(2);
        assert_eq!((rest.text(), rest.next()), (&b"/"[..], None));
    }
}
