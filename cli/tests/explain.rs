//! What `objcap explain` and `objcap profile` print and return, for grants in a stock Mac and on
//! this machine.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const GRANT: &str = "\
[fs]
read = ['~/app', '/tmp/in']
write = ['~/app/target']
exclude = ['~/app/.env']

[net]
access = 'offline'
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("g.toml"), GRANT).unwrap();
        Folder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn grant(&self, text: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path().join("g.toml"), text).unwrap();
        self.path().join("g.toml")
    }

    /// Exit code, stdout and stderr of the program, run in the folder.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_objcap"))
            .current_dir(self.path())
            .env("HOME", "/home/me")
            .args(args)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    fn explain(&self, access: &str, path: &str) -> (i32, Value) {
        let (code, out, err) =
            self.run(&["explain", "g.toml", "--host", "mac", "--json", access, path]);
        assert_eq!(err, "");
        (code, serde_json::from_str(&out).unwrap())
    }
}

#[test]
fn the_exit_code_is_the_verdict() {
    let folder = Folder::new();
    for (access, path, code) in [
        ("read", "/Users/me/app/main.rs", 0),
        ("read", "/private/tmp/in/x", 0),
        ("read", "/tmp/in/x", 0),
        ("write", "/Users/me/app/target/x", 0),
        ("read", "app/main.rs", 0),
        ("read", "/usr/bin/git", 0),
        ("write", "/Users/me/app/main.rs", 1),
        ("read", "/Users/me/app/.env", 1),
        ("read", "/Users/me/APP/.Env", 1),
        ("read", "/Users/me", 1),
        ("read", "/tmp/other", 1),
        ("read", "/absent/../x", 1),
    ] {
        let (got, answer) = folder.explain(access, path);
        assert_eq!(got, code, "{access} {path}: {answer}");
        assert_eq!(answer["agree"], true, "{answer}");
    }
}

#[test]
fn an_answer_names_the_clause_the_rule_and_its_line() {
    let folder = Folder::new();
    let (_, profile, _) = folder.run(&["profile", "g.toml", "--host", "mac"]);
    let (_, answer) = folder.explain("read", "/Users/me/app/.ENV");
    assert_eq!(answer["real"], "/Users/me/app/.ENV");
    assert_eq!(answer["guard"]["verdict"], "refused");
    assert_eq!(answer["guard"]["clause"]["surface"], "~/app/.env");
    assert_eq!(answer["guard"]["clause"]["line"], 4);
    assert_eq!(answer["guard"]["clause"]["column"], 12);
    let readings: Vec<_> = answer["profile"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| {
            assert_eq!(outcome["decision"], "deny");
            assert_eq!(outcome["operation"], "file-read-data");
            assert_eq!(outcome["clause"]["line"], 4);
            // The rule begins on the line that is named.
            let line = usize::try_from(outcome["line"].as_u64().unwrap()).unwrap();
            let printed = profile.lines().nth(line - 1).unwrap();
            assert!(
                outcome["rule"].as_str().unwrap().starts_with(printed),
                "{printed}"
            );
            outcome["reading"].as_str().unwrap()
        })
        .collect();
    assert_eq!(readings, ["flat", "specific", "filtered-first"]);
}

#[test]
fn a_person_is_told_what_and_why() {
    let folder = Folder::new();
    let (code, out, err) = folder.run(&[
        "explain",
        "g.toml",
        "--host",
        "mac",
        "write",
        "/Users/me/app/target/x",
    ]);
    assert_eq!((code, err.as_str()), (0, ""));
    let told: Vec<_> = out.lines().collect();
    assert_eq!(told[0], "write of `/Users/me/app/target/x` is admitted");
    assert_eq!(
        told[1],
        "  guard: write `~/app/target` (g.toml:3:10) allows it"
    );
    assert_eq!(
        told[2],
        "  profile: allow file-write-create of `/Users/me/app/target/x`, under every reading"
    );
    assert_eq!(told.last(), Some(&"  guard and profile agree"));
}

#[test]
fn a_profile_is_the_text_alone_and_absence_is_said_beside_it() {
    let folder = Folder::new();
    let (code, out, err) = folder.run(&["profile", "g.toml", "--host", "mac"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("(version 1)\n(deny default)\n"), "{out}");
    assert!(sbpl_is_clean(&out));
    assert_eq!(
        err.lines().next(),
        Some("objcap: read `~/app` (g.toml:2:9): nothing stands at `/Users/me/app` yet")
    );
    let (code, json, err) = folder.run(&["profile", "g.toml", "--host", "mac", "--json"]);
    let record: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(record["profile"], out);
    assert_eq!(record["absent"][0]["real"], "/Users/me/app");
    assert_eq!(record["absent"][0]["clause"]["surface"], "~/app");
    let rules = record["rules"].as_array().unwrap();
    assert_eq!(rules[0]["rule"], "(deny default)");
    assert_eq!(rules[0]["line"], 2);
    assert!(
        rules
            .iter()
            .all(|rule| !rule["whys"].as_array().unwrap().is_empty())
    );
}

fn sbpl_is_clean(text: &str) -> bool {
    objcap::sbpl::parse(text.as_bytes())
        .diagnostics()
        .is_empty()
}

#[test]
fn a_grant_on_this_machine_is_about_its_objects() {
    let folder = Folder::new();
    let real = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(real.join("w")).unwrap();
    fs::write(real.join("w/f"), "").unwrap();
    std::os::unix::fs::symlink("w", real.join("l")).unwrap();
    folder.grant("[fs]\nread = ['${CWD}/l']\n");
    for (path, code) in [
        ("w/f", 0),
        ("l/f", 0),
        ("l/../w/f", 0),
        ("g.toml", 1),
        (".", 1),
    ] {
        let (got, out, err) = folder.run(&["explain", "g.toml", "read", path]);
        assert_eq!((got, err.as_str()), (code, ""), "{path}: {out}");
    }
}

/// One clear error each, with the clause's line, and nothing on stdout.
#[test]
fn bad_input_is_told_once_and_changes_nothing() {
    let folder = Folder::new();
    fs::write(folder.path().join("file"), "").unwrap();
    std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
    let table: &[(&[u8], &str)] = &[
        (b"[fs", "g.toml:1:4: "),
        (b"[fs]\nread = ['']", "g.toml:2:9: the clause is empty"),
        (b"[fs]\nread = ['src']", "g.toml:2:9: `src` is relative"),
        (b"[fs]\nread = ['/a', \"/a\\u0000b\"]", "g.toml:2:15: "),
        (b"[fs]\nread = ['/\xff']", "g.toml:2:11: "),
        (
            b"[fs]\nread = ['${CWD}/file/x']",
            "g.toml:2:9: `${CWD}/file/x` leads nowhere",
        ),
        (
            b"[fs]\nexclude = ['${CWD}/loop']",
            "g.toml:2:12: `${CWD}/loop` leads nowhere",
        ),
        (
            b"[fs]\nread = ['/proc/self/fd/0']",
            "g.toml:2:9: `/proc/self/fd/0` leads nowhere",
        ),
        (
            b"[fs]\nread = ['${NOPE}/x']",
            "g.toml:2:9: unknown variable `${NOPE}`",
        ),
        (b"[fs]\nraed = []", "g.toml:2:1: "),
        (b"[net]\naccess = 'maybe'", "g.toml:2:10: "),
    ];
    for (text, want) in table {
        folder.grant(text);
        for verb in [
            &["profile", "g.toml"][..],
            &["explain", "g.toml", "read", "/usr"],
        ] {
            let (code, out, err) = folder.run(verb);
            assert_eq!((code, out.as_str()), (2, ""), "{verb:?}: {err}");
            let first = err.lines().next().unwrap();
            assert!(first.starts_with(&format!("objcap: {want}")), "{first}");
            assert!(err.contains('^'), "the text is underlined: {err}");
        }
    }
    for verb in [
        &["profile", "absent.toml"][..],
        &["explain", "g.toml", "chew", "/usr"],
        &["explain", "g.toml", "read"],
        &["profile", "."],
    ] {
        let (code, out, err) = folder.run(verb);
        assert_eq!((code, out.as_str()), (2, ""), "{verb:?}");
        assert!(!err.is_empty());
    }
}
