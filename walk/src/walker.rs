//! The walk itself.
//!
//! The walker stands in a directory: a handle, and the real path that leads to it. It looks at the
//! text ahead and does one of three things: it passes a run of directories, it turns at a `..` that
//! would rise above the root, or it looks at the leaf. Where a run stops short, a single step tells
//! why. A link's text takes the place of its name, and the walk goes on.
//!
//! A handle is never reached by `..`: a run that holds one shows that the kernel can pass it, and
//! the directory is then opened by its real path, from the root. So the handle and the name agree
//! even where a directory is moved away meanwhile, and nothing leaves the root.

use crate::passed::{Passed, Stands};
use crate::path;
use crate::record::Walked;
use crate::rest::{Ahead, Form, Rest, Run};
use crate::spelling;
use crate::standing::{Reopened, Standing, reopen};
use crate::trail::Trail;
use crate::{
    Error, ErrorKind, Fault, Kind, Leaf, Link, Links, Options, Reach, Require, Scope, Spelled,
    Spelling, Start, Stat, Step, Tail, Tree,
};

/// How many links one walk passes at most: Linux's own limit (path_resolution(7)), on every system.
pub const LINK_LIMIT: usize = 40;

/// How often one walk tries again when the tree changed between two of its steps.
const RETRY_LIMIT: usize = 32;

/// Walks `path` from the root of `tree`, whether or not it begins with a slash.
///
/// # Errors
/// When the path leads nowhere that the options accept, or the tree cannot say where.
pub fn walk<T: Tree>(tree: &T, path: &[u8], options: &Options) -> Result<Walked<T::Dir>, Error> {
    walk_from(
        tree,
        Start {
            dir: tree.root(),
            real: b"/",
        },
        path,
        options,
    )
}

/// Walks `path`, starting at `start` when it is relative and at the root when it is absolute.
///
/// Under [`Scope::Beneath`] the start is also what the walk stays beneath; it must then be the
/// root of the tree.
///
/// # Errors
/// As [`walk`].
pub fn walk_from<T: Tree>(
    tree: &T,
    start: Start<'_, T::Dir>,
    path: &[u8],
    options: &Options,
) -> Result<Walked<T::Dir>, Error> {
    let walker = Walker {
        tree,
        options,
        start,
        rest: Rest::new(path),
        standing: Standing::at_start(),
        real: Vec::new(),
        trail: Trail::default(),
        links: 0,
        retries: 0,
        slash: false,
        spelling: Spelling::Stored,
    };
    let fault = match path {
        [] => ErrorKind::EmptyPath,
        _ if path.contains(&0) => ErrorKind::NulInPath,
        _ if path.len() > options.budget => ErrorKind::Budget,
        _ => return walker.walk(path),
    };
    Err(Error::new(fault, Vec::new(), Passed::default()))
}

struct Walker<'t, 'p, T: Tree> {
    tree: &'t T,
    options: &'t Options,
    start: Start<'t, T::Dir>,
    rest: Rest<'p>,
    standing: Standing<T>,
    /// The real path of where it stands, empty for the root.
    real: Vec<u8>,
    trail: Trail,
    links: usize,
    retries: usize,
    /// Whether the text passed so far ended by asking for a directory.
    slash: bool,
    spelling: Spelling,
}

/// What to do next.
enum Turn {
    /// Look at what is left.
    Again,
    /// Nothing: the walk ended at an object, or at an absent name with this tail behind it.
    Done { found: Option<Stat>, tail: Vec<u8> },
}

impl<'t, T: Tree> Walker<'t, '_, T> {
    fn walk(mut self, path: &[u8]) -> Result<Walked<T::Dir>, Error> {
        let mut start = path::trim_end(self.start.real);
        if path.starts_with(b"/") {
            if self.options.scope == Scope::Beneath {
                return Err(self.fail(ErrorKind::OutsideScope, b"/".to_vec()));
            }
            self.standing = Standing::at_root();
            start = b"";
        }
        self.real.reserve(start.len() + 1 + path.len());
        self.real.extend_from_slice(start);
        let start = path::count(&self.real);
        loop {
            let turn = match self.rest.ahead(&self.real) {
                Ahead::Run(run) => self.pass(run)?,
                Ahead::Above => self.stay_at_root()?,
                Ahead::Leaf => self.reach_leaf()?,
                Ahead::End => self.reach_here()?,
            };
            if let Turn::Done { found, tail } = turn {
                return self.finish(start, found, tail);
            }
        }
    }

    /// Passes directories, as many of a run as there are, and then what stopped them.
    fn pass(&mut self, ahead: Run) -> Result<Turn, Error> {
        self.open_here()?;
        let run = self.rest.run(ahead.length);
        let ran = self.tree.run(self.dir(), run);
        let names = match &ran.spelled {
            Spelled::Stored(stored) => stored,
            Spelled::AsGiven => run,
            Spelled::Unknown => {
                self.spelling = Spelling::Typed;
                run
            }
        };
        let whole = ran.passed == ahead.count;
        // Whether a `.` or `..` was passed.
        let mut dotted = false;
        if whole && ahead.form == Form::Real {
            path::push(&mut self.real, names);
        } else {
            dotted = path::components(run).take(ran.passed).any(path::is_dot);
            for name in path::components(names).take(ran.passed) {
                enter(&mut self.real, &mut self.trail, name);
            }
        }
        match ran.dir {
            Some(dir) if !dotted => self.standing = Standing::opened(dir),
            Some(_) => self.standing = Standing::unopened(),
            None => {}
        }
        if whole {
            self.rest.pass_run(ahead.length);
        } else {
            self.rest.pass(ran.passed);
        }
        self.within_budget()?;
        if whole { Ok(Turn::Again) } else { self.step() }
    }

    /// Passes the next component by itself, whatever it is.
    fn step(&mut self) -> Result<Turn, Error> {
        self.open_here()?;
        let Some((name, _)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        match self.standing.step(self.tree, self.start, name) {
            Ok(Step::Directory(..)) if path::is_dot(name) => {
                enter(&mut self.real, &mut self.trail, name);
                self.standing = Standing::unopened();
                self.rest.pass(1);
                Ok(Turn::Again)
            }
            Ok(Step::Directory(dir, stat)) => {
                let name = spell(&mut self.spelling, &stat.spelled, name);
                path::push(&mut self.real, name);
                self.standing = Standing::opened(dir);
                self.rest.pass(1);
                Ok(Turn::Again)
            }
            Ok(Step::Link(link)) => self.follow(link),
            Ok(Step::Other(_)) => Err(self.fail_at_next(ErrorKind::NotADirectory)),
            Ok(Step::Absent) => self.reach_absent(),
            Err(fault) => Err(self.fail_at_next(fault)),
        }
    }

    /// A `..` at the root.
    fn stay_at_root(&mut self) -> Result<Turn, Error> {
        if self.options.scope == Scope::Beneath {
            return Err(self.fail_at_next(ErrorKind::OutsideScope));
        }
        self.rest.pass(1);
        Ok(Turn::Again)
    }

    fn reach_leaf(&mut self) -> Result<Turn, Error> {
        self.open_here()?;
        let Some((name, after)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        let slash = !after.is_empty();
        let follows = slash || self.options.leaf == Leaf::Follow;
        if follows && self.standing.in_chain() {
            if let Ok(Step::Link(link)) = self.standing.step(self.tree, self.start, name) {
                return self.follow(link);
            }
        }
        let stat = match self.tree.look(self.dir(), name) {
            Ok(Some(stat)) => stat,
            Ok(None) => return self.reach_absent(),
            Err(fault) => return Err(self.fail_at_next(fault)),
        };
        if stat.kind == Kind::Symlink && follows {
            return match self.standing.step(self.tree, self.start, name) {
                Ok(Step::Link(link)) => self.follow(link),
                Ok(_) => self.look_again(),
                Err(fault) => Err(self.fail_at_next(fault)),
            };
        }
        let directory = slash || self.options.require == Require::Directory;
        if directory && stat.kind != Kind::Directory {
            return Err(self.fail_at_next(ErrorKind::NotADirectory));
        }
        let name = spell(&mut self.spelling, &stat.spelled, name);
        path::push(&mut self.real, name);
        self.slash = slash;
        Ok(Turn::found(stat))
    }

    /// The next component does not exist: an answer, unless a `..` would have to leave it again.
    fn reach_absent(&mut self) -> Result<Turn, Error> {
        let Some((name, after)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        let refused = self.options.tail == Tail::Refuse;
        if refused || path::components(after).any(|name| name == b"..") {
            return Err(self.fail_at_next(ErrorKind::NotFound));
        }
        let mut tail = Vec::new();
        for name in path::components(after).filter(|&name| name != b".") {
            path::push(&mut tail, name);
        }
        self.slash = after.ends_with(b"/") || after.ends_with(b"/.");
        // No answer about the leaf tells how the names before it are spelled; the folder itself can.
        if !matches!(self.tree.stat(self.dir()), Ok(stat) if stat.spelled != Spelled::Unknown) {
            self.spelling = Spelling::Typed;
        }
        path::push(&mut self.real, name);
        Ok(Turn::Done { found: None, tail })
    }

    /// The text ended in the directory where the walker stands: its object is that directory, seen
    /// from its parent.
    fn reach_here(&mut self) -> Result<Turn, Error> {
        self.slash = true;
        let Some(name) = path::components(&self.real).next_back().map(<[u8]>::to_vec) else {
            self.standing = Standing::at_root();
            return match self.tree.stat(self.tree.root()) {
                Ok(stat) => Ok(Turn::found(stat)),
                Err(fault) => Err(self.fail(fault, b"/".to_vec())),
            };
        };
        self.real.truncate(self.real.len() - name.len() - 1);
        self.standing = Standing::unopened();
        self.open_here()?;
        let found = match self.tree.look(self.dir(), &name) {
            Ok(found) => found,
            Err(fault) => return Err(self.fail(fault, path::join(&self.real, &name))),
        };
        match found {
            Some(stat) if stat.kind == Kind::Directory => {
                path::push(
                    &mut self.real,
                    spell(&mut self.spelling, &stat.spelled, &name),
                );
                Ok(Turn::found(stat))
            }
            Some(_) => {
                path::push(&mut self.real, &name);
                self.standing = Standing::unopened();
                self.look_again()
            }
            None => Err(self.fail(ErrorKind::NotFound, path::join(&self.real, &name))),
        }
    }

    /// Puts a link's text in the place of its name, which is the next component.
    fn follow(&mut self, link: Link) -> Result<Turn, Error> {
        let Some((name, after)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        if self.options.links == Links::Refuse {
            return Err(self.fail_at_next(ErrorKind::LinkRefused));
        }
        if self.links == LINK_LIMIT {
            return Err(self.fail_at_next(ErrorKind::TooManyLinks));
        }
        self.links += 1;
        let stands = if path::trim_start(after).is_empty() {
            Stands::Last
        } else {
            Stands::Within
        };
        let refusal = link
            .refusal
            .filter(|refusal| stands == Stands::Last || refusal.reach == Reach::Anywhere);
        if let Some(refusal) = refusal {
            return Err(self.fail_at_next(refusal.kind));
        }
        if link.text.is_empty() || link.text.contains(&0) {
            // No kernel stores such a text; a file server may send one.
            let kind = if link.text.is_empty() {
                ErrorKind::NotFound
            } else {
                ErrorKind::NulInPath
            };
            return Err(self.fail_at_next(kind));
        }
        let absolute = link.text.starts_with(b"/");
        let leaves = (absolute && self.options.scope == Scope::Beneath)
            .then(|| path::join(&self.real, name));
        let name = spell(&mut self.spelling, &link.spelled, name);
        self.trail.turn(&mut self.real, name, &link.text, stands);
        if let Some(at) = leaves {
            return Err(self.fail(ErrorKind::OutsideScope, at));
        }
        self.rest.splice(&link.text);
        if absolute {
            self.standing = Standing::at_root();
        } else {
            self.standing.follow();
        }
        self.within_budget()?;
        Ok(Turn::Again)
    }

    /// The tree changed between two questions: the walk goes on from where it stands, so often.
    fn look_again(&mut self) -> Result<Turn, Error> {
        self.retries += 1;
        if self.retries > RETRY_LIMIT {
            return Err(self.fail(ErrorKind::Raced, self.real.clone()));
        }
        Ok(Turn::Again)
    }

    /// The handle on the directory where the walker stands; [`open_here`](Self::open_here) first.
    fn dir(&self) -> &T::Dir {
        self.standing.dir(self.tree, self.start)
    }

    /// Opens the directory that the real path leads to, if no handle is held on it.
    fn open_here(&mut self) -> Result<(), Error> {
        while self.standing.is_unopened() {
            match reopen(self.tree, &self.real) {
                Ok(Reopened::Directory(standing, stored, spelling)) => {
                    self.standing = standing;
                    self.trail.respell(&self.real, &stored);
                    self.real = stored;
                    if spelling == Spelling::Typed {
                        self.spelling = spelling;
                    }
                }
                // It was passed before, so the tree has changed.
                Ok(Reopened::Changed) => {
                    self.look_again()?;
                }
                Err((fault, at)) => return Err(self.fail(fault, at)),
            }
        }
        Ok(())
    }

    fn within_budget(&mut self) -> Result<(), Error> {
        if self.trail.size() + self.rest.len() + self.real.len() > self.options.budget {
            return Err(self.fail(ErrorKind::Budget, self.real.clone()));
        }
        Ok(())
    }

    fn finish(
        mut self,
        start: usize,
        found: Option<Stat>,
        tail: Vec<u8>,
    ) -> Result<Walked<T::Dir>, Error> {
        let standing = std::mem::replace(&mut self.standing, Standing::at_root());
        let parent = match standing.into_dir(self.tree, self.start) {
            Ok(dir) => dir,
            Err(fault) => {
                let at = std::mem::take(&mut self.real);
                return Err(self.fail(fault, at));
            }
        };
        if self.spelling == Spelling::Typed {
            let exists = match &found {
                Some(_) => self.real.len(),
                None => path::trim_end(path::parent(&self.real)).len(),
            };
            self.spelling = spelling::settle(self.tree, &mut self.trail, &mut self.real, exists);
        }
        if self.real.is_empty() {
            self.real.push(b'/');
        }
        Ok(Walked {
            parent,
            real: self.real,
            start,
            tail,
            found,
            slash: self.slash,
            spelling: self.spelling,
            trail: self.trail,
        })
    }

    /// An error at the next component.
    fn fail_at_next(&mut self, fault: impl Into<Fault>) -> Error {
        let at = match self.rest.next() {
            Some((name, _)) => path::join(&self.real, name),
            None => self.real.clone(),
        };
        self.fail(fault, at)
    }

    fn fail(&mut self, fault: impl Into<Fault>, at: Vec<u8>) -> Error {
        if self.spelling == Spelling::Typed {
            self.trail.spell(|real| spelling::stored(self.tree, real));
        }
        Error::new(fault, at, std::mem::take(&mut self.trail).into_passed())
    }
}

impl Turn {
    fn found(stat: Stat) -> Self {
        Turn::Done {
            found: Some(stat),
            tail: Vec::new(),
        }
    }
}

/// Goes on from `real` by one name that was passed as a directory.
fn enter(real: &mut Vec<u8>, trail: &mut Trail, name: &[u8]) {
    match name {
        b"." => {}
        b".." => trail.rise(real),
        name => path::push(real, name),
    }
}

/// The name as its volume stores it, so far as the volume tells.
fn spell<'a>(spelling: &mut Spelling, spelled: &'a Spelled, name: &'a [u8]) -> &'a [u8] {
    match spelled {
        Spelled::AsGiven => name,
        Spelled::Stored(stored) => stored,
        Spelled::Unknown => {
            *spelling = Spelling::Typed;
            name
        }
    }
}
