//! `objcap diagnose`: a log and grants in, denials with their hints out.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod folder;
#[expect(dead_code, reason = "its other half starts another verb")]
mod program;

use std::path::Path;
use std::process::Command;

use folder::Folder;
use serde_json::{Value, json};

const GRANT: &str = "[fs]\nread = ['~/app']\nexclude = ['~/app/.env']\n[net]\n";

const LOG: &str = "\
Timestamp                       (process)[PID]
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: cat(71) deny(1) file-read-data /Users/me/x y
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) 7 duplicate reports for Sandbox: cat(71) deny(1) file-read-data /Users/me/x y
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: sh(72) deny(1) file-read-data /Users/me/app/.env
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: curl(73) deny(1) network-outbound*:443
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: open(74) deny(1) mach-lookup com.apple.pasteboard.1
2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: new form
2026-05-01 12:00:00.123456+0200  localhost logger[99]: Sandbox: cat(71) deny(1) file-read-data /etc
sandbox-exec: sandbox_apply: Operation not permitted
";

fn folder() -> Folder {
    Folder::new(&[("g.toml", GRANT), ("log", LOG)])
}

#[test]
fn each_denial_is_told_once_with_its_hint() {
    let (code, out, err) = folder().run(&["diagnose", "g.toml", "--host", "mac", "--log", "log"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let profile = folder()
        .run(&["profile", "g.toml", "--host", "mac", "--json"])
        .1;
    let profile: Value = serde_json::from_str(&profile).unwrap();
    let mut rules = profile["rules"].as_array().unwrap().iter();
    let denies = |rule: &str| rule.starts_with("(deny ") && rule.contains("\"/Users/me/app/.env\"");
    let rule = rules
        .find(|rule| denies(rule["rule"].as_str().unwrap()))
        .unwrap();
    let line = rule["line"].to_string();
    let expected = "\
file-read-data of `/Users/me/x y` was denied to cat (71), 8 times
  by line 2 of the profile: what nothing allows is refused
  to admit it: [fs] read = [\"~/x y\"]
file-read-data of `/Users/me/app/.env` was denied to sh (72)
  by line LINE of the profile
  exclude `~/app/.env` (g.toml:3:12) speaks against it
network-outbound of `*:443` was denied to curl (73)
  by line 2 of the profile: what nothing allows is refused
  to admit it: [net] access = \"open\"
mach-lookup of `com.apple.pasteboard.1` was denied to open (74)
  withheld on purpose: com.apple.pasteboard: it is a clipboard that no grant mentions, shared with every other program
a profile was to be applied inside of another
  profiles do not stack: meet the grants, and enter the one profile of all of them from outside
9 lines, 6 of them told, 1 about something else, 1 about a sandbox in a form that is not known, \
1 written by a program as if by the system
";
    assert_eq!(out, expected.replace("LINE", &line));
}

#[test]
fn as_records_with_the_clause_in_its_parts() {
    let folder = folder();
    let (code, out, err) = folder.run(&[
        "diagnose", "g.toml", "--host", "mac", "--log", "log", "--json",
    ]);
    assert_eq!((code, err.as_str()), (1, ""));
    let records: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = records
        .iter()
        .map(|one| (one["record"].clone(), one["hint"]["kind"].clone()))
        .collect();
    let kind = |record: &str, hint: Value| (json!(record), hint);
    assert_eq!(
        kinds,
        [
            kind("denial", json!("add")),
            kind("denial", json!("excluded")),
            kind("denial", json!("add")),
            kind("denial", json!("withheld")),
            kind("trouble", json!("nesting")),
            kind("counts", Value::Null),
        ]
    );
    assert_eq!(
        records[0]["denial"],
        json!({
            "process": "cat", "pids": [71], "count": 8, "tag": null, "operation": "file-read-data",
            "operand": "path", "name": "/Users/me/x y", "command": null,
        })
    );
    assert_eq!(
        records[0]["hint"]["add"],
        json!([{"grant": 1, "table": "fs", "key": "read", "value": "~/x y"}])
    );
    assert_eq!(records[1]["rule"]["clause"]["line"], 3);
    assert_eq!(
        records[1]["hint"]["clause"],
        "exclude `~/app/.env` (g.toml:3:12)"
    );
    assert_eq!(records[5]["unread"], 1);
}

#[test]
fn only_some_processes_or_a_tagged_profile() {
    let folder = folder();
    let base = ["diagnose", "g.toml", "--host", "mac", "--log", "log"];
    let with = |more: &[&str]| folder.run(&[&base[..], more].concat());
    let (code, out, _) = with(&["--pid", "73", "--pid", "74"]);
    assert_eq!(code, 1);
    let told: Vec<_> = out
        .lines()
        .filter(|line| line.contains(" was denied to "))
        .collect();
    assert_eq!(told.len(), 2, "{out}");
    assert!(told[0].ends_with("curl (73)") && told[1].ends_with("open (74)"));
    assert!(out.ends_with("9 lines, 3 of them told, 3 of other processes, 1 about something else, \
         1 about a sandbox in a form that is not known, 1 written by a program as if by the system\n"));
    folder.write("log", "Sandbox: cat(71) deny(1) file-read-data /w/a\nSandbox: cat(71) deny(1) file-read-data /w/b run-1\n");
    let (code, out, _) = with(&["--tag", "run-1"]);
    assert_eq!(code, 1);
    assert!(out.contains("`/w/b`") && !out.contains("`/w/a`"), "{out}");
    assert_eq!(
        with(&["--tag", "run-2"]),
        (
            0,
            "2 lines, 0 of them told, 2 of other processes\n".into(),
            String::new()
        )
    );
    let (code, _, err) = with(&["--tag", "a b"]);
    assert_eq!(code, 2);
    assert!(err.contains("is no tag"), "{err}");
}

#[test]
fn the_log_comes_from_stdin_and_a_grant_or_log_that_cannot_be_read_is_an_error() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
    command
        .current_dir(folder.path())
        .args(["diagnose", "g.toml", "--host", "mac"]);
    let output = program::run(&mut command, LOG.as_bytes());
    let from_file = folder
        .run(&["diagnose", "g.toml", "--host", "mac", "--log", "log"])
        .1;
    assert_eq!(String::from_utf8(output.stdout).unwrap(), from_file);
    assert_eq!(output.status.code(), Some(1));
    let nothing = program::run(&mut command, b"");
    assert_eq!(
        (nothing.status.code(), &nothing.stdout[..]),
        (Some(0), &b"0 lines, 0 of them told\n"[..])
    );
    for args in [["g.toml", "none"], ["none.toml", "log"]] {
        let (code, out, err) =
            folder.run(&["diagnose", args[0], "--host", "mac", "--log", args[1]]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains("cannot read `none"), "{err}");
    }
}

/// What a terminal would obey is shown, and a name that is no text is its byte values.
#[test]
fn names_in_any_bytes_are_told() {
    let folder = folder();
    let path = Path::new("log");
    folder.write(
        path.to_str().unwrap(),
        b"Sandbox: a\x1b[2J(1) deny(1) file-read-data /w/\xff\x1b\n".as_slice(),
    );
    let base = ["diagnose", "g.toml", "--host", "mac", "--log", "log"];
    let (code, out, _) = folder.run(&base);
    assert_eq!(code, 1);
    assert!(
        out.starts_with("file-read-data of `/w/\\xff\\u{1b}` was denied to a\\u{1b}[2J (1)\n"),
        "{out}"
    );
    assert!(out.contains("\n  no clause is proposed: neither"), "{out}");
    let (_, out, _) = folder.run(&[&base[..], &["--json"]].concat());
    let first: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(first["denial"]["name"], json!([47, 119, 47, 255, 27]));
}

#[test]
fn a_file_that_cannot_be_read_is_told_so_that_no_terminal_obeys() {
    let folder = folder();
    for words in [
        &["diagnose", "g.toml", "--log", "no\u{1b}[2J"][..],
        &["fmt", "no\u{1b}[2J"],
        &["lint", "no\u{1b}[2J"],
    ] {
        let (code, _, err) = folder.run(words);
        assert_eq!(code, 2, "{words:?}");
        assert!(
            err.contains("cannot read `no\\u{1b}[2J`"),
            "{words:?}: {err:?}"
        );
    }
}
