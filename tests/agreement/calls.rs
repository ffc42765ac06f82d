//! System calls, and what each is to the guard.

use objcap::capability::{Access, Act, Exclusion, Layer, Stack};
use objcap::object::{Key, RealPath};
use objcap::walk::{Kind, Leaf};
use objcap_support::mac::{Attribute, Call, How, Mac, Name, New, Process};

/// A system call on one name or two, and the acts that the guard is asked for in its place: all must be
/// admitted.
pub(crate) struct Asked {
    pub(crate) kind: &'static str,
    pub(crate) call: Call,
    pub(crate) acts: Vec<(Act, Vec<&'static str>)>,
}

impl Asked {
    /// Its first name.
    pub(crate) fn first(&self) -> &'static str {
        let paths = self.acts.first().map(|(_, paths)| paths);
        paths
            .and_then(|paths| paths.first())
            .copied()
            .unwrap_or_default()
    }
}

/// What stands under the first name of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Absent,
    File,
    /// A file that has another name.
    TwoNames,
    Folder,
    Link,
}

impl Object {
    pub(crate) const ALL: [Object; 5] = [
        Object::Absent,
        Object::File,
        Object::TwoNames,
        Object::Folder,
        Object::Link,
    ];
}

/// What a grant says of what stands under the first name of a call, or would stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said {
    /// That it may not be accessed.
    Excluded,
    /// That it may not be written.
    Protected,
    /// That something below it may not be accessed or not be written.
    Holding,
    /// None of these: it may be allowed or not.
    Plain,
}

impl Said {
    pub(crate) const ALL: [Said; 4] = [Said::Excluded, Said::Protected, Said::Holding, Said::Plain];

    pub(crate) fn of(stack: &Stack<Mac>, name: &Key) -> Self {
        let exclusions = || stack.layers().iter().flat_map(Layer::exclusions);
        let covering = |all| {
            exclusions().any(|one| (one.against() == Access::all()) == all && one.covers(name))
        };
        let holds = |one: &Exclusion| {
            let mut places = one.places().iter();
            places.any(|place| place.real().key().is_within(name))
        };
        if covering(true) {
            Said::Excluded
        } else if covering(false) {
            Said::Protected
        } else if exclusions().any(holds) {
            Said::Holding
        } else {
            Said::Plain
        }
    }
}

/// What stands under a name, no link at its end followed, and the key of its real path; in no folder, none.
pub(crate) fn standing(mac: &Mac, name: &str) -> (Object, Option<Key>) {
    let process = Process::unconfined(mac, "/");
    let Ok(landing) = process.look_up(mac, &Name::from(name), Leaf::AsNamed) else {
        return (Object::Absent, None);
    };
    let key = RealPath::new(landing.real_path(mac)).map(|real| real.key());
    let Some(ino) = landing.found() else {
        return (Object::Absent, key);
    };
    let object = match mac.kind(ino) {
        Kind::Directory => Object::Folder,
        Kind::Symlink => Object::Link,
        _ if mac.names_of(ino).len() > 1 => Object::TwoNames,
        _ => Object::File,
    };
    (object, key)
}

/// A cell of the table of all calls.
pub(crate) type Cell = (&'static str, Object, Said);

/// Why a cell has no call that is admitted: it fails before anybody is asked or for everybody, or the grant's
/// clause decides.
pub(crate) fn never_admitted((call, object, said): Cell) -> Option<&'static str> {
    let fails = never_there(object, said).or_else(|| never_done(call, object));
    if fails.is_some() {
        return fails;
    }
    let reads = ["open to read", "stat", "exec", "clone"].contains(&call);
    let takes = ["rename", "swap", "rmdir", "clone"].contains(&call);
    match (said, object) {
        (Said::Excluded, _) => Some("what is excluded is for nobody"),
        (Said::Protected, _) if !reads => Some("what is protected is not written"),
        (Said::Holding, Object::Absent) => Some("what would hold it is not made"),
        (Said::Holding, _) if takes => Some("what holds it stays, and is not copied"),
        _ => None,
    }
}

/// Why a cell has no call at all.
pub(crate) fn never_there(object: Object, said: Said) -> Option<&'static str> {
    match (said, object) {
        (Said::Holding, Object::File | Object::TwoNames) => Some("no file holds anything"),
        (Said::Holding, Object::Link) => Some("no real path passes a link"),
        _ => None,
    }
}

/// Why a call on such an object fails for everybody. It may still be refused: on the way.
fn never_done(call: &str, object: Object) -> Option<&'static str> {
    let makes = ["create", "mkdir", "symlink", "mkfifo"].contains(&call);
    match (call, object) {
        ("open or create", Object::Absent) => None,
        (_, Object::Absent) if makes => None,
        (_, Object::Absent) => Some("nothing is there"),
        _ if makes => Some("something is there"),
        (
            "open to write" | "open to append" | "open and truncate" | "open or create"
            | "truncate",
            Object::Folder,
        ) => Some("a folder is not opened to be written"),
        ("unlink", Object::Folder) => Some("a folder is removed by rmdir"),
        ("rmdir", Object::File | Object::TwoNames | Object::Link) => Some("it is no folder"),
        ("link", Object::Folder) => Some("a folder has one name"),
        ("exec", Object::Folder) => Some("a folder is no program"),
        _ => None,
    }
}

/// Names to do something with: what worlds have, what they do not, and other spellings.
pub(crate) const NAMES: [&str; 13] = [
    "/w/empty", "/w", "/w/a", "/w/b", "/w/c", "/w/c/x", "/w/c/new", "/w/l", "/w/l/x", "/w/h",
    "/w/new", "/w/A", "/w/C/X",
];

const PAIRED: [&str; 8] = [
    "/w/a", "/w/b", "/w/c", "/w/c/x", "/w/c/new", "/w/l", "/w/h", "/w/new",
];

/// Every call.
pub(crate) fn all() -> Vec<Asked> {
    let mut all = Vec::new();
    for path in NAMES {
        all.extend(single(path));
    }
    for from in PAIRED {
        for to in PAIRED {
            all.extend(paired(from, to));
        }
    }
    all
}

fn single(path: &'static str) -> Vec<Asked> {
    let name = || Name::from(path);
    let open = |how, leaf| Call::Open {
        name: name(),
        how,
        leaf,
    };
    let change = |attribute| Call::Change {
        name: name(),
        attribute,
        leaf: Leaf::Follow,
    };
    let make = |what| Call::Make { name: name(), what };
    let rows = [
        ("open to read", open(How::Read, Leaf::Follow), Act::Read),
        ("open to write", open(How::Write, Leaf::Follow), Act::Write),
        (
            "open to append",
            open(How::Append, Leaf::Follow),
            Act::Write,
        ),
        (
            "open and truncate",
            open(How::Truncate, Leaf::Follow),
            Act::Write,
        ),
        (
            "open or create",
            open(How::Create, Leaf::Follow),
            Act::Write,
        ),
        ("create", open(How::CreateNew, Leaf::AsNamed), Act::Create),
        ("mkdir", make(New::Directory), Act::Create),
        ("symlink", make(New::Symlink(b"a".to_vec())), Act::Create),
        ("mkfifo", make(New::Fifo), Act::Create),
        (
            "stat",
            Call::Stat {
                name: name(),
                leaf: Leaf::Follow,
            },
            Act::Stat,
        ),
        ("unlink", Call::Unlink(name()), Act::Remove),
        ("rmdir", Call::RemoveFolder(name()), Act::Remove),
        ("truncate", Call::Truncate(name()), Act::Write),
        ("chmod", change(Attribute::Mode(0o700)), Act::Write),
        ("setxattr", change(Attribute::Xattr), Act::Write),
        (
            "exec",
            Call::Exec {
                name: name(),
                arguments: Vec::new(),
            },
            Act::Exec,
        ),
    ];
    let row = |(kind, call, act)| Asked {
        kind,
        call,
        acts: vec![(act, vec![path])],
    };
    rows.into_iter().map(row).collect()
}

fn paired(one: &'static str, other: &'static str) -> Vec<Asked> {
    let (from, to) = (|| Name::from(one), || Name::from(other));
    let rows = [
        (
            "rename",
            Call::Rename {
                from: from(),
                to: to(),
            },
            Act::Rename,
        ),
        (
            "swap",
            Call::Swap {
                one: from(),
                other: to(),
            },
            Act::Swap,
        ),
        (
            "link",
            Call::Link {
                from: from(),
                to: to(),
                leaf: Leaf::AsNamed,
            },
            Act::Link,
        ),
        (
            "clone",
            Call::Clone {
                from: from(),
                to: to(),
                leaf: Leaf::AsNamed,
            },
            Act::Clone,
        ),
    ];
    let row = |(kind, call, act)| Asked {
        kind,
        call,
        acts: vec![(act, vec![one, other])],
    };
    rows.into_iter().map(row).collect()
}
