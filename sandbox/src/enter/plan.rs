//! The plan to confine: what will be enforced, what cannot be, and who accepted that.

use std::collections::BTreeSet;

use objcap_capability::{Guard, Stack};
use objcap_object::{Host, Machine, World};

use crate::enter::entry::{self, System};
use crate::enter::error::{LaunchError, LaunchErrorKind};
use crate::enter::limitation::{self, Consent, Limitation, LimitationKind};
use crate::profile::Tag;
use crate::{Error, Profile, sys};

/// A plan to confine programs by frozen grants.
///
/// It can be made for any host, a model of another system included, and shows what would be enforced. A program
/// runs, and a process is confined, on a system that has something to confine it with: today macOS. Elsewhere
/// both are an error, and nothing ever runs without.
///
/// ```
/// use objcap_capability::{Grant, Stack};
/// use objcap_object::Host;
/// use objcap_sandbox::{LimitationKind, Sandbox};
///
/// let mac = Host::stock_mac();
/// let text = b"[exec]\nallow = ['/usr/bin']\nonly = { git = ['status'] }";
/// let grant = Grant::parse("grant.toml", text, &mac.vars)?;
/// let stack = Stack::freeze(&[grant], &mac)?;
/// let plan = Sandbox::new(&stack, &mac)?;
///
/// // What git itself starts, it starts with arguments that nobody judges.
/// assert_eq!(plan.limitations()[0].kind(), LimitationKind::Arguments);
/// let plan = plan.accept(LimitationKind::Arguments);
/// let prepared = plan.command("git").arg("status").prepare()?;
/// assert_eq!(prepared.program().as_bytes(), b"/usr/bin/git");
/// assert!(plan.command("git").arg("push").prepare().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sandbox<'a, W: World> {
    pub(crate) stack: &'a Stack<W>,
    pub(crate) host: &'a Host<W>,
    profile: Profile,
    limitations: Vec<Limitation>,
    accepted: BTreeSet<LimitationKind>,
    entry: Entry,
}

/// How a child comes to be confined.
// Exhaustive: whoever chooses must know both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Entry {
    /// This program is started once more as a launcher, enters the profile, and becomes the child. The program
    /// calls [`launcher`](crate::launcher()) at the beginning of its `main`.
    #[default]
    Launcher,
    /// By `/usr/bin/sandbox-exec`, for a program whose `main` is not its author's. The profile is an argument,
    /// which everybody on the machine can read (`ps`), and no `DYLD_` variable reaches the child
    /// ([`LimitationKind::LoaderVariables`]).
    SandboxExec,
}

/// What is in force.
#[must_use = "it says what is in force, and what is not"]
#[derive(Debug, Clone)]
pub struct Enforced {
    limitations: Vec<Limitation>,
}

impl Enforced {
    /// What is not held, all of it accepted or told.
    pub fn limitations(&self) -> &[Limitation] {
        &self.limitations
    }
}

impl<'a, W: World> Sandbox<'a, W> {
    /// Plans: renders the profile of frozen grants, and finds what it cannot hold.
    ///
    /// # Errors
    /// As [`Profile::render`].
    pub fn new(stack: &'a Stack<W>, host: &'a Host<W>) -> Result<Self, Error> {
        Ok(Sandbox {
            stack,
            host,
            profile: Profile::render(stack, host)?,
            limitations: limitation::of_stack(stack, host),
            accepted: BTreeSet::new(),
            entry: Entry::Launcher,
        })
    }

    /// What will be in force.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What cannot be held.
    pub fn limitations(&self) -> &[Limitation] {
        &self.limitations
    }

    /// Accepts that a sort of thing is not held.
    #[must_use]
    pub fn accept(mut self, kind: LimitationKind) -> Self {
        self.accepted.insert(kind);
        self
    }

    /// Chooses how a child comes to be confined.
    #[must_use]
    pub fn by(mut self, entry: Entry) -> Self {
        self.entry = entry;
        self.limitations
            .retain(|one| one.kind() != LimitationKind::LoaderVariables);
        if entry == Entry::SandboxExec {
            let loader = Limitation::of(LimitationKind::LoaderVariables);
            self.limitations.push(loader);
        }
        self
    }

    /// Has what is denied carry a tag in the system's log ([`Profile::tagged`]).
    ///
    /// # Errors
    /// As [`Profile::tagged`].
    pub fn tagged(mut self, tag: &Tag) -> Result<Self, Error> {
        self.profile = self.profile.tagged(tag)?;
        Ok(self)
    }

    /// How a child comes to be confined.
    pub fn entry(&self) -> Entry {
        self.entry
    }

    pub(crate) fn guard(&self) -> Guard<'a, W> {
        Guard::new(self.host, self.stack)
    }

    /// Nothing runs while something that must be accepted is not.
    pub(crate) fn accepted(&self) -> Result<Enforced, LaunchError> {
        let open = self.limitations.iter().find(|one| {
            one.kind().consent() == Consent::Needed && !self.accepted.contains(&one.kind())
        });
        match open {
            None => Ok(Enforced {
                limitations: self.limitations.clone(),
            }),
            Some(open) => Err(LaunchError::new(
                LaunchErrorKind::Unaccepted,
                format!(
                    "{open}; to run all the same, accept `{}`",
                    open.kind().name()
                ),
            )),
        }
    }
}

impl Sandbox<'_, Machine> {
    /// Confines this process, and what it will start, for good. Descriptors that are open stay open.
    ///
    /// It is for a program that does one confined thing and ends. Whoever runs several starts children.
    ///
    /// # Errors
    /// When this system has nothing to confine with; when a limitation is not accepted; when the process is
    /// confined already; and when the system does not take the profile. The process is then as it was before.
    pub fn enter(&self) -> Result<Enforced, LaunchError> {
        let enforced = self.accepted()?;
        entry::enter(backend()?, self.profile.text())?;
        Ok(enforced)
    }
}

/// What this system confines programs with.
// Exhaustive: whoever reports it must report each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confinement {
    /// Seatbelt, and this process is not confined: it can confine its children, and itself.
    Ready,
    /// Seatbelt, and this process is confined already: it can confine nobody.
    Nested,
    /// Nothing.
    Missing,
}

impl Confinement {
    /// What the system says now.
    pub fn current() -> Self {
        match sys::backend().map(System::is_confined) {
            None => Confinement::Missing,
            Some(true) => Confinement::Nested,
            Some(false) => Confinement::Ready,
        }
    }
}

/// What confines, or the error that there is nothing.
pub(crate) fn backend() -> Result<&'static dyn System, LaunchError> {
    sys::backend().ok_or_else(|| {
        LaunchError::new(
            LaunchErrorKind::NoBackend,
            "nothing on this system can confine a program: so far it is done on macOS alone",
        )
    })
}
