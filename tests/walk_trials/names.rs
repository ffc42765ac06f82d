//! One object under several names: case, normalisation, aliases, hard links.

use std::fs;

use objcap::object::{Memory, Object};
use objcap::walk::walk;
use objcap_support::told::all;

use super::{beneath, in_root, world};

/// A volume that folds, in memory.
fn folding(build: impl FnOnce(&mut Memory)) -> Memory {
    let mut tree = Memory::folding(|name| objcap::object::name::caseless(name).into());
    build(&mut tree);
    tree
}

#[test]
fn a_folded_name_is_the_stored_object() {
    // CVE-2024-23331 vite, CVE-2025-59944 Cursor, tldw_chatbook#1936, pi-automode#25,
    // CVE-2026-23950 node-tar (ß and ss), CVE-2021-37712 (NFC and NFD).
    let tree = folding(|tree| {
        tree.file("/src/.env");
        tree.file("/.cursor/mcp.json");
        tree.directory("/stra\u{df}e");
        tree.file("/caf\u{e9}/f");
    });
    all(
        &[tree],
        &[
            ("src/.ENV", "file /src/.env"),
            ("SRC/.Env", "file /src/.env"),
            (".CURSOR/MCP.json", "file /.cursor/mcp.json"),
            ("STRASSE", "directory /stra\u{df}e"),
            ("cafe\u{301}/F", "file /caf\u{e9}/f"),
            ("SRC/../SRC/./.ENV", "file /src/.env"),
            ("SRC/.ENVX", "absent /src/.ENVX"),
        ],
        &in_root(),
    );
}

#[test]
fn a_link_is_seen_under_another_case_of_its_name() {
    // CVE-2021-21300 and CVE-2024-32002 of git: `a` is a link, then `A/f` is written.
    let tree = folding(|tree| {
        tree.link("/a", ".git");
        tree.directory("/.git/hooks");
        tree.link("/out", "../outside");
    });
    let rows = [
        ("A/hooks", "directory /.git/hooks"),
        ("A", "directory /.git"),
        ("A/f", "absent /.git/f"),
    ];
    let refused = [
        ("OUT/f", "outside-scope at /.."),
        ("A/../OUT", "outside-scope at /.."),
    ];
    let walked = walk(&tree, b"A/f", &in_root()).unwrap();
    let link = walked.links().next().unwrap();
    assert_eq!((link.at(), link.text()), (&b"/a"[..], &b".git"[..]));
    let trees = [tree];
    all(&trees, &rows, &in_root());
    all(&trees, &refused, &beneath());
}

#[test]
fn an_absent_leaf_below_an_alias_is_placed_below_its_target() {
    // openfox#45.
    let world = world(&[&["d", "private/tmp"], &["l", "tmp", "private/tmp"]]);
    world.all(
        &in_root(),
        &[
            ("tmp/new", "absent /private/tmp/new"),
            ("/tmp/new/deeper/", "absent /private/tmp/new + deeper"),
            ("tmp/../x", "absent /private/x"),
            ("tmp/.", "directory /private/tmp"),
        ],
    );
}

#[test]
fn two_names_of_one_object_have_one_identity_and_each_its_own_path() {
    // openzfs#76, #789; openclaw#26051, rshell#595, Codewhale#5569, path_jail 0.5.
    let world = world(&[&["f", "o/s"], &["f", "o/other"], &["d", "t"]]);
    let root = world.scratch.root();
    fs::hard_link(root.join("o/s"), root.join("t/h")).unwrap();
    for tree in &world.machines {
        let at = |path: &str| Object::walk(tree, path, &in_root()).unwrap();
        let (one, two, other) = (at("o/s"), at("t/h"), at("o/other"));
        assert_eq!(one.identity(), two.identity());
        assert_ne!(one.identity(), other.identity());
        assert_eq!(
            (one.real().as_bytes(), two.real().as_bytes()),
            (&b"/o/s"[..], &b"/t/h"[..])
        );
    }
}

#[test]
fn an_object_that_takes_anothers_name_or_number_is_not_the_same() {
    // Linux 6.18 on ext4 gives an inode's number again at once.
    let world = world(&[&["f", "f"]]);
    let place = world.scratch.root().join("f");
    let [tree, _] = &world.machines;
    let identity = || walk(tree, b"f", &in_root()).unwrap().identity().unwrap();
    let before = identity();
    assert_eq!(identity(), before);
    for _ in 0..20 {
        fs::remove_file(&place).unwrap();
        fs::write(&place, "contents").unwrap();
    }
    let after = identity();
    if after.born.is_none() {
        objcap_support::child::not_checked(
            "a reused inode",
            "this file system knows no birth time",
        );
        return;
    }
    assert_ne!(after, before);
}
