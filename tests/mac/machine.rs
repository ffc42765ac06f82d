//! A trial on this machine: its objects are made in a folder of its own, and a child makes the calls. On a Mac the child
//! is confined; everywhere it is tried unconfined, for a call that fails anyway shows nothing when it is refused.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use objcap::capability::{Grant, Stack};
use objcap::object::{Host, Machine, World};
use objcap::sandbox::{Confinement, Entry, LimitationKind, Sandbox};

use crate::act::ACT;
use crate::text;
use crate::trial::{Case, Made, Places};

/// A folder for the objects of a trial, and beside it a copy of this program, which confines and is confined: what a
/// profile fails to hold is the copy's loss.
pub(crate) struct Scratch {
    scratch: tempfile::TempDir,
    pub(crate) places: Places,
    outside: Child,
}

impl Scratch {
    pub(crate) fn new() -> io::Result<Self> {
        let scratch = tempfile::tempdir()?;
        let root = fs::canonicalize(scratch.path())?;
        let (folder, own) = (root.join("w"), root.join("own/objcap"));
        fs::create_dir(&folder)?;
        fs::create_dir(root.join("own"))?;
        let mut sleeper = Command::new("/bin/sleep");
        let outside = sleeper.arg("3600").stdin(Stdio::null()).spawn()?;
        let scratch = Scratch {
            scratch,
            places: Places {
                folder: folder.display().to_string(),
                own: own.display().to_string(),
                process: outside.id().to_string(),
            },
            outside,
        };
        scratch.make(&[])?;
        Ok(scratch)
    }

    /// The system as it is, but that its confiner is the copy.
    pub(crate) fn host(&self) -> Result<Host<Machine>, String> {
        let mut host = Host::ambient().map_err(text)?;
        host.executable = Some(self.places.own.clone().into());
        Ok(host)
    }

    /// Makes these objects, where there is nothing or what calls have left.
    pub(crate) fn make(&self, objects: &[String]) -> io::Result<()> {
        if fs::symlink_metadata(&self.places.own).is_err() {
            fs::copy(env::current_exe()?, &self.places.own)?;
        }
        let folder = self.scratch.path().join("w");
        fs::remove_dir_all(&folder)?;
        fs::create_dir(&folder)?;
        for object in objects {
            make(&folder, object, &self.places)?;
        }
        Ok(())
    }

    /// What a child of this program says of a call that it makes unconfined.
    pub(crate) fn unconfined(&self, words: &[String]) -> Result<String, String> {
        let mut child = Command::new(&self.places.own);
        let child = child.arg(ACT).args(words).current_dir("/");
        said(words, &child.output().map_err(text)?)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It has ended, or ends now.
        let _ = self.outside.kill();
        let _ = self.outside.wait();
    }
}

fn make(folder: &Path, object: &str, places: &Places) -> io::Result<()> {
    match Made::read(object) {
        Made::Folder(name) => fs::create_dir_all(folder.join(name)),
        Made::Link { at, to } => symlink(places.fill(to), folder.join(at)),
        Made::Second { at, of } => fs::hard_link(folder.join(of), folder.join(at)),
        Made::File(name) => {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, name)
        }
    }
}

pub(crate) fn stack<W: World>(host: &Host<W>, grant: &str) -> Result<Stack<W>, String> {
    let grant = Grant::parse("trial.toml", grant.as_bytes(), &host.vars).map_err(text)?;
    Stack::freeze(&[grant], host).map_err(text)
}

pub(crate) fn plan<'a>(
    stack: &'a Stack<Machine>,
    host: &'a Host<Machine>,
    entry: Entry,
) -> Result<Sandbox<'a, Machine>, String> {
    let plan = Sandbox::new(stack, host).map_err(text)?.by(entry);
    Ok(plan.accept(LimitationKind::LoaderVariables))
}

/// What a confined child says of a call.
pub(crate) fn ask(
    plan: &Sandbox<'_, Machine>,
    own: &str,
    words: &[String],
) -> Result<String, String> {
    let child = plan.command(own).arg(ACT).args(words).current_dir("/");
    said(words, &child.output().map_err(text)?)
}

fn said(words: &[String], output: &std::process::Output) -> Result<String, String> {
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!(
            "{words:?}: {}, {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// What a call that a profile refuses comes to (docs/seatbelt.md, section 3).
pub(crate) const REFUSED: &str = "EPERM";

/// Has a confined child make each call.
pub(crate) fn confined(case: &Case, entry: Entry) -> Result<(), String> {
    let scratch = Scratch::new().map_err(text)?;
    scratch.make(&case.made).map_err(text)?;
    let host = scratch.host()?;
    let stack = stack(&host, &scratch.places.fill(&case.grant))?;
    let plan = plan(&stack, &host, entry)?;
    for step in &case.steps {
        let words = scratch.places.fill_all(step.words());
        let said = ask(&plan, &scratch.places.own, &words)?;
        let expected = match step.is_admitted() {
            true => "ok",
            false => REFUSED,
        };
        if said != expected {
            return Err(format!("{words:?}: {said}, and not {expected}"));
        }
    }
    Ok(())
}

/// Has an unconfined child make each refused call, in the world that the admitted ones before it leave: nothing but a
/// profile refuses it, and on a Mac it is done, or finds nobody at a socket or a program that runs.
pub(crate) fn unconfined(case: &Case) -> Result<(), String> {
    let is_done = |said: &str| match Confinement::current() {
        Confinement::Ready => matches!(said, "ok" | "ECONNREFUSED" | "ETXTBSY"),
        _ => said != REFUSED,
    };
    let scratch = Scratch::new().map_err(text)?;
    for (at, step) in case.steps.iter().enumerate() {
        if step.is_admitted() {
            continue;
        }
        scratch.make(&case.made).map_err(text)?;
        let before = case.steps.iter().take(at).filter(|step| step.is_admitted());
        for step in before.chain([step]) {
            let words = scratch.places.fill_all(step.words());
            let said = scratch.unconfined(&words)?;
            if !is_done(&said) {
                return Err(format!("{words:?} without a profile: {said}"));
            }
        }
    }
    Ok(())
}
