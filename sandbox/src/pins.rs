//! Pins: what holds an exclusion in its place. A rule names a path, so whoever could rename a
//! folder above it would carry the bytes to a name that no rule has.

use std::collections::BTreeSet;

use objcap_capability::{Exclusion, FrozenFs, Reach, spellings};
use objcap_object::{Host, RealPath, Tree};
use sbpl::{Operation, Rule};

use crate::Error;
use crate::line::{Line, literals, when};

pub(crate) fn lines<T: Tree>(fs: &FrozenFs, host: &Host<T>) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    for exclusion in fs.exclusions() {
        let pins = Pins::of(exclusion, fs, host);
        let rules = [
            (Operation::FileWriteUnlink, &pins.kept),
            (Operation::FileWriteCreate, &pins.unmade),
            (Operation::FileClone, &pins.whole),
        ];
        for (operation, names) in rules {
            // By literal: the folder's own entries stay as free as the grant makes them.
            let filters = literals(names, Some(exclusion.clause()))?;
            let rule = when(Rule::deny(operation), filters);
            lines.extend(rule.map(|rule| Line::of(exclusion.clause(), rule)));
        }
    }
    Ok(lines)
}

/// The names that hold one exclusion in its place.
#[derive(Default)]
struct Pins {
    /// Ancestors, and links on the way, that the program could otherwise move or replace.
    kept: BTreeSet<RealPath>,
    /// Ancestors that do not exist, which the program could otherwise make as it likes.
    unmade: BTreeSet<RealPath>,
    /// Every ancestor: a clone of a folder is asked for once, for all that lies below
    /// (docs/seatbelt.md, section 3).
    whole: BTreeSet<RealPath>,
}

impl Pins {
    fn of<T: Tree>(exclusion: &Exclusion, fs: &FrozenFs, host: &Host<T>) -> Self {
        let writable = |real: &RealPath| {
            let writes = |one: &&objcap_capability::Allowance| {
                one.is_live() && one.writes() && one.reach() == Reach::Below
            };
            fs.allowances()
                .iter()
                .filter(writes)
                .any(|one| one.covers(real, host))
        };
        let mut pins = Pins::default();
        for place in exclusion.places() {
            for ancestor in place.real().ancestors() {
                let names = spellings(&ancestor, host);
                if writable(&ancestor) {
                    pins.kept.extend(names.iter().cloned());
                }
                pins.whole.extend(names);
            }
            for ancestor in place.absent_ancestors() {
                pins.unmade.extend(spellings(&ancestor, host));
            }
        }
        for link in exclusion.passed().iter().filter(|link| writable(link)) {
            pins.kept.extend(spellings(link, host));
        }
        pins
    }
}
