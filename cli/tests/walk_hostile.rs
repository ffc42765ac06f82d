//! `objcap walk` on input that means it no good: paths of a mebibyte, bytes that are no text, a NUL,
//! thousands of components, a current folder beyond any path. It answers each, and rightly.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod program;

use std::process::Command;
use std::{env, fs};

use objcap_support::scratch::{Entry, Scratch};
use program::{objcap, run};
use serde_json::Value;

fn tree() -> Scratch {
    Scratch::new(&[
        Entry::File(b"a/f".to_vec()),
        Entry::File(b"raw\xff/f".to_vec()),
        Entry::Link(b"l".to_vec(), b"a/../a".to_vec()),
        Entry::Link(b"loop".to_vec(), b"loop/x".to_vec()),
        Entry::Link(b"to-raw".to_vec(), b"raw\xff".to_vec()),
    ])
}

/// Every combination of the flags that say how to walk.
fn flags() -> Vec<Vec<&'static str>> {
    let mut all = vec![Vec::new()];
    for choices in [
        &["--scope=none", "--scope=beneath", "--scope=in-root"][..],
        &["--links=follow", "--links=refuse"],
        &["--leaf=follow", "--leaf=as-named"],
        &["--tail=accept", "--tail=refuse"],
        &["--directory", "--json"],
    ] {
        all = all
            .into_iter()
            .flat_map(|flags| {
                choices
                    .iter()
                    .map(move |flag| [&flags[..], &[*flag]].concat())
            })
            .collect();
    }
    all
}

/// The answers to paths that end in a NUL each.
fn answers(tree: &Scratch, flags: &[&str], paths: &[&[u8]]) -> Vec<Value> {
    let mut stdin = paths.join(&0);
    stdin.push(0);
    let output = run(objcap(tree.root(), &["--stdin", "-0"]).args(flags), &stdin);
    assert_eq!(output.status.code(), Some(0), "{flags:?}");
    assert_eq!(output.stderr, b"", "{flags:?}");
    let lines: Vec<Value> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines.len(), paths.len(), "{flags:?}");
    lines
}

fn said(answer: &Value) -> &Value {
    answer.get("real").unwrap_or(&answer["error"]["kind"])
}

#[test]
fn every_combination_of_flags_answers_every_hostile_path() {
    let tree = tree();
    let long = "x".repeat(256);
    let many = b"y/".repeat(10_000);
    let huge = b"z".repeat(1 << 20);
    let paths: [&[u8]; 14] = [
        b"a/f",
        b"",
        b"/",
        b"//..//",
        b"l/f",
        b"loop",
        b"raw\xff/f",
        b"\xff\xfe\x80",
        b"\x1b[2J\n\r",
        long.as_bytes(),
        &many,
        &huge,
        b"a/f/../..",
        b"../../../../../../../../../etc/shadow",
    ];
    let all = flags();
    assert_eq!(all.len(), 48);
    for flags in all {
        for (path, answer) in paths.iter().zip(answers(&tree, &flags, &paths)) {
            let ok = answer["ok"].as_bool().unwrap();
            let error = &answer["error"]["kind"];
            match *path {
                b"" => assert_eq!(error, "empty-path"),
                b"a/f" if flags.contains(&"--directory") => assert_eq!(error, "not-a-directory"),
                b"a/f" => assert_eq!(answer["real"], "/a/f"),
                b"a/f/../.." => assert_eq!(error, "not-a-directory"),
                b"\xff\xfe\x80" if ok => {
                    assert_eq!(answer["real"], serde_json::json!([47, 255, 254, 128]));
                }
                path if path.len() == 1 << 20 || path.len() == 256 => {
                    assert_eq!(error, "name-too-long");
                }
                path if path.len() == 20_000 && ok => {
                    assert_eq!(answer["tail"].as_array().unwrap().len(), 9_999);
                }
                _ => assert!(ok || error.is_string(), "{flags:?}: {answer}"),
            }
        }
    }
}

#[test]
fn paths_of_a_mebibyte_lead_where_they_say() {
    let tree = tree();
    let fill =
        |filler: &str, end: &str| [filler.repeat((1 << 20) / filler.len()), end.into()].concat();
    let table = [
        (fill("./", "a/f"), "/a/f"),
        (fill("/", "."), "/"),
        (fill("a/../", "a/f"), "/a/f"),
        (fill("a/../", "no"), "/no"),
        (fill("a/./../", "l/f"), "/a/f"),
        (fill("a/../", "loop"), "too-many-links"),
        (fill("a/../", "a/f/x"), "not-a-directory"),
        (fill("no/../", "a"), "not-found"),
        (fill("x", ""), "name-too-long"),
        (fill("l/../", ""), "too-many-links"),
    ];
    let paths: Vec<&[u8]> = table.iter().map(|(path, _)| path.as_bytes()).collect();
    let answers = answers(&tree, &["--scope=in-root"], &paths);
    for ((path, want), answer) in table.iter().zip(answers) {
        assert_eq!(said(&answer), want, "{}…", &path[..10]);
    }
    // By lines too, and as text for people.
    let output = run(
        &mut objcap(tree.root(), &["--stdin"]),
        fill("./", "a/f\n").as_bytes(),
    );
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["real"], "/a/f");
    // A word of a command line holds at most 128 KiB (execve(2)).
    let output = run(
        objcap(tree.root(), &[]).arg("./".repeat(60_000) + "a/f"),
        b"",
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"real path  /a/f\n"));
}

#[test]
fn a_path_beyond_the_budget_is_told_so() {
    let tree = tree();
    let path = b"./".repeat((8 << 20) / 2 + 1);
    let answers = answers(&tree, &[], &[&path, b"a/f"]);
    assert_eq!(answers[0]["error"]["kind"], "budget");
    assert_eq!(answers[0]["error"]["errno"], Value::Null);
    assert_eq!(answers[1]["real"], "/a/f");
}

#[test]
fn bytes_that_are_no_text_come_back_as_they_are() {
    let tree = tree();
    let answers = answers(&tree, &[], &[b"to-raw/f", b"raw\xff/\xfe", b"\xff/../a"]);
    let raw: Vec<u8> = b"/raw\xff/f".to_vec();
    assert_eq!(answers[0]["real"], serde_json::json!(raw));
    assert_eq!(
        answers[0]["links"][0]["target"],
        serde_json::json!(b"raw\xff".to_vec())
    );
    assert_eq!(answers[1]["leaf"], serde_json::json!([0xfe]));
    assert_eq!(answers[2]["error"]["kind"], "not-found");
    assert_eq!(answers[2]["error"]["at"], serde_json::json!([47, 255]));
}

#[test]
fn ten_thousand_components_of_every_kind() {
    let tree = tree();
    for (path, want) in [
        ("a/../".repeat(10_000) + "a", "/a"),
        ("../".repeat(10_000) + "a", "/a"),
        ("no/".repeat(10_000), "/no"),
        ("a/f/".repeat(5_000), "not-a-directory"),
        ("l/".repeat(10_000), "/a/l"),
    ] {
        let answer = &answers(&tree, &["--scope=in-root"], &[path.as_bytes()])[0];
        assert_eq!(said(answer), want);
        assert_eq!(
            answer["lookups"].as_array().map_or(0, Vec::len),
            match want {
                "/a" if path.starts_with('a') => 10_001,
                "/a" => 1,
                "/no" => 1,
                "/a/l" => 4,
                _ => 0,
            }
        );
    }
}

#[test]
fn a_current_folder_deeper_than_any_path_is_walked_from() {
    let tree = tree();
    let name = "n".repeat(200);
    // Every path of the other tests in this process is absolute.
    env::set_current_dir(tree.root()).unwrap();
    for _ in 0..30 {
        fs::create_dir(&name).unwrap();
        env::set_current_dir(&name).unwrap();
    }
    fs::write("f", "contents").unwrap();
    let here = format!("../{name}/f");
    let asked: [&[&str]; 4] = [
        &["../../f"],
        &["--scope=beneath", "f"],
        &["f"],
        &["--root=..", "--scope=in-root", &here],
    ];
    let got = asked.map(|args| {
        let output = Command::new(env!("CARGO_BIN_EXE_objcap"))
            .args(["walk", "--json"])
            .args(args)
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), &output.stderr[..]),
            (Some(0), &b""[..])
        );
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        said(&answer).as_str().unwrap().to_owned()
    });
    env::set_current_dir("/").unwrap();
    let root = fs::canonicalize(tree.root()).unwrap();
    let deep = |levels: usize| {
        format!(
            "{}{}",
            root.to_str().unwrap(),
            format!("/{name}").repeat(levels)
        )
    };
    let want = [
        format!("{}/f", deep(28)),
        "/f".to_owned(),
        format!("{}/f", deep(30)),
        format!("/{name}/f"),
    ];
    assert_eq!(got, want);
}
