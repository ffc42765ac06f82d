//! A tree in memory that changes between two steps of a walk, as a script says. Nothing is judged
//! here: [`resolution`](crate::resolution) says what a walk may answer in it.
//!
//! Every question that a walk asks is a numbered moment: each look, share and stat, each single
//! step, each name inside a run, and for a link one more between its opening and the reading of its
//! text. A turn happens just before the question that has its moment.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use objcap_walk::{ErrorKind, Fault, Memory, Place, Ran, Spelled, Stat, Step, Tree, path};

/// What happens during a walk.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// In any order; those of one moment happen in the order of the list.
    pub turns: Vec<Turn>,
    /// How runs are answered.
    pub runs: Runs,
}

/// One thing that happens, and when.
#[derive(Debug, Clone)]
pub struct Turn {
    /// When.
    pub when: When,
    /// What.
    pub what: What,
}

/// When a turn happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// Once, before the question of this number.
    At(usize),
    /// Before the question of this number and every one after it.
    From(usize),
    /// Whenever this name is asked, before it is answered.
    Asked(Vec<u8>),
    /// Whenever a link of this name was opened, before its text is read.
    Opened(Vec<u8>),
}

/// What a turn does.
#[derive(Debug, Clone)]
pub enum What {
    /// A change of names.
    Change(Change),
    /// A change that was made beforehand, in a copy of the tree.
    Become(Rc<Memory>),
    /// The question is answered with this error. Inside a run that means: it stops there.
    Fail(Failure),
}

/// A change of names; the paths are real ones, from the root that the tree was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Two names exchange their objects.
    Exchange(Vec<u8>, Vec<u8>),
    /// An object gets another name.
    Rename(Vec<u8>, Vec<u8>),
    /// An object is removed, with all below it.
    Remove(Vec<u8>),
    /// An object is made anew, with the number of the old one.
    Remake(Vec<u8>),
    /// A volume is mounted over a place.
    Mount(Vec<u8>),
    /// A link takes a place.
    Link(Vec<u8>, Vec<u8>),
    /// A fresh directory takes a place.
    Directory(Vec<u8>),
    /// A file takes a place.
    File(Vec<u8>),
}

impl Change {
    /// Makes it; a change that cannot be made leaves the tree as it is.
    pub fn make(&self, tree: &mut Memory) -> bool {
        match self {
            Change::Exchange(one, other) => tree.exchange(one, other),
            Change::Rename(from, to) => tree.rename(from, to),
            Change::Remove(at) => tree.remove(at),
            Change::Remake(at) => tree.remake(at),
            Change::Mount(at) => tree.mount(at),
            Change::Link(at, text) => {
                tree.remove(at);
                tree.link(at, text);
                true
            }
            Change::Directory(at) => {
                tree.remove(at);
                tree.directory(at);
                true
            }
            Change::File(at) => {
                tree.remove(at);
                tree.file(at);
                true
            }
        }
    }
}

/// An error that a system answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Too many open files.
    Emfile,
    /// Permission denied.
    Eacces,
    /// A handle of a file server that forgot it.
    Estale,
    /// A broken disk.
    Eio,
}

impl Failure {
    /// All of them.
    pub const ALL: [Failure; 4] = [
        Failure::Emfile,
        Failure::Eacces,
        Failure::Estale,
        Failure::Eio,
    ];

    /// Its number.
    pub fn errno(self) -> i32 {
        let errno = match self {
            Failure::Emfile => rustix::io::Errno::MFILE,
            Failure::Eacces => rustix::io::Errno::ACCESS,
            Failure::Estale => rustix::io::Errno::STALE,
            Failure::Eio => rustix::io::Errno::IO,
        };
        errno.raw_os_error()
    }

    /// What a walk says of it.
    pub fn kind(self) -> ErrorKind {
        match self {
            Failure::Eacces => ErrorKind::PermissionDenied,
            Failure::Emfile | Failure::Estale | Failure::Eio => ErrorKind::System,
        }
    }
}

/// How a run of names is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runs {
    /// Name by name.
    #[default]
    Single,
    /// As on Linux: all at once, and where that fails the failing part is halved. The names of one
    /// call are still passed one after the other.
    Halved,
}

/// One question of a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// In which directory.
    pub dir: Place,
    /// After which name; empty where the question was about the directory itself.
    pub name: Vec<u8>,
}

/// No walk asks so often, whatever happens to the tree.
const ENDLESS: usize = 50_000;

/// The tree.
#[derive(Debug)]
pub struct Scripted<'s> {
    script: &'s Script,
    root: Place,
    history: RefCell<Vec<Rc<Memory>>>,
    asked: RefCell<Vec<Asked>>,
    failed: Cell<Option<Failure>>,
}

impl<'s> Scripted<'s> {
    /// A tree that is `start` until the script changes it.
    pub fn new(start: Rc<Memory>, script: &'s Script) -> Self {
        Scripted {
            script,
            root: *start.root(),
            history: RefCell::new(vec![start]),
            asked: RefCell::default(),
            failed: Cell::new(None),
        }
    }

    /// Every state that the tree has had so far, in order.
    pub fn history(&self) -> Vec<Rc<Memory>> {
        self.history.borrow().clone()
    }

    /// Every question so far, each at the index that is its moment.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.borrow().clone()
    }

    /// The last error that the script made.
    pub fn failed(&self) -> Option<Failure> {
        self.failed.get()
    }

    /// Comes to the next moment: what the script has for it happens, and then the tree is as it is
    /// returned, for one question.
    fn now(&self, dir: Place, name: &[u8], point: Point) -> Result<Rc<Memory>, Fault> {
        let moment = self.asked.borrow().len();
        assert!(moment < ENDLESS, "the walk does not end");
        self.asked.borrow_mut().push(Asked {
            dir,
            name: name.to_vec(),
        });
        let mut failure = None;
        for turn in &self.script.turns {
            let happens = match &turn.when {
                When::At(at) => *at == moment,
                When::From(at) => *at <= moment,
                When::Asked(asked) => point == Point::Ask && asked == name,
                When::Opened(opened) => point == Point::Read && opened == name,
            };
            match &turn.what {
                _ if !happens => {}
                What::Fail(what) => failure = Some(*what),
                What::Become(state) => self.history.borrow_mut().push(Rc::clone(state)),
                What::Change(change) => {
                    let mut state = Memory::clone(&self.state());
                    if change.make(&mut state) {
                        self.history.borrow_mut().push(Rc::new(state));
                    }
                }
            }
        }
        if let Some(failure) = failure {
            self.failed.set(Some(failure));
            let source = io::Error::from_raw_os_error(failure.errno());
            return Err(Fault::new(failure.kind(), source));
        }
        Ok(self.state())
    }

    /// What the tree is now.
    pub fn state(&self) -> Rc<Memory> {
        let history = self.history.borrow();
        Rc::clone(history.last().expect("it begins with one"))
    }

    /// Passes all of `names`, or says that it cannot: one call of openat2(2).
    fn pass(&self, dir: Place, names: &[u8]) -> Option<Place> {
        path::components(names).try_fold(dir, |at, name| {
            let state = self.now(at, name, Point::Ask).ok()?;
            match state.step(&at, name, &mut ()) {
                Ok(Step::Directory(next, _)) => Some(next),
                _ => None,
            }
        })
    }
}

/// At which point of a question a moment lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    /// A name is about to be looked up.
    Ask,
    /// A link is open, and about to be read.
    Read,
    /// It is about a handle.
    Handle,
}

impl Tree for Scripted<'_> {
    type Dir = Place;
    type Notes = ();

    fn root(&self) -> &Place {
        &self.root
    }

    fn share(&self, dir: &Place) -> Result<Place, Fault> {
        self.now(*dir, b"", Point::Handle)?.share(dir)
    }

    fn stat(&self, dir: &Place) -> Result<Stat, Fault> {
        self.now(*dir, b"", Point::Handle)?.stat(dir)
    }

    fn look(&self, dir: &Place, name: &[u8]) -> Result<Option<Stat>, Fault> {
        self.now(*dir, name, Point::Ask)?.look(dir, name)
    }

    fn step(&self, dir: &Place, name: &[u8], (): &mut ()) -> Result<Step<Place>, Fault> {
        let step = self.now(*dir, name, Point::Ask)?.step(dir, name, &mut ())?;
        if let Step::Link(_) = step {
            // The link is open: its text is its own, whatever takes its name now.
            self.now(*dir, name, Point::Read)?;
        }
        Ok(step)
    }

    fn run(&self, dir: &Place, names: &[u8]) -> Ran<Place> {
        let mut ran = Ran {
            dir: None,
            passed: 0,
            spelled: Spelled::AsGiven,
        };
        let all: Vec<_> = path::components(names).collect();
        if self.script.runs == Runs::Single {
            while let Some(name) = all.get(ran.passed) {
                let Some(next) = self.pass(ran.dir.unwrap_or(*dir), name) else {
                    break;
                };
                ran.dir = Some(next);
                ran.passed += 1;
            }
            return ran;
        }
        if let Some(last) = self.pass(*dir, names) {
            ran.passed = all.len();
            ran.dir = Some(last);
            return ran;
        }
        let mut fails = all.len();
        while fails > 1 {
            let half = all[ran.passed..ran.passed + fails / 2].join(&b'/');
            match self.pass(ran.dir.unwrap_or(*dir), &half) {
                Some(next) => {
                    ran.dir = Some(next);
                    ran.passed += fails / 2;
                    fails -= fails / 2;
                }
                None => fails /= 2,
            }
        }
        ran
    }
}
