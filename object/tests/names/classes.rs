//! Which names are one: pairs that were measured on volumes, and every code point.

use std::collections::BTreeSet;

use objcap_object::name::{caseless, fold};

use crate::reference::{code_points, unicode};
use crate::{caselessly, folded};

/// Pairs that APFS merges ([docs/seatbelt.md], section 4).
const MERGED: &[(&str, &str)] = &[
    ("ß", "ss"),
    ("ß", "ẞ"),
    ("ſ", "s"),
    ("\u{212a}", "k"),
    ("ﬁ", "fi"),
    ("σ", "ς"),
    ("µ", "μ"),
    ("Å", "\u{212b}"),
    ("é", "e\u{301}"),
    ("É", "e\u{301}"),
    (".env", ".ENV"),
    ("Straße", "STRASSE"),
    ("\u{1fb4}", "α\u{345}\u{301}"),
    ("가", "\u{1100}\u{1161}"),
];

/// And pairs that it keeps apart.
const DISTINCT: &[(&str, &str)] = &[
    ("Ａ", "a"),
    ("Ａ", "A"),
    ("e", "é"),
    ("ﬀ", "f"),
    ("i", "j"),
    ("i", "İ"),
    ("a", "α"),
    ("o", "0"),
    ("a\u{200d}", "a"),
    ("a.", "a"),
    ("a ", "a"),
];

#[test]
fn measured_pairs_are_one_or_two_as_measured() {
    for (one, other) in MERGED {
        assert_eq!(folded(one), folded(other), "{one} {other}");
        assert_eq!(caselessly(one), caselessly(other), "{one} {other}");
    }
    for (one, other) in DISTINCT {
        assert_ne!(folded(one), folded(other), "{one} {other}");
        assert_ne!(caselessly(one), caselessly(other), "{one} {other}");
    }
    // Full width has its own cases, and ı is the one letter that the key merges and a Mac does not.
    assert_eq!(folded("Ａ"), folded("ａ"));
    for (one, other) in [("ı", "i"), ("ı", "I"), ("i", "I"), ("KIRIK", "kırık")] {
        assert_eq!(folded(one), folded(other), "{one} {other}");
    }
    assert_ne!(caselessly("ı"), caselessly("i"));
    assert_eq!(caselessly("I"), caselessly("i"));
}

#[test]
fn every_code_point_folds_as_the_standard_says() {
    let unicode = unicode();
    for c in code_points() {
        let text = c.to_string();
        assert_eq!(
            caselessly(&text),
            unicode.d145(&text),
            "U+{:04X}",
            u32::from(c)
        );
        assert_eq!(folded(&text), unicode.key(&text), "U+{:04X}", u32::from(c));
    }
}

/// A code point with its keys under two folds.
type Keyed = (String, String, char);

/// The classes of code points whose first keys are equal and whose second ones are not.
fn coarser(mut keyed: Vec<Keyed>) -> Vec<BTreeSet<char>> {
    keyed.sort_unstable();
    keyed
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|class| !class.iter().is_sorted_by(|one, other| one.1 == other.1))
        .map(|class| class.iter().map(|&(_, _, c)| c).collect())
        .collect()
}

#[test]
fn the_key_is_coarser_than_d145_by_the_dotless_i_alone() {
    let mut keyed: Vec<Keyed> = code_points()
        .map(|c| (folded(&c.to_string()), unicode().d145(&c.to_string()), c))
        .collect();
    let alike = BTreeSet::from(['I', 'i', 'ı']);
    assert_eq!(coarser(keyed.clone()), [alike]);
    for (key, d145, _) in &mut keyed {
        std::mem::swap(key, d145);
    }
    assert_eq!(coarser(keyed), [], "it splits no class");
}

#[test]
fn a_fold_of_a_code_point_is_its_own_fold_and_a_single_name() {
    for c in code_points() {
        let text = c.to_string();
        for key in [folded, caselessly] {
            let once = key(&text);
            assert_eq!(key(&once), once, "U+{:04X}", u32::from(c));
            let bad = |c| c == '/' || c == '\0';
            assert!(!once.is_empty() && (bad(c) || !once.contains(bad)));
        }
        assert_eq!(
            folded(&caselessly(&text)),
            folded(&text),
            "U+{:04X}",
            u32::from(c)
        );
    }
}

#[test]
fn a_name_that_is_not_utf_8_is_its_own_key() {
    assert_eq!(fold(b"A").into_owned(), b"a", "what is UTF-8 folds");
    for name in [
        &b"\xffA"[..],
        b"A\xc3",
        // A surrogate, which is no code point of UTF-8, and an overlong form of A.
        b"A\xed\xa0\x80",
        b"\xc1\x81",
        b"\xf4\x90\x80\x80A",
        // É in Latin-1, and é in UTF-8 beside a stray byte.
        b"\xc9",
        b"\xc3\xa9\x80",
    ] {
        assert_eq!(fold(name).into_owned(), name, "{name:?}");
        assert_eq!(caseless(name).into_owned(), name, "{name:?}");
    }
}

#[test]
fn a_long_name_folds_like_a_short_one() {
    for length in [254, 255, 256, 4_000] {
        assert_eq!(folded(&"A".repeat(length)), "a".repeat(length));
        assert_eq!(folded(&"É".repeat(length)), "e\u{301}".repeat(length));
    }
}
