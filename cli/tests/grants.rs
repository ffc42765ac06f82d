//! What `objcap lint` finds in grants, and what every verb says of grants that cannot be, that leave
//! nothing, or that are large.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod folder;

use std::process::Command;
use std::time::{Duration, Instant};

use folder::Folder;
use serde_json::Value;

/// Stdout of a run that ends with 0 and says nothing on stderr.
#[track_caller]
fn shown(folder: &Folder, args: &[&str]) -> String {
    let (code, out, err) = folder.run(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

#[test]
fn lint_says_what_it_finds_where() {
    let folder = Folder::new(&[
        ("clean.toml", "fs.read = ['/tmp']"),
        ("g.toml", "[fs]\nread = ['/tmp', '/tmp/in']\n"),
        ("p.sb", "(version 1)(allow default)"),
    ]);
    let clean = folder.run(&["lint", "--host", "mac", "clean.toml"]);
    assert_eq!(clean, (0, String::new(), String::new()));
    let (code, out, err) = folder.run(&["lint", "--host", "mac", "g.toml"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "finding: read `/tmp/in` adds nothing: read `/tmp` (g.toml:2:9) says it already\n \
         --> g.toml:2:17\n\
         2 | read = ['/tmp', '/tmp/in']\n  \
         |                 ^^^^^^^^^\n\
         finding: read `/tmp/in`: nothing stands at `/private/tmp/in` yet; it holds for what will\n \
         --> g.toml:2:17\n\
         2 | read = ['/tmp', '/tmp/in']\n  \
         |                 ^^^^^^^^^\n"
    );
    let (code, out, _) = folder.run(&["lint", "--json", "--host", "mac", "g.toml", "clean.toml"]);
    assert_eq!(code, 1);
    let records: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let words: Vec<_> = records.iter().map(|one| one["finding"].clone()).collect();
    assert_eq!(words, ["shadowed", "absent"]);
    assert_eq!(records[0]["clause"]["surface"], "/tmp/in");
    assert_eq!(records[0]["clause"]["column"], 17);
    // What a file is, is told by its ending.
    assert_eq!(folder.run(&["lint", "p.sb"]).0, 0);
    for mixed in [
        &["lint", "p.sb", "g.toml"][..],
        &["lint", "p.sb", "p.sb"],
        &["lint"],
    ] {
        let (code, out, err) = folder.run(mixed);
        assert_eq!((code, out.as_str()), (2, ""), "{mixed:?}");
        assert!(!err.is_empty());
    }
}

#[test]
fn an_annotated_profile_says_why_and_is_the_same() {
    // Something stands at each, so that nothing is said on stderr.
    let folder = Folder::new(&[("grant.toml", "[fs]\nread = ['/Users', '/private']\n")]);
    let printed = |words: &[&str]| {
        shown(
            &folder,
            &[&["profile", "grant.toml", "--host", "mac"], words].concat(),
        )
    };
    let (plain, annotated) = (printed(&[]), printed(&["--annotate"]));
    let parsed = |text: &str| objcap::sbpl::parse(text.as_bytes()).profile().clone();
    assert_eq!(parsed(&annotated), parsed(&plain));
    assert!(
        annotated.contains("(subpath \"/private\") ; read `/private` (grant.toml:2:19)"),
        "{annotated}"
    );
    assert!(!plain.contains(';'));
}

#[test]
fn layers_that_leave_nothing_are_a_finding_and_no_error() {
    let folder = Folder::new(&[
        ("a.toml", "fs.read = ['/tmp']"),
        ("b.toml", "fs.read = ['~']"),
    ]);
    let (code, out, err) = folder.run(&["lint", "--host", "mac", "a.toml", "b.toml"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "finding: the layers leave nothing to read: no clause of one lies within a clause of every other\n"
    );
    let explain = |path| {
        let args = ["explain", "a.toml", "b.toml", "--host", "mac", "read", path];
        folder.run(&args).0
    };
    assert_eq!(explain("/usr/bin/git"), 0);
    assert_eq!((explain("/tmp/x"), explain("/Users/me/x")), (1, 1));
    assert!(shown(&folder, &["show", "--host", "mac", "a.toml", "b.toml"]).contains("nothing"));
}

#[test]
fn a_relative_entry_of_path_is_a_finding_and_finds_nothing() {
    let folder = Folder::new(&[(
        "g.toml",
        "fs.read = ['${CWD}']\nexec.allow = ['tool', 'sh']",
    )]);
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    folder.write("bin/tool", "x");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("bin/tool"), mode).unwrap();
    let run = |path: &str, args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_objcap"))
            .current_dir(folder.path())
            .env("PATH", path)
            .args(args)
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let absolute = folder.path().join("bin");
    let absolute = format!("{}:/usr/bin:/bin", absolute.display());
    assert_eq!(run(&absolute, &["explain", "g.toml", "exec", "tool"]).0, 0);
    let relative = "bin::/usr/bin:/bin";
    assert_eq!(
        run(relative, &["explain", "g.toml", "exec", "./bin/tool"]).0,
        1
    );
    assert_eq!(run(relative, &["explain", "g.toml", "exec", "sh"]).0, 0);
    let (code, out) = run(relative, &["lint", "g.toml"]);
    assert_eq!(code, 1);
    for told in [
        "finding: exec.allow `tool` allows nothing: no folder of PATH that is searched has it",
        "finding: the folder `bin` of PATH is relative: no bare name is looked for there",
        "finding: PATH has an empty folder, the current one: no bare name is looked for there",
    ] {
        assert!(out.lines().any(|line| line == told), "{told}: {out}");
    }
}

/// The file of a grant is not to be written by whoever holds it, under any of its names.
#[test]
fn a_grant_protects_its_own_file() {
    let folder = Folder::new(&[("g.toml", "fs.write = ['${CWD}']"), ("h.toml", "")]);
    std::os::unix::fs::symlink("g.toml", folder.path().join("l.toml")).unwrap();
    let ask =
        |grants: &[&str], access: &[&str]| folder.run(&[&["explain"], grants, access].concat()).0;
    for grants in [&["g.toml"][..], &["./l.toml"], &["l.toml", "h.toml"]] {
        assert_eq!(ask(grants, &["write", "other"]), 0, "{grants:?}");
        assert_eq!(ask(grants, &["read", "g.toml"]), 0, "{grants:?}");
        assert_eq!(ask(grants, &["write", "g.toml"]), 1, "{grants:?}");
        assert_eq!(ask(grants, &["rename", "other", "g.toml"]), 1, "{grants:?}");
        assert_eq!(ask(grants, &["link", "g.toml", "second"]), 1, "{grants:?}");
    }
    assert_eq!(ask(&["l.toml"], &["remove", "l.toml"]), 1);
    assert_eq!(ask(&["g.toml"], &["write", "h.toml"]), 0);
    assert_eq!(ask(&["g.toml", "h.toml"], &["write", "h.toml"]), 1);
}

#[test]
fn grants_that_cannot_be_meant_are_told_by_every_verb() {
    let folder = Folder::new(&[("ok.toml", "fs.write = ['${CWD}/w']")]);
    std::fs::create_dir(folder.path().join("w")).unwrap();
    std::os::unix::fs::symlink("/usr", folder.path().join("w/out")).unwrap();
    assert_eq!(folder.run(&["show", "ok.toml"]).0, 0);
    for (text, want) in [
        (
            "exec.veto = ['/bin/ls']",
            "g.toml:1:14: `/bin/ls` is no bare name",
        ),
        ("exec.exclude = ['ls']", "g.toml:1:17: `ls` is a bare name"),
        (
            "exec.only = { git = 'x' }",
            "g.toml:1:21: expected a list of strings",
        ),
        (
            "exec.allow = ['bin/ls']",
            "g.toml:1:15: `bin/ls` is relative",
        ),
        (
            "fs.read = ['${CWD}/w/out/x']\nfs.write = ['${CWD}/w']",
            "g.toml:1:12: `${CWD}/w/out/x` passes the link",
        ),
        ("net.socket = []", "g.toml:1:5: unknown key `socket`"),
    ] {
        folder.write("g.toml", text);
        for verb in [
            &["show"][..],
            &["lint"],
            &["profile"],
            &["explain", "read", "/usr"],
        ] {
            let (name, rest) = verb.split_first().unwrap();
            let args = [&[*name, "ok.toml", "g.toml"], rest].concat();
            let (code, out, err) = folder.run(&args);
            assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
            assert!(err.starts_with(&format!("objcap: {want}")), "{err}");
            assert!(err.contains("^^"), "the text is underlined: {err}");
        }
    }
}

/// What the README says of the example, in a folder like the one it is tried in.
#[test]
fn the_example_does_what_the_readme_says() {
    let folder = Folder::new(&[("agent.toml", include_str!("../../examples/agent.toml"))]);
    std::fs::create_dir_all(folder.path().join(".git/hooks")).unwrap();
    let ask = |access: &[&str]| folder.run(&[&["explain", "agent.toml"], access].concat());
    for (access, code) in [
        (&["write", "Cargo.toml"][..], 0),
        (&["read", ".git/hooks/x"], 0),
        (&["read", ".env"], 1),
        (&["read", ".ENV"], 1),
        (&["rename", ".git", "old"], 1),
        (&["write", ".git/hooks/x"], 1),
        (&["write", "agent.toml"], 1),
    ] {
        assert_eq!(ask(access).0, code, "{access:?}");
    }
    let (_, out, _) = ask(&["read", ".env"]);
    let told: Vec<_> = out.lines().collect();
    assert_eq!(
        told[1],
        "  guard: exclude `${CWD}/.env` (agent.toml:13:5) excludes it"
    );
    assert_eq!(told.last(), Some(&"  guard and profile agree"));
    let (code, out, _) = folder.run(&["show", "agent.toml"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("├─ .env") && out.contains("network   offline"),
        "{out}"
    );
}

/// Ten megabytes: an answer, or an error that says what is too much, and in a time that grows with the
/// text and not with its square.
#[test]
fn a_grant_of_ten_megabytes_is_answered() {
    use std::fmt::Write as _;
    let mut text = String::from("[fs]\nread = ['/tmp/first',\n");
    let mut number = 0;
    while text.len() < 10_000_000 {
        writeln!(
            text,
            "'/tmp/d{}/a file with a name of some length, number {number}',",
            number % 911
        )
        .unwrap();
        number += 1;
    }
    text.push_str("]\nexclude = ['/tmp/first/x']\n");
    let folder = Folder::new(&[("g.toml", &text)]);
    let start = Instant::now();
    let ask = |args: &[&str]| folder.run(&[args, &["--host", "mac"]].concat());
    let (code, out, err) = ask(&["lint", "g.toml", "--json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(out.lines().count(), number + 2);
    let (code, out, err) = ask(&["profile", "g.toml"]);
    assert_eq!((code, err.lines().count()), (0, number + 2));
    let last = format!("number {}\")", number - 1);
    assert!(out.contains(&last), "the last clause is in it");
    assert!(out.contains("(subpath \"/private/tmp/first/x\")"));
    let took = start.elapsed();
    println!("{number} clauses, two verbs: {took:?}");
    assert!(took < Duration::from_secs(600), "{took:?}");
    // A text that is cut is no grant at all.
    folder.write("g.toml", &text[..text.len() / 2]);
    let (code, out, err) = ask(&["lint", "g.toml"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("objcap: g.toml:"), "{err}");
}
