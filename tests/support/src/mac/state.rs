//! States: what two model Macs have in common when nothing that a process can do tells them apart.
//! An enumeration keeps the states that it has seen.

use std::collections::HashMap;

use objcap_walk::{Kind, Owner};

use super::node::Body;
use super::{Ino, Mac, Process};

/// A Mac, and processes in it, in a form that does not depend on the numbers of objects, nor on what
/// no name and no descriptor leads to. Equal states have equal futures, as long as profile and
/// choices are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(Box<[u8]>);

struct Writer<'a, F> {
    mac: &'a Mac,
    tag: F,
    text: Vec<u8>,
    numbers: HashMap<Ino, u32>,
}

impl State {
    /// The state of a Mac and of these processes, in this order. `tag` is what else there is to know
    /// of an object: which one it was at entry, say. Where that does not matter, a constant.
    pub fn new(mac: &Mac, processes: &[&Process], tag: impl Fn(Ino) -> u64) -> Self {
        let mut writer = Writer {
            mac,
            tag,
            text: Vec::new(),
            numbers: HashMap::new(),
        };
        writer.object(mac.root);
        for process in processes {
            writer.process(process);
        }
        State(writer.text.into())
    }
}

impl<F: Fn(Ino) -> u64> Writer<'_, F> {
    fn object(&mut self, ino: Ino) {
        let next = self.numbers.len() as u32;
        if let Some(number) = self.numbers.get(&ino) {
            self.text.push(b'=');
            self.text.extend(number.to_le_bytes());
            return;
        }
        self.numbers.insert(ino, next);
        let node = self.mac.node(ino);
        self.text.push(match node.owner {
            Owner::User => b'u',
            Owner::System => b's',
        });
        self.text.extend(node.mode.to_le_bytes());
        self.text.push(node.touched);
        self.text.push(node.volume);
        self.text.extend((self.tag)(ino).to_le_bytes());
        match &node.body {
            Body::Folder(folder) => {
                self.text.push(b'(');
                for entry in folder.entries() {
                    self.bytes(&entry.name);
                    self.object(self.mac.uncovered(entry.ino));
                }
                self.text.push(b')');
            }
            Body::File(bytes) => {
                self.text.push(b'f');
                self.bytes(bytes);
            }
            Body::Link(text) => {
                self.text.push(b'l');
                self.bytes(text);
            }
            Body::Other(kind) => self.text.push(match kind {
                Kind::Fifo => b'p',
                Kind::Socket => b'S',
                Kind::CharDevice => b'c',
                Kind::BlockDevice => b'b',
                _ => b'?',
            }),
        }
    }

    fn process(&mut self, process: &Process) {
        self.text.push(b'{');
        self.text.push(u8::from(process.sandbox.is_some()));
        self.text.push(process.terminal as u8);
        self.folder(process.cwd);
        for (fd, open) in process.descriptors() {
            self.text.extend(fd.0.to_le_bytes());
            self.text.push(open.rights as u8);
            self.object(open.ino);
            if self.mac.kind(open.ino) == Kind::Directory {
                self.folder(open.ino);
            }
            self.folder(open.opened.0);
            self.bytes(&open.opened.1);
        }
        if let Some(program) = &process.program {
            self.text.push(b'!');
            self.object(program.image);
            if let Some(script) = program.script {
                self.object(script);
            }
            for argument in &program.arguments {
                self.bytes(argument);
            }
        }
        self.text.push(b'}');
    }

    /// A folder that a process holds. One that was removed still has a path and a parent.
    fn folder(&mut self, folder: Ino) {
        self.bytes(&self.mac.real_path(folder));
        let mut at = folder;
        loop {
            self.object(at);
            if at == self.mac.root {
                return;
            }
            at = self.mac.parent(at);
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.text.extend((bytes.len() as u32).to_le_bytes());
        self.text.extend_from_slice(bytes);
    }
}
