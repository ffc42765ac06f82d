//! What is run: found as execvp(3) finds it, judged as the file that executes, and vetoed by every name
//! that it was reached by.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use objcap_capability::{Access, Act, Grant, GrantBuilder, Guard, GuardError, Runnable, Stack};
use objcap_object::{Host, Memory};

use crate::frozen;

type Ran = Result<Runnable<objcap_object_place::Place>, GuardError>;

mod objcap_object_place {
    /// A handle of a tree in memory.
    pub(super) type Place = <objcap_object::Memory as objcap_object::Tree>::Dir;
}

fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    tree.write("/opt/bin/tool", "\u{7f}ELF");
    tree.link("/opt/bin/alias", "tool");
    tree.link("/opt/bin/curl", "fetch");
    tree.write("/opt/bin/fetch", "\u{7f}ELF");
    tree.write("/opt/bin/script", "#!/opt/bin/tool -x\n");
    tree.write("/opt/bin/deep", "#!/opt/bin/script\n");
    tree.write("/opt/bin/relative", "#!bin/sh\n");
    tree.write("/opt/bin/loop", "#!/opt/bin/loop\n");
    tree.write("/opt/bin/broken", "#!\n");
    tree.write("/opt/bin/curl-script", "#!/usr/bin/curl\n");
    tree.write("/opt/bin/git-script", "#!/usr/bin/git\n");
    tree.write("/opt/bin/data", "text");
    assert!(tree.forbid_running("/opt/bin/data"));
    tree.directory("/first/tool");
    tree.write("/second/tool", "text");
    assert!(tree.forbid_running("/second/tool"));
    host.search = [
        "/first", "rel", "", "/second", "/opt/bin", "/usr/bin", "/bin",
    ]
    .map(Into::into)
    .to_vec();
    host.vars.cwd = Some("/opt".into());
    host
}

fn all() -> GrantBuilder {
    Grant::builder()
        .read("/opt")
        .read("/first")
        .read("/second")
        .allow("/opt/bin")
        .allow("/usr/bin")
        .allow("/bin")
}

fn run(stack: &Stack<Memory>, host: &Host<Memory>, program: &str, argv: &[&str]) -> Ran {
    Guard::new(host, stack).exec(program, argv)
}

/// Why it is not run.
#[track_caller]
fn told(ran: Ran) -> String {
    ran.unwrap_err().to_string()
}

#[test]
fn a_bare_name_is_the_first_file_of_path_that_the_system_runs() {
    let host = world();
    let stack = frozen(&[all()], &host);
    let ran = run(&stack, &host, "tool", &["-a", "b"]).unwrap();
    assert_eq!(ran.real().to_string(), "/opt/bin/tool");
    assert_eq!(ran.argv(), ["tool", "-a", "b"]);
    assert!(ran.interpreters().is_empty());
    assert_eq!(
        told(run(&stack, &host, "none", &[])),
        "no folder of PATH has a program `none`"
    );
    assert_eq!(
        told(run(&stack, &host, "", &[])),
        "no folder of PATH has a program ``"
    );
}

#[test]
fn the_callers_spelling_is_the_first_argument_and_the_file_is_the_real_one() {
    let host = world();
    let stack = frozen(&[all()], &host);
    let table = [
        ("/opt/bin/alias", "/opt/bin/tool"),
        ("bin/tool", "/opt/bin/tool"),
        ("./bin/../bin/alias", "/opt/bin/tool"),
        ("/OPT/bin/Tool", "/opt/bin/tool"),
        ("alias", "/opt/bin/tool"),
    ];
    for (program, real) in table {
        let ran = run(&stack, &host, program, &[]).unwrap();
        assert_eq!(
            (ran.real().to_string().as_str(), ran.argv()),
            (real, &[program.into()][..])
        );
    }
    // An argument that is not UTF-8 is handed on as it is.
    let raw = OsString::from_vec(b"\xff".to_vec());
    let ran = Guard::new(&host, &stack)
        .exec("tool", std::slice::from_ref(&raw))
        .unwrap();
    assert_eq!(ran.argv()[1], raw);
}

#[test]
fn a_script_needs_every_interpreter_on_its_way() {
    let host = world();
    let stack = frozen(&[all()], &host);
    let ran = run(&stack, &host, "script", &["arg"]).unwrap();
    let interpreters: Vec<_> = ran.interpreters().iter().map(ToString::to_string).collect();
    assert_eq!(
        (ran.real().to_string().as_str(), &*interpreters),
        ("/opt/bin/script", &["/opt/bin/tool".to_owned()][..])
    );
    let ran = run(&stack, &host, "deep", &[]).unwrap();
    let interpreters: Vec<_> = ran.interpreters().iter().map(ToString::to_string).collect();
    assert_eq!(interpreters, ["/opt/bin/script", "/opt/bin/tool"]);

    let table = [
        ("relative", "its interpreter `bin/sh` is relative"),
        ("loop", "its interpreters are scripts, more than 4 in a row"),
        ("broken", "its first line names no interpreter"),
        ("/opt/bin/data", "it is not executable"),
        ("/opt/bin", "it is no regular file"),
        ("/opt/bin/absent", "`/opt/bin/absent` does not exist"),
    ];
    for (program, why) in table {
        let told = told(run(&stack, &host, program, &[]));
        assert!(told.contains(why), "{program}: {told}");
    }
    // The interpreter of the interpreter is excluded.
    let stack = frozen(&[all().exec_exclude("/opt/bin/tool")], &host);
    assert!(run(&stack, &host, "fetch", &[]).is_ok());
    for script in ["tool", "script", "deep"] {
        let told = told(run(&stack, &host, script, &[]));
        assert!(
            told.contains("exec.exclude `/opt/bin/tool` excludes it"),
            "{told}"
        );
    }
}

#[test]
fn a_veto_is_of_every_name_that_leads_to_the_file() {
    let host = world();
    let stack = frozen(&[all().veto("curl")], &host);
    assert!(run(&stack, &host, "tool", &[]).is_ok());
    for program in [
        "curl",          // by the name asked for, a link of PATH
        "/usr/bin/curl", // by the real name
        "/usr/bin/CURL", // under another spelling
        "fetch",         // what the vetoed link reaches
        "/opt/bin/fetch",
        "curl-script", // as an interpreter
    ] {
        let told = told(run(&stack, &host, program, &[]));
        assert!(told.contains("exec.veto `curl`"), "{program}: {told}");
    }
    // A veto of a link's name, and of another link to the same file: the name asked for, the links passed.
    let stack = frozen(&[all().veto("alias")], &host);
    assert!(
        run(&stack, &host, "script", &[]).is_err(),
        "its interpreter is what the vetoed link reaches"
    );
    assert!(run(&stack, &host, "tool", &[]).is_err());
    assert!(run(&stack, &host, "fetch", &[]).is_ok());
}

#[test]
fn a_veto_holds_for_whoever_asks_about_the_file_alone() {
    let host = world();
    let stack = frozen(&[all().veto("curl")], &host);
    let guard = Guard::new(&host, &stack);
    let may = |path: &str| guard.judge(path, Access::EXEC).unwrap().is_admitted();
    assert!(may("/opt/bin/tool"));
    for path in [
        "/usr/bin/curl",
        "/usr/bin/CURL",
        "/opt/bin/fetch",
        "/opt/bin/curl",
    ] {
        assert!(!may(path), "{path}");
        let judged = guard.judge_act(Act::Exec, &[path]).unwrap();
        assert!(!judged[0].is_admitted(), "{path}");
        assert!(guard.judge(path, Access::READ).unwrap().is_admitted());
    }
}

#[test]
fn a_veto_is_of_a_copy_too_and_hides_no_reading() {
    let mut host = world();
    host.tree.write("/opt/copies/curl", "\u{7f}ELF");
    let stack = frozen(&[all().allow("/opt/copies").veto("curl")], &host);
    assert!(run(&stack, &host, "tool", &[]).is_ok());
    assert!(run(&stack, &host, "/opt/copies/curl", &[]).is_err());
    let guard = Guard::new(&host, &stack);
    let read = guard.judge("/opt/copies/curl", Access::READ);
    assert!(read.unwrap().is_admitted());
}

#[test]
fn only_some_first_arguments() {
    let host = world();
    let grant = all()
        .only("git", ["status", "diff"])
        .only("/opt/bin/tool", ["go"]);
    let stack = frozen(&[grant], &host);
    assert!(run(&stack, &host, "git", &["status", "-s"]).is_ok());
    assert!(run(&stack, &host, "/usr/bin/git", &["diff"]).is_ok());
    assert!(run(&stack, &host, "alias", &["go"]).is_ok());
    let table: &[(&str, &[&str])] = &[
        ("git", &["push"]),
        ("git", &[]),
        ("git", &["-C", "status"]),
        ("/usr/bin/GIT", &["push"]),
        ("/usr/bin/git", &["push"]),
        ("alias", &["stop"]),
        // As an interpreter, git's first argument is the script.
        ("git-script", &["status"]),
        ("script", &["go"]),
    ];
    for (program, argv) in table {
        let told = told(run(&stack, &host, program, argv));
        assert!(told.contains("exec.only"), "{program} {argv:?}: {told}");
    }
    // It speaks for nothing by itself.
    let grant = Grant::builder()
        .read("/opt")
        .only("git", ["status"])
        .allow("/opt/bin");
    let stack = frozen(&[grant], &host);
    assert!(run(&stack, &host, "fetch", &[]).is_ok());
    assert!(run(&stack, &host, "git", &["status"]).is_err());
}

#[test]
fn what_may_not_be_read_is_not_run_and_a_layer_without_files_asks_nothing() {
    let host = world();
    let unread = Grant::builder().fs().allow("every");
    let stack = frozen(&[unread], &host);
    assert!(
        run(&stack, &host, "git", &["x"]).is_ok(),
        "the floor is read"
    );
    assert!(run(&stack, &host, "/opt/bin/tool", &[]).is_err());
    let stack = frozen(&[Grant::builder().allow("every")], &host);
    assert!(run(&stack, &host, "/opt/bin/tool", &[]).is_ok());
    let beside = [Grant::builder().allow("every"), Grant::builder().read("/w")];
    let stack = frozen(&beside, &host);
    assert!(run(&stack, &host, "git", &[]).is_ok());
    assert!(run(&stack, &host, "/opt/bin/tool", &[]).is_err());
    // An empty table runs nothing.
    let stack = frozen(&[Grant::builder().exec()], &host);
    assert!(run(&stack, &host, "git", &[]).is_err());
    assert!(run(&frozen(&[Grant::builder()], &host), &host, "git", &[]).is_ok());
}

#[test]
fn an_excluded_program_is_known_under_its_second_name() {
    let mut host = world();
    assert!(host.tree.link_hard("/usr/bin/osascript", "/opt/bin/second"));
    assert!(host.tree.link_hard("/usr/bin/git", "/opt/bin/vcs"));
    let grant = all().exec_exclude("/usr/bin/osascript");
    let stack = frozen(&[grant], &host);
    assert!(
        run(&stack, &host, "vcs", &[]).is_ok(),
        "two names, neither excluded"
    );
    let told = told(run(&stack, &host, "second", &[]));
    assert!(
        told.contains("it is another name of what it excludes"),
        "{told}"
    );
}
