//! Names that are exchanged or moved away while the walk goes down and up: Z-01 to Z-07.

use std::rc::Rc;

use objcap::object::Scope;
use objcap_support::resolution::Outcome;

use crate::{at_every_moment, exchange, one_of, rename, told, tree};

#[test]
fn z_01_a_directory_exchanged_below_eighteen_turns() {
    let start = tree(&["a/c/", "b/"]);
    let path = format!("a/{}", "c/../../a/".repeat(18));
    let path = path.trim_end_matches('/');
    let walks = at_every_moment(&start, path, &exchange("/ROOT/a/c", "/ROOT/b"), |_, out| {
        one_of(out, &["/a", "raced", "not-found"]);
    });
    println!("Z-01: {walks} walks");
    // And the shape of the kernel's own test: the directory that is left by `..` goes up.
    at_every_moment(
        &start,
        &format!("a/c/{}", "../../a/c/".repeat(18)),
        &rename("/ROOT/a/c", "/outside/c"),
        |_, out| one_of(out, &["/a/c", "absent /a/c", "raced", "not-found"]),
    );
}

#[test]
fn z_02_links_and_directories_change_places() {
    let start = tree(&[
        "a/b/c/d/",
        "a/b/c/file",
        "b-link -> ../b/../c",
        "c-link -> ../../b",
        "bad-link1 -> /non/existent",
        "bad-link2 -> /a/b/c/d/../file/x",
        "file",
        "a/e -> b/c/d/../file",
    ]);
    let changes = [
        exchange("/ROOT/a/b", "/ROOT/b-link"),
        exchange("/ROOT/a/b/c", "/ROOT/c-link"),
        exchange("/ROOT/a/b", "/ROOT/file"),
        exchange("/ROOT/a/b", "/ROOT/bad-link1"),
        exchange("/ROOT/a/b", "/ROOT/bad-link2"),
        rename("/ROOT/a/b", "/outside/b"),
        exchange("/ROOT/a", "/outside"),
    ];
    let mut walks = 0;
    for change in &changes {
        for path in [
            "a/b/c/d",
            "a/b/../b/c/../c/d",
            "a/b/c/d/../../../../a/b/c/d",
            "a/e",
            "a/b/c/file",
        ] {
            walks += at_every_moment(&start, path, change, |_, _| {});
        }
    }
    println!("Z-02: {walks} walks");
}

#[test]
fn z_05_what_leads_inside_leads_outside_a_moment_later() {
    for attack in ["../outside", "/outside", "../../../../outside"] {
        let start = tree(&["etc-target/passwd", &format!("etc-attack -> {attack}")]);
        let change = exchange("/ROOT/etc-target", "/ROOT/etc-attack");
        at_every_moment(
            &start,
            "etc-target/passwd",
            &change,
            |scope, out| match scope {
                // In the root there is no `outside`: the names lead nowhere.
                Scope::InRoot => one_of(out, &["/etc-target/passwd", "absent /outside"]),
                Scope::Beneath => one_of(out, &["/etc-target/passwd", "outside-scope"]),
            },
        );
    }
}

#[test]
fn z_06_a_directory_is_moved_while_its_parent_is_asked() {
    let start = tree(&["a/b/", "c/"]);
    at_every_moment(
        &start,
        "a/b/..",
        &rename("/ROOT/a/b", "/ROOT/b"),
        |_, out| {
            one_of(out, &["/a", "not-found"]);
        },
    );
    at_every_moment(&start, "a/b/..", &rename("/ROOT/a/b", "/b"), |_, out| {
        one_of(out, &["/a", "not-found"]);
    });
}

#[test]
fn z_06_no_name_outside_is_taken_for_one_inside() {
    // `a` goes outside, and is called `b` there: its `..` and then `b` lead to a directory.
    let mut start = tree(&["a/l -> ../b", "a/l2 -> ../b/x"]);
    for path in ["a/l/..", "a/l/../a", "a/../b/..", "a/l2/../.."] {
        at_every_moment(&start, path, &rename("/ROOT/a", "/b"), |_, out| {
            let Outcome::Present { record, .. } = out else {
                return;
            };
            assert!(!record.lookups.contains(&b"/b".to_vec()), "{out:?}");
        });
    }
    // Where it is inside it may be passed.
    Rc::make_mut(&mut start).directory("/ROOT/b");
    let mut passed = 0;
    at_every_moment(&start, "a/l/..", &rename("/ROOT/a", "/b"), |_, out| {
        passed += usize::from(told(out) == "/");
    });
    assert!(passed > 0);
}

#[test]
fn z_07_up_four_times_while_the_whole_is_elsewhere() {
    let start = tree(&["base/a/a/a/a/", "base/a/f", "base/b/"]);
    let path = "base/a/a/a/a/../../../f";
    for change in [
        exchange("/ROOT/base/a", "/ROOT/base/b"),
        rename("/ROOT/base/a", "/outside/a"),
        rename("/ROOT/base/a/a/a", "/outside/a"),
        rename("/ROOT/base", "/outside/base"),
    ] {
        at_every_moment(&start, path, &change, |_, out| {
            one_of(
                out,
                &[
                    "/base/a/f",
                    "absent /base/a/f",
                    "absent /base/a",
                    "absent /base",
                    "absent /base/a/a",
                    "not-found",
                    "raced",
                ],
            );
        });
    }
}
