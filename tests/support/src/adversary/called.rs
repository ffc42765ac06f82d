//! The calls of an adversary, one after the other: parts of its plans, and calls about what there is.

use std::collections::VecDeque;

use objcap_walk::{Kind, Leaf, path};

use super::plans::plan;
use super::{Clauses, Draw, List};
use crate::mac::{Attribute, Call, Fd, How, Mac, Name, New, Probe, Process};

/// What an adversary is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// What is excluded or protected, and the confiner.
    Prize,
    /// Where it may write.
    Ground,
}

/// A place that an adversary wants.
pub type Prize = Vec<u8>;

/// Draws calls. It knows the grant and sees the world, and is told nothing of the profile.
#[derive(Debug)]
pub struct Attacker {
    prizes: Vec<Prize>,
    grounds: Vec<Vec<u8>>,
    leaves: Vec<Vec<u8>>,
    made: Vec<Vec<u8>>,
    queue: VecDeque<Call>,
}

/// Texts of links.
const TEXTS: [&str; 8] = ["a", "/w/c", "x", "b/key", "../c", "/out", "/tmp/t", "."];

impl Attacker {
    /// One that knows these grants, and where the confiner stands.
    pub fn new(layers: &[Clauses], own: &str) -> Self {
        let named = |wanted: Wanted| {
            let clauses = layers.iter().flatten();
            let clauses = clauses.filter(move |(list, _)| wanted == of(*list));
            clauses.map(|(_, place)| place.as_bytes().to_vec())
        };
        let mut prizes: Vec<_> = named(Wanted::Prize).collect();
        // The confiner by what else there is to want, once.
        prizes.push(own.as_bytes().to_vec());
        let mut leaves = vec![b"x".to_vec(), b"y".to_vec()];
        for prize in &prizes {
            leaves.extend(path::components(prize).next_back().map(<[u8]>::to_vec));
        }
        Attacker {
            prizes,
            grounds: named(Wanted::Ground).collect(),
            leaves,
            made: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    pub(super) fn target(&self, draw: &mut impl Draw) -> Prize {
        self.prizes[draw.below(self.prizes.len())].clone()
    }

    pub(super) fn place(&self, draw: &mut impl Draw, list: List) -> Vec<u8> {
        match of(list) {
            Wanted::Ground if !self.grounds.is_empty() => {
                self.grounds[draw.below(self.grounds.len())].clone()
            }
            _ => self.target(draw),
        }
    }

    /// A name in a folder that may be written, at which nothing stands as a rule.
    pub(super) fn free(&self, draw: &mut impl Draw, mac: &Mac) -> Vec<u8> {
        let mut folder = self.place(draw, List::Write);
        // Behind a root alias the folder is to be had by its real path, too.
        if let Some(below) = folder.strip_prefix(b"/tmp") {
            if draw.below(2) == 0 {
                folder = [b"/private/tmp", below].concat();
            }
        }
        if draw.below(3) > 0 {
            let within = folders(mac, &folder);
            if !within.is_empty() {
                folder = within[draw.below(within.len())].clone();
            }
        }
        let mut name = join(&folder, &self.leaves[draw.below(self.leaves.len())]);
        if mac.at(&name).is_some() {
            name = join(&folder, draw.of(&[b"x", b"y", b"z", b"v"]));
        }
        name
    }

    /// Another spelling of a path, or the same.
    pub(super) fn spelled(&self, draw: &mut impl Draw, path: &[u8]) -> Vec<u8> {
        match draw.below(12) {
            0 => path.to_ascii_uppercase(),
            1 => match path.strip_prefix(b"/private") {
                Some(below) if below.starts_with(b"/tmp") => below.to_vec(),
                _ if path.starts_with(b"/tmp") => [b"/private", path].concat(),
                _ => path.to_vec(),
            },
            2 => [b"/System/Volumes/Data", path].concat(),
            _ => path.to_vec(),
        }
    }

    /// A name for a call about what there is.
    fn name(&self, draw: &mut impl Draw, mac: &Mac, process: &Process) -> Name {
        let path = match draw.below(10) {
            0 | 1 => self.target(draw),
            2 => {
                let target = self.target(draw);
                path::parent(&target).to_vec()
            }
            3 | 4 if !self.made.is_empty() => self.made[draw.below(self.made.len())].clone(),
            5 | 6 => self.free(draw, mac),
            _ => {
                let all = names(mac);
                all[draw.below(all.len())].clone()
            }
        };
        let open: Vec<_> = process.descriptors().collect();
        if let (true, Some((fd, descriptor))) = (draw.one_in(6), open.get(draw.below(open.len()))) {
            if mac.kind(descriptor.ino) == Kind::Directory {
                let real = mac.real_path(descriptor.ino);
                let below = path.strip_prefix(&real[..]).map(path::trim_start);
                return Name::at(*fd, below.filter(|one| !one.is_empty()).unwrap_or(b".."));
            }
        }
        Name::from(&self.spelled(draw, &path))
    }

    /// The next call.
    pub fn next(&mut self, draw: &mut impl Draw, mac: &Mac, process: &Process) -> Call {
        if self.queue.is_empty() && draw.below(5) > 1 {
            self.queue = plan(self, draw, mac, process).into();
        }
        match self.queue.pop_front() {
            Some(call) => call,
            None => self.single(draw, mac, process),
        }
    }

    /// Learns what became of a call.
    pub fn learn(&mut self, call: &Call, is_done: bool) {
        if !is_done {
            // A plan that failed at its first step is as good as another; what is left of it may
            // still be tried where it is short.
            if self.queue.len() > 2 {
                self.queue.clear();
            }
            return;
        }
        let made = match call {
            Call::Make { name, .. }
            | Call::Open {
                name,
                how: How::Create | How::CreateNew,
                ..
            } => Some(name),
            Call::Link { to, .. } | Call::Clone { to, .. } | Call::Rename { to, .. } => Some(to),
            _ => None,
        };
        let made = made.filter(|name| name.path.starts_with(b"/"));
        self.made.extend(made.map(|name| name.path.clone()));
    }

    fn single(&self, draw: &mut impl Draw, mac: &Mac, process: &Process) -> Call {
        let hows = [
            How::Read,
            How::Directory,
            How::Write,
            How::ReadWrite,
            How::Truncate,
            How::Create,
            How::CreateNew,
            How::Append,
        ];
        let leaf = draw.of(&[Leaf::Follow, Leaf::AsNamed]);
        let kind = draw.below(24);
        let one = self.name(draw, mac, process);
        let fd = Fd(draw.below(4));
        let mut other = || match draw.below(2) {
            0 => Name::from(&self.free(draw, mac)),
            _ => self.name(draw, mac, process),
        };
        match kind {
            0..=3 => Call::Open {
                name: one,
                how: draw.of(&hows),
                leaf,
            },
            4 => Call::Read(fd),
            5 => Call::Write(fd, b"forged".to_vec()),
            6 => Call::Make {
                name: one,
                what: draw
                    .of(&[Some(()), None])
                    .map_or(New::Fifo, |()| New::Directory),
            },
            7 => Call::Make {
                name: one,
                what: New::Symlink(match draw.below(3) {
                    0 => draw.of(&TEXTS).as_bytes().to_vec(),
                    1 => self.target(draw),
                    _ => self.free(draw, mac),
                }),
            },
            8..=10 => Call::Rename {
                from: one,
                to: other(),
            },
            11 => Call::Rename {
                from: other(),
                to: one,
            },
            12 => Call::Swap {
                one,
                other: other(),
            },
            13 => Call::Exchange {
                one,
                other: other(),
            },
            14 => Call::Link {
                from: one,
                to: other(),
                leaf,
            },
            15 | 16 => Call::Clone {
                from: one,
                to: other(),
                leaf,
            },
            17 => Call::Unlink(one),
            18 => Call::RemoveFolder(one),
            19 => Call::ChangeFolder(one),
            20 => Call::Truncate(one),
            21 => Call::Exec {
                name: one,
                arguments: Vec::new(),
            },
            22 => Call::Change {
                name: one,
                attribute: draw.of(&[Attribute::Mode(0o777), Attribute::Mode(0), Attribute::Xattr]),
                leaf,
            },
            _ => match draw.below(4) {
                0 => Call::Stat { name: one, leaf },
                1 => Call::Access(one, draw.of(&[Probe::Read, Probe::Exists])),
                2 => Call::Bind(one),
                _ => Call::List(fd),
            },
        }
    }
}

fn of(list: List) -> Wanted {
    match list {
        List::Write => Wanted::Ground,
        _ => Wanted::Prize,
    }
}

/// A name in a folder.
pub(super) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let folder = path::trim_end(folder);
    [folder, b"/", path::trim_start(name)].concat()
}

/// The folders at a place and below it.
fn folders(mac: &Mac, place: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    mac.visit(&mut |dir, name, ino| {
        if mac.kind(ino) == Kind::Directory {
            let real = mac.real_path_of(dir, name);
            if real.starts_with(place) {
                all.push(real);
            }
        }
    });
    all
}

fn names(mac: &Mac) -> Vec<Vec<u8>> {
    let mut all = vec![b"/".to_vec()];
    mac.visit(&mut |dir, name, _| all.push(mac.real_path_of(dir, name)));
    all
}
