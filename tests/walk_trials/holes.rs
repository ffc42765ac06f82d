//! Links that lead out, or that a resolver took for something else: no race is needed.

use objcap::object::{Machine, Object};
use objcap::walk::walk;
use objcap_support::scratch::{Entry, Scratch};
use objcap_support::told::{all, machines_at, told};

use super::{beneath, in_root, world};

#[test]
fn no_error_is_answered_by_what_the_text_alone_would_say() {
    // maka#4234: a loop, a file, a name too long, in the middle and behind `..`.
    let long = "n".repeat(256);
    let world = world(&[
        &["f", "t"],
        &["f", "file"],
        &["l", "loop", "loop"],
        &["l", "ping", "pong/x"],
        &["l", "pong", "ping"],
        &["l", "to-long", &long],
    ]);
    let rows = [
        ("t".to_owned(), "file /t".to_owned()),
        ("loop/../t".to_owned(), "too-many-links at /loop".to_owned()),
        ("loop".to_owned(), "too-many-links at /loop".to_owned()),
        ("loop/".to_owned(), "too-many-links at /loop".to_owned()),
        (
            "./loop/../../t".to_owned(),
            "too-many-links at /loop".to_owned(),
        ),
        ("ping/../t".to_owned(), "too-many-links at /ping".to_owned()),
        (
            "file/../t".to_owned(),
            "not-a-directory at /file".to_owned(),
        ),
        (format!("{long}/../t"), format!("name-too-long at /{long}")),
        (
            "to-long/../t".to_owned(),
            format!("name-too-long at /{long}"),
        ),
        ("to-long".to_owned(), format!("name-too-long at /{long}")),
    ];
    let rows: Vec<_> = rows.iter().map(|(ask, want)| (&**ask, &**want)).collect();
    world.all(&in_root(), &rows);
    world.all(&beneath(), &rows);
}

#[test]
fn a_link_to_the_outside_is_refused_in_every_form_of_text() {
    // cyanheads filesystem MCP #21, fast-filesystem#23, acpx#483, claude-code#64582, CVE-2026-39860,
    // CVE-2022-39253, CVE-2023-22490, CVE-2025-55130, CVE-2024-12087, Deno#2318, opencode#43336.
    let world = world(&[
        &["f", "in/f"],
        &["l", "rel", "../outside"],
        &["l", "file", "../outside/secret"],
        &["l", "abs", "{T}/../outside"],
        &["l", "slash", "..//./outside/"],
        &["l", "in/far", "../../outside"],
        &["l", "in/hidden", "./x/../../../outside"],
        &["d", "in/x"],
        &["l", "a", "b"],
        &["l", "b", "rel"],
        &["l", ".git/objects", "../../outside"],
        &["l", "again", "../ROOT/in"],
        &["l", "abs-in", "{T}/in"],
    ]);
    for (path, at) in [
        ("rel/secret", "/.."),
        ("file", "/.."),
        ("abs/secret", "/abs"),
        ("slash/secret", "/.."),
        ("in/far/secret", "/.."),
        ("in/hidden/secret", "/.."),
        ("a/secret", "/.."),
        (".git/objects/x", "/.."),
        // Though it would come back.
        ("again/f", "/.."),
        ("abs-in/f", "/abs-in"),
    ] {
        world.all(&beneath(), &[(path, &format!("outside-scope at {at}"))]);
        // In a root there is no outside.
        for tree in &world.machines {
            let answer = told(tree, path, &in_root());
            let nowhere = answer.starts_with("absent /") || answer.starts_with("not-found at /");
            assert!(nowhere, "{path}: {answer}");
        }
    }
    // Without a scope the record says where it led: that is what a grant judges.
    let machine = Machine::ambient_root().unwrap();
    let root = world.scratch.root();
    for path in [
        "rel/secret",
        "a/secret",
        "abs/secret",
        "in/far/secret",
        "file",
    ] {
        let object = Object::walk(&machine, root.join(path), &in_root()).unwrap();
        let outside = root.parent().unwrap().join("outside/secret");
        assert_eq!(
            object.real().as_bytes(),
            outside.as_os_str().as_encoded_bytes()
        );
        assert!(object.links().count() > 0);
    }
}

#[test]
fn legal_links_inside_are_followed_and_recorded() {
    // CVE-2026-53795 and its regressions rsync#915, #930, #1067: O_NOFOLLOW broke them;
    // codex#20716 and its kin: a protected name that is a link, a root below one.
    let world = world(&[
        &["f", "d/f"],
        &["l", "l", "d"],
        &["l", ".codex", "store/codex"],
        &["f", "store/codex/config"],
        &["l", "linked", "store"],
        &["l", "hop", "l"],
    ]);
    world.all(
        &beneath(),
        &[
            ("l/f", "file /d/f"),
            ("l/new", "absent /d/new"),
            ("hop/f", "file /d/f"),
            (".codex/config", "file /store/codex/config"),
            ("linked/codex/config", "file /store/codex/config"),
            ("linked/../.codex/new", "absent /store/codex/new"),
        ],
    );
    world.links("hop/f", &["/hop -> l", "/l -> d"]);
    world.links(
        "linked/../.codex/new",
        &["/linked -> store", "/.codex -> store/codex"],
    );
}

#[test]
fn the_record_has_the_typed_name_each_link_and_the_real_path() {
    // CVE-2026-25724, CVE-2025-59829, CVE-2025-54794; claude-code#61148, #67072, #11662; clash#277,
    // #345; ai-jail#124.
    let world = world(&[
        &["f", "o/s"],
        &["l", "l", "m"],
        &["l", "m", "o/../o/s"],
        &["d", "w/x"],
        &["l", "w/x/up", "../../l"],
    ]);
    world.links(
        "w/x/up",
        &["/w/x/up -> ../../l", "/l -> m", "/m -> o/../o/s"],
    );
    let want = ["/w", "/w/x", "/w/x/up", "/l", "/m", "/o", "/o", "/o/s"];
    for tree in &world.machines {
        let object = Object::walk(tree, "w/x/up", &in_root()).unwrap();
        let lookups: Vec<_> = object
            .lookups()
            .map(|name| String::from_utf8(name.into_owned()).unwrap())
            .collect();
        assert_eq!(lookups, want);
        assert_eq!(object.real().as_bytes(), b"/o/s");
    }
    let last: Vec<_> = walk(&world.memory, b"w/x/up", &in_root())
        .unwrap()
        .links()
        .map(|link| link.is_last())
        .collect();
    assert_eq!(last, [true, true, true]);
}

#[test]
fn a_linked_current_folder_gives_the_same_real_path() {
    // claude-code#77287.
    let world = world(&[&["f", "checkout/f"], &["l", "cwd", "checkout"]]);
    for path in ["cwd/f", "checkout/f", "cwd/./f", "cwd/../cwd/f", "/cwd/f"] {
        world.all(&in_root(), &[(path, "file /checkout/f")]);
    }
}

#[test]
fn links_that_expand_beyond_a_paths_length_are_resolved_to_the_end() {
    // CVE-2025-4517 and its kin: realpath stopped resolving and took the rest for plain names.
    let component = "d".repeat(247);
    let mut entries = vec![Entry::Link(b"escape".to_vec(), Vec::new())];
    let mut place = String::new();
    let mut letters = String::new();
    for letter in 'a'..='p' {
        entries.push(Entry::Directory(format!("{place}{component}").into()));
        entries.push(Entry::Link(
            format!("{place}{letter}").into(),
            component.clone().into(),
        ));
        place.push_str(&format!("{component}/"));
        letters.push_str(&format!("{letter}/"));
    }
    let climb = "../".repeat(16);
    entries[0] = Entry::Link(
        b"escape".to_vec(),
        format!("{letters}{climb}../outside/secret").into(),
    );
    entries.push(Entry::Link(
        b"inside".to_vec(),
        format!("{letters}{climb}t").into(),
    ));
    entries.push(Entry::File(b"t".to_vec()));
    let scratch = Scratch::new(&entries);
    let trees = machines_at(scratch.root());
    let rows = [("inside", "file /t"), ("escape", "outside-scope at /..")];
    all(&trees, &rows, &beneath());
    all(
        &trees,
        &[("escape", "absent /outside + secret")],
        &in_root(),
    );
    let real = format!("/{component}").repeat(16);
    assert_eq!(
        told(&trees[0], &letters, &in_root()),
        format!("directory {real}")
    );
    let machine = Machine::ambient_root().unwrap();
    let walked = Object::walk(&machine, scratch.root().join("escape"), &in_root()).unwrap();
    let outside = scratch.root().parent().unwrap().join("outside/secret");
    assert_eq!(
        walked.real().as_bytes(),
        outside.as_os_str().as_encoded_bytes()
    );
}

#[test]
fn texts_of_other_systems_are_ordinary_names_here() {
    // CVE-2026-31802 node-tar, CVE-2022-41720, CVE-2024-51756: `C:..\x`, `\x`, `NUL`, `COM¹`.
    let names = [
        "C:..\\x",
        "\\x",
        "NUL",
        "COM¹",
        "C:x",
        "..\\..\\outside",
        "x:y",
        "\\\\?\\x",
    ];
    for name in names {
        let world = world(&[&["l", "l", name], &["d", "d"]]);
        let absent = format!("absent /{}", objcap::object::path::display(name.as_bytes()));
        world.all(
            &beneath(),
            &[(name, &absent), ("l", &absent), ("d/../l", &absent)],
        );
    }
}

#[test]
fn odd_names_are_names() {
    for name in [
        "...",
        "....",
        "..x",
        "x..",
        ". ",
        " ..",
        "~",
        "*",
        "-",
        "\t",
        "%2e%2e",
        "\u{2024}\u{2024}",
        "．．",
        "..\u{200d}",
    ] {
        let inner = format!("{name}/{name}");
        let world = world(&[&["f", &inner], &["l", "l", &inner]]);
        let shown = objcap::object::path::display(inner.as_bytes()).to_string();
        let want = format!("file /{shown}");
        world.all(
            &beneath(),
            &[
                (&inner, &want),
                ("l", &want),
                (&format!("./{inner}"), &want),
            ],
        );
        let back = format!("{name}/../{inner}");
        world.all(&beneath(), &[(&back, &want)]);
    }
}
