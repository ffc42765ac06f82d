//! Programs: vetoed by name, copied, reached through links.

use objcap::capability::Act::{Exec, Read, Stat};
use objcap::capability::{Guard, GuardError};
use objcap_support::trial::Tries as _;

use crate::{Trial, mac, trial};

fn run(trial: &Trial, program: &str) -> Result<String, GuardError> {
    let guard = Guard::new(&trial.host, &trial.stack);
    let ran = guard.exec(program, &["--version"])?;
    Ok(ran.real().to_string())
}

/// nono#514, #246, fence#49, gemini's profile: a veto that looked at the first word of the first command, or
/// listed full paths. The guard's `exec` judges names; a child's own exec is judged by the same profile.
#[test]
fn a_veto_is_of_the_name_wherever_it_stands() {
    let host = mac(&["/opt/bin/curl", "/opt/bin/wget"]);
    let text =
        "[fs]\nread = ['/opt']\n[exec]\nallow = ['/usr/bin', '/bin', '/opt/bin']\nveto = ['curl']";
    let trial = trial(host, text);
    assert_eq!(
        run(&trial, "wget").map_err(|error| error.to_string()),
        Err("no folder of PATH has a program `wget`".into())
    );
    assert_eq!(run(&trial, "/opt/bin/wget").unwrap(), "/opt/bin/wget");
    assert_eq!(run(&trial, "git").unwrap(), "/usr/bin/git");
    for program in [
        "curl",
        "/usr/bin/curl",
        "/opt/bin/curl",
        "/usr/bin/../bin/CURL",
    ] {
        assert!(
            matches!(run(&trial, program), Err(GuardError::Refused(_))),
            "{program}"
        );
    }
    // By the profile, under every reading, with the guard's exec beside it.
    let settled = |path: &str| {
        let guard = Guard::new(&trial.host, &trial.stack);
        let judged = guard.judge_act(Exec, &[path]).unwrap();
        let requests = objcap::sandbox::act_requests(Exec, &[judged[0].object()], &trial.host);
        trial.profile.explain(&requests).settled()
    };
    assert_eq!(
        settled("/usr/bin/git"),
        Some(objcap::sandbox::Decision::Allow)
    );
    assert_eq!(
        settled("/usr/bin/curl"),
        Some(objcap::sandbox::Decision::Deny)
    );
    assert_eq!(
        settled("/opt/bin/curl"),
        Some(objcap::sandbox::Decision::Deny)
    );
    // It hides nothing.
    trial.admits(&[(Read, &["/usr/bin/curl"])]);
}

/// fence#49: a copy under a place where nothing may be run.
#[test]
fn a_copy_where_nothing_may_be_run_is_not_run() {
    let host = mac(&["/w/c", "/w/sub/git"]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w']\n[exec]\nallow = ['/usr/bin', '/bin']",
    );
    trial.admits(&[(Exec, &["/usr/bin/git"]), (Read, &["/w/c"])]);
    trial.refuses(&[(Exec, &["/w/c"]), (Exec, &["/w/sub/git"])]);
}

/// selfdrivingwiki#127: a program named by a link runs at its real path, and the links on the way are looked at.
#[test]
fn a_program_named_by_a_link_runs_at_its_real_path() {
    let host = mac(&[
        "/opt/Cellar/node/22/bin/node",
        "/opt/Cellar/node/22/bin/other",
        "/opt/opt/node -> ../Cellar/node/22",
        "/usr/local/bin/node -> ../../../opt/opt/node/bin/node",
    ]);
    let text = "[fs]\nread = ['/opt/Cellar/node']\n[exec]\nallow = ['/usr/local/bin/node']";
    let trial = trial(host, text);
    trial.admits(&[
        (Exec, &["/usr/local/bin/node"]),
        (Exec, &["/opt/Cellar/node/22/bin/node"]),
        (Exec, &["/opt/opt/node/bin/node"]),
        (Stat, &["/opt/opt"]),
    ]);
    assert_eq!(run(&trial, "node").unwrap(), "/opt/Cellar/node/22/bin/node");
    trial.refuses(&[
        (Exec, &["/opt/Cellar/node/22/bin/other"]),
        (Exec, &["/usr/bin/git"]),
    ]);
}

/// dot-files#1003: the explanation said no, the enforcer yes. Both are asked about what may be read and not run,
/// and run and not read.
#[test]
fn what_is_not_read_is_not_run() {
    let host = mac(&["/opt/bin/tool", "/w/f"]);
    let trial = trial(host, "[fs]\nread = ['/w']\n[exec]\nallow = ['every']");
    trial.admits(&[(Exec, &["/usr/bin/git"]), (Exec, &["/w/f"])]);
    trial.refuses(&[(Exec, &["/opt/bin/tool"]), (Read, &["/opt/bin/tool"])]);
}
