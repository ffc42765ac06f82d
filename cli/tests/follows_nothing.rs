//! Law 2: no call that takes a path follows a symlink. It is seen from outside, by strace.

use std::process::Command;

use objcap_support::scratch::{Entry, Scratch};

#[test]
fn law_2_no_kernel_following() {
    let scratch = Scratch::new(&[
        Entry::File("a/b/f".into()),
        Entry::Link("l".into(), "a/b".into()),
        Entry::Link("a/b/g".into(), "f".into()),
    ]);
    let traced = Command::new("strace")
        .args(["-qq", "-e", "trace=%file"])
        .args([env!("CARGO_BIN_EXE_objcap"), "walk"])
        .arg(scratch.root().join("l/g"))
        .output();
    let traced = match traced {
        Ok(traced) if traced.status.success() => traced,
        other => {
            println!("law 2 NOT CHECKED: strace does not run here: {other:?}");
            return;
        }
    };
    let calls = String::from_utf8(traced.stderr).unwrap();
    // What the program's start opens, its libraries, is not ours. The walk begins with the root.
    let walk = calls
        .lines()
        .skip_while(|call| !call.contains(r#""/", O_"#));
    let named: Vec<_> = walk.collect();
    assert!(named.len() >= 6, "it passes two links:\n{calls}");
    for call in named {
        let name = call.split('(').next().unwrap();
        let safe = match name {
            "openat" => call.contains("O_NOFOLLOW"),
            "openat2" => call.contains("RESOLVE_NO_SYMLINKS"),
            "statx" => call.contains("AT_SYMLINK_NOFOLLOW"),
            // The current folder's name, which is then walked.
            "getcwd" => true,
            // It reads a link that was opened, by an empty name.
            "readlinkat" => call.contains(r#", "", "#),
            _ => false,
        };
        assert!(safe, "{call}\n{calls}");
    }
}
