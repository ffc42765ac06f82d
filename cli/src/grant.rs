//! What the verbs about grants share: the host, the grants' files, and clauses in a record.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use objcap::capability::{Clause, Grant, Origin, Stack};
use objcap::object::{Host, Machine, Vars, World};
use objcap::sandbox::Profile;
use serde::Serialize;

use crate::json::Text;
use crate::output::Failure;

/// Grants, and where they are frozen.
#[derive(Debug, clap::Args)]
pub(crate) struct Given {
    /// The grants' files. Several are layers: what all of them admit is admitted, and what one
    /// excludes is excluded. Each file is itself kept from being written by whoever holds the grant.
    #[arg(value_name = "GRANT.toml", required = true)]
    pub(crate) grants: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) place: Frozen,
}

/// Where grants are frozen.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Frozen {
    /// Where the grants are frozen: on this machine, or on a model of another.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Which::This, global = true)]
    pub(crate) host: Which,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// This machine, with the home, current folder and environment of this process.
    This,
    /// A Mac as it comes out of the box, with the home /Users/me and nothing in it.
    Mac,
}

/// A verb about a grant, whatever the host's tree is.
pub(crate) trait Verb {
    type Answer;
    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Self::Answer, Failure>;
}

impl Given {
    /// Reads the grants, freezes them in their host, and runs the verb there.
    pub(crate) fn open<V: Verb>(&self, verb: &V) -> Result<V::Answer, Failure> {
        match self.place.host {
            Which::This => self.freeze(&ambient()?, verb),
            Which::Mac => self.freeze(&Host::stock_mac(), verb),
        }
    }

    /// Reads the grants and freezes them on this machine, for what is done to the machine itself.
    pub(crate) fn here<T>(
        &self,
        then: impl FnOnce(&Host<Machine>, &Stack<Machine>) -> T,
    ) -> Result<T, Failure> {
        let host = ambient()?;
        let stack = self.stack(&host)?;
        Ok(then(&host, &stack))
    }

    fn freeze<W: World, V: Verb>(&self, host: &Host<W>, verb: &V) -> Result<V::Answer, Failure> {
        verb.run(host, &self.stack(host)?)
    }

    fn stack<W: World>(&self, host: &Host<W>) -> Result<Stack<W>, Failure> {
        let grants = self.grants.iter().map(|path| self.read(path, &host.vars));
        let grants = grants.collect::<Result<Vec<_>, _>>()?;
        Stack::freeze(&grants, host).map_err(Failure::new)
    }

    fn read(&self, path: &Path, vars: &Vars) -> Result<Grant, Failure> {
        let failed = |error| Failure::new(format_args!("cannot read {}: {error}", shown(path)));
        let text = std::fs::read(path).map_err(failed)?;
        let grant = Grant::parse(&path.to_string_lossy(), &text, vars).map_err(Failure::new)?;
        Ok(match self.place.host {
            Which::This => grant.protect_self(std::path::absolute(path).map_err(failed)?),
            // The file does not stand on the other machine.
            Which::Mac => grant,
        })
    }
}

/// This machine.
pub(crate) fn ambient() -> Result<Host<Machine>, Failure> {
    Host::ambient()
        .map_err(|fault| Failure::new(format_args!("this machine cannot be walked: {fault}")))
}

pub(crate) fn render<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Profile, Failure> {
    Profile::render(stack, host).map_err(Failure::new)
}

/// A path of the command line as an absolute one.
pub(crate) fn absolute<T>(path: &OsStr, host: &Host<T>) -> Result<OsString, Failure> {
    let absolute = host.absolute(path).ok_or_else(|| {
        Failure::new("there is no current folder for a relative path to start at")
    })?;
    Ok(absolute.into_owned())
}

/// A path in a message.
fn shown(path: &Path) -> String {
    format!("`{}`", Text(path.as_os_str().as_encoded_bytes()))
}

/// A clause in a record.
#[derive(Debug, Serialize)]
pub(crate) struct ClauseRecord<'a> {
    list: &'static str,
    surface: Text<'a>,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
}

impl<'a> ClauseRecord<'a> {
    /// The record of a clause; `None` for what no author wrote.
    pub(crate) fn of(clause: &'a Clause) -> Option<Self> {
        let origin = clause.origin();
        (!matches!(origin, Origin::Host)).then(|| ClauseRecord {
            list: clause.list().name(),
            surface: Text(clause.surface().as_encoded_bytes()),
            file: origin.file(),
            line: origin.line(),
            column: origin.column(),
        })
    }
}
