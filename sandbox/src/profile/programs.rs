//! What may be run: by the grants' own clauses, and by what may be read.

use objcap_capability::{Access, Allowance, Reach, Stack};
use objcap_object::{Host, RealPath, World};
use sbpl::{Filter, Operation, Rule};

use crate::profile::base::everywhere;
use crate::profile::files::allowances;
use crate::profile::group::{Group, PATTERN_MAX, Reason, cost};
use crate::profile::line::Line;
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

impl<'a> Bound<'a> {
    pub(crate) fn of<W: World>(stack: &'a Stack<W>, host: &Host<W>) -> Self {
        if !stack.restricts_files() {
            return Bound::None;
        }
        let reads = stack.files(Access::READ, host);
        let names = reads.iter().flat_map(|one| one.names());
        if names.map(cost).sum::<usize>() <= PATTERN_MAX {
            Bound::Outside(reads)
        } else {
            Bound::Within(reads)
        }
    }

    /// The rule that stands after every one that allows; none where none is needed.
    pub(crate) fn lines(&self) -> Result<Vec<Line>, Error> {
        let reason = "what may not be read may not be run";
        let rule = Rule::deny(Operation::ProcessExec);
        let rule = match self {
            Bound::None | Bound::Within(_) => return Ok(Vec::new()),
            // Without a filter it would be a mere fallback under one reading.
            Bound::Outside(reads) if reads.is_empty() => everywhere(rule)?,
            Bound::Outside(reads) => {
                let mut group = Group::default();
                for read in reads {
                    group.add(read.names(), read.reach(), Reason::Clause(read.clause()));
                }
                let filters = group.filters()?.into_iter().map(|(filter, ..)| filter);
                let region = Filter::any(filters).and_then(Filter::not);
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
            let programs = stack.programs(host);
            let common: Vec<_> = programs
                .iter()
                .map(|program| common(program, reads, host))
                .collect();
            let mut group = Group::default();
            for (program, (below, alone)) in programs.iter().zip(&common) {
                let reason = Reason::Clause(program.clause());
                group.add(below, Reach::Below, reason);
                group.add(alone, Reach::Alone, reason);
            }
            group.lines(rule)
        }
    }
}

/// The part of a program's allowance that may be read: whole places, and single objects.
fn common<W: World>(
    program: &Allowance,
    reads: &[&Allowance],
    host: &Host<W>,
) -> (Vec<RealPath>, Vec<RealPath>) {
    let parted = |reach, names: &[RealPath]| match reach {
        Reach::Below => (names.to_vec(), Vec::new()),
        Reach::Alone => (Vec::new(), names.to_vec()),
    };
    let real = program.place().real();
    let contains = |read: &&Allowance| {
        let whole = read.reach() == Reach::Below || program.reach() == Reach::Alone;
        whole && read.covers(real, host)
    };
    if reads.iter().any(contains) {
        return parted(program.reach(), program.names());
    }
    let (mut below, mut alone) = (Vec::new(), Vec::new());
    for read in reads {
        if program.covers(read.place().real(), host) {
            let (whole, single) = parted(read.reach(), read.names());
            below.extend(whole);
            alone.extend(single);
        }
    }
    (below, alone)
}
