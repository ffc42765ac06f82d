//! A grant made by a program: the same clauses, with no file behind them.
//!
//! It is no second grammar: a surface is expanded and checked just as one in a file is.

use std::ffi::OsString;

use super::{Clause, Fs, Grant, List, Net, NetAccess, Origin};
use crate::{Error, Vars};

/// Collects a grant's clauses; made by [`Grant::builder`].
#[derive(Clone, Debug)]
#[must_use = "a builder grants nothing before `build`"]
pub struct GrantBuilder {
    fs: Option<Vec<(List, OsString)>>,
    net: Option<NetAccess>,
}

impl Grant {
    /// A grant without tables, which restricts nothing until it is given some.
    pub fn builder() -> GrantBuilder {
        GrantBuilder {
            fs: None,
            net: None,
        }
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

    /// Adds the table `[net]` with this access, in place of an earlier one.
    pub fn net(mut self, access: NetAccess) -> GrantBuilder {
        self.net = Some(access);
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
        let fs = match self.fs {
            Some(surfaces) => {
                let clause = |(list, surface)| Clause::new(list, surface, Origin::Code, vars);
                Some(Fs {
                    clauses: surfaces.into_iter().map(clause).collect::<Result<_, _>>()?,
                })
            }
            None => None,
        };
        let net = self.net.map(|access| Net {
            access,
            origin: Origin::Code,
        });
        Ok(Grant {
            file: None,
            fs,
            net,
        })
    }

    fn clause(mut self, list: List, surface: OsString) -> GrantBuilder {
        self.fs.get_or_insert_default().push((list, surface));
        self
    }
}
