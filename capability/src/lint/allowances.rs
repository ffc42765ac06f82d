//! What is found about the allowances of one layer.

use std::collections::{HashMap, HashSet};

use objcap_object::{Host, Key, Names, RealPath, World};

use super::{Lint, absent};
use crate::index::Subject as At;
use crate::program::Programs;
use crate::rights::{Rights, Voice};
use crate::{Access, Allowance, Clause, Layer, List, Origin, Subject};

/// An allowance that an author wrote.
pub(super) fn is_written(allowance: &Allowance) -> bool {
    !matches!(allowance.clause().origin(), Origin::Host) && !allowance.is_carrier()
}

pub(super) fn find<'a, W: World>(layer: &'a Layer, host: &Host<W>, found: &mut Vec<Lint<'a>>) {
    let fs = layer.fs();
    if let Some(fs) = fs {
        table(fs, None, &|_| None, host, found);
    }
    if let Some(exec) = layer.exec() {
        let rights = exec.rights();
        table(rights, fs, &|one| vetoed(exec, one), host, found);
        if let Some(fs) = fs {
            unread(rights, fs, host, found);
        }
    }
    if let Some(net) = layer.net() {
        let mut first = HashMap::new();
        for (number, socket) in net.sockets().iter().enumerate() {
            let clause = socket.clause();
            let real = socket.place().real();
            let against = fs.and_then(|fs| against(fs, real, Access::all(), host));
            let same = *first.entry(name(real, host)).or_insert(number);
            let same = net.sockets().get(same).filter(|_| same < number);
            match (against, same) {
                (Some(by), _) => found.push(Lint::Dead { clause, by }),
                (None, Some(same)) => {
                    let by = same.clause();
                    found.push(Lint::Shadowed { clause, by });
                }
                (None, None) => absent::place(clause, socket.place(), found),
            }
        }
    }
}

/// The allowances of one table, in their order. `other` is the table whose exclusions speak here, too.
fn table<'a, W: World>(
    rights: &'a Rights,
    other: Option<&'a Rights>,
    vetoed: &dyn Fn(&Allowance) -> Option<&'a Clause>,
    host: &Host<W>,
    found: &mut Vec<Lint<'a>>,
) {
    let written = || rights.allowances().iter().filter(|one| is_written(one));
    // The first that speaks for each access to each place.
    let mut first: HashMap<_, &'a Allowance> = HashMap::new();
    for allowance in written().filter(|one| one.is_live()) {
        let at = (name(allowance.place().real(), host), allowance.access());
        first.entry(at).or_insert(allowance);
    }
    for allowance in written() {
        let (clause, access) = (allowance.clause(), allowance.access());
        let real = allowance.place().real();
        let own = || against(rights, real, access, host);
        let others = || against(other?, real, access, host);
        let by = own().or_else(others);
        if let Some(by) = vetoed(allowance).or(by.filter(|_| !allowance.is_live())) {
            found.push(Lint::Dead { clause, by });
            continue;
        }
        if let Some(by) = by {
            let left = access - rights.evidence(real, host).denied;
            found.push(Lint::Overlapping { clause, by, left });
        }
        if let Some(by) = implied(rights, allowance, &first, host) {
            found.push(Lint::Shadowed { clause, by });
        }
        absent::place(clause, allowance.place(), found);
    }
}

/// The exclusion of a table that speaks against one of these accesses to what stands under a name.
fn against<'a, W: World>(
    rights: &'a Rights,
    real: &RealPath,
    access: Access,
    host: &Host<W>,
) -> Option<&'a Clause> {
    let denied = rights.denied(&At::new(real, host.names));
    Some(rights.exclusion(denied, access)?.clause())
}

/// Another allowance of the table that speaks for all that this one does, and for all its places.
fn implied<'a, W: World>(
    rights: &'a Rights,
    allowance: &Allowance,
    first: &HashMap<(Name, Access), &'a Allowance>,
    host: &Host<W>,
) -> Option<&'a Clause> {
    let real = allowance.place().real();
    for access in [Access::FILES, allowance.access()] {
        let same = first.get(&(name(real, host), access));
        let another = same
            .filter(|one| access.contains(allowance.access()) && !std::ptr::eq(**one, allowance));
        if let Some(another) = another {
            return Some(another.clause());
        }
    }
    let above = real.ancestors().last()?;
    let granted = rights.granted_below(&At::new(&above, host.names));
    match rights.voice(granted, allowance.access())? {
        // The strongest access was asked for first: who speaks for less than all is no match.
        Voice::Allowance(one) if is_written(one) && one.access().contains(allowance.access()) => {
            Some(one.clause())
        }
        // What the host needs on this system, it may not need on another.
        _ => None,
    }
}

/// The veto of the name that an allowance names: nothing is run under it.
fn vetoed<'a>(exec: &'a Programs, allowance: &Allowance) -> Option<&'a Clause> {
    let named = match allowance.clause().subject() {
        Subject::Name(name) => name.as_encoded_bytes(),
        Subject::Every => return None,
        Subject::Place(_) => {
            let place = allowance.place();
            let folder = place.kind() == Some(objcap_object::Kind::Directory);
            place.real().leaf().filter(|_| !folder)?
        }
    };
    exec.veto(named)
}

/// Programs that may not be read.
fn unread<'a, W: World>(
    programs: &'a Rights,
    fs: &'a Rights,
    host: &Host<W>,
    found: &mut Vec<Lint<'a>>,
) {
    let mut above = None;
    let written = programs.allowances().iter().filter(|one| is_written(one));
    for allowance in written.filter(|one| one.is_live()) {
        let at = allowance.place().real();
        if fs.evidence(at, host).granted.contains(Access::READ) {
            continue;
        }
        // Something inside of it may be read.
        let above = above.get_or_insert_with(|| holders(fs, host));
        if !above.contains(&name(at, host)) {
            let clause = allowance.clause();
            found.push(Lint::Unread { clause, at });
        }
    }
}

/// Every folder above what may be read.
fn holders<W: World>(fs: &Rights, host: &Host<W>) -> HashSet<Name> {
    let mut above = HashSet::new();
    let reads = |one: &&Allowance| one.is_live() && one.clause().list() != List::Allow;
    for allowance in fs.allowances().iter().filter(reads) {
        let ancestors = allowance.place().real().ancestors();
        above.extend(ancestors.map(|one| name(&one, host)));
    }
    above
}

/// A name as its volume compares it.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    Exact(RealPath),
    Caseless(Key),
}

fn name<W: World>(real: &RealPath, host: &Host<W>) -> Name {
    match host.names {
        Names::Exact => Name::Exact(real.clone()),
        Names::Caseless => Name::Caseless(real.caseless_key()),
    }
}
