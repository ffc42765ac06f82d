//! What a call does to the file system and to its process, once everything it asked is allowed.

use objcap_walk::{Kind, Owner};

use super::answer::{Effect, Program};
use super::build::MODE;
use super::folder::Folder;
use super::node::{Body, Bytes};
use super::process::{Descriptor, Rights};
use super::{Attribute, Fd, Ino, Mac, Process};

/// A name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) folder: Ino,
    pub(super) name: Vec<u8>,
}

impl Spot {
    pub(super) fn new(folder: Ino, name: &[u8]) -> Self {
        Spot {
            folder,
            name: name.to_vec(),
        }
    }
}

/// What is made.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Folder,
    File,
    Link(Bytes),
    Other(Kind),
}

/// What a call does.
#[derive(Debug)]
pub(super) enum Act {
    Nothing(Effect),
    Open {
        descriptor: Descriptor,
        empty: bool,
    },
    Make {
        spot: Spot,
        made: Made,
        open: Option<Rights>,
    },
    /// Gives an object another name.
    Name(Ino, Spot),
    Clone(Ino, Spot),
    Move(Spot, Spot),
    Swap([Spot; 2], [Ino; 2]),
    /// Exchanges what two files hold.
    Exchange([Ino; 2]),
    Remove(Spot),
    /// Puts this in a file.
    Fill(Ino, Bytes),
    Change(Ino, Attribute),
    Enter(Ino),
    Run(Program),
    Close(Fd),
}

impl Act {
    pub(super) fn perform(self, mac: &mut Mac, process: &mut Process) -> Effect {
        match self {
            Act::Nothing(effect) => return effect,
            Act::Open { descriptor, empty } => {
                if empty {
                    mac.fill(descriptor.ino, Bytes::from(&b""[..]));
                }
                return Effect::Opened(process.open(descriptor));
            }
            Act::Make { spot, made, open } => {
                let ino = mac.make_new(&spot, made);
                return match open {
                    None => Effect::Reached(ino),
                    Some(rights) => Effect::Opened(process.open(Descriptor {
                        ino,
                        rights,
                        opened: (spot.folder, spot.name.into()),
                    })),
                };
            }
            Act::Name(ino, spot) => mac.put(spot.folder, &spot.name, ino),
            Act::Clone(ino, spot) => return Effect::Reached(mac.copy(ino, &spot, None)),
            Act::Move(old, new) => {
                if let Some(ino) = mac.take(old.folder, &old.name) {
                    mac.put(new.folder, &new.name, ino);
                }
            }
            Act::Swap([one, other], [first, second]) => {
                mac.put_as_stored(&one, second);
                mac.put_as_stored(&other, first);
            }
            Act::Exchange([one, other]) => {
                let held = [one, other].map(|ino| mac.contents(ino).cloned());
                if let [Some(first), Some(second)] = held {
                    mac.fill(one, second);
                    mac.fill(other, first);
                }
            }
            Act::Remove(spot) => {
                mac.take(spot.folder, &spot.name);
            }
            Act::Fill(ino, bytes) => mac.fill(ino, bytes),
            Act::Change(ino, attribute) => {
                let node = mac.node_mut(ino);
                node.touch(attribute);
                if let Attribute::Mode(mode) = attribute {
                    node.mode = mode;
                }
            }
            Act::Enter(ino) => process.cwd = ino,
            Act::Run(program) => {
                process.program = Some(program.clone());
                return Effect::Running(program);
            }
            Act::Close(fd) => process.descriptors[fd.0] = None,
        }
        Effect::None
    }
}

impl Mac {
    fn fill(&mut self, ino: Ino, bytes: Bytes) {
        if let Body::File(held) = &mut self.node_mut(ino).body {
            *held = bytes;
        }
    }

    fn put_as_stored(&mut self, spot: &Spot, ino: Ino) {
        let stored = self.entry(spot.folder, &spot.name);
        let name = stored.map(|entry| Bytes::clone(&entry.name));
        self.put(spot.folder, name.as_deref().unwrap_or(&spot.name), ino);
    }

    fn make_new(&mut self, spot: &Spot, made: Made) -> Ino {
        let body = match made {
            Made::Folder => {
                let rule = self.rule(spot.folder);
                Body::Folder(Folder::new(rule, spot.folder, &spot.name))
            }
            Made::File => Body::File(Bytes::from(&b""[..])),
            Made::Link(text) => Body::Link(text),
            Made::Other(kind) => Body::Other(kind),
        };
        self.make_as(spot.folder, &spot.name, body, Owner::User)
    }

    /// Copies an object and all below it. What is copied is the user's and keeps its mode; a mount
    /// below it is left out.
    fn copy(&mut self, ino: Ino, spot: &Spot, copy: Option<Ino>) -> Ino {
        let node = self.node(ino);
        let mode = node.mode;
        let below: Vec<_> = node
            .folder()
            .map(|folder| folder.entries().to_vec())
            .unwrap_or_default();
        let body = match &node.body {
            Body::Folder(_) => {
                Body::Folder(Folder::new(self.rule(spot.folder), spot.folder, &spot.name))
            }
            other => other.clone(),
        };
        let made = self.make_as(spot.folder, &spot.name, body, Owner::User);
        if mode != MODE {
            self.node_mut(made).mode = mode;
        }
        // Behind a firmlink the copy may come to stand below what is copied, and is no part of that.
        let copy = copy.unwrap_or(made);
        for entry in below.iter().filter(|entry| entry.ino != copy) {
            self.copy(entry.ino, &Spot::new(made, &entry.name), Some(copy));
        }
        made
    }
}
