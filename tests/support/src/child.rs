//! A test once more in a process of its own: as another user, with a lower limit, under a filter, or
//! among mounts that nobody else sees.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// What tells a child its folder.
const FOLDER: &str = "OBJCAP_TEST_CHILD";

/// A user who owns nothing here, and is not root.
pub const NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

/// The folder that the parent made, when this process is a child.
pub fn folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// Whether this process may become another user and mount what it likes.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs test `name` of this program once more, started by the command `under` (which may be empty)
/// and told of `folder`. It must pass there.
///
/// When the command cannot do its own part, that is said aloud, and the answer is `false`: the
/// child, when it runs, says so by a line of its own.
pub fn again(name: &str, under: &[OsString], folder: &std::path::Path) -> bool {
    // Where the program stands, another user may not be able to go.
    let place = tempfile::tempdir().expect("a folder");
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
    let program = place.path().join("test");
    fs::copy(env::current_exe().expect("this program"), &program).expect("a copy");
    let mut words = under.to_vec();
    words.push(program.into());
    let (first, arguments) = words.split_first().expect("at least the program");
    let ran = Command::new(first)
        .args(arguments)
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .output();
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return not_checked(name, &format!("{first:?}: {error}")),
    };
    let stdout = String::from_utf8_lossy(&ran.stdout);
    let stderr = String::from_utf8_lossy(&ran.stderr);
    if !stdout.contains("running 1 test") {
        return not_checked(name, &format!("{under:?} starts nothing: {stdout}{stderr}"));
    }
    assert!(
        ran.status.success() && stdout.contains("1 passed"),
        "{name} under {under:?}: {stdout}{stderr}"
    );
    true
}

/// Says aloud that a check could not run, and is `false`.
pub fn not_checked(what: &str, why: &str) -> bool {
    use std::io::Write as _;
    // Past the capture of the test harness, which hides what a passing test prints.
    let _ = writeln!(std::io::stderr(), "NOT CHECKED: {what}: {why}");
    false
}

/// The words of a command.
pub fn words(parts: &[&str]) -> Vec<OsString> {
    parts.iter().map(OsString::from).collect()
}

/// A command that first runs `script` among mounts of its own, with `folder` as `$0`.
pub fn privately(script: &str, folder: &std::path::Path) -> Vec<OsString> {
    let script = format!("set -e; {script}; exec \"$@\"");
    let mut words = words(&[
        "unshare",
        "--mount",
        "--propagation=private",
        "sh",
        "-c",
        &script,
    ]);
    words.push(folder.into());
    words
}
