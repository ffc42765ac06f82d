//! What is denied: exclusions, protected places, the program's own files, and names that are vetoed.

use std::collections::BTreeSet;

use objcap_capability::{Access, Exclusion, Layer, Programs, Stack, Subject};
use objcap_object::World;
use sbpl::{Action, Filter, Operation, Rule};

use crate::Error;
use crate::line::{Line, named_program, subpaths, when};

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
    let mut lines = Vec::new();
    let layers = stack.layers().iter().flat_map(Layer::exclusions);
    for exclusion in layers.chain(stack.own()) {
        let against = operations
            .iter()
            .map(|Named(operation)| operation)
            .filter(|operation| speaks_against(exclusion, operation))
            .cloned();
        let names: Vec<_> = exclusion
            .places()
            .iter()
            .flat_map(|place| place.below().iter().cloned())
            .collect();
        let filters = subpaths(&names, Some(exclusion.clause()))?;
        lines.extend(deny(against, filters).map(|rule| Line::of(exclusion.clause(), rule)));
    }
    let programs = stack.layers().iter().filter_map(Layer::exec);
    for veto in programs.flat_map(Programs::vetoes) {
        if let Subject::Name(name) = veto.subject() {
            let filter = named_program(name.as_encoded_bytes(), veto)?;
            let rule = deny([Operation::ProcessExec], vec![filter]);
            lines.extend(rule.map(|rule| Line::of(veto, rule)));
        }
    }
    Ok(lines)
}

fn deny(operations: impl IntoIterator<Item = Operation>, filters: Vec<Filter>) -> Option<Rule> {
    let mut operations = operations.into_iter();
    let rule = Rule::deny(operations.next()?).also(operations);
    when(rule, filters)
}

/// Whether an exclusion denies an operation: all of them, those that write, or to run.
fn speaks_against(exclusion: &Exclusion, operation: &Operation) -> bool {
    let name = operation.name();
    let against = exclusion.against();
    let runs = name.starts_with("process-exec");
    let writes = name.starts_with("file-write") || *operation == Operation::FileLink;
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
