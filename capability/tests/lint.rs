//! What `Stack::lint` finds, situation by situation, each beside a grant in which it finds nothing.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use objcap_capability::{Grant, Stack};
use objcap_object::{Host, Memory};

/// Each finding: its word, the clause that it is about, and all of its message.
fn findings(host: &Host<Memory>, grants: &[&str]) -> Vec<(String, String, String)> {
    let grants = grants.iter().zip(["a", "b", "c"]);
    let grants: Vec<_> = grants
        .map(|(text, name)| Grant::parse(name, text.as_bytes(), &host.vars).unwrap())
        .collect();
    let stack = Stack::freeze(&grants, host).unwrap();
    let told = stack.lint(host).into_iter().map(|found| {
        let clause = found.clause().map(ToString::to_string);
        (
            found.name().to_owned(),
            clause.unwrap_or_default(),
            found.to_string(),
        )
    });
    told.collect()
}

/// A stock Mac in which a user has an app.
fn mac() -> Host<Memory> {
    let mut mac = Host::stock_mac();
    let tree = &mut mac.tree;
    for file in ["main.rs", ".env", "target/app", "secrets/key"] {
        tree.file(format!("/Users/me/app/{file}"));
    }
    tree.directory("/Users/me/app/bin");
    tree.link("/Users/me/app/vault", "secrets");
    tree.write("/usr/local/bin/tool", "#!/bin/sh\n:\n");
    mac
}

#[track_caller]
fn finds(grants: &[&str], expected: &[(&str, &str)]) {
    let found = findings(&mac(), grants);
    let short: Vec<_> = found
        .iter()
        .map(|(name, clause, _)| (&name[..], &clause[..]))
        .collect();
    assert_eq!(short, expected, "{grants:#?} {found:#?}");
}

#[test]
fn a_grant_without_fault_has_no_findings() {
    finds(&[""], &[]);
    finds(
        &["[fs]\nread = ['~/app']\nwrite = ['~/app/target']\n\
           exclude = ['~/app/.env']\nprotect = ['~/app/target/app']\n\
           [exec]\nallow = ['/usr/bin']\nexclude = ['/usr/bin/osascript']\nveto = ['curl']\n\
           only = { git = ['status'] }\n[net]"],
        &[],
    );
}

#[test]
fn an_allowance_inside_an_exclusion_is_dead() {
    finds(
        &["fs.read = ['~/app', '~/app/secrets/key']\nfs.exclude = ['~/APP/Secrets']"],
        &[("dead", "read `~/app/secrets/key`")],
    );
    finds(
        &["fs.exclude = ['/usr/bin']\nfs.read = ['~/app']\nexec.allow = ['/usr/bin/git', '/bin']"],
        &[("dead", "exec.allow `/usr/bin/git`")],
    );
    finds(
        &["exec.allow = ['/bin', 'git']\nexec.veto = ['Git', 'absent']\n[fs]"],
        &[("dead", "exec.allow `git`")],
    );
    finds(
        &["exec.allow = ['/bin', 'absent']\nexec.veto = ['absent']\n[fs]"],
        &[("dead", "exec.allow `absent`")],
    );
    finds(
        &["fs.read = ['~']\nfs.exclude = ['~/app']\nnet.sockets = ['~/app/s', '/tmp/s']"],
        &[
            ("dead", "net.sockets `~/app/s`"),
            ("absent", "net.sockets `/tmp/s`"),
        ],
    );
}

#[test]
fn an_allowance_of_which_a_part_is_left_is_told() {
    let found = findings(
        &mac(),
        &["fs.write = ['~/app/target/app']\nfs.protect = ['~/app/target']"],
    );
    let message = "protect `~/app/target` (a:2:15) takes from write `~/app/target/app` at its own \
                   place: stat, read is left";
    let clause = "write `~/app/target/app`";
    assert_eq!(
        found,
        [("overlapping".into(), clause.into(), message.into())]
    );
}

#[test]
fn what_another_clause_says_already_is_shadowed() {
    finds(
        &["fs.read = ['~/app/bin', '~/app', '~/APP/bin']\nfs.write = ['~/app/bin']"],
        &[
            ("shadowed", "read `~/app/bin`"),
            ("shadowed", "read `~/APP/bin`"),
        ],
    );
    finds(
        &["fs.read = ['~/app', '/private/tmp']\nfs.write = ['/tmp', '/tmp']"],
        &[
            ("shadowed", "read `/private/tmp`"),
            ("shadowed", "write `/tmp`"),
        ],
    );
    // What is written inside of what is read is more.
    finds(&["fs.read = ['~/app']\nfs.write = ['~/app/bin']"], &[]);
    finds(
        &["exec.allow = ['/usr/bin', 'git', 'ls']\n[fs]"],
        &[("shadowed", "exec.allow `git`")],
    );
    finds(
        &["exec.allow = ['every', '/bin']\n[fs]"],
        &[("shadowed", "exec.allow `/bin`")],
    );
    // The floor of one system is not that of another.
    finds(&["fs.read = ['/usr/local']"], &[]);
    finds(
        &["fs.read = ['~']\nfs.exclude = ['~/app/secrets/KEY', '~/app/secrets']"],
        &[("shadowed", "exclude `~/app/secrets/KEY`")],
    );
    finds(
        &[
            "fs.read = ['~']\nfs.exclude = ['~/app/bin']\nfs.protect = ['~/app', '~/app/bin', '~/app/target']",
        ],
        &[
            ("shadowed", "protect `~/app/bin`"),
            ("shadowed", "protect `~/app/target`"),
        ],
    );
    finds(
        &[
            "fs.exclude = ['/usr/bin']\nexec.allow = ['/bin']\nexec.exclude = ['/usr/bin/curl', '/bin/ls']",
        ],
        &[("shadowed", "exec.exclude `/usr/bin/curl`")],
    );
}

#[test]
fn a_name_that_is_written_as_a_pattern_is_told() {
    let mut mac = mac();
    mac.tree.file("/Users/me/app/[id]/page");
    mac.tree.write("/bin/[", "a program");
    let patterns = |text: &str| -> Vec<(String, String)> {
        let found = findings(&mac, &[text]).into_iter();
        let found = found.filter(|(kind, ..)| kind == "pattern");
        found.map(|(_, clause, told)| (clause, told)).collect()
    };
    // What stands there was not written by mistake.
    for text in [
        "fs.write = ['~/app/[id]', '~/app/[id]/new']",
        "fs.exclude = ['~/app/[id]/.env']",
        "exec.veto = ['[', 'curl']",
        "exec.allow = ['[']",
    ] {
        assert_eq!(patterns(text), [], "{text}");
    }
    for (text, clause, sign) in [
        (
            "fs.exclude = ['~/app/**/.env']",
            "exclude `~/app/**/.env`",
            '*',
        ),
        ("fs.exclude = ['~/app/*.pem']", "exclude `~/app/*.pem`", '*'),
        ("fs.read = ['~/app/?']", "read `~/app/?`", '?'),
        ("fs.protect = ['~/app/[a-z]']", "protect `~/app/[a-z]`", '['),
        (
            "net.sockets = ['~/app/*.sock']",
            "net.sockets `~/app/*.sock`",
            '*',
        ),
        ("exec.veto = ['python*']", "exec.veto `python*`", '*'),
        ("exec.allow = ['python*']", "exec.allow `python*`", '*'),
        (
            "exec.exclude = ['/usr/bin/py*']",
            "exec.exclude `/usr/bin/py*`",
            '*',
        ),
    ] {
        let told = format!(
            "{clause} is no pattern: `{sign}` is a letter, and it means the one name that has it"
        );
        assert_eq!(patterns(text), [(clause.to_owned(), told)], "{text}");
    }
}

#[test]
fn what_does_not_exist_is_accepted_and_told() {
    let found = findings(
        &mac(),
        &["fs.read = ['~/app', '~/lib']\nfs.exclude = ['~/app/.ssh']"],
    );
    let message = "read `~/lib`: nothing stands at `/Users/me/lib` yet; it holds for what will";
    assert_eq!(
        found[0],
        ("absent".into(), "read `~/lib`".into(), message.into())
    );
    assert_eq!(
        (&found[1].0[..], &found[1].1[..]),
        ("absent", "exclude `~/app/.ssh`")
    );
    assert_eq!(found.len(), 2);
}

#[test]
fn a_program_that_may_not_be_read_is_told() {
    finds(
        &["fs.read = ['~/app/target']\nexec.allow = ['~/app', '~/app/bin', '/usr/bin']"],
        &[
            ("shadowed", "exec.allow `~/app/bin`"),
            ("unread", "exec.allow `~/app/bin`"),
        ],
    );
    finds(
        &["fs.read = ['~/app']\nexec.allow = ['~/app/bin', 'git']"],
        &[],
    );
}

#[test]
fn a_bare_name_that_path_does_not_find_is_told() {
    finds(
        &["exec.allow = ['git', 'gti']\nfs.read = ['~/app']"],
        &[("unfound", "exec.allow `gti`")],
    );
}

#[test]
fn a_bound_program_that_nothing_allows_is_told() {
    let only =
        "only = { git = ['status'], '/usr/bin/curl' = ['-V'], absent = ['x'], '/bin/ls' = ['-l'] }";
    finds(
        &[&format!(
            "[fs]\n[exec]\nallow = ['git', '/bin', '/usr/bin/curl']\nveto = ['curl']\n{only}"
        )],
        &[
            ("dead", "exec.allow `/usr/bin/curl`"),
            ("unallowed", "exec.only `/usr/bin/curl`"),
            ("unallowed", "exec.only `absent`"),
        ],
    );
}

#[test]
fn an_exclusion_that_is_a_link_has_two_ends() {
    let found = findings(
        &mac(),
        &["fs.read = ['~/app']\nfs.exclude = ['~/app/vault']"],
    );
    let message = "exclude `~/app/vault`: `/Users/me/app/vault` is a link, and it is excluded with what it \
                   leads to, `/Users/me/app/secrets`";
    let clause = "exclude `~/app/vault`";
    assert_eq!(found, [("linked".into(), clause.into(), message.into())]);
    // A link on the way is no end.
    finds(
        &["fs.read = ['~/app']\nfs.exclude = ['~/app/vault/key']"],
        &[],
    );
}

#[test]
fn a_script_that_is_not_to_be_run_is_told() {
    let table = ["exclude = ['/usr/local/bin/tool']", "veto = ['tool']"];
    for (row, clause) in table
        .iter()
        .zip(["exec.exclude `/usr/local/bin/tool`", "exec.veto `tool`"])
    {
        let found = findings(&mac(), &[&format!("[fs]\n[exec]\nallow = ['/bin']\n{row}")]);
        let [(name, about, message)] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!((&name[..], &about[..]), ("script", clause));
        assert!(
            message.contains("`/usr/local/bin/tool` is a script, which `/bin/sh` still runs"),
            "{message}"
        );
    }
    finds(
        &["[fs]\n[exec]\nallow = ['/bin']\nexclude = ['/usr/bin/git']\nveto = ['curl']"],
        &[],
    );
}

#[test]
fn entries_of_path_that_are_not_searched_are_told_where_programs_are_restricted() {
    let mut host = mac();
    host.search = ["/Users/me/app/bin", "", "bin", "/usr/bin"]
        .map(Into::into)
        .into();
    let grant = "fs.write = ['~/app']\nexec.allow = ['git']";
    let found: Vec<_> = findings(&host, &[grant])
        .into_iter()
        .map(|one| one.2)
        .collect();
    assert_eq!(
        found,
        [
            "the folder `/Users/me/app/bin` of PATH may be written, by write `~/app` (a:1:13): no bare \
             name is looked for there",
            "PATH has an empty folder, the current one: no bare name is looked for there",
            "the folder `bin` of PATH is relative: no bare name is looked for there",
        ]
    );
    assert_eq!(findings(&host, &["fs.write = ['~/app']"]), []);
}

#[test]
fn programs_without_files_can_be_replaced() {
    finds(&["exec.allow = ['/bin']"], &[("unrestricted-files", "")]);
    finds(&["exec.allow = ['/bin']", "fs.read = ['~/app']"], &[]);
}

#[test]
fn layers_that_leave_nothing_are_told() {
    let (one, other) = ("fs.read = ['~/app/bin']", "fs.read = ['~/app/target']");
    finds(&[one, "fs.read = ['~/app']"], &[]);
    finds(&[one, other], &[("nothing", "")]);
    finds(&[one, "[fs]"], &[("nothing", "")]);
    finds(&["[fs]", "[fs]"], &[]);
    // A layer that only reads is meant to.
    finds(&["fs.write = ['~/app']", "fs.read = ['~/app']"], &[]);
    finds(
        &[
            "fs.write = ['~/app/bin']\nfs.read = ['~/app']",
            "fs.write = ['~/app/target']\nfs.read = ['~/app']",
        ],
        &[("nothing", "")],
    );
    finds(
        &["[fs]\n[exec]\nallow = ['/bin']", "exec.allow = ['git']"],
        &[("nothing", "")],
    );
    finds(
        &[
            "net.sockets = ['~/app/main.rs']",
            "net.sockets = ['~/app/.env']",
        ],
        &[("nothing", "")],
    );
}

#[test]
fn a_place_that_is_written_and_run_is_a_deputy() {
    let found = findings(
        &mac(),
        &["fs.write = ['~/app']\nexec.allow = ['~/app/bin', '/bin']"],
    );
    let message = "`/Users/me/app/bin` may be written, by write `~/app` (a:1:13), and run, by exec.allow \
                   `~/app/bin` (a:2:15): whatever is put there runs, and under another name than one that \
                   is kept from running";
    assert_eq!(
        found,
        [("deputy".into(), "write `~/app`".into(), message.into())]
    );
    let grant = "fs.write = ['~/app/bin']\nexec.allow = ['~/app', '/bin']";
    finds(
        &[&format!("fs.read = ['~/app']\n{grant}")],
        &[("deputy", "write `~/app/bin`")],
    );
    // Another layer takes one of the two away.
    finds(&[grant, "fs.read = ['~/app', '/bin']"], &[]);
    finds(
        &[&format!(
            "{grant}\nfs.protect = ['~/app/bin']\nfs.read = ['~/app']"
        )],
        &[("overlapping", "write `~/app/bin`")],
    );
}

#[test]
fn the_own_file_with_a_second_name_that_may_be_written_is_told() {
    let grant = "fs.write = ['~/app']";
    finds(&[grant], &[]);
    let mut host = mac();
    assert!(
        host.tree
            .link_hard("/usr/local/bin/objcap", "/Users/me/app/second")
    );
    let found = findings(&host, &[grant]);
    let message = "`/usr/local/bin/objcap`, this program's own, has another name; write `~/app` (a:1:13) may \
                   reach it";
    assert_eq!(
        found,
        [("second-name".into(), "write `~/app`".into(), message.into())]
    );
    assert_eq!(findings(&host, &["fs.read = ['~/app']"]), []);
}

#[test]
fn exclusions_beyond_what_is_held_open_are_told() {
    let mut host = mac();
    let names: Vec<_> = (0..70).map(|n| format!("/Users/me/app/x{n}")).collect();
    for name in &names {
        host.tree.file(name);
    }
    let grant = |count: usize| format!("fs.read = ['~/app']\nfs.exclude = {:?}", &names[..count]);
    assert_eq!(findings(&host, &[&grant(60)]), []);
    let found = findings(&host, &[&grant(70)]);
    assert_eq!(found.len(), 1);
    // The own executable is held, too.
    assert!(
        found[0]
            .2
            .starts_with("7 excluded objects are not held open"),
        "{found:?}"
    );
}

/// Ten thousand sockets of two layers, every other one named by both.
#[test]
fn many_sockets_are_not_compared_pair_by_pair() {
    let host = mac();
    let layer = |step: usize| {
        let names = (0..10_000).step_by(step).map(|n| format!("/tmp/s{n}"));
        let text = format!("net.sockets = {:?}", names.collect::<Vec<_>>());
        Grant::parse("a", text.as_bytes(), &host.vars).unwrap()
    };
    let stack = Stack::freeze(&[layer(1), layer(2)], &host).unwrap();
    let start = Instant::now();
    let met = stack.sockets(&host);
    let took = start.elapsed();
    // Each layer's own clause speaks for each of the five thousand.
    assert_eq!(met.len(), 10_000);
    assert!(met.iter().all(|one| {
        let number = one.place().real().to_string();
        number.ends_with(['0', '2', '4', '6', '8'])
    }));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// Twenty thousand clauses; compared pair by pair they would be two hundred million pairs.
#[test]
fn many_clauses_are_not_compared_pair_by_pair() {
    let host = mac();
    let list = |folder: &str| -> Vec<_> {
        (0..5_000)
            .map(|n| format!("{folder}/d{}/f{n}", n % 97))
            .collect()
    };
    let text = format!(
        "[fs]\nread = {:?}\nwrite = {:?}\nexclude = {:?}\n[exec]\nallow = {:?}\n",
        list("/Users/me/r"),
        list("/Users/me/w"),
        list("/Users/me/r/d1"),
        list("/Users/me/w"),
    );
    let grant = Grant::parse("a", text.as_bytes(), &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let start = Instant::now();
    let found = stack.lint(&host);
    let took = start.elapsed();
    let count = |name: &str| found.iter().filter(|one| one.name() == name).count();
    assert_eq!((count("absent"), count("deputy")), (20_000, 5_000));
    assert!(took < Duration::from_secs(20), "{took:?}");
    println!("{took:?}");
}
