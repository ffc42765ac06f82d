//! What is denied: exclusions, protected places, the program's own files, and names that are vetoed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use objcap_capability::{Access, Layer, Programs, Reach, Stack, Subject};
use objcap_object::World;
use sbpl::{Action, Operation, Rule};

use crate::Error;
use crate::profile::group::{Group, Reason};
use crate::profile::line::{Line, named_program};

/// The exclusions of every layer, and the program's own files.
///
/// Each names every operation that it speaks against and that a rule before allows, and those that start
/// allowed and have a path, so that no reading finds an allowance first.
pub(crate) fn lines<'a, W: World>(
    stack: &Stack<W>,
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
    // What speaks against the same differs in its places alone. What speaks against most comes first.
    let mut groups: BTreeMap<Reverse<u8>, (Access, Group<'_>)> = BTreeMap::new();
    let layers = stack.layers().iter().flat_map(Layer::exclusions);
    for exclusion in layers.chain(stack.own()) {
        let against = exclusion.against();
        let group = groups.entry(Reverse(against.bits()));
        let (_, group) = group.or_insert_with(|| (against, Group::default()));
        let names = exclusion.places().iter().flat_map(|place| place.below());
        group.add(names, Reach::Below, Reason::Clause(exclusion.clause()));
    }
    let mut lines = Vec::new();
    for (against, group) in groups.values() {
        let denied = operations.iter().map(|Named(operation)| operation);
        let mut denied = denied.filter(|operation| speaks_against(*against, operation));
        if let Some(first) = denied.next() {
            let rule = Rule::deny(first.clone()).also(denied.cloned());
            lines.extend(group.lines(|| rule.clone())?);
        }
    }
    let programs = stack.layers().iter().filter_map(Layer::exec);
    for veto in programs.flat_map(Programs::vetoes) {
        if let Subject::Name(name) = veto.subject() {
            let filter = named_program(name.as_encoded_bytes(), veto)?;
            let rule = Rule::deny(Operation::ProcessExec).when(filter);
            lines.push(Line::of(veto, rule));
        }
    }
    Ok(lines)
}

/// Whether what speaks against these accesses denies an operation: all of them, those that write, or to
/// run.
fn speaks_against(against: Access, operation: &Operation) -> bool {
    let name = operation.name();
    let runs = name.starts_with("process-exec");
    // A socket is made by being bound.
    let makes = [Operation::FileLink, Operation::NetworkBind];
    let writes = name.starts_with("file-write") || makes.contains(operation);
    against == Access::all()
        || against.contains(Access::WRITE) && writes
        || against.contains(Access::EXEC) && runs
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
