//! The known word that is nearest to an unknown one.

use crate::ast::{Operation, Quantity, Subject};
use crate::evaluate::{FILTER_NAMES, WORDS};

/// Words longer than this are no slips of the pen.
const MAX_WORD: usize = 48;

pub(super) fn operation(name: &str) -> Option<&'static str> {
    nearest(name, Operation::ALL.iter().map(Operation::name))
}

pub(super) fn filter(name: &str) -> Option<&'static str> {
    nearest(name, filters())
}

/// Anything that can be defined.
pub(super) fn word(name: &str) -> Option<&'static str> {
    let words = WORDS.iter().flat_map(|words| words.iter().copied());
    nearest(name, words.chain(filters()))
}

fn filters() -> impl Iterator<Item = &'static str> {
    let subjects = Subject::ALL.iter().map(|subject| subject.name());
    let quantities = Quantity::ALL.iter().map(|quantity| quantity.name());
    FILTER_NAMES
        .iter()
        .copied()
        .chain(subjects)
        .chain(quantities)
}

/// The nearest word, unless a third of its letters or more would have to change.
fn nearest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    if name.len() > MAX_WORD {
        return None;
    }
    words
        .map(|word| (distance(name.as_bytes(), word.as_bytes()), word))
        .filter(|&(distance, word)| distance * 3 < word.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, word)| word)
}

/// How many bytes must be changed, added or taken away.
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, byte) in from.iter().enumerate() {
        let mut diagonal = index;
        let mut left = index + 1;
        let mut next = vec![left];
        for (&above, other) in row.iter().skip(1).zip(to) {
            let changed = diagonal + usize::from(byte != other);
            left = changed.min(above + 1).min(left + 1);
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not() {
        assert_eq!(operation("file-reed-data"), Some("file-read-data"));
        assert_eq!(operation("file-read"), Some("file-read*"));
        assert_eq!(filter("supbath"), Some("subpath"));
        assert_eq!(filter("globl-name"), Some("global-name"));
        assert_eq!(operation("xyz"), None);
        assert_eq!(filter(&"a".repeat(100_000)), None);
    }

    #[test]
    fn distances() {
        for (from, to, expected) in [
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(
                distance(from.as_bytes(), to.as_bytes()),
                expected,
                "{from} {to}"
            );
        }
    }
}
