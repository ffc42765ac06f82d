//! Law 9 between two generations: what a second profile admits, a first one did, or the program made it.

use std::collections::BTreeMap;

use objcap_capability::{Access, Layer, Rights, Stack};
use objcap_object::Key;
use sbpl::judge::Decision;
use sbpl::{Judge, Operation, Reading, Request};

use crate::mac::{Ino, Mac};

const ASKED: [(Operation, Access); 4] = [
    (Operation::FileReadMetadata, Access::STAT),
    (Operation::FileReadData, Access::READ),
    (Operation::FileWriteData, Access::WRITE),
    (Operation::ProcessExec, Access::EXEC),
];

/// What a profile admits of each object in a world, under any of its names as they may be shown.
#[derive(Debug, Clone)]
pub struct Admitted(BTreeMap<Ino, Access>);

impl Admitted {
    /// Asks about every object.
    pub fn of(mac: &Mac, judge: &Judge, reading: Reading) -> Self {
        let mut admitted: BTreeMap<Ino, Access> = BTreeMap::new();
        mac.visit(&mut |dir, name, ino| {
            let access = admitted.entry(ino).or_insert(Access::empty());
            let real = mac.real_path_of(dir, name);
            for name in mac.twin(&real).into_iter().chain([real]) {
                for (operation, meant) in ASKED {
                    let request = Request::new(operation).path(&name);
                    if judge.decide(&request, reading).decision == Decision::Allow {
                        *access |= meant;
                    }
                }
            }
        });
        Admitted(admitted)
    }

    /// What a later profile admits of an object that this one did not admit. What may be written may be
    /// brought to any place that may be written, and so may mean whatever is said there.
    pub fn widened(&self, later: &Admitted) -> Option<String> {
        let mut known = self.0.iter();
        known.find_map(|(ino, before)| {
            let before = match before.contains(Access::WRITE) {
                true => Access::all(),
                false => *before,
            };
            let after = later.0.get(ino).copied().unwrap_or(Access::empty());
            let more = after - before;
            (!more.is_empty()).then(|| format!("{ino:?} is admitted {more:?} now"))
        })
    }
}

/// The places of the clauses about files, in their order: an allowance's, and an exclusion's all.
pub(super) fn places(stack: &Stack<Mac>) -> Vec<Vec<Key>> {
    let mut all = Vec::new();
    for fs in stack.layers().iter().filter_map(Layer::fs) {
        let allowances = fs.allowances().iter().filter(|one| one.is_live());
        all.extend(allowances.map(|one| vec![one.place().real().key()]));
        all.extend(excluded(fs));
    }
    all
}

fn excluded(fs: &Rights) -> impl Iterator<Item = Vec<Key>> {
    fs.exclusions().iter().map(|one| {
        let mut places: Vec<_> = one.places().iter().map(|one| one.real().key()).collect();
        places.sort();
        places.dedup();
        places
    })
}
