//! Which file a bare name means, and what scripts need: from no place that the program may write.

use objcap_capability::{Grant, GrantBuilder, Stack};
use objcap_object::{Host, Memory};

use crate::{frozen, runs};

/// A user's folder stands first in PATH, and has a git of its own.
fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree.file("/Users/me/bin/git");
    host.tree.file("/opt/bin/git");
    host.search = [
        "/Users/me/bin",
        "relative",
        "",
        "/opt/bin",
        "/usr/bin",
        "/bin",
    ]
    .map(Into::into)
    .to_vec();
    host
}

fn read_all() -> GrantBuilder {
    Grant::builder().read("/opt").read("/Users/me")
}

/// Which of the three programs called git may be run.
fn gits(stack: &Stack<Memory>, host: &Host<Memory>) -> Vec<&'static str> {
    let all = ["/Users/me/bin/git", "/opt/bin/git", "/usr/bin/git"];
    let found = all.into_iter().filter(|path| runs(stack, host, path));
    found.collect()
}

#[test]
fn a_bare_name_comes_from_the_first_folder_that_is_not_writable() {
    let mut host = world();
    let found = |host: &Host<Memory>, grant: GrantBuilder| {
        let stack = frozen(&[grant.allow("git")], host);
        gits(&stack, host)
    };
    assert_eq!(found(&host, read_all()), ["/Users/me/bin/git"]);
    let one = read_all().write("/Users/me/bin");
    assert_eq!(found(&host, one), ["/opt/bin/git"]);
    let both = read_all().write("/Users/me/bin").write("/opt");
    assert_eq!(found(&host, both), ["/usr/bin/git"]);
    // The entry alone is enough: the program could remove it, or put a link there.
    let entry = read_all().write("/Users/me/bin/git");
    assert_eq!(found(&host, entry), ["/opt/bin/git"]);
    // So is the link by which PATH names the folder.
    host.tree.link("/w/path", "/Users/me/bin");
    host.search[0] = "/w/path".into();
    let link = read_all().write("/w");
    assert_eq!(found(&host, link), ["/opt/bin/git"]);
    assert_eq!(found(&host, read_all().read("/w")), ["/Users/me/bin/git"]);
}

#[test]
fn what_is_protected_or_made_by_nobody_is_passed_as_it_stands() {
    let host = world();
    let grant = read_all().write("/Users/me").protect("/Users/me/bin");
    let stack = frozen(&[grant.allow("git").allow("none")], &host);
    assert_eq!(gits(&stack, &host), ["/Users/me/bin/git"]);
    let programs = stack.layers()[0].exec().unwrap();
    let unfound: Vec<_> = programs.unfound().iter().map(ToString::to_string).collect();
    assert_eq!(unfound, ["exec.allow `none`"]);
}

#[test]
fn another_layer_takes_from_a_bare_name_and_gives_it_no_other_meaning() {
    let host = world();
    let names = || read_all().write("/Users/me/bin").allow("git");
    let alone = frozen(&[names()], &host);
    assert_eq!(gits(&alone, &host), ["/opt/bin/git"]);
    // The other layer lets nothing be written there. The name means what it meant.
    let met = frozen(&[names(), read_all()], &host);
    assert_eq!(gits(&met, &host), ["/opt/bin/git"]);
    // A layer without files, beside one that lets the folder be written: the name means nothing, and
    // not the next one of PATH.
    let only = || Grant::builder().allow("git");
    assert_eq!(
        gits(&frozen(&[only()], &host), &host),
        ["/Users/me/bin/git"]
    );
    for writing in ["/Users/me/bin", "/Users/me/bin/git"] {
        let stack = frozen(&[only(), read_all().write(writing)], &host);
        assert!(gits(&stack, &host).is_empty(), "{writing}");
    }
    let stack = frozen(&[only(), read_all().write("/w")], &host);
    assert_eq!(gits(&stack, &host), ["/Users/me/bin/git"]);
}

#[test]
fn no_state_of_a_writable_folder_moves_a_bare_name_on() {
    let only = || Grant::builder().allow("git");
    let writing = || read_all().write("/Users/me/bin");
    let states: [fn(&mut Memory); 4] = [
        |_| {},
        |tree| assert!(tree.remove("/Users/me/bin/git")),
        |tree| {
            assert!(tree.remove("/Users/me/bin"));
            tree.file("/Users/me/bin");
        },
        |tree| {
            assert!(tree.remove("/Users/me/bin"));
            tree.link("/Users/me/bin", "bin");
        },
    ];
    for (number, change) in states.into_iter().enumerate() {
        let mut host = world();
        change(&mut host.tree);
        // The write allowance itself does not pass the link that stands in its place.
        let grants = [only().build(&host.vars), writing().build(&host.vars)];
        let Ok(stack) = Stack::freeze(&grants.map(Result::unwrap), &host) else {
            assert_eq!(number, 3);
            continue;
        };
        assert!(gits(&stack, &host).is_empty(), "{number}");
    }
}

/// `/usr/local/bin/s0` is a script for `/opt/s1`, that one for `/opt/s2`, and so on to a program.
fn chain(length: usize) -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree.write("/usr/local/bin/s0", "#!/opt/s1\n");
    for number in 1..length {
        let next = number + 1;
        host.tree
            .write(format!("/opt/s{number}"), format!("#!/opt/s{next}\n"));
    }
    host.tree.write(format!("/opt/s{length}"), "\u{7f}ELF");
    host
}

fn carried(stack: &Stack<Memory>) -> Vec<String> {
    let programs = stack.layers().iter().filter_map(|layer| layer.exec());
    let all = programs.flat_map(|programs| programs.rights().allowances());
    let carriers = all.filter(|one| one.is_carrier());
    carriers.map(|one| one.place().real().to_string()).collect()
}

#[test]
fn a_script_brings_its_interpreters_four_hops_far() {
    let grant = || Grant::builder().read("/opt").allow("/usr/local/bin/s0");
    let host = chain(3);
    let stack = frozen(&[grant()], &host);
    assert_eq!(carried(&stack), ["/opt/s1", "/opt/s2", "/opt/s3"]);
    assert!(runs(&stack, &host, "/opt/s3") && !runs(&stack, &host, "/bin/ls"));
    let host = chain(6);
    let stack = frozen(&[grant()], &host);
    assert_eq!(
        carried(&stack),
        ["/opt/s1", "/opt/s2", "/opt/s3", "/opt/s4"]
    );
    // A script that is reached late by one way and early by another brings what the shorter way reaches,
    // in either order.
    let late = "/opt/s4";
    for (one, other) in [(late, "/usr/local/bin/s0"), ("/usr/local/bin/s0", late)] {
        let grant = Grant::builder().read("/opt").allow(one).allow(other);
        let stack = frozen(&[grant], &host);
        assert!(runs(&stack, &host, "/opt/s6"), "{one} first");
    }
}

#[test]
fn a_loop_of_interpreters_ends() {
    let mut host = chain(2);
    host.tree.write("/opt/s2", "#!/opt/s1\n");
    host.tree.write("/opt/self", "#!/opt/self\n");
    let grant = Grant::builder().read("/opt").allow("/opt/self");
    let stack = frozen(&[grant.allow("/usr/local/bin/s0")], &host);
    assert_eq!(carried(&stack), ["/opt/self", "/opt/s1", "/opt/s2"]);
}

#[test]
fn what_user_or_program_may_write_brings_nothing() {
    let script = "#!/opt/python\n";
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    tree.write("/opt/python", "\u{7f}ELF");
    tree.write("/opt/bin/script", script);
    tree.write("/Users/me/script", script);
    tree.link("/w/python", "/opt/python");
    tree.write("/opt/bin/by-link", "#!/w/python\n");
    tree.write("/w/native", "\u{7f}ELF");
    tree.write("/opt/bin/inside", "#!/w/native\n");
    tree.write("/opt/bin/by-env", "#!/usr/bin/env git\n");
    tree.write("/opt/bin/shim", "#!/bin/sh\nexec /opt/python \"$@\"\n");
    let read = || Grant::builder().read("/opt").read("/Users/me").read("/w");
    let carried = |grant: GrantBuilder| carried(&frozen(&[grant], &host));
    assert_eq!(carried(read().allow("/opt/bin/script")), ["/opt/python"]);
    assert_eq!(
        carried(read().allow("/opt/bin/shim")),
        ["/bin/sh", "/opt/python"]
    );
    assert_eq!(carried(read().allow("/opt/bin/by-env")), ["/usr/bin/env"]);
    assert_eq!(carried(read().allow("/opt/bin/by-link")), ["/opt/python"]);
    assert_eq!(carried(read().allow("/opt/bin/inside")), ["/w/native"]);
    let nothing = [
        // The user's own, and what the grant lets be written although it is the system's.
        read().allow("/Users/me/script"),
        read().write("/opt/bin").allow("/opt/bin/script"),
        // Through a link, and to a program, that the grant lets be replaced.
        read().write("/w").allow("/opt/bin/by-link"),
        read().write("/w").allow("/opt/bin/inside"),
        // A script that does not run needs nothing.
        read().allow("/opt/bin/script").exec_exclude("/opt/bin"),
        read().exclude("/opt/bin").allow("/opt/bin/script"),
        read().allow("/opt/bin/script").veto("script"),
    ];
    for grant in nothing {
        assert!(carried(grant.clone()).is_empty(), "{grant:?}");
    }
    let beside = [
        Grant::builder().allow("/opt/bin/script"),
        read().write("/opt/bin"),
    ];
    assert!(super::programs::carried(&frozen(&beside, &host)).is_empty());
}
