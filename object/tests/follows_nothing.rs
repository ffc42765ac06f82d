//! Law 2 for operations: no call that they make follows a symlink. It is seen from outside, by
//! strace, in a second run of this program.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and says what it could not try"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use objcap_object::{
    Current, Existing, Host, Leaf, Machine, Mode, NewMode, Object, Open, Options, Right, World as _,
};

/// Where the second run finds its tree; unset in any other.
const TREE: &str = "OBJCAP_TRACED_TREE";

#[test]
fn law_2_no_operation_follows_a_link() {
    if let Some(tree) = std::env::var_os(TREE) {
        return every_operation(Path::new(&tree));
    }
    let folder = tempfile::tempdir().unwrap();
    let tree = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir_all(tree.join("d/e")).unwrap();
    for file in ["f", "g", "d/f"] {
        fs::write(tree.join(file), "contents").unwrap();
    }
    symlink("f", tree.join("l")).unwrap();
    symlink("..", tree.join("d/out")).unwrap();
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=%file"])
        .arg(std::env::current_exe().unwrap())
        .env(TREE, &tree)
        .output();
    let traced = match traced {
        Ok(traced) if traced.status.success() => traced,
        other => {
            println!("NOT CHECKED: law 2 of operations: strace does not run here: {other:?}");
            return;
        }
    };
    let calls = String::from_utf8(traced.stderr).unwrap();
    let ours: Vec<_> = calls
        .lines()
        .skip_while(|call| !call.contains("/objcap-begin"))
        .skip(1)
        .take_while(|call| !call.contains("/objcap-end"))
        .collect();
    assert!(ours.len() > 60, "every operation was made:\n{calls}");
    for call in ours {
        let (name, _) = call.split_once('(').unwrap();
        let safe = match name.rsplit(' ').next().unwrap() {
            "openat" => call.contains("O_NOFOLLOW"),
            "openat2" => call.contains("RESOLVE_NO_SYMLINKS"),
            "statx" | "faccessat2" => call.contains("AT_SYMLINK_NOFOLLOW"),
            // It reads a link that is held, by an empty name, or one of procfs whose folder is
            // named without a link.
            "readlinkat" => call.contains(r#", "", "#) || is_own_name(call),
            "linkat" => !call.contains("AT_SYMLINK_FOLLOW"),
            // The current folder's name, which nothing is done with here.
            "getcwd" => true,
            // Of a single name these follow nothing.
            "mkdirat" | "symlinkat" | "unlinkat" | "renameat" | "renameat2" => {
                call.matches("\"/").count() == 0
            }
            _ => false,
        };
        assert!(safe, "{call}");
        assert!(!call.contains("/proc/self/fd"), "{call}");
    }
}

/// Whether it reads the text of `/proc/PID/exe` or `/proc/PID/task/TID/fd/N`.
fn is_own_name(call: &str) -> bool {
    let path = call.split('"').nth(1).unwrap();
    let names: Vec<_> = path
        .split('/')
        .map(|name| name.trim_matches(|c: char| c.is_ascii_digit()))
        .collect();
    [
        &["", "proc", "", "exe"][..],
        &["", "proc", "", "task", "", "fd", ""],
    ]
    .contains(&&names[..])
}

fn every_operation(tree: &Path) {
    let mark = |name: &str| assert!(fs::metadata(name).is_err());
    mark("/objcap-begin");
    let machine = Machine::ambient_root().unwrap();
    let walk = |name: &str| {
        let options = Options {
            leaf: Leaf::AsNamed,
            ..Options::default()
        };
        Object::walk(&machine, tree.join(name), &options).unwrap()
    };
    walk("f").open(Open::READ_WRITE.truncated()).unwrap();
    walk("d").open_dir().unwrap();
    walk("new").create_new(Mode::FILE).unwrap();
    walk("dir/").create_dir(Mode::DIRECTORY).unwrap();
    walk("link").symlink(b"f").unwrap();
    walk("f").stat().unwrap();
    walk("l").read_link().unwrap();
    assert_eq!(walk("d").read_dir().unwrap().count(), 3);
    walk("f").access(Right::Read).unwrap();
    walk("new").rename(&walk("newer"), Existing::Keep).unwrap();
    walk("newer")
        .rename(&walk("link"), Existing::Replace)
        .unwrap();
    walk("f").swap(&walk("g")).unwrap();
    walk("l").link(&walk("hard")).unwrap();
    // Whether the volume can is another test's question.
    let _ = walk("f").clone_to(&walk("clone"));
    walk("f").replace(b"new", NewMode::Kept).unwrap();
    let kept = machine.keep(&walk("f")).unwrap();
    let found = machine.whereabouts(&kept).unwrap();
    assert_eq!(found.as_ref(), Some(walk("f").real()));
    assert_eq!(machine.head(&walk("f")).unwrap(), b"new");
    machine.is_changeable(&walk("f")).unwrap();
    machine.is_runnable(&walk("f")).unwrap();
    assert!(Host::ambient().unwrap().executable.is_some());
    let f = walk("f");
    assert_eq!(f.is_current(&machine).unwrap(), Current::Same);
    f.remove().unwrap();
    walk("hard").remove().unwrap();
    walk("d").remove_all().unwrap();
    mark("/objcap-end");
}
