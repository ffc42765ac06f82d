//! What `objcap explain` and `objcap profile` print and return, for grants in a stock Mac and on
//! this machine.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod folder;

use std::fs;

use folder::Folder;
use serde_json::Value;

const GRANT: &str = "\
[fs]
read = ['~/app', '/tmp/in']
write = ['~/app/target']
exclude = ['~/app/.env']

[net]
access = 'offline'
";

fn folder() -> Folder {
    Folder::new(&[("g.toml", GRANT)])
}

fn explain(folder: &Folder, access: &str, paths: &[&str]) -> (i32, Value) {
    let fixed = ["explain", "g.toml", "--host", "mac", "--json", access];
    let (code, out, err) = folder.run(&[&fixed, paths].concat());
    assert_eq!(err, "", "{access} {paths:?}");
    (code, serde_json::from_str(&out).unwrap())
}

#[test]
fn the_exit_code_is_the_verdict() {
    let folder = folder();
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
        let (got, answer) = explain(&folder, access, &[path]);
        assert_eq!(got, code, "{access} {path}: {answer}");
        assert_eq!(answer["agree"], true, "{answer}");
    }
}

#[test]
fn an_answer_names_the_clause_the_rule_and_its_line() {
    let folder = folder();
    let (_, profile, _) = folder.run(&["profile", "g.toml", "--host", "mac"]);
    let (_, answer) = explain(&folder, "read", &["/Users/me/app/.ENV"]);
    assert_eq!(answer["access"], "read");
    assert_eq!(answer["verdict"], "refused");
    let [end] = &answer["ends"].as_array().unwrap()[..] else {
        panic!("{answer}")
    };
    assert_eq!(end["path"], "/Users/me/app/.ENV");
    assert_eq!(end["real"], "/Users/me/app/.ENV");
    assert_eq!(end["verdict"], "refused");
    assert_eq!(end["clause"]["surface"], "~/app/.env");
    assert_eq!(end["clause"]["line"], 4);
    assert_eq!(end["clause"]["column"], 12);
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
    let folder = folder();
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
    let folder = folder();
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

/// One admitted and one refused of each access, for guard and profile alike.
#[test]
fn every_access_is_asked_about() {
    let folder = folder();
    let w = "/Users/me/app/target";
    let out = "/Users/me/app";
    let path = |folder: &str, name: &str| format!("{folder}/{name}");
    for access in ["stat", "read", "write", "create", "remove"] {
        assert_eq!(explain(&folder, access, &[&path(w, "a")]).0, 0, "{access}");
        let (code, answer) = explain(&folder, access, &[&path(out, ".env")]);
        assert_eq!((code, &answer["agree"]), (1, &true.into()), "{answer}");
    }
    for access in ["rename", "swap", "link", "clone"] {
        let (a, b) = (path(w, "a"), path(w, "b"));
        let (code, answer) = explain(&folder, access, &[&a, &b]);
        assert_eq!(
            (code, &answer["verdict"]),
            (0, &"admitted".into()),
            "{answer}"
        );
        assert_eq!(answer["access"], access);
        let (code, answer) = explain(&folder, access, &[&a, &path(out, "b")]);
        assert_eq!((code, &answer["agree"]), (1, &true.into()), "{answer}");
        let verdicts: Vec<_> = answer["ends"]
            .as_array()
            .unwrap()
            .iter()
            .map(|end| end["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(verdicts, ["admitted", "refused"], "{access}");
    }
}

#[test]
fn both_ends_are_told_to_a_person() {
    let folder = folder();
    let (code, out, err) = folder.run(&[
        "explain",
        "g.toml",
        "--host",
        "mac",
        "rename",
        "app/target/a",
        "app/b",
    ]);
    assert_eq!((code, err.as_str()), (1, ""));
    let told: Vec<_> = out.lines().collect();
    assert_eq!(
        told[..3],
        [
            "rename of `/Users/me/app/target/a` and `/Users/me/app/b` is refused",
            "  guard, of `/Users/me/app/target/a`: admitted: write `~/app/target` (g.toml:3:10) allows it",
            "  guard, of `/Users/me/app/b`: refused: no clause allows it",
        ]
    );
    assert_eq!(told.last(), Some(&"  guard and profile agree"));
}

const PROGRAMS: &str = "\
[fs]
read = ['/usr/local']
[exec]
allow = ['/usr/bin', '/bin/ls', 'objcap']
exclude = ['/usr/bin/osascript']
veto = ['curl']
only = { git = ['status'] }
";

#[test]
fn a_program_is_asked_about_with_its_arguments() {
    let folder = folder();
    folder.write("g.toml", PROGRAMS);
    for (words, code) in [
        (&["git", "--", "status"][..], 0),
        (&["git", "--", "push"], 1),
        (&["git"], 1),
        (&["/bin/ls", "--", "-l"], 0),
        (&["/BIN/ls"], 0),
        (&["/bin/sh"], 1),
        (&["sh"], 1),
        (&["curl"], 1),
        (&["/usr/bin/CURL"], 1),
        (&["osascript"], 1),
        (&["no-such-program"], 1),
        (&["/usr/bin"], 1),
    ] {
        let (got, answer) = explain(&folder, "exec", words);
        assert_eq!((got, &answer["agree"]), (code, &true.into()), "{answer}");
    }
    let (_, answer) = explain(&folder, "exec", &["git", "--", "push"]);
    assert_eq!(answer["guard_alone"], true);
    assert_eq!(answer["ends"][0]["clause"]["list"], "exec.only");
    assert_eq!(answer["ends"][0]["real"], "/usr/bin/git");
    let (_, answer) = explain(&folder, "exec", &["curl"]);
    assert_eq!(answer["guard_alone"], false);
    assert_eq!(answer["ends"][0]["clause"]["list"], "exec.veto");
}

#[test]
fn the_interpreter_of_a_script_is_asked_about_too() {
    let folder = folder();
    let real = fs::canonicalize(folder.path()).unwrap();
    let run = |name: &str, text: &str| {
        folder.write(name, text);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(real.join(name), mode).unwrap();
    };
    let shell = fs::canonicalize("/bin/sh").unwrap();
    let shell = shell.to_str().unwrap();
    run("script", "#!/bin/sh\n:\n");
    run("second", "#!./script\n");
    let second = format!("#!{}/script\n", real.display());
    run("third", &second);
    run("loop", &format!("#!{}/loop\n", real.display()));
    let ask = |grant: &str, program: &str| {
        folder.write("g.toml", grant);
        let (code, out, err) = folder.run(&["explain", "g.toml", "--json", "exec", program]);
        assert_eq!(err, "");
        let answer: Value = serde_json::from_str(&out).unwrap();
        (code, answer)
    };
    let allowed = format!("fs.read = ['${{CWD}}']\nexec.allow = ['${{CWD}}', '{shell}']");
    let alone = "fs.read = ['${CWD}']\nexec.allow = ['${CWD}']\nexec.exclude = ['/bin/sh']";
    for (program, hops) in [("./script", 1), ("./third", 2)] {
        let (code, answer) = ask(&allowed, program);
        assert_eq!(code, 0, "{answer}");
        let interpreters = answer["interpreters"].as_array().unwrap();
        assert_eq!(interpreters.len(), hops, "{answer}");
        assert_eq!(interpreters[hops - 1]["real"], shell);
        let (code, answer) = ask(alone, program);
        assert_eq!(code, 1, "{answer}");
        let last = answer["interpreters"].as_array().unwrap().last().unwrap();
        assert_eq!(last["verdict"], "refused");
        assert_eq!(last["clause"]["surface"], "/bin/sh");
        assert_eq!(answer["profile"][0]["name"], shell);
    }
    // A file can name itself: that ends, and is an answer.
    for (program, why) in [
        (
            "./loop",
            "its interpreters are scripts, more than 4 in a row",
        ),
        ("./second", "its interpreter `./script` is relative"),
    ] {
        let (code, answer) = ask(&allowed, program);
        assert_eq!(code, 1, "{answer}");
        let told = answer["ends"][0]["why"].as_str().unwrap();
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn a_grant_on_this_machine_is_about_its_objects() {
    let folder = folder();
    let real = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir(real.join("w")).unwrap();
    fs::write(real.join("w/f"), "").unwrap();
    std::os::unix::fs::symlink("w", real.join("l")).unwrap();
    folder.write("g.toml", "[fs]\nread = ['${CWD}/l']\n");
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
    let folder = folder();
    folder.write("file", "");
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
        folder.write("g.toml", text);
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

#[test]
fn a_rule_is_told_by_what_of_it_decides() {
    let grant = "[fs]\nread = ['~/a', '~/b', '~/c']\nexclude = ['~/a/x']\n";
    let folder = Folder::new(&[("g.toml", grant)]);
    let told = |path: &str| {
        let (_, said, _) = folder.run(&["explain", "g.toml", "--host", "mac", "read", path]);
        let mut lines = said.lines().filter(|line| line.starts_with("    line "));
        lines.next().unwrap().split_once(": ").unwrap().1.to_owned()
    };
    assert_eq!(
        told("/Users/me/b/f"),
        "(allow file-read* … (subpath \"/Users/me/b\") …)"
    );
    assert_eq!(
        told("/Users/me/a/X"),
        "(deny file-read* … (subpath \"/Users/me/a/x\"))"
    );
    assert_eq!(told("/Users/me/d"), "(deny default)");
    // For machines it is whole.
    let (_, whole) = explain(&folder, "read", &["/Users/me/b/f"]);
    let outcome = &whole["profile"][0];
    assert_eq!(outcome["matched"], "(subpath \"/Users/me/b\")");
    let rule = outcome["rule"].as_str().unwrap();
    for name in ["/Users/me/a", "/Users/me/b", "/Users/me/c"] {
        assert!(rule.contains(&format!("(subpath \"{name}\")")), "{rule}");
    }
}
