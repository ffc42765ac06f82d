//! Profiles of small grants in a stock Mac, tried through the judge. A test of a refusal first
//! shows an admitted operation under the same grant.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod world;

use objcap_capability::{Act, Grant, Stack};
use objcap_object::Host;
use objcap_sandbox::{Decision, Profile, Section};
use sbpl::Operation;

use world::World;

const READ: Act = Act::Read;
const WRITE: Act = Act::Write;

#[test]
fn an_allowance_holds_at_its_real_path_and_its_twin() {
    let world = World::new(|_| {}, "[fs]\nwrite = ['/tmp/a']");
    assert!(world.may(WRITE, "/tmp/a/f"));
    assert!(world.may(WRITE, "/private/tmp/a/f"));
    assert!(
        world.asks(Operation::FileWriteCreate, "/tmp/a/f"),
        "under the twin's name too"
    );
    assert!(!world.may(WRITE, "/tmp/b"));
    assert!(!world.may(WRITE, "/private/tmp/a-evil/f"));
}

#[test]
fn a_retargeted_link_reaches_nothing() {
    let world = World::new(
        |tree| {
            tree.file("/Users/me/real/f");
            tree.link("/Users/me/l", "real");
        },
        "[fs]\nread = ['~/l']",
    );
    assert!(world.may(READ, "/Users/me/l/f"));
    assert!(world.may(READ, "/Users/me/real/f"));
    // Whatever the link leads to later, the kernel is shown that name, and no rule has it.
    assert!(!world.asks(Operation::FileReadData, "/Users/me/l/f"));
    assert!(!world.asks(Operation::FileReadData, "/Users/me/other/f"));
    assert!(
        world.asks(Operation::FileReadMetadata, "/Users/me/l"),
        "the link can be looked at"
    );
}

#[test]
fn ancestors_can_be_looked_at_and_not_listed() {
    let world = World::new(|tree| tree.directory("/a/b/c"), "[fs]\nread = ['/a/b/c']");
    assert!(world.may(READ, "/a/b/c"));
    for ancestor in ["/a", "/a/b"] {
        assert!(
            world.asks(Operation::FileReadMetadata, ancestor),
            "{ancestor}"
        );
        assert!(!world.may(READ, ancestor), "{ancestor}");
    }
    assert!(!world.asks(Operation::FileReadMetadata, "/a/other"));
}

#[test]
fn an_exclusion_holds_for_every_operation_and_spelling_and_at_any_depth() {
    let world = World::new(
        |tree| tree.directory("/Users/me/app"),
        "[fs]\nwrite = ['~/app', '~/app/keys/pub']\nexclude = ['~/app/keys']",
    );
    assert!(world.may(WRITE, "/Users/me/app/src"));
    for name in [
        "/Users/me/app/keys",
        "/Users/me/app/KEYS/x",
        "/Users/me/app/keys/pub/y",
    ] {
        assert!(!world.may(READ, name), "{name}");
        assert!(!world.may(WRITE, name), "{name}");
        for operation in [
            Operation::FileReadMetadata,
            Operation::FileWriteCreate,
            Operation::FileWriteUnlink,
            Operation::FileLink,
            Operation::FileClone,
            Operation::FileMapExecutable,
            Operation::ProcessExec,
        ] {
            assert!(
                world.asks(operation.clone(), "/Users/me/app/src"),
                "{operation:?}"
            );
            assert!(
                !world.asks(operation.clone(), name),
                "{operation:?} of {name}"
            );
        }
    }
}

#[test]
fn both_ends_of_an_excluded_link_are_excluded() {
    let world = World::new(
        |tree| {
            tree.file("/Users/me/drive/secret");
            tree.link("/Users/me/app/.env", "../drive/secret");
            tree.file("/Users/me/app/main");
        },
        "[fs]\nread = ['/Users/me']\nexclude = ['~/app/.env']",
    );
    assert!(world.may(READ, "/Users/me/app/main"));
    assert!(!world.may(READ, "/Users/me/app/.env"));
    assert!(!world.may(READ, "/Users/me/drive/secret"));
    assert!(!world.asks(Operation::FileReadMetadata, "/Users/me/app/.env"));
}

#[test]
fn what_holds_an_exclusion_cannot_be_moved_made_or_cloned() {
    let world = World::new(
        |tree| tree.directory("/Users/me/app/sub/other"),
        "[fs]\nwrite = ['~/app']\nexclude = ['~/app/sub/key', '~/app/new/deep/key']",
    );
    let unlink = Operation::FileWriteUnlink;
    assert!(world.asks(unlink.clone(), "/Users/me/app/sub/other"));
    for pinned in ["/Users/me/app/sub", "/Users/me/app"] {
        assert!(!world.asks(unlink.clone(), pinned), "{pinned}");
        assert!(!world.asks(Operation::FileClone, pinned), "{pinned}");
    }
    assert!(world.asks(Operation::FileClone, "/Users/me/app/sub/other"));
    assert!(world.may(WRITE, "/Users/me/app/newer"));
    for unmade in ["/Users/me/app/new", "/Users/me/app/new/deep"] {
        assert!(!world.may(WRITE, unmade), "{unmade}");
    }
    assert!(
        world.may(WRITE, "/Users/me/app/new/other"),
        "below it all else is free"
    );
}

#[test]
fn a_link_in_the_middle_of_an_exclusion_is_pinned_and_not_excluded() {
    let world = World::new(
        |tree| {
            tree.directory("/Users/me/app/real");
            tree.link("/Users/me/app/l", "real");
        },
        "[fs]\nwrite = ['~/app']\nexclude = ['~/app/l/key']",
    );
    assert!(world.may(READ, "/Users/me/app/l/other"));
    assert!(!world.may(READ, "/Users/me/app/l/key"));
    assert!(!world.may(READ, "/Users/me/app/real/key"));
    assert!(!world.asks(Operation::FileWriteUnlink, "/Users/me/app/l"));
}

#[test]
fn offline_is_the_absence_of_every_door() {
    use sbpl::judge::{Request, Socket, Transport};
    use sbpl::{Judge, parse};

    let judge = |world: &World| {
        let parsed = parse(world.profile.text().as_bytes());
        Judge::new(parsed.profile())
    };
    let open = judge(&World::new(|_| {}, "[net]\naccess = 'open'"));
    let closed = judge(&World::new(|_| {}, "[net]\naccess = 'offline'"));
    let address = Socket::Inet(Transport::Tcp, "192.0.2.1:443".parse().unwrap());
    let resolver = Socket::Unix(b"/private/var/run/mDNSResponder".to_vec());
    let other = Socket::Unix(b"/private/tmp/agent.sock".to_vec());
    let connect = |to: &Socket| {
        let request = Request::new(Operation::NetworkOutbound).remote(to.clone());
        match to {
            Socket::Unix(path) => request.path(path),
            _ => request,
        }
    };
    for (to, when_open) in [
        (&address, Decision::Allow),
        (&resolver, Decision::Allow),
        (&other, Decision::Deny),
    ] {
        assert_eq!(open.settle(&connect(to)).decision(), when_open, "{to:?}");
        assert_eq!(
            closed.settle(&connect(to)).decision(),
            Decision::Deny,
            "{to:?}"
        );
    }
}

#[test]
fn any_name_reads_back_as_itself_or_is_refused() {
    for name in [
        "a\"b", "a\\", "a)(b", "a;b", "a\nb", "a#\"b", "$&(x)", "é日", "[*?]", "a\tb",
    ] {
        let mut host = Host::stock_mac();
        host.tree.file(format!("/w/{name}/f"));
        host.tree.file("/w/other");
        let grant = Grant::builder()
            .read(format!("/w/{name}"))
            .build(&host.vars)
            .unwrap();
        let world = World::of(host, &[grant]).unwrap();
        assert!(world.may(READ, &format!("/w/{name}/f")), "{name:?}");
        assert!(!world.may(READ, "/w/other"), "{name:?}");
    }
    let host = Host::stock_mac();
    let long = format!("/w/{}", "n/".repeat(550));
    let grant = Grant::builder().read(long).build(&host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let error = Profile::render(&stack, &host).unwrap_err();
    assert_eq!(error.kind(), objcap_sandbox::ErrorKind::Unwritable);
}

#[test]
fn nothing_that_allows_stands_behind_what_denies() {
    let world = World::new(
        |_| {},
        "[fs]\nwrite = ['~/app']\nexclude = ['~/app/x']\n[net]\naccess = 'open'",
    );
    let order: Vec<_> = world
        .profile
        .sections()
        .map(|(section, _)| section)
        .collect();
    let at = |section| order.iter().position(|&one| one == section).unwrap();
    for (section, lines) in world.profile.sections() {
        let allows = lines
            .iter()
            .any(|line| line.rule().action() == sbpl::Action::Allow);
        assert!(
            !allows || at(section) < at(Section::Exclusions),
            "{section:?}"
        );
    }
}

#[test]
fn what_lies_below_an_alias_is_named_by_it_too() {
    let world = World::new(|_| {}, "[fs]\nread = ['/']\nexclude = ['/private']");
    assert!(world.may(READ, "/Users/me"));
    for name in [
        "/tmp/x",
        "/private/tmp/x",
        "/var/db/x",
        "/etc/master.passwd",
        "/tmp",
    ] {
        assert!(!world.asks(Operation::FileReadData, name), "{name}");
        assert!(!world.may(READ, name), "{name}");
    }
    let world = World::new(|_| {}, "[fs]\nwrite = ['/private']");
    assert!(world.may(WRITE, "/private/tmp/x"));
    assert!(world.may(WRITE, "/tmp/x"));
    assert!(!world.may(WRITE, "/Users/me"));
}

#[test]
fn every_name_of_an_excluded_place_is_denied() {
    let world = World::new(|_| {}, "[fs]\nwrite = ['/tmp']\nexclude = ['/tmp/key']");
    for name in ["/tmp/key", "/private/tmp/key"] {
        assert!(!world.asks(Operation::FileReadData, name), "{name}");
        assert!(!world.asks(Operation::FileWriteCreate, name), "{name}");
    }
    for name in ["/tmp/other", "/private/tmp/other"] {
        assert!(world.asks(Operation::FileWriteCreate, name), "{name}");
    }
}

#[test]
fn the_data_volume_is_not_the_root() {
    let world = World::new(
        |_| {},
        "[fs]\nwrite = ['/System/Volumes/Data/Users/me/app']",
    );
    assert!(world.may(WRITE, "/Users/me/app/x"));
    assert!(!world.may(WRITE, "/usr/bin/x"));
    let world = World::new(|_| {}, "[fs]\nread = ['/']\nexclude = ['/tmp/x']");
    assert!(world.may(READ, "/System/Volumes/Data/tmp/y"));
    assert!(!world.may(READ, "/System/Volumes/Data/tmp/x"));
}

#[test]
fn nothing_above_a_link_on_the_way_to_an_exclusion_can_be_moved() {
    let world = World::new(
        |tree| {
            tree.directory("/out");
            tree.link("/w/a/l", "/out");
        },
        "[fs]\nread = ['/out']\nwrite = ['/w']\nexclude = ['/w/a/l/s']",
    );
    assert!(!world.may(READ, "/out/s"));
    assert!(world.asks(Operation::FileWriteUnlink, "/w/a/other"));
    for name in ["/w", "/w/a", "/w/a/l"] {
        assert!(!world.asks(Operation::FileWriteUnlink, name), "{name}");
        assert!(!world.asks(Operation::FileWriteCreate, name), "{name}");
    }
}

#[test]
fn many_clauses_fit_the_limits_of_the_system() {
    let host = Host::stock_mac();
    let reads = (0..2000).fold(Grant::builder().fs(), |builder, number| {
        builder.read(format!(
            "/w/src/project/packages/dependency-number-{number:04}"
        ))
    });
    let grant = (0..200).fold(reads, |builder, number| {
        builder.exclude(format!("/w/a/b/c/d/e/f/g/h/i/{number:03}/key"))
    });
    let grant = grant.build(&host.vars).unwrap();
    let world = World::of(host, &[grant]).unwrap();
    assert!(world.may(READ, "/w/src/project/packages/dependency-number-1999/x"));
    assert!(!world.may(READ, "/w/src/project/packages/dependency-number-2000/x"));
    assert!(!world.may(READ, "/w/a/b/c/d/e/f/g/h/i/199/key"));
}

#[test]
fn a_name_too_long_for_any_call_is_refused_at_once() {
    let host = Host::stock_mac();
    let read = |length: usize| {
        let name = format!("/w{}", "/n".repeat(length));
        let grant = Grant::builder().read(name).build(&host.vars).unwrap();
        Stack::freeze(&[grant], &host)
    };
    assert!(read(1000).is_ok());
    let error = read(40_000).unwrap_err();
    assert_eq!(error.kind(), objcap_capability::ErrorKind::TooLong);
}

/// A kernel that asks of a new socket as of the network alone would let one be made anywhere.
#[test]
fn a_socket_is_made_where_files_are_and_nowhere_else() {
    let grant = "[fs]\nwrite = ['/w']\nexclude = ['/w/key']\nprotect = ['/w/hooks']\n[net]\naccess = 'open'\n";
    let world = World::new(|tree| tree.directory("/w"), grant);
    assert!(world.asks(Operation::NetworkBind, "/w/own"));
    for elsewhere in [
        "/w/key",
        "/w/KEY",
        "/w/hooks/new",
        "/usr/local/s",
        "/Users/me/s",
    ] {
        assert!(
            !world.asks(Operation::NetworkBind, elsewhere),
            "{elsewhere}"
        );
    }
    let unrestricted = World::new(|tree| tree.directory("/w"), "[net]\naccess = 'open'\n");
    assert!(unrestricted.asks(Operation::NetworkBind, "/w/own"));
    let closed = World::new(|tree| tree.directory("/w"), "[fs]\nwrite = ['/w']\n[net]\n");
    assert!(!closed.asks(Operation::NetworkBind, "/w/own"));
}
