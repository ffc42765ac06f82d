//! What one layer says of programs: which may be run, under which names never, and with which first
//! arguments.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use objcap_object::name::fold;
use objcap_object::{Host, Kind, Object, Options, RealPath, World};

use crate::allowance::{Allowance, Reach};
use crate::exclusion::Exclusion;
use crate::grant::Only;
use crate::interpreter::{HOPS_MAX, interpreter, is_shell, shim};
use crate::place::{Place, walk};
use crate::rights::Rights;
use crate::{Clause, Error, Exec, List, Subject};

/// The table `[exec]` of one grant, frozen.
#[derive(Debug, Clone)]
pub struct Programs {
    pub(crate) rights: Rights,
    vetoes: Vec<Clause>,
    /// The number of the veto of each folded name.
    vetoed: HashMap<Box<[u8]>, usize>,
    only: Vec<Bound>,
    unfound: Vec<Clause>,
}

/// A program that is bound to some first arguments.
#[derive(Debug, Clone)]
pub struct Bound {
    only: Only,
    place: Option<Place>,
}

impl Programs {
    /// Walks what is named by its place. Bare names are found when it is known what may be written.
    pub(crate) fn freeze<W: World>(exec: &Exec, host: &Host<W>) -> Result<Self, Error> {
        let mut allowances = Vec::new();
        let mut exclusions = Vec::new();
        let mut vetoes = Vec::new();
        let mut vetoed = HashMap::new();
        for clause in exec.clauses() {
            match (clause.list(), clause.subject()) {
                (List::Allow, Subject::Place(path)) => {
                    allowances.push(Allowance::freeze(clause.clone(), path, Reach::Below, host)?);
                }
                (List::Allow, Subject::Every) => {
                    let root = Path::new("/");
                    allowances.push(Allowance::freeze(clause.clone(), root, Reach::Below, host)?);
                }
                (List::ExecExclude, Subject::Place(path)) => {
                    exclusions.push(Exclusion::freeze(clause.clone(), path, host)?);
                }
                (List::Veto, Subject::Name(name)) => {
                    let key = fold(name.as_encoded_bytes()).into_owned().into();
                    vetoed.entry(key).or_insert(vetoes.len());
                    vetoes.push(clause.clone());
                }
                _ => {}
            }
        }
        let mut only = Vec::new();
        for one in exec.only() {
            let path = one.clause().path();
            let object = path
                .map(|path| walk(one.clause(), path, host))
                .transpose()?;
            only.push(Bound {
                only: one.clone(),
                place: object.map(|object| Place::of(&object, host)),
            });
        }
        Ok(Programs {
            rights: Rights::new(allowances, exclusions, host),
            vetoes,
            vetoed,
            only,
            unfound: Vec::new(),
        })
    }

    /// What may be run by its place, and what may not.
    pub fn rights(&self) -> &Rights {
        &self.rights
    }

    /// The names under which nothing is run.
    pub fn vetoes(&self) -> &[Clause] {
        &self.vetoes
    }

    /// The programs that are bound to some first arguments.
    pub fn only(&self) -> &[Bound] {
        &self.only
    }

    /// The allowances of bare names that no folder of `PATH` has, where the search looks.
    pub fn unfound(&self) -> &[Clause] {
        &self.unfound
    }

    /// The veto of a name, under every spelling.
    pub(crate) fn veto(&self, name: &[u8]) -> Option<&Clause> {
        let number = self.vetoed.get(&*Cow::from(fold(name)))?;
        self.vetoes.get(*number)
    }
}

impl Bound {
    /// The entry, as written.
    pub fn only(&self) -> &Only {
        &self.only
    }

    /// The program, where it was found.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Whether a program is the one that is bound: by where it stands, by identity, or by the name of
    /// the entry, which whoever runs it may have given to another.
    pub(crate) fn is<D>(&self, real: &RealPath, object: &Object<D>, called: &[u8]) -> bool {
        let by_place = self.place.as_ref().is_some_and(|place| {
            let identity = place.identity().zip(object.identity());
            place.real() == real || identity.is_some_and(|(one, other)| one.may_be(&other))
        });
        let by_name = match self.only.clause().subject() {
            Subject::Name(name) => {
                let name = fold(name.as_encoded_bytes());
                let leaf = real.leaf().unwrap_or_default();
                name == fold(called) || name == fold(leaf)
            }
            Subject::Place(_) | Subject::Every => false,
        };
        by_place || by_name
    }
}

/// Finds programs by name, in folders and scripts that the stack does not let the program write.
pub(crate) struct Search<'a, W> {
    pub(crate) host: &'a Host<W>,
    pub(crate) writable: &'a dyn Fn(&RealPath) -> bool,
}

impl<W: World> Search<'_, W> {
    /// Adds what the clauses of `exec` mean by bare names, what scripts among the allowances need, and
    /// what vetoed names lead to.
    pub(crate) fn complete(&self, mut programs: Programs, exec: &Exec) -> Result<Programs, Error> {
        for clause in exec
            .clauses()
            .iter()
            .filter(|one| one.list() == List::Allow)
        {
            let Subject::Name(name) = clause.subject() else {
                continue;
            };
            match self.find(name) {
                Some(object) => {
                    let place = Place::of(&object, self.host);
                    let allowance = Allowance::of(clause.clone(), Reach::Below, place);
                    programs.rights.allowances.push(allowance);
                }
                None => programs.unfound.push(clause.clone()),
            }
        }
        for bound in &mut programs.only {
            if let Subject::Name(name) = bound.only.clause().subject() {
                bound.place = self.find(name).map(|object| Place::of(&object, self.host));
            }
        }
        for veto in programs.vetoes.clone() {
            let Subject::Name(name) = veto.subject() else {
                continue;
            };
            for folder in self.folders(&programs) {
                self.exclude_linked(&mut programs, &veto, &folder, name)?;
            }
        }
        let mut carriers = Vec::new();
        for allowance in programs.rights.allowances() {
            self.carry(allowance, &mut carriers);
        }
        programs.rights.allowances.extend(carriers);
        Ok(programs)
    }

    /// The file that `PATH` finds. A folder that is relative is passed over: where it leads hangs on
    /// where one stands. So is one that the program may write.
    fn find(&self, name: &OsStr) -> Option<Object<W::Dir>> {
        let host = self.host;
        let folders = host.search.iter().filter(|folder| folder.is_absolute());
        let mut found = folders.filter_map(|folder| {
            let above = Object::walk(&host.tree, folder, &Options::default()).ok()?;
            if (self.writable)(&host.presented(above.real().clone())) {
                return None;
            }
            let object = Object::walk(&host.tree, folder.join(name), &Options::default()).ok()?;
            let runs = object.kind() == Some(Kind::File) && host.tree.is_runnable(&object).ok()?;
            runs.then_some(object)
        });
        found.next()
    }

    /// The folders where a name that is run may be found.
    fn folders(&self, programs: &Programs) -> Vec<PathBuf> {
        let path = self
            .host
            .search
            .iter()
            .filter(|folder| folder.is_absolute());
        let allowed = programs.rights.allowances().iter().map(Allowance::place);
        let allowed = allowed.filter(|place| place.kind() == Some(Kind::Directory));
        let allowed = allowed.map(|place| AsRef::<Path>::as_ref(place.real()).to_owned());
        path.cloned().chain(allowed).collect()
    }

    /// Excludes what a vetoed name leads to where it is a link. A file of that name is vetoed as it is.
    fn exclude_linked(
        &self,
        programs: &mut Programs,
        veto: &Clause,
        folder: &Path,
        name: &OsStr,
    ) -> Result<(), Error> {
        let path = folder.join(name);
        let Ok(object) = Object::walk(&self.host.tree, &path, &Options::default()) else {
            return Ok(());
        };
        let linked = object.links().any(|link| link.is_last());
        let covered = || {
            let key = self.host.presented(object.real().clone()).key();
            programs
                .rights
                .exclusions()
                .iter()
                .any(|one| one.covers(&key))
        };
        if linked && object.kind() == Some(Kind::File) && !covered() {
            let exclusion = Exclusion::freeze(veto.clone(), object.real().as_ref(), self.host)?;
            programs.rights.exclusions.push(exclusion);
        }
        Ok(())
    }

    /// Adds the programs that a script needs to run: its interpreter, and what a shim runs, hop by hop.
    /// Each comes from bytes that neither this user nor the program can write; what does not ends the
    /// way.
    fn carry(&self, allowance: &Allowance, carriers: &mut Vec<Allowance>) {
        let mut next = vec![allowance.place().real().clone()];
        for _ in 0..HOPS_MAX {
            let found: Vec<_> = next.iter().flat_map(|real| self.needed(real)).collect();
            next.clear();
            for object in found {
                let place = Place::of(&object, self.host);
                let known = |one: &Allowance| one.place().real() == place.real();
                if !carriers.iter().any(known) {
                    next.push(place.real().clone());
                    carriers.push(Allowance::carrier(allowance.clause().clone(), place));
                }
            }
        }
    }

    fn needed(&self, script: &RealPath) -> Vec<Object<W::Dir>> {
        let host = self.host;
        let trusted = |object: &Object<W::Dir>| {
            let links = object.links().filter_map(|link| RealPath::new(link.at()));
            let mut names = links.map(|link| host.presented(link));
            !names.any(|link| (self.writable)(&link))
        };
        let named = (|| {
            let object = crate::place::stands_at(script, host)?;
            let written = (self.writable)(script)
                || host.tree.is_changeable(&object).ok()?
                || object.kind() != Some(Kind::File);
            if written {
                return None;
            }
            let head = host.tree.head(&object).ok()?;
            let line = interpreter(&head).ok()??;
            let shim = is_shell(&line).then(|| shim(&head)).flatten();
            Some([Some(line.path), shim])
        })();
        let absolute = named.into_iter().flatten().flatten().filter_map(|path| {
            let path = crate::bytes::path(&path).filter(|path| path.is_absolute())?;
            let object = Object::walk(&host.tree, path, &Options::default()).ok()?;
            (object.kind() == Some(Kind::File) && trusted(&object)).then_some(object)
        });
        absolute.collect()
    }
}
