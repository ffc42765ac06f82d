//! Terminals, signals, and other processes.

use objcap_support::mac::{Call, Choices, Fd, How, Name, Process, Sandbox};
use sbpl::ast::Target;
use sbpl::{Operation, Reading, Request};

use crate::{Trial, exec, mac, open, read, trial, ways};

const TERMINAL: &str = "/dev/ttys000";

/// Whether a program may do this with a terminal that it has from its parent: the same under every reading and
/// way.
fn inherited(trial: &Trial, call: impl Fn(Fd) -> Call) -> bool {
    let mut said = Vec::new();
    for reading in Reading::ALL {
        for choices in ways() {
            let mut mac = trial.host.tree.clone();
            let mut process = Process::unconfined(&mac, "/");
            let fd = process.call(&mut mac, &open(&Name::from(TERMINAL), How::Read));
            let judge = trial.judge.clone();
            let mut process = process.confined(Sandbox {
                judge,
                reading,
                choices,
            });
            let answer = process.call(&mut mac, &call(fd.fd()));
            assert!(answer.is_done() || answer.is_refused(), "{answer:?}");
            said.push(answer.is_done());
        }
    }
    assert!(said.windows(2).all(|two| two[0] == two[1]), "{said:?}");
    said[0]
}

/// Letters were put into the parent's input by a child that had its terminal. No grant lets that be done: not
/// one that names the terminal, nor one that restricts nothing.
#[test]
fn nobody_types_into_a_terminal_that_a_grant_names() {
    let mac = mac(&["/w/f"]);
    for text in [
        "",
        "[fs]\nwrite = ['/w']",
        "[fs]\nwrite = ['/dev/ttys000', '/dev/tty']",
        "[fs]\nwrite = ['/']",
        "[fs]\nwrite = ['/dev']\n[net]\naccess = 'open'",
    ] {
        let trial = trial(&mac, text);
        assert!(inherited(&trial, Call::SetTerminal), "{text}");
        assert!(!inherited(&trial, Call::TypeAhead));
    }
}

/// An excluded terminal, inherited, was set into another mode: the descriptor was there before.
#[test]
fn an_excluded_terminal_is_not_set_through_what_is_inherited() {
    let mac = mac(&["/w/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/w']\nexclude = ['/dev/ttys000']");
    trial.done(&[read("/w/f"), read("/dev/tty")]);
    trial.refused(&[read(TERMINAL)]);
    assert!(!inherited(&trial, Call::SetTerminal));
    assert!(!inherited(&trial, Call::TypeAhead));
}

/// A terminal is read by whoever reads the devices, and written only where a grant says so.
#[test]
fn another_programs_terminal_is_not_written() {
    let mut mac = mac(&["/w/f"]);
    mac.give(TERMINAL);
    let write = |path: &str| open(&Name::from(path), How::Write);
    let named = trial(&mac, "[fs]\nwrite = ['/dev/ttys000']");
    named.done(&[write(TERMINAL), write("/dev/tty")]);
    let unnamed = trial(&mac, "[fs]\nread = ['/w']");
    unnamed.done(&[write("/dev/tty"), read("/w/f")]);
    unnamed.refused(&[write(TERMINAL)]);
}

/// A signal was allowed to the process itself alone, so that no time-out ended a child; or to everybody.
#[test]
fn a_signal_reaches_itself_and_what_it_started_and_nobody_else() {
    let mac = mac(&["/w/f"]);
    for text in ["", "[fs]\nread = ['/w']", "[exec]\nallow = ['every']"] {
        let trial = trial(&mac, text);
        trial.done(&[Target::Itself, Target::SameSandbox].map(Call::Signal));
        trial.refused(&[Call::Signal(Target::Others)]);
        let info = |target| trial.allows(&Request::new(Operation::ProcessInfo).target(target));
        assert!(info(Target::Itself));
        assert!(!info(Target::Others), "its arguments");
    }
}

/// A program that lists processes runs as root, which no sandbox lets run: it fails, and the profile is not the
/// one that refused it.
#[test]
fn a_program_that_runs_as_root_is_failed_by_the_system_and_not_by_the_profile() {
    let mut mac = mac(&["/w/f"]);
    mac.file("/bin/ps", "a program");
    mac.permit("/bin/ps", 0o4755);
    let trial = trial(&mac, "[fs]\nread = ['/w']");
    trial.done(&[exec(&Name::from("/bin/ls"), &[])]);
    let mut session = trial.session(Reading::FilteredFirst, Choices::default());
    let answer = session.call(&exec(&Name::from("/bin/ps"), &[]));
    assert!(!answer.is_done() && !answer.is_refused(), "{answer:?}");
}
