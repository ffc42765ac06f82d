//! The files of this repository, without what is built or found.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold no source: build output, what fuzzing leaves, version control.
const SKIPPED: &[&str] = &["target", ".git", "artifacts", "corpus", "coverage"];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file that is text: its path from the root, and the text.
pub(crate) fn text_files() -> impl Iterator<Item = (String, String)> {
    let mut paths = Vec::new();
    collect(root(), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "there are files");
    paths.into_iter().filter_map(|path| {
        let text = String::from_utf8(fs::read(&path).unwrap()).ok()?;
        let name = path
            .strip_prefix(root())
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        Some((name, text))
    })
}

pub(crate) fn rust_files() -> impl Iterator<Item = (String, String)> {
    text_files().filter(|(path, _)| Path::new(path).extension().is_some_and(|end| end == "rs"))
}

pub(crate) fn fuzz_targets() -> Vec<String> {
    rust_files()
        .filter_map(|(path, _)| {
            let target = path
                .strip_prefix("fuzz/fuzz_targets/")?
                .strip_suffix(".rs")?;
            Some(target.to_owned())
        })
        .collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            if !SKIPPED.iter().any(|name| entry.file_name() == *name) {
                collect(&entry.path(), into);
            }
        } else if kind.is_file() {
            into.push(entry.path());
        }
    }
}
