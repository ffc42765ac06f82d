//! Denies that reach too far: what only looks like an exclusion, or lies beside one, stays free.

use objcap::capability::Act::{Clone, Create, Link, Read, Remove, Rename, Stat, Swap, Write};
use objcap::walk::Leaf;
use objcap_support::mac::{Attribute, Call, Name};
use objcap_support::trial::Tries as _;

use crate::{look, mac, read, trial};

/// A package manager unpacks, moves and removes folders whose names are those of protected ones.
#[test]
fn folders_that_have_the_names_of_protected_ones_elsewhere_are_free() {
    let mac = mac(&[
        "/w/.git/hooks/h",
        "/w/.env",
        "/w/node_modules/p/.git/hooks/h",
        "/w/node_modules/p/.env",
        "/w/node_modules/.git",
        "/w/w/.env",
        "/w/.git2/hooks/h",
        "/w/x.git/hooks/h",
        "/w/.envrc",
        "/w/.env.example",
        "/w/q/",
    ]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks']\nexclude = ['/w/.env']",
    );
    trial.admits(&[
        (Write, &["/w/node_modules/p/.git/hooks/h"]),
        (Write, &["/w/node_modules/p/.env"]),
        (Rename, &["/w/node_modules/p/.git/hooks", "/w/hooks"]),
        (Rename, &["/w/node_modules/p", "/w/node_modules/.p-x1"]),
        (Rename, &["/w/node_modules", "/w/modules"]),
        (Remove, &["/w/node_modules/.git"]),
        (Write, &["/w/w/.env"]),
        (Rename, &["/w/.git2", "/w/.git3"]),
        (Write, &["/w/x.git/hooks/h"]),
        (Write, &["/w/.envrc"]),
        (Remove, &["/w/.env.example"]),
        (Swap, &["/w/q", "/w/w"]),
        (Clone, &["/w/node_modules", "/w/copy"]),
        (Create, &["/w/.gi"]),
    ]);
    trial.refuses(&[
        (Write, &["/w/.env"]),
        (Write, &["/w/.git/hooks/h"]),
        (Rename, &["/w/.git", "/w/q"]),
        (Clone, &["/w", "/w/copy"]),
    ]);
}

/// The folder that holds an exclusion was frozen with it: it is listed, changed and filled as before, and stays.
#[test]
fn a_folder_that_holds_an_exclusion_is_used_as_before() {
    let mac = mac(&["/w/d/key", "/w/d/f", "/w/d/e/f"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nexclude = ['/w/d/key']");
    trial.admits(&[
        (Read, &["/w/d"]),
        (Stat, &["/w/d"]),
        (Create, &["/w/d/new"]),
        (Remove, &["/w/d/f"]),
        (Rename, &["/w/d/e", "/w/e"]),
        (Rename, &["/w/d/f", "/w/d/g"]),
        (Link, &["/w/d/f", "/w/d/g"]),
    ]);
    let change = |path: &str, attribute| Call::Change {
        name: Name::from(path),
        attribute,
        leaf: Leaf::Follow,
    };
    trial.done(&[
        change("/w/d", Attribute::Mode(0o700)),
        change("/w/d", Attribute::Times),
        change("/w/d/f", Attribute::Xattr),
    ]);
    trial.sessions(|session| {
        let fd = session.call(&read("/w/d")).fd();
        session.done(&Call::List(fd));
    });
    trial.refused(&[
        look("/w/d/key"),
        change("/w/d/key", Attribute::Mode(0o777)),
        change("/w/d/key", Attribute::Xattr),
    ]);
    trial.refuses(&[(Rename, &["/w/d", "/w/x"]), (Remove, &["/w/d"])]);
}

/// Removing a whole tree stops at what holds a protected place, and nowhere before.
#[test]
fn a_tree_is_removed_but_for_what_holds_a_protected_place() {
    let mac = mac(&[
        "/w/a/f",
        "/w/.git/hooks/h",
        "/w/.git/objects/ab/c",
        "/w/.git/config",
    ]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks']");
    trial.sessions(|session| {
        let remove = |path: &str| Call::Unlink(Name::from(path));
        let rmdir = |path: &str| Call::RemoveFolder(Name::from(path));
        session.done(&remove("/w/a/f"));
        session.done(&rmdir("/w/a"));
        session.done(&remove("/w/.git/objects/ab/c"));
        session.done(&rmdir("/w/.git/objects/ab"));
        session.done(&rmdir("/w/.git/objects"));
        session.done(&remove("/w/.git/config"));
        session.refused(&remove("/w/.git/hooks/h"));
        session.refused(&rmdir("/w/.git/hooks"));
        session.refused(&rmdir("/w/.git"));
    });
}

/// An exclusion in one writable place moved nothing in another, and one outside of every writable place pins
/// nothing inside.
#[test]
fn an_exclusion_elsewhere_holds_nothing_here() {
    let mac = mac(&["/w/d/f", "/w/e/", "/v/key", "/v/d/f", "/u/d/key"]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/u']\nwrite = ['/w', '/v']\nexclude = ['/v/key', '/u/d/key', '/none/key']",
    );
    trial.admits(&[
        (Rename, &["/w/d", "/w/x"]),
        (Rename, &["/v/d", "/w/x"]),
        (Swap, &["/w/d", "/w/e"]),
        (Clone, &["/w/d", "/v/x"]),
        (Read, &["/u/d"]),
    ]);
    trial.refuses(&[
        (Rename, &["/v/key", "/w/x"]),
        (Read, &["/u/d/key"]),
        (Clone, &["/u/d", "/w/x"]),
    ]);
}

/// Nothing is restricted but the network, or but programs: files stay what they are.
#[test]
fn a_grant_about_one_thing_leaves_the_others_alone() {
    let mac = mac(&["/w/f", "/Users/me/.ssh/id"]);
    for text in ["[net]", "[exec]\nallow = ['/usr/bin']"] {
        let trial = trial(&mac, text);
        trial.admits(&[
            (Write, &["/w/f"]),
            (Read, &["/Users/me/.ssh/id"]),
            (Rename, &["/w/f", "/w/g"]),
            (Link, &["/w/f", "/w/g"]),
            (Clone, &["/w/f", "/w/g"]),
            (Create, &["/w/new"]),
            (Remove, &["/w/f"]),
        ]);
        trial.refuses(&[(Write, &["/usr/local/bin/objcap"])]);
    }
}

/// The place that is excluded, or protected, is the one that is allowed, or all there is: nothing of it is left
/// open, and nothing beside it closed.
#[test]
fn a_clause_and_its_opposite_about_one_place() {
    let mac = mac(&["/w/f", "/w/d/", "/v/f"]);
    for exclude in ["/w", "/W/", "/w/d/.."] {
        let text = format!("[fs]\nwrite = ['/w', '/v']\nexclude = ['{exclude}']");
        let trial = trial(&mac, &text);
        trial.admits(&[(Write, &["/v/f"]), (Rename, &["/v/f", "/v/g"])]);
        trial.refuses(&[
            (Read, &["/w"]),
            (Stat, &["/w/f"]),
            (Create, &["/w/new"]),
            (Rename, &["/v/f", "/w/g"]),
        ]);
    }
    let kept = trial(&mac, "[fs]\nwrite = ['/w']\nprotect = ['/w']");
    kept.admits(&[(Read, &["/w/f"]), (Read, &["/w"])]);
    kept.refuses(&[
        (Write, &["/w/f"]),
        (Create, &["/w/new"]),
        (Remove, &["/w/d"]),
    ]);
    let all = trial(&mac, "[fs]\nwrite = ['/']\nprotect = ['/']");
    all.admits(&[(Read, &["/w/f"]), (Read, &["/private/tmp"]), (Read, &["/"])]);
    all.refuses(&[
        (Write, &["/w/f"]),
        (Create, &["/w/new"]),
        (Create, &["/tmp/x"]),
    ]);
    let none = trial(&mac, "[fs]\nwrite = ['/']\nexclude = ['/']");
    none.refuses(&[(Read, &["/w/f"]), (Read, &["/"]), (Write, &["/dev/null"])]);
}
