//! Grants from text and from code: what the clauses become, and what each mistake is told.
//!
//! No file system is touched: variables are values, and clauses stay names.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first surprise, as tests do"
)]

mod clauses;
mod code;
mod mistakes;

use std::time::{Duration, Instant};

use objcap_capability::ErrorKind::{Encoding, MisplacedVariable, Syntax, UnknownKey};
use objcap_capability::{Error, Grant, Vars};

fn vars() -> Vars {
    Vars {
        home: Some("/home/me".into()),
        cwd: Some("/w/app".into()),
        tmpdir: Some("/tmp/t/".into()),
        xdg_config_home: Some("/x/config".into()),
        xdg_data_home: Some("/x/data".into()),
        xdg_cache_home: Some("/x/cache".into()),
        xdg_state_home: Some("".into()),
        xdg_runtime_dir: Some("run/me".into()),
    }
}

#[track_caller]
fn parse(text: &str) -> Grant {
    Grant::parse("g.toml", text.as_bytes(), &vars()).unwrap()
}

#[track_caller]
fn refused(text: impl AsRef<[u8]>) -> Error {
    Grant::parse("g.toml", text.as_ref(), &vars()).unwrap_err()
}

#[test]
fn large_grants() {
    let clock = Instant::now();
    // Ten megabytes on one line: a position must not cost the length of the line.
    let one_line = format!("[fs]\nread = [{}]\n", "\"/ab\", ".repeat(1_400_000));
    let grant = parse(&one_line);
    let clauses = grant.fs().unwrap().clauses();
    assert_eq!(clauses.len(), 1_400_000);
    for (i, clause) in clauses.iter().enumerate() {
        assert_eq!(clause.origin().column(), Some(9 + 7 * i));
    }
    // The last clause is wrong: it is found, and its line is shown in part.
    let error = refused(one_line.replace("]\n", "'b']\n").replace("[fs'b']", "[fs]"));
    assert_eq!(
        (error.line(), error.column()),
        (Some(2), Some(9 + 7 * 1_400_000))
    );
    assert!(error.to_string().len() < 400, "{error}");
    // As many lines as clauses.
    let many_lines = format!("[fs]\nread = [{}'']\n", "'/a',\n".repeat(1_600_000));
    assert_eq!(refused(many_lines).line(), Some(1_600_002));
    // One name of ten megabytes.
    let error = refused(format!("fs.read = ['{}']", "x".repeat(10_000_000)));
    assert!(error.to_string().len() < 800, "{error}");
    let error = refused(format!("{} = 1", "x".repeat(10_000_000)));
    assert_eq!(error.kind(), UnknownKey);
    assert!(error.to_string().len() < 800, "{error}");
    assert!(
        clock.elapsed() < Duration::from_secs(60),
        "{:?}",
        clock.elapsed()
    );
}

#[test]
fn every_prefix_of_a_grant_is_an_answer() {
    let text = concat!(
        "\u{feff}[fs]\r\nread = [\"~/é\\u0041\", '''\n/x''', '${CWD}/日']\n",
        "exclude = [\"/a/${HOME}\"]\n[net]\naccess = 'open'\n[exec.x]\n",
    );
    let mut kinds = Vec::new();
    for end in 0..=text.len() {
        match Grant::parse("g.toml", &text.as_bytes()[..end], &vars()) {
            Ok(_) => {}
            Err(error) => {
                assert!(
                    error.line().is_some() && error.to_string().contains('^'),
                    "{error}"
                );
                kinds.push(error.kind());
            }
        }
    }
    for kind in [Syntax, Encoding, MisplacedVariable] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}
