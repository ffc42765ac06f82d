//! What is found about the exclusions of one layer, about vetoes, and about programs that are bound.

use std::collections::HashMap;

use objcap_object::{Host, Key, Kind, Object, Options, RealPath, World};

use super::{Lint, absent};
use crate::index::Subject as At;
use crate::interpreter::interpreter;
use crate::place::{Place, stands_at};
use crate::rights::Rights;
use crate::{Access, Clause, Exclusion, Layer, List, Programs, Subject};

pub(super) fn find<'a, W: World>(layer: &'a Layer, host: &Host<W>, found: &mut Vec<Lint<'a>>) {
    if let Some(fs) = layer.fs() {
        table(fs, None, host, found);
    }
    if let Some(exec) = layer.exec() {
        table(exec.rights(), layer.fs(), host, found);
        vetoes(exec, host, found);
        for clause in exec.unfound() {
            // A name that is vetoed as well is told of once, as dead.
            let name = match clause.subject() {
                Subject::Name(name) => Some(name.as_encoded_bytes()),
                Subject::Place(_) | Subject::Every => None,
            };
            found.push(match name.and_then(|name| exec.veto(name)) {
                Some(by) => Lint::Dead { clause, by },
                None => Lint::Unfound { clause },
            });
            found.extend(name.and_then(|name| absent::pattern(clause, name)));
        }
        for bound in exec.only() {
            let clause = bound.only().clause();
            if !is_allowed(exec, bound.place(), clause, host) {
                found.push(Lint::Unallowed { clause });
            }
        }
    }
}

fn table<'a, W: World>(
    rights: &'a Rights,
    other: Option<&'a Rights>,
    host: &Host<W>,
    found: &mut Vec<Lint<'a>>,
) {
    // A veto has exclusions of what it leads to: nobody wrote them.
    let written = || {
        let all = rights.exclusions().iter();
        all.filter(|one| one.clause().list() != List::Veto)
    };
    let mut first: HashMap<(Key, Access), &'a Exclusion> = HashMap::new();
    for exclusion in written() {
        for place in exclusion.places() {
            let at = (place.real().key(), exclusion.against());
            first.entry(at).or_insert(exclusion);
        }
    }
    for exclusion in written() {
        let clause = exclusion.clause();
        if let Some(by) = implied(rights, other, exclusion, &first, host) {
            found.push(Lint::Shadowed { clause, by });
        }
        let Some(last) = exclusion.places().last() else {
            continue;
        };
        for link in exclusion.places() {
            if link.kind() == Some(Kind::Symlink) && link.real() != last.real() {
                let (at, to) = (link.real(), last.real());
                found.push(Lint::Linked { clause, at, to });
            }
        }
        if last.real().depth() == 0 {
            found.push(Lint::Everything { clause });
        }
        absent::place(clause, last, found);
        if clause.list() == List::ExecExclude {
            let object = stands_at(last.real(), host);
            found.extend(object.and_then(|object| script(clause, &object, host)));
        }
    }
}

/// An exclusion that speaks against all that this one does, at every place of it.
fn implied<'a, W: World>(
    rights: &'a Rights,
    other: Option<&'a Rights>,
    exclusion: &Exclusion,
    first: &HashMap<(Key, Access), &'a Exclusion>,
    host: &Host<W>,
) -> Option<&'a Clause> {
    let against = exclusion.against();
    let covered = |place: &Place| {
        let real = place.real();
        let denied = |rights: &'a Rights, real: &RealPath| {
            let denied = rights.denied(&At::new(real, host.names));
            let by = rights.exclusion(denied, against);
            by.filter(|by| by.against().contains(against))
        };
        if let Some(by) = other.and_then(|other| denied(other, real)) {
            return Some(by);
        }
        for access in [Access::all(), against] {
            let same = first.get(&(real.key(), access)).copied();
            if let Some(by) = same.filter(|one| !std::ptr::eq(*one, exclusion)) {
                return Some(by);
            }
        }
        denied(rights, &real.ancestors().last()?)
    };
    let mut by = None;
    for place in exclusion.places() {
        let covering = covered(place)?;
        // A link and what it leads to are one clause's places, and do not make it idle.
        if std::ptr::eq(covering, exclusion) {
            return None;
        }
        by = by.or(Some(covering.clause()));
    }
    by
}

/// Vetoed scripts, where the search for programs would find them.
fn vetoes<'a, W: World>(exec: &'a Programs, host: &Host<W>, found: &mut Vec<Lint<'a>>) {
    let folders = || host.search.iter().filter(|folder| folder.is_absolute());
    for clause in exec.vetoes() {
        let Subject::Name(name) = clause.subject() else {
            continue;
        };
        let objects = folders().filter_map(|folder| {
            let path = folder.join(name);
            let object = Object::walk(&host.tree, path, &Options::default()).ok()?;
            object.kind().is_some().then_some(object)
        });
        let mut objects = objects.peekable();
        if objects.peek().is_none() {
            found.extend(absent::pattern(clause, name.as_encoded_bytes()));
        }
        found.extend(objects.find_map(|object| script(clause, &object, host)));
    }
}

fn script<'a, W: World>(
    clause: &'a Clause,
    object: &Object<W::Dir>,
    host: &Host<W>,
) -> Option<Lint<'a>> {
    if object.kind() != Some(Kind::File) {
        return None;
    }
    let head = host.tree.head(object).ok()?;
    let line = interpreter(&head).ok()??;
    Some(Lint::Script {
        clause,
        at: host.presented(object.real().clone()),
        interpreter: line.path,
    })
}

/// Whether a program that is bound may be run at all.
fn is_allowed<W: World>(
    exec: &Programs,
    place: Option<&Place>,
    clause: &Clause,
    host: &Host<W>,
) -> bool {
    let Some(place) = place else {
        return false;
    };
    let name = match clause.subject() {
        Subject::Name(name) => Some(name.as_encoded_bytes()),
        Subject::Place(_) | Subject::Every => place.real().leaf(),
    };
    let vetoed = name.is_some_and(|name| exec.veto(name).is_some());
    let evidence = exec.rights().evidence(place.real(), host);
    !vetoed && evidence.admits(Access::EXEC)
}
