//! The names of objects: real paths, and the presentation of one to a filter (docs/seatbelt.md,
//! section 4).

use objcap_walk::path;

use super::choices::Presentation;
use super::node::Bytes;
use super::{Ino, Mac};

/// The prefix under which one volume shows paths that are presented without it.
const DATA: &[u8] = b"/System/Volumes/Data/";

impl Mac {
    /// The real path of a folder as the kernel knows it: of a firmlink's target, the firmlink. A
    /// folder that was removed keeps its last one.
    pub fn real_path(&self, dir: Ino) -> Vec<u8> {
        let mut real = Vec::with_capacity(64);
        self.climb(dir, &mut real);
        if real.is_empty() {
            real.push(b'/');
        }
        real
    }

    fn climb(&self, dir: Ino, real: &mut Vec<u8>) {
        if dir == self.root {
            return;
        }
        if let Some(folder) = self.node(dir).folder() {
            self.climb(folder.parent, real);
            real.push(b'/');
            real.extend_from_slice(&folder.name);
        }
    }

    /// The real path of a name in a folder: as stored, or as given where nothing stands.
    pub fn real_path_of(&self, dir: Ino, name: &[u8]) -> Vec<u8> {
        let stored = self.entry(dir, name);
        // The folder that an entry leads to knows where it stands: behind a firmlink, elsewhere.
        let folder = stored.map(|entry| self.uncovered(entry.ino));
        match folder.filter(|&ino| self.node(ino).folder().is_some()) {
            Some(ino) => self.real_path(ino),
            None => {
                let mut real = Vec::with_capacity(64);
                self.climb(dir, &mut real);
                real.push(b'/');
                real.extend_from_slice(stored.map_or(name, |entry| &entry.name));
                real
            }
        }
    }

    /// Every real path that leads to an object, in the order of their bytes: one, none, or as many
    /// as a file has names. Of a folder behind a firmlink it is the firmlink alone.
    pub fn names_of(&self, object: Ino) -> Vec<Vec<u8>> {
        let mut names = Vec::new();
        if object == self.root {
            names.push(b"/".to_vec());
        }
        self.visit(&mut |dir, name, ino| {
            if ino == object {
                names.push(self.real_path_of(dir, name));
            }
        });
        names.sort();
        names
    }

    /// Calls with every name that is found from the root: its folder, the name, and the object.
    pub fn visit(&self, see: &mut impl FnMut(Ino, &[u8], Ino)) {
        let mut left = vec![self.root];
        while let Some(dir) = left.pop() {
            let entries = self.node(dir).folder().map(|folder| folder.entries());
            for entry in entries.unwrap_or_default() {
                let ino = self.uncovered(entry.ino);
                let folder = self.node(ino).folder();
                if folder.is_some_and(|folder| folder.parent != dir) {
                    continue;
                }
                see(dir, &entry.name, ino);
                left.extend(folder.map(|_| ino));
            }
        }
    }

    /// A name that an opened object has now: the one it was opened by if it still has it, else any,
    /// else the one it had.
    pub(super) fn name_now(&self, ino: Ino, opened: &(Ino, Bytes)) -> Vec<u8> {
        if self.node(ino).folder().is_some() {
            return self.real_path(ino);
        }
        let (dir, name) = opened;
        let still = self.entry(*dir, name).is_some_and(|entry| entry.ino == ino);
        if still {
            return self.real_path_of(*dir, name);
        }
        let other = self.names_of(ino).into_iter().next();
        other.unwrap_or_else(|| self.real_path_of(*dir, name))
    }

    /// A real path as it is shown to a filter. `/System/Volumes/Data/x` is shown as `/x` `[M]`.
    pub(super) fn shown(&self, mut real: Vec<u8>, presentation: Presentation) -> Vec<u8> {
        if real.len() > DATA.len() && real.starts_with(DATA) {
            real.drain(..DATA.len() - 1);
        }
        match presentation {
            Presentation::Real => real,
            Presentation::Twin => self.twin(&real).unwrap_or(real),
        }
    }

    /// The spelling of a real path through a root alias. What an alias leads to and nothing else has
    /// one: the alias is a link of its own.
    pub fn twin(&self, real: &[u8]) -> Option<Vec<u8>> {
        self.aliases.iter().find_map(|alias| {
            let below = real.strip_prefix(alias.target.as_bytes())?;
            let is_within = below.is_empty() || below.starts_with(b"/");
            is_within.then(|| [alias.name.as_bytes(), below].concat())
        })
    }

    /// The root folder.
    pub fn root_folder(&self) -> Ino {
        self.root
    }

    /// What stands at a name in a folder, under any spelling.
    pub fn find(&self, dir: Ino, name: &[u8]) -> Option<Ino> {
        let entry = self.entry(dir, name).filter(|_| !path::is_dot(name));
        entry.map(|entry| self.uncovered(entry.ino))
    }

    /// The names in a folder as stored, in the order of their keys.
    pub fn names_in(&self, dir: Ino) -> impl Iterator<Item = &Bytes> {
        let entries = self.node(dir).folder().map(|folder| folder.entries());
        entries.unwrap_or_default().iter().map(|entry| &entry.name)
    }
}
