//! What may be looked at, read and written: allowances at their frozen places.

use std::collections::HashSet;

use objcap_capability::{Access, Allowance, Reach, Stack};
use objcap_object::{Host, RealPath, World};
use sbpl::{Operation, Rule};

use crate::Error;
use crate::profile::base::everywhere;
use crate::profile::group::{Group, Reason};
use crate::profile::line::Line;

/// The ways to what is allowed: to look at each name that a lookup passes, and no more. What may be
/// read may be looked at by that.
pub(crate) fn waypoints<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let reason = "a lookup passes these on the way to what is allowed";
    let reads = stack.files(Access::READ, host).into_iter();
    let reads = reads.filter(|one| one.reach() == Reach::Below);
    let reads: HashSet<_> = reads
        .flat_map(Allowance::names)
        .map(RealPath::caseless_key)
        .collect();
    let is_read = |name: &RealPath| {
        let mut within = name.ancestors().chain([name.clone()]);
        within.any(|above| reads.contains(&above.caseless_key()))
    };
    let names = stack.waypoints(host).into_iter();
    let names: Vec<_> = names.filter(|name| !is_read(name)).collect();
    let mut group = Group::default();
    group.add(names, Reach::Alone, Reason::Stated(reason));
    group.lines(|| Rule::allow(Operation::FileReadMetadata).also([Operation::FileTestExistence]))
}

/// What may be read: by the real path of each allowance and its twins, and by nothing else.
pub(crate) fn reads<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let also = [Operation::FileTestExistence, Operation::FileClone];
    let rule = || Rule::allow(Operation::FileRead).also(also.clone());
    if !stack.restricts_files() {
        return unrestricted(rule());
    }
    allowances(stack.files(Access::READ, host), rule)
}

/// What may be written. A device that every program writes is written to and nothing else.
pub(crate) fn writes<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let whole = || Rule::allow(Operation::FileWrite).also([Operation::FileLink]);
    if !stack.restricts_files() {
        return unrestricted(whole());
    }
    let (below, alone): (Vec<_>, Vec<_>) = stack
        .files(Access::WRITE, host)
        .into_iter()
        .partition(|one| one.reach() == Reach::Below);
    let mut lines = allowances(below, whole)?;
    lines.extend(allowances(alone, || Rule::allow(Operation::FileWriteData))?);
    Ok(lines)
}

fn unrestricted(rule: Rule) -> Result<Vec<Line>, Error> {
    let reason = "no grant restricts files";
    Ok(vec![Line::because(reason, everywhere(rule)?)])
}

/// The rules of some allowances, which differ in nothing but their places.
pub(crate) fn allowances<'a>(
    allowances: impl IntoIterator<Item = &'a Allowance>,
    rule: impl Fn() -> Rule,
) -> Result<Vec<Line>, Error> {
    let mut group = Group::default();
    for allowance in allowances {
        let reason = Reason::Clause(allowance.clause());
        group.add(allowance.names(), allowance.reach(), reason);
    }
    group.lines(rule)
}
