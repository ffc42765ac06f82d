//! Which package depends on which, as `cargo metadata` tells it, against a table.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// A package's dependencies, those for its tests left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    workspace: BTreeSet<String>,
    external: BTreeSet<String>,
}

/// What a package may need of this workspace, and what it needs from elsewhere. A new line in the
/// last column wants an argument in `docs/decisions`.
const ALLOWED: &[(&str, &[&str], &[&str])] = &[
    ("objcap-walk", &[], &[]),
    (
        "objcap-object",
        &["objcap-walk"],
        &[
            "cap-std",
            "icu_casemap",
            "icu_locale_core",
            "icu_normalizer",
            "libc",
            "rustix",
        ],
    ),
    (
        "objcap-capability",
        &["objcap-object"],
        &["bitflags", "serde", "toml"],
    ),
    ("sbpl", &[], &["icu_casemap", "icu_normalizer", "regex"]),
    (
        "objcap-sandbox",
        &["objcap-capability", "objcap-object", "sbpl"],
        &["libc", "rustix"],
    ),
    (
        "objcap",
        &[
            "objcap-capability",
            "objcap-object",
            "objcap-sandbox",
            "objcap-walk",
            "sbpl",
        ],
        &[],
    ),
    (
        "objcap-cli",
        &["objcap"],
        &["clap", "serde", "serde_json", "signal-hook"],
    ),
];

/// Needs whatever the tests need, and nothing but tests needs it.
const FREE: &str = "objcap-support";

pub(crate) fn metadata() -> Value {
    let answer = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        answer.status.success(),
        "{}",
        String::from_utf8_lossy(&answer.stderr)
    );
    serde_json::from_slice(&answer.stdout).unwrap()
}

pub(crate) fn table(metadata: &Value) -> BTreeMap<String, Needs> {
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| (text(&package["name"]), needs(package)))
        .collect()
}

fn needs(package: &Value) -> Needs {
    let mut needs = Needs::default();
    for dependency in package["dependencies"].as_array().unwrap() {
        if dependency["kind"] == "dev" {
            continue;
        }
        let list = if dependency["path"].is_string() {
            &mut needs.workspace
        } else {
            &mut needs.external
        };
        list.insert(text(&dependency["name"]));
    }
    needs
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Where the packages found differ from the table: a line each.
pub(crate) fn differences(found: &BTreeMap<String, Needs>) -> Vec<String> {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let allowed: BTreeMap<&str, Needs> = ALLOWED
        .iter()
        .map(|(name, workspace, external)| {
            let needs = Needs {
                workspace: set(workspace),
                external: set(external),
            };
            (*name, needs)
        })
        .collect();
    let mut lines: Vec<_> = allowed
        .keys()
        .filter(|name| !found.contains_key(**name))
        .map(|name| format!("{name} is gone"))
        .collect();
    for (name, needs) in found.iter().filter(|(name, _)| *name != FREE) {
        match allowed.get(&name[..]) {
            None => lines.push(format!("{name} is not in the table")),
            Some(allowed) if allowed != needs => {
                lines.push(format!("{name} needs {needs:?}, not {allowed:?}"));
            }
            Some(_) => {}
        }
    }
    lines
}

#[test]
fn a_new_a_foreign_and_a_backward_dependency_are_found() {
    let mut found = table(&metadata());
    let mut add = |package: &str, workspace: &str, external: &str| {
        let needs = found.entry(package.to_owned()).or_default();
        needs
            .workspace
            .extend((!workspace.is_empty()).then(|| workspace.to_owned()));
        needs
            .external
            .extend((!external.is_empty()).then(|| external.to_owned()));
    };
    add("objcap-walk", "objcap-object", "");
    add("sbpl", "", "serde");
    add("objcap-new", "", "");
    let lines = differences(&found);
    for name in ["objcap-walk needs", "sbpl needs", "objcap-new is not"] {
        assert!(
            lines.iter().any(|line| line.starts_with(name)),
            "{name}: {lines:?}"
        );
    }
    found.remove("objcap-sandbox");
    assert!(differences(&found).contains(&"objcap-sandbox is gone".to_owned()));
}

#[test]
fn a_dependency_of_the_tests_is_none_of_the_package() {
    let package = serde_json::json!({ "dependencies": [
        { "name": "tempfile", "kind": "dev" },
        { "name": "cc", "kind": "build" },
        { "name": "objcap-walk", "kind": null, "path": "walk" },
    ]});
    let needs = needs(&package);
    assert_eq!(needs.workspace, BTreeSet::from(["objcap-walk".to_owned()]));
    assert_eq!(needs.external, BTreeSet::from(["cc".to_owned()]));
}
