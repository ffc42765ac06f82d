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
    /// Directories to pass, in so many bytes: at most [`path::PATH_LIMIT`] of them unless a single
    /// name is longer. No name of a run is both entered after a `..` and left again: see
    /// [`Rest::ahead`].
    Run(usize),
    /// A `..` that would rise above the root.
    Above,
    /// The last component, which names an entry.
    Leaf,
    /// Nothing.
    End,
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
    ///
    /// Where a directory is moved away during a run, its `..` leads to where it went, and the names
    /// behind that are looked up there. Those that the run ends in are asked again by the real path;
    /// one that the run leaves by a further `..` would never be, so the run is cut before that.
    pub(crate) fn ahead(&self, real: &[u8]) -> Ahead {
        let text = self.text();
        // How deep the walk stands is asked at the first `..` alone: most names have none.
        let mut stands = None;
        let mut down = 0_usize;
        let mut up = 0_usize;
        let mut run = 0;
        let mut turned = false;
        let mut entered = false;
        let mut left = text;
        while let Some((name, after)) = path::split_first(left) {
            let end = text.len() - after.len();
            let leaf = !path::is_dot(name) && path::trim_start(after).is_empty();
            let rises = name == b"..";
            let above =
                rises && *stands.get_or_insert_with(|| path::components(real).count()) + down == up;
            let unasked = rises && entered;
            match () {
                () if run > 0 && (leaf || above || unasked || end > path::PATH_LIMIT) => break,
                () if above => return Ahead::Above,
                () if leaf => return Ahead::Leaf,
                () => {}
            }
            match name {
                b"." => {}
                b".." => {
                    up += 1;
                    turned = true;
                }
                _ => {
                    down += 1;
                    entered = turned;
                }
            }
            run = end;
            left = after;
        }
        if run > 0 { Ahead::Run(run) } else { Ahead::End }
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
        let after = self.next().map_or(&[][..], |(_, after)| after);
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
        let table = [
            ("", "", Ahead::End),
            ("//", "", Ahead::End),
            ("a", "", Ahead::Leaf),
            ("//a//", "", Ahead::Leaf),
            ("a/b/c", "", Ahead::Run("a/b".len())),
            ("a//b/./c/", "", Ahead::Run("a//b/.".len())),
            ("a/.", "", Ahead::Run("a/.".len())),
            ("a/..", "", Ahead::Run("a/..".len())),
            ("..", "", Ahead::Above),
            ("..", "/d", Ahead::Run("..".len())),
            ("a/../../b", "", Ahead::Run("a/..".len())),
            ("a/b/../../c/d/..", "", Ahead::Run("a/b/../../c/d".len())),
            ("../a/./../b/c", "/d", Ahead::Run("../a/.".len())),
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
    fn a_run_fits_a_system_call() {
        let path = "12345/".repeat(1000);
        assert_eq!(
            Rest::new(path.as_bytes()).ahead(b""),
            Ahead::Run(682 * 6 - 1),
            "682 names of five bytes with slashes between; one more would make 4,097"
        );
        let long = format!("a/{}/b", "n".repeat(5000));
        let rest = Rest::new(long.as_bytes());
        assert_eq!(
            rest.ahead(b""),
            Ahead::Run(1),
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
        rest.pass(3);
        assert_eq!((rest.text(), rest.next()), (&b"/"[..], None));
    }
}
