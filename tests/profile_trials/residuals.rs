//! What is left open between guard, profile and kernel (docs/residuals.md, G-1 and G-8 to G-13): each shown with its
//! direction, behind something admitted and something that is held under the same grant.

use objcap::capability::Act::{Exec, Read};
use objcap::capability::{Access, Guard};
use objcap::object::Names;
use objcap::walk::Leaf;
use objcap_support::mac::{
    Call, Choices, Effect, Errno, How, Name, Outcome, Process, Rule, Sandbox,
};
use objcap_support::trial::Tries as _;
use sbpl::Reading;

use crate::{exec, mac, open, read, rename, trial, try_layers};

fn run(path: &str, arguments: &[&str]) -> Call {
    exec(&Name::from(path), arguments)
}

/// G-1: the profile admits, the guard refuses.
#[test]
fn residual_a_name_of_another_case_on_a_volume_that_tells_them_apart() {
    let mut mac = mac(&[]);
    mac.mount("/Volumes/exact", Rule::Exact);
    for name in ["work/f", "Work/f", "other/f"] {
        mac.file(format!("/Volumes/exact/{name}"), "text");
    }
    mac.give("/Volumes/exact");
    let mut host = mac.host();
    host.names = Names::Exact;
    let trial = try_layers(host, &["[fs]\nread = ['/Volumes/exact/work']"]).unwrap();
    trial.admits(&[(Read, &["/Volumes/exact/work/f"])]);
    trial.refuses(&[(Read, &["/Volumes/exact/other/f"])]);
    let guard = Guard::new(&trial.host, &trial.stack);
    let judged = guard.judge("/Volumes/exact/Work/f", Access::READ).unwrap();
    assert!(!judged.is_admitted());
    trial.done(&[read("/Volumes/exact/Work/f")]);
}

/// G-8: the guard refuses, the profile admits.
#[test]
fn residual_arguments_are_no_kernels_business() {
    let mac = mac(&[]);
    let text =
        "[exec]\nallow = ['/usr/bin']\nexclude = ['/usr/bin/curl']\nonly = { git = ['status'] }";
    let trial = trial(&mac, text);
    let guard = Guard::new(&trial.host, &trial.stack);
    let may = |program: &str, argument| guard.exec(program, &[argument]).is_ok();
    assert!(may("/usr/bin/git", "status") && may("/usr/bin/env", "push"));
    assert!(!may("/usr/bin/git", "push"));
    trial.done(&[run("/usr/bin/git", &["status"])]);
    trial.done(&[run("/usr/bin/git", &["push"])]);
    trial.refused(&[run("/usr/bin/curl", &["status"])]);
}

/// G-9: nobody refuses.
#[test]
fn residual_an_interpreter_runs_a_script_that_it_may_read() {
    let mut mac = mac(&[]);
    mac.file("/opt/script", "#!/bin/sh\n");
    mac.file("/opt/other", "#!/bin/sh\n");
    let text = "[fs]\nread = ['/opt']\n[exec]\nallow = ['/opt', '/bin']\nexclude = ['/opt/script']";
    let trial = trial(&mac, text);
    assert!(trial.runs("/opt/other"));
    assert!(!trial.runs("/opt/script"));
    let guard = Guard::new(&trial.host, &trial.stack);
    assert!(guard.exec("/bin/sh", &["/opt/script"]).is_ok());
    trial.done(&[run("/bin/sh", &["/opt/script"]), read("/opt/script")]);
}

/// G-10: nobody refuses. What is excluded for reading stays where it is.
#[test]
fn residual_a_program_that_may_be_written_is_run_under_another_name() {
    let mac = mac(&["/w/bin/danger", "/w/bin/tool"]);
    for against in ["exclude = ['/w/bin/danger']", "veto = ['danger']"] {
        let text = format!("[fs]\nwrite = ['/w']\n[exec]\nallow = ['/w/bin']\n{against}");
        let trial = trial(&mac, &text);
        trial.admits(&[(Exec, &["/w/bin/tool"])]);
        trial.refuses(&[(Exec, &["/w/bin/danger"])]);
        trial.sessions(|session| {
            session.refused(&run("/w/bin/danger", &[]));
            session.done(&rename("/w/bin/danger", "/w/bin/mine"));
            session.done(&run("/w/bin/mine", &[]));
        });
        trial.sessions(|session| {
            session.done(&Call::Clone {
                from: Name::from("/w/bin/danger"),
                to: Name::from("/w/bin/copy"),
                leaf: Leaf::Follow,
            });
            session.done(&run("/w/bin/copy", &[]));
        });
    }
}

/// G-11: nobody refuses.
#[test]
fn residual_what_was_open_before_stays_open() {
    let mac = mac(&["/w/f", "/w/key"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nexclude = ['/w/key']");
    trial.admits(&[(Read, &["/w/f"])]);
    trial.refuses(&[(Read, &["/w/key"])]);
    for reading in Reading::ALL {
        let mut mac = trial.host.tree.clone();
        let mut process = Process::unconfined(&mac, "/");
        let opened = process.call(&mut mac, &open(&Name::from("/w/key"), How::Read));
        let mut process = process.confined(Sandbox {
            judge: trial.judge.clone(),
            reading,
            choices: Choices::default(),
        });
        assert!(process.call(&mut mac, &read("/w/f")).is_done());
        assert!(process.call(&mut mac, &read("/w/key")).is_refused());
        let outcome = process.call(&mut mac, &Call::Read(opened.fd())).outcome;
        let contents = Effect::Contents(b"/w/key"[..].into());
        assert_eq!(outcome, Outcome::Done(contents));
    }
}

/// G-12: the kernel refuses, by ELOOP; the guard admits.
#[test]
fn residual_a_name_with_more_links_than_a_mac_follows() {
    let mut mac = mac(&["/w/f"]);
    mac.link("/w/c1", "f");
    for number in 2..=33 {
        mac.link(format!("/w/c{number}"), format!("c{}", number - 1));
    }
    let trial = trial(&mac, "[fs]\nread = ['/w']");
    trial.admits(&[(Read, &["/w/c32"])]);
    trial.refuses(&[(Read, &["/Users/me"])]);
    let guard = Guard::new(&trial.host, &trial.stack);
    let judged = guard.judge("/w/c33", Access::READ).unwrap();
    assert!(judged.is_admitted());
    for reading in Reading::ALL {
        let mut session = trial.session(reading, Choices::default());
        let outcome = session.call(&read("/w/c33")).outcome;
        assert_eq!(outcome, Outcome::Failed(Errno::LOOP));
    }
}

/// G-13: between the guard's verdict and the call, the name may come to be another object's. What the profile refuses
/// stays refused: the kernel judges the name that it is handed, when it is handed it.
#[test]
fn residual_a_program_is_run_by_its_name() {
    let mac = mac(&["/w/bin/tool", "/w/bin/other", "/w/no"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\n[exec]\nallow = ['/w/bin']");
    assert!(trial.runs("/w/bin/tool"));
    assert!(!trial.runs("/w/no"));
    let tool = trial.host.tree.at("/w/bin/tool").unwrap();
    let other = trial.host.tree.at("/w/bin/other").unwrap();
    trial.sessions(|session| {
        session.done(&rename("/w/bin/other", "/w/bin/tool"));
        session.done(&run("/w/bin/tool", &[]));
        let image = session.process.program().unwrap().image;
        assert!(image == other && image != tool);
        session.refused(&run("/w/no", &[]));
    });
}
