//! The accesses that can be asked about, as the command line names them.

use std::ffi::OsString;

use objcap::capability::Act;

/// An access, and what it is to.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Asking {
    /// To ask what an object is, and no more.
    Stat(One),
    /// To read a file or list a folder.
    Read(One),
    /// To change a file's contents, or make it.
    Write(One),
    /// To run a program: the file, and every interpreter of it if it is a script.
    Exec(Program),
    /// To make a file or folder.
    Create(One),
    /// To remove a file or an empty folder.
    Remove(One),
    /// To give an object another name, in place of its own.
    Rename(Two),
    /// To exchange the names of two objects.
    Swap(Two),
    /// To give a file a second name.
    Link(Two),
    /// To make a copy that shares its data with the original, of a folder with all below it.
    Clone(Two),
}

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The object.
    path: OsString,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Two {
    /// The object.
    path: OsString,
    /// The other name, or the other object.
    path2: OsString,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Program {
    /// The program: a path, or a name that PATH finds.
    program: OsString,
    /// Its arguments, after `--`. The guard looks at the first; no kernel does.
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

/// What an access is to.
pub(crate) enum Paths<'a> {
    Objects(Act, Vec<&'a OsString>),
    Program(&'a OsString, &'a [OsString]),
}

impl Asking {
    pub(crate) fn paths(&self) -> Paths<'_> {
        match self {
            Asking::Stat(path) => path.to(Act::Stat),
            Asking::Read(path) => path.to(Act::Read),
            Asking::Write(path) => path.to(Act::Write),
            Asking::Exec(Program { program, arguments }) => Paths::Program(program, arguments),
            Asking::Create(path) => path.to(Act::Create),
            Asking::Remove(path) => path.to(Act::Remove),
            Asking::Rename(paths) => paths.to(Act::Rename),
            Asking::Swap(paths) => paths.to(Act::Swap),
            Asking::Link(paths) => paths.to(Act::Link),
            Asking::Clone(paths) => paths.to(Act::Clone),
        }
    }
}

impl One {
    fn to(&self, act: Act) -> Paths<'_> {
        Paths::Objects(act, vec![&self.path])
    }
}

impl Two {
    fn to(&self, act: Act) -> Paths<'_> {
        Paths::Objects(act, vec![&self.path, &self.path2])
    }
}
