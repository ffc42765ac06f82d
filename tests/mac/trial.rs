//! One trial: objects in a folder, a grant about them, and calls with the verdict that a person wrote down. The guard
//! and the rendered profile of a model Mac are asked on every system; the kernel, on a Mac.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use objcap::capability::{Act, Grant, Guard, Stack};
use objcap::object::{Host, Machine, Memory, World};
use objcap::sandbox::{Decision, Entry, LimitationKind, Profile, Sandbox, act_requests};

use crate::act::ACT;

/// A trial.
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    /// The grant; `{}` is the folder, `{own}` this program.
    pub(crate) grant: &'static str,
    /// `a/` is a folder, `a -> b` a link with that text, `a == b` a second name of `b`, everything else a file.
    pub(crate) made: &'static [&'static str],
    pub(crate) steps: &'static [Step],
}

/// A call, and whether it is admitted.
// Exhaustive: a verdict is one of two.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    May(&'static str),
    MayNot(&'static str),
}

impl Step {
    fn words(self) -> &'static str {
        match self {
            Step::May(words) | Step::MayNot(words) => words,
        }
    }

    fn is_admitted(self) -> bool {
        matches!(self, Step::May(_))
    }
}

/// A folder of the model, and the program that confines there.
const MODEL: (&str, &str) = ("/private/tmp/trial", "/usr/local/bin/objcap");

fn filled(text: &str, folder: &str, own: &str) -> String {
    text.replace("{own}", own).replace("{}", folder)
}

fn words(step: Step, folder: &str, own: &str) -> Vec<String> {
    let words = step.words().split(' ');
    words.map(|word| filled(word, folder, own)).collect()
}

impl Trial {
    /// Asks guard and profile of a model Mac, as far as the calls are acts of a grant. What they say that a person
    /// did not is told.
    pub(crate) fn on_the_model(&self) -> Result<(), String> {
        let (folder, own) = MODEL;
        let mut mac = Host::stock_mac();
        mac.tree.directory(folder);
        for object in self.made {
            make_in_model(&mut mac.tree, folder, object);
        }
        let grant = filled(self.grant, folder, own);
        let grant = Grant::parse("trial.toml", grant.as_bytes(), &mac.vars).map_err(text)?;
        let stack = Stack::freeze(&[grant], &mac).map_err(text)?;
        let profile = Profile::render(&stack, &mac).map_err(text)?;
        let guard = Guard::new(&mac, &stack);
        for step in self.steps {
            let words = words(*step, folder, own);
            let Some((act, paths)) = act_of(&words) else {
                continue;
            };
            let judged = guard.judge_act(act, paths).map_err(text)?;
            let admitted = judged.iter().all(|end| end.is_admitted());
            let objects: Vec<_> = judged.iter().map(|end| end.object()).collect();
            let explained = profile.explain(&act_requests(act, &objects, &mac));
            let allowed = explained.settled() == Some(Decision::Allow);
            if admitted != step.is_admitted() || allowed != step.is_admitted() {
                return Err(format!(
                    "{words:?}: the guard admits: {admitted}, the profile allows: {:?}",
                    explained.settled()
                ));
            }
        }
        Ok(())
    }

    /// Has a confined child make each call on this machine.
    pub(crate) fn on_this_machine(&self, entry: Entry) -> Result<(), String> {
        let scratch = tempfile::tempdir().map_err(text)?;
        let folder = fs::canonicalize(scratch.path()).map_err(text)?;
        for object in self.made {
            make(&folder, object).map_err(text)?;
        }
        let host = Host::ambient().map_err(text)?;
        let own = host.executable.clone().ok_or("this program has no name")?;
        let (folder, own) = (folder.display().to_string(), own.display().to_string());
        let stack = stack(&host, &filled(self.grant, &folder, &own))?;
        let plan = plan(&stack, &host, entry)?;
        for step in self.steps {
            let words = words(*step, &folder, &own);
            let said = ask(&plan, &own, &words)?;
            let expected = match step.is_admitted() {
                true => "ok",
                false => "EPERM",
            };
            if said != expected {
                return Err(format!("{words:?}: {said}, and not {expected}"));
            }
        }
        Ok(())
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
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
    // cargo gives what it builds a second name.
    let plan = plan.accept(LimitationKind::SecondNames);
    Ok(plan.accept(LimitationKind::LoaderVariables))
}

/// What a confined child says of a call.
pub(crate) fn ask(
    plan: &Sandbox<'_, Machine>,
    own: &str,
    words: &[String],
) -> Result<String, String> {
    let child = plan.command(own).arg(ACT).args(words).current_dir("/");
    let output = child.output().map_err(text)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!(
            "{words:?}: {}, {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// The act of a grant that a call is, with its paths.
fn act_of(words: &[String]) -> Option<(Act, &[String])> {
    let (verb, paths) = words.split_first()?;
    let act = match verb.as_str() {
        "read" | "list" => Act::Read,
        "write" | "truncate" => Act::Write,
        "create" | "mkdir" => Act::Create,
        "stat" => Act::Stat,
        "unlink" | "rmdir" => Act::Remove,
        "rename" => Act::Rename,
        "swap" => Act::Swap,
        "link" => Act::Link,
        "clone" => Act::Clone,
        _ => return None,
    };
    Some((act, paths))
}

fn make_in_model(tree: &mut Memory, folder: &str, object: &str) {
    let at = |name: &str| format!("{folder}/{name}");
    if let Some((name, to)) = object.split_once(" -> ") {
        tree.link(at(name), filled(to, folder, ""));
    } else if let Some((name, of)) = object.split_once(" == ") {
        tree.link_hard(at(of), at(name));
    } else if let Some(name) = object.strip_suffix('/') {
        tree.directory(at(name));
    } else {
        tree.file(at(object));
    }
}

/// Makes an object of a trial in a folder of this machine.
pub(crate) fn make(folder: &Path, object: &str) -> std::io::Result<()> {
    let shown = folder.display().to_string();
    if let Some((name, to)) = object.split_once(" -> ") {
        symlink(filled(to, &shown, ""), folder.join(name))
    } else if let Some((name, of)) = object.split_once(" == ") {
        fs::hard_link(folder.join(of), folder.join(name))
    } else if let Some(name) = object.strip_suffix('/') {
        fs::create_dir_all(folder.join(name))
    } else {
        let path = folder.join(object);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, object)
    }
}
