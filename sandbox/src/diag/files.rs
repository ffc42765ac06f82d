//! Denials about files and programs: which access is missing in which layer, and what speaks against it.

use objcap_capability::{
    Access, Clause, Exclusion, Layer, Programs, Reach, Rights, Stack, spellings,
};
use objcap_object::{Host, RealPath, World};
use sbpl::Operation;
use sbpl::judge::Request;

use super::decided::decided;
use super::examine::{Denying, Examined};
use super::{Addition, Cause, Diagnosis, Hint, Note, Setting, spelling};
use crate::{Section, Why};

/// What an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) access: Access,
    /// Whether of the object's contents alone, or of its name, too.
    reach: Reach,
    /// Whether what holds an exclusion in its place would go or be made anew.
    moves: bool,
    clones: bool,
}

impl Need {
    /// What a grant says of an operation as; `None` of one that no grant speaks of.
    pub(super) fn of(operation: &Operation) -> Option<Self> {
        use Operation as Op;
        let need = |access, reach| Need {
            access,
            reach,
            moves: false,
            clones: false,
        };
        Some(match operation {
            Op::FileReadMetadata | Op::FileTestExistence => need(Access::STAT, Reach::Alone),
            Op::FileRead | Op::FileReadData | Op::FileReadXattr => need(Access::READ, Reach::Alone),
            Op::FileClone => Need {
                clones: true,
                ..need(Access::READ, Reach::Alone)
            },
            Op::FileWriteData => need(Access::WRITE, Reach::Alone),
            Op::FileWriteUnlink | Op::FileWriteCreate | Op::FileWrite => Need {
                moves: true,
                ..need(Access::WRITE, Reach::Below)
            },
            Op::FileLink => need(Access::WRITE, Reach::Below),
            Op::ProcessExec | Op::ProcessExecInterpreter => need(Access::EXEC, Reach::Alone),
            other if other.parent() == Some(Op::FileWrite) => need(Access::WRITE, Reach::Below),
            _ => return None,
        })
    }

    /// What the guard asked for. Of what may be written and still is refused, the name was to change. What holds
    /// an exclusion, its refusals say themselves.
    pub(super) fn of_access(access: Access) -> Self {
        Need {
            access,
            reach: match access.contains(Access::WRITE) {
                true => Reach::Below,
                false => Reach::Alone,
            },
            moves: false,
            clones: false,
        }
    }
}

/// What a denial about a file is judged by.
pub(super) struct Files<'a, W: World> {
    pub(super) profile: &'a crate::Profile,
    pub(super) stack: &'a Stack<W>,
    pub(super) host: &'a Host<W>,
}

impl<'a, W: World> Files<'a, W> {
    /// A denial of an operation on a path.
    pub(super) fn denial(&self, operation: &Operation, path: &[u8]) -> Diagnosis<'a> {
        let Some(real) = self.real(path) else {
            return Diagnosis::of(Hint::Unknown(Cause::Unread));
        };
        let examined = Examined::of(self.profile, &self.requests(operation, &real));
        let denying = match examined {
            Examined::Admitted => return Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => denying,
        };
        let hint = match (spoken_against(denying), Need::of(operation)) {
            (Some(hint), _) => hint,
            (None, Some(need)) => self.hint(&real, need),
            (None, None) => match denying.and_then(|denying| denying.why) {
                Some(Why::Reason(reason)) if operation.starts_allowed() => Hint::Decided(reason),
                _ => decided(operation),
            },
        };
        Diagnosis::by(hint, denying)
    }

    /// The real path of what a log calls so: by the data volume's prefix, and through a root alias, too.
    pub(super) fn real(&self, path: &[u8]) -> Option<RealPath> {
        let real = self.host.presented(RealPath::new(path)?);
        let below = |name: &RealPath| {
            let depth = name.depth();
            (real.depth() > depth && self.host.is_within(&real, name)).then_some(depth)
        };
        let mut aliases = self.host.aliases.iter();
        let through = aliases.find_map(|alias| Some((alias, below(&alias.name)?)));
        match through {
            None => Some(real),
            Some((alias, depth)) => {
                let mut rest = real.components().skip(depth);
                rest.try_fold(alias.target.clone(), |real, name| real.join(name))
            }
        }
    }

    /// The kernel's request under each spelling of the name.
    pub(super) fn requests(&self, operation: &Operation, real: &RealPath) -> Vec<Request> {
        self.names(real)
            .iter()
            .map(|name| Request::new(operation.clone()).path(name.as_bytes()))
            .collect()
    }

    fn names(&self, real: &RealPath) -> Vec<RealPath> {
        match self.is_alias(real) {
            // The alias itself is a link in the root: what it leads to is another object.
            true => vec![real.clone()],
            false => spellings(real, self.host),
        }
    }

    fn is_alias(&self, real: &RealPath) -> bool {
        let mut aliases = self.host.aliases.iter();
        aliases.any(|alias| self.host.is_same(real, &alias.name))
    }

    /// What would admit an access to a place that the profile or the guard refuses.
    pub(super) fn hint(&self, real: &RealPath, need: Need) -> Hint {
        if let Some(clause) = self.exclusion(real, need.access) {
            return Hint::Excluded(clause.clone());
        }
        if let Some(clause) = self.pin(real, need) {
            return Hint::Pinned(clause.clone());
        }
        let writes = need.access.contains(Access::WRITE);
        if writes && self.is_alias(real) {
            return Hint::Decided("a root alias is not part of what it leads to");
        }
        if writes && real.depth() == 0 {
            return Hint::Decided("the root is no place to write to as a whole");
        }
        let mut missing = self.missing(real, need).peekable();
        if missing.peek().is_none() {
            return Hint::Unknown(Cause::Disagreement);
        }
        if writes && self.leads_through(real) {
            return Hint::Unknown(Cause::WritableLink);
        }
        let surface = match spelling::surface(real, self.stack, self.host) {
            Ok(surface) => surface,
            Err(cause) => return Hint::Unknown(cause),
        };
        let clauses = missing.map(|(layer, title, setting)| Addition {
            layer,
            title,
            setting,
            surface: surface.clone(),
        });
        Hint::Add {
            clauses: clauses.collect(),
            notes: self.notes(real, need),
        }
    }

    /// Each layer that does not speak for it, and the key under which it would.
    fn missing(
        &self,
        real: &RealPath,
        need: Need,
    ) -> impl Iterator<Item = (usize, String, Setting)> {
        let of = move |rights: &Rights, access: Access| {
            let said = match need.reach {
                Reach::Alone => rights.evidence(real, self.host),
                Reach::Below => rights.evidence_below(real, self.host),
            };
            !said.granted.contains(access)
        };
        let runs = need.access.contains(Access::EXEC);
        let (files, key) = match need.access {
            access if access.contains(Access::WRITE) => (Access::WRITE, Setting::Write),
            access if runs || access.contains(Access::READ) => (Access::READ, Setting::Read),
            access => (access, Setting::Read),
        };
        let layers = self.stack.layers().iter().enumerate();
        layers.flat_map(move |(number, layer)| {
            let fs = layer.fs().is_some_and(|fs| of(fs, files));
            let exec = layer.exec().map(Programs::rights);
            let exec = runs && exec.is_some_and(|exec| of(exec, Access::EXEC));
            let parts = [exec.then_some(Setting::Allow), fs.then_some(key)];
            let parts = parts.into_iter().flatten();
            parts.map(move |setting| (number, layer.to_string(), setting))
        })
    }

    /// A clause that speaks against an access to a place.
    fn exclusion(&self, real: &RealPath, access: Access) -> Option<&'a Clause> {
        let key = real.key();
        let exclusions = self.stack.layers().iter().flat_map(Layer::exclusions);
        let mut exclusions = exclusions.chain(self.stack.own());
        let found = exclusions.find(|one| one.against().intersects(access) && one.covers(&key));
        found.map(Exclusion::clause)
    }

    /// A clause whose place, or whose way there, would move with what stands here.
    fn pin(&self, real: &RealPath, need: Need) -> Option<&'a Clause> {
        if !need.moves && !need.clones {
            return None;
        }
        let within = |name: &RealPath| name.is_caselessly_within(real);
        let below = |name: &RealPath| name.depth() > real.depth() && within(name);
        let layers = self.stack.layers().iter().filter_map(Layer::fs);
        let mut exclusions = layers.flat_map(Rights::exclusions).chain(self.stack.own());
        let found = exclusions.find(|one| {
            let mut names = one.places().iter().flat_map(|place| place.spellings());
            names.any(below) || need.moves && one.passed().iter().any(within)
        });
        found.map(Exclusion::clause)
    }

    /// Whether a clause of the stack passes a link at or below a place.
    fn leads_through(&self, real: &RealPath) -> bool {
        let sockets = self.stack.layers().iter().filter_map(Layer::net);
        let sockets = sockets.flat_map(|net| net.sockets());
        let allowances = self.stack.layers().iter().flat_map(Layer::allowances);
        let mut live = allowances.chain(sockets).filter(|one| one.is_live());
        live.any(|one| {
            let links = one.place().links().iter();
            let mut links = links.filter(|link| *link != one.place().real());
            links.any(|link| self.host.is_within(link, real))
        })
    }

    fn notes(&self, real: &RealPath, need: Need) -> Vec<Note> {
        let mut layers = self.stack.layers().iter();
        let holds = layers.any(|layer| {
            let allowances = layer.allowances().map(|one| one.place().real());
            let exclusions = layer.exclusions().flat_map(Exclusion::places);
            let mut names = allowances.chain(exclusions.map(|place| place.real()));
            names.any(|name| name != real && self.host.is_within(name, real))
        });
        let looked = need.access == Access::STAT;
        let escaped = has_escape(real.as_bytes());
        [
            (looked, Note::OnlyLooked),
            (holds && !looked, Note::Holds),
            (need.moves || looked, Note::PerhapsLink),
            (escaped, Note::PerhapsEscaped),
        ]
        .into_iter()
        .filter_map(|(is, note)| is.then_some(note))
        .collect()
    }
}

/// What a rule says that denies because a clause speaks against it. A rule that only says that nothing speaks for
/// it is none.
pub(super) fn spoken_against(denying: Option<Denying<'_>>) -> Option<Hint> {
    let denying = denying?;
    match (denying.section, denying.why?) {
        (Section::Exclusions, Why::Clause(clause)) => Some(Hint::Excluded((**clause).clone())),
        (Section::Pins, Why::Clause(clause)) => Some(Hint::Pinned((**clause).clone())),
        (Section::Exclusions | Section::Pins, Why::Reason(reason)) => Some(Hint::Decided(reason)),
        _ => None,
    }
}

/// Whether a name has a backslash with three octal digits behind it.
fn has_escape(name: &[u8]) -> bool {
    let is_octal = |byte: &u8| (b'0'..=b'7').contains(byte);
    let mut parts = name.windows(4);
    parts.any(|part| {
        part.split_first()
            .is_some_and(|(first, rest)| *first == b'\\' && rest.iter().all(is_octal))
    })
}
