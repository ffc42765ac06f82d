//! Normalisation, case folding and upper case as The Unicode Standard defines them, written out from
//! its data files (`unicode.txt`) and as slow as they come. No table of ICU is used.

use std::collections::HashMap;
use std::sync::OnceLock;

/// What the data files say.
#[derive(Debug, Default)]
pub(crate) struct Unicode {
    classes: HashMap<char, u8>,
    decompositions: HashMap<char, Vec<char>>,
    foldings: HashMap<char, Vec<char>>,
    uppers: HashMap<char, Vec<char>>,
}

pub(crate) fn unicode() -> &'static Unicode {
    static READ: OnceLock<Unicode> = OnceLock::new();
    READ.get_or_init(|| Unicode::read(include_str!("unicode.txt")))
}

/// Every code point but the surrogates, which no UTF-8 has.
pub(crate) fn code_points() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

impl Unicode {
    fn read(text: &str) -> Self {
        let mut unicode = Unicode::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(' ');
            let kind = fields.next().unwrap();
            let code = |field: &str| char::from_u32(u32::from_str_radix(field, 16).unwrap());
            let first = code(fields.next().unwrap()).unwrap();
            if kind == "C" {
                let last = code(fields.next().unwrap()).unwrap();
                let class = fields.next().unwrap().parse().unwrap();
                unicode
                    .classes
                    .extend((first..=last).map(|mark| (mark, class)));
                continue;
            }
            let table = match kind {
                "D" => &mut unicode.decompositions,
                "F" => &mut unicode.foldings,
                _ => &mut unicode.uppers,
            };
            table.insert(first, fields.map(|field| code(field).unwrap()).collect());
        }
        unicode
    }

    /// The characters that combine: those of a class other than 0, in order.
    pub(crate) fn marks(&self) -> Vec<char> {
        let mut marks: Vec<_> = self.classes.keys().copied().collect();
        marks.sort_unstable();
        marks
    }

    /// Every character that the tables speak of, in order.
    pub(crate) fn known(&self) -> Vec<char> {
        let tables = [&self.decompositions, &self.foldings, &self.uppers];
        let mut known: Vec<_> = tables
            .iter()
            .flat_map(|table| table.iter())
            .flat_map(|(from, to)| std::iter::once(from).chain(to))
            .chain(self.classes.keys())
            .copied()
            .collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    /// The canonical combining class (D104).
    pub(crate) fn class(&self, c: char) -> u8 {
        self.classes.get(&c).copied().unwrap_or(0)
    }

    /// One step of a canonical decomposition (D64), that of a Hangul syllable by rule (section 3.12).
    pub(crate) fn decomposed(&self, c: char) -> Option<Vec<char>> {
        let (base, vowels, trails) = (0xac00, 21, 28);
        let at = u32::from(c).wrapping_sub(base);
        if at >= 19 * vowels * trails {
            return self.decompositions.get(&c).cloned();
        }
        let jamo = |first: u32, at: u32| char::from_u32(first + at).unwrap();
        Some(match at % trails {
            0 => vec![
                jamo(0x1100, at / trails / vowels),
                jamo(0x1161, at / trails % vowels),
            ],
            trail => vec![jamo(base, at - trail), jamo(0x11a7, trail)],
        })
    }

    /// What decomposes to one or two given characters in one step.
    pub(crate) fn composites(&self) -> HashMap<Vec<char>, Vec<char>> {
        let mut composites: HashMap<_, Vec<char>> = HashMap::new();
        for c in code_points() {
            if let Some(parts) = self.decomposed(c) {
                composites.entry(parts).or_default().push(c);
            }
        }
        composites
    }

    /// NFD (D118): decomposed as far as it goes, and then ordered (D109).
    pub(crate) fn nfd(&self, text: &str) -> String {
        let mut left: Vec<char> = text.chars().rev().collect();
        let mut chars = Vec::new();
        while let Some(c) = left.pop() {
            match self.decomposed(c) {
                Some(parts) => left.extend(parts.into_iter().rev()),
                None => chars.push(c),
            }
        }
        for run in chars.chunk_by_mut(|_, &next| self.class(next) != 0) {
            // The first of a run may be a starter, whose class is the least.
            run.sort_by_key(|&c| self.class(c));
        }
        chars.into_iter().collect()
    }

    fn mapped(table: &HashMap<char, Vec<char>>, text: &str) -> String {
        let one = |c| table.get(&c).cloned().unwrap_or_else(|| vec![c]);
        text.chars().flat_map(one).collect()
    }

    /// toCasefold(X) (R4).
    pub(crate) fn casefold(&self, text: &str) -> String {
        Unicode::mapped(&self.foldings, text)
    }

    /// toUppercase(X) (R1).
    pub(crate) fn uppercase(&self, text: &str) -> String {
        Unicode::mapped(&self.uppers, text)
    }

    /// What D145 compares: two strings are a canonical caseless match when theirs are equal.
    pub(crate) fn d145(&self, text: &str) -> String {
        self.nfd(&self.casefold(&self.nfd(text)))
    }

    /// The collision key, as DESIGN's law 3 writes it.
    pub(crate) fn key(&self, text: &str) -> String {
        self.d145(&self.uppercase(&self.nfd(text)))
    }
}

#[test]
fn the_reference_knows_the_examples_of_the_standard() {
    let unicode = unicode();
    // Section 3.11, "Canonical Ordering Behavior": one dot above, one below.
    assert_eq!(unicode.nfd("\u{1e0b}\u{323}"), "d\u{323}\u{307}");
    assert_eq!(unicode.nfd("\u{1e0d}\u{307}"), "d\u{323}\u{307}");
    // Section 3.12, "Hangul Syllable Decomposition".
    assert_eq!(unicode.nfd("\u{d4db}"), "\u{1111}\u{1171}\u{11b6}");
    assert_eq!(unicode.nfd("\u{1fb4}"), "α\u{301}\u{345}");
    assert_eq!(unicode.casefold("Maße ΣΑΣ"), "masse σασ");
    assert_eq!(unicode.uppercase("ŉﬃ"), "ʼNFFI");
    assert_eq!(unicode.d145("\u{1fb4}"), "α\u{301}ι");
    // Table 4-4: overlays, Hebrew points, and the iota below, which is the last of all.
    for (mark, class) in [('\u{334}', 1), ('\u{5b0}', 10), ('\u{345}', 240), ('a', 0)] {
        assert_eq!(unicode.class(mark), class, "{mark}");
        assert_eq!(unicode.marks().contains(&mark), class != 0);
    }
}
