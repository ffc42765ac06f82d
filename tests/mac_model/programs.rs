//! Programs: what is asked when one is run or mapped.

use objcap_support::mac::{Call, Effect, Errno, How, Mac, Outcome, Process, Program};

use crate::{asks_each, done, name, open, opened, refused, sandbox, world};

fn exec(path: &str) -> Call {
    Call::Exec {
        name: name(path),
        arguments: vec![b"x".to_vec()],
    }
}

fn with_programs() -> Mac {
    let mut mac = world();
    mac.file("/w/program", "\u{7f}program");
    mac.file("/w/script", "#! /w/to-shell -e  \nrest");
    mac.file("/w/shell", "a shell");
    mac.link("/w/to-shell", "shell");
    mac.file("/w/nested", "#!/w/script\n");
    mac.file("/w/root", "runs as its owner");
    mac.permit("/w/root", 0o4755);
    mac.permit("/w/f", 0o644);
    mac
}

#[test]
fn running_asks_to_run_and_never_to_read() {
    let mut mac = with_programs();
    asks_each(&mac, &exec("program"), &["process-exec* /w/program"]);
    let rules = "(allow process-exec (literal \"/w/program\")) (deny file-read* (subpath \"/\"))";
    done(&mut mac, rules, &exec("program"));
    refused(
        &mut mac,
        "(allow file-read* (subpath \"/\"))",
        &exec("program"),
    );
}

#[test]
fn a_script_asks_for_its_interpreter_too() {
    let mut mac = with_programs();
    let questions = [
        "process-exec* /w/script",
        "file-read-metadata /w/to-shell",
        "process-exec* /w/shell",
    ];
    asks_each(&mac, &exec("script"), &questions);
    let mut process = Process::unconfined(&mac, "/w");
    let answer = process.call(&mut mac, &exec("script"));
    let running = Program {
        image: mac.at("/w/shell").unwrap(),
        script: mac.at("/w/script"),
        arguments: [&b"/w/to-shell"[..], b"-e", b"script", b"x"]
            .map(<[u8]>::to_vec)
            .to_vec(),
    };
    assert_eq!(
        answer.outcome,
        Outcome::Done(Effect::Running(running.clone()))
    );
    assert_eq!(process.program(), Some(&running));
}

#[test]
fn what_is_no_program_does_not_run() {
    let mut mac = with_programs();
    let mut process = Process::unconfined(&mac, "/w");
    for (path, errno) in [
        ("f", Errno::ACCESS),
        ("d", Errno::ACCESS),
        ("nested", Errno::NOEXEC),
        ("none", Errno::NOENT),
    ] {
        let answer = process.call(&mut mac, &exec(path));
        assert_eq!(answer.outcome, Outcome::Failed(errno), "{path}");
    }
    assert!(process.call(&mut mac, &exec("root")).is_done());
    let mut confined = Process::unconfined(&mac, "/w").confined(sandbox(
        "(allow process-exec) (allow file*)",
        <_>::default(),
    ));
    assert!(confined.call(&mut mac, &exec("program")).is_done());
    let answer = confined.call(&mut mac, &exec("root"));
    assert_eq!(
        answer.outcome,
        Outcome::Failed(Errno::PERM),
        "forbidden-exec-sugid"
    );
}

#[test]
fn mapping_asks_under_the_name_that_the_file_has_now() {
    let mut mac = with_programs();
    let mut process = Process::unconfined(&mac, "/w");
    let fd = opened(&mut mac, &mut process, "program", How::Read);
    let written = opened(&mut mac, &mut process, "program", How::Write);
    let [one, other] =
        ["secret", "second"].map(|path| opened(&mut mac, &mut process, path, How::Read));
    let map = Call::MapExecutable(fd);
    let denied = "(deny file-map-executable (literal \"/w/moved\"))";
    let run = |mac: &Mac, rules: &str, call: &Call| {
        let mut mac = mac.clone();
        let mut process = process.clone().confined(sandbox(rules, <_>::default()));
        process.call(&mut mac, call)
    };
    let answer = run(&mac, denied, &map);
    assert!(answer.is_done(), "it starts allowed");
    assert_eq!(crate::asked(&answer), ["file-map-executable /w/program"]);
    // Of a file with two names, under the one that it was opened by.
    for (fd, question) in [
        (one, "file-map-executable /w/secret"),
        (other, "file-map-executable /w/second"),
    ] {
        let answer = run(&mac, denied, &Call::MapExecutable(fd));
        assert_eq!(crate::asked(&answer), [question]);
    }
    let answer = run(&mac, denied, &Call::MapExecutable(written));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::ACCESS));
    let rename = Call::Rename {
        from: name("program"),
        to: name("moved"),
    };
    assert!(
        Process::unconfined(&mac, "/w")
            .call(&mut mac, &rename)
            .is_done()
    );
    assert!(run(&mac, denied, &map).is_refused());
    done(
        &mut mac,
        "(allow file-read-data (literal \"/w/moved\"))",
        &open("moved", How::Read),
    );
}
