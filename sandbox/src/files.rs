//! What may be read, written and run: allowances at their frozen places, and the exclusions after
//! them.

use std::collections::BTreeSet;

use objcap_capability::{Allowance, FrozenFs, Reach};
use sbpl::{Action, Filter, Operation, Rule};

use crate::Error;
use crate::base::everywhere;
use crate::line::{Line, literals, parts, subpaths, when};

/// The ways to what is allowed: to look at each name that a lookup passes, and no more.
pub(crate) fn waypoints(fs: &FrozenFs) -> Result<Vec<Line>, Error> {
    let reason = "a lookup passes these on the way to what is allowed";
    let names: Vec<_> = fs.waypoints().iter().collect();
    let mut lines = Vec::new();
    for names in parts(&names) {
        let rule = Rule::allow(Operation::FileReadMetadata).also([Operation::FileTestExistence]);
        let rule = when(rule, literals(names.iter().copied(), None)?);
        lines.extend(rule.map(|rule| Line::because(reason, rule)));
    }
    Ok(lines)
}

/// What may be read: by the real path of each allowance and its twins, and by nothing else.
pub(crate) fn reads(fs: &FrozenFs) -> Result<Vec<Line>, Error> {
    let rule = || Rule::allow(Operation::FileRead).also([Operation::FileTestExistence]);
    allowances(live(fs), rule)
}

/// What may be written. A device that every program writes is written to and nothing else.
pub(crate) fn writes(fs: &FrozenFs) -> Result<Vec<Line>, Error> {
    let (below, alone): (Vec<_>, Vec<_>) = live(fs)
        .filter(|one| one.writes())
        .partition(|one| one.reach() == Reach::Below);
    let whole = || Rule::allow(Operation::FileWrite).also([Operation::FileLink]);
    let mut lines = allowances(below, whole)?;
    lines.extend(allowances(alone, || Rule::allow(Operation::FileWriteData))?);
    Ok(lines)
}

/// What may be run: whatever may be read. The kernel itself asks for no reading to run a program.
pub(crate) fn runs(fs: &FrozenFs) -> Result<Vec<Line>, Error> {
    allowances(live(fs), || Rule::allow(Operation::ProcessExec))
}

/// Every file, for a grant that does not restrict files.
pub(crate) fn unrestricted() -> Result<Vec<Line>, Error> {
    let rule = Rule::allow(Operation::FileRead).also([
        Operation::FileWrite,
        Operation::FileLink,
        Operation::FileTestExistence,
    ]);
    Ok(vec![Line::because(
        "the grant does not restrict files",
        everywhere(rule)?,
    )])
}

/// Every program, for a grant that does not restrict programs.
pub(crate) fn unrestricted_runs() -> Result<Vec<Line>, Error> {
    let rule = everywhere(Rule::allow(Operation::ProcessExec))?;
    Ok(vec![Line::because(
        "the grant does not restrict programs",
        rule,
    )])
}

/// The exclusions. They name every operation that a rule before them allows, and every one that
/// starts allowed and has a path, so that no reading finds an allowance first.
pub(crate) fn exclusions<'a>(
    fs: &FrozenFs,
    before: impl Iterator<Item = &'a Line>,
) -> Result<Vec<Line>, Error> {
    let mut operations = BTreeSet::from(
        [
            Operation::FileRead,
            Operation::FileWrite,
            Operation::FileLink,
            Operation::FileClone,
            Operation::FileMapExecutable,
            Operation::FileTestExistence,
            Operation::FileIoctl,
            Operation::ProcessExec,
            Operation::NetworkOutbound,
            Operation::NetworkBind,
        ]
        .map(Named),
    );
    for line in before.filter(|line| line.rule().action() == Action::Allow) {
        let named = line
            .rule()
            .operations()
            .iter()
            .map(|operation| (**operation).clone());
        operations.extend(named.filter(has_path).map(Named));
    }
    let mut lines = Vec::new();
    for exclusion in fs.exclusions() {
        let clause = Some(exclusion.clause());
        let names: Vec<_> = exclusion
            .places()
            .iter()
            .flat_map(|place| place.below().iter().cloned())
            .collect();
        let mut operations = operations.iter().map(|Named(operation)| operation.clone());
        let Some(first) = operations.next() else {
            continue;
        };
        let rule = when(
            Rule::deny(first).also(operations),
            subpaths(&names, clause)?,
        );
        lines.extend(rule.map(|rule| Line::of(exclusion.clause(), rule)));
    }
    Ok(lines)
}

/// An operation, ordered by its name.
#[derive(PartialEq, Eq)]
struct Named(Operation);

impl Ord for Named {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.name().cmp(other.0.name())
    }
}

impl PartialOrd for Named {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether requests for the operation carry a path.
fn has_path(operation: &Operation) -> bool {
    ["file", "process-exec", "network"]
        .iter()
        .any(|prefix| operation.name().starts_with(prefix))
}

fn live(fs: &FrozenFs) -> impl Iterator<Item = &Allowance> {
    fs.allowances()
        .iter()
        .filter(|allowance| allowance.is_live())
}

fn allowances<'a>(
    allowances: impl IntoIterator<Item = &'a Allowance>,
    rule: impl Fn() -> Rule,
) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    for allowance in allowances {
        let rule = when(rule(), filters(allowance)?);
        lines.extend(rule.map(|rule| Line::of(allowance.clause(), rule)));
    }
    Ok(lines)
}

/// The names under which the kernel may show what an allowance reaches.
fn filters(allowance: &Allowance) -> Result<Vec<Filter>, Error> {
    let clause = Some(allowance.clause());
    match allowance.reach() {
        Reach::Below => subpaths(allowance.place().below(), clause),
        Reach::Alone => literals(allowance.place().spellings(), clause),
    }
}
