//! Launchers that are started for real, and enter a profile that a scripted system takes or refuses. The launcher
//! is this test program once more, told by name to run one of the ignored tests below.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Stdio;

use objcap_capability::Stack;
use objcap_object::Host;

use super::*;
use crate::enter::entry::Denied;
use crate::enter::entry::tests::Scripted;
use crate::enter::inherited::Session;
use crate::enter::plan::Sandbox;

/// Serves as a launcher, the last argument being the number of the descriptor that the orders come through.
fn serve(system: Scripted) {
    let number = env::args().next_back().unwrap().parse().unwrap();
    launcher::serve(
        sys::adopt(number).unwrap(),
        Some(Box::leak(Box::new(system))),
    );
}

fn denied() -> Denied {
    Denied {
        error: io::Error::from_raw_os_error(22),
        message: Some("line 1: no".to_owned()),
    }
}

#[test]
#[ignore = "the launcher of the tests below"]
fn a_launcher() {
    serve(Scripted::new(|| Ok(true)));
}

#[test]
#[ignore = "the launcher of the tests below"]
fn a_launcher_that_is_confined() {
    serve(Scripted::confined(|| Ok(true)));
}

#[test]
#[ignore = "the launcher of the tests below"]
fn a_launcher_whose_profile_is_not_taken() {
    serve(Scripted::new(|| Err(denied())));
}

fn launcher_of(test: &str) -> Launcher {
    let name = format!("enter::launch::tests::{test}");
    let arguments = ["--exact", "--ignored", "--nocapture", &name];
    Launcher {
        program: env::current_exe().unwrap(),
        arguments: arguments.map(Into::into).to_vec(),
    }
}

/// Starts a shell's script by a launcher, and waits for its end.
fn run_by(
    launcher: &Launcher,
    script: &str,
    change: impl FnOnce(Command<'_, Machine>) -> Command<'_, Machine>,
) -> Result<process::ExitStatus, LaunchError> {
    let host = Host::ambient().unwrap();
    let stack = Stack::freeze(&[], &host).unwrap();
    let plan = Sandbox::new(&stack, &host).unwrap();
    let command = plan.command("/bin/sh").args(["-c", script, "sh"]);
    // What a harness says goes to the same place as what the child says.
    let command = change(command.stdout(Stdio::null()));
    let prepared = command.prepare().unwrap();
    let text = plan.profile().text();
    let mut child = launch(launcher, &prepared, text, command.inherited)?;
    Ok(child.wait().unwrap())
}

fn run(
    script: &str,
    change: impl FnOnce(Command<'_, Machine>) -> Command<'_, Machine>,
) -> process::ExitStatus {
    run_by(&launcher_of("a_launcher"), script, change).unwrap()
}

#[test]
fn a_child_has_the_arguments_environment_and_folder_that_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(folder.path()).unwrap();
    let script =
        "printf '%s|' \"$0\" \"$@\" > said; env | sort | grep -v ^_= >> said; pwd -P >> said";
    let status = run(script, |command| {
        command
            .args(["a b", "", "é\n"])
            .env("ONE", "1=1")
            .env("GONE", "x")
            .env_remove("GONE")
            .current_dir(&real)
    });
    assert!(status.success());
    let said = fs::read_to_string(real.join("said")).unwrap();
    let shown = real.display();
    // PWD is the shell's own.
    assert_eq!(said, format!("sh|a b||é\n|ONE=1=1\nPWD={shown}\n{shown}\n"));
}

#[test]
fn a_child_has_no_descriptor_but_those_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let opened = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, name).unwrap();
        File::open(path).unwrap()
    };
    let (kept, stray) = (opened("handed on"), opened("left open"));
    let number = kept.as_raw_fd();
    // What a careless library leaves open: `dup` sets no flag.
    let _stray = rustix::io::dup(&stray).unwrap();
    let script = format!("cat /proc/self/fd/{number} > text; ls -l /proc/self/fd > descriptors");
    let status = run(&script, |command| {
        command
            .current_dir(folder.path())
            .keep(kept)
            .env("PATH", "/usr/bin:/bin")
    });
    assert!(status.success());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("text"), "handed on");
    let listed = read("descriptors");
    assert!(listed.contains("/handed on"), "{listed}");
    assert!(!listed.contains("/left open"), "{listed}");
}

/// The process and the session that a line of `/proc/PID/stat` tells (proc_pid_stat(5)). A session whose leader is
/// outside of the PID namespace, as where a container was entered, is 0 there.
fn process_and_session(stat: &str) -> (i32, i32) {
    let (process, _) = stat.split_once(' ').unwrap();
    // The second field, in parentheses, may hold anything.
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    let session = rest.split(' ').nth(3).unwrap();
    (process.parse().unwrap(), session.parse().unwrap())
}

fn session_of(change: impl FnOnce(Command<'_, Machine>) -> Command<'_, Machine>) -> (i32, i32) {
    let folder = tempfile::tempdir().unwrap();
    let script = "read -r line < /proc/$$/stat; echo \"$line\" > stat";
    assert!(run(script, |command| change(command.current_dir(folder.path()))).success());
    process_and_session(&fs::read_to_string(folder.path().join("stat")).unwrap())
}

#[test]
fn a_child_begins_a_session_unless_it_is_to_have_the_terminal() {
    let (process, session) = session_of(|command| command);
    assert_eq!(session, process);
    let (process, session) = session_of(|command| command.session(Session::Foreground));
    assert_ne!(session, process);
    let (_, own) = process_and_session(&fs::read_to_string("/proc/self/stat").unwrap());
    assert_eq!(session, own);
}

#[test]
fn a_broken_pipe_ends_a_child_as_it_does_under_a_shell() {
    let status = run("kill -s PIPE $$; exit 7", |command| command);
    assert_eq!(status.signal(), Some(13));
}

#[test]
fn the_end_of_a_child_is_the_childs() {
    assert_eq!(run("exit 42", |command| command).code(), Some(42));
    assert_eq!(run("kill -9 $$", |command| command).signal(), Some(9));
}

/// A library that writes into the file `$MARK` which program it was loaded into.
fn marking_library(folder: &Path) -> Option<PathBuf> {
    let source = r#"
        #[used]
        #[link_section = ".init_array"]
        static START: extern "C" fn() = start;
        extern "C" fn start() {
            use std::io::Write as _;
            let Some(mark) = std::env::var_os("MARK") else { return };
            let own = std::fs::read_link("/proc/self/exe").unwrap();
            let mut file = std::fs::File::options().append(true).create(true).open(mark).unwrap();
            writeln!(file, "{}", own.display()).unwrap();
        }
    "#;
    fs::write(folder.join("mark.rs"), source).unwrap();
    let library = folder.join("libmark.so");
    let built = process::Command::new("rustc")
        .args(["--crate-type", "cdylib", "--edition", "2021", "-o"])
        .arg(&library)
        .arg(folder.join("mark.rs"))
        .output();
    built
        .is_ok_and(|built| built.status.success())
        .then_some(library)
}

#[test]
fn what_the_childs_environment_loads_is_loaded_into_the_child_alone() {
    let folder = tempfile::tempdir().unwrap();
    let library = marking_library(folder.path()).expect("rustc builds a library");
    let mark = folder.path().join("mark");
    let status = run("true", |command| {
        command.env("LD_PRELOAD", &library).env("MARK", &mark)
    });
    assert!(status.success());
    let shell = fs::canonicalize("/bin/sh").unwrap();
    let marked = fs::read_to_string(mark).unwrap();
    assert_eq!(marked, format!("{}\n", shell.display()));
}

/// The error of a launch, after the same launch by a launcher that is not refused.
fn refused(launcher: &Launcher) -> LaunchError {
    let folder = tempfile::tempdir().unwrap();
    let touch = |launcher: &Launcher| {
        run_by(launcher, "echo > ran", |command| {
            command.current_dir(folder.path())
        })
    };
    let ran = || fs::remove_file(folder.path().join("ran")).is_ok();
    assert!(touch(&launcher_of("a_launcher")).unwrap().success() && ran());
    let error = touch(launcher).unwrap_err();
    assert!(!ran(), "it ran: {error}");
    error
}

#[test]
fn a_launcher_that_is_confined_already_starts_nothing() {
    let error = refused(&launcher_of("a_launcher_that_is_confined"));
    assert_eq!(error.kind(), LaunchErrorKind::Nested, "{error}");
}

#[test]
fn a_profile_that_is_not_taken_starts_nothing() {
    let error = refused(&launcher_of("a_launcher_whose_profile_is_not_taken"));
    assert_eq!(error.kind(), LaunchErrorKind::Rejected);
    assert_eq!(
        error.to_string(),
        "the system does not take the profile: line 1: no"
    );
}

#[test]
fn what_is_no_launcher_is_told_from_one() {
    let arguments = Vec::new;
    let silent = Launcher {
        program: "/bin/true".into(),
        arguments: arguments(),
    };
    let error = refused(&silent);
    assert_eq!(error.kind(), LaunchErrorKind::Start);
    assert_eq!(error.to_string(), "the launcher ended without a word");
    let absent = Launcher {
        program: "/nowhere/launcher".into(),
        arguments: arguments(),
    };
    let error = refused(&absent);
    assert_eq!(error.kind(), LaunchErrorKind::Start);
    assert!(error.to_string().contains("/nowhere/launcher"), "{error}");
}

#[test]
fn a_program_that_is_gone_by_then_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    fs::copy("/bin/true", &program).unwrap();
    let host = Host::ambient().unwrap();
    let stack = Stack::freeze(&[], &host).unwrap();
    let plan = Sandbox::new(&stack, &host).unwrap();
    let start = || {
        let command = plan.command(&program).stdout(Stdio::null());
        let prepared = command.prepare().unwrap();
        (prepared, command.inherited)
    };
    let launcher = launcher_of("a_launcher");
    let text = plan.profile().text();
    let (prepared, inherited) = start();
    assert!(
        launch(&launcher, &prepared, text, inherited)
            .unwrap()
            .wait()
            .unwrap()
            .success()
    );
    let (prepared, inherited) = start();
    fs::remove_file(&program).unwrap();
    let error = launch(&launcher, &prepared, text, inherited).unwrap_err();
    assert_eq!(error.kind(), LaunchErrorKind::Exec, "{error}");
    assert_eq!(error.io_error().unwrap().kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_child_that_is_killed_takes_what_it_started_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::ambient().unwrap();
    let stack = Stack::freeze(&[], &host).unwrap();
    let plan = Sandbox::new(&stack, &host).unwrap();
    let script = "sleep 600 & echo $! > started; wait";
    let command = plan.command("/bin/sh").args(["-c", script]);
    let command = command
        .stdout(Stdio::null())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(folder.path());
    let prepared = command.prepare().unwrap();
    let launcher = launcher_of("a_launcher");
    let text = plan.profile().text();
    let mut child = launch(&launcher, &prepared, text, command.inherited).unwrap();
    let started = loop {
        let mut text = String::new();
        if let Ok(mut file) = File::open(folder.path().join("started")) {
            file.read_to_string(&mut text).unwrap();
        }
        match text.trim().parse::<i32>() {
            Ok(started) => break started,
            Err(_) => std::thread::yield_now(),
        }
    };
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let stat = || fs::read_to_string(format!("/proc/{started}/stat")).unwrap_or_default();
    // Whoever inherits it takes it down in its own time; it runs no more.
    while !stat().is_empty() && !stat().contains(") Z ") {
        std::thread::yield_now();
    }
    assert!(child.kill().is_ok(), "it has ended, which is no error");
}

/// This test program once more, telling one of the ignored tests.
fn once_more(test: &str) -> process::Command {
    let launcher = launcher_of(test);
    let mut command = process::Command::new(launcher.program);
    command.args(launcher.arguments);
    command
}

#[test]
#[ignore = "the host of the test below"]
fn a_host_that_a_broken_pipe_would_end() {
    // What a program does that is to end quietly under `| head`, and this execution on its way to fail.
    let _ = sys::execute(&c"/nowhere".to_owned(), &[], &[]);
    let gone = Launcher {
        program: "/bin/true".into(),
        arguments: Vec::new(),
    };
    // More than the channel holds, so that some of it is written when the launcher has gone.
    let long = ";".repeat(1 << 22);
    let host = Host::ambient().unwrap();
    let stack = Stack::freeze(&[], &host).unwrap();
    let plan = Sandbox::new(&stack, &host).unwrap();
    let command = plan.command("/bin/true");
    let prepared = command.prepare().unwrap();
    let error = launch(&gone, &prepared, &long, command.inherited).unwrap_err();
    println!("told: {error}");
}

#[test]
fn a_launcher_that_goes_away_does_not_take_its_host_with_it() {
    let mut host = once_more("a_host_that_a_broken_pipe_would_end");
    let output = host.output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("told: the launcher ended without a word"),
        "{said}"
    );
}

#[test]
#[ignore = "the host of the test below"]
fn a_host_that_collects_output() {
    let told = |pipes: bool| {
        let mut streams = crate::enter::inherited::Streams::default();
        if pipes {
            streams.pipe_output();
        }
        let mut command = process::Command::new("/bin/cat");
        streams.give(&mut command);
        command.spawn().unwrap().wait_with_output().unwrap()
    };
    assert!(told(true).stdout.is_empty());
    told(false);
}

#[test]
fn a_child_whose_output_is_collected_reads_nothing_of_its_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input");
    fs::write(&input, "the host's to read").unwrap();
    let mut host = once_more("a_host_that_collects_output");
    let output = host.stdin(File::open(&input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    // A child that is not asked for its output has the host's input.
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("the host's to read"), "{said}");
}

#[test]
#[ignore = "the host of the test below"]
fn a_host_that_launches_often() {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| assert!(run("exit 0", |child| child).success())));
        }
        scope.spawn(|| {
            for _ in 0..50 {
                let refused = launcher_of("a_launcher_whose_profile_is_not_taken");
                assert!(run_by(&refused, "exit 0", |child| child).is_err());
            }
        });
    });
    assert_eq!(open(), before, "descriptors");
    let left = rustix::process::wait(rustix::process::WaitOptions::NOHANG);
    assert_eq!(left.unwrap_err(), rustix::io::Errno::CHILD, "processes");
    println!("nothing is left");
}

#[test]
fn many_launches_at_once_leave_no_descriptor_and_no_process() {
    let output = once_more("a_host_that_launches_often").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("nothing is left"), "{said}");
}

#[test]
fn as_many_arguments_as_a_program_takes() {
    let folder = tempfile::tempdir().unwrap();
    let status = run("echo $# > number", |command| {
        command
            .current_dir(folder.path())
            .args((0..100_000).map(|_| "x"))
    });
    // Two bytes and a pointer each: more than the bound, less than the arguments' own bytes.
    assert!(status.success());
    assert_eq!(
        fs::read_to_string(folder.path().join("number")).unwrap(),
        "100000\n"
    );
}
