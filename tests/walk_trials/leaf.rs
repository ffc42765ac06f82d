//! Slashes at the end, and the last component: what is special elsewhere is one loop here.

use objcap::object::{Links, Options, Require, Tail};

use super::{as_named, beneath, in_root, world};

#[test]
fn a_slash_behind_a_link_does_not_lead_out() {
    // CVE-2026-39822 (golang/go#79005).
    let world = world(&[
        &["d", "d"],
        &["l", "out", "../outside"],
        &["l", "abs", "/outside"],
        &["l", "in", "d"],
        &["l", "via", "out/"],
    ]);
    for slash in ["", "/", "//", "/.", "/./", "/secret", "//secret/"] {
        let rows = [
            (format!("out{slash}"), "outside-scope at /.."),
            (format!("via{slash}"), "outside-scope at /.."),
            (format!("abs{slash}"), "outside-scope at /abs"),
        ];
        for (asked, want) in rows {
            world.all(&beneath(), &[(&asked, want)]);
        }
    }
    world.all(
        &beneath(),
        &[("in/", "directory /d"), ("in/.", "directory /d")],
    );
    // As after chroot(2), the text names what is inside.
    world.all(
        &in_root(),
        &[
            ("out/", "absent /outside"),
            ("abs/secret", "absent /outside + secret"),
            ("in/", "directory /d"),
        ],
    );
}

#[test]
fn a_slash_behind_a_link_as_named_follows_it_and_lists_it() {
    // cap-std#383.
    let world = world(&[
        &["d", "d"],
        &["f", "f"],
        &["l", "l", "d"],
        &["l", "lf", "f"],
    ]);
    world.all(
        &as_named(),
        &[
            ("l", "symlink /l"),
            ("lf", "symlink /lf"),
            ("l/", "directory /d"),
            ("l//", "directory /d"),
            ("l/.", "directory /d"),
            ("lf/", "not-a-directory at /f"),
            ("lf/.", "not-a-directory at /f"),
        ],
    );
    for path in ["l/", "l/.", "l//."] {
        world.links(path, &["/l -> d"]);
    }
    let refuse = Options {
        links: Links::Refuse,
        ..as_named()
    };
    let rows = [
        ("l", "symlink /l"),
        ("l/", "link-refused at /l"),
        ("l/.", "link-refused at /l"),
        ("d/.", "directory /d"),
    ];
    world.all(&refuse, &rows);
}

#[test]
fn dotdot_with_slashes_leaves_a_scope_as_little_as_without() {
    // CVE-2025-22873 (golang/go#73555), CVE-2007-4559.
    let world = world(&[&["d", "d/e"], &["l", "d/up", ".."]]);
    for path in [
        "..",
        "../",
        "..//",
        "./../",
        "../.",
        "d/../..",
        "d//../../",
        "d/e/../../../",
        "d/up/../",
        "../outside/secret",
        "../ROOT",
        "../ROOT/d",
        "d/up/up/../x",
        "./d/./e/./../../..",
    ] {
        let want = if path == "d/up/up/../x" {
            // `up` is looked for in the root, where no such name is.
            "not-found at /up"
        } else {
            "outside-scope at /.."
        };
        world.all(&beneath(), &[(path, want)]);
    }
    let rows = [
        ("d/../d", "directory /d"),
        ("d/up/d/e/..", "directory /d"),
        ("...", "absent /..."),
        ("..d", "absent /..d"),
        ("d/...", "absent /d/..."),
    ];
    world.all(&beneath(), &rows);
    let rows = [
        ("..", "directory /"),
        ("../..//", "directory /"),
        ("../d", "directory /d"),
    ];
    world.all(&in_root(), &rows);
}

#[test]
fn a_root_that_is_named_by_a_link_has_the_link_in_its_record() {
    // golang/go#71806.
    let world = world(&[&["d", "d"], &["l", "l", "d"]]);
    world.links("l", &["/l -> d"]);
    let refuse = Options {
        links: Links::Refuse,
        require: Require::Directory,
        tail: Tail::Refuse,
        ..in_root()
    };
    let rows = [
        ("l", "link-refused at /l"),
        ("d", "directory /d"),
        ("no", "not-found at /no"),
    ];
    world.all(&refuse, &rows);
}

#[test]
fn a_path_through_a_file_is_no_path_however_often_it_is_asked() {
    // The comment on Darwin in a test of Go; soft-canonicalize, strict-path, path_jail.
    let world = world(&[
        &["f", "dir/file"],
        &["d", "dir/t"],
        &["l", "l", "dir/../dir/file"],
        &["l", "l2", "dir/file/"],
        &["l", "l3", "dir/file/.."],
    ]);
    for _ in 0..2 {
        world.all(
            &in_root(),
            &[
                ("dir/file", "file /dir/file"),
                ("l", "file /dir/file"),
                ("dir/file/", "not-a-directory at /dir/file"),
                ("dir/file/.", "not-a-directory at /dir/file"),
                ("dir/file/..", "not-a-directory at /dir/file"),
                ("dir/file/../t", "not-a-directory at /dir/file"),
                ("dir/file/../../dir/t", "not-a-directory at /dir/file"),
                ("dir/file/no", "not-a-directory at /dir/file"),
                ("dir/file/no/../..", "not-a-directory at /dir/file"),
                ("l/", "not-a-directory at /dir/file"),
                ("l/../t", "not-a-directory at /dir/file"),
                ("l2", "not-a-directory at /dir/file"),
                ("l3/t", "not-a-directory at /dir/file"),
            ],
        );
    }
}
