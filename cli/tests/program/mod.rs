//! Starts the built program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// `objcap walk --root ROOT`.
pub(crate) fn objcap(root: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
    command.arg("walk").arg("--root").arg(root).args(flags);
    command
}

/// Runs the program with text on its stdin.
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A thread of its own: the program answers while it reads. It may end before it has read
        // everything.
        scope.spawn(move || pipe.write_all(stdin));
        child.wait_with_output().unwrap()
    })
}
