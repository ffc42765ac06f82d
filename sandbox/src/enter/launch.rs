//! Starting a confined child, on the side of whoever starts it: the launcher is started, told what to do, and
//! listened to until it has become the child or says why it has not.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process;

use objcap_object::{Host, Machine, Object, Options, path};

use crate::enter::child::Child;
use crate::enter::command::{self, Command, Prepared};
use crate::enter::entry::NotEntered;
use crate::enter::error::{LaunchError, LaunchErrorKind};
use crate::enter::inherited::Inherited;
use crate::enter::launcher;
use crate::enter::order::{self, Order, Report};
use crate::enter::plan::{Entry, backend};
use crate::sys;

/// What is started as the launcher.
#[derive(Debug)]
pub(crate) struct Launcher {
    pub(crate) program: PathBuf,
    /// What stands before the number of the descriptor that the orders come through.
    pub(crate) arguments: Vec<OsString>,
}

impl Launcher {
    /// This program, once more.
    fn own(executable: Option<PathBuf>) -> Result<Self, LaunchError> {
        if !launcher::is_called() {
            return Err(LaunchError::new(
                LaunchErrorKind::NoLauncher,
                "this program does not call `launcher()` at the beginning of its main, and cannot start itself as one",
            ));
        }
        let executable = executable.ok_or_else(|| {
            LaunchError::new(
                LaunchErrorKind::NoLauncher,
                "the system does not tell which file this program is",
            )
        })?;
        Ok(Launcher {
            program: executable,
            arguments: vec![order::ASKED.into()],
        })
    }
}

impl Command<'_, Machine> {
    /// Starts the child, confined. It is running its program when this returns; by
    /// [`Entry::SandboxExec`] that program is `sandbox-exec` at first, and whether the profile was taken shows in
    /// how the child ends.
    ///
    /// It waits for the launcher as long as that takes: what this program does before it calls
    /// [`launcher`](crate::launcher()), the launcher does too.
    ///
    /// # Errors
    /// As [`prepare`](Command::prepare); when this system has nothing to confine with; when this process is
    /// confined already; when the profile is not taken; and when the program cannot be executed under it. Nothing
    /// of the child's runs then.
    pub fn spawn(self) -> Result<Child, LaunchError> {
        let system = backend()?;
        let prepared = self.prepare()?;
        if system.is_confined() {
            return Err(NotEntered::Nested.into());
        }
        let plan = self.plan();
        match plan.entry() {
            Entry::SandboxExec => by_sandbox_exec(&prepared, self.inherited),
            Entry::Launcher => {
                let own = own_executable(plan.host)?;
                let launcher = Launcher::own(own)?;
                launch(&launcher, &prepared, plan.profile().text(), self.inherited)
            }
        }
    }

    /// Starts it and waits for its end, with its output and what it says on standard error. Unless it was given
    /// one, it has nothing on standard input.
    ///
    /// # Errors
    /// As [`spawn`](Command::spawn), and when it cannot be waited for.
    pub fn output(mut self) -> Result<process::Output, LaunchError> {
        self.inherited.streams.pipe_output();
        let waited = self.spawn()?.wait_with_output();
        waited.map_err(|error| not_started("waiting for it", error))
    }

    /// Starts it and waits for its end.
    ///
    /// # Errors
    /// As [`output`](Command::output).
    pub fn status(self) -> Result<process::ExitStatus, LaunchError> {
        let waited = self.spawn()?.wait();
        waited.map_err(|error| not_started("waiting for it", error))
    }
}

fn not_started(step: &str, error: io::Error) -> LaunchError {
    LaunchError::system(LaunchErrorKind::Start, step, error)
}

/// The file that this program was started from, by its real path. It is protected from whoever is confined.
fn own_executable(host: &Host<Machine>) -> Result<Option<PathBuf>, LaunchError> {
    let Some(path) = host.executable.as_deref() else {
        return Ok(None);
    };
    let own = command::absolute(Some(path), host)?;
    let walked = Object::walk(&host.tree, &own, &Options::default()).map_err(|error| {
        let told = format!("this program cannot be found to be started once more: {error}");
        LaunchError::caused(LaunchErrorKind::NoLauncher, told, error)
    })?;
    let real: &Path = walked.real().as_ref();
    Ok(Some(real.to_owned()))
}

fn open_folder(prepared: &Prepared) -> Result<OwnedFd, LaunchError> {
    let opened = prepared.folder.open_dir().map_err(|error| {
        let told = format!("the folder cannot be entered: {error}");
        LaunchError::caused(LaunchErrorKind::Folder, told, error)
    })?;
    sys::above_streams(opened.into()).map_err(|error| not_started("the folder's handle", error))
}

/// Starts a launcher, tells it what to do, and waits until it has become the child.
fn launch(
    launcher: &Launcher,
    prepared: &Prepared,
    text: &str,
    inherited: Inherited,
) -> Result<Child, LaunchError> {
    let folder = open_folder(prepared)?;
    let order = orders(prepared, text, &folder);
    let order = order
        .to_bytes()
        .map_err(|error| not_started("its orders", error))?;
    let pair = UnixStream::pair().and_then(|(ours, theirs)| {
        let theirs = sys::above_streams(theirs.into())?;
        Ok((ours, theirs))
    });
    let (mut orders, theirs) =
        pair.map_err(|error| not_started("a channel to the launcher", error))?;

    let mut command = process::Command::new(&launcher.program);
    command
        .args(&launcher.arguments)
        .arg(theirs.as_raw_fd().to_string())
        .env_clear()
        .current_dir("/");
    let mut shared = inherited.kept;
    shared.extend([theirs, folder]);
    inherited.streams.give(&mut command);
    sys::share(&mut command, shared, inherited.session, None)
        .map_err(|error| not_started("its descriptors", error))?;
    let spawned = command.spawn();
    // With it go the launcher's ends here, so that what it says has an end.
    drop(command);
    let mut process = spawned.map_err(|error| {
        let told = format!(
            "starting `{}`",
            path::display(launcher.program.as_os_str().as_bytes())
        );
        not_started(&told, error)
    })?;

    let mut said = Vec::new();
    // A launcher that is gone takes no orders: what it said, or that it said nothing, tells why.
    let _ = orders.write_all(&order);
    let _ = orders.shutdown(Shutdown::Write);
    // So is one that went without reading them, which the system reports as a reset.
    let _ = orders.read_to_end(&mut said);
    let reported = match Report::read(&said) {
        Some(report) => report.into_result(&prepared.program().to_string()),
        None => Err(LaunchError::new(
            LaunchErrorKind::Start,
            "the launcher ended without a word",
        )),
    };
    match reported {
        Ok(()) => Ok(Child::new(
            process,
            inherited.session,
            prepared.enforced.clone(),
        )),
        Err(error) => {
            // It ends by itself, or has hung: it runs nothing of the child's either way.
            let _ = process.kill();
            let _ = process.wait();
            Err(error)
        }
    }
}

fn orders(prepared: &Prepared, text: &str, folder: &OwnedFd) -> Order {
    let bytes = |text: &OsString| text.as_bytes().to_vec();
    let variable =
        |(name, value): (&OsString, &OsString)| [name.as_bytes(), b"=", value.as_bytes()].concat();
    Order {
        text: text.to_owned(),
        program: prepared.executed.as_os_str().as_bytes().to_vec(),
        argv: prepared.argv.iter().map(bytes).collect(),
        environment: prepared.environment.iter().map(variable).collect(),
        folder: folder.as_raw_fd(),
    }
}

/// Starts the system's own program that enters the profile.
fn by_sandbox_exec(prepared: &Prepared, inherited: Inherited) -> Result<Child, LaunchError> {
    let mut command = process::Command::new(&prepared.executed);
    command
        .args(prepared.argv.iter().skip(1))
        .env_clear()
        .envs(&prepared.environment);
    inherited.streams.give(&mut command);
    let folder = open_folder(prepared)?;
    sys::share(
        &mut command,
        inherited.kept,
        inherited.session,
        Some(folder),
    )
    .map_err(|error| not_started("its descriptors", error))?;
    let spawned = command.spawn();
    let process =
        spawned.map_err(|error| not_started("starting `/usr/bin/sandbox-exec`", error))?;
    let enforced = prepared.enforced.clone();
    Ok(Child::new(process, inherited.session, enforced))
}

#[cfg(test)]
#[path = "launch/tests.rs"]
mod tests;
