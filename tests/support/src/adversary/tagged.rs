//! Law 6 in one world: what is excluded or protected is tagged at entry, and looked for after each call.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use objcap_capability::{Access, Exclusion, Layer, Stack};
use objcap_object::{Key, RealPath};
use objcap_walk::{Kind, Leaf};

use crate::mac::{Answer, Effect, Errno, Ino, Mac, Name, Outcome, Process};

/// What one name below a guarded place holds: the object, and of a file its bytes and its mode.
#[derive(Debug, PartialEq, Eq)]
struct Holding {
    ino: Ino,
    file: Option<(Vec<u8>, u16)>,
}

type Held = BTreeMap<Vec<u8>, Holding>;

/// What must not change, and what must not get out, as it was at entry.
///
/// A file that had a name elsewhere at entry is a door that no name closes (docs/residuals.md, G-2):
/// its bytes are no secret here, and may change.
#[derive(Debug)]
pub struct Tagged {
    guarded: Vec<(RealPath, Held)>,
    secrets: BTreeSet<Ino>,
    bytes: BTreeSet<Vec<u8>>,
    doors: BTreeSet<Ino>,
    excluded: Vec<Key>,
    surfaces: Vec<(PathBuf, Option<Option<Ino>>)>,
}

impl Tagged {
    /// What a stack excludes and protects in this world, the program's own files with it.
    pub fn of(mac: &Mac, stack: &Stack<Mac>) -> Self {
        let layers = stack.layers().iter().flat_map(Layer::exclusions);
        let all = layers.chain(stack.own());
        // What may not be run is no more than that.
        let all: Vec<&Exclusion> = all.filter(|one| one.against() != Access::EXEC).collect();
        let whole = |one: &&&Exclusion| one.against() == Access::all();
        let keys = |of: &mut dyn Iterator<Item = &&Exclusion>| -> Vec<Key> {
            let places = of.flat_map(|one| one.places());
            places.map(|place| place.real().key()).collect()
        };
        let guarded = keys(&mut all.iter());
        let excluded = keys(&mut all.iter().filter(whole));
        let mut tagged = Tagged {
            guarded: Vec::new(),
            secrets: BTreeSet::new(),
            bytes: BTreeSet::new(),
            doors: doors(mac, &guarded, &excluded),
            excluded,
            surfaces: Vec::new(),
        };
        for exclusion in &all {
            for place in exclusion.places() {
                let real = place.real().clone();
                let held = held(mac, &real, &tagged.doors);
                if exclusion.against() == Access::all() {
                    tagged.keep_secret(&held);
                }
                tagged.guarded.push((real, held));
            }
            if let Some(path) = exclusion.clause().path() {
                tagged.surfaces.push((path.to_owned(), reached(mac, path)));
            }
        }
        tagged
    }

    fn keep_secret(&mut self, held: &Held) {
        for one in held.values().filter(|one| !self.doors.contains(&one.ino)) {
            self.secrets.insert(one.ino);
            let bytes = one.file.iter().map(|(bytes, _)| bytes);
            let bytes = bytes.filter(|bytes| !bytes.is_empty());
            self.bytes.extend(bytes.cloned());
        }
    }

    fn is_excluded(&self, name: &[u8]) -> bool {
        is_within(name, &self.excluded)
    }

    /// What an answer gave that it must not give.
    pub fn told(&self, process: &Process, answer: &Answer) -> Option<String> {
        let Outcome::Done(effect) = &answer.outcome else {
            return None;
        };
        match effect {
            Effect::Contents(bytes) if self.bytes.contains(&bytes[..]) => {
                Some("excluded bytes were read".to_owned())
            }
            Effect::Opened(fd) => {
                let opened = process.descriptor(*fd).ok()?.ino;
                let secret = self.secrets.contains(&opened);
                secret.then(|| "an excluded object was opened".to_owned())
            }
            Effect::Status(status) => self
                .secrets
                .contains(&status.ino)
                .then(|| "an excluded object was looked at".to_owned()),
            Effect::Running(program) => {
                let images = [Some(program.image), program.script];
                let mut images = images.into_iter().flatten();
                images
                    .any(|image| self.secrets.contains(&image))
                    .then(|| "an excluded program runs".to_owned())
            }
            _ => None,
        }
    }

    /// How law 6 is broken in this world; `None` when it holds.
    pub fn broken(&self, mac: &Mac) -> Option<String> {
        let mut out = None;
        mac.visit(&mut |dir, name, ino| {
            let is_secret = || {
                // The text of a link is its author's: it may be any name.
                let copied = mac.contents(ino).filter(|_| mac.kind(ino) == Kind::File);
                self.secrets.contains(&ino)
                    || copied.is_some_and(|bytes| self.bytes.contains(&bytes[..]))
            };
            if out.is_none() && is_secret() {
                let name = mac.real_path_of(dir, name);
                out = (!self.is_excluded(&name)).then_some(name);
            }
        });
        if let Some(name) = out {
            let name = String::from_utf8_lossy(&name);
            return Some(format!("excluded bytes stand at {name}"));
        }
        for (real, before) in &self.guarded {
            if held(mac, real, &self.doors) != *before {
                return Some(format!("{real} was forged"));
            }
        }
        for (path, before) in &self.surfaces {
            let now = reached(mac, path);
            if now.is_some() && before.is_some() && now != *before {
                return Some(format!("{} leads elsewhere", path.display()));
            }
        }
        None
    }
}

fn is_within(name: &[u8], places: &[Key]) -> bool {
    let key = RealPath::new(name).map(|name| name.key());
    key.is_some_and(|key| places.iter().any(|place| key.is_within(place)))
}

/// The files with a name inside of what is guarded and one outside, or one inside of what is excluded
/// and one outside of that.
fn doors(mac: &Mac, guarded: &[Key], excluded: &[Key]) -> BTreeSet<Ino> {
    let mut names: BTreeMap<Ino, Vec<Vec<u8>>> = BTreeMap::new();
    mac.visit(&mut |dir, name, ino| {
        names
            .entry(ino)
            .or_default()
            .push(mac.real_path_of(dir, name));
    });
    let parted = |names: &[Vec<u8>], places| {
        let within = names.iter().filter(|name| is_within(name, places)).count();
        within > 0 && within < names.len()
    };
    let doors = names
        .iter()
        .filter(|(_, names)| names.len() > 1)
        .filter(|(_, names)| parted(names, guarded) || parted(names, excluded));
    doors.map(|(ino, _)| *ino).collect()
}

fn held(mac: &Mac, real: &RealPath, doors: &BTreeSet<Ino>) -> Held {
    fn add(mac: &Mac, at: Vec<u8>, ino: Ino, doors: &BTreeSet<Ino>, held: &mut Held) {
        for name in mac.names_in(ino) {
            if let Some(below) = mac.find(ino, name) {
                add(mac, [&at[..], b"/", name].concat(), below, doors, held);
            }
        }
        let is_plain = mac.kind(ino) == Kind::File && !doors.contains(&ino);
        let bytes = mac.contents(ino).filter(|_| is_plain);
        let file = bytes.map(|bytes| (bytes.to_vec(), mac.mode(ino)));
        held.insert(at, Holding { ino, file });
    }
    let mut all = Held::new();
    if let Some(ino) = mac.at(real.as_bytes()) {
        add(mac, real.as_bytes().to_vec(), ino, doors, &mut all);
    }
    all
}

/// What a name leads to for whoever is not confined; `None` where a folder on the way lets nobody pass, which
/// its owner may have it do, and which leads nobody elsewhere.
fn reached(mac: &Mac, path: &Path) -> Option<Option<Ino>> {
    let process = Process::unconfined(mac, "/");
    let path: &OsStr = path.as_ref();
    let name = Name::from(path.as_encoded_bytes());
    match process.look_up(mac, &name, Leaf::Follow) {
        Ok(landing) => Some(landing.found()),
        Err(Errno::ACCESS) => None,
        Err(_) => Some(None),
    }
}
