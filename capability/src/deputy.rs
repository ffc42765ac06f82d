//! Places that may be both written and run. Whatever the program puts there, it may run: they are
//! named, and not refused, since building a program and running it is what many grants are for.

use std::collections::HashSet;
use std::fmt;

use objcap_object::{Host, RealPath, World};

use crate::allowance::{Allowance, Reach};
use crate::guard::cited;
use crate::index::Subject;
use crate::rights::{Rights, Voice};
use crate::{Access, Layer, Origin, Stack};

/// A place that may be both written and run.
#[derive(Debug, Clone, Copy)]
pub struct Deputy<'a> {
    at: &'a RealPath,
    write: &'a Allowance,
    run: &'a Allowance,
}

impl<'a> Deputy<'a> {
    /// The place: it, and all below it that no exclusion covers.
    pub fn at(&self) -> &'a RealPath {
        self.at
    }

    /// What speaks for writing it.
    pub fn write(&self) -> &'a Allowance {
        self.write
    }

    /// What speaks for running it.
    pub fn run(&self) -> &'a Allowance {
        self.run
    }
}

impl fmt::Display for Deputy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` may be written, by {}, and run, by {}: whatever is put there runs, and under another \
             name than one that is kept from running",
            self.at,
            cited(self.write.clause()),
            cited(self.run.clause())
        )
    }
}

impl<W: World> Stack<W> {
    /// The places that the layers, met, let be both written and run: where one allowance lies in the
    /// other. Where no layer restricts files, or none restricts programs, everything is such a place
    /// that the other lets be, and none is singled out.
    pub fn deputies(&self, host: &Host<W>) -> Vec<Deputy<'_>> {
        let files: Vec<_> = self.layers().iter().filter_map(Layer::fs).collect();
        let programs = self.layers().iter().filter_map(Layer::exec);
        let programs: Vec<_> = programs.map(|exec| exec.rights()).collect();
        if files.is_empty() || programs.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut known = HashSet::new();
        let written = self.files(Access::WRITE, host).into_iter();
        for write in written.filter(|one| !matches!(one.clause().origin(), Origin::Host)) {
            let at = write.place().real();
            if let Some(run) = said(&programs, at, write.reach(), Access::EXEC, host) {
                found.push(Deputy { at, write, run });
            }
        }
        for run in self.programs(host) {
            let at = run.place().real();
            if let Some(write) = said(&files, at, run.reach(), Access::WRITE, host) {
                found.push(Deputy { at, write, run });
            }
        }
        let both = Access::WRITE | Access::EXEC;
        found.retain(|one| {
            self.evidence(one.at, Reach::Alone, host).admits(both)
                && known.insert(one.at.as_bytes())
        });
        found
    }
}

/// The allowance of the last table that speaks for an access to a place, as far as that goes, where all
/// do.
fn said<'a, W: World>(
    tables: &[&'a Rights],
    at: &RealPath,
    reach: Reach,
    access: Access,
    host: &Host<W>,
) -> Option<&'a Allowance> {
    let subject = Subject::new(at, host.names);
    let mut said = None;
    for table in tables {
        let granted = match reach {
            Reach::Below => table.granted_below(&subject),
            Reach::Alone => table.granted(&subject),
        };
        match table.voice(granted, access)? {
            Voice::Allowance(allowance) => said = Some(allowance),
            Voice::Waypoint => return None,
        }
    }
    said
}
