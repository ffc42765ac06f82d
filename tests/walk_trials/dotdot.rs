//! `..`, and parts that are absent: physical, never by the text.

use objcap::walk::walk;

use super::{as_named, beneath, in_root, world};

#[test]
fn an_absolute_text_with_dotdot_does_not_climb_past_the_root() {
    // soft-canonicalize 0.5.6.
    let world = world(&[
        &["f", "d/f"],
        &["l", "l", "/../../outside"],
        &["l", "deep", "/d/../../../outside/secret"],
        &["l", "in", "/../d/../../d/f"],
        &["l", "only", "/.."],
        &["l", "dots", "/./../."],
    ]);
    world.all(
        &in_root(),
        &[
            ("l", "absent /outside"),
            ("l/secret", "absent /outside + secret"),
            ("deep", "absent /outside + secret"),
            ("in", "file /d/f"),
            ("only", "directory /"),
            ("only/../d", "directory /d"),
            ("dots", "directory /"),
            ("/../../d/f", "file /d/f"),
        ],
    );
    for name in ["l", "deep", "in", "only", "dots"] {
        let want = format!("outside-scope at /{name}");
        world.all(&beneath(), &[(name, &want)]);
    }
}

#[test]
fn dotdot_behind_a_link_is_the_parent_of_where_it_leads() {
    // soft-canonicalize-rs#53, cap-std#366.
    let world = world(&[
        &["f", "d/x"],
        &["f", "d/e/x"],
        &["f", "x2"],
        &["f", "t"],
        &["l", "l", "d/e"],
        &["l", "chain", "l"],
        &["l", "back", "l/.."],
        &["l", "b/up", ".."],
        &["l", "b/c/up2", "../up/b/.."],
        &["l", "abs", "/d/e"],
        &["l", "dot", "."],
        &["l", "d/e/far", "../../b/up/d/e"],
    ]);
    world.all(
        &in_root(),
        &[
            ("l/../x", "file /d/x"),
            ("l/../x2", "absent /d/x2"),
            ("l/x", "file /d/e/x"),
            ("chain/../x", "file /d/x"),
            ("chain/../../x2", "file /x2"),
            ("back/x", "file /d/x"),
            ("back", "directory /d"),
            ("back/..", "directory /"),
            ("abs/../x", "file /d/x"),
            ("b/up/t", "file /t"),
            ("b/up/../t", "file /t"),
            ("b/c/up2/t", "file /t"),
            ("b/c/../up/b/c/up2/d/x", "file /d/x"),
            ("dot/dot/./dot/../t", "file /t"),
            ("l/far/../x", "file /d/x"),
            ("l/far/far/far/x", "file /d/e/x"),
        ],
    );
    let rows = [
        ("l/../x", "file /d/x"),
        ("b/up/t", "file /t"),
        ("b/up/../t", "outside-scope at /.."),
    ];
    world.all(&beneath(), &rows);
}

#[test]
fn a_path_without_a_leaf_of_its_own_is_answered() {
    // libpathrs 0.2.1.
    let world = world(&[&["d", "a/b"], &["l", "root", "/"], &["l", "here", "."]]);
    let rows = [
        ("/", "directory /"),
        ("//", "directory /"),
        (".", "directory /"),
        ("./", "directory /"),
        ("..", "directory /"),
        ("a/..", "directory /"),
        ("a/b/..", "directory /a"),
        ("a/b/.", "directory /a/b"),
        ("root", "directory /"),
        ("here", "directory /"),
        ("", "empty-path at no name"),
    ];
    world.all(&in_root(), &rows);
    world.all(
        &as_named(),
        &[("root", "symlink /root"), ("root/", "directory /")],
    );
    for tree in &world.machines {
        // What has no leaf says so, and is not given one.
        for (path, leaf, parent) in [
            ("/", None, None),
            ("a/..", None, None),
            ("root/", None, None),
            ("a/b/..", Some(&b"a"[..]), Some(&b"/"[..])),
            ("a/b/.", Some(b"b"), Some(b"/a")),
        ] {
            let walked = walk(tree, path.as_bytes(), &in_root()).unwrap();
            assert_eq!(
                (walked.leaf(), walked.parent_real()),
                (leaf, parent),
                "{path}"
            );
        }
    }
}

#[test]
fn dotdot_behind_what_is_absent_is_an_error() {
    // soft-canonicalize, strict-path and others; V-31.
    let world = world(&[
        &["f", "t"],
        &["d", "d"],
        &["l", "dang", "no"],
        &["l", "dangup", "no/.."],
        &["l", "dangdeep", "d/no/x"],
    ]);
    world.all(
        &in_root(),
        &[
            ("no", "absent /no"),
            ("no/x/y", "absent /no + x/y"),
            ("no/./x/", "absent /no + x"),
            ("no/..", "not-found at /no"),
            ("no/../t", "not-found at /no"),
            ("no/x/../../t", "not-found at /no"),
            ("d/no/../../t", "not-found at /d/no"),
            ("dang", "absent /no"),
            ("dang/x", "absent /no + x"),
            ("dang/../t", "not-found at /no"),
            ("dangup/t", "not-found at /no"),
            ("dangdeep", "absent /d/no + x"),
            ("dangdeep/../../t", "not-found at /d/no"),
        ],
    );
    world.links("dang/x", &["/dang -> no"]);
}

#[test]
fn dotdot_works_where_procfs_does_not_stand() {
    // cap-std#122: the search of a folder is asked of the folder, not of another file system.
    let world = world(&[&["f", "d/e/f"]]);
    let rows = [
        ("d/..", "directory /"),
        ("d/.", "directory /d"),
        ("d/e/../e/f", "file /d/e/f"),
    ];
    world.all(&in_root(), &rows);
}
