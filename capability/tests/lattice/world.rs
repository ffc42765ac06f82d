//! A small Mac in memory with everything that could confuse a clause, the clauses that may be written
//! about it, and what is asked of it. Nothing is judged here.

use objcap_capability::{
    Access, Act, End, ErrorKind, Extent, Grant, GrantBuilder, Guard, List, Stack,
};
use objcap_object::{Host, Leaf, Memory};

/// Folders, files, a script's name, spellings in both normal forms, a second name, links to a folder and
/// to files, a link that leads nowhere, a root alias, and names of nothing.
pub(crate) const PLACES: &[&str] = &[
    "/w",
    "/w/a",
    "/w/a/f",
    "/w/a/b",
    "/w/.env",
    "/w/caf\u{e9}",
    "/w/h",
    "/w/l",
    "/w/lf",
    "/w/a/up",
    "/w/new/deep",
    "/w/l/b/../f",
    "/tmp/t",
    "/usr/bin/tool",
];

/// What is asked: each of those, and other spellings, neighbours, and what lies above and below.
pub(crate) const ASKED: &[&str] = &[
    "/",
    "/w",
    "/w/a",
    "/w/a/f",
    "/w/A/F",
    "/w/a/b",
    "/w/a/b/g",
    "/w/.env",
    "/w/.ENV",
    "/w/caf\u{e9}",
    "/w/CAFE\u{301}",
    "/w/h",
    "/w/l",
    "/w/l/f",
    "/w/lf",
    "/w/a/up",
    "/w/dangling",
    "/w/new",
    "/w/new/deep",
    "/w/NEW/deep/er",
    "/w-evil",
    "/tmp",
    "/tmp/t/x",
    "/private/tmp/t",
    "/usr/bin/tool",
    "/dev/null",
    "/usr/local/bin/objcap",
];

pub(crate) const LISTS: &[List] = &[
    List::Read,
    List::Write,
    List::Exclude,
    List::Protect,
    List::Allow,
    List::ExecExclude,
];

const FILES: &[List] = &[List::Read, List::Write, List::Exclude, List::Protect];
const PROGRAMS: &[List] = &[List::Allow, List::ExecExclude];

/// A grant: which tables it has although they may be empty, and its clauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Layer {
    pub(crate) fs: bool,
    pub(crate) exec: bool,
    pub(crate) clauses: Vec<(List, &'static str)>,
}

impl Layer {
    /// A grant with these clauses, and the tables that they stand in.
    pub(crate) fn of(clauses: &[(List, &'static str)]) -> Self {
        let any = |wanted: &[List]| clauses.iter().any(|(list, _)| wanted.contains(list));
        Layer {
            fs: any(FILES),
            exec: any(PROGRAMS),
            clauses: clauses.to_vec(),
        }
    }

    fn grant(&self, host: &Host<Memory>) -> Grant {
        let mut builder = Grant::builder();
        if self.fs {
            builder = builder.fs();
        }
        if self.exec {
            builder = builder.exec();
        }
        let add = |builder: GrantBuilder, (list, place): &(List, &str)| match list {
            List::Read => builder.read(place),
            List::Write => builder.write(place),
            List::Exclude => builder.exclude(place),
            List::Protect => builder.protect(place),
            List::Allow => builder.allow(place),
            List::ExecExclude => builder.exec_exclude(place),
            other => panic!("{other:?}"),
        };
        let builder = self.clauses.iter().fold(builder, add);
        builder.build(&host.vars).unwrap()
    }
}

pub(crate) fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    tree.file("/w/a/f");
    tree.file("/w/a/b/g");
    tree.file("/w/.env");
    tree.file("/w/caf\u{e9}");
    assert!(tree.link_hard("/w/a/f", "/w/h"));
    tree.link("/w/l", "a");
    tree.link("/w/lf", "a/f");
    tree.link("/w/a/up", "../.env");
    tree.link("/w/dangling", "b/f");
    tree.file("/w-evil");
    tree.file("/private/tmp/t/x");
    tree.file("/usr/bin/tool");
    host
}

/// The stack; `None` where an allowance passes a link that the stack lets be written.
pub(crate) fn freeze(layers: &[Layer], host: &Host<Memory>) -> Option<Stack<Memory>> {
    let grants: Vec<_> = layers.iter().map(|layer| layer.grant(host)).collect();
    match Stack::freeze(&grants, host) {
        Ok(stack) => Some(stack),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WritableLink, "{error}");
            None
        }
    }
}

/// One question: a name, and one end of an act.
pub(crate) type Question = (&'static str, End);

/// Each access by itself, links followed; and every end of every act.
pub(crate) fn questions() -> Vec<Question> {
    let single = [Access::STAT, Access::READ, Access::WRITE, Access::EXEC].map(|access| End {
        access,
        leaf: Leaf::Follow,
        extent: Extent::Contents,
    });
    let mut ends = single.to_vec();
    for end in Act::ALL.into_iter().flat_map(|act| act.ends()) {
        if !ends.contains(end) {
            ends.push(*end);
        }
    }
    let all = ASKED.iter().flat_map(|&path| {
        let ends = ends.clone();
        ends.into_iter().map(move |end| (path, end))
    });
    all.collect()
}

/// What the guard admits, question by question.
pub(crate) fn admitted(
    stack: &Stack<Memory>,
    host: &Host<Memory>,
    questions: &[Question],
) -> Vec<bool> {
    let guard = Guard::new(host, stack);
    let judge = |(path, end): &Question| guard.judge_end(path, *end).unwrap().is_admitted();
    questions.iter().map(judge).collect()
}
