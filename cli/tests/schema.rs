//! What `objcap schema` prints, against the parser: what the one takes, the other does.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod folder;

use std::path::Path;

use folder::Folder;
use objcap::capability::{Grant, Vars};
use regex::Regex;
use serde_json::Value;

fn schema() -> Value {
    let folder = Folder::new(&[]);
    folder.write("unused", "");
    assert!(folder.path().join("unused").exists());
    let (code, out, err) = folder.run(&["schema"]);
    assert_eq!((code, err.as_str()), (0, ""));
    serde_json::from_str(&out).unwrap()
}

/// Whether a value is what a schema takes, by the keywords that this schema uses. One that it does
/// not is an error of the test.
fn takes(schema: &Value, value: &toml::Value) -> bool {
    let map = schema.as_object().unwrap();
    map.iter()
        .all(|(keyword, says)| match (&keyword[..], value) {
            ("$schema" | "title" | "description", _) => true,
            ("type", _) => {
                let found = match value {
                    toml::Value::String(_) => "string",
                    toml::Value::Array(_) => "array",
                    toml::Value::Table(_) => "object",
                    _ => "another",
                };
                says == found
            }
            ("enum", _) => says
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one.as_str() == value.as_str()),
            ("pattern", toml::Value::String(text)) => {
                Regex::new(says.as_str().unwrap()).unwrap().is_match(text)
            }
            ("items", toml::Value::Array(items)) => items.iter().all(|item| takes(says, item)),
            ("properties", toml::Value::Table(table)) => says
                .as_object()
                .unwrap()
                .iter()
                .all(|(key, schema)| table.get(key).is_none_or(|value| takes(schema, value))),
            ("propertyNames", toml::Value::Table(table)) => {
                table.keys().all(|key| takes(says, &key.as_str().into()))
            }
            ("additionalProperties", toml::Value::Table(table)) => {
                let known = |key: &str| schema["properties"].get(key).is_some();
                let mut more = table.iter().filter(|(key, _)| !known(key));
                more.all(|(_, value)| says.is_object() && takes(says, value))
            }
            // A keyword of another type of value.
            ("pattern" | "items" | "properties" | "propertyNames" | "additionalProperties", _) => {
                true
            }
            _ => panic!("{keyword}"),
        })
}

fn vars() -> Vars {
    Vars {
        home: Some("/home/me".into()),
        cwd: Some("/w".into()),
        tmpdir: Some("/t".into()),
        ..Vars::default()
    }
}

/// What schema and parser say of a grant.
fn both(schema: &Value, text: &str) -> (bool, bool) {
    let value: toml::Value = toml::from_str(text).unwrap();
    let parsed = Grant::parse("g.toml", text.as_bytes(), &vars());
    (takes(schema, &value), parsed.is_ok())
}

#[test]
fn every_key_of_the_schema_is_one_of_the_parser_and_no_other_is() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    let mut keys = Vec::new();
    for (table, of) in schema["properties"].as_object().unwrap() {
        assert_eq!(
            both(&schema, &format!("[{table}]")),
            (true, true),
            "{table}"
        );
        assert_eq!(both(&schema, &format!("{table} = []")), (false, false));
        for (key, takes) in of["properties"].as_object().unwrap() {
            assert!(takes["description"].is_string(), "{key}");
            let value = match (takes["type"].as_str(), &takes["enum"][0]) {
                (Some("array"), _) => "[]".to_owned(),
                (Some("object"), _) => "{}".to_owned(),
                (_, word) => word.to_string(),
            };
            let text = |key: &str| format!("[{table}]\n{key} = {value}");
            assert_eq!(both(&schema, &text(key)), (true, true), "{table}.{key}");
            let other = text(&format!("{key}s2"));
            assert_eq!(both(&schema, &other), (false, false), "{other}");
            keys.push(format!("{table}.{key}"));
        }
    }
    assert_eq!(
        keys,
        [
            "exec.allow",
            "exec.exclude",
            "exec.only",
            "exec.veto",
            "fs.exclude",
            "fs.protect",
            "fs.read",
            "fs.write",
            "net.access",
            "net.sockets",
        ]
    );
}

#[test]
fn schema_and_parser_take_the_same_values() {
    let schema = schema();
    for (text, takes) in [
        (
            "fs.read = ['/', '/a b', '~', '~/x', '${HOME}', '${CWD}/x']",
            true,
        ),
        ("fs.read = ['x']", false),
        ("fs.read = ['~you/x']", false),
        ("fs.read = ['${HOME}x']", false),
        ("fs.read = ['${NOPE}/x']", false),
        ("fs.read = ['']", false),
        ("fs.read = '/x'", false),
        ("fs.read = [1]", false),
        ("fs.protect = ['git']", false),
        ("exec.allow = ['git', 'every', '/bin', '~/bin']", true),
        ("exec.allow = ['bin/git']", false),
        ("exec.allow = ['']", false),
        ("exec.exclude = ['git']", false),
        ("exec.veto = ['curl', 'a b']", true),
        ("exec.veto = ['/bin/curl']", false),
        ("exec.veto = ['~/curl']", false),
        ("exec.only = { git = ['status', ''], '/bin/ls' = [] }", true),
        ("exec.only = { git = 'status' }", false),
        ("exec.only = { 'bin/git' = ['status'] }", false),
        ("net.access = 'open'", true),
        ("net.access = 'offline'", true),
        ("net.access = 'closed'", false),
        ("net.sockets = ['/tmp/s']", true),
        ("net.sockets = ['s']", false),
        ("read = ['/x']", false),
    ] {
        assert_eq!(both(&schema, text), (takes, takes), "{text}");
    }
}

#[test]
fn every_documented_grant_is_one_by_the_schema() {
    let schema = schema();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/grants.md")).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    let grants: Vec<_> = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert!(grants.len() > 30);
    let example = std::fs::read_to_string(root.join("examples/agent.toml")).unwrap();
    for text in grants.into_iter().chain([&example[..]]) {
        // The one veto with a slash is there to be refused.
        let refused = text.contains("veto = [\"/");
        let value: toml::Value = toml::from_str(text).unwrap();
        assert_eq!(takes(&schema, &value), !refused, "{text}");
    }
}
