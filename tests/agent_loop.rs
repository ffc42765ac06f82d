//! The example of an agent's loop, run as its page says, in a folder of its own.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const GRANT: &str = "\
[fs]
write = ['${CWD}']
exclude = ['${CWD}/.env']
[exec]
allow = ['every']
";

/// Hands the loop these calls, and returns its answers.
fn answers(folder: &Path, calls: &[Value]) -> Vec<Value> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--quiet", "--example", "agent_loop"])
        .args([
            "--manifest-path",
            manifest,
            "--",
            "grant.toml",
            "second-names",
        ])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for call in calls {
        writeln!(input, "{call}").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_agent_reads_and_writes_what_its_grant_lets_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("grant.toml"), GRANT).unwrap();
    fs::write(at("notes"), "text").unwrap();
    fs::write(at(".env"), "secret").unwrap();
    std::os::unix::fs::symlink(".env", at("innocent")).unwrap();
    let calls = [
        json!({ "tool": "read", "path": "notes" }),
        json!({ "tool": "write", "path": "new", "contents": "four" }),
        json!({ "tool": "read", "path": ".ENV" }),
        json!({ "tool": "read", "path": "innocent" }),
        json!({ "tool": "write", "path": ".env", "contents": "forged" }),
        json!({ "tool": "write", "path": "grant.toml", "contents": "" }),
        json!({ "tool": "read", "path": "/etc/../etc/nosuch/file" }),
        json!({ "tool": "shell" }),
    ];
    let answers = answers(folder.path(), &calls);
    assert_eq!(answers[0], json!({ "ok": "text" }));
    assert_eq!(answers[1], json!({ "ok": "4 bytes" }));
    let errors: Vec<&str> = answers[2..]
        .iter()
        .map(|one| one["error"].as_str().unwrap())
        .collect();
    for excluded in &errors[..3] {
        assert!(
            excluded.contains("exclude `${CWD}/.env` (grant.toml:3:12)"),
            "{excluded}"
        );
    }
    assert!(
        errors[3].contains("its own file by protect"),
        "{}",
        errors[3]
    );
    assert_eq!(errors[5], "`command` is missing");
    assert_eq!(errors.len(), 6);
    assert_eq!(fs::read_to_string(at("new")).unwrap(), "four");
    assert_eq!(fs::read_to_string(at(".env")).unwrap(), "secret");
    assert_eq!(fs::read_to_string(at("grant.toml")).unwrap(), GRANT);
}
