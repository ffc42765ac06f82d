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

use crate::path;
use crate::record::Walked;
use crate::rest::{Ahead, Rest};
use crate::spelling;
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
        here: Here::Start,
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
    Err(Error::new(fault, Vec::new(), Vec::new()))
}

struct Walker<'t, 'p, T: Tree> {
    tree: &'t T,
    options: &'t Options,
    start: Start<'t, T::Dir>,
    rest: Rest<'p>,
    here: Here<T::Dir>,
    /// The real path of `here`, empty for the root.
    real: Vec<u8>,
    trail: Trail,
    links: usize,
    retries: usize,
    /// Whether the text passed so far ended by asking for a directory.
    slash: bool,
    spelling: Spelling,
}

/// The handle on the directory where the walker stands.
enum Here<D> {
    /// The directory it started in.
    Start,
    /// The tree's root.
    Root,
    /// One that it opened.
    Opened(D),
    /// None: the real path leads there, and it has to be opened.
    Unopened,
}

/// Whether to look again.
enum Turn<T> {
    Done(T),
    Again,
}

impl<'t, T: Tree> Walker<'t, '_, T> {
    fn walk(mut self, path: &[u8]) -> Result<Walked<T::Dir>, Error> {
        if path.starts_with(b"/") {
            if self.options.scope == Scope::Beneath {
                return Err(self.fail(ErrorKind::OutsideScope, b"/".to_vec()));
            }
            self.here = Here::Root;
        }
        let start = match self.here {
            Here::Start => path::trim_end(self.start.real),
            _ => b"",
        };
        self.real.reserve(start.len() + 1 + path.len());
        self.real.extend_from_slice(start);
        let start = path::components(start).count();
        loop {
            let turn = match self.rest.ahead(&self.real) {
                Ahead::Run(length) => self.pass(length)?,
                Ahead::Above => self.stay_at_root()?,
                Ahead::Leaf => self.reach_leaf()?,
                Ahead::End => self.reach_here()?,
            };
            if let Turn::Done(mut walked) = turn {
                walked.start = start;
                return Ok(walked);
            }
        }
    }

    /// Passes directories, as many of the next `length` bytes as there are, and then what stopped
    /// them.
    fn pass(&mut self, length: usize) -> Result<Turn<Walked<T::Dir>>, Error> {
        self.open_here()?;
        let run = self.rest.run(length);
        let ran = self.tree.run(self.dir(), run);
        let names = match &ran.spelled {
            Spelled::Stored(stored) => stored,
            Spelled::AsGiven => run,
            Spelled::Unknown => {
                self.spelling = Spelling::Typed;
                run
            }
        };
        let dotted = |names| path::components(names).take(ran.passed).any(path::is_dot);
        let mut plain = !matches!(ran.spelled, Spelled::Stored(_)) || !dotted(run);
        for name in path::components(names).take(ran.passed) {
            plain &= !path::is_dot(name);
            enter(&mut self.real, &mut self.trail, name);
        }
        let stopped = path::components(run).nth(ran.passed).is_some();
        match ran.dir {
            Some(dir) if plain => self.here = Here::Opened(dir),
            Some(_) => self.here = Here::Unopened,
            None => {}
        }
        if stopped {
            self.rest.pass(ran.passed);
        } else {
            self.rest.pass_run(length);
        }
        self.within_budget()?;
        if stopped {
            self.step()
        } else {
            Ok(Turn::Again)
        }
    }

    /// Passes the next component by itself, whatever it is.
    fn step(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
        self.open_here()?;
        let Some((name, _)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        match self.tree.step(self.dir(), name) {
            Ok(Step::Directory(..)) if path::is_dot(name) => {
                enter(&mut self.real, &mut self.trail, name);
                self.here = Here::Unopened;
                self.rest.pass(1);
                Ok(Turn::Again)
            }
            Ok(Step::Directory(dir, stat)) => {
                let name = spell(&mut self.spelling, &stat, name);
                path::push(&mut self.real, name);
                self.here = Here::Opened(dir);
                self.rest.pass(1);
                Ok(Turn::Again)
            }
            Ok(Step::Link(link)) => self.follow(&link),
            Ok(Step::Other(_)) => Err(self.fail_at_next(ErrorKind::NotADirectory)),
            Ok(Step::Absent) => self.reach_absent(),
            Err(fault) => Err(self.fail_at_next(fault)),
        }
    }

    /// A `..` at the root.
    fn stay_at_root(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
        if self.options.scope == Scope::Beneath {
            return Err(self.fail_at_next(ErrorKind::OutsideScope));
        }
        self.rest.pass(1);
        Ok(Turn::Again)
    }

    fn reach_leaf(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
        self.open_here()?;
        let Some((name, after)) = self.rest.next() else {
            return Ok(Turn::Again);
        };
        let slash = !after.is_empty();
        let stat = match self.tree.look(self.dir(), name) {
            Ok(Some(stat)) => stat,
            Ok(None) => return self.reach_absent(),
            Err(fault) => return Err(self.fail_at_next(fault)),
        };
        if stat.kind == Kind::Symlink && (slash || self.options.leaf == Leaf::Follow) {
            return match self.tree.step(self.dir(), name) {
                Ok(Step::Link(link)) => self.follow(&link),
                Ok(_) => self.look_again(),
                Err(fault) => Err(self.fail_at_next(fault)),
            };
        }
        let directory = slash || self.options.require == Require::Directory;
        if directory && stat.kind != Kind::Directory {
            return Err(self.fail_at_next(ErrorKind::NotADirectory));
        }
        let name = spell(&mut self.spelling, &stat, name);
        path::push(&mut self.real, name);
        self.slash = slash;
        self.finish(Some(stat), Vec::new())
    }

    /// The next component does not exist: an answer, unless a `..` would have to leave it again.
    fn reach_absent(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
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
        self.finish(None, tail)
    }

    /// The text ended in the directory where the walker stands: its object is that directory, seen
    /// from its parent.
    fn reach_here(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
        self.slash = true;
        let Some(name) = path::components(&self.real).next_back().map(<[u8]>::to_vec) else {
            self.here = Here::Root;
            return match self.tree.stat(self.tree.root()) {
                Ok(stat) => self.finish(Some(stat), Vec::new()),
                Err(fault) => Err(self.fail(fault, b"/".to_vec())),
            };
        };
        self.real.truncate(self.real.len() - name.len() - 1);
        self.here = Here::Unopened;
        self.open_here()?;
        let found = match self.tree.look(self.dir(), &name) {
            Ok(found) => found,
            Err(fault) => return Err(self.fail(fault, path::join(&self.real, &name))),
        };
        match found {
            Some(stat) if stat.kind == Kind::Directory => {
                path::push(&mut self.real, spell(&mut self.spelling, &stat, &name));
                self.finish(Some(stat), Vec::new())
            }
            Some(_) => {
                path::push(&mut self.real, &name);
                self.here = Here::Unopened;
                self.look_again()
            }
            None => Err(self.fail(ErrorKind::NotFound, path::join(&self.real, &name))),
        }
    }

    /// Puts a link's text in the place of its name, which is the next component.
    fn follow(&mut self, link: &Link) -> Result<Turn<Walked<T::Dir>>, Error> {
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
        let last = path::trim_start(after).is_empty();
        let refusal = link
            .refusal
            .filter(|refusal| last || refusal.reach == Reach::Anywhere);
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
        let name = spell(&mut self.spelling, &link.stat, name);
        self.trail.turn(&mut self.real, name, &link.text, after);
        if let Some(at) = leaves {
            return Err(self.fail(ErrorKind::OutsideScope, at));
        }
        self.rest.splice(&link.text);
        if absolute {
            self.here = Here::Root;
        }
        self.within_budget()?;
        Ok(Turn::Again)
    }

    /// The tree changed between two questions: the walk goes on from where it stands, so often.
    fn look_again(&mut self) -> Result<Turn<Walked<T::Dir>>, Error> {
        self.retries += 1;
        if self.retries > RETRY_LIMIT {
            return Err(self.fail(ErrorKind::Raced, self.real.clone()));
        }
        Ok(Turn::Again)
    }

    /// The handle on the directory where the walker stands; [`open_here`](Self::open_here) first.
    fn dir(&self) -> &T::Dir {
        match &self.here {
            Here::Start => self.start.dir,
            Here::Opened(dir) => dir,
            Here::Root | Here::Unopened => self.tree.root(),
        }
    }

    /// Opens the directory that the real path leads to, if no handle is held on it.
    fn open_here(&mut self) -> Result<(), Error> {
        while matches!(self.here, Here::Unopened) {
            match self.reopen() {
                Ok(Some((here, stored, spelling))) => {
                    self.here = here;
                    self.trail.respell(&self.real, &stored);
                    self.real = stored;
                    if spelling == Spelling::Typed {
                        self.spelling = spelling;
                    }
                }
                // It was passed before, so the tree has changed.
                Ok(None) => {
                    self.look_again()?;
                }
                Err((fault, at)) => return Err(self.fail(fault, at)),
            }
        }
        Ok(())
    }

    /// The directory at the real path, and that path as stored; `None` when a name of it is no
    /// directory any more.
    #[expect(clippy::type_complexity, reason = "three values for one caller")]
    fn reopen(&self) -> Result<Option<(Here<T::Dir>, Vec<u8>, Spelling)>, (Fault, Vec<u8>)> {
        let mut here = Here::Root;
        let mut stored = Vec::with_capacity(self.real.len());
        let mut spelling = Spelling::Stored;
        for run in path::runs(&self.real) {
            let dir = match &here {
                Here::Opened(dir) => dir,
                _ => self.tree.root(),
            };
            let ran = self.tree.run(dir, run);
            if let Some(stop) = path::components(run).nth(ran.passed) {
                let asked = self.tree.step(ran.dir.as_ref().unwrap_or(dir), stop);
                return asked
                    .map(|_| None)
                    .map_err(|fault| (fault, path::join(&stored, stop)));
            }
            match &ran.spelled {
                Spelled::Stored(names) => path::push(&mut stored, names),
                Spelled::AsGiven => path::push(&mut stored, run),
                Spelled::Unknown => {
                    path::push(&mut stored, run);
                    spelling = Spelling::Typed;
                }
            }
            here = ran.dir.map_or(Here::Root, Here::Opened);
        }
        Ok(Some((here, stored, spelling)))
    }

    fn within_budget(&mut self) -> Result<(), Error> {
        if self.trail.size() + self.rest.len() + self.real.len() > self.options.budget {
            return Err(self.fail(ErrorKind::Budget, self.real.clone()));
        }
        Ok(())
    }

    fn finish(
        &mut self,
        found: Option<Stat>,
        tail: Vec<u8>,
    ) -> Result<Turn<Walked<T::Dir>>, Error> {
        let here = std::mem::replace(&mut self.here, Here::Root);
        let shared = match here {
            Here::Opened(dir) => Ok(dir),
            Here::Start => self.tree.share(self.start.dir),
            Here::Root | Here::Unopened => self.tree.share(self.tree.root()),
        };
        let parent = match shared {
            Ok(dir) => dir,
            Err(fault) => return Err(self.fail(fault, self.real.clone())),
        };
        let mut real = std::mem::take(&mut self.real);
        if self.spelling == Spelling::Typed {
            let exists = match &found {
                Some(_) => real.len(),
                None => path::trim_end(path::parent(&real)).len(),
            };
            self.spelling = spelling::settle(self.tree, &mut self.trail, &mut real, exists);
        }
        if real.is_empty() {
            real.push(b'/');
        }
        Ok(Turn::Done(Walked {
            parent,
            real,
            start: 0,
            tail,
            found,
            slash: self.slash,
            spelling: self.spelling,
            trail: std::mem::take(&mut self.trail),
        }))
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
        Error::new(fault, at, std::mem::take(&mut self.trail).into_links())
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
fn spell<'a>(spelling: &mut Spelling, stat: &'a Stat, name: &'a [u8]) -> &'a [u8] {
    match &stat.spelled {
        Spelled::AsGiven => name,
        Spelled::Stored(stored) => stored,
        Spelled::Unknown => {
            *spelling = Spelling::Typed;
            name
        }
    }
}
