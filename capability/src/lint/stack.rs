//! What is found about a stack as a whole, and the order in which everything is told.

use std::path::Path;

use objcap_object::{Host, Object, Options, World};

use super::allowances::is_written;
use super::{Dimension, Lint, Unsearched, allowances, exclusions};
use crate::rights::Rights;
use crate::{Access, Allowance, Clause, Layer, Place, Stack};

impl<W: World> Stack<W> {
    /// What the stack says that its authors may not mean: layer by layer, and then of all together.
    /// It walks the folders of `PATH`, and looks into scripts and at the program's own files.
    pub fn lint<'a>(&'a self, host: &'a Host<W>) -> Vec<Lint<'a>> {
        let mut found = Vec::new();
        for layer in self.layers() {
            allowances::find(layer, host, &mut found);
            exclusions::find(layer, host, &mut found);
        }
        if self.restricts_programs() {
            self.lint_search(host, &mut found);
            if !self.restricts_files() {
                found.push(Lint::UnrestrictedFiles);
            }
        }
        self.lint_emptiness(host, &mut found);
        found.extend(self.deputies(host).into_iter().map(Lint::Deputy));
        self.lint_own(host, &mut found);
        if self.unkept() > 0 {
            let count = self.unkept();
            found.push(Lint::Unkept { count });
        }
        found
    }

    /// Entries of `PATH` that are never searched.
    fn lint_search<'a>(&'a self, host: &'a Host<W>, found: &mut Vec<Lint<'a>>) {
        for folder in &host.search {
            let folder: &Path = folder;
            let why = if folder.as_os_str().is_empty() {
                Some(Unsearched::Empty)
            } else if folder.is_absolute() {
                let object = Object::walk(&host.tree, folder, &Options::default()).ok();
                let real = object.map(|object| host.presented(object.real().clone()));
                let clause = real.and_then(|real| self.writing_clause(&real, host));
                clause.map(Unsearched::Writable)
            } else {
                Some(Unsearched::Relative)
            };
            found.extend(why.map(|why| Lint::SearchPath { folder, why }));
        }
    }

    /// What several layers let be by themselves, and not together.
    fn lint_emptiness<'a>(&'a self, host: &Host<W>, found: &mut Vec<Lint<'a>>) {
        let files: Vec<_> = self.layers().iter().filter_map(Layer::fs).collect();
        let programs = self.layers().iter().filter_map(Layer::exec);
        let programs: Vec<_> = programs.map(|exec| exec.rights()).collect();
        let left = |met: Vec<&Allowance>| met.into_iter().any(is_written);
        let speaks = |table: &&Rights, access| {
            let mut live = table.allowances().iter().filter(|one| one.is_live());
            live.any(|one| is_written(one) && one.access().contains(access))
        };
        let some = |tables: &[&Rights], access| {
            tables.len() > 1 && tables.iter().any(|table| speaks(table, access))
        };
        // A layer that lets nothing be written on purpose is no accident.
        let every = |tables: &[&Rights], access| {
            tables.len() > 1 && tables.iter().all(|table| speaks(table, access))
        };
        let mut nothing = |of, is: bool| found.extend(is.then_some(Lint::Nothing { of }));
        let unread = some(&files, Access::READ) && !left(self.files(Access::READ, host));
        nothing(Dimension::Reading, unread);
        nothing(
            Dimension::Writing,
            !unread && every(&files, Access::WRITE) && !left(self.files(Access::WRITE, host)),
        );
        nothing(
            Dimension::Running,
            some(&programs, Access::EXEC) && !left(self.programs(host)),
        );
        let nets: Vec<_> = self.layers().iter().filter_map(Layer::net).collect();
        let named = nets.len() > 1 && nets.iter().all(|net| !net.sockets().is_empty());
        nothing(Dimension::Sockets, named && self.sockets(host).is_empty());
    }

    /// The program's own files that have a second name on a volume that may be written.
    fn lint_own<'a>(&'a self, host: &Host<W>, found: &mut Vec<Lint<'a>>) {
        let places = self.own().iter().flat_map(|own| own.places());
        for place in places {
            let object = crate::place::stands_at(place.real(), host);
            let object = object.filter(|object| object.identity() == place.identity());
            let names = object.map(|object| host.tree.name_count(&object));
            if !matches!(names, Some(Ok(2..))) {
                continue;
            }
            let at = place.real();
            if !self.restricts_files() {
                found.push(Lint::SecondName { at, clause: None });
            } else if let Some(clause) = self.reaches(place, host) {
                let clause = Some(clause);
                found.push(Lint::SecondName { at, clause });
            }
        }
    }

    /// A clause that lets a place on an object's volume be written, or a folder in which that volume is mounted.
    /// Where nothing stands yet, it may come to stand on any.
    fn reaches(&self, object: &Place, host: &Host<W>) -> Option<&Clause> {
        let device = object.identity()?.device;
        let written = self.files(Access::WRITE, host).into_iter();
        let mut written = written.filter(|one| is_written(one));
        let near = written.find(|one| {
            let identity = one.place().identity();
            identity.is_none_or(|identity| identity.device == device)
                || host.is_within(object.real(), one.place().real())
        });
        Some(near?.clause())
    }
}
