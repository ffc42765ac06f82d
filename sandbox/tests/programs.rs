//! What may be run, and the program's own files: an admitted act first, and guard and profile must
//! agree about each.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod world;

use objcap_capability::{Act, Grant, Guard};
use objcap_object::{Host, Memory};
use sbpl::Operation;

use world::World;

const EXEC: Act = Act::Exec;

/// Whether the guard lets a program run by its name, vetoes and arguments included.
fn runs(world: &World, program: &str, arguments: &[&str]) -> bool {
    Guard::new(&world.host, &world.stack)
        .exec(program, arguments)
        .is_ok()
}

#[test]
fn an_absent_table_runs_everything_and_an_empty_one_nothing() {
    let world = World::new(|_| {}, "");
    assert!(world.may(EXEC, "/usr/bin/git") && world.may(EXEC, "/Users/me/x"));
    let world = World::new(|_| {}, "[exec]");
    assert!(
        world.may(Act::Read, "/usr/bin/git"),
        "files are not its affair"
    );
    assert!(!world.may(EXEC, "/usr/bin/git"));
    assert!(
        !world.may(EXEC, "/usr/local/bin/objcap"),
        "its own file is an ordinary one"
    );
}

#[test]
fn a_folder_a_file_a_bare_name_or_every_program() {
    let world = World::new(
        |tree| {
            tree.file("/Users/me/tools/a");
            tree.file("/Users/me/tools/b");
        },
        "[exec]\nallow = ['/usr/bin', '~/tools/a', 'ls']",
    );
    for program in ["/usr/bin/git", "/Users/me/tools/a", "/bin/ls"] {
        assert!(world.may(EXEC, program), "{program}");
    }
    for program in ["/Users/me/tools/b", "/bin/sh", "/usr/bin-evil/git"] {
        assert!(!world.may(EXEC, program), "{program}");
    }
    let world = World::new(
        |_| {},
        "[exec]\nallow = ['every']\nexclude = ['/usr/bin/osascript']",
    );
    assert!(world.may(EXEC, "/bin/sh"));
    assert!(!world.may(EXEC, "/usr/bin/osascript"));
    assert!(
        world.may(Act::Read, "/usr/bin/osascript"),
        "it denies no reading"
    );
}

#[test]
fn running_needs_reading_where_files_are_restricted() {
    let world = World::new(
        |tree| tree.file("/Users/me/bin/tool"),
        "[fs]\nread = ['~/bin']",
    );
    assert!(world.may(EXEC, "/Users/me/bin/tool"));
    assert!(world.may(EXEC, "/usr/bin/git"), "the floor is read");
    assert!(!world.may(EXEC, "/Users/me/other"));
    assert!(!world.may(EXEC, "/usr/local/../../Users/me/app"));
    // Neither a clause nor `every` goes beyond what is read.
    let world = World::new(
        |tree| tree.file("/Users/me/bin/tool"),
        "[fs]\n[exec]\nallow = ['every', '~/bin/tool']",
    );
    assert!(world.may(EXEC, "/bin/ls"));
    assert!(!world.may(EXEC, "/Users/me/bin/tool"));
}

#[test]
fn nothing_runs_where_nothing_is_read() {
    let build = |grant: &str| {
        let mut host = Host::stock_mac();
        let grant = Grant::parse("g.toml", grant.as_bytes(), &host.vars).unwrap();
        // A host whose programs need nothing: what is left is what the grant says.
        (host.floor, host.base_read, host.base_write) = Default::default();
        World::of(host, &[grant]).unwrap()
    };
    let world = build("[fs]\nread = ['/usr/bin/git']");
    assert!(world.may(EXEC, "/usr/bin/git"));
    let world = build("[fs]");
    assert!(!world.may(EXEC, "/usr/bin/git"));
    assert!(!world.may(EXEC, "/"));
}

#[test]
fn a_file_exclusion_stops_running_too() {
    let world = World::new(|_| {}, "[fs]\nread = ['/']\nexclude = ['/usr/bin/curl']");
    assert!(world.may(EXEC, "/usr/bin/git"));
    assert!(!world.may(EXEC, "/usr/bin/curl"));
    assert!(!world.may(EXEC, "/usr/bin/CURL"));
}

/// A veto is of the name, wherever it leads, in every spelling; and it hides nothing from reading.
#[test]
fn a_vetoed_name_runs_nowhere() {
    let names = [
        "curl",
        "c++",
        "a.b",
        "x[1]",
        "q\"uote",
        "back\\slash",
        "é",
        "sp ace",
        "$x^",
        "(y)|{z}",
    ];
    for name in names {
        let mut host = Host::stock_mac();
        for folder in ["/usr/bin", "/Users/me/bin"] {
            host.tree.file(format!("{folder}/{name}"));
            host.tree.file(format!("{folder}/{name}-not"));
            host.tree.file(format!("{folder}/not-{name}"));
        }
        let grant = Grant::builder().allow("every").veto(name);
        let grant = grant.build(&host.vars).unwrap();
        let world = World::of(host, &[grant]).unwrap();
        for folder in ["/usr/bin", "/Users/me/bin"] {
            let vetoed = format!("{folder}/{name}");
            for other in [format!("{vetoed}-not"), format!("{folder}/not-{name}")] {
                assert!(runs(&world, &other, &[]), "{other}");
                assert!(world.asks(Operation::ProcessExec, &other), "{other}");
            }
            assert!(!runs(&world, &vetoed, &[]), "{vetoed}");
            assert!(!world.asks(Operation::ProcessExec, &vetoed), "{vetoed}");
            assert!(world.asks(Operation::FileReadData, &vetoed), "{vetoed}");
        }
        let upper = format!("/usr/bin/{}", name.to_uppercase());
        assert!(!world.asks(Operation::ProcessExec, &upper), "{upper}");
    }
}

/// `any` where the pattern's own signs are letters: a veto of `a.b` is none of `axb`.
#[test]
fn a_veto_is_no_pattern() {
    let world = World::new(
        |tree| {
            tree.file("/usr/bin/axb");
            tree.file("/usr/bin/a.b");
        },
        "[exec]\nallow = ['/usr/bin']\nveto = ['a.b']",
    );
    assert!(
        runs(&world, "/usr/bin/axb", &[]) && world.asks(Operation::ProcessExec, "/usr/bin/axb")
    );
    assert!(
        !runs(&world, "/usr/bin/a.b", &[]) && !world.asks(Operation::ProcessExec, "/usr/bin/a.b")
    );
}

#[test]
fn a_vetoed_link_excludes_what_it_reaches() {
    let world = World::new(
        |tree| {
            tree.file("/opt/pkg/fetch-1.0");
            tree.link("/usr/local/bin/fetch", "/opt/pkg/fetch-1.0");
        },
        "[exec]\nallow = ['every']\nveto = ['fetch']",
    );
    assert!(world.may(EXEC, "/usr/bin/git"));
    assert!(!world.may(EXEC, "/opt/pkg/fetch-1.0"), "by its own name");
    assert!(!runs(&world, "fetch", &[]));
}

#[test]
fn only_is_the_guards_and_allows_nothing() {
    let world = World::new(
        |_| {},
        "[exec]\nallow = ['git']\nonly = { git = ['status', 'diff'], ls = ['-l'] }",
    );
    assert!(runs(&world, "git", &["status"]));
    assert!(runs(&world, "/usr/bin/git", &["diff", "--stat"]));
    for refused in [&["push"][..], &[], &["-C", "/w", "status"]] {
        assert!(!runs(&world, "git", refused), "{refused:?}");
    }
    assert!(
        !runs(&world, "ls", &["-l"]),
        "it speaks for nothing by itself"
    );
    assert!(
        world.may(EXEC, "/usr/bin/git"),
        "the kernel does not look at arguments"
    );
}

#[test]
fn a_scripts_interpreter_comes_with_it() {
    let script = |tree: &mut Memory| {
        tree.write("/usr/bin/tool", b"#!/usr/bin/python3 -u\n");
        tree.write("/usr/bin/looked-up", b"#!/usr/bin/env python3\n");
    };
    let world = World::new(script, "[exec]\nallow = ['/usr/bin/tool']");
    assert!(runs(&world, "tool", &[]));
    assert!(world.may(EXEC, "/usr/bin/python3"), "its carrier");
    assert!(!world.may(EXEC, "/usr/bin/env"));
    let world = World::new(script, "[exec]\nallow = ['looked-up']");
    assert!(
        world.may(EXEC, "/usr/bin/env"),
        "the carrier of a script that looks one up"
    );
    assert!(
        !world.may(EXEC, "/usr/bin/python3"),
        "what env finds is not carried"
    );
    // A script that the user may write carries nothing.
    let world = World::new(
        |tree| {
            tree.write("/Users/me/tool", b"#!/usr/bin/python3\n");
        },
        "[exec]\nallow = ['~/tool', '/usr/bin/git']",
    );
    assert!(world.may(EXEC, "/Users/me/tool") && world.may(EXEC, "/usr/bin/git"));
    assert!(!world.may(EXEC, "/usr/bin/python3"));
    assert!(
        !runs(&world, "/Users/me/tool", &[]),
        "its interpreter may not run"
    );
}

#[test]
fn the_own_executable_is_read_and_never_replaced() {
    let own = "/usr/local/bin/objcap";
    for grant in [
        "",
        "[fs]\nwrite = ['/']",
        "[fs]\nwrite = ['/usr/local']",
        "[exec]\nallow = ['every']",
    ] {
        let world = World::new(|tree| tree.file("/usr/local/bin/other"), grant);
        assert!(world.may(Act::Read, own), "{grant}");
        for act in [Act::Write, Act::Remove] {
            assert!(world.may(act, "/usr/local/bin/other"), "{grant} {act:?}");
            assert!(!world.may(act, own), "{grant} {act:?}");
        }
        assert!(world.may_all(Act::Link, &["/usr/local/bin/other", "/usr/local/o2"]));
        assert!(
            !world.may_all(Act::Link, &[own, "/usr/local/o2"]),
            "{grant}"
        );
        assert!(
            !world.may_all(Act::Rename, &["/usr/local/bin/other", own]),
            "{grant}"
        );
        // Its folder goes nowhere, and neither does one above it.
        for folder in ["/usr/local/bin", "/usr/local"] {
            assert!(
                !world.may_all(Act::Rename, &[folder, "/usr/moved"]),
                "{grant} {folder}"
            );
        }
    }
}

#[test]
fn a_protected_place_is_read_and_stays() {
    let world = World::new(
        |tree| {
            tree.file("/tmp-not/x");
            tree.file("/w/.git/hooks/pre-commit");
            tree.file("/w/f");
        },
        "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks', '/w/later/new']",
    );
    let hook = "/w/.git/hooks/pre-commit";
    assert!(world.may(Act::Read, hook) && world.may(EXEC, hook));
    assert!(
        world.may(Act::Write, "/w/.git/config"),
        "its neighbours are free"
    );
    for act in [Act::Write, Act::Remove] {
        assert!(world.may(act, "/w/f"));
        assert!(!world.may(act, hook), "{act:?}");
    }
    assert!(!world.may(Act::Create, "/w/.git/hooks/new"));
    assert!(!world.may(Act::Create, "/w/later"), "an absent ancestor");
    assert!(!world.may_all(Act::Link, &[hook, "/w/g"]));
    assert!(
        world.may_all(Act::Clone, &[hook, "/w/g"]),
        "a copy of what is read"
    );
    for act in [Act::Rename, Act::Clone] {
        assert!(!world.may_all(act, &["/w/.git", "/w/g"]), "{act:?}");
    }
}
