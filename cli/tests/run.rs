//! `objcap run`: what it shows of a child that it does not start, and what stops it before it starts one. And
//! `objcap doctor`.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const GRANT: &str = "\
[fs]
write = ['~/app']
[exec]
allow = ['/usr/bin', '/bin']
exclude = ['/bin/ls']
";

struct Case {
    folder: TempDir,
}

impl Case {
    fn new(grant: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("grant.toml"), grant).unwrap();
        Case { folder }
    }

    fn grant(&self) -> PathBuf {
        self.folder.path().join("grant.toml")
    }

    /// `objcap run GRANT WORDS…`, with one variable in its environment.
    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
        let command = command.arg("run").arg(self.grant()).args(words);
        command.env_clear().env("KEPT", "1").output().unwrap()
    }

    /// The same on a model of a Mac, starting nothing.
    fn dry(&self, words: &[&str]) -> Output {
        self.run(&[&["--dry-run", "--host", "mac", "--chdir", "/bin"], words].concat())
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_dry_run_shows_what_would_be_executed() {
    let case = Case::new(GRANT);
    let shown = case.dry(&[
        "--env", "NEW=a b", "--unset", "KEPT", "--", "git", "log", "it's",
    ]);
    assert_eq!(code(&shown), 0, "{}", told(&shown));
    let text = said(&shown);
    let before: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        before,
        [
            "; program   /usr/bin/git",
            "; argv      git log 'it'\\''s'",
            "; folder    /bin",
            "; entry     launcher",
            "; sets      NEW=a b",
            "; unsets    KEPT",
            "; not held  descriptors that are handed on can be used as they were opened, whatever the grant says (descriptors)",
        ]
    );
}

#[test]
fn what_a_dry_run_prints_is_the_profile() {
    let case = Case::new(GRANT);
    let shown = case.dry(&["--", "git"]);
    let mut printed = Command::new(env!("CARGO_BIN_EXE_objcap"));
    let printed = printed.arg("profile").arg(case.grant());
    let printed = printed.args(["--host", "mac"]).output().unwrap();
    let parsed = objcap::sbpl::parse(&shown.stdout);
    assert!(parsed.diagnostics().is_empty());
    assert_eq!(
        parsed.profile(),
        objcap::sbpl::parse(&printed.stdout).profile()
    );
    assert!(parsed.profile().rules().len() > 20);
}

#[test]
fn a_dry_run_answers_a_machine() {
    let case = Case::new(GRANT);
    let shown = case.dry(&["--json", "--clear-env", "--env", "A=1", "--", "git", "log"]);
    let mut record: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert!(
        record["profile"]
            .take()
            .as_str()
            .unwrap()
            .starts_with("(version 1)")
    );
    assert_eq!(
        record,
        json!({
            "program": "/usr/bin/git",
            "interpreters": [],
            "argv": ["git", "log"],
            "folder": "/bin",
            "entry": "launcher",
            "set": [["A", "1"]],
            "unset": ["KEPT"],
            "limitations": [{
                "kind": "descriptors",
                "told": "descriptors that are handed on can be used as they were opened, whatever the grant says",
                "clause": null,
            }],
            "profile": null,
        })
    );
}

#[test]
fn sandbox_exec_is_shown_with_the_profile_in_place() {
    let case = Case::new(GRANT);
    let words = [
        "--sandbox-exec",
        "--accept",
        "loader-variables",
        "--",
        "git",
    ];
    let shown = said(&case.dry(&words));
    assert!(
        shown.contains("; argv      /usr/bin/sandbox-exec -p PROFILE /usr/bin/git\n"),
        "{shown}"
    );
}

/// What env(1) ends with, told the same on the same machine.
#[test]
fn what_env_cannot_run_has_the_code_that_env_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    let at = |name: &str| root.join(name).display().to_string();
    let write = |name: &str, text: &str, mode: u32| {
        fs::write(root.join(name), text).unwrap();
        fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::create_dir_all(root.join("bin/folder")).unwrap();
    write("script", "#!/bin/sh\nexit 0\n", 0o755);
    write("broken", "#!/nowhere/interpreter\n", 0o755);
    write("loop", &format!("#!{}\n", at("loop")), 0o755);
    write("bin/text", "text", 0o644);
    symlink("script", root.join("link")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    let grant = format!(
        "[fs]\nread = ['/']\n[exec]\nallow = ['{}', '/bin', '/usr/bin']\n",
        root.display()
    );
    let case = Case::new(&grant);
    let path = format!("{}:/usr/bin:/bin", at("bin"));
    let mut seen = BTreeSet::new();
    for program in [
        &at("script"),
        &at("link"),
        &at("dangling"),
        &at("broken"),
        &at("loop"),
        &at("bin/text"),
        &at("bin"),
        &at("script/below"),
        &at("nosuch"),
        "true",
        // In PATH, and no program there.
        "text",
        "folder",
        "nosuch",
        ".",
        "",
    ] {
        let env = Command::new("env")
            .arg(program)
            .env_clear()
            .env("PATH", &path)
            .output()
            .unwrap();
        let dry = Command::new(env!("CARGO_BIN_EXE_objcap"))
            .args(["run", "--dry-run", "--chdir", "/"])
            .arg(case.grant())
            .args(["--", program])
            .env_clear()
            .env("PATH", &path)
            .output()
            .unwrap();
        assert_eq!(code(&dry), code(&env), "{program}: {}", told(&dry));
        seen.insert(code(&env));
    }
    assert_eq!(seen, BTreeSet::from([0, 126, 127]));
}

#[test]
fn what_stops_it_has_the_codes_of_env() {
    let case = Case::new(GRANT);
    assert_eq!(code(&case.dry(&["--", "git"])), 0);
    let table: [(&[&str], i32, &str); 7] = [
        (&["--", "ls"], 126, "exec.exclude `/bin/ls`"),
        (&["--", "/usr/bin"], 126, "no regular file"),
        (&["--", "nosuch"], 127, "nosuch"),
        (
            &["--", "/usr/bin/nosuch"],
            127,
            "`/usr/bin/nosuch` does not exist",
        ),
        (&["--chdir", "/nosuch", "--", "git"], 125, "--chdir"),
        (&["--env", "=x", "--", "git"], 125, "NAME=VALUE"),
        (&[], 125, "<CMD>"),
    ];
    for (words, want, why) in table {
        let stopped = case.dry(words);
        assert_eq!(code(&stopped), want, "{words:?}: {}", told(&stopped));
        assert!(
            told(&stopped).contains(why),
            "{words:?}: {}",
            told(&stopped)
        );
        assert!(said(&stopped).is_empty());
    }
    let broken = Case::new("[fs]\nwirte = ['~']\n").dry(&["--", "git"]);
    assert_eq!(code(&broken), 125);
    assert!(
        told(&broken).contains("grant.toml:2:1"),
        "{}",
        told(&broken)
    );
}

#[test]
fn a_variable_holds_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let case = Case::new(GRANT);
    let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
    let command = command.arg("run").arg(case.grant()).args([
        "--dry-run",
        "--json",
        "--clear-env",
        "--host",
        "mac",
        "--chdir",
        "/bin",
        "--env",
    ]);
    let variable = OsStr::from_bytes(b"A=\xff=");
    let shown = command.arg(variable).args(["--", "git"]).output().unwrap();
    assert_eq!(code(&shown), 0, "{}", told(&shown));
    let record: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(record["set"], json!([["A", [255, 61]]]));
}

#[test]
fn a_profile_over_a_limit_starts_nothing() {
    let names = |count: usize| {
        let names: Vec<String> = (0..count)
            .map(|number| format!("'name-{number}'"))
            .collect();
        format!("[exec]\nallow = ['every']\nveto = [{}]\n", names.join(", "))
    };
    let many = Case::new(&names(1_000)).dry(&["--", "git"]);
    assert_eq!(code(&many), 0, "{}", told(&many));
    // A rule for each, and 17,000 rules are the most.
    let over = Case::new(&names(17_001)).dry(&["--", "git"]);
    assert_eq!(code(&over), 125);
    let told = told(&over);
    assert!(
        told.contains("exec.veto `name-") && told.contains("more than 17000"),
        "{told}"
    );
}

#[test]
fn a_limitation_is_accepted_by_its_name() {
    let case = Case::new("[exec]\nallow = ['/usr/bin']\nonly = { git = ['status'] }\n");
    let stopped = case.dry(&["--", "git", "status"]);
    assert_eq!(code(&stopped), 125);
    assert!(
        told(&stopped).contains("accept `arguments`"),
        "{}",
        told(&stopped)
    );
    let other = case.dry(&["--accept", "second-names", "--", "git", "status"]);
    assert_eq!(code(&other), 125);
    let accepted = case.dry(&["--accept", "arguments", "--", "git", "status"]);
    assert_eq!(code(&accepted), 0, "{}", told(&accepted));
    let unknown = case.dry(&["--accept", "everything", "--", "git", "status"]);
    assert_eq!(code(&unknown), 125);
}

#[test]
fn a_model_runs_nothing() {
    let case = Case::new(GRANT);
    assert_eq!(code(&case.dry(&["--", "git"])), 0);
    let stopped = case.run(&["--host", "mac", "--", "git"]);
    assert_eq!(code(&stopped), 125);
    assert!(told(&stopped).contains("--dry-run"), "{}", told(&stopped));
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_runs_where_nothing_confines() {
    let case = Case::new("");
    let mark = case.folder.path().join("mark");
    let words = [
        "--accept",
        "second-names",
        "--",
        "/usr/bin/touch",
        mark.to_str().unwrap(),
    ];
    let dry = case.run(&[&["--dry-run"], &words[..]].concat());
    assert_eq!(code(&dry), 0, "{}", told(&dry));
    let stopped = case.run(&words);
    assert_eq!(code(&stopped), 125);
    assert!(
        told(&stopped).contains("nothing on this system can confine"),
        "{}",
        told(&stopped)
    );
    assert!(!mark.exists());
}

#[test]
fn who_starts_the_launcher_without_orders_gets_nothing() {
    for words in [
        &["--objcap-launcher"][..],
        &["--objcap-launcher", "0"],
        &["--objcap-launcher", "77"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
        let ended = command.args(words).output().unwrap();
        assert_eq!(code(&ended), 125, "{words:?}");
        assert!(said(&ended).is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_doctor_says_what_it_tried() {
    let doctor = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_objcap"));
        command.arg("doctor").args(words).output().unwrap()
    };
    let page = doctor(&[]);
    // Nothing confines a program on Linux.
    assert_eq!(code(&page), 1);
    let text = said(&page);
    assert!(
        text.contains("yes  an excluded file is refused in this process\n     read of"),
        "{text}"
    );
    assert!(
        text.contains("no   a started program is confined by the kernel\n"),
        "{text}"
    );
    let record: Value = serde_json::from_slice(&doctor(&["--json"]).stdout).unwrap();
    let found = record.as_array().unwrap().iter();
    let can: Vec<&str> = found.map(|one| one["can"].as_str().unwrap()).collect();
    // The third is about the file's second name, which cargo gives it or not.
    assert_eq!(
        [can[0], can[1], can[3], can[4], can[5], can[6]],
        ["yes", "yes", "yes", "yes", "no", "no"]
    );
}
