//! Where a walk has been, as far as its real path does not tell: what it passed before it last
//! turned, at a link or a `..`. It grows with the text that was walked, and not with how deep the
//! walk stood when it turned.

use crate::passed::{One, Passed, Stands};
use crate::{Spelling, path};

/// The names passed up to the last turn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail {
    /// A slash and a name for each, from the root to where the walk started and then on; `..` where
    /// one was passed.
    names: Vec<u8>,
    passed: Passed,
    /// How many bytes of the real path stood at the last turn.
    kept: usize,
}

impl Trail {
    /// How many bytes it holds.
    pub(crate) fn size(&self) -> usize {
        self.names.len() + self.passed.size()
    }

    /// The links among the names.
    pub(crate) fn passed(&self) -> &Passed {
        &self.passed
    }

    pub(crate) fn into_passed(self) -> Passed {
        self.passed
    }

    /// Leaves the directory at `real` by `..`.
    pub(crate) fn rise(&mut self, real: &mut Vec<u8>) {
        self.names.extend_from_slice(self.fresh(real));
        self.names.extend_from_slice(b"/..");
        let parent = real.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        real.truncate(parent);
        self.kept = parent;
    }

    /// Goes on from the directory at `real` by its link `name` with this text: to the root where
    /// that is absolute.
    pub(crate) fn turn(&mut self, real: &mut Vec<u8>, name: &[u8], text: &[u8], stands: Stands) {
        let fresh = self.fresh(real).len() + 1 + name.len();
        self.names.reserve(fresh);
        self.names.extend_from_slice(self.fresh(real));
        path::push(&mut self.names, name);
        let end = self.names.len();
        self.passed.push(real, name, text, stands, end);
        if text.starts_with(b"/") {
            real.clear();
        }
        self.kept = real.len();
    }

    /// The real path where the walk stands is spelled anew, name for name.
    pub(crate) fn respell(&mut self, old: &[u8], new: &[u8]) {
        if let Some(left) = self.kept.checked_sub(old.len()) {
            self.kept = new.len() + left;
        } else {
            let kept = path::components(old.get(..self.kept).unwrap_or_default()).count();
            let kept = kept
                .checked_sub(1)
                .and_then(|last| path::prefixes(new).nth(last));
            self.kept = kept.map_or(0, <[u8]>::len);
        }
    }

    /// Spells every name anew as `stored` spells the paths that lead to the turns. One that it cannot
    /// spell is left as typed, and that is the answer.
    pub(crate) fn spell(&mut self, stored: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Spelling {
        let mut spelling = Spelling::Stored;
        let typed = std::mem::take(&mut self.names);
        let passed = std::mem::take(&mut self.passed);
        let mut links = passed.iter().peekable();
        let (mut left, mut real, mut fresh) = (&typed[..], Vec::new(), 0);
        while let Some((name, after)) = path::split_first(left) {
            left = after;
            let link = links.next_if(|link| link.end == typed.len() - after.len());
            if name != b".." {
                path::push(&mut real, name);
                fresh += 1;
                if link.is_none() {
                    continue;
                }
            }
            // A turn.
            if fresh > 0 {
                match stored(&real) {
                    Some(stored) => real = stored,
                    None => spelling = Spelling::Typed,
                }
            }
            let known = path::components(&real).count() - fresh;
            for name in path::components(&real).skip(known) {
                path::push(&mut self.names, name);
            }
            fresh = 0;
            let parent = path::trim_end(path::parent(&real)).len();
            match link {
                None => {
                    self.names.extend_from_slice(b"/..");
                    real.truncate(parent);
                }
                Some(One { link, .. }) => {
                    let (at, name) = real.split_at_checked(parent).unwrap_or_default();
                    let (name, end) = (path::trim_start(name), self.names.len());
                    self.passed.push(at, name, link.text(), link.stands, end);
                    real.truncate(if link.text().starts_with(b"/") {
                        0
                    } else {
                        parent
                    });
                }
            }
        }
        spelling
    }

    /// What of `real` was passed since the last turn.
    fn fresh<'a>(&self, real: &'a [u8]) -> &'a [u8] {
        real.get(self.kept..).unwrap_or_default()
    }

    /// How many components of `real` stood at the last turn; `None` without a turn.
    pub(crate) fn kept(&self, real: &[u8]) -> Option<usize> {
        let kept = real.get(..self.kept).unwrap_or(real);
        (!self.names.is_empty()).then(|| path::components(kept).count())
    }

    /// Every name up to the last turn under its parent's real path, those from the root to where
    /// the walk started included.
    pub(crate) fn replay(&self) -> impl Iterator<Item = Vec<u8>> {
        let mut left = &self.names[..];
        let mut links = self.passed.iter().peekable();
        let mut real = Vec::new();
        std::iter::from_fn(move || {
            loop {
                let (name, after) = path::split_first(left)?;
                left = after;
                if name == b".." {
                    real.truncate(path::trim_end(path::parent(&real)).len());
                    continue;
                }
                path::push(&mut real, name);
                let passed = real.clone();
                match links.next_if(|link| link.end == self.names.len() - left.len()) {
                    Some(one) if one.link.text().starts_with(b"/") => real.clear(),
                    Some(_) => real.truncate(path::trim_end(path::parent(&real)).len()),
                    None => {}
                }
                return Some(passed);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(trail: &Trail) -> Vec<String> {
        let text = |name| String::from_utf8(name).unwrap();
        trail.replay().map(text).collect()
    }

    #[test]
    fn a_trail_tells_every_name_under_its_parent() {
        let mut trail = Trail::default();
        let mut real = b"/s/a/b".to_vec();
        trail.rise(&mut real);
        trail.rise(&mut real);
        assert_eq!(real, b"/s");
        path::push(&mut real, b"c");
        trail.turn(&mut real, b"l", b"../d", Stands::Within);
        assert_eq!(real, b"/s/c");
        trail.rise(&mut real);
        trail.turn(&mut real, b"m", b"/", Stands::Last);
        assert_eq!(real, b"");
        let want = ["/s", "/s/a", "/s/a/b", "/s/c", "/s/c/l", "/s/m"];
        assert_eq!(replayed(&trail), want);
        assert_eq!(trail.kept(b"/x"), Some(0));
    }

    #[test]
    fn a_trail_is_spelled_anew_and_its_links_with_it() {
        let mut trail = Trail::default();
        let mut real = b"/s/a/b".to_vec();
        trail.rise(&mut real);
        trail.rise(&mut real);
        path::push(&mut real, b"c");
        trail.turn(&mut real, b"l", b"/d", Stands::Last);
        path::push(&mut real, b"m");
        trail.turn(&mut real, b"n", b"x", Stands::Last);
        // A volume that stores `s` as `SSS`, and everything else in capitals.
        let stored = |real: &[u8]| {
            let text = String::from_utf8(real.to_vec()).unwrap().to_uppercase();
            Some(text.replace("/S/", "/SSS/").into_bytes())
        };
        assert_eq!(trail.spell(stored), Spelling::Stored);
        let want = [
            "/SSS", "/SSS/A", "/SSS/A/B", "/SSS/C", "/SSS/C/L", "/M", "/M/N",
        ];
        assert_eq!(replayed(&trail), want);
        let links: Vec<_> = trail.passed().links().map(|link| link.at()).collect();
        assert_eq!(links, [&b"/SSS/C/L"[..], b"/M/N"]);
        let texts: Vec<_> = trail.passed().links().map(|link| link.text()).collect();
        assert_eq!(texts, [&b"/d"[..], b"x"]);
        assert_eq!(trail.spell(|_| None), Spelling::Typed);
        assert_eq!(replayed(&trail), want);
    }

    #[test]
    fn a_trail_grows_with_the_names_and_not_with_their_depth() {
        let mut trail = Trail::default();
        let mut real = b"/n".repeat(1000);
        for _ in 0..100 {
            path::push(&mut real, b"a");
            trail.rise(&mut real);
        }
        assert_eq!(trail.size(), 2000 + 100 * "/a/..".len());
        assert_eq!(trail.replay().count(), 1000 + 100);
    }

    #[test]
    fn a_new_spelling_of_another_length_keeps_what_was_passed_before() {
        let mut trail = Trail::default();
        let mut real = b"/long/x".to_vec();
        trail.rise(&mut real);
        trail.respell(b"/long", b"/L");
        assert_eq!(trail.kept(b"/L/y"), Some(1));
        trail.respell(b"/L/y", b"/longer/y");
        assert_eq!(trail.kept(b"/longer/y"), Some(1));
        assert_eq!(Trail::default().kept(b"/L"), None);
    }
}
