//! A grant made by a program: the same clauses, with no file behind them.
//!
//! It is no second grammar: a surface is expanded and checked just as one in a file is.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Clause, Exec, Fs, Grant, List, Net, NetAccess, Only, Origin};
use crate::{Error, Vars};

/// Collects a grant's clauses; made by [`Grant::builder`].
#[derive(Clone, Debug, Default)]
#[must_use = "a builder grants nothing before `build`"]
pub struct GrantBuilder {
    fs: Option<Vec<(List, OsString)>>,
    exec: Option<Vec<(List, OsString)>>,
    only: Vec<(OsString, Vec<OsString>)>,
    net: Option<NetAccess>,
    sockets: Vec<OsString>,
    own: Vec<PathBuf>,
}

impl Grant {
    /// A grant without tables, which restricts nothing until it is given some.
    pub fn builder() -> GrantBuilder {
        GrantBuilder::default()
    }
}

impl GrantBuilder {
    /// Adds the table `[fs]`: with no clause in it, no file may be accessed.
    pub fn fs(mut self) -> GrantBuilder {
        self.fs.get_or_insert_default();
        self
    }

    /// Adds a place to read. A `~` or variable at its start is expanded.
    pub fn read(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.clause(List::Read, surface.into())
    }

    /// Adds a place to write and read.
    pub fn write(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.clause(List::Write, surface.into())
    }

    /// Adds a place to keep out of, whatever else is granted.
    pub fn exclude(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.clause(List::Exclude, surface.into())
    }

    /// Adds a place that is never written, linked or replaced.
    pub fn protect(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.clause(List::Protect, surface.into())
    }

    /// Adds the table `[exec]`: with no clause in it, no program may be run.
    pub fn exec(mut self) -> GrantBuilder {
        self.exec.get_or_insert_default();
        self
    }

    /// Adds a program to run, a folder of them, a bare name, or `every`.
    pub fn allow(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.program(List::Allow, surface.into())
    }

    /// Adds a program, or a folder of them, that is never run.
    pub fn exec_exclude(self, surface: impl Into<OsString>) -> GrantBuilder {
        self.program(List::ExecExclude, surface.into())
    }

    /// Adds a name under which nothing is run.
    pub fn veto(self, name: impl Into<OsString>) -> GrantBuilder {
        self.program(List::Veto, name.into())
    }

    /// Binds a program to some first arguments. It allows nothing by itself.
    pub fn only(
        mut self,
        program: impl Into<OsString>,
        words: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> GrantBuilder {
        let words = words.into_iter().map(Into::into).collect();
        self.exec.get_or_insert_default();
        self.only.push((program.into(), words));
        self
    }

    /// Adds the table `[net]` with this access, in place of an earlier one.
    pub fn net(mut self, access: NetAccess) -> GrantBuilder {
        self.net = Some(access);
        self
    }

    /// Adds the socket of another program to connect to.
    pub fn socket(mut self, surface: impl Into<OsString>) -> GrantBuilder {
        self.net.get_or_insert(NetAccess::Offline);
        self.sockets.push(surface.into());
        self
    }

    /// Keeps a file, by its absolute path, as if it were the program's own executable.
    pub fn protect_self(mut self, path: impl Into<PathBuf>) -> GrantBuilder {
        self.own.push(path.into());
        self
    }

    /// Refuses the network.
    pub fn offline(self) -> GrantBuilder {
        self.net(NetAccess::Offline)
    }

    /// The grant.
    ///
    /// # Errors
    ///
    /// The first clause, in the order added, that cannot be expanded: empty, relative, with a NUL, or with a
    /// variable that is unknown, unset or out of place. Its message names the clause's text.
    pub fn build(self, vars: &Vars) -> Result<Grant, Error> {
        let clause = |(list, surface)| Clause::new(list, surface, Origin::Code, vars);
        let clauses = |surfaces: Vec<_>| -> Result<Vec<Clause>, Error> {
            surfaces.into_iter().map(clause).collect()
        };
        let only = |(program, words)| {
            let clause = clause((List::Only, program))?;
            Ok(Only { clause, words })
        };
        let fs = match self.fs {
            Some(surfaces) => Some(Fs {
                clauses: clauses(surfaces)?,
            }),
            None => None,
        };
        let exec = match self.exec {
            Some(surfaces) => Some(Exec {
                clauses: clauses(surfaces)?,
                only: self.only.into_iter().map(only).collect::<Result<_, _>>()?,
            }),
            None => None,
        };
        let sockets = self.sockets.into_iter().map(|one| (List::Socket, one));
        let net = match self.net {
            Some(access) => Some(Net {
                access,
                origin: Origin::Code,
                sockets: clauses(sockets.collect())?,
            }),
            None => None,
        };
        Ok(Grant {
            file: None,
            fs,
            exec,
            net,
            own: self.own,
        })
    }

    fn clause(mut self, list: List, surface: OsString) -> GrantBuilder {
        self.fs.get_or_insert_default().push((list, surface));
        self
    }

    fn program(mut self, list: List, surface: OsString) -> GrantBuilder {
        self.exec.get_or_insert_default().push((list, surface));
        self
    }
}
