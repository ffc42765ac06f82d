//! Spellings: a rule by one name of a place that has several, names by links, normal forms, cases.

use objcap::capability::Act::{Create, Read, Remove, Rename, Stat, Write};
use objcap::capability::{Access, ErrorKind, Guard};
use objcap_support::mac::{Call, Choices, Name, Passing, Rule};
use objcap_support::trial::Tries as _;
use sbpl::{Operation, Reading};

use crate::{error, mac, read, trial};

/// A root alias in another case, and the data volume's long way: each is one more name of the same place.
#[test]
fn an_alias_in_another_case_and_the_long_way_by_the_data_volume() {
    let mac = mac(&[
        "/private/tmp/a/f",
        "/private/tmp/a/key",
        "/Users/me/f",
        "/Users/me/.ssh/id",
    ]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/TMP/A', '/System/Volumes/Data/Users/me']\n\
         exclude = ['/Private/Tmp/a/KEY', '/system/volumes/data/users/me/.SSH']",
    );
    trial.admits(&[
        (Write, &["/tmp/a/f"]),
        (Write, &["/private/TMP/a/f"]),
        (Write, &["/System/Volumes/Data/private/tmp/a/f"]),
        (Write, &["/Users/me/f"]),
        (Write, &["/System/Volumes/Data/Users/me/f"]),
    ]);
    trial.refuses(&[
        (Read, &["/tmp/a/key"]),
        (Read, &["/System/Volumes/Data/private/tmp/a/key"]),
        (Read, &["/Users/me/.ssh/id"]),
        (Read, &["/System/Volumes/Data/Users/me/.ssh/id"]),
        (Create, &["/System/Volumes/Data/Users/me/.ssh/new"]),
        (
            Rename,
            &["/System/Volumes/Data/Users/me/.ssh", "/Users/me/x"],
        ),
    ]);
}

/// The system's folders are read, and the data volume hangs below one of them: that is no way to a home.
#[test]
fn reading_the_system_is_no_way_to_the_data_volume() {
    let mac = mac(&["/Users/me/f", "/w/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/w']");
    trial.admits(&[(Read, &["/w/f"]), (Read, &["/System"])]);
    trial.refuses(&[
        (Read, &["/System/Volumes/Data/Users/me/f"]),
        (Read, &["/System/Volumes/Data/Users/me"]),
        (Stat, &["/System/Volumes/Data/Users/me/f"]),
        (Read, &["/Users/me/f"]),
    ]);
}

/// An excluded alias is a link: the name alone, or what it leads to alone, was denied.
#[test]
fn an_excluded_root_alias_takes_the_link_and_the_place() {
    let mac = mac(&["/private/tmp/f", "/private/var/folders/me/T/f", "/w/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/']\nexclude = ['/tmp']");
    trial.admits(&[
        (Read, &["/w/f"]),
        (Read, &["/var/folders/me/T/f"]),
        (Read, &["/private/var/folders/me/T/f"]),
    ]);
    trial.done(&[Call::ReadLink(Name::from("/var"))]);
    trial.refuses(&[
        (Read, &["/tmp/f"]),
        (Read, &["/private/tmp/f"]),
        (Read, &["/private/tmp"]),
    ]);
    trial.refused(&[Call::ReadLink(Name::from("/tmp"))]);
}

/// A generator wrote the twin in some of its rules and not in others: every operation, whatever the rule it
/// comes from, decides alike by both names of each place that the grant speaks of.
#[test]
fn every_operation_decides_alike_by_both_names() {
    let mac = mac(&[
        "/private/tmp/w/d/key",
        "/private/tmp/w/tool",
        "/private/var/log/f",
    ]);
    let text = "[fs]\nread = ['/var/log']\nwrite = ['/tmp/w']\nexclude = ['/tmp/w/d/key', '/tmp/w/no/key', '/etc/ssh']\n\
                protect = ['/tmp/w/kept']\n[exec]\nallow = ['/tmp/w/tool', '/usr/bin']\nexclude = ['/tmp/w/d']\n\
                [net]\naccess = 'open'\nsockets = ['/tmp/w/s', '/var/log/s']";
    let trial = trial(&mac, text);
    let names = [
        "/tmp/w",
        "/tmp/w/d",
        "/tmp/w/d/key",
        "/tmp/w/d/f",
        "/tmp/w/no",
        "/tmp/w/no/key",
        "/tmp/w/kept",
        "/tmp/w/tool",
        "/tmp/w/s",
        "/tmp/other",
        "/var/log",
        "/var/log/f",
        "/var/log/s",
        "/var/db",
        "/var/run/mDNSResponder",
        "/etc/ssh",
        "/etc/ssh/key",
        "/etc/passwd",
        "/var/db/timezone/icutz",
    ];
    let (mut allowed, mut denied) = (0, 0);
    for operation in Operation::ALL {
        let name = operation.name();
        if !(name.starts_with("file")
            || name.starts_with("process-exec")
            || name.starts_with("network"))
        {
            continue;
        }
        for name in names {
            let said = trial.decides(operation, name);
            let twin = trial.decides(operation, &format!("/private{name}"));
            assert_eq!(said, twin, "{operation:?} of {name}");
            *(if said { &mut allowed } else { &mut denied }) += 1;
        }
    }
    assert!(allowed > 50 && denied > 50, "{allowed} {denied}");
}

/// `..` in a clause: folded as text it named another place; what it cannot leave again is an error.
#[test]
fn dot_dot_in_a_clause_leaves_what_was_reached() {
    let mac = mac(&[
        "/w/l -> /x/y",
        "/x/y/",
        "/x/key",
        "/x/f",
        "/w/key",
        "/w/f",
        "/v/f",
    ]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/w/../v', '/../../v/f']\nwrite = ['/w', '/x']\nexclude = ['/w/l/../key']",
    );
    trial.admits(&[
        (Read, &["/v/f"]),
        (Read, &["/w/key"]),
        (Write, &["/x/f"]),
        (Write, &["/w/l/../f"]),
    ]);
    trial.refuses(&[
        (Read, &["/x/key"]),
        (Read, &["/w/l/../key"]),
        (Rename, &["/w/l", "/w/m"]),
        (Remove, &["/w/l"]),
        (Rename, &["/x", "/w/x"]),
        (Write, &["/v/f"]),
    ]);
    for list in ["read", "write", "exclude", "protect"] {
        let lost = error(&mac, &format!("[fs]\n{list} = ['/w/none/../f']"));
        assert_eq!(lost.kind(), ErrorKind::Walk, "{list}: {lost}");
    }
}

/// A slash at the end made a rule that matched nothing. Behind a link it follows; behind a file it is an error.
#[test]
fn a_slash_at_the_end_of_a_clause() {
    let objects = ["/w/d/f", "/w/l -> d", "/w/f", "/v/d/f", "/v/l -> d"];
    let mac = mac(&objects);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/v/l//']\nwrite = ['/w/']\nexclude = ['/w/l/']",
    );
    trial.admits(&[(Write, &["/w/f"]), (Read, &["/v/d/f"]), (Read, &["/v/l/f"])]);
    trial.refuses(&[
        (Read, &["/w/d/f"]),
        (Read, &["/w/l/f"]),
        (Rename, &["/w/d", "/w/e"]),
        (Remove, &["/w/l"]),
        (Read, &["/v"]),
    ]);
    for list in ["read", "write", "exclude", "protect"] {
        let lost = error(&mac, &format!("[fs]\n{list} = ['/w/f/']"));
        assert_eq!(lost.kind(), ErrorKind::Walk, "{list}: {lost}");
    }
}

/// Of a chain of links only the first and the last name were denied.
#[test]
fn every_link_of_an_excluded_chain_stays_where_it_is() {
    let mac = mac(&[
        "/w/a -> b",
        "/w/b -> d/c",
        "/w/d/c -> /real/key",
        "/real/key/f",
        "/w/d/f",
        "/w/other -> d",
    ]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w', '/real']\nexclude = ['/w/a']");
    trial.admits(&[
        (Write, &["/w/d/f"]),
        (Remove, &["/w/other"]),
        (Create, &["/real/new"]),
    ]);
    trial.refuses(&[
        (Read, &["/w/a/f"]),
        (Read, &["/w/b/f"]),
        (Read, &["/w/d/c/f"]),
        (Read, &["/real/key/f"]),
        (Remove, &["/w/a"]),
        (Remove, &["/w/b"]),
        (Remove, &["/w/d/c"]),
        (Rename, &["/w/d", "/w/e"]),
        (Rename, &["/real/key", "/w/key"]),
    ]);
}

/// A file reached by a link in the home: opening and reading the link both work, the link's neighbours stay
/// hidden.
#[test]
fn an_allowed_link_is_read_as_a_link_and_through() {
    let mac = mac(&[
        "/Users/me/.conf -> Sync/conf",
        "/Users/me/Sync/conf",
        "/Users/me/.other -> Sync/conf",
    ]);
    let trial = trial(&mac, "[fs]\nread = ['~/.conf']");
    let by_link = |name: &str| Call::ReadLink(Name::from(name));
    trial.done(&[
        by_link("/Users/me/.conf"),
        read("/Users/me/.conf"),
        read("/Users/me/Sync/conf"),
    ]);
    trial.refused(&[
        by_link("/Users/me/.other"),
        read("/Users/me/.other"),
        read("/Users/me/Sync"),
    ]);
}

/// The clause is typed in one normal form and case, the volume stores another.
#[test]
fn a_clause_in_another_normal_form_than_the_stored_name() {
    let mac = mac(&["/w/Cafe\u{301}/f", "/w/Cafe\u{301}/KEY", "/w/Cafe"]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w/caf\u{e9}']\nexclude = ['/w/CAF\u{c9}/key']",
    );
    trial.admits(&[
        (Write, &["/w/Cafe\u{301}/f"]),
        (Write, &["/w/caf\u{e9}/f"]),
        (Create, &["/w/CAFE\u{301}/new"]),
    ]);
    trial.refuses(&[
        (Read, &["/w/caf\u{e9}/key"]),
        (Read, &["/w/Cafe\u{301}/Key"]),
        (Read, &["/w/Cafe"]),
        (Rename, &["/w/Cafe\u{301}/f", "/w/caf\u{e9}/kEY"]),
    ]);
}

/// On a volume that tells cases apart an exclusion still means every spelling, since a filter does.
#[test]
fn an_exclusion_on_a_volume_that_tells_cases_apart() {
    let mut mac = mac(&[]);
    mac.mount("/Volumes/x", Rule::Exact);
    for name in ["Key", "key", "other", "d/KEY"] {
        mac.file(format!("/Volumes/x/{name}"), name);
    }
    mac.give("/Volumes/x");
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/Volumes/x']\nexclude = ['/Volumes/x/Key']",
    );
    trial.admits(&[
        (Write, &["/Volumes/x/other"]),
        (Read, &["/Volumes/x/d/KEY"]),
        (Rename, &["/Volumes/x/d", "/Volumes/x/e"]),
    ]);
    trial.refuses(&[
        (Read, &["/Volumes/x/Key"]),
        (Read, &["/Volumes/x/key"]),
        (Create, &["/Volumes/x/KEY"]),
        (Rename, &["/Volumes/x/d/KEY", "/Volumes/x/KEY"]),
    ]);
}

/// Whether the kernel asks about a folder that a lookup only passes is not settled: where it does, a name that
/// leads through an excluded folder and out of it again is refused. The guard judges what the name leads to.
#[test]
fn residual_a_name_that_leads_through_an_excluded_folder_may_be_refused_by_the_kernel() {
    let mac = mac(&["/w/x/f", "/w/f", "/w/l -> x/../f"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nexclude = ['/w/x']");
    trial.admits(&[(Read, &["/w/f"])]);
    trial.refuses(&[(Read, &["/w/x/f"])]);
    let guard = Guard::new(&trial.host, &trial.stack);
    for name in ["/w/x/../f", "/w/l"] {
        assert!(guard.judge(name, Access::READ).unwrap().is_admitted());
        for (passing, done) in [(Passing::Nothing, true), (Passing::Metadata, false)] {
            let choices = Choices {
                passing,
                ..Choices::default()
            };
            for reading in Reading::ALL {
                assert_eq!(trial.session(reading, choices).may(&read(name)), done);
            }
        }
    }
}

/// The folder that a root alias leads to and the alias have one name, where the kernel shows the one that was
/// typed: a profile that keeps the alias keeps the folder too. The guard tells them apart.
#[test]
fn residual_a_folder_that_an_alias_leads_to_may_be_kept_with_the_alias() {
    let mac = mac(&["/private/tmp/f"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/private']");
    trial.admits(&[(Write, &["/private/tmp/f"])]);
    trial.refused(&[Call::Unlink(Name::from("/tmp"))]);
    let guard = Guard::new(&trial.host, &trial.stack);
    let judged = guard.judge_act(Remove, &["/private/tmp"]).unwrap();
    assert!(judged[0].is_admitted());
    let unlink = Operation::FileWriteUnlink;
    assert!(trial.decides(&unlink, "/private/tmp"));
    assert!(!trial.decides(&unlink, "/tmp"));
}
