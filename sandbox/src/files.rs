//! What may be looked at, read and written: allowances at their frozen places.

use objcap_capability::{Access, Allowance, Reach, Stack};
use objcap_object::{Host, World};
use sbpl::{Filter, Operation, Rule};

use crate::Error;
use crate::base::everywhere;
use crate::line::{Line, literals, parts, subpaths, when};

/// The ways to what is allowed: to look at each name that a lookup passes, and no more.
pub(crate) fn waypoints<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let reason = "a lookup passes these on the way to what is allowed";
    let names: Vec<_> = stack.waypoints(host).into_iter().collect();
    let mut lines = Vec::new();
    for names in parts(&names) {
        let rule = Rule::allow(Operation::FileReadMetadata).also([Operation::FileTestExistence]);
        let rule = when(rule, literals(names.iter().copied(), None)?);
        lines.extend(rule.map(|rule| Line::because(reason, rule)));
    }
    Ok(lines)
}

/// What may be read: by the real path of each allowance and its twins, and by nothing else.
pub(crate) fn reads<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    if !stack.restricts_files() {
        let rule = Rule::allow(Operation::FileRead).also([Operation::FileTestExistence]);
        return unrestricted(rule);
    }
    let rule = || Rule::allow(Operation::FileRead).also([Operation::FileTestExistence]);
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

/// One rule for each allowance; of several for one place, as of the floor in each layer, the first.
pub(crate) fn allowances<'a>(
    allowances: impl IntoIterator<Item = &'a Allowance>,
    rule: impl Fn() -> Rule,
) -> Result<Vec<Line>, Error> {
    let mut known = std::collections::HashSet::new();
    let mut lines = Vec::new();
    for allowance in allowances {
        if known.insert((allowance.place().real(), allowance.reach() == Reach::Below)) {
            let rule = when(rule(), filters(allowance)?);
            lines.extend(rule.map(|rule| Line::of(allowance.clause(), rule)));
        }
    }
    Ok(lines)
}

/// The names under which the kernel may show what an allowance reaches.
pub(crate) fn filters(allowance: &Allowance) -> Result<Vec<Filter>, Error> {
    let clause = Some(allowance.clause());
    match allowance.reach() {
        Reach::Below => subpaths(allowance.names(), clause),
        Reach::Alone => literals(allowance.names(), clause),
    }
}
