//! The tree that changes between two steps, as a world to freeze grants in: what a world is asked beyond
//! a walk is answered by the tree as it is by then, and is no moment of its own.

use std::io;
use std::rc::Rc;

use objcap_object::{Host, Memory, Names, Object, RealPath, Remembered, Vars, World};
use objcap_walk::Place;

use crate::scripted::{Script, Scripted};

impl World for Scripted<'_> {
    type Kept = Remembered;

    fn keep(&self, object: &Object<Place>) -> io::Result<Remembered> {
        self.state().keep(object)
    }

    fn whereabouts(&self, kept: &Remembered) -> io::Result<Option<RealPath>> {
        self.state().whereabouts(kept)
    }

    fn head(&self, object: &Object<Place>) -> io::Result<Vec<u8>> {
        self.state().head(object)
    }

    fn is_changeable(&self, object: &Object<Place>) -> io::Result<bool> {
        self.state().is_changeable(object)
    }

    fn is_runnable(&self, object: &Object<Place>) -> io::Result<bool> {
        self.state().is_runnable(object)
    }

    fn name_count(&self, object: &Object<Place>) -> io::Result<u64> {
        self.state().name_count(object)
    }
}

/// A host that is nothing but this tree: no floor, no executable, no PATH.
pub fn host(start: Rc<Memory>, script: &Script) -> Host<Scripted<'_>> {
    Host {
        tree: Scripted::new(start, script),
        vars: Vars::default(),
        search: Vec::new(),
        executable: None,
        aliases: Vec::new(),
        data_prefix: None,
        names: Names::Exact,
        floor: Vec::new(),
        base_read: Vec::new(),
        base_write: Vec::new(),
    }
}
