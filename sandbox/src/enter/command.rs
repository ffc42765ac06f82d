//! One confined child, put together as with [`std::process::Command`], and all that can be wrong with it found
//! before anything is started.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use objcap_capability::{Access, GuardError, Runnable};
use objcap_object::{Dir, Host, Kind, Object, RealPath, World, path};

use crate::enter::error::{LaunchError, LaunchErrorKind};
use crate::enter::inherited::{Inherited, Session};
use crate::enter::plan::{Enforced, Entry, Sandbox};

/// A child that will be confined.
///
/// It differs from std's in what it has by default: an empty environment, no descriptor above 2, and a session
/// of its own, without a terminal.
#[must_use = "nothing runs until it is spawned"]
#[derive(Debug)]
pub struct Command<'p, W: World> {
    plan: &'p Sandbox<'p, W>,
    program: OsString,
    arguments: Vec<OsString>,
    environment: BTreeMap<OsString, OsString>,
    folder: Option<PathBuf>,
    pub(crate) inherited: Inherited,
}

/// The most bytes of arguments and environment that one program can be started with (`ARG_MAX`; docs/seatbelt.md,
/// section 6), less what the kernel puts beside them.
const ARGUMENTS_MAX: usize = (1 << 20) - (16 << 10);

/// The system's own program that enters a profile.
const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// A child of which everything is known and judged, and nothing has started.
#[derive(Debug)]
pub struct Prepared<D = Dir> {
    runnable: Runnable<D>,
    pub(crate) argv: Vec<OsString>,
    pub(crate) executed: PathBuf,
    pub(crate) environment: BTreeMap<OsString, OsString>,
    pub(crate) folder: Object<D>,
    pub(crate) enforced: Enforced,
}

impl<D> Prepared<D> {
    /// The real path of the file that will run.
    pub fn program(&self) -> &RealPath {
        self.runnable.real()
    }

    /// What interprets it, when it is a script.
    pub fn interpreters(&self) -> &[RealPath] {
        self.runnable.interpreters()
    }

    /// The file that is executed: the program, or `sandbox-exec`.
    pub fn executed(&self) -> &Path {
        &self.executed
    }

    /// The arguments that it is executed with, the first of which is its name.
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }

    /// The child's environment.
    pub fn environment(&self) -> &BTreeMap<OsString, OsString> {
        &self.environment
    }

    /// The real path of the child's current folder.
    pub fn folder(&self) -> &RealPath {
        self.folder.real()
    }

    /// What will be in force.
    pub fn enforced(&self) -> &Enforced {
        &self.enforced
    }
}

impl<'a, W: World> Sandbox<'a, W> {
    /// The child that is to run a program, found and judged as [`Guard::exec`](objcap_capability::Guard::exec) does;
    /// a relative path with a slash begins at the child's folder.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command<'_, W> {
        Command::new(self, program.as_ref())
    }
}

impl<'p, W: World> Command<'p, W> {
    fn new(plan: &'p Sandbox<'p, W>, program: &OsStr) -> Self {
        Command {
            plan,
            program: program.to_owned(),
            arguments: Vec::new(),
            environment: BTreeMap::new(),
            folder: None,
            inherited: Inherited::default(),
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let arguments = arguments.into_iter();
        self.arguments
            .extend(arguments.map(|one| one.as_ref().to_owned()));
        self
    }

    /// Sets a variable of the child's environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let (name, value) = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.insert(name, value);
        self
    }

    /// Sets variables of the child's environment: all of this process's, by [`std::env::vars_os`].
    pub fn envs(
        mut self,
        variables: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
    ) -> Self {
        for (name, value) in variables {
            self = self.env(name, value);
        }
        self
    }

    /// Removes a variable that was set.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.remove(name.as_ref());
        self
    }

    /// The child's current folder; the host's, where it is not given.
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Some(folder.as_ref().to_owned());
        self
    }

    /// The child's standard input.
    pub fn stdin(mut self, input: impl Into<Stdio>) -> Self {
        self.inherited.streams.input = Some(input.into());
        self
    }

    /// The child's standard output.
    pub fn stdout(mut self, output: impl Into<Stdio>) -> Self {
        self.inherited.streams.output = Some(output.into());
        self
    }

    /// The child's standard error.
    pub fn stderr(mut self, error: impl Into<Stdio>) -> Self {
        self.inherited.streams.error = Some(error.into());
        self
    }

    /// The session that the child belongs to.
    pub fn session(mut self, session: Session) -> Self {
        self.inherited.session = session;
        self
    }

    /// Hands a descriptor on, under the number that it has in this process.
    pub fn keep(mut self, descriptor: impl Into<OwnedFd>) -> Self {
        self.inherited.kept.push(descriptor.into());
        self
    }

    pub(crate) fn plan(&self) -> &'p Sandbox<'p, W> {
        self.plan
    }

    /// Finds and judges all of it, and starts nothing.
    ///
    /// # Errors
    /// When a limitation is not accepted; when the guard refuses the program or does not find it or what
    /// interprets it; when a text has a NUL, or a variable no name; when it is more than the system takes; and when
    /// the folder is none, or may not be looked at.
    pub fn prepare(&self) -> Result<Prepared<W::Dir>, LaunchError> {
        let enforced = self.plan.accepted()?;
        self.spelled()?;
        let folder = self.find_folder()?;
        let program = self.seen_from(folder.real());
        let runnable = self.plan.guard().exec(program, &self.arguments)?;
        let (executed, argv) = self.executed(&runnable);
        let texts = argv.iter().map(|one| one.len());
        let variables = self.environment.iter();
        let variables = variables.map(|(name, value)| name.len() + value.len() + 1);
        // Each is terminated, and pointed at.
        let bytes: usize = texts.chain(variables).map(|bytes| bytes + 9).sum();
        if bytes > ARGUMENTS_MAX {
            return Err(LaunchError::new(
                LaunchErrorKind::TooLong,
                format!(
                    "{bytes} bytes of arguments and environment, more than the {ARGUMENTS_MAX} that a program can be started with"
                ),
            ));
        }
        Ok(Prepared {
            runnable,
            argv,
            executed,
            environment: self.environment.clone(),
            folder,
            enforced,
        })
    }

    /// The program's name, or path from the root: a relative one begins where the child does, as after chdir(2) in a
    /// child of std's.
    fn seen_from(&self, folder: &RealPath) -> PathBuf {
        let folder: &Path = folder.as_ref();
        match self.program.as_encoded_bytes().contains(&b'/') {
            true => folder.join(&self.program),
            false => PathBuf::from(&self.program),
        }
    }

    /// What is executed, and with which arguments.
    fn executed(&self, runnable: &Runnable<W::Dir>) -> (PathBuf, Vec<OsString>) {
        let program: &Path = runnable.real().as_ref();
        match self.plan.entry() {
            Entry::Launcher => {
                let argv = [self.program.clone()].into_iter();
                let argv = argv.chain(self.arguments.iter().cloned());
                (program.to_owned(), argv.collect())
            }
            Entry::SandboxExec => {
                let text = self.plan.profile().text();
                let before = [SANDBOX_EXEC, "-p", text].map(OsString::from);
                let argv = before.into_iter().chain([program.into()]);
                let arguments = self.arguments.iter().cloned();
                (SANDBOX_EXEC.into(), argv.chain(arguments).collect())
            }
        }
    }

    /// No text has what the system would end it at.
    fn spelled(&self) -> Result<(), LaunchError> {
        let invalid = |what: &str, text: &OsStr, why: &str| {
            let told = format!("{what} {text:?} {why}");
            LaunchError::new(LaunchErrorKind::Invalid, told)
        };
        let has_nul = |text: &OsStr| text.as_encoded_bytes().contains(&0);
        if has_nul(&self.program) {
            return Err(invalid("the program", &self.program, "has a NUL"));
        }
        if let Some(argument) = self.arguments.iter().find(|one| has_nul(one)) {
            return Err(invalid("the argument", argument, "has a NUL"));
        }
        for (name, value) in &self.environment {
            let bytes = name.as_encoded_bytes();
            if bytes.is_empty() || bytes.contains(&b'=') || has_nul(name) {
                return Err(invalid("the variable", name, "is no name of one"));
            }
            if has_nul(value) {
                return Err(invalid("the variable", name, "has a NUL in its value"));
            }
        }
        Ok(())
    }

    fn find_folder(&self) -> Result<Object<W::Dir>, LaunchError> {
        let Sandbox { host, .. } = self.plan;
        let folder = absolute(self.folder.as_deref(), host)?;
        let judged = self.plan.guard().judge(&folder, Access::STAT);
        let judged = judged.map_err(|error| {
            let told = format!(
                "the folder `{}` cannot be entered: {error}",
                path::display(folder.as_os_str().as_encoded_bytes())
            );
            LaunchError::caused(LaunchErrorKind::Folder, told, error)
        })?;
        let refused = |why: &str| {
            let told = format!("the folder `{}` cannot be entered: {why}", judged.real());
            LaunchError::new(LaunchErrorKind::Folder, told)
        };
        if !judged.is_admitted() {
            return Err(refused(&judged.reason()));
        }
        match judged.object().kind() {
            Some(Kind::Directory) => Ok(judged.into_object()),
            Some(_) => Err(refused("it is no folder")),
            None => Err(refused("nothing stands there")),
        }
    }
}

/// The folder that a path means, or the host's.
pub(crate) fn absolute<W>(folder: Option<&Path>, host: &Host<W>) -> Result<PathBuf, LaunchError> {
    let found = match folder {
        Some(folder) => host
            .absolute(folder.as_os_str())
            .map(|path| PathBuf::from(path.into_owned())),
        None => host.vars.cwd.clone(),
    };
    found.ok_or_else(|| {
        LaunchError::new(
            LaunchErrorKind::Folder,
            "there is no current folder to run it in",
        )
    })
}

impl From<GuardError> for LaunchError {
    fn from(error: GuardError) -> Self {
        let kind = match &error {
            GuardError::NotFound(_) | GuardError::Absent(_) | GuardError::NoInterpreter { .. } => {
                LaunchErrorKind::NotFound
            }
            GuardError::Walk(walk) if walk.kind() == objcap_object::ErrorKind::NotFound => {
                LaunchErrorKind::NotFound
            }
            _ => LaunchErrorKind::Refused,
        };
        let told = format!("it does not run: {error}");
        LaunchError::caused(kind, told, error)
    }
}
