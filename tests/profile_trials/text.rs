//! Names in the text of a profile: quotes, patterns, control characters, and no door for raw text.

use objcap::capability::Act::{Create, Read, Rename, Write};
use objcap::capability::Grant;
use objcap::object::Host;
use objcap_support::trial::Tries as _;

use crate::{error, mac, trial, try_layers};

fn toml(text: &str) -> String {
    let escape = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter.is_control() => format!("\\u{:04x}", u32::from(letter)),
        letter => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A control character ended a string or a line, was dropped, or escaped by a rule that the reader does not know.
#[test]
fn every_control_character_is_a_letter_of_a_name() {
    let controls = (1..=31).chain([127]).map(|code| char::from(code as u8));
    for control in controls {
        let name = format!("a{control}b");
        let objects = [
            format!("/w/{name}/f"),
            "/w/ab/f".to_owned(),
            "/w/a/f".to_owned(),
            "/w/a b/f".to_owned(),
            "/w/a\u{2401}b/f".to_owned(),
        ];
        let objects: Vec<_> = objects.iter().map(String::as_str).collect();
        let mac = mac(&objects);
        let quoted = toml(&format!("/w/{name}"));
        let trial = trial(&mac, &format!("[fs]\nwrite = ['/w']\nexclude = [{quoted}]"));
        for (at, object) in objects.iter().enumerate() {
            assert_eq!(trial.may(Write, &[object]), at > 0, "{name:?} {object:?}");
        }
    }
}

/// The exclusion's own name was escaped, and the folders above it, which are rules too, were not.
#[test]
fn folders_above_an_exclusion_are_held_whatever_their_letters() {
    let names = [
        "(a|b)+", "x\"y", "x\\", "a.c", "[ab]", "^", "$HOME", "#\"x", "; x", "a\tb",
    ];
    for name in names {
        let folder = format!("/w/{name}");
        let key = format!("{folder}/key");
        let objects = [
            key.as_str(),
            "/w/a/f",
            "/w/b/f",
            "/w/abc/f",
            "/w/x/f",
            "/w/y/",
        ];
        let trial = trial(
            &mac(&objects),
            &format!("[fs]\nwrite = ['/w']\nprotect = [{}]", toml(&key)),
        );
        trial.admits(&[
            (Rename, &["/w/a", "/w/new"]),
            (Rename, &["/w/abc", "/w/new"]),
            (Rename, &["/w/x", "/w/new"]),
            (Create, &[&format!("{folder}/new")]),
            (Read, &[&key]),
        ]);
        trial.refuses(&[
            (Rename, &[&folder, "/w/new"]),
            (Rename, &["/w/y", &folder]),
            (Write, &[&key]),
        ]);
    }
}

/// The home's own name has letters of a pattern: rules about it hit its siblings.
#[test]
fn a_home_with_letters_of_a_pattern_is_one_home() {
    let mac = mac(&[
        "/Users/a.b (x)/f",
        "/Users/a.b (x)/.ssh/id",
        "/Users/aXb (x)/f",
        "/Users/a.b x/f",
    ]);
    let mut host = mac.host();
    host.vars.home = Some("/Users/a.b (x)".into());
    let trial = try_layers(host, &["[fs]\nwrite = ['~']\nexclude = ['~/.ssh']"]).unwrap();
    trial.admits(&[
        (Write, &["/Users/a.b (x)/f"]),
        (Create, &["/Users/a.b (x)/.sshx"]),
    ]);
    trial.refuses(&[
        (Read, &["/Users/a.b (x)/.ssh/id"]),
        (Read, &["/Users/aXb (x)/f"]),
        (Read, &["/Users/a.b x/f"]),
    ]);
}

/// A variable's value, or a `~`, in the middle of a name was expanded once more.
#[test]
fn what_looks_like_a_variable_within_a_name_is_letters() {
    let mac = mac(&["/w/~/f", "/w/$HOME/f", "/w/~me/f", "/Users/me/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/w/~', '/w/$HOME', '/w/~me']");
    trial.admits(&[
        (Read, &["/w/~/f"]),
        (Read, &["/w/$HOME/f"]),
        (Read, &["/w/~me/f"]),
    ]);
    trial.refuses(&[(Read, &["/Users/me/f"]), (Read, &["/w"])]);
    // At the beginning it is one, and another user's is not guessed.
    for unknown in ["~you/f", "$HOME/f", "${PATH}/f", "${HOME", "f"] {
        let told = error(&mac, &format!("[fs]\nread = ['{unknown}']"));
        assert!(told.to_string().contains("grant.toml:2"), "{told}");
    }
}

/// Rules of a user's own were put into the profile as text, and could say `(allow default)`.
#[test]
fn a_grant_has_no_place_for_rules_as_text() {
    let host = Host::stock_mac();
    let parse = |text: &str| Grant::parse("grant.toml", text.as_bytes(), &host.vars);
    assert!(parse("[fs]\nread = ['/w']").is_ok());
    for text in [
        "sbpl = '(allow default)'",
        "[sbpl]\nrules = '(allow default)'",
        "[fs]\nraw = '(allow default)'",
        "[fs]\nread = ['(allow default)']",
        "[exec]\nveto = [1]",
        "[net]\naccess = 'open) (allow default'",
        "[net]\nrules = ['(allow default)']",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
}

/// A name with a byte that no system takes is refused before there is a profile.
#[test]
fn a_name_with_a_zero_byte_is_refused() {
    let mac = mac(&["/w/a/f"]);
    for list in ["read", "write", "exclude", "protect"] {
        let told = error(&mac, &format!("[fs]\n{list} = [\"/w/a\\u0000b\"]"));
        assert!(told.to_string().contains("grant.toml:2"), "{told}");
    }
    let told = error(&mac, "[exec]\nveto = [\"a\\u0000b\"]");
    assert!(told.to_string().contains("grant.toml:2"), "{told}");
    let told = error(&mac, "[net]\nsockets = [\"/w/a\\u0000b\"]");
    assert!(told.to_string().contains("grant.toml:2"), "{told}");
}
