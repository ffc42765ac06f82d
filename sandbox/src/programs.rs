//! What may be run: by the grants' own clauses, and by what may be read.

use objcap_capability::{Access, Allowance, Reach, Stack};
use objcap_object::{Host, RealPath, World};
use sbpl::{Filter, Operation, Rule};

use crate::base::everywhere;
use crate::files::{allowances, filters};
use crate::line::{Line, literals, subpaths, when};
use crate::{Error, ErrorKind};

/// How the kernel is kept from running what may not be read: it asks for no reading itself
/// (docs/seatbelt.md, section 3).
pub(crate) enum Bound<'a> {
    /// Nothing has to be kept.
    None,
    /// One rule denies whatever lies outside of what may be read. Its filter must not be split: two
    /// negations would refuse all but what both name.
    Outside(Vec<&'a Allowance>),
    /// What may be read is too much for one rule. Only what lies in it is allowed to run at all.
    Within(Vec<&'a Allowance>),
}

/// The most bytes that the names of one negated filter may have, counted as generously as sbpl's `size`
/// counts the kernel's limit of 65,535.
const OUTSIDE_MAX: usize = 60_000;

impl<'a> Bound<'a> {
    pub(crate) fn of<W: World>(stack: &'a Stack<W>, host: &Host<W>) -> Self {
        if !stack.restricts_files() {
            return Bound::None;
        }
        let reads = stack.files(Access::READ, host);
        let names = reads.iter().flat_map(|one| one.names());
        let bytes: usize = names.map(|name| 16 + 4 * (1 + name.as_bytes().len())).sum();
        if bytes <= OUTSIDE_MAX {
            Bound::Outside(reads)
        } else {
            Bound::Within(reads)
        }
    }

    /// The rule that stands after every one that allows; `None` where none is needed.
    pub(crate) fn lines(&self) -> Result<Vec<Line>, Error> {
        let reason = "what may not be read may not be run";
        let rule = Rule::deny(Operation::ProcessExec);
        let rule = match self {
            Bound::None | Bound::Within(_) => return Ok(Vec::new()),
            Bound::Outside(reads) if reads.is_empty() => everywhere(rule)?,
            Bound::Outside(reads) => {
                let mut all = Vec::new();
                for allowance in reads {
                    all.extend(filters(allowance)?);
                }
                let region = Filter::any(all).and_then(Filter::not);
                rule.when(region.map_err(|error| Error::new(ErrorKind::Unfaithful, error))?)
            }
        };
        Ok(vec![Line::because(reason, rule)])
    }
}

/// What may be run.
pub(crate) fn runs<W: World>(
    stack: &Stack<W>,
    bound: &Bound<'_>,
    host: &Host<W>,
) -> Result<Vec<Line>, Error> {
    let rule = || Rule::allow(Operation::ProcessExec);
    match (stack.restricts_programs(), bound) {
        (true, Bound::None | Bound::Outside(_)) => allowances(stack.programs(host), rule),
        (false, Bound::None | Bound::Outside(_)) => {
            let reason = "no grant restricts programs";
            Ok(vec![Line::because(reason, everywhere(rule())?)])
        }
        (false, Bound::Within(reads)) => allowances(reads.iter().copied(), rule),
        (true, Bound::Within(reads)) => {
            let mut lines = Vec::new();
            for program in stack.programs(host) {
                let names = common(program, reads, host);
                for (reach, names) in [
                    (Reach::Below, names.0.as_slice()),
                    (Reach::Alone, names.1.as_slice()),
                ] {
                    let clause = Some(program.clause());
                    let filters = match reach {
                        Reach::Below => subpaths(names, clause)?,
                        Reach::Alone => literals(names, clause)?,
                    };
                    let rule = when(rule(), filters);
                    lines.extend(rule.map(|rule| Line::of(program.clause(), rule)));
                }
            }
            Ok(lines)
        }
    }
}

/// The part of a program's allowance that may be read: whole places, and single objects.
fn common<W: World>(
    program: &Allowance,
    reads: &[&Allowance],
    host: &Host<W>,
) -> (Vec<RealPath>, Vec<RealPath>) {
    let real = program.place().real();
    let inside = reads
        .iter()
        .any(|read| match (read.reach(), program.reach()) {
            (Reach::Alone, Reach::Below) => false,
            _ => read.covers(real, host),
        });
    let (mut below, mut alone) = (Vec::new(), Vec::new());
    if inside {
        match program.reach() {
            Reach::Below => below.extend(program.names().iter().cloned()),
            Reach::Alone => alone.extend(program.names().iter().cloned()),
        }
        return (below, alone);
    }
    for read in reads
        .iter()
        .filter(|read| program.covers(read.place().real(), host))
    {
        match read.reach() {
            Reach::Below => below.extend(read.names().iter().cloned()),
            Reach::Alone => alone.extend(read.names().iter().cloned()),
        }
    }
    (below, alone)
}
