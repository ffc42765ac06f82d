//! Running a program: which file will execute, and whether it may.

use std::ffi::{OsStr, OsString};
use std::fs::File;

use objcap_object::{Dir, Kind, Object, Open, Options, RealPath, World, path};

use crate::guard::act::EXEC;
use crate::guard::error::{GuardError, admitted};
use crate::guard::{Guard, Judgement, Refusal, Verdict};
use crate::interpreter::{HOPS_MAX, interpreter};
use crate::{Access, Layer, bytes};

/// A program that may be run, and with which arguments.
#[derive(Debug)]
pub struct Runnable<D = Dir> {
    object: Object<D>,
    real: RealPath,
    argv: Vec<OsString>,
    interpreters: Vec<RealPath>,
}

/// What the guard says of a program, and of all that the system would run for it.
#[derive(Debug)]
pub struct JudgedRun<'a, D> {
    /// The file that the program's name leads to.
    pub program: Judgement<'a, D>,
    /// When it is a script that is admitted: its interpreter, and that one's, up to the first that is
    /// refused.
    pub interpreters: Vec<Judgement<'a, D>>,
}

impl<D> Runnable<D> {
    /// The file's real path, for a system that executes names. A script is executed by its own: the
    /// system starts its interpreter.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// The arguments. The first is the program as the caller spelled it.
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }

    /// What interprets it when it is a script: the interpreter, and that one's. Each may be run.
    pub fn interpreters(&self) -> &[RealPath] {
        &self.interpreters
    }

    /// Which object it was.
    pub fn object(&self) -> &Object<D> {
        &self.object
    }
}

impl Runnable<Dir> {
    /// Opens the file, for a system that executes descriptors (`execveat`; not macOS). A script cannot be
    /// executed so once the descriptor is closed at the exec: its interpreter would find nothing to open.
    ///
    /// # Errors
    /// As [`Object::open`].
    pub fn open(&self) -> Result<File, GuardError> {
        Ok(self.object.open(Open::READ)?)
    }
}

impl<'a, W: World> Guard<'a, W> {
    /// Finds the file that a program's name leads to, as execvp(3) does, and judges whether it may run
    /// with these arguments: the file by its real path, every interpreter by its own, and each name by
    /// the vetoes. `argv` is what follows the program's own name.
    ///
    /// A name without a slash is looked for in the host's `PATH`; folders that are relative are passed
    /// over. A relative path with a slash begins at the host's current folder.
    ///
    /// # Errors
    /// When nothing is found or it cannot be walked; when a grant refuses; and when no system would run
    /// it: it is no file or not executable, its first line is broken, or its interpreters do not end.
    pub fn exec(
        &self,
        program: impl AsRef<OsStr>,
        argv: &[impl AsRef<OsStr>],
    ) -> Result<Runnable<W::Dir>, GuardError> {
        let program = program.as_ref();
        let JudgedRun {
            program: judged,
            interpreters,
        } = self.judge_exec(program, argv)?;
        let (object, real, verdict) = judged.into_parts();
        admitted(verdict, Access::EXEC, &real)?;
        let mut passed = Vec::new();
        for judged in interpreters {
            let (_, at, verdict) = judged.into_parts();
            let verdict = match verdict {
                Verdict::Admitted(ground) => Verdict::Admitted(ground),
                Verdict::Refused(because) => Verdict::Refused(Refusal::Interpreter {
                    at: at.clone(),
                    because: Box::new(because),
                }),
            };
            admitted(verdict, Access::EXEC, &real)?;
            passed.push(at);
        }
        let rest = argv.iter().map(|one| one.as_ref().to_owned());
        Ok(Runnable {
            object,
            real,
            argv: [program.to_owned()].into_iter().chain(rest).collect(),
            interpreters: passed,
        })
    }

    /// Judges the same, and says of each file what the guard says: of the program, and, while all are
    /// admitted, of its interpreter, and of that one's.
    ///
    /// # Errors
    /// As [`exec`](Guard::exec), but that a refusal is none.
    pub fn judge_exec(
        &self,
        program: impl AsRef<OsStr>,
        argv: &[impl AsRef<OsStr>],
    ) -> Result<JudgedRun<'a, W::Dir>, GuardError> {
        let arguments: Vec<&OsStr> = argv.iter().map(AsRef::as_ref).collect();
        let judged = self.judge_program(program.as_ref(), &arguments)?;
        let interpreters = if judged.is_admitted() {
            self.interpreters(judged.object(), judged.real(), &arguments)?
        } else {
            Vec::new()
        };
        Ok(JudgedRun {
            program: judged,
            interpreters,
        })
    }

    /// The program by itself, its interpreters left out.
    ///
    /// # Errors
    /// When nothing is found or it cannot be walked, and when it is nothing a system would run.
    pub fn judge_program(
        &self,
        program: &OsStr,
        arguments: &[&OsStr],
    ) -> Result<Judgement<'a, W::Dir>, GuardError> {
        let object = self.find_program(program)?;
        self.must_run(&object)?;
        let judged = self.judge_walked(object, EXEC);
        if !judged.is_admitted() {
            return Ok(judged);
        }
        let refusal = self.called(judged.object(), judged.real(), program, arguments);
        let (object, real, verdict) = judged.into_parts();
        let verdict = refusal.map_or(verdict, Verdict::Refused);
        Ok(Judgement::new(object, real, Access::EXEC, verdict))
    }

    fn find_program(&self, program: &OsStr) -> Result<Object<W::Dir>, GuardError> {
        let host = self.host;
        let text = program.as_encoded_bytes();
        let not_found = || GuardError::NotFound(program.to_string_lossy().into_owned());
        if text.contains(&b'/') {
            return self.walk(program, &Options::default());
        }
        if text.is_empty() {
            return Err(not_found());
        }
        let mut unfit = None;
        for folder in host.search.iter().filter(|folder| folder.is_absolute()) {
            let walked = Object::walk(&host.tree, folder.join(program), &Options::default());
            let Ok(object) = walked else { continue };
            match self.must_run(&object) {
                Ok(()) => return Ok(object),
                Err(GuardError::Absent(_)) => {}
                // As execvp(3) has it: told only if no later folder has one that runs.
                Err(error) => unfit = unfit.or(Some(error)),
            }
        }
        Err(unfit.unwrap_or_else(not_found))
    }

    fn must_run(&self, object: &Object<W::Dir>) -> Result<(), GuardError> {
        let real = object.real();
        let why = match object.kind() {
            None => return Err(GuardError::Absent(real.clone())),
            Some(Kind::File) => match self.host.tree.is_runnable(object) {
                Ok(true) => return Ok(()),
                Ok(false) => "it is not executable".to_owned(),
                Err(error) => error.to_string(),
            },
            Some(_) => "it is no regular file".to_owned(),
        };
        Err(not_runnable(real, why))
    }

    /// What the name says by which a program was called, and what its first argument does. The names that led to
    /// it otherwise have been judged with it.
    fn called(
        &self,
        object: &Object<W::Dir>,
        real: &RealPath,
        called: &OsStr,
        arguments: &[&OsStr],
    ) -> Option<Refusal<'a>> {
        let called = path::trim_end(called.as_encoded_bytes());
        let called = path::components(called).next_back();
        self.vetoed(called.into_iter()).or_else(|| {
            let first = arguments.first().copied();
            let programs = self.stack.layers().iter().filter_map(Layer::exec);
            let mut bound = programs.flat_map(|programs| programs.only());
            let bound = bound.find(|bound| {
                let mut names = called.into_iter().chain(names(object, real));
                names.any(|name| bound.is(real, object, name)) && !bound.only().admits(first)
            })?;
            Some(Refusal::Argument {
                only: bound.only(),
                first: first.map(OsStr::to_owned),
            })
        })
    }

    /// The first veto of one of these names.
    pub(super) fn vetoed<'n>(
        &self,
        mut names: impl Iterator<Item = &'n [u8]>,
    ) -> Option<Refusal<'a>> {
        names.find_map(|name| {
            let programs = self.stack.layers().iter().filter_map(Layer::exec);
            let clause = programs.filter_map(|programs| programs.veto(name)).next()?;
            Some(Refusal::Vetoed {
                clause,
                name: name.to_vec(),
            })
        })
    }

    /// The interpreters of a script, each judged, up to the first that is refused. The kernel starts them
    /// without asking what the script may be read by.
    fn interpreters(
        &self,
        script: &Object<W::Dir>,
        real: &RealPath,
        arguments: &[&OsStr],
    ) -> Result<Vec<Judgement<'a, W::Dir>>, GuardError> {
        let mut found = Vec::new();
        let mut head = self.head(script, real)?;
        let mut script: Vec<u8> = real.as_bytes().to_vec();
        let mut rest: Vec<OsString> = arguments.iter().map(|one| (*one).to_owned()).collect();
        loop {
            let line = match interpreter(&head) {
                Ok(None) => return Ok(found),
                Ok(Some(line)) => line,
                Err(why) => return Err(not_runnable(real, why.to_owned())),
            };
            if found.len() == HOPS_MAX {
                let why = format!("its interpreters are scripts, more than {HOPS_MAX} in a row");
                return Err(not_runnable(real, why));
            }
            let at = bytes::path(&line.path)
                .filter(|at| at.is_absolute())
                .ok_or_else(|| {
                    let name = path::display(&line.path);
                    let why = format!(
                        "its interpreter `{name}` is relative, and so another from each folder"
                    );
                    not_runnable(real, why)
                })?;
            let object = Object::walk(&self.host.tree, at, &Options::default())?;
            self.must_run(&object).map_err(|error| match error {
                GuardError::Absent(interpreter) => GuardError::NoInterpreter {
                    script: real.clone(),
                    interpreter,
                },
                error => not_runnable(real, format!("its interpreter: {error}")),
            })?;
            let judged = self.judge_walked(object, EXEC);
            let own = line
                .argument
                .iter()
                .chain([&script])
                .map(|part| bytes::os(part));
            rest = own.map(OsStr::to_owned).chain(rest).collect();
            let words: Vec<&OsStr> = rest.iter().map(OsString::as_os_str).collect();
            let refusal = self.called(judged.object(), judged.real(), at.as_os_str(), &words);
            let (object, at, verdict) = judged.into_parts();
            let verdict = match (verdict, refusal) {
                (Verdict::Admitted(_), Some(refusal)) => Verdict::Refused(refusal),
                (verdict, _) => verdict,
            };
            let judged = Judgement::new(object, at, Access::EXEC, verdict);
            if !judged.is_admitted() {
                found.push(judged);
                return Ok(found);
            }
            head = self.head(judged.object(), judged.real())?;
            script = line.path;
            found.push(judged);
        }
    }

    fn head(&self, object: &Object<W::Dir>, real: &RealPath) -> Result<Vec<u8>, GuardError> {
        let tree = &self.host.tree;
        tree.head(object)
            .map_err(|error| not_runnable(real, format!("its first line cannot be read: {error}")))
    }
}

fn not_runnable(real: &RealPath, why: String) -> GuardError {
    GuardError::NotRunnable {
        real: real.clone(),
        why,
    }
}

/// The names by which an object may be vetoed: those of the links that its own name was, and the name that it has.
pub(super) fn names<'o, D>(
    object: &'o Object<D>,
    real: &'o RealPath,
) -> impl Iterator<Item = &'o [u8]> {
    let last = object.links().filter(|link| link.is_last());
    let linked = last.filter_map(|link| path::components(link.at()).next_back());
    linked.chain(real.leaf())
}
