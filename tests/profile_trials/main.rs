//! Mistakes of profile generators, as trials of what a profile decides: each test is named after the
//! situation and tries what is admitted first, under the same grant. A rule is tried, never looked for.
//! The guard, `Profile::explain`, and the system calls of the model Mac must say the same, the model under
//! every reading and every way in which the kernel may ask. Not here: what the guard refuses before a profile
//! is asked (`tests/guard_trials.rs`), entering a profile, and reading its denials.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod any;
mod doors;
mod git;
mod missing;
mod network;
mod order;
mod programs;
mod residuals;
mod size;
mod spelling;
mod start;
mod terminals;
mod text;
mod wide;

use std::ffi::OsStr;
use std::sync::Arc;

use objcap::capability::{Act, Error, Grant, Guard, Stack};
use objcap::object::Host;
use objcap::sandbox::{Decision, Profile};
use objcap::walk::{Leaf, path};
use objcap_support::mac::{
    Answer, Call, Choices, CloneAsks, Errno, How, LinkAsks, Mac, Name, New, Outcome, Process,
    RenameAsks, Sandbox,
};
use objcap_support::trial::{Tries, agreed};
use sbpl::ast::{Quantity, Symbol, Value};
use sbpl::{Judge, Operation, Reading, Request};

/// A grant, frozen in a model Mac, and rendered.
struct Trial {
    host: Host<Mac>,
    stack: Stack<Mac>,
    profile: Profile,
    judge: Arc<Judge>,
}

/// A stock Mac with these objects besides, which are the user's: `a/` is a folder, `a -> text` a link,
/// `a = text` a file that holds the text, everything else a file.
fn mac(objects: &[&str]) -> Mac {
    let mut mac = Mac::stock();
    for object in objects {
        let real = object.split(" -> ").next().unwrap();
        let real = real.split(" = ").next().unwrap();
        let mut made = path::trim_end(real.as_bytes());
        while mac.at(path::trim_end(path::parent(made))).is_none() {
            made = path::trim_end(path::parent(made));
        }
        match (object.split_once(" -> "), object.split_once(" = ")) {
            (Some((at, to)), _) => mac.link(at, to),
            (None, Some((at, contents))) => mac.file(at, contents),
            (None, None) if object.ends_with('/') => mac.directory(object),
            (None, None) => mac.file(object, object),
        };
        mac.give(made);
    }
    mac
}

/// The grants as their authors wrote them, a layer each, in this host.
fn try_layers(host: Host<Mac>, texts: &[&str]) -> Result<Trial, Error> {
    let parse = |text: &&str| Grant::parse("grant.toml", text.as_bytes(), &host.vars);
    let grants = texts.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let stack = Stack::freeze(&grants, &host)?;
    let profile = Profile::render(&stack, &host).unwrap();
    let judge = Judge::new(sbpl::parse(profile.text().as_bytes()).profile());
    Ok(Trial {
        host,
        stack,
        profile,
        judge: Arc::new(judge),
    })
}

fn layers(mac: &Mac, texts: &[&str]) -> Trial {
    try_layers(mac.clone().host(), texts).unwrap()
}

fn trial(mac: &Mac, text: &str) -> Trial {
    layers(mac, &[text])
}

/// The error of a grant that cannot be frozen.
fn error(mac: &Mac, text: &str) -> Error {
    try_layers(mac.clone().host(), &[text]).err().unwrap()
}

/// Every way in which the kernel may ask but three, under which no profile holds anything
/// (docs/residuals.md, G-5).
fn ways() -> Vec<Choices> {
    let lost = |choices: &Choices| {
        choices.rename == RenameAsks::Nothing
            || choices.link == LinkAsks::Create
            || choices.clone == CloneAsks::Read
    };
    let flips = Choices::flips().into_iter();
    flips.filter(|choices| !lost(choices)).collect()
}

/// A confined process and its world, under one reading and in one way.
struct Session {
    mac: Mac,
    process: Process,
    ways: String,
}

impl Session {
    fn call(&mut self, call: &Call) -> Answer {
        self.process.call(&mut self.mac, call)
    }

    /// Whether the call is done. What fails for another reason tells nothing, but for a folder that is not
    /// empty: that is found after all questions.
    #[track_caller]
    fn may(&mut self, call: &Call) -> bool {
        match self.call(call).outcome {
            Outcome::Done(_) | Outcome::Failed(Errno::NOTEMPTY) => true,
            Outcome::Refused {
                decision: Decision::Deny,
            } => false,
            other => panic!("{call:?}: {other:?} ({})", self.ways),
        }
    }

    #[track_caller]
    fn done(&mut self, call: &Call) {
        assert!(self.may(call), "{call:?} is refused ({})", self.ways);
    }

    #[track_caller]
    fn refused(&mut self, call: &Call) {
        assert!(!self.may(call), "{call:?} is done ({})", self.ways);
    }
}

impl Tries for Trial {
    /// Guard, explanation and kernel have said the same.
    #[track_caller]
    fn may(&self, act: Act, paths: &[&str]) -> bool {
        let admitted = agreed(&self.host, &self.stack, &self.profile, act, paths);
        for call in self.calls_of(act, paths) {
            assert_eq!(self.calls(&call), admitted, "{call:?}");
        }
        admitted
    }
}

impl Trial {
    /// The system calls that an act is.
    fn calls_of(&self, act: Act, paths: &[&str]) -> Vec<Call> {
        let mut names = paths.iter().map(|path| Name::from(*path));
        let name = names.next().unwrap();
        let second = names.next();
        let to = || second.clone().unwrap();
        let make = |what| Call::Make {
            name: name.clone(),
            what,
        };
        let from = name.clone();
        let leaf = Leaf::AsNamed;
        vec![match act {
            Act::Stat => stat(&name),
            Act::Read => open(&name, How::Read),
            Act::Write => open(&name, How::Create),
            Act::Exec => exec(&name, &[]),
            Act::Create => {
                let whats = [
                    New::Directory,
                    New::Fifo,
                    New::Symlink(b"/usr/bin".to_vec()),
                ];
                let mut calls: Vec<_> = whats.into_iter().map(make).collect();
                calls.push(open(&name, How::CreateNew));
                return calls;
            }
            Act::Remove => {
                let folder = self.host.tree.at(&name.path);
                let folder = folder.map(|ino| self.host.tree.kind(ino));
                match folder {
                    Some(objcap::walk::Kind::Directory) => Call::RemoveFolder(from),
                    _ => Call::Unlink(from),
                }
            }
            Act::Rename => Call::Rename { from, to: to() },
            Act::Swap => Call::Swap {
                one: from,
                other: to(),
            },
            Act::Link => Call::Link {
                from,
                to: to(),
                leaf,
            },
            Act::Clone => Call::Clone {
                from,
                to: to(),
                leaf,
            },
        }]
    }

    /// A confined process in the root, under every reading and in every way.
    #[track_caller]
    fn sessions(&self, run: impl Fn(&mut Session)) {
        for reading in Reading::ALL {
            for choices in ways() {
                run(&mut self.session(reading, choices));
            }
        }
    }

    fn session(&self, reading: Reading, choices: Choices) -> Session {
        let mac = self.host.tree.clone();
        let process = Process::unconfined(&mac, "/").confined(Sandbox {
            judge: self.judge.clone(),
            reading,
            choices,
        });
        Session {
            mac,
            process,
            ways: format!("{reading:?} {choices:?}"),
        }
    }

    /// Whether the model's kernel does it: the same under every reading and in every way.
    #[track_caller]
    fn calls(&self, call: &Call) -> bool {
        let mut said: Option<bool> = None;
        for reading in Reading::ALL {
            for choices in ways() {
                let mut session = self.session(reading, choices);
                let may = session.may(call);
                let first = *said.get_or_insert(may);
                assert_eq!(may, first, "{call:?} differs: {}", session.ways);
            }
        }
        said.unwrap()
    }

    #[track_caller]
    fn done(&self, calls: &[Call]) {
        for call in calls {
            assert!(self.calls(call), "{call:?} is refused");
        }
    }

    #[track_caller]
    fn refused(&self, calls: &[Call]) {
        for call in calls {
            assert!(!self.calls(call), "{call:?} is done");
        }
    }

    /// The question at which a call is refused, in the way that docs/seatbelt.md says.
    #[track_caller]
    fn question(&self, call: &Call) -> String {
        let mut session = self.session(Reading::FilteredFirst, Choices::default());
        let answer = session.call(call);
        let question = answer.refused();
        question.map_or_else(
            || panic!("{call:?}: {:?}", answer.outcome),
            |question| question.to_string(),
        )
    }

    /// Whether a program may be run by its name: the guard, vetoes and interpreters included, and the kernel
    /// have said the same.
    #[track_caller]
    fn runs(&self, program: &str) -> bool {
        let guard = Guard::new(&self.host, &self.stack);
        let ran = guard.exec(program, &[] as &[&OsStr]).is_ok();
        let call = exec(&Name::from(program), &[]);
        assert_eq!(self.calls(&call), ran, "{program}: the guard says {ran}");
        ran
    }

    /// What the profile says to a request, under every reading.
    #[track_caller]
    fn allows(&self, request: &Request) -> bool {
        match self.judge.settle(request).decision() {
            Decision::Allow => true,
            Decision::Deny => false,
            other => panic!("{request:?}: {other:?}"),
        }
    }

    /// What it says to an operation on a name.
    #[track_caller]
    fn decides(&self, operation: &Operation, name: &str) -> bool {
        self.allows(&about(operation, name))
    }
}

/// An operation on a name. An ioctl has a command: here the one that sets a terminal's mode.
fn about(operation: &Operation, name: &str) -> Request {
    let request = Request::new(operation.clone()).path(name);
    match operation {
        Operation::FileIoctl => {
            let command = Value::Symbol(Symbol::new("TIOCSETA").unwrap());
            request.value(Quantity::IoctlCommand, command)
        }
        _ => request,
    }
}

fn open(name: &Name, how: How) -> Call {
    Call::Open {
        name: name.clone(),
        how,
        leaf: Leaf::Follow,
    }
}

fn read(path: &str) -> Call {
    open(&Name::from(path), How::Read)
}

fn write(path: &str) -> Call {
    open(&Name::from(path), How::Create)
}

fn stat(name: &Name) -> Call {
    Call::Stat {
        name: name.clone(),
        leaf: Leaf::Follow,
    }
}

fn look(path: &str) -> Call {
    stat(&Name::from(path))
}

fn exec(name: &Name, arguments: &[&str]) -> Call {
    Call::Exec {
        name: name.clone(),
        arguments: arguments
            .iter()
            .map(|one| one.as_bytes().to_vec())
            .collect(),
    }
}

fn rename(from: &str, to: &str) -> Call {
    Call::Rename {
        from: Name::from(from),
        to: Name::from(to),
    }
}

fn make(path: &str, what: New) -> Call {
    Call::Make {
        name: Name::from(path),
        what,
    }
}

fn service(name: &str) -> Call {
    Call::LookUpService(name.to_owned())
}
