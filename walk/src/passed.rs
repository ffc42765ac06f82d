//! The links that a walk passed, in order. Their paths and texts stand in one place behind each
//! other: a walk passes up to forty, and most pass one or none.

use crate::Traversed;

/// Links that were passed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Passed {
    /// For each link its real path and then its text.
    held: Vec<u8>,
    marks: Vec<Mark>,
}

/// What a link stands before in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// Nothing but slashes.
    Last,
    /// Further names.
    Within,
}

/// Where what is held of a link ends, and what else is known of it.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: usize,
    text: usize,
    stands: Stands,
    end: usize,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct One<'a> {
    pub(crate) link: Traversed<'a>,
    /// Where its name ends among the trail's names.
    pub(crate) end: usize,
}

impl Passed {
    /// How many bytes it holds.
    pub(crate) fn size(&self) -> usize {
        self.held.len() + self.marks.len() * size_of::<Mark>()
    }

    /// One more link: `name` in the directory at the real path `parent`.
    pub(crate) fn push(
        &mut self,
        parent: &[u8],
        name: &[u8],
        text: &[u8],
        stands: Stands,
        end: usize,
    ) {
        self.held
            .reserve(parent.len() + 1 + name.len() + text.len());
        self.held.extend_from_slice(parent);
        self.held.push(b'/');
        self.held.extend_from_slice(name);
        let at = self.held.len();
        self.held.extend_from_slice(text);
        self.marks.push(Mark {
            at,
            text: self.held.len(),
            stands,
            end,
        });
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = One<'_>> {
        let mut from = 0;
        self.marks.iter().map(move |mark| {
            let held = |from, to| self.held.get(from..to).unwrap_or_default();
            let link = Traversed {
                at: held(from, mark.at),
                text: held(mark.at, mark.text),
                stands: mark.stands,
            };
            from = mark.text;
            One {
                link,
                end: mark.end,
            }
        })
    }

    /// What a caller may see of them.
    pub(crate) fn links(&self) -> impl Iterator<Item = Traversed<'_>> {
        self.iter().map(|one| one.link)
    }
}
