//! Every row of `tests/data/walk.json` through the built program, its JSON read back.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod program;

use std::path::Path;

use objcap_support::cases::{Case, walk_cases};
use objcap_support::scratch::{Scratch, expand};
use program::{objcap, run};
use serde_json::Value;

#[test]
fn every_row_holds_through_the_program() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for group in walk_cases() {
        let scratch = Scratch::new(&group.tree);
        let mut modes: Vec<&str> = group.cases.iter().map(|case| &*case.mode).collect();
        modes.sort_unstable();
        modes.dedup();
        for mode in modes {
            let cases = group.cases.iter().filter(|case| case.mode == mode);
            let cases: Vec<&Case> = cases.collect();
            asked += cases.len();
            for (case, line) in cases.iter().zip(ask(scratch.root(), &cases)) {
                let links = links(&line, scratch.root());
                let want = case.links.iter();
                let want: Vec<_> = want.map(|(at, text)| (shown(at), shown(text))).collect();
                // A failure is told without its links.
                let agrees =
                    outcome(&line) == shown(&case.walk) && (line["ok"] == false || links == want);
                if !agrees {
                    wrong.push(format!("{} {mode}: {line}", case.id));
                }
            }
        }
    }
    assert_eq!(
        asked, 357,
        "the table has so many rows, and none is skipped"
    );
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Asks cases of one mode in one process.
fn ask(root: &Path, cases: &[&Case]) -> Vec<Value> {
    let mut flags = vec!["--stdin", "-0"];
    for (part, flag) in [
        ("beneath", "--scope=beneath"),
        ("inroot", "--scope=in-root"),
        ("nosym", "--links=refuse"),
        ("nofollow", "--leaf=as-named"),
        ("dir", "--directory"),
    ] {
        if cases[0].has(part) {
            flags.push(flag);
        }
    }
    let mut paths = Vec::new();
    for case in cases {
        paths.extend(expand(&case.path, root));
        paths.push(0);
    }
    let output = run(&mut objcap(root, &flags), &paths);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), cases.len(), "one line for each path");
    lines
}

/// A line in the table's words.
fn outcome(line: &Value) -> String {
    if line["ok"] == false {
        return format!("E:{}", line["error"]["errno"].as_str().unwrap());
    }
    if line["state"] == "present" {
        return format!("OK:{}", name(line, "real"));
    }
    let mut parts = vec![name(line, "parent"), shown(&bytes(&line["leaf"]))];
    let tail = line["tail"].as_array().unwrap().iter();
    let tail: Vec<_> = tail.map(|name| shown(&bytes(name))).collect();
    if !tail.is_empty() {
        parts.push(tail.join("/"));
    }
    let form = if line["slash"] == true {
        " (dir form)"
    } else {
        ""
    };
    format!("ABSENT:{}{form}", parts.join("|"))
}

/// A real path as the table has it: relative to the root, or absolute.
fn name(line: &Value, key: &str) -> String {
    let real = bytes(&line[key]);
    match &real[..] {
        _ if line.get("outside").is_some() => format!("ABS:{}", shown(&real)),
        b"/" => "<T>".to_owned(),
        _ => shown(real.strip_prefix(b"/").unwrap()),
    }
}

fn links(line: &Value, root: &Path) -> Vec<(String, String)> {
    let links = line["links"].as_array().map(Vec::as_slice);
    let link = |link: &Value| {
        let at = bytes(&link["at"]);
        let target = shown(&bytes(&link["target"]));
        (
            shown(at.strip_prefix(b"/").unwrap()),
            target.replace(root.to_str().unwrap(), "{T}"),
        )
    };
    links.unwrap_or_default().iter().map(link).collect()
}

/// A string of the record as the bytes it stands for.
fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.clone().into_bytes(),
        other => serde_json::from_value(other.clone()).unwrap(),
    }
}

/// Bytes as text, each of its own where it is not UTF-8.
fn shown(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |text, chunk| {
        let raw = chunk.invalid().iter();
        let raw: String = raw.map(|byte| format!("\\x{byte:02x}")).collect();
        text + chunk.valid() + &raw
    })
}
