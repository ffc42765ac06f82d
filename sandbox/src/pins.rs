//! Pins: what holds an exclusion in its place. A rule names a path, so whoever could rename a
//! folder above it would carry the bytes to a name that no rule has.

use std::collections::BTreeSet;

use objcap_capability::{Access, Allowance, Exclusion, Layer, Reach, Rights, Stack, spellings};
use objcap_object::{Host, RealPath, World};
use sbpl::{Operation, Rule};

use crate::Error;
use crate::line::{Line, literals, parts, when};

pub(crate) fn lines<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let mut pinned = Pins::default();
    let writes = stack.files(Access::WRITE, host);
    let writes: Vec<_> = writes
        .into_iter()
        .filter(|one| one.reach() == Reach::Below)
        .collect();
    lines.extend(aliases(&writes, host)?);
    let writes = stack.restricts_files().then_some(writes);
    let layers = stack.layers().iter().filter_map(Layer::fs);
    let exclusions = layers.flat_map(Rights::exclusions).chain(stack.own());
    for exclusion in exclusions {
        let pins = Pins::of(exclusion, writes.as_deref(), host);
        let rules = [
            (Operation::FileWriteUnlink, pins.kept, &mut pinned.kept),
            (Operation::FileWriteCreate, pins.unmade, &mut pinned.unmade),
            (Operation::FileClone, pins.whole, &mut pinned.whole),
        ];
        for (operation, names, before) in rules {
            // What an earlier exclusion pinned is pinned.
            let new: Vec<_> = names.difference(before).collect();
            for names in parts(&new) {
                // By literal: the folder's own entries stay as free as the grant makes them.
                let filters = literals(names.iter().copied(), Some(exclusion.clause()))?;
                let rule = when(Rule::deny(operation.clone()), filters);
                lines.extend(rule.map(|rule| Line::of(exclusion.clause(), rule)));
            }
            before.extend(names);
        }
    }
    Ok(lines)
}

/// The root aliases by whose names something may be written: the links themselves are not part of it.
fn aliases<W: World>(writes: &[&Allowance], host: &Host<W>) -> Result<Vec<Line>, Error> {
    let names = writes.iter().flat_map(|one| one.names());
    let names = names.filter(|name| host.aliases.iter().any(|alias| alias.name == **name));
    let names: BTreeSet<_> = names.collect();
    let rule = Rule::deny(Operation::FileWriteUnlink).also([Operation::FileWriteCreate]);
    let rule = when(rule, literals(names, None)?);
    let reason = "a root alias is not part of what it leads to";
    Ok(rule
        .map(|rule| Line::because(reason, rule))
        .into_iter()
        .collect())
}

/// The names that hold one exclusion in its place.
#[derive(Default)]
struct Pins {
    /// Ancestors, and links on the way with theirs, that the program could otherwise move or
    /// replace.
    kept: BTreeSet<RealPath>,
    /// Those, and ancestors that do not exist, which the program could otherwise make as it likes.
    unmade: BTreeSet<RealPath>,
    /// Every ancestor: a clone of a folder is asked for once, for all that lies below
    /// (docs/seatbelt.md, section 3).
    whole: BTreeSet<RealPath>,
}

impl Pins {
    /// `writes` is what may be written, with all below; `None` for everything.
    fn of<W: World>(exclusion: &Exclusion, writes: Option<&[&Allowance]>, host: &Host<W>) -> Self {
        let writable = |real: &RealPath| {
            writes.is_none_or(|writes| writes.iter().any(|one| one.covers(real, host)))
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
        // Whoever moves a link on the way, or a folder above it, makes the name mean another place
        // the next time it is walked.
        for link in exclusion.passed() {
            for name in link.ancestors().chain([link.clone()]).filter(writable) {
                pins.kept.extend(spellings(&name, host));
            }
        }
        pins.unmade.extend(pins.kept.iter().cloned());
        pins
    }
}
