//! A plan to confine: what it cannot hold and who accepts that, the child that it prepares, and every input that
//! is refused before anything is started. Not the entry itself, which no test here can see.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use objcap_capability::{Grant, Stack};
use objcap_object::{Host, Memory, World};
use objcap_sandbox::{
    Consent, Entry, LaunchError, LaunchErrorKind, LimitationKind, Prepared, Sandbox,
};

fn stack<W: World>(grant: &str, host: &Host<W>) -> Stack<W> {
    let grant = Grant::parse("grant.toml", grant.as_bytes(), &host.vars).unwrap();
    Stack::freeze(&[grant], host).unwrap()
}

/// A Mac whose current folder is the home, with a script whose interpreter is missing.
fn mac() -> Host<Memory> {
    let mut mac = Host::stock_mac();
    mac.tree.file("/Users/me/broken");
    mac.tree
        .write("/Users/me/broken", "#!/nowhere/interpreter\n");
    mac
}

const GRANT: &str = "[fs]\nwrite = ['~']\n[exec]\nallow = ['/usr/bin', '/bin', '~/broken']\nexclude = ['/bin/ls']\n";

fn kinds<W: World>(plan: &Sandbox<'_, W>) -> Vec<&'static str> {
    plan.limitations()
        .iter()
        .map(|one| one.kind().name())
        .collect()
}

/// A prepared child, or why there is none.
fn prepared(
    program: &str,
    change: impl FnOnce(objcap_sandbox::Command<'_, Memory>) -> objcap_sandbox::Command<'_, Memory>,
) -> Result<Prepared<<Memory as objcap_object::Tree>::Dir>, LaunchError> {
    let mac = mac();
    let stack = stack(GRANT, &mac);
    let plan = Sandbox::new(&stack, &mac).unwrap();
    change(plan.command(program)).prepare()
}

fn refused(
    program: &str,
    change: impl FnOnce(objcap_sandbox::Command<'_, Memory>) -> objcap_sandbox::Command<'_, Memory>,
) -> (LaunchErrorKind, String) {
    assert!(prepared("git", |command| command.arg("status")).is_ok());
    let error = prepared(program, change).unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn a_child_is_prepared_with_what_it_was_given_and_nothing_else() {
    let child = prepared("git", |command| {
        command
            .args(["status", "--short"])
            .env("B", "2")
            .env("A", "1")
            .current_dir("/Users/ME")
    });
    let child = child.unwrap();
    assert_eq!(child.program().as_bytes(), b"/usr/bin/git");
    assert_eq!(child.executed(), Path::new("/usr/bin/git"));
    assert_eq!(child.argv(), ["git", "status", "--short"]);
    let environment: Vec<_> = child.environment().iter().collect();
    let text = |text: &str| OsString::from(text);
    assert_eq!(
        environment,
        [(&text("A"), &text("1")), (&text("B"), &text("2"))]
    );
    assert_eq!(child.folder().as_bytes(), b"/Users/me");
}

#[test]
fn sandbox_exec_is_handed_the_profile_as_an_argument() {
    let mac = mac();
    let stack = stack(GRANT, &mac);
    let plan = Sandbox::new(&stack, &mac).unwrap().by(Entry::SandboxExec);
    assert_eq!(
        kinds(&plan),
        ["deputies", "descriptors", "loader-variables"]
    );
    assert_eq!(
        plan.command("git").prepare().unwrap_err().kind(),
        LaunchErrorKind::Unaccepted
    );
    let plan = plan.accept(LimitationKind::LoaderVariables);
    let child = plan.command("git").arg("status").prepare().unwrap();
    assert_eq!(child.executed(), Path::new("/usr/bin/sandbox-exec"));
    let text = plan.profile().text();
    let argv = [
        "/usr/bin/sandbox-exec",
        "-p",
        text,
        "/usr/bin/git",
        "status",
    ];
    assert_eq!(child.argv(), argv);
    assert_eq!(
        kinds(&plan.by(Entry::Launcher)),
        ["deputies", "descriptors"]
    );
}

#[test]
fn nothing_is_prepared_while_a_limitation_is_not_accepted() {
    let mac = mac();
    let bound = stack(
        "[exec]\nallow = ['/usr/bin']\nonly = { git = ['status'] }\n",
        &mac,
    );
    let plan = Sandbox::new(&bound, &mac).unwrap();
    assert_eq!(kinds(&plan), ["arguments", "descriptors"]);
    let error = plan.command("git").arg("status").prepare().unwrap_err();
    assert_eq!(error.kind(), LaunchErrorKind::Unaccepted);
    assert_eq!(
        error.to_string(),
        "exec.only `git` (grant.toml:3:10): the kernel does not see arguments: they bind the program that is started, and nothing that it starts; to run all the same, accept `arguments`"
    );
    // To accept another one changes nothing.
    let plan = plan.accept(LimitationKind::SecondNames);
    assert!(plan.command("git").arg("status").prepare().is_err());
    let plan = plan.accept(LimitationKind::Arguments);
    assert!(plan.command("git").arg("status").prepare().is_ok());
    let refused = plan.command("git").arg("push").prepare().unwrap_err();
    assert_eq!(refused.kind(), LaunchErrorKind::Refused);
}

#[test]
fn a_second_name_of_an_excluded_file_is_a_limitation() {
    let mut mac = mac();
    mac.tree.file("/Users/me/secret");
    let text = "[fs]\nread = ['~']\nexclude = ['~/secret']\n";
    let one = stack(text, &mac);
    assert_eq!(kinds(&Sandbox::new(&one, &mac).unwrap()), ["descriptors"]);
    assert!(mac.tree.link_hard("/Users/me/secret", "/Users/me/also"));
    let two = stack(text, &mac);
    let plan = Sandbox::new(&two, &mac).unwrap();
    assert_eq!(kinds(&plan), ["second-names", "descriptors"]);
    let [second, _] = plan.limitations() else {
        panic!("there are two");
    };
    assert_eq!(second.kind().consent(), Consent::Needed);
    assert_eq!(second.at().unwrap().as_bytes(), b"/Users/me/secret");
    assert_eq!(second.clause().unwrap().origin().line(), Some(3));
    // Where nothing is read, nothing is reached by the other name.
    let nothing = stack("[fs]\nexclude = ['~/secret']\n", &mac);
    let plan = Sandbox::new(&nothing, &mac).unwrap();
    assert_eq!(
        kinds(&plan),
        ["second-names", "descriptors"],
        "the floor is read"
    );
}

#[test]
fn a_second_name_of_an_excluded_program_is_a_limitation_where_programs_run() {
    let mut mac = mac();
    let text = "[exec]\nallow = ['/usr/bin']\nexclude = ['/usr/bin/git']\n";
    let one = stack(text, &mac);
    assert_eq!(kinds(&Sandbox::new(&one, &mac).unwrap()), ["descriptors"]);
    assert!(mac.tree.link_hard("/usr/bin/git", "/usr/bin/also"));
    let two = stack(text, &mac);
    let plan = Sandbox::new(&two, &mac).unwrap();
    assert_eq!(kinds(&plan), ["second-names", "descriptors"]);
    assert_eq!(
        plan.limitations()[0].at().unwrap().as_bytes(),
        b"/usr/bin/git"
    );
    let plan = plan.accept(LimitationKind::SecondNames);
    // The guard does not run it by that name either, and the kernel would.
    let refused = plan.command("/usr/bin/also").prepare().unwrap_err();
    assert_eq!(refused.kind(), LaunchErrorKind::Refused, "{refused}");
}

#[test]
fn a_second_name_of_the_own_executable_is_one_where_something_is_written() {
    let mut mac = mac();
    let own = mac.executable.clone().unwrap();
    let text = "[fs]\nwrite = ['~']\n";
    let one = stack(text, &mac);
    assert_eq!(kinds(&Sandbox::new(&one, &mac).unwrap()), ["descriptors"]);
    assert!(mac.tree.link_hard(own.to_str().unwrap(), "/Users/me/copy"));
    let two = stack(text, &mac);
    let plan = Sandbox::new(&two, &mac).unwrap();
    assert_eq!(kinds(&plan), ["second-names", "descriptors"]);
    // Nothing but devices is written: no file is, by whatever name.
    for text in ["[fs]\nread = ['~']\n", "[fs]\n"] {
        let read = stack(text, &mac);
        assert_eq!(kinds(&Sandbox::new(&read, &mac).unwrap()), ["descriptors"]);
    }
}

#[test]
fn a_folder_that_is_written_and_run_is_told_and_need_not_be_accepted() {
    let mut mac = mac();
    mac.tree.directory("/Users/me/tools");
    let stack = stack(
        "[fs]\nwrite = ['~']\n[exec]\nallow = ['~/tools', '/usr/bin']\n",
        &mac,
    );
    let plan = Sandbox::new(&stack, &mac).unwrap();
    assert_eq!(kinds(&plan), ["deputies", "descriptors"]);
    assert!(plan.command("git").prepare().is_ok());
}

#[test]
fn every_limitation_has_a_name_of_its_own() {
    let mut names: Vec<_> = LimitationKind::ALL.iter().map(|kind| kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), LimitationKind::ALL.len());
}

#[test]
fn a_program_that_is_refused_or_missing_is_told() {
    let (kind, told) = refused("ls", |command| command);
    assert_eq!(kind, LaunchErrorKind::Refused);
    assert!(
        told.contains("exec.exclude `/bin/ls` (grant.toml:5:12)"),
        "{told}"
    );
    for absent in ["nosuch", "/usr/bin/nosuch", "/nosuch/folder/program"] {
        let (kind, told) = refused(absent, |command| command);
        assert_eq!(kind, LaunchErrorKind::NotFound, "{told}");
        assert!(told.contains("nosuch"), "{told}");
    }
    let (kind, told) = refused("/usr/bin", |command| command);
    assert_eq!(kind, LaunchErrorKind::Refused, "{told}");
}

#[test]
fn a_relative_program_begins_where_the_child_does() {
    for (folder, program, real) in [
        ("/bin", "./sh", "/bin/sh"),
        ("/usr", "bin/git", "/usr/bin/git"),
        ("/usr", "../bin/sh", "/bin/sh"),
        // A name without a slash is looked for in PATH, and a whole path is whole.
        ("/bin", "git", "/usr/bin/git"),
        ("/bin", "/usr/bin/git", "/usr/bin/git"),
    ] {
        let child = prepared(program, |command| command.arg("x").current_dir(folder)).unwrap();
        assert_eq!(child.program().to_string(), real, "{program} in {folder}");
        assert_eq!(child.argv(), [program, "x"]);
        let elsewhere = prepared(program, |command| command.current_dir("/Users/me"));
        let is_relative = program.contains('/') && !program.starts_with('/');
        assert_eq!(elsewhere.is_err(), is_relative, "{program}");
    }
    // Where no folder is given, the child's is the host's.
    let (kind, told) = refused("./broken", |command| command);
    assert_eq!(kind, LaunchErrorKind::NotFound);
    assert!(told.contains("`/Users/me/broken`"), "{told}");
}

#[test]
fn a_missing_interpreter_is_told() {
    let (kind, told) = refused("/Users/me/broken", |command| command);
    assert_eq!(kind, LaunchErrorKind::NotFound);
    assert_eq!(
        told,
        "it does not run: `/Users/me/broken` cannot be run: its interpreter: `/nowhere/interpreter` does not exist"
    );
}

#[test]
fn a_grant_that_admits_no_program_runs_none() {
    assert!(prepared("git", |command| command).is_ok());
    let mac = mac();
    let stack = stack("[exec]\n", &mac);
    let plan = Sandbox::new(&stack, &mac).unwrap();
    let error = plan.command("git").prepare().unwrap_err();
    assert_eq!(error.kind(), LaunchErrorKind::Refused);
    assert!(
        error.source().is_some(),
        "the guard's refusal is its source"
    );
}

#[test]
fn a_nul_and_a_variable_without_a_name_are_no_input() {
    for nul in ["\0", "a\0b"] {
        let (kind, told) = refused("git", |command| command.arg(nul));
        assert_eq!(kind, LaunchErrorKind::Invalid);
        assert!(told.contains("argument") && told.contains("NUL"), "{told}");
        let (kind, _) = refused(nul, |command| command);
        assert_eq!(kind, LaunchErrorKind::Invalid);
        let (kind, _) = refused("git", |command| command.env("A", nul));
        assert_eq!(kind, LaunchErrorKind::Invalid);
        let (kind, _) = refused("git", |command| command.env(nul, "1"));
        assert_eq!(kind, LaunchErrorKind::Invalid);
    }
    for name in ["", "A=B", "="] {
        let (kind, _) = refused("git", |command| command.env(name, "1"));
        assert_eq!(kind, LaunchErrorKind::Invalid, "{name}");
    }
}

#[test]
fn more_than_the_system_takes_is_told() {
    let most = "x".repeat(1_000_000);
    assert!(prepared("git", |command| command.arg(&most)).is_ok());
    let (kind, told) = refused("git", |command| command.arg(&most).env("A", &most));
    assert_eq!(kind, LaunchErrorKind::TooLong, "{told}");
    let many = vec!["x"; 110_000];
    let (kind, _) = refused("git", |command| command.args(&many));
    assert_eq!(kind, LaunchErrorKind::TooLong);
}

#[test]
fn a_folder_that_is_none_or_may_not_be_looked_at_is_told() {
    assert!(prepared("git", |command| command.current_dir("/Users/me")).is_ok());
    let told = |folder: &str| refused("git", |command| command.current_dir(folder));
    for (folder, why) in [
        ("/Users/me/nosuch", "nothing stands there"),
        ("/Users/me/broken", "it is no folder"),
        ("/Users/you/private", "no clause allows it"),
        ("/Users/me/broken/below", "cannot be entered"),
    ] {
        let (kind, told) = told(folder);
        assert_eq!(kind, LaunchErrorKind::Folder, "{told}");
        assert!(told.contains(why), "{told}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_backend_nothing_runs() {
    let host = Host::ambient().unwrap();
    let stack = Stack::freeze(&[], &host).unwrap();
    let plan = Sandbox::new(&stack, &host).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    for entry in [Entry::Launcher, Entry::SandboxExec] {
        let plan = Sandbox::new(&stack, &host)
            .unwrap()
            .by(entry)
            .accept(LimitationKind::LoaderVariables)
            .accept(LimitationKind::SecondNames);
        let command = || plan.command("/usr/bin/touch").arg(&mark);
        let argv = command().prepare().unwrap();
        assert_eq!(argv.argv().last().unwrap(), mark.as_os_str());
        assert_eq!(
            command().spawn().unwrap_err().kind(),
            LaunchErrorKind::NoBackend
        );
        assert_eq!(
            command().status().unwrap_err().kind(),
            LaunchErrorKind::NoBackend
        );
        assert_eq!(
            command().output().unwrap_err().kind(),
            LaunchErrorKind::NoBackend
        );
    }
    assert_eq!(plan.enter().unwrap_err().kind(), LaunchErrorKind::NoBackend);
    assert!(!mark.exists());
}

#[test]
fn a_folder_that_is_not_found_is_told_so_that_no_terminal_obeys() {
    let mac = mac();
    let stack = stack("", &mac);
    let plan = Sandbox::new(&stack, &mac).unwrap();
    let of = |folder: &str| plan.command("git").current_dir(folder).prepare();
    assert!(of("/bin").is_ok());
    let error = of("/bin/ls/\u{1b}[2J").unwrap_err();
    assert_eq!(error.kind(), LaunchErrorKind::Folder);
    let told = error.to_string();
    assert!(
        told.contains("\\u{1b}[2J") && !told.contains('\u{1b}'),
        "{told:?}"
    );
}
