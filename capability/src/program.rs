//! What one layer says of programs: which may be run, under which names never, and with which first
//! arguments.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
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
        // Folding a name takes memory, which most grants need not spend on every verdict.
        if self.vetoed.is_empty() {
            return None;
        }
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

/// Who lets the program write what stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The layer itself.
    Layer,
    /// The other layers: this one does not speak of files.
    Others,
}

/// Finds programs by name, in folders and scripts that the program may not write.
pub(crate) struct Search<'a, W> {
    pub(crate) host: &'a Host<W>,
    pub(crate) writer: &'a dyn Fn(&RealPath) -> Option<Writer>,
    /// Whether the layer's `[fs]` keeps a program from being run.
    pub(crate) excluded: &'a dyn Fn(&RealPath) -> bool,
}

/// What scripts need, by the script's real path.
type Needs = HashMap<RealPath, Vec<Place>>;

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
        let folders = self.folders(&programs);
        for veto in programs.vetoes.clone() {
            let Subject::Name(name) = veto.subject() else {
                continue;
            };
            for folder in &folders {
                self.exclude_linked(&mut programs, &veto, folder, name)?;
            }
        }
        programs.rights.settle(None, self.host);
        let carriers = self.carriers(&programs);
        programs.rights.allowances.extend(carriers);
        Ok(programs)
    }

    /// The file that `PATH` finds. A folder that is relative is passed over: where it leads hangs on
    /// where one stands. So is one that this layer lets the program write. One that only other layers let
    /// it write ends the search: they may not give the name another meaning, and neither may the program.
    fn find(&self, name: &OsStr) -> Option<Object<W::Dir>> {
        let host = self.host;
        for folder in host.search.iter().filter(|folder| folder.is_absolute()) {
            let above = Object::walk(&host.tree, folder, &Options::default());
            let Ok(above) = above else {
                let written = RealPath::new(folder.as_os_str().as_encoded_bytes());
                match written.and_then(|real| (self.writer)(&real)) {
                    Some(Writer::Others) => return None,
                    _ => continue,
                }
            };
            let real = host.presented(above.real().clone());
            let entry = real.join(name.as_encoded_bytes());
            let names = links(&above, host).into_iter().chain([real]).chain(entry);
            let mut writers = names.filter_map(|name| (self.writer)(&name));
            match writers.next() {
                Some(Writer::Layer) => continue,
                Some(Writer::Others) => return None,
                None => {}
            }
            let object = Object::walk(&host.tree, folder.join(name), &Options::default());
            let runs = |object: &Object<W::Dir>| {
                object.kind() == Some(Kind::File) && host.tree.is_runnable(object).unwrap_or(false)
            };
            if let Some(object) = object.ok().filter(runs) {
                return Some(object);
            }
        }
        None
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
        let all: BTreeSet<_> = path.cloned().chain(allowed).collect();
        all.into_iter().collect()
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

    /// The programs that scripts among the allowances need to run: their interpreters, and what a shim
    /// runs, hop by hop. Each comes from bytes that neither this user nor the program can write; what
    /// does not ends the way. A script that may not be run needs nothing.
    fn carriers(&self, programs: &Programs) -> Vec<Allowance> {
        let mut needs = Needs::new();
        let mut known = HashSet::new();
        let mut carriers = Vec::new();
        for allowance in programs.rights.allowances() {
            let place = allowance.place();
            let vetoed = || programs.veto(place.real().leaf().unwrap_or_default());
            if place.kind() != Some(Kind::File)
                || !allowance.live
                || (self.excluded)(place.real())
                || vetoed().is_some()
            {
                continue;
            }
            for place in self.carried(place.real(), &mut needs) {
                if known.insert(place.real().clone()) {
                    carriers.push(Allowance::carrier(allowance.clause().clone(), place));
                }
            }
        }
        carriers
    }

    /// What one script needs, up to so many hops.
    fn carried(&self, script: &RealPath, needs: &mut Needs) -> Vec<Place> {
        let mut all: Vec<Place> = Vec::new();
        let mut next = vec![script.clone()];
        for _ in 0..HOPS_MAX {
            for real in std::mem::take(&mut next) {
                let found = match needs.get(&real) {
                    Some(found) => found.clone(),
                    None => self.needed(&real),
                };
                for place in &found {
                    if !all.iter().any(|one| one.real() == place.real()) {
                        next.push(place.real().clone());
                        all.push(place.clone());
                    }
                }
                needs.insert(real, found);
            }
        }
        all
    }

    fn needed(&self, script: &RealPath) -> Vec<Place> {
        let host = self.host;
        let named = (|| {
            let object = crate::place::stands_at(script, host)?;
            let written = (self.writer)(script).is_some()
                || object.kind() != Some(Kind::File)
                || host.tree.is_changeable(&object).ok()?;
            if written {
                return None;
            }
            let head = host.tree.head(&object).ok()?;
            let line = interpreter(&head).ok()??;
            let shim = is_shell(&line).then(|| shim(&head)).flatten();
            Some([Some(line.path), shim])
        })();
        let needed = named.into_iter().flatten().flatten().filter_map(|path| {
            let path = crate::bytes::path(&path).filter(|path| path.is_absolute())?;
            let object = Object::walk(&host.tree, path, &Options::default()).ok()?;
            let real = host.presented(object.real().clone());
            let mut names = links(&object, host).into_iter().chain([real]);
            let written = names.any(|name| (self.writer)(&name).is_some());
            let good = object.kind() == Some(Kind::File) && !written;
            good.then(|| Place::of(&object, host))
        });
        needed.collect()
    }
}

/// The links that a walk passed, as the system presents them.
fn links<W: World>(object: &Object<W::Dir>, host: &Host<W>) -> Vec<RealPath> {
    let links = object.links().filter_map(|link| RealPath::new(link.at()));
    links.map(|link| host.presented(link)).collect()
}
