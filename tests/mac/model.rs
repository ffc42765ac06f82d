//! A trial on the model Mac: the guard is asked, and a confined process of the model makes the calls, under every
//! reading of the profile.

use std::sync::Arc;

use objcap::capability::{Act, Guard};
use objcap::object::Host;
use objcap::sandbox::{Decision, Profile};
use objcap::walk::Leaf;
use objcap_support::mac::{
    Attribute, Call, Choices, Errno, How, Mac, Name, New, Outcome, Probe, Process, Sandbox,
};
use sbpl::ast::Target;
use sbpl::{Judge, Reading};

use crate::machine::stack;
use crate::text;
use crate::trial::{Case, Made, Places};

/// Where a trial is made in the model, and the program that confines there.
const FOLDER: &str = "/private/tmp/trial/w";
const OWN: &str = "/private/tmp/trial/own/objcap";
/// What any process outside is.
const OTHERS: &str = "others";

fn places() -> Places {
    Places {
        folder: FOLDER.to_owned(),
        own: OWN.to_owned(),
        process: OTHERS.to_owned(),
    }
}

/// A stock Mac with the objects of a trial, and every program that it runs.
fn mac(case: &Case) -> Mac {
    let mut mac = Mac::stock();
    mac.directory(FOLDER);
    mac.file(OWN, "the confiner");
    mac.permit(OWN, 0o755);
    let places = places();
    let at = |name: &str| format!("{FOLDER}/{name}");
    for object in &case.made {
        match Made::read(object) {
            Made::Folder(name) => drop(mac.directory(at(name))),
            Made::Link { at: name, to } => drop(mac.link(at(name), places.fill(to))),
            Made::Second { at: name, of } => mac.link_hard(at(of), at(name)),
            Made::File(name) => drop(mac.file(at(name), name)),
        }
    }
    for step in &case.steps {
        if let [verb, program, ..] = step.words().as_slice() {
            if verb == "exec" && mac.at(program).is_none() {
                mac.file(program, "a program");
                mac.permit(program, 0o755);
            }
        }
    }
    mac.give("/private/tmp/trial");
    mac
}

fn host_of(mac: Mac) -> Host<Mac> {
    let mut host = mac.host();
    host.executable = Some(OWN.into());
    host
}

/// Asks guard and profile, and has the calls made. Where they do not say what a person wrote down, it is told.
pub(crate) fn tried(case: &Case) -> Result<(), String> {
    let places = places();
    let host = host_of(mac(case));
    let stack = stack(&host, &places.fill(&case.grant))?;
    let profile = Profile::render(&stack, &host).map_err(text)?;
    let judge = Arc::new(Judge::new(sbpl::parse(profile.text().as_bytes()).profile()));
    for reading in Reading::ALL {
        let mut mac = host.tree.clone();
        let confined = Process::unconfined(&mac, "/").confined(Sandbox {
            judge: judge.clone(),
            reading,
            choices: Choices::default(),
        });
        for step in &case.steps {
            let words = places.fill_all(step.words());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let call = call(&words).ok_or_else(|| format!("{words:?} is no call of the model"))?;
            let told = |who: &str, what: &dyn std::fmt::Debug| {
                format!("{words:?} under {reading:?}: {who} says {what:?}")
            };
            if let Some((act, paths)) = act(&words) {
                // In the world that the calls before it have left.
                let now = host_of(mac.clone());
                let guard = Guard::new(&now, &stack);
                let judged = guard.judge_act(act, paths).map_err(text)?;
                if judged.iter().all(|end| end.is_admitted()) != step.is_admitted() {
                    let reasons: Vec<_> = judged.iter().map(|end| end.reason()).collect();
                    return Err(told("the guard", &reasons));
                }
            }
            let outcome = confined.clone().call(&mut mac, &call).outcome;
            let admitted = match outcome {
                Outcome::Done(_) | Outcome::Failed(Errno::CONNREFUSED) => true,
                Outcome::Refused {
                    decision: Decision::Deny,
                } => false,
                other => return Err(told("the model", &other)),
            };
            if admitted != step.is_admitted() {
                return Err(told("the profile", &admitted));
            }
        }
    }
    Ok(())
}

/// The act of a grant that a call is, with its paths.
fn act<'a>(words: &'a [&'a str]) -> Option<(Act, &'a [&'a str])> {
    let (verb, paths) = words.split_first()?;
    let act = match *verb {
        "read" | "list" => Act::Read,
        "write" | "truncate" | "chmod" => Act::Write,
        "create" | "mkdir" => Act::Create,
        "symlink" => return Some((Act::Create, paths.get(1..)?)),
        "exec" => return Some((Act::Exec, paths.get(..1)?)),
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

/// The call of the model that the words of a child's call say.
fn call(words: &[&str]) -> Option<Call> {
    let open = |path: &str, how| Call::Open {
        name: path.into(),
        how,
        leaf: Leaf::Follow,
    };
    let stat = |path: &str, leaf| Call::Stat {
        name: path.into(),
        leaf,
    };
    let make = |path: &str, what| Call::Make {
        name: path.into(),
        what,
    };
    let leaf = Leaf::AsNamed;
    Some(match *words {
        ["read", path] => open(path, How::Read),
        ["list", path] => open(path, How::Directory),
        ["write", path] => open(path, How::Write),
        ["truncate", path] => open(path, How::Truncate),
        ["create", path] => open(path, How::CreateNew),
        ["mkdir", path] => make(path, New::Directory),
        ["symlink", text, path] => make(path, New::Symlink(text.into())),
        ["stat", path] => stat(path, Leaf::Follow),
        ["lstat", path] => stat(path, leaf),
        ["readlink", path] => Call::ReadLink(path.into()),
        ["unlink", path] => Call::Unlink(path.into()),
        ["rmdir", path] => Call::RemoveFolder(path.into()),
        ["chmod", path] => Call::Change {
            name: path.into(),
            attribute: Attribute::Mode(0o700),
            leaf: Leaf::Follow,
        },
        ["rename", from, to] => Call::Rename {
            from: from.into(),
            to: to.into(),
        },
        ["swap", one, other] => Call::Swap {
            one: one.into(),
            other: other.into(),
        },
        ["link", from, to] => Call::Link {
            from: from.into(),
            to: to.into(),
            leaf,
        },
        ["clone", from, to] => Call::Clone {
            from: from.into(),
            to: to.into(),
            leaf,
        },
        ["chdir", path] => Call::ChangeFolder(path.into()),
        ["access", path] => Call::Access(path.into(), Probe::Exists),
        ["exec", program, ref arguments @ ..] => Call::Exec {
            name: Name::from(program),
            arguments: arguments.iter().map(|word| (*word).into()).collect(),
        },
        ["bind", path] => Call::Bind(path.into()),
        ["connect", path] => Call::Connect(path.into()),
        ["tcp", address] => Call::ConnectTcp(address.parse().ok()?),
        ["resolve", _] => Call::Resolve,
        ["signal", OTHERS] => Call::Signal(Target::Others),
        _ => return None,
    })
}
