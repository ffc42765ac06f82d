//! Pins: what holds an exclusion in its place. A rule names a path, so whoever could rename a
//! folder above it would carry the bytes to a name that no rule has.

use std::collections::BTreeMap;

use objcap_capability::{Access, Allowance, Exclusion, Layer, Reach, Rights, Stack, spellings};
use objcap_object::{Host, RealPath, World};
use sbpl::{Operation, Rule};

use crate::Error;
use crate::profile::group::{Group, Reason};
use crate::profile::line::Line;

pub(crate) fn lines<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let mut pins = Pins::default();
    let layers = stack.layers().iter().filter_map(Layer::fs);
    for exclusion in layers.flat_map(Rights::exclusions).chain(stack.own()) {
        pins.add(exclusion, stack, host);
    }
    pins.add_data_volume(stack, host);
    let rules = [
        (Operation::FileWriteUnlink, &pins.kept),
        (Operation::FileWriteCreate, &pins.unmade),
        (Operation::FileClone, &pins.whole),
    ];
    let mut lines = aliases(stack, host)?;
    for (operation, names) in rules {
        let mut group = Group::default();
        for (name, reason) in names {
            // By literal: the folder's own entries stay as free as the grant makes them.
            group.add([name], Reach::Alone, *reason);
        }
        lines.extend(group.lines(|| Rule::deny(operation.clone()))?);
    }
    Ok(lines)
}

/// The root aliases by whose names something may be written: the links themselves are not part of it, unless
/// another clause lets them be written.
fn aliases<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let writes = stack.files(Access::WRITE, host).into_iter();
    let writes = writes.filter(|one| one.reach() == Reach::Below);
    let names = writes.flat_map(Allowance::names);
    let names = names.filter(|name| host.aliases.iter().any(|alias| alias.name == **name));
    let names = names.filter(|name| !stack.allows(name, Access::WRITE, host));
    let reason = "a root alias is not part of what it leads to";
    let mut group = Group::default();
    group.add(names, Reach::Alone, Reason::Stated(reason));
    group.lines(|| Rule::deny(Operation::FileWriteUnlink).also([Operation::FileWriteCreate]))
}

/// Names, each with the first clause that needs it, or another reason.
type Names<'a> = BTreeMap<RealPath, Reason<'a>>;

/// The names that hold the exclusions in their places.
#[derive(Default)]
struct Pins<'a> {
    /// Ancestors, and links on the way with theirs, that the program could otherwise move or
    /// replace.
    kept: Names<'a>,
    /// Those, and ancestors that do not exist, which the program could otherwise make as it likes.
    unmade: Names<'a>,
    /// Every ancestor: a clone of a folder is asked for once, for all that lies below
    /// (docs/seatbelt.md, section 3).
    whole: Names<'a>,
}

impl<'a> Pins<'a> {
    fn add<W: World>(&mut self, exclusion: &'a Exclusion, stack: &Stack<W>, host: &Host<W>) {
        let reason = Reason::Clause(exclusion.clause());
        let pin = |names: &mut Names<'a>, name: &RealPath| {
            for name in spellings(name, host) {
                names.entry(name).or_insert(reason);
            }
        };
        let keep = |pins: &mut Pins<'a>, name: &RealPath| {
            if !pins.kept.contains_key(name) && stack.allows(name, Access::WRITE, host) {
                pin(&mut pins.kept, name);
                pin(&mut pins.unmade, name);
            }
        };
        for place in exclusion.places() {
            for ancestor in place.real().ancestors() {
                keep(self, &ancestor);
                pin(&mut self.whole, &ancestor);
            }
            for ancestor in place.absent_ancestors() {
                pin(&mut self.unmade, &ancestor);
            }
        }
        // Whoever moves a link on the way, or a folder above it, makes the name mean another place
        // the next time it is walked. The guard takes a folder that holds one as a whole for what it is
        // to move, and does not clone it either.
        for link in exclusion.passed() {
            for name in link.ancestors().chain([link.clone()]) {
                keep(self, &name);
                pin(&mut self.whole, &name);
            }
        }
    }

    /// What is presented without the data volume's prefix goes with that volume's root, and with what
    /// holds it. Neither may go anywhere unless all that is presented in the root may.
    fn add_data_volume<W: World>(&mut self, stack: &Stack<W>, host: &Host<W>) {
        let Some(data) = &host.data_prefix else {
            return;
        };
        let reason = Reason::Stated("what the data volume holds is presented elsewhere");
        let root = RealPath::root();
        // An exclusion lies below the root.
        let excluded = !self.whole.is_empty();
        let may = |access| !excluded && stack.allows(&root, access, host);
        for name in data.ancestors().chain([data.clone()]) {
            if !may(Access::READ) {
                self.whole.entry(name.clone()).or_insert(reason);
            }
            if !may(Access::WRITE) && stack.allows(&name, Access::WRITE, host) {
                self.kept.entry(name.clone()).or_insert(reason);
                if excluded {
                    self.unmade.entry(name).or_insert(reason);
                }
            }
        }
    }
}
