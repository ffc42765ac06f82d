//! How large profiles become: large grants stay below every limit of the system, and what does not is
//! an error that names the clause. What a large profile decides is tried, too.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod world;

use objcap_capability::{Act, Grant, GrantBuilder};
use objcap_object::{Host, RealPath};
use objcap_sandbox::{Asked, Decision, ErrorKind, Limit, Profile};
use sbpl::Operation;

use world::World;

fn try_world(grant: GrantBuilder) -> Result<World, objcap_sandbox::Error> {
    let host = Host::stock_mac();
    let grant = grant.build(&host.vars).unwrap();
    World::of(host, &[grant])
}

fn is_within_limits(profile: &Profile) -> bool {
    let figures = profile.size().figures().into_iter();
    let mut hard = figures.filter(|(limit, ..)| *limit != Limit::Argument);
    hard.all(|(_, figure, most)| figure <= most)
}

/// A name of 60 bytes.
fn place(number: usize) -> String {
    format!("/Users/me/src/workspace/packages/dependency-number-{number:09}")
}

#[test]
fn five_thousand_prefixes_stay_below_every_limit() {
    assert_eq!(place(0).len(), 60);
    let grant = (0..5000).fold(Grant::builder().fs(), |grant, number| match number % 3 {
        0 => grant.write(place(number)),
        1 => grant.exclude(place(number)),
        _ => grant.read(place(number)),
    });
    let world = try_world(grant.allow("/usr/bin").allow(place(5))).unwrap();
    assert!(
        is_within_limits(&world.profile),
        "{:?}",
        world.profile.size()
    );
    for (number, read, write) in [
        (4998, true, true),
        (4999, false, false),
        (4997, true, false),
    ] {
        let path = format!("{}/f", place(number));
        assert_eq!(world.may(Act::Read, &path), read, "{path}");
        assert_eq!(world.may(Act::Write, &path), write, "{path}");
    }
    assert!(world.may(Act::Exec, "/usr/bin/git"));
    assert!(world.may(Act::Exec, &place(5)));
    assert!(
        !world.may(Act::Exec, &place(8)),
        "it is read, and not allowed"
    );
    assert!(!world.may(Act::Exec, "/bin/sh"));
}

/// A name of 60 bytes, the last 14 of them below a folder of its own.
fn hidden(number: usize) -> String {
    format!("/Users/me/src/workspace/packages/number-{number:05}/secret/key.pem")
}

/// Names share rules, so their number is not bounded by that of rules.
#[test]
fn twenty_thousand_exclusions_stay_below_every_limit() {
    assert_eq!(hidden(0).len(), 60);
    let grant = Grant::builder().write("/Users/me/src").allow("/Users/me");
    let grant = (0..20_000).fold(grant, |grant, number| match number % 3 {
        0 => grant.exclude(hidden(number)),
        1 => grant.protect(hidden(number)),
        _ => grant.exec_exclude(hidden(number)),
    });
    let world = try_world(grant).unwrap();
    let size = world.profile.size();
    assert!(is_within_limits(&world.profile), "{size:?}");
    assert!(size.rules < 1000, "{size:?}");
    for act in [Act::Read, Act::Write, Act::Exec] {
        assert!(world.may(act, &hidden(20_000)), "{act:?}");
    }
    for (number, admitted) in [
        (0, [false, false, false]),
        (1, [true, false, true]),
        (2, [true, true, false]),
        (9_999, [false, false, false]),
        (10_000, [true, false, true]),
        (19_997, [true, true, false]),
        (19_998, [false, false, false]),
        (19_999, [true, false, true]),
    ] {
        let acts = [Act::Read, Act::Write, Act::Exec];
        for (act, admitted) in acts.into_iter().zip(admitted) {
            let path = hidden(number);
            assert_eq!(world.may(act, &path), admitted, "{act:?} {path}");
            assert_eq!(
                world.may(act, &path.to_uppercase()),
                admitted,
                "{act:?} {path}"
            );
        }
    }
    // Each folder above one is held in its place, and all else in it is free.
    let folder = "/Users/me/src/workspace/packages/number-19998";
    assert!(world.may(Act::Remove, "/Users/me/src/workspace/packages/number-19997"));
    assert!(!world.may(Act::Remove, folder));
    assert!(world.may(Act::Write, &format!("{folder}/other")));
}

/// A rule that many share still tells for each name which clause it stands for.
#[test]
fn each_name_of_a_shared_rule_keeps_its_clause() {
    let grant = Grant::builder().write("/Users/me/src");
    let grant = (0..600).fold(grant, |grant, number| grant.exclude(hidden(number)));
    let world = try_world(grant).unwrap();
    for number in [0, 1, 299, 599] {
        let names = vec![RealPath::new(hidden(number)).unwrap()];
        let operation = Operation::FileReadData;
        let asked = Asked { operation, names };
        let explained = world.profile.explain(&[asked]);
        for outcome in explained.outcomes() {
            assert_eq!(outcome.decision(), Decision::Deny);
            let why = outcome.why().unwrap().to_string();
            assert!(why.contains(&hidden(number)), "{why}");
        }
    }
}

/// The rule that keeps what is not read from running has two forms, by size. They decide alike.
#[test]
fn both_forms_of_the_read_bound_decide_alike() {
    let asked = [
        "/Users/me/app/tool",
        "/Users/me/app/bin/tool",
        "/Users/me/app/bin/secret",
        "/Users/me/other/tool",
        "/usr/bin/git",
        "/usr/bin/curl",
        "/bin/sh",
        "/",
        "/private/tmp/x",
    ];
    let base = || {
        let grant = Grant::builder().read("~/app").write("/tmp/w");
        grant.exclude("~/app/bin/secret")
    };
    let padded =
        |grant: GrantBuilder| (0..2000).fold(grant, |grant, number| grant.read(place(number)));
    type Programs = fn(GrantBuilder) -> GrantBuilder;
    let programs: [Programs; 6] = [
        |grant| grant,
        |grant| grant.exec(),
        |grant| grant.allow("every").exec_exclude("/usr/bin/curl"),
        |grant| grant.allow("~/app/bin").allow("git"),
        |grant| grant.allow("/Users/me").veto("curl"),
        |grant| grant.allow("/usr/bin").allow("/tmp"),
    ];
    let mut admitted = 0;
    for programs in programs {
        let outside = try_world(programs(base())).unwrap();
        let within = try_world(padded(programs(base()))).unwrap();
        for path in asked {
            let one = outside.may(Act::Exec, path);
            assert_eq!(one, within.may(Act::Exec, path), "{path}");
            admitted += usize::from(one);
        }
    }
    assert!(admitted > 12, "{admitted}");
}

#[test]
fn a_deep_exclusion_costs_little_beside_its_neighbours() {
    let deep = |number: usize| format!("/tmp/a/b/c/d/e/f/g/h{number}/i/j/key");
    let with = |count: usize| {
        let grant = Grant::builder().write("/tmp/a");
        let grant = (0..count).fold(grant, |grant, number| grant.exclude(deep(number)));
        let world = try_world(grant).unwrap();
        assert!(world.may(Act::Write, "/tmp/a/b/x"));
        assert!(!world.may(Act::Read, &deep(0)));
        world.profile.text().len()
    };
    let (ten, eleven) = (with(10), with(11));
    assert!(eleven - ten <= 2048, "{}", eleven - ten);
}

#[test]
fn over_a_limit_is_an_error_that_names_the_clause_and_the_limit() {
    let vetoes = |count: usize| {
        let grant = (0..count).fold(Grant::builder().exec(), |grant, number| {
            grant.veto(format!("tool-{number}"))
        });
        try_world(grant.allow("every"))
    };
    let world = vetoes(16_900).unwrap();
    assert!(is_within_limits(&world.profile));
    assert!(world.may(Act::Exec, "/usr/bin/git"));
    let error = vetoes(17_100).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    let clause = error.clause().unwrap().to_string();
    assert!(clause.starts_with("exec.veto `tool-1"), "{clause}");
    assert!(
        error.to_string().contains("rules, more than 17000"),
        "{error}"
    );

    let long = |length: usize| {
        let name = format!("/Users/me{}", "/n".repeat(length));
        try_world(Grant::builder().read(name))
    };
    assert!(long(500).is_ok());
    let error = long(600).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unwritable);
    assert!(
        error
            .clause()
            .unwrap()
            .to_string()
            .starts_with("read `/Users/me/n/n")
    );
}

#[test]
fn what_another_clause_implies_is_not_written_twice() {
    let text = |grant: GrantBuilder| try_world(grant).unwrap().profile.text().len();
    let one = text(Grant::builder().write("~/app"));
    let more = Grant::builder()
        .write("~/app")
        .read("~/app/src")
        .write("~/app/src/x");
    assert_eq!(text(more), one);
    // An exclusion between two allowances is between nothing: all of them stand behind.
    let between = Grant::builder()
        .write("~/app")
        .exclude("~/app/src")
        .write("~/app/src/x");
    let world = try_world(between).unwrap();
    assert!(world.may(Act::Write, "/Users/me/app/y"));
    assert!(!world.may(Act::Write, "/Users/me/app/src/x"));
}
