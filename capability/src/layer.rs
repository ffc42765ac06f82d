//! One grant of a stack, frozen.

use std::fmt;

use objcap_object::{Host, Identity, RealPath, Tree};

use crate::evidence::Evidence;
use crate::guard::{Extent, Ground, Match, Refusal};
use crate::index::{First, Index, Subject};
use crate::program::Programs;
use crate::rights::{Rights, Voice};
use crate::{Access, Allowance, Exclusion, NetAccess, Reach};

/// One grant, frozen. A table that it does not have leaves its dimension unrestricted.
#[derive(Debug, Clone)]
pub struct Layer {
    pub(crate) title: Title,
    pub(crate) fs: Option<Rights>,
    pub(crate) exec: Option<Programs>,
    pub(crate) net: Option<Sockets>,
}

/// What messages call a layer.
#[derive(Debug, Clone)]
pub(crate) enum Title {
    /// Nothing: there is no other.
    Lone,
    File(Box<str>),
    Number(usize),
}

/// The network side of a layer.
#[derive(Debug, Clone)]
pub struct Sockets {
    access: NetAccess,
    sockets: Vec<Allowance>,
    named: Index,
}

impl Layer {
    /// What it says of files; `None` when it does not restrict them.
    pub fn fs(&self) -> Option<&Rights> {
        self.fs.as_ref()
    }

    /// What it says of programs; `None` when it does not restrict them.
    pub fn exec(&self) -> Option<&Programs> {
        self.exec.as_ref()
    }

    /// What it says of the network; `None` when it does not restrict it.
    pub fn net(&self) -> Option<&Sockets> {
        self.net.as_ref()
    }

    /// Every allowance of files and of programs.
    pub fn allowances(&self) -> impl Iterator<Item = &Allowance> {
        let fs = self.fs.iter().flat_map(Rights::allowances);
        let exec = self.exec.iter().flat_map(|exec| exec.rights.allowances());
        fs.chain(exec)
    }

    /// Every exclusion of every table.
    pub fn exclusions(&self) -> impl Iterator<Item = &Exclusion> {
        let fs = self.fs.iter().flat_map(Rights::exclusions);
        let exec = self.exec.iter().flat_map(|exec| exec.rights.exclusions());
        fs.chain(exec)
    }

    /// What it says of whatever stands under a name. Running needs reading, and a table says nothing of
    /// what is another's.
    pub(crate) fn evidence<T: Tree>(
        &self,
        real: &RealPath,
        reach: Reach,
        host: &Host<T>,
    ) -> Evidence {
        let of = |rights: &Rights| match reach {
            Reach::Alone => rights.evidence(real, host),
            Reach::Below => rights.evidence_below(real, host),
        };
        let mut all = Evidence::UNRESTRICTED;
        if let Some(fs) = &self.fs {
            let mut said = of(fs);
            said.granted &= Access::FILES;
            if said.granted.contains(Access::READ) {
                said.granted |= Access::EXEC;
            }
            all = all.meet(said);
        }
        if let Some(exec) = &self.exec {
            let mut said = of(&exec.rights);
            said.granted |= Access::FILES;
            all = all.meet(said);
        }
        all
    }

    /// Whether an access to an object is admitted: evidence against decides; without any, evidence for;
    /// without either, silence refuses.
    pub(crate) fn judge(
        &self,
        subject: &Subject<'_>,
        identity: Option<&Identity>,
        access: Access,
        extent: Extent,
    ) -> Result<Ground<'_>, Refusal<'_>> {
        let mut ground = Ground::Unrestricted;
        if let Some(fs) = &self.fs {
            let mut needed = access & Access::FILES;
            if access.contains(Access::EXEC) {
                // The kernel runs what it may not read; a grant does not.
                needed |= Access::READ;
            }
            let granted = match extent {
                Extent::Contents => fs.granted(subject),
                Extent::Name | Extent::Whole => fs.granted_name(subject),
            };
            let asked = (access | needed, needed);
            ground = self.judge_table(fs, (subject, identity), granted, asked)?;
        }
        if let Some(exec) = self.exec.as_ref().filter(|_| access.contains(Access::EXEC)) {
            let exec = &exec.rights;
            let granted = exec.granted(subject);
            let asked = (Access::EXEC, Access::EXEC);
            ground = self.judge_table(exec, (subject, identity), granted, asked)?;
        }
        Ok(ground)
    }

    /// `against` is what must not be spoken against, and `needed` what must be spoken for.
    fn judge_table<'a>(
        &'a self,
        rights: &'a Rights,
        (subject, identity): (&Subject<'_>, Option<&Identity>),
        granted: First,
        (against, needed): (Access, Access),
    ) -> Result<Ground<'a>, Refusal<'a>> {
        if let Some(exclusion) = rights.exclusion(rights.denied(subject), against) {
            return Err(Refusal::Excluded {
                exclusion,
                by: Match::Name,
            });
        }
        let missing = needed - granted.access();
        if !missing.is_empty() {
            return Err(Refusal::Silence {
                layer: self,
                missing,
            });
        }
        let known = identity.and_then(|identity| rights.denied_object(identity, against));
        if let Some(exclusion) = known {
            return Err(Refusal::Excluded {
                exclusion,
                by: Match::Identity,
            });
        }
        Ok(match rights.voice(granted, needed) {
            Some(Voice::Allowance(allowance)) => Ground::Allowance(allowance),
            Some(Voice::Waypoint) => Ground::Waypoint,
            None => Ground::Unrestricted,
        })
    }
}

impl Sockets {
    /// Whether the network may be used.
    pub fn access(&self) -> NetAccess {
        self.access
    }

    /// The sockets of other programs that may be connected to.
    pub fn sockets(&self) -> &[Allowance] {
        &self.sockets
    }

    pub(crate) fn new<T: Tree>(access: NetAccess, sockets: Vec<Allowance>, host: &Host<T>) -> Self {
        let mut named = Index::for_clauses(host.names, 0, 0);
        for (number, socket) in sockets.iter().enumerate() {
            for name in socket.names() {
                // Which access does not matter: a socket is named or it is not.
                named.grant_alone(name, Access::WRITE, number);
            }
        }
        Sockets {
            access,
            sockets,
            named,
        }
    }

    pub(crate) fn allows<T: Tree>(&self, socket: &Allowance, host: &Host<T>) -> bool {
        let subject = Subject::new(socket.place().real(), host.names);
        !self.named.granted(&subject).access().is_empty()
    }
}

/// As the end of "no clause …": nothing for a lone layer.
impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.title {
            Title::Lone => Ok(()),
            Title::File(file) => write!(f, " of {}", crate::error::quoted(file)),
            Title::Number(number) => write!(f, " of layer {number}"),
        }
    }
}
