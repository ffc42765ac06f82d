//! The tables and keys of a grant's file, each with what it takes, what it means, and how it becomes part
//! of a grant. The parser and the schema both go by these rows, and by nothing else.

use super::parse::{Reader, Value, suggestion};
use super::schema::{Properties, properties};
use super::{Exec, Fs, Grant, List, Net, NetAccess, Only};
use crate::error::{Error, ErrorKind, quoted};

/// A key of a table that becomes part of a `T`.
pub(super) struct Row<T> {
    pub(super) key: &'static str,
    /// What it means, for whoever writes one.
    pub(super) about: &'static str,
    pub(super) takes: Takes,
    pub(super) read: fn(&Reader<'_>, &Value<'_>, &mut T) -> Result<(), Error>,
}

/// What the value of a key is.
pub(super) enum Takes {
    /// A table with these keys.
    Table(fn() -> Properties),
    /// A list of names, each of this kind.
    Names(Naming),
    /// A table with programs as its keys, and a list of words for each.
    Words,
    /// One of these words.
    Choice(fn() -> Vec<&'static str>),
}

/// What a name in a list may be.
pub(super) enum Naming {
    /// A place.
    Place,
    /// A place, a bare name, or a word.
    Program,
    /// A bare name.
    Bare,
}

pub(super) const GRANT: &[Row<Grant>] = &[
    Row {
        key: "fs",
        about: "Which places may be read and written. Left out, files are not restricted; empty, none may \
                be accessed.",
        takes: Takes::Table(|| properties(FS)),
        read: |reader, value, grant| {
            let mut fs = Fs {
                clauses: Vec::new(),
            };
            reader.read_table("`[fs]`", reader.table(value)?, FS, &mut fs)?;
            grant.fs = Some(fs);
            Ok(())
        },
    },
    Row {
        key: "exec",
        about: "Which programs may be run. Left out, whatever may be read may be run; empty, nothing.",
        takes: Takes::Table(|| properties(EXEC)),
        read: |reader, value, grant| {
            let mut exec = Exec::default();
            reader.read_table("`[exec]`", reader.table(value)?, EXEC, &mut exec)?;
            grant.exec = Some(exec);
            Ok(())
        },
    },
    Row {
        key: "net",
        about: "What may be connected to. Left out, the network is not restricted; empty, it is offline.",
        takes: Takes::Table(|| properties(NET)),
        read: |reader, value, grant| {
            // An empty table refuses everything in it.
            let mut net = Net {
                access: NetAccess::Offline,
                origin: reader.origin(value.span()),
                sockets: Vec::new(),
            };
            reader.read_table("`[net]`", reader.table(value)?, NET, &mut net)?;
            grant.net = Some(net);
            Ok(())
        },
    },
];

const FS: &[Row<Fs>] = &[
    Row {
        key: "read",
        about: "Places to read, each with all below it.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, fs| reader.clauses(List::Read, value, &mut fs.clauses),
    },
    Row {
        key: "write",
        about: "Places to write and to read, each with all below it.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, fs| reader.clauses(List::Write, value, &mut fs.clauses),
    },
    Row {
        key: "exclude",
        about: "Places that are not accessed at all: not read, written, linked, cloned or run, whatever \
                else is allowed, at any depth, under any spelling.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, fs| reader.clauses(List::Exclude, value, &mut fs.clauses),
    },
    Row {
        key: "protect",
        about: "Places that are never written, linked or replaced. It says nothing about reading.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, fs| reader.clauses(List::Protect, value, &mut fs.clauses),
    },
];

const EXEC: &[Row<Exec>] = &[
    Row {
        key: "allow",
        about: "Programs to run: a file, a folder of them, a bare name that PATH finds, or `every`.",
        takes: Takes::Names(Naming::Program),
        read: |reader, value, exec| reader.clauses(List::Allow, value, &mut exec.clauses),
    },
    Row {
        key: "exclude",
        about: "Files and folders that are not run. It says nothing about reading.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, exec| reader.clauses(List::ExecExclude, value, &mut exec.clauses),
    },
    Row {
        key: "veto",
        about: "Names under which nothing is run, wherever they lead.",
        takes: Takes::Names(Naming::Bare),
        read: |reader, value, exec| reader.clauses(List::Veto, value, &mut exec.clauses),
    },
    Row {
        key: "only",
        about: "Programs, each with what its first argument may be. It allows nothing by itself, and binds \
                the guard alone: no kernel looks at arguments.",
        takes: Takes::Words,
        read: |reader, value, exec| {
            for (program, words) in reader.entries(reader.table(value)?) {
                let clause = reader.clause(List::Only, program.get_ref(), program.span())?;
                let words = reader.strings(words)?;
                let words = words.map(|word| word.map(|(word, _)| word.into()));
                let words = words.collect::<Result<_, _>>()?;
                exec.only.push(Only { clause, words });
            }
            Ok(())
        },
    },
];

const NET: &[Row<Net>] = &[
    Row {
        key: "access",
        about: "Whether the network may be used.",
        takes: Takes::Choice(|| NetAccess::ALL.map(NetAccess::name).into()),
        read: |reader, value, net| {
            let word = reader.string(value, "a string")?;
            let mut known = NetAccess::ALL.into_iter();
            let Some(access) = known.find(|access| access.name() == word) else {
                let known = NetAccess::ALL.map(NetAccess::name);
                let suggested = suggestion(word, &known);
                let message = format!("unknown access {}{suggested}", quoted(word));
                return Err(reader.fault(ErrorKind::UnknownValue, message, value.span()));
            };
            net.access = access;
            net.origin = reader.origin(value.span());
            Ok(())
        },
    },
    Row {
        key: "sockets",
        about: "Sockets of other programs to connect to, each by itself, whatever the network is.",
        takes: Takes::Names(Naming::Place),
        read: |reader, value, net| reader.clauses(List::Socket, value, &mut net.sockets),
    },
];
