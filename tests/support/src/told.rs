//! A walk's answer in a few words, for tables written by hand. The record is not told.

use std::path::Path;

use objcap_object::{Error, Machine, Options, Tree, path};
use objcap_walk::{Walked, walk};

/// Walks from the root of a tree: `directory /a`, `absent /a/x`, `absent /a/x + y/z`, or
/// `not-a-directory at /a/f`.
pub fn told<T: Tree>(tree: &T, asked: impl AsRef<[u8]>, options: &Options) -> String {
    answer(&walk(tree, asked.as_ref(), options))
}

/// The same of a walk that was taken.
pub fn answer<D>(walked: &Result<Walked<D>, Error>) -> String {
    match walked {
        Ok(walked) => {
            let tail: Vec<_> = walked
                .tail()
                .map(|name| path::display(name).to_string())
                .collect();
            let real = path::display(walked.real());
            match (walked.kind(), &tail[..]) {
                (Some(kind), _) => format!("{kind} {real}"),
                (None, []) => format!("absent {real}"),
                (None, tail) => format!("absent {real} + {}", tail.join("/")),
            }
        }
        Err(error) => {
            let at = path::display(error.at()).to_string();
            let at = if at.is_empty() { "no name" } else { &at };
            format!("{} at {at}", error.kind().name())
        }
    }
}

/// The two ways of walking in a folder that is the root: by whole runs, and name by name. `root`
/// must be a real path.
pub fn machines_at(root: &Path) -> [Machine; 2] {
    let machine = || {
        let all = Machine::ambient_root().expect("a root");
        let names = root.as_os_str().as_encoded_bytes();
        let dir = match path::components(names).next() {
            Some(_) => all.run(all.root(), path::trim_start(names)).dir,
            None => all.share(all.root()).ok(),
        };
        Machine::at(dir.expect("a real path of a folder"))
    };
    [machine(), machine().stepwise()]
}

/// Asks each row on each tree and shows every answer that differs.
pub fn all<T: Tree>(trees: &[T], rows: &[(&str, &str)], options: &Options) {
    let mut wrong = Vec::new();
    for (nth, tree) in trees.iter().enumerate() {
        for (asked, want) in rows {
            let got = told(tree, asked, options);
            if got != *want {
                wrong.push(format!("tree {nth}, `{asked}`: {got}\n    not {want}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
