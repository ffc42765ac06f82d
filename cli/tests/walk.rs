//! What `objcap walk` prints and returns: the exact JSON, stdin, exit codes, and what a terminal is
//! shown. Where paths lead is asked in `walk_cases.rs`.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod program;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use objcap_support::scratch::{Entry, Scratch};
use program::{objcap, run};
use serde_json::Value;

/// The exit code and stdout of a walk that says nothing on stderr; of `id`, only that it is there.
fn told(command: &mut Command) -> (i32, String) {
    let output = run(command, b"");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let mut text = String::from_utf8(output.stdout).unwrap();
    if let Some(at) = text.find(r#""id":{"#) {
        let end = at + text[at..].find('}').unwrap();
        text.replace_range(at..=end, r#""id":{}"#);
    }
    (output.status.code().unwrap(), text)
}

fn small_tree() -> Scratch {
    Scratch::new(&[
        Entry::File(b"dir/f".to_vec()),
        Entry::Link(b"l".to_vec(), b"dir".to_vec()),
        Entry::Link(b"loop".to_vec(), b"loop".to_vec()),
        Entry::File(b"raw\xff".to_vec()),
        Entry::Link(b"to-raw".to_vec(), b"raw\xff".to_vec()),
        Entry::File(b"esc\x1b[2J".to_vec()),
    ])
}

#[test]
fn the_json_is_the_documented_line() {
    let tree = small_tree();
    let table: &[(&[&str], &str)] = &[
        (
            &["l/f"],
            r#"{"ok":true,"real":"/dir/f","parent":"/dir","leaf":"f","state":"present","kind":"file","spelling":"stored","tail":[],"slash":false,"links":[{"at":"/l","target":"dir"}],"lookups":["/l","/dir","/dir/f"],"id":{}}"#,
        ),
        (
            &["dir/no/a/b/"],
            r#"{"ok":true,"real":"/dir/no","parent":"/dir","leaf":"no","state":"absent","kind":null,"spelling":"stored","tail":["a","b"],"slash":true,"links":[],"lookups":["/dir","/dir/no"],"id":null}"#,
        ),
        (
            &["l/f/x"],
            r#"{"ok":false,"error":{"errno":"ENOTDIR","kind":"not-a-directory","at":"/dir/f","message":"not a directory"}}"#,
        ),
        (
            &[""],
            r#"{"ok":false,"error":{"errno":"ENOENT","kind":"empty-path","at":null,"message":"the path is empty"}}"#,
        ),
        (
            &["l/.."],
            r#"{"ok":true,"real":"/","parent":null,"leaf":null,"state":"present","kind":"dir","spelling":"stored","tail":[],"slash":true,"links":[{"at":"/l","target":"dir"}],"lookups":["/l","/dir"],"id":{}}"#,
        ),
        (
            &["--scope=in-root", "/l/../.."],
            r#"{"ok":true,"real":"/","parent":null,"leaf":null,"state":"present","kind":"dir","spelling":"stored","tail":[],"slash":true,"links":[{"at":"/l","target":"dir"}],"lookups":["/l","/dir"],"id":{}}"#,
        ),
        (
            &["--scope=beneath", "../x"],
            r#"{"ok":false,"error":{"errno":"EXDEV","kind":"outside-scope","at":"/..","message":"the name leaves its scope"}}"#,
        ),
        (
            &["to-raw"],
            r#"{"ok":true,"real":[47,114,97,119,255],"parent":"/","leaf":[114,97,119,255],"state":"present","kind":"file","spelling":"stored","tail":[],"slash":false,"links":[{"at":"/to-raw","target":[114,97,119,255]}],"lookups":["/to-raw",[47,114,97,119,255]],"id":{}}"#,
        ),
        (
            &["--leaf=as-named", "loop"],
            r#"{"ok":true,"real":"/loop","parent":"/","leaf":"loop","state":"present","kind":"symlink","spelling":"stored","tail":[],"slash":false,"links":[],"lookups":["/loop"],"id":{}}"#,
        ),
        (
            &["/"],
            r#"{"ok":true,"real":"/","parent":null,"leaf":null,"state":"present","kind":"dir","spelling":"stored","tail":[],"slash":true,"links":[],"lookups":[],"id":{},"outside":true}"#,
        ),
    ];
    for (args, want) in table {
        let (code, got) = told(objcap(tree.root(), &["--json"]).args(*args));
        assert_eq!(got, format!("{want}\n"), "{args:?}");
        assert_eq!(
            code,
            i32::from(want.starts_with(r#"{"ok":false"#)),
            "{args:?}"
        );
    }
}

#[test]
fn a_name_outside_of_the_root_is_the_machines_own() {
    let tree = small_tree();
    let folder = tree.root().parent().unwrap().to_str().unwrap();
    let (code, got) = told(&mut objcap(
        tree.root(),
        &["--json", "dir/../../outside/secret"],
    ));
    let want = format!(
        r#"{{"ok":true,"real":"{folder}/outside/secret","parent":"{folder}/outside","leaf":"secret","state":"present","kind":"file","spelling":"stored","tail":[],"slash":false,"links":[],"lookups":["/dir","{folder}/outside","{folder}/outside/secret"],"id":{{}},"outside":true}}"#
    );
    assert_eq!((code, got), (0, want + "\n"));
}

#[test]
fn identity_tells_device_inode_mount_and_birth() {
    use std::os::unix::fs::MetadataExt as _;
    let tree = small_tree();
    let output = run(&mut objcap(tree.root(), &["--json", "l/f"]), b"");
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let id = line["id"].as_object().unwrap();
    let keys: Vec<_> = id.keys().map(String::as_str).collect();
    let meta = fs::metadata(tree.root().join("dir/f")).unwrap();
    assert_eq!(
        (&id["dev"], &id["ino"]),
        (&meta.dev().into(), &meta.ino().into())
    );
    assert!(id["mount"].is_u64() || id["mount"].is_null());
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["born", "dev", "ino", "mount"]);
    if let Some(born) = id["born"].as_str() {
        let (seconds, nanoseconds) = born.split_once('.').unwrap();
        assert!(seconds.parse::<i64>().is_ok(), "{born}");
        assert!(
            nanoseconds.len() == 9 && nanoseconds.parse::<u32>().is_ok(),
            "{born}"
        );
    }
}

#[test]
fn an_absent_tail_can_be_refused() {
    let tree = small_tree();
    let (code, got) = told(&mut objcap(
        tree.root(),
        &["--json", "--tail=refuse", "l/no/a"],
    ));
    let want = r#"{"ok":false,"error":{"errno":"ENOENT","kind":"not-found","at":"/dir/no","message":"no such file or directory"}}"#;
    assert_eq!((code, got), (1, format!("{want}\n")));
}

#[test]
fn every_path_of_stdin_has_its_line() {
    let tree = small_tree();
    let table: [(&[&str], &[u8], &[&str]); 7] = [
        (&[], b"", &[]),
        (&[], b"dir/f", &["/dir/f"]),
        (&[], b"dir/f\n", &["/dir/f"]),
        (&[], b"\nl\n\n", &["empty-path", "/dir", "empty-path"]),
        (&[], b"a\0b\nl", &["nul-in-path", "/dir"]),
        (&["-0"], b"l\0\0a\nb\0", &["/dir", "empty-path", "/a\nb"]),
        (&["-0"], b"l\0dir/f", &["/dir", "/dir/f"]),
    ];
    for (flags, stdin, want) in table {
        let output = run(objcap(tree.root(), &["--stdin"]).args(flags), stdin);
        assert_eq!(output.status.code(), Some(0), "{stdin:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let said = line.get("real").unwrap_or(&line["error"]["kind"]);
            said.as_str().unwrap().to_owned()
        });
        assert_eq!(lines.collect::<Vec<_>>(), want, "{stdin:?}");
    }
}

#[test]
fn a_path_is_answered_before_the_next_one_is_sent() {
    let tree = small_tree();
    let mut child = objcap(tree.root(), &["--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut paths = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for path in ["dir/f\n", "loop\n"] {
        paths.write_all(path.as_bytes()).unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert!(line.ends_with("}\n"), "{line}");
    }
    drop(paths);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let tree = small_tree();
    let mut child = objcap(tree.root(), &["--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"dir/f\nl\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}

#[test]
fn bad_input_is_told_on_stderr_alone() {
    let tree = small_tree();
    let program = || Command::new(env!("CARGO_BIN_EXE_objcap"));
    let usages: [&[&str]; 8] = [
        &[],
        &["walk"],
        &["walk", "--no-such-flag", "a"],
        &["walk", "--scope=up", "a"],
        &["walk", "--stdin", "a"],
        &["walk", "-0", "a"],
        &["walk", "a", "b"],
        &["no-such-verb"],
    ];
    for args in usages {
        let output = run(program().args(args), b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(output.stdout, b"", "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let place = tree.root().to_str().unwrap();
    for (root, want) in [
        (
            "no",
            format!("--root `no`: `{place}/no`: no such file or directory"),
        ),
        (
            "dir/f",
            format!("--root `dir/f`: `{place}/dir/f`: not a directory"),
        ),
        (
            "loop",
            format!("--root `loop`: `{place}/loop`: more than 40 symbolic links"),
        ),
        ("", "--root ``: the path is empty".to_owned()),
    ] {
        for scope in ["--scope=none", "--scope=beneath"] {
            let args = ["walk", scope, "--stdin", "--root", root];
            let output = run(program().args(args).current_dir(tree.root()), b"a\n");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert_eq!(output.stdout, b"", "{args:?}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(stderr, format!("objcap: {want}\n"));
        }
    }
}

#[test]
fn the_root_may_be_reached_by_a_link_from_the_current_folder() {
    let tree = small_tree();
    for scope in ["none", "beneath", "in-root"] {
        let scope = format!("--scope={scope}");
        let flags = ["--json", &scope, "f"];
        let (code, got) = told(objcap(Path::new("l"), &flags).current_dir(tree.root()));
        assert_eq!(code, 0);
        assert!(
            got.starts_with(r#"{"ok":true,"real":"/f","parent":"/","leaf":"f""#),
            "{got}"
        );
    }
}

#[test]
fn without_a_root_paths_start_at_the_current_folder() {
    let tree = small_tree();
    let here = tree.root().to_str().unwrap();
    for (scope, real) in [
        ("--scope=none", format!("{here}/dir/f")),
        ("--scope=beneath", "/dir/f".to_owned()),
        ("--scope=in-root", "/dir/f".to_owned()),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
        let command = command.args(["walk", "--json", scope, "l/f"]);
        let (code, got) = told(command.current_dir(tree.root()));
        let want = format!(r#"{{"ok":true,"real":"{real}","#);
        assert_eq!(code, 0);
        assert!(got.starts_with(&want), "{got}");
    }
}

#[test]
fn in_a_folder_that_is_gone_only_absolute_paths_lead_somewhere() {
    let tree = small_tree();
    // The shell goes there, removes the folder, and becomes the program.
    let script = r#"mkdir gone && cd gone && rmdir ../gone && exec "$0" walk --stdin"#;
    let mut shell = Command::new("/bin/sh");
    shell
        .arg("-c")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_objcap"));
    let output = run(shell.current_dir(tree.root()), b"f\n/\n\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let lost = r#"{"ok":false,"error":{"errno":"ENOENT","kind":"not-found","at":null,"message":"the current folder: no such file or directory"}}"#;
    assert_eq!(lines[0], lost);
    assert!(lines[1].starts_with(r#"{"ok":true,"real":"/","#), "{text}");
    assert!(lines[2].contains("empty-path"), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_person_is_told_the_same() {
    let tree = small_tree();
    let table: &[(&[u8], i32, &str)] = &[
        (
            b"l/f",
            0,
            "real path  /dir/f\nobject     file\nidentity   ID\npassed     /l -> dir\n           /dir\n           /dir/f\n",
        ),
        (
            b"l/no/a/b/",
            0,
            "real path  /dir/no\nobject     absent\ntail       a/b (absent too)\nasked for  a directory\npassed     /l -> dir\n           /dir\n           /dir/no\n",
        ),
        (
            b"l/f/x",
            1,
            "fails      /dir/f: not a directory (ENOTDIR)\nlinks      /l -> dir\n",
        ),
        (
            b"esc\x1b[2J",
            0,
            "real path  /esc\\u{1b}[2J\nobject     file\nidentity   ID\npassed     /esc\\u{1b}[2J\n",
        ),
        (
            b"to-raw",
            0,
            "real path  /raw\\xff\nobject     file\nidentity   ID\npassed     /to-raw -> raw\\xff\n           /raw\\xff\n",
        ),
        (
            b"/",
            0,
            "real path  /\n           outside of --root\nobject     dir\nasked for  a directory\nidentity   ID\n",
        ),
    ];
    for (path, code, want) in table {
        let (got, text) = told(objcap(tree.root(), &[]).arg(OsStr::from_bytes(path)));
        let lines = text
            .lines()
            .map(|line| match line.strip_prefix("identity   device ") {
                Some(_) => "identity   ID\n".to_owned(),
                None => format!("{line}\n"),
            });
        assert_eq!((got, &*lines.collect::<String>()), (*code, *want));
    }
}
