//! Sequences: whatever is canonically equal has one key, in every order of marks that NFD merges.

use std::collections::HashMap;
use std::sync::OnceLock;

use proptest::prelude::*;

use crate::reference::{Unicode, code_points, unicode};
use crate::{caselessly, folded};

#[test]
fn an_iota_below_is_one_name_in_every_order() {
    let spellings = [
        "\u{1fb4}",
        "α\u{345}\u{301}",
        "α\u{301}\u{345}",
        "ά\u{345}",
        "\u{1f71}\u{345}",
        "\u{1fb3}\u{301}",
    ];
    for spelling in spellings {
        assert_eq!(folded(spelling), "α\u{301}ι", "{spelling}");
        assert_eq!(caselessly(spelling), "α\u{301}ι", "{spelling}");
    }
    assert_eq!(folded("\u{1fbc}\u{301}"), "α\u{301}ι", "in upper case");
    assert_ne!(folded("αι\u{301}"), "α\u{301}ι", "the mark on the iota");
}

#[test]
fn two_marks_of_two_classes_have_one_key_in_both_orders() {
    let unicode = unicode();
    let marks = unicode.marks();
    let mut compared = 0_usize;
    for base in ['ı', '\u{1fb4}'] {
        for (at, &one) in marks.iter().enumerate() {
            for &other in marks.iter().take(at) {
                if unicode.class(one) == unicode.class(other) {
                    continue;
                }
                let pair: String = [base, one, other].iter().collect();
                let turned: String = [base, other, one].iter().collect();
                assert_eq!(folded(&pair), folded(&turned), "{pair:?}");
                assert_eq!(caselessly(&pair), caselessly(&turned), "{pair:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500_000, "{compared}");
}

#[test]
fn marks_of_one_class_keep_their_order() {
    // An acute and a grave, both above: two names.
    assert_eq!(folded("E\u{301}\u{327}"), folded("e\u{327}\u{301}"));
    assert_ne!(folded("e\u{301}\u{300}"), folded("e\u{300}\u{301}"));
}

#[test]
fn three_marks_of_three_classes_have_one_key_in_every_order() {
    let unicode = unicode();
    // One mark of each class, and of its class the one that has an upper case (U+0345) or decomposes.
    let mut of_class: HashMap<u8, char> = HashMap::new();
    for mark in unicode.marks() {
        let kept = of_class.entry(unicode.class(mark)).or_insert(mark);
        if unicode.decomposed(mark).is_some() || mark == '\u{345}' {
            *kept = mark;
        }
    }
    let mut marks: Vec<_> = of_class.into_iter().collect();
    marks.sort_unstable();
    assert!(marks.len() > 50);
    for (a, &(_, first)) in marks.iter().enumerate() {
        for (b, &(_, second)) in marks.iter().enumerate().skip(a + 1) {
            for &(_, third) in marks.iter().skip(b + 1) {
                let key = folded(&String::from_iter(['α', first, second, third]));
                for order in [
                    [first, third, second],
                    [second, first, third],
                    [second, third, first],
                    [third, first, second],
                    [third, second, first],
                ] {
                    let turned = String::from_iter(['α'].iter().chain(&order));
                    assert_eq!(folded(&turned), key, "{turned:?}");
                }
            }
        }
    }
}

/// Characters that the tables speak of, some ASCII, and some of Hangul.
fn pool() -> &'static [char] {
    static POOL: OnceLock<Vec<char>> = OnceLock::new();
    POOL.get_or_init(|| {
        let mut pool = unicode().known();
        // As often as all others: what stands in most names, and the marks.
        let often = [
            'a', 'I', 'i', 'ı', 'S', 's', 'ß', 'α', 'ι', '각', '가', '.', 'é',
        ];
        pool.extend(often.iter().cycle().take(1_500));
        let marks = [
            '\u{345}', '\u{301}', '\u{323}', '\u{307}', '\u{334}', '\u{5b0}',
        ];
        pool.extend(marks.iter().cycle().take(1_500));
        pool.extend(unicode().marks());
        pool
    })
}

fn names() -> impl Strategy<Value = String> {
    let one = prop::sample::select(pool());
    proptest::collection::vec(one, 0..9).prop_map(String::from_iter)
}

/// Characters alike under D145, by what they are alike in.
fn alike() -> &'static HashMap<String, Vec<char>> {
    static ALIKE: OnceLock<HashMap<String, Vec<char>>> = OnceLock::new();
    ALIKE.get_or_init(|| {
        let mut alike: HashMap<String, Vec<char>> = HashMap::new();
        for &c in &unicode().known() {
            alike
                .entry(unicode().d145(&c.to_string()))
                .or_default()
                .push(c);
        }
        alike
    })
}

/// Every string that is one step of canonical equivalence away: a character decomposed, one or two
/// composed, two marks of different classes exchanged.
fn equivalents(unicode: &Unicode, text: &str) -> Vec<String> {
    static COMPOSITES: OnceLock<HashMap<Vec<char>, Vec<char>>> = OnceLock::new();
    let composites = COMPOSITES.get_or_init(|| unicode.composites());
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut with = |at: usize, length: usize, parts: &[char]| {
        let (before, rest) = chars.split_at(at);
        let after = rest.iter().skip(length);
        found.push(before.iter().chain(parts).chain(after).collect());
    };
    for (at, &c) in chars.iter().enumerate() {
        if let Some(parts) = unicode.decomposed(c) {
            with(at, 1, &parts);
        }
        for length in [1, 2] {
            let parts = chars.get(at..at + length).unwrap_or_default();
            for &composite in composites.get(parts).into_iter().flatten() {
                with(at, length, &[composite]);
            }
        }
        if let Some(&next) = chars.get(at + 1) {
            let classes = (unicode.class(c), unicode.class(next));
            if classes.0 != 0 && classes.1 != 0 && classes.0 != classes.1 {
                with(at, 2, &[next, c]);
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_sequence_folds_as_the_standard_says(name in names()) {
        prop_assert_eq!(caselessly(&name), unicode().d145(&name));
        prop_assert_eq!(folded(&name), unicode().key(&name));
    }

    #[test]
    fn what_is_canonically_equal_has_one_key(
        name in names(),
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let mut other = name.clone();
        for choice in choices {
            let steps = equivalents(unicode(), &other);
            if !steps.is_empty() {
                other.clone_from(choice.get(&steps));
            }
        }
        prop_assert_eq!(unicode().nfd(&name), unicode().nfd(&other), "the steps are what they say");
        prop_assert_eq!(folded(&name), folded(&other));
        prop_assert_eq!(caselessly(&name), caselessly(&other));
    }

    #[test]
    fn what_is_caselessly_equal_has_one_key(
        name in names(),
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 9),
    ) {
        let letters = name.chars().zip(&choices);
        let other: String = letters
            .map(|(c, choice)| match alike().get(&unicode().d145(&c.to_string())) {
                Some(alike) => *choice.get(alike),
                None => c,
            })
            .collect();
        for (one, other) in [(&name, &other), (&name, &caselessly(&name))] {
            // Of single letters that are alike a string need not be: a mark may come to another place.
            if caselessly(one) == caselessly(other) {
                prop_assert_eq!(folded(one), folded(other));
            }
        }
        prop_assert_eq!(folded(&caselessly(&name)), folded(&name));
    }

    #[test]
    fn a_key_is_its_own_key(name in names()) {
        let (key, caseless) = (folded(&name), caselessly(&name));
        prop_assert_eq!(folded(&key), key);
        prop_assert_eq!(caselessly(&caseless), caseless);
    }
}

#[test]
fn the_steps_between_equal_strings_reach_all_spellings() {
    let mut reached = vec!["\u{1fb4}".to_owned()];
    let mut at = 0;
    while let Some(text) = reached.get(at).cloned() {
        for next in equivalents(unicode(), &text) {
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
        at += 1;
    }
    reached.sort();
    let mut want = [
        "α\u{301}\u{345}",
        "α\u{345}\u{301}",
        "α\u{341}\u{345}",
        "α\u{345}\u{341}",
        "ά\u{345}",
        "\u{1f71}\u{345}",
        "\u{1fb3}\u{301}",
        "\u{1fb3}\u{341}",
        "\u{1fb4}",
    ];
    want.sort_unstable();
    assert_eq!(reached, want);
    assert!(code_points().count() == 0x11_0000 - 0x800);
}
