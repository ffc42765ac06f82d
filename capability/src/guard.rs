//! The guard: judges an access to the object that a name leads to.
//!
//! It walks the name, so that it judges what will be used, and says which clause decided. It does
//! not look at the profile, nor the profile at it: that the two agree is for tests to show.

mod act;
mod error;
mod exec;
mod held;
mod verdict;

use std::borrow::Cow;
use std::ffi::OsStr;

use objcap_object::{Host, Leaf, Object, Options, RealPath, World};

pub use act::{Act, End, Extent};
pub use error::GuardError;
pub use exec::{JudgedRun, Runnable};
pub use held::{Held, Includes, Read, Right, Stat, Write};
pub(crate) use verdict::cited;
pub use verdict::{Ground, Judgement, Match, Refusal, Verdict};

use crate::index::Subject;
use crate::{Access, Exclusion, Layer, Stack};

/// Frozen grants, ready to judge in the host where they were frozen.
#[derive(Debug)]
pub struct Guard<'a, W: World> {
    host: &'a Host<W>,
    stack: &'a Stack<W>,
}

impl<W: World> Clone for Guard<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Guard<'_, W> {}

impl<'a, W: World> Guard<'a, W> {
    /// A guard for grants that were frozen in this host.
    pub fn new(host: &'a Host<W>, stack: &'a Stack<W>) -> Self {
        Guard { host, stack }
    }

    /// Judges an access to what `path` leads to. A name that leads to nothing is judged by where
    /// the object would stand. What is to be run is vetoed by its own name and by those of the links that end at
    /// it; arguments and interpreters are for [`judge_exec`](Guard::judge_exec).
    ///
    /// A relative path begins at the host's current folder, here and wherever the guard is handed one.
    ///
    /// # Errors
    /// When the name cannot be walked, and when it is relative and there is no current folder.
    pub fn judge(
        &self,
        path: impl AsRef<OsStr>,
        access: Access,
    ) -> Result<Judgement<'a, W::Dir>, GuardError> {
        let end = End {
            access,
            leaf: Leaf::Follow,
            extent: Extent::Contents,
        };
        self.judge_end(path, end)
    }

    /// Judges one end of an act.
    ///
    /// # Errors
    /// As [`judge`](Guard::judge).
    pub fn judge_end(
        &self,
        path: impl AsRef<OsStr>,
        end: End,
    ) -> Result<Judgement<'a, W::Dir>, GuardError> {
        let options = Options {
            leaf: end.leaf,
            ..Options::default()
        };
        let object = self.walk(path.as_ref(), &options)?;
        Ok(self.judge_walked(object, end))
    }

    fn walk(&self, path: &OsStr, options: &Options) -> Result<Object<W::Dir>, GuardError> {
        let absolute = self.host.absolute(path);
        let absolute = absolute.ok_or_else(|| GuardError::NoFolder(path.to_owned()))?;
        Ok(Object::walk(&self.host.tree, absolute, options)?)
    }

    /// Judges every end of an act: one path for each ([`Act::ends`]).
    ///
    /// # Errors
    /// As [`judge`](Guard::judge).
    pub fn judge_act(
        &self,
        act: Act,
        paths: &[impl AsRef<OsStr>],
    ) -> Result<Vec<Judgement<'a, W::Dir>>, GuardError> {
        let ends = act.ends().iter().zip(paths);
        ends.map(|(end, path)| self.judge_end(path, *end)).collect()
    }

    /// The verdict about an object that was walked before: what [`judge_end`](Guard::judge_end) says, without
    /// the walk. It holds for what the walk found.
    pub fn verdict(&self, object: &Object<W::Dir>, end: End) -> Verdict<'a> {
        match self.decide(object, &self.shown(object), end) {
            Ok(ground) => Verdict::Admitted(ground),
            Err(refusal) => Verdict::Refused(refusal),
        }
    }

    pub(crate) fn judge_walked(&self, object: Object<W::Dir>, end: End) -> Judgement<'a, W::Dir> {
        let verdict = self.verdict(&object, end);
        let real = self.shown(&object).into_owned();
        Judgement::new(object, real, end.access, verdict)
    }

    /// The path under which the system presents an object.
    fn shown<'o>(&self, object: &'o Object<W::Dir>) -> Cow<'o, RealPath> {
        let real = object.real();
        match &self.host.data_prefix {
            Some(prefix) if real.is_within(prefix) => Cow::Owned(self.host.presented(real.clone())),
            _ => Cow::Borrowed(real),
        }
    }

    pub(crate) fn decide(
        &self,
        object: &Object<W::Dir>,
        real: &RealPath,
        end: End,
    ) -> Result<Ground<'a>, Refusal<'a>> {
        self.pass_links(object)?;
        let subject = Subject::new(real, self.host.names);
        let identity = object.identity();
        self.refuse_own(&subject, identity.as_ref(), end.access)
            .map_err(|refusal| refusal.respelled(real))?;
        let making = object.kind().is_none() && end.access.contains(Access::WRITE);
        let extent = match end.extent {
            Extent::Contents if making => Extent::Name,
            extent => extent,
        };
        let mut ground = Ground::Unrestricted;
        for layer in self.stack.layers() {
            let said = layer.judge(&subject, identity.as_ref(), end.access, extent);
            match said.map_err(|refusal| refusal.respelled(real))? {
                Ground::Unrestricted => {}
                said => ground = said,
            }
        }
        if end.access.contains(Access::EXEC) {
            if let Some(veto) = self.vetoed(exec::names(object, real)) {
                return Err(veto);
            }
        }
        if extent == Extent::Whole && self.holds_the_data_volume(real) {
            // What is presented in the root comes along.
            let root = RealPath::root();
            let root = Subject::new(&root, self.host.names);
            for layer in self.stack.layers() {
                layer.judge(&root, None, end.access, extent)?;
            }
        }
        if making || extent == Extent::Whole {
            if let Some(exclusion) = self.held_in_place(&subject) {
                return Err(if making {
                    Refusal::Ancestor(exclusion)
                } else {
                    Refusal::Holder(exclusion)
                });
            }
        }
        Ok(ground)
    }

    /// Whether the data volume's root is this or lies below it. The root itself is judged as what it is.
    fn holds_the_data_volume(&self, real: &RealPath) -> bool {
        let data = self.host.data_prefix.as_ref();
        real.depth() > 0 && data.is_some_and(|data| self.host.is_within(data, real))
    }

    /// Each link of a walk must be one that may be looked at. The kernel asks the same of each.
    fn pass_links(&self, object: &Object<W::Dir>) -> Result<(), Refusal<'a>> {
        if !self.stack.restricts_files() {
            return Ok(());
        }
        for link in object.links().filter_map(|link| RealPath::new(link.at())) {
            let at = self.host.presented(link);
            let subject = Subject::new(&at, self.host.names);
            for layer in self.stack.layers() {
                if let Err(because) = layer.judge(&subject, None, Access::STAT, Extent::Contents) {
                    let because = Box::new(because.respelled(&at));
                    return Err(Refusal::Link { at, because });
                }
            }
        }
        Ok(())
    }

    /// The program's own files are refused for writing before any grant is asked.
    fn refuse_own(
        &self,
        subject: &Subject<'_>,
        identity: Option<&objcap_object::Identity>,
        access: Access,
    ) -> Result<(), Refusal<'a>> {
        let own = self.stack.own_rights();
        let write = access & Access::WRITE;
        if write.is_empty() {
            return Ok(());
        }
        let by_name = own.exclusion(own.denied(subject), write);
        let by_identity = || own.denied_object(identity?, write);
        match (by_name, by_identity()) {
            (Some(exclusion), _) => Err(Refusal::Excluded {
                exclusion,
                by: Match::Name,
            }),
            (None, Some(exclusion)) => Err(Refusal::Excluded {
                exclusion,
                by: Match::Identity,
            }),
            (None, None) => Ok(()),
        }
    }

    /// An exclusion that would go with the object, or come to mean another, if the object went.
    fn held_in_place(&self, subject: &Subject<'_>) -> Option<&'a Exclusion> {
        let layers = self.stack.layers().iter().filter_map(Layer::fs);
        let mut tables = layers.chain([self.stack.own_rights()]);
        tables.find_map(|table| table.held(subject, Access::WRITE))
    }
}
