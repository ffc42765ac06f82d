//! Every act at both of its ends: what it needs there, and what stays where it is.

use objcap_capability::{Act, Grant, Stack};
use objcap_object::{Host, Memory};

use crate::{frozen, refusal};

/// `/w` may be written, `/r` only read. `/w/.env` is excluded, `/w/app/.git/hooks` is protected and does
/// not exist, `/w/far/off/key` neither.
fn world() -> (Host<Memory>, Stack<Memory>) {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    for file in [
        "/w/f",
        "/w/g",
        "/w/.env",
        "/w/d/x",
        "/w/app/.git/config",
        "/r/f",
    ] {
        tree.file(file);
    }
    tree.link("/w/to-env", ".env");
    tree.link("/w/to-f", "f");
    tree.directory("/r/d");
    let grant = Grant::builder()
        .write("/w")
        .read("/r")
        .allow("/w/f")
        .exclude("/w/.env")
        .protect("/w/app/.git/hooks")
        .exclude("/w/far/off/key");
    let stack = frozen(&[grant], &host);
    (host, stack)
}

/// The first of each pair is admitted, the second is not.
type Row = (Act, &'static [&'static str], &'static [&'static str]);

const ROWS: &[Row] = &[
    // Excluded, under other spellings, and through a link; silence; what is only read.
    (Act::Stat, &["/w/f"], &["/w/.env"]),
    (Act::Stat, &["/"], &["/Users"]),
    (Act::Read, &["/w/f"], &["/w/.ENV"]),
    (Act::Read, &["/w/to-f"], &["/w/to-env"]),
    (Act::Read, &["/r/f"], &["/x/f"]),
    (Act::Write, &["/w/f"], &["/r/f"]),
    (Act::Write, &["/w/app/.git/config"], &["/w/app/.git/hooks"]),
    (Act::Exec, &["/w/f"], &["/w/g"]),
    // A name is made as it stands, whatever it would lead to.
    (Act::Create, &["/w/new"], &["/r/new"]),
    (Act::Create, &["/w/new"], &["/w/.Env"]),
    (Act::Create, &["/w/new"], &["/w/app/.git/hooks"]),
    (
        Act::Create,
        &["/w/app/.git/new"],
        &["/w/app/.git/hooks/pre-commit"],
    ),
    // An absent ancestor would decide what the excluded place is.
    (Act::Create, &["/w/near"], &["/w/far"]),
    (Act::Create, &["/w/near"], &["/w/FAR/off"]),
    (Act::Create, &["/w/far-off"], &["/w/far/off/key"]),
    // A link goes by itself; what holds something stays.
    (Act::Remove, &["/w/to-env"], &["/w/.env"]),
    (Act::Remove, &["/w/d"], &["/w"]),
    (Act::Remove, &["/w/d"], &["/w/app/.git"]),
    (Act::Remove, &["/w/f"], &["/r/f"]),
    (Act::Rename, &["/w/d", "/w/e"], &["/w/app", "/w/e"]),
    (Act::Rename, &["/w/d", "/w/e"], &["/w/d", "/w/far"]),
    (Act::Rename, &["/w/d", "/w/e"], &["/w/d", "/w/app/.git"]),
    (Act::Rename, &["/w/d/x", "/w/e"], &["/w/d/x", "/w/.env"]),
    (
        Act::Rename,
        &["/w/d/x", "/w/e"],
        &["/w/d/x", "/w/app/.git/hooks"],
    ),
    (Act::Rename, &["/w/f", "/w/e"], &["/r/f", "/w/e"]),
    (Act::Rename, &["/w/f", "/w/e"], &["/w/f", "/r/e"]),
    (Act::Swap, &["/w/f", "/w/g"], &["/w/f", "/w/.env"]),
    (Act::Swap, &["/w/f", "/w/g"], &["/w/.env", "/w/f"]),
    (Act::Swap, &["/w/f", "/w/d"], &["/w/app", "/w/d"]),
    (Act::Swap, &["/w/f", "/w/g"], &["/w/f", "/r/f"]),
    // A second name is as good as the first: its source must be writable.
    (Act::Link, &["/w/f", "/w/e"], &["/w/.env", "/w/e"]),
    (Act::Link, &["/w/f", "/w/e"], &["/r/f", "/w/e"]),
    (Act::Link, &["/w/f", "/w/e"], &["/w/f", "/w/.env"]),
    (Act::Link, &["/w/f", "/w/e"], &["/w/f", "/r/e"]),
    // A copy needs reading; a folder is copied with all that lies below.
    (Act::Clone, &["/r/f", "/w/e"], &["/w/.env", "/w/e"]),
    (Act::Clone, &["/r/d", "/w/e"], &["/w/app", "/w/e"]),
    (Act::Clone, &["/r/d", "/w/e"], &["/w/app/.git", "/w/e"]),
    (Act::Clone, &["/r/d", "/w/e"], &["/r/d", "/w/far"]),
    (Act::Clone, &["/r/f", "/w/e"], &["/r/f", "/r/e"]),
];

#[test]
fn every_act_is_admitted_and_refused_at_each_end() {
    let (host, stack) = world();
    for act in Act::ALL {
        assert!(ROWS.iter().any(|(tried, ..)| *tried == act), "{act:?}");
    }
    for (act, admitted, refused) in ROWS {
        assert_eq!(
            refusal(&stack, &host, *act, admitted),
            None,
            "{act:?} {admitted:?}"
        );
        let told = refusal(&stack, &host, *act, refused);
        assert!(told.is_some(), "{act:?} {refused:?}");
    }
}

#[test]
fn a_refusal_names_the_clause_and_what_it_is_about() {
    let (host, stack) = world();
    let table: &[(Act, &[&str], &str)] = &[
        (Act::Read, &["/w/.env"], "exclude `/w/.env` excludes it"),
        (
            Act::Read,
            &["/w/far/Off/Key"],
            "exclude `/w/far/off/key` excludes it: `/w/far/Off/Key` is `/w/far/off/key` under another \
             spelling",
        ),
        (Act::Write, &["/r/f"], "no clause allows it"),
        (
            Act::Create,
            &["/w/far"],
            "it does not exist, and exclude `/w/far/off/key` excludes a place below it",
        ),
        (
            Act::Rename,
            &["/w/app", "/w/e"],
            "protect `/w/app/.git/hooks` protects what is reached through it",
        ),
        (
            Act::Create,
            &["/w/APP/.GIT/Hooks/x"],
            "protect `/w/app/.git/hooks` protects it: `/w/app/.git/Hooks` is `/w/app/.git/hooks` under \
             another spelling",
        ),
    ];
    for (act, paths, expected) in table {
        let told = refusal(&stack, &host, *act, paths);
        assert_eq!(told.as_deref(), Some(*expected), "{act:?} {paths:?}");
    }
}

#[test]
fn a_layer_and_a_file_are_named_where_there_are_several() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/a");
    host.tree.file("/w/b");
    let parse = |name, text: &str| Grant::parse(name, text.as_bytes(), &host.vars).unwrap();
    let grants = [
        parse("one.toml", "[fs]\nread = ['/w']\n"),
        parse(
            "two.toml",
            "[fs]\nread = [\n  '/w/a',\n  '/w/b',\n]\nexclude = ['/w/b']\n",
        ),
    ];
    let stack = Stack::freeze(&grants, &host).unwrap();
    assert_eq!(refusal(&stack, &host, Act::Read, &["/w/a"]), None);
    assert_eq!(
        refusal(&stack, &host, Act::Read, &["/w/b"]).unwrap(),
        "exclude `/w/b` (two.toml:6:12) excludes it"
    );
    assert_eq!(
        refusal(&stack, &host, Act::Read, &["/w/c"]).unwrap(),
        "no clause of `two.toml` allows it"
    );
}
