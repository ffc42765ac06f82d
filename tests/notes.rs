//! What a tree notes of a directory serves the steps of one walk in that directory, and nothing
//! else: what all links there share may be otherwise for the next walk.

use std::cell::RefCell;

use objcap::object::{Memory, Options};
use objcap::walk::{Fault, Place, Start, Stat, Step, Tree, walk, walk_from};

/// A tree that notes where it was asked, and keeps the directories of which it had no notes.
struct Noting {
    tree: Memory,
    asked_anew: RefCell<Vec<Place>>,
}

impl Noting {
    /// How often it was asked without notes since it was last asked this.
    fn asked_anew(&self) -> usize {
        self.asked_anew.take().len()
    }
}

impl Tree for Noting {
    type Dir = Place;
    type Notes = Option<Place>;

    fn root(&self) -> &Place {
        self.tree.root()
    }

    fn share(&self, dir: &Place) -> Result<Place, Fault> {
        self.tree.share(dir)
    }

    fn stat(&self, dir: &Place) -> Result<Stat, Fault> {
        self.tree.stat(dir)
    }

    fn look(&self, dir: &Place, name: &[u8]) -> Result<Option<Stat>, Fault> {
        self.tree.look(dir, name)
    }

    fn step(
        &self,
        dir: &Place,
        name: &[u8],
        notes: &mut Option<Place>,
    ) -> Result<Step<Place>, Fault> {
        match notes {
            Some(noted) => assert_eq!(noted, dir, "notes of another directory"),
            none => {
                self.asked_anew.borrow_mut().push(*dir);
                *none = Some(*dir);
            }
        }
        self.tree.step(dir, name, &mut ())
    }
}

fn tree() -> Noting {
    let mut tree = Memory::new();
    for folder in ["/a", "/b"] {
        tree.file(format!("{folder}/f"));
        for (name, text) in [("1", "2"), ("2", "3"), ("3", "f"), ("up", "../b/1")] {
            tree.link(format!("{folder}/{name}"), text);
        }
    }
    Noting {
        tree,
        asked_anew: RefCell::default(),
    }
}

#[test]
fn the_links_of_a_directory_share_its_notes() {
    let tree = tree();
    let walked = walk(&tree, b"/b/1", &Options::default()).unwrap();
    assert_eq!(walked.real(), b"/b/f");
    assert_eq!(walked.links().count(), 3);
    // Other questions were asked on the way there; in the directory, one for all three.
    let folder = *walked.parent();
    let asked = tree.asked_anew.take();
    assert_eq!(asked.iter().filter(|&&dir| dir == folder).count(), 1);
}

#[test]
fn another_directory_and_another_walk_begin_without() {
    let tree = tree();
    let folder = walk(&tree, b"/a/f", &Options::default()).unwrap();
    tree.asked_anew();
    let start = Start {
        dir: folder.parent(),
        real: b"/a",
    };
    let links = |path: &[u8]| {
        let walked = walk_from(&tree, start, path, &Options::default()).unwrap();
        walked.links().count()
    };
    assert_eq!(links(b"1"), 3);
    let once = tree.asked_anew();
    assert_eq!(once, 1, "three links, one directory");
    assert_eq!(links(b"1"), 3);
    assert_eq!(tree.asked_anew(), once, "and the next walk asks again");
    assert_eq!(links(b"up"), 4);
    assert!(tree.asked_anew.take().contains(start.dir));
}
