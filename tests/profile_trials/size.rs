//! Sizes: many denies, long names, full folders. What is large is decided, or refused by type; nothing is left
//! out.

use objcap::capability::Act::{Create, Read, Rename, Write};
use objcap::capability::Grant;
use objcap::capability::Stack;
use objcap::sandbox::{ErrorKind, Limit, Profile};
use objcap_support::mac::Mac;
use objcap_support::trial::Tries as _;
use sbpl::Operation;

use crate::{mac, trial};

/// Each deny repeated its ancestors for each operation and spelling: a few hundred were more than a command line
/// holds.
#[test]
fn two_hundred_denies_twelve_deep_are_small() {
    let mac = mac(&[
        "/private/tmp/a/b/c/d/e/f/g/h/i/x/",
        "/private/tmp/a/b/c/d/e/f/g/h/i/0/f",
        "/private/tmp/a/b/c/d/e/f/g/h/i/199/f",
    ]);
    let key = |number: usize| format!("/tmp/a/b/c/d/e/f/g/h/i/{number}/key");
    let text = |count: usize| {
        let keys: Vec<_> = (0..count)
            .map(|number| format!("'{}'", key(number)))
            .collect();
        format!("[fs]\nwrite = ['/tmp/a']\nexclude = [{}]", keys.join(", "))
    };
    let trial = trial(&mac, &text(200));
    let size = trial.profile.size();
    assert!(size.bytes < 200_000, "{size:?}");
    assert_eq!(size.over().next(), None, "{size:?}");
    trial.admits(&[
        (Create, &["/tmp/a/b/c/d/e/f/g/h/i/200"]),
        (Rename, &["/tmp/a/b/c/d/e/f/g/h/i/x", "/tmp/a/x"]),
    ]);
    for number in [0, 199] {
        let key = key(number);
        let folder = key.trim_end_matches("/key");
        trial.admits(&[(Write, &[&format!("{folder}/f")])]);
        trial.refuses(&[
            (Create, &[&key]),
            (Create, &[&format!("/private{key}")]),
            (Rename, &[folder, "/tmp/a/x"]),
        ]);
    }
    trial.refuses(&[(Create, &["/tmp/a/b/c/d/e/f/g/h/i/99"])]);
    trial.refuses(&[(Rename, &["/tmp/a/b/c", "/tmp/a/x"])]);
}

/// A rule for each file that was there: the text grew with the folder, and was wrong for the next file.
#[test]
fn the_text_does_not_grow_with_what_lies_in_a_folder() {
    let text =
        "[fs]\nwrite = ['/w']\nexclude = ['/w/keys']\n[exec]\nallow = ['/w/bin', '/usr/bin']";
    let few = mac(&["/w/keys/0", "/w/bin/0"]);
    let mut many = few.clone();
    for number in 1..3000 {
        many.file(format!("/w/keys/{number}"), "");
        many.file(format!("/w/bin/{number}"), "");
    }
    let (few, many) = (trial(&few, text), trial(&many, text));
    assert_eq!(few.profile.text(), many.profile.text());
    many.admits(&[(Write, &["/w/bin/2999"]), (Create, &["/w/bin/new"])]);
    many.refuses(&[(Read, &["/w/keys/2999"]), (Create, &["/w/keys/new"])]);
}

/// A name of that many bytes, in parts that a volume takes.
fn long(start: &str, length: usize) -> String {
    let mut name = start.to_owned();
    while name.len() < length {
        let part = (length - name.len() - 1).min(200);
        name = format!("{name}/{}", "n".repeat(part));
    }
    assert_eq!(name.len(), length);
    name
}

fn render(mac: &Mac, text: &str) -> Result<Profile, objcap::sandbox::Error> {
    let host = mac.clone().host();
    let grant = Grant::parse("grant.toml", text.as_bytes(), &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    Profile::render(&stack, &host)
}

/// A string over the reader's limit was cut, or the profile not taken. The limit is of each name that is written,
/// and so of the longer of two twins.
#[test]
fn the_longest_name_is_decided_and_one_byte_more_is_refused() {
    let mac = mac(&["/w/f"]);
    for (list, start, longest) in [
        ("exclude", "/w", 1024),
        ("protect", "/w", 1024),
        ("read", "/w", 1024),
        ("exclude", "/tmp", 1024 - "/private".len()),
        ("read", "/tmp", 1024 - "/private".len()),
    ] {
        let clause = |length: usize| {
            format!(
                "[fs]\nwrite = ['/w', '/tmp']\n{list} = ['{}']",
                long(start, length)
            )
        };
        let trial = trial(&mac, &clause(longest));
        let name = long(start, longest);
        let reads = list != "exclude";
        let (read, write) = (Operation::FileReadData, Operation::FileWriteData);
        assert!(
            trial.decides(&read, &name[..name.len() - 1]),
            "its neighbour"
        );
        assert_eq!(trial.decides(&read, &name), reads, "{list}");
        assert_eq!(trial.decides(&write, &name), list == "read", "{list}");
        if list == "read" {
            // Writing the folder above lets it be read already: there is no rule of its own.
            continue;
        }
        let error = render(&mac, &clause(longest + 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unwritable, "{list}");
        assert!(error.to_string().starts_with("grant.toml:3"), "{error}");
    }
}

/// Letters beyond ASCII are escaped, four bytes for one: the limit is of the name and not of its escapes.
#[test]
fn a_long_name_beyond_ascii_is_decided() {
    let part = "\u{65e5}".repeat(60);
    let name = format!("/w/{part}/{part}/{part}/{part}/key");
    let mac = mac(&["/w/f", &name]);
    let trial = trial(&mac, &format!("[fs]\nwrite = ['/w']\nexclude = ['{name}']"));
    trial.admits(&[
        (Write, &["/w/f"]),
        (Create, &[&name.replace("key", "other")]),
    ]);
    trial.refuses(&[(Read, &[&name]), (Rename, &[&format!("/w/{part}"), "/w/x"])]);
}

/// A thousand protected places within one that is written: each holds, and so does each folder above.
#[test]
fn a_thousand_protected_places_hold_one_by_one() {
    let mut mac = mac(&["/w/f"]);
    for number in 0..1000 {
        mac.file(format!("/w/packages/{number}/.git/hooks/h"), "");
    }
    mac.give("/w");
    let hooks: Vec<_> = (0..1000)
        .map(|number| format!("'/w/packages/{number}/.git/hooks'"))
        .collect();
    let trial = trial(
        &mac,
        &format!("[fs]\nwrite = ['/w']\nprotect = [{}]", hooks.join(", ")),
    );
    let over: Vec<_> = trial.profile.size().over().collect();
    assert!(
        over.iter().all(|limit| *limit == Limit::Argument),
        "{over:?}"
    );
    for number in [0, 500, 999] {
        let at = format!("/w/packages/{number}");
        trial.admits(&[
            (Create, &[&format!("{at}/new")]),
            (Write, &[&format!("{at}/.git/index")]),
            (Read, &[&format!("{at}/.git/hooks/h")]),
        ]);
        trial.refuses(&[
            (Write, &[&format!("{at}/.git/hooks/h")]),
            (Rename, &[&at, "/w/x"]),
            (Rename, &[&format!("{at}/.git"), "/w/x"]),
        ]);
    }
}
