//! The table `tests/data/walk.json`: what a path leads to in a tree. Its format is told in
//! `tests/data/README.md`.

use serde_json::Value;

use crate::scratch::Entry;

/// Cases that share a tree.
#[derive(Debug)]
pub struct Group {
    /// What the group is about.
    pub name: String,
    /// The tree.
    pub tree: Vec<Entry>,
    /// The cases.
    pub cases: Vec<Case>,
}

/// One row.
#[derive(Debug)]
pub struct Case {
    /// The row's name.
    pub id: String,
    /// How to walk: `plain`, `nofollow`, `beneath+dir` and so on.
    pub mode: String,
    /// The path.
    pub path: Vec<u8>,
    /// What the walk answers.
    pub walk: Vec<u8>,
    /// What the kernel answers.
    pub kernel: Vec<u8>,
    /// The links passed and their texts, in order.
    pub links: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Case {
    /// Whether the mode has this part.
    pub fn has(&self, part: &str) -> bool {
        self.mode.split('+').any(|one| one == part)
    }
}

/// Reads the table.
pub fn walk_cases() -> Vec<Group> {
    let text = include_str!("../../data/walk.json");
    parse(text)
        .as_array()
        .expect("a list of groups")
        .iter()
        .map(group)
        .collect()
}

/// Names that are not UTF-8 stand in the table as lone surrogates, which JSON does not have: they
/// are read as private-use characters and turned back into bytes by [`bytes`].
fn parse(text: &str) -> Value {
    let text = text.replace("\\udc", "\\uf0");
    serde_json::from_str(&text).expect("the table is JSON")
}

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("a string");
    let mut bytes = Vec::new();
    for c in text.chars() {
        match u32::from(c) {
            raw @ 0xf080..=0xf0ff => bytes.push((raw & 0xff) as u8),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn group(value: &Value) -> Group {
    Group {
        name: value["group"].as_str().expect("a name").to_owned(),
        tree: value["tree"]
            .as_array()
            .expect("a tree")
            .iter()
            .map(entry)
            .collect(),
        cases: value["cases"]
            .as_array()
            .expect("cases")
            .iter()
            .map(case)
            .collect(),
    }
}

fn entry(value: &Value) -> Entry {
    let path = bytes(&value[1]);
    match value[0].as_str() {
        Some("d") => Entry::Directory(path),
        Some("f") => Entry::File(path),
        Some("l") => Entry::Link(path, bytes(&value[2])),
        Some("p") => Entry::Fifo(path),
        Some("s") => Entry::Socket(path),
        kind => panic!("no such kind of entry: {kind:?}"),
    }
}

fn case(value: &Value) -> Case {
    let links = value["links"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Case {
        id: value["id"].as_str().expect("an id").to_owned(),
        mode: value["mode"].as_str().expect("a mode").to_owned(),
        path: bytes(&value["path"]),
        walk: bytes(&value["walk"]),
        kernel: bytes(&value["kernel"]),
        links: links
            .iter()
            .map(|link| (bytes(&link[0]), bytes(&link[1])))
            .collect(),
    }
}
