//! Grants, frozen: what their names became when they were walked.
//!
//! Several grants are met: an access is admitted when each of them admits it, so one that is added
//! only narrows. They are frozen once, in a [`Host`]. An allowance then means the object that its
//! name led to, and an exclusion every place that its name passed at its end. Guard and profile both
//! read this; neither walks an allowance again.

use std::path::{Path, PathBuf};

use objcap_object::{Host, Identity, RealPath, World};

use crate::allowance::{Allowance, Reach};
use crate::error::{ErrorKind, Fault, quoted};
use crate::exclusion::Exclusion;
use crate::index::Subject;
use crate::layer::{Layer, Sockets, Title};
use crate::program::{Programs, Search, Writer};
use crate::rights::{Rights, Voice};
use crate::{Access, Clause, Error, Evidence, Fs, Grant, List, Net, NetAccess, Origin};

/// Grants, frozen and met.
#[derive(Debug)]
pub struct Stack<W: World> {
    layers: Vec<Layer>,
    own: Rights,
    kept: Vec<Kept<W::Kept>>,
    unkept: usize,
}

/// An excluded object that is held, so that it is known where it is later.
#[derive(Debug)]
struct Kept<K> {
    at: Spot,
    identity: Identity,
    object: std::sync::Arc<K>,
}

/// Where an exclusion stands in a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    Own(usize),
    Fs(usize, usize),
    Exec(usize, usize),
}

/// The most objects that a stack holds open. An exclusion beyond is known by its names, and by the
/// identity of what they led to.
const KEPT_MAX: usize = 64;

impl<W: World> Stack<W> {
    /// Walks every name of some grants. Without any, nothing is restricted.
    ///
    /// A name that leads to nothing is accepted: its place is where the object would stand.
    ///
    /// # Errors
    /// When a name cannot be walked, and when an allowance passes a link that the stack lets the
    /// program write: what the program may replace must not decide what the program may do.
    pub fn freeze(grants: &[Grant], host: &Host<W>) -> Result<Self, Error> {
        let lone = grants.len() == 1;
        let mut layers = Vec::new();
        for (number, grant) in (1..).zip(grants) {
            let title = match grant.file() {
                _ if lone => Title::Lone,
                Some(file) => Title::File(file.into()),
                None => Title::Number(number),
            };
            let fs = grant.fs().map(|fs| freeze_files(fs, host)).transpose()?;
            let exec = grant.exec().map(|exec| Programs::freeze(exec, host));
            let net = grant.net().map(|net| freeze_sockets(net, host));
            layers.push(Layer {
                title,
                fs,
                exec: exec.transpose()?,
                net: net.transpose()?,
            });
        }
        let mut stack = Stack {
            layers,
            own: freeze_own(grants, host)?,
            kept: Vec::new(),
            unkept: 0,
        };
        stack.settle(host);
        stack.refuse_writable_links(host)?;
        if stack.restricts_programs() {
            stack.find_programs(grants, host)?;
            stack.settle(host);
            stack.refuse_writable_links(host)?;
        }
        stack.keep(host);
        Ok(stack)
    }

    /// The same grants, their exclusions walked again: each now holds at every place that it held at,
    /// where its name leads now, and where the object is now that it first led to. Allowances stay what
    /// they were.
    ///
    /// # Errors
    /// When an exclusion can no longer be walked.
    pub fn renewed(&self, host: &Host<W>) -> Result<Self, Error> {
        let mut stack = Stack {
            layers: self.layers.clone(),
            own: self.own.clone(),
            kept: Vec::new(),
            unkept: 0,
        };
        let tables = stack.layers.iter_mut().flat_map(|layer| {
            let exec = layer.exec.as_mut().map(|exec| &mut exec.rights);
            layer.fs.iter_mut().chain(exec)
        });
        for exclusion in tables
            .chain([&mut stack.own])
            .flat_map(|table| &mut table.exclusions)
        {
            if let Some(path) = exclusion.clause().path().map(Path::to_owned) {
                exclusion.walk_again(&path, host)?;
            }
        }
        for kept in &self.kept {
            let now = host.tree.whereabouts(&kept.object);
            // A system that cannot say where it is has said nothing of another place.
            if let (Some(exclusion), Ok(Some(real))) = (stack.exclusion_mut(kept.at), now) {
                exclusion.found_at(&real, host)?;
            }
            stack.kept.push(Kept {
                at: kept.at,
                identity: kept.identity,
                object: kept.object.clone(),
            });
        }
        stack.settle(host);
        stack.keep(host);
        Ok(stack)
    }

    fn exclusion_mut(&mut self, at: Spot) -> Option<&mut Exclusion> {
        match at {
            Spot::Own(number) => self.own.exclusions.get_mut(number),
            Spot::Fs(layer, number) => {
                let fs = self.layers.get_mut(layer)?.fs.as_mut()?;
                fs.exclusions.get_mut(number)
            }
            Spot::Exec(layer, number) => {
                let exec = self.layers.get_mut(layer)?.exec.as_mut()?;
                exec.rights.exclusions.get_mut(number)
            }
        }
    }

    fn settle(&mut self, host: &Host<W>) {
        self.own.settle(None, host);
        for Layer { fs, exec, net, .. } in &mut self.layers {
            if let Some(fs) = fs {
                fs.settle(None, host);
            }
            if let Some(exec) = exec {
                exec.rights.settle(fs.as_ref(), host);
            }
            if let Some(fs) = fs {
                let programs = exec.iter().flat_map(|exec| exec.rights.allowances());
                let programs = programs.filter(|one| one.live);
                // A socket in an excluded place is closed, and nothing leads to it.
                let sockets = net.iter().flat_map(Sockets::sockets);
                let sockets = sockets.filter(|one| !fs.excludes(one.place().real(), host));
                let others: Vec<&Allowance> = programs.chain(sockets).collect();
                fs.lead(&others, host);
            }
        }
    }

    /// Holds what the exclusions lead to, the program's own files first.
    fn keep(&mut self, host: &Host<W>) {
        let layers = self.layers.iter().enumerate().flat_map(|(layer, one)| {
            let fs = one.fs.iter().flat_map(Rights::exclusions).enumerate();
            let fs = fs.map(move |(number, one)| (Spot::Fs(layer, number), one));
            let exec = one.exec.iter().flat_map(|exec| exec.rights.exclusions());
            let exec = exec.enumerate();
            fs.chain(exec.map(move |(number, one)| (Spot::Exec(layer, number), one)))
        });
        let own = self.own.exclusions().iter().enumerate();
        let own = own.map(|(number, one)| (Spot::Own(number), one));
        let places = own
            .chain(layers)
            .flat_map(|(at, one)| one.places().iter().map(move |place| (at, place)));
        let (mut kept, mut unkept) = (Vec::new(), 0);
        for (at, place) in places {
            let Some(identity) = place.identity() else {
                continue;
            };
            let mut before = self.kept.iter();
            if before.any(|one| (one.at, one.identity) == (at, identity)) {
                continue;
            }
            let object = (self.kept.len() + kept.len() < KEPT_MAX)
                .then(|| crate::place::stands_at(place.real(), host))
                .flatten()
                .filter(|object| object.identity() == Some(identity))
                .and_then(|object| host.tree.keep(&object).ok());
            match object {
                Some(object) => kept.push(Kept {
                    at,
                    identity,
                    object: object.into(),
                }),
                None => unkept += 1,
            }
        }
        self.kept.extend(kept);
        self.unkept += unkept;
    }

    /// What `exec` names by bare names, what scripts need, and what vetoed names lead to.
    fn find_programs(&mut self, grants: &[Grant], host: &Host<W>) -> Result<(), Error> {
        for (number, grant) in grants.iter().enumerate() {
            let Some(exec) = grant.exec() else {
                continue;
            };
            let found = Search {
                host,
                writer: &|real| self.writer(number, real, host),
                excluded: &|real| self.excludes_files(number, real, host),
            };
            let Some(programs) = self
                .layers
                .get(number)
                .and_then(|layer| layer.exec.as_ref())
            else {
                continue;
            };
            let programs = found.complete(programs.clone(), exec)?;
            if let Some(layer) = self.layers.get_mut(number) {
                layer.exec = Some(programs);
            }
        }
        Ok(())
    }

    fn refuse_writable_links(&self, host: &Host<W>) -> Result<(), Error> {
        let tables = self.layers.iter().flat_map(|layer| {
            let sockets = layer.net.iter().flat_map(Sockets::sockets);
            layer.allowances().chain(sockets)
        });
        for allowance in tables.filter(|allowance| allowance.live) {
            // A link that is presented under the name of what it leads to, as `/home`, is that.
            let place = allowance.place();
            for link in place.links().iter().filter(|link| *link != place.real()) {
                if let Some(write) = self.writing_clause(link, host) {
                    let message = format!(
                        "{} passes the link {}, which {} lets the program replace",
                        quoted(&allowance.clause().surface().to_string_lossy()),
                        quoted(&link.to_string()),
                        write,
                    );
                    // Nobody wrote what the host needs: there the write is what can be mended.
                    let origin = match allowance.clause().origin() {
                        Origin::Host => write.origin().clone(),
                        origin => origin.clone(),
                    };
                    return Err(Fault::new(ErrorKind::WritableLink, message).at(origin));
                }
            }
        }
        Ok(())
    }

    /// A clause by which the stack lets the program write what stands under a name; `None` when it does
    /// not, and when no layer restricts files: then no clause does.
    pub(crate) fn writing_clause(&self, real: &RealPath, host: &Host<W>) -> Option<&Clause> {
        let subject = Subject::new(real, host.names);
        if self.own.denied(&subject).access().contains(Access::WRITE) {
            return None;
        }
        let mut clause = None;
        for fs in self.layers.iter().filter_map(Layer::fs) {
            clause = Some(writing_clause(fs, &subject)?);
        }
        clause
    }

    /// Who lets the program write what stands under a name, as it matters to a layer's programs: what that
    /// layer means by itself must not hang on the others, which may only take from it.
    fn writer(&self, layer: usize, real: &RealPath, host: &Host<W>) -> Option<Writer> {
        let subject = Subject::new(real, host.names);
        if self.own.denied(&subject).access().contains(Access::WRITE) {
            return None;
        }
        match self.layers.get(layer).and_then(Layer::fs) {
            Some(fs) => writing_clause(fs, &subject).map(|_| Writer::Layer),
            None => self.writing_clause(real, host).map(|_| Writer::Others),
        }
    }

    /// Whether the table `[fs]` of a layer keeps programs from being run at a place.
    fn excludes_files(&self, layer: usize, real: &RealPath, host: &Host<W>) -> bool {
        let subject = Subject::new(real, host.names);
        let fs = self.layers.get(layer).and_then(Layer::fs);
        fs.is_some_and(|fs| fs.denied(&subject).access().contains(Access::EXEC))
    }

    /// Whether every layer that restricts files allows this for a place and all below it, whatever is
    /// excluded there.
    pub fn allows(&self, real: &RealPath, access: Access, host: &Host<W>) -> bool {
        let subject = Subject::new(real, host.names);
        let mut tables = self.layers.iter().filter_map(Layer::fs);
        tables.all(|table| table.granted_below(&subject).access().contains(access))
    }

    /// The layers, in the order given.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The program's own files: its executable, and what a grant was read from. Nobody writes, links or
    /// replaces them, whatever the layers say.
    pub fn own(&self) -> &[Exclusion] {
        self.own.exclusions()
    }

    pub(crate) fn own_rights(&self) -> &Rights {
        &self.own
    }

    /// What all layers together say of whatever stands under a name, by itself or with all below it, as
    /// far as names go: an object known by identity, a link on the way and a vetoed name may be refused
    /// besides. Running needs reading.
    pub fn evidence(&self, real: &RealPath, reach: Reach, host: &Host<W>) -> Evidence {
        let own = Evidence {
            granted: Access::all(),
            denied: self.own.evidence(real, host).denied,
        };
        self.layers
            .iter()
            .map(|layer| layer.evidence(real, reach, host))
            .fold(own, Evidence::meet)
    }

    /// How many excluded objects are not held, and so are not found again once they were moved.
    pub fn unkept(&self) -> usize {
        self.unkept
    }

    /// Whether a layer restricts files.
    pub fn restricts_files(&self) -> bool {
        self.layers.iter().any(|layer| layer.fs.is_some())
    }

    /// Whether a layer restricts programs.
    pub fn restricts_programs(&self) -> bool {
        self.layers.iter().any(|layer| layer.exec.is_some())
    }

    /// The network, met: open when no layer says otherwise.
    pub fn net(&self) -> NetAccess {
        let nets = self.layers.iter().filter_map(Layer::net);
        let offline = nets.clone().any(|net| net.access() == NetAccess::Offline);
        if offline {
            NetAccess::Offline
        } else {
            NetAccess::Open
        }
    }

    /// The sockets that every layer about the network names; empty when there is no such layer.
    pub fn sockets(&self, host: &Host<W>) -> Vec<&Allowance> {
        let nets: Vec<_> = self.layers.iter().filter_map(Layer::net).collect();
        let named = nets.iter().flat_map(|net| net.sockets());
        let met = named.filter(|one| nets.iter().all(|net| net.allows(one, host)));
        met.collect()
    }
}

fn writing_clause<'a>(fs: &'a Rights, subject: &Subject<'_>) -> Option<&'a Clause> {
    let granted = fs.granted(subject);
    let denied = fs.denied(subject).access();
    match fs.voice(granted, Access::WRITE) {
        Some(Voice::Allowance(one)) if !denied.contains(Access::WRITE) => Some(one.clause()),
        _ => None,
    }
}

fn freeze_files<W: World>(fs: &Fs, host: &Host<W>) -> Result<Rights, Error> {
    let mut allowances = Vec::new();
    let mut exclusions = Vec::new();
    for clause in fs.clauses() {
        let Some(path) = clause.path() else {
            continue;
        };
        match clause.list() {
            List::Exclude | List::Protect => {
                exclusions.push(Exclusion::freeze(clause.clone(), path, host)?);
            }
            _ => allowances.push(Allowance::freeze(clause.clone(), path, Reach::Below, host)?),
        }
    }
    let needed = [
        (List::Read, Reach::Below, &host.floor),
        (List::Read, Reach::Alone, &host.base_read),
        (List::Write, Reach::Alone, &host.base_write),
    ];
    for (list, reach, places) in needed {
        for real in places {
            let path: &Path = real.as_ref();
            let clause = Clause::of_host(list, path);
            allowances.push(Allowance::freeze(clause, path, reach, host)?);
        }
    }
    Ok(Rights::new(allowances, exclusions, host))
}

fn freeze_sockets<W: World>(net: &Net, host: &Host<W>) -> Result<Sockets, Error> {
    let sockets = net.sockets().iter().filter_map(|clause| {
        let path = clause.path()?;
        Some(Allowance::freeze(clause.clone(), path, Reach::Alone, host))
    });
    let sockets = sockets.collect::<Result<_, _>>()?;
    Ok(Sockets::new(net.access(), sockets, host))
}

/// The executable, and the files that grants name as their own: each under every name that leads to it.
fn freeze_own<W: World>(grants: &[Grant], host: &Host<W>) -> Result<Rights, Error> {
    let files = grants.iter().flat_map(Grant::own);
    let own: Vec<&PathBuf> = host.executable.iter().chain(files).collect();
    let exclusions = own
        .into_iter()
        .map(|path| Exclusion::freeze(Clause::of_host(List::Protect, path), path, host));
    let exclusions = exclusions.collect::<Result<_, _>>()?;
    Ok(Rights::new(Vec::new(), exclusions, host))
}

/// Two allowances met: the smaller of the two places, where one lies in the other.
impl<W: World> Stack<W> {
    /// The allowances of files that hold in every layer that restricts files: those of each whose place
    /// all the others allow, for an access that they speak of.
    pub fn files(&self, access: Access, host: &Host<W>) -> Vec<&Allowance> {
        let tables: Vec<_> = self.layers.iter().filter_map(Layer::fs).collect();
        met(&tables, access, host)
    }

    /// The allowances of programs that hold in every layer that restricts programs.
    pub fn programs(&self, host: &Host<W>) -> Vec<&Allowance> {
        let layers = self.layers.iter().filter_map(Layer::exec);
        let tables: Vec<_> = layers.map(|exec| &exec.rights).collect();
        met(&tables, Access::EXEC, host)
    }

    /// The names that may be looked at on the way to what is allowed, in every layer that restricts
    /// files.
    pub fn waypoints(&self, host: &Host<W>) -> std::collections::BTreeSet<&RealPath> {
        let tables: Vec<_> = self.layers.iter().filter_map(Layer::fs).collect();
        let all = tables.iter().flat_map(|table| table.waypoints());
        let everywhere = |name: &&RealPath| {
            let subject = Subject::new(name, host.names);
            let mut tables = tables.iter();
            tables.all(|table| table.granted(&subject).access().contains(Access::STAT))
        };
        all.filter(everywhere).collect()
    }
}

fn met<'a, W: World>(tables: &[&'a Rights], access: Access, host: &Host<W>) -> Vec<&'a Allowance> {
    let live = tables.iter().flat_map(|table| table.allowances());
    let live = live.filter(|one| one.live && one.access().contains(access));
    let everywhere = |one: &&Allowance| {
        let subject = Subject::new(one.place().real(), host.names);
        // Where a place as a whole lies in another's, all below it does, too. What reaches itself alone
        // in one layer reaches no more in the other.
        tables.iter().all(|table| match one.reach() {
            Reach::Alone => table.granted(&subject).access().contains(access),
            Reach::Below => table.granted_below(&subject).access().contains(access),
        })
    };
    live.filter(everywhere).collect()
}
