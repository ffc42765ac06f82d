//! What is run: by children, by scripts, by copies, by links; and the program's own file.

use objcap::capability::Act::{Clone, Create, Exec, Link, Read, Remove, Rename, Swap, Write};
use objcap::walk::Leaf;
use objcap_support::mac::{Call, Mac, Name, New};
use objcap_support::trial::Tries as _;

use crate::{exec, mac, make, trial, try_layers};

/// A veto was compared with the first word of the first command: what a shell starts went by.
#[test]
fn a_vetoed_name_is_not_run_by_what_a_shell_starts() {
    let mut mac = mac(&["/opt/bin/curl", "/opt/bin/fetch -> ../../usr/bin/curl"]);
    mac.file("/usr/bin/curl2", "a program");
    let text =
        "[fs]\nread = ['/opt']\n[exec]\nallow = ['/bin', '/usr/bin', '/opt/bin']\nveto = ['curl']";
    let trial = trial(&mac, text);
    let run = |path: &str| exec(&Name::from(path), &[]);
    trial.sessions(|session| {
        session.done(&exec(
            &Name::from("/bin/sh"),
            &["-c", "curl http://example.com"],
        ));
        session.done(&Call::Fork);
        session.refused(&run("/usr/bin/curl"));
        session.refused(&run("/usr/bin/CURL"));
        session.refused(&run("/opt/bin/curl"));
        session.refused(&run("/opt/bin/fetch"));
        session.done(&run("/usr/bin/env"));
        session.done(&Call::Fork);
        session.refused(&run("/usr/bin/curl"));
        session.done(&run("/usr/bin/curl2"));
    });
    for (program, runs) in [
        ("/bin/sh", true),
        ("/usr/bin/curl2", true),
        ("/usr/bin/curl", false),
        ("/opt/bin/fetch", false),
    ] {
        assert_eq!(trial.runs(program), runs, "{program}");
    }
}

/// A program that may not be run was copied to where files are made. Nothing is run there that was not allowed.
#[test]
fn a_copy_is_not_run_where_nothing_may_be_run() {
    let mac = mac(&["/w/f"]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/opt']\nwrite = ['/w']\n[exec]\nallow = ['/usr/bin', '/bin']",
    );
    let copy = Call::Clone {
        from: Name::from("/usr/bin/git"),
        to: Name::from("/w/git"),
        leaf: Leaf::Follow,
    };
    trial.sessions(|session| {
        session.done(&copy);
        session.done(&make("/w/ls", New::Symlink(b"/w/git".to_vec())));
        session.refused(&exec(&Name::from("/w/git"), &[]));
        session.refused(&exec(&Name::from("/w/ls"), &[]));
        session.done(&exec(&Name::from("/usr/bin/git"), &[]));
    });
    trial.admits(&[(Exec, &["/bin/ls"]), (Clone, &["/usr/bin/git", "/w/git"])]);
    trial.refuses(&[(Exec, &["/w/f"]), (Link, &["/usr/bin/git", "/w/git"])]);
}

/// A script ran what it names in its first line, though that may not be run, or may and the script may not.
#[test]
fn a_script_needs_itself_and_its_interpreter() {
    let mut mac = mac(&["/w/mine = #!/bin/sh\n", "/w/other = #!/usr/bin/python3\n"]);
    mac.file("/opt/tool", "#!/bin/sh -e\n");
    mac.file("/opt/by-env", "#!/usr/bin/env python3\n");
    mac.file("/opt/bad", "#!/usr/bin/osascript\n");
    let trial = trial(
        &mac,
        "[fs]\nread = ['/w', '/opt']\n[exec]\nallow = ['/opt', '/bin/sh', '/w/mine', '/usr/bin/env']\n\
         exclude = ['/opt/no', '/usr/bin/osascript']",
    );
    for (program, runs) in [
        ("/opt/tool", true),
        ("/opt/by-env", true),
        ("/w/mine", true),
        ("/opt/bad", false),
        ("/w/other", false),
        ("/usr/bin/python3", false),
    ] {
        assert_eq!(trial.runs(program), runs, "{program}");
    }
    // The interpreter is vetoed by its name.
    let vetoed = super::trial(
        &mac,
        "[fs]\nread = ['/w', '/opt']\n[exec]\nallow = ['every']\nveto = ['sh']",
    );
    assert!(vetoed.runs("/opt/by-env") && vetoed.runs("/usr/bin/python3"));
    assert!(!vetoed.runs("/opt/tool") && !vetoed.runs("/w/mine"));
}

/// The allowance was of the link's name, and the kernel asks about the program itself: by each name on the way
/// it runs, and each link is read.
#[test]
fn a_program_behind_a_chain_of_links_is_run_by_every_name_of_it() {
    let mut mac = mac(&[]);
    mac.file("/opt/Cellar/node/22/bin/node", "a program");
    mac.file("/opt/Cellar/node/22/bin/npm", "#!/usr/bin/env node\n");
    mac.link("/opt/opt/node", "../Cellar/node/22");
    mac.link("/opt/bin/node", "../opt/node/bin/node");
    let trial = trial(
        &mac,
        "[fs]\nread = ['/opt/Cellar/node']\n[exec]\nallow = ['/opt/bin/node']",
    );
    let link = |name: &str| Call::ReadLink(Name::from(name));
    trial.done(&[link("/opt/bin/node"), link("/opt/opt/node")]);
    for name in [
        "/opt/bin/node",
        "/opt/opt/node/bin/node",
        "/opt/Cellar/node/22/bin/node",
    ] {
        assert!(trial.runs(name), "{name}");
    }
    assert!(!trial.runs("/opt/Cellar/node/22/bin/npm"));
    assert!(!trial.runs("/usr/bin/git"));
}

/// A deny of one program by its path hit others whose names look alike.
#[test]
fn an_excluded_program_is_no_pattern() {
    let mut mac = mac(&[]);
    for name in ["x.y", "xzy", "x.y2", "c++", "c", "cc", "[", "a b", "a"] {
        mac.file(format!("/opt/{name}"), "a program");
    }
    for (name, like) in [("x.y", "xzy"), ("c++", "cc"), ("[", "a"), ("a b", "a")] {
        let text =
            format!("[fs]\nread = ['/opt']\n[exec]\nallow = ['/opt']\nexclude = ['/opt/{name}']");
        let trial = trial(&mac, &text);
        trial.admits(&[(Exec, &[&format!("/opt/{like}")]), (Exec, &["/opt/x.y2"])]);
        trial.admits(&[(Read, &[&format!("/opt/{name}")])]);
        trial.refuses(&[(Exec, &[&format!("/opt/{name}")])]);
    }
}

/// The program that confines was replaced in its place, under a link by which it was started, or with its folder.
#[test]
fn the_own_executable_stays_behind_the_link_that_it_was_started_by() {
    let mac = mac(&[
        "/opt/tools/1.0/bin/confine",
        "/opt/tools/1.0/bin/other",
        "/opt/tools/now -> 1.0",
        "/Users/me/bin/confine -> /opt/tools/now/bin/confine",
        "/Users/me/bin/other",
        "/Users/me/x/",
    ]);
    for text in [
        "",
        "[fs]\nwrite = ['/opt', '~']",
        "[fs]\nwrite = ['/']\n[exec]\nallow = ['every']",
    ] {
        let mut host = mac.clone().host();
        host.executable = Some("/Users/me/bin/confine".into());
        let trial = try_layers(host, &[text]).unwrap();
        let own = "/opt/tools/1.0/bin/confine";
        trial.admits(&[
            (Read, &[own]),
            (Exec, &[own]),
            (Write, &["/opt/tools/1.0/bin/other"]),
            (Rename, &["/opt/tools/1.0/bin/other", "/Users/me/bin/x"]),
            (Remove, &["/Users/me/bin/other"]),
            (Create, &["/Users/me/bin/new"]),
        ]);
        trial.refuses(&[
            (Write, &[own]),
            (Write, &["/opt/Tools/1.0/BIN/confine"]),
            (Write, &["/Users/me/bin/confine"]),
            (Write, &["/System/Volumes/Data/opt/tools/1.0/bin/confine"]),
            (Remove, &[own]),
            (Remove, &["/Users/me/bin/confine"]),
            (Remove, &["/opt/tools/now"]),
            (Rename, &["/Users/me/bin/other", "/Users/me/bin/confine"]),
            (Rename, &["/Users/me/bin", "/Users/me/b"]),
            (Rename, &["/opt/tools/1.0", "/opt/tools/2.0"]),
            (Swap, &["/opt/tools/1.0/bin", "/Users/me/x"]),
            (Link, &[own, "/Users/me/second"]),
        ]);
    }
}

/// The root and the folders of a user are two volumes, and a clause of the root speaks for both.
#[test]
fn a_second_name_of_the_own_executable_is_told_under_a_clause_of_the_root() {
    let told = |mac: &Mac, text: &str| {
        let mut host = mac.clone().host();
        host.executable = Some("/Users/me/bin/confine".into());
        let trial = try_layers(host, &[text]).unwrap();
        let lints = trial.stack.lint(&trial.host);
        lints.iter().any(|lint| lint.name() == "second-name")
    };
    let mut mac = mac(&["/Users/me/bin/confine", "/Users/me/x/"]);
    let root = "[fs]\nwrite = ['/']\n[exec]";
    assert!(!told(&mac, root));
    mac.link_hard("/Users/me/bin/confine", "/Users/me/x/second");
    assert!(told(&mac, root));
    assert!(told(&mac, "[fs]\nwrite = ['~/x']\n[exec]"));
    assert!(!told(&mac, "[fs]\nread = ['/']\n[exec]"));
}

/// The program's allowance and its exclusion were written by the alias, and the kernel knows the other name.
#[test]
fn a_program_below_a_root_alias_is_one_program() {
    let mac = mac(&[
        "/private/tmp/x/tool",
        "/private/tmp/x/other",
        "/private/tmp/x/no",
    ]);
    for at in ["/tmp/x", "/private/tmp/x", "/TMP/X"] {
        let text = format!(
            "[fs]\nread = ['{at}']\n[exec]\nallow = ['{at}/tool', '{at}/no']\nexclude = ['{at}/no']"
        );
        let trial = trial(&mac, &text);
        for name in ["/tmp/x", "/private/tmp/x"] {
            assert!(trial.runs(&format!("{name}/tool")), "{at}");
            assert!(!trial.runs(&format!("{name}/other")), "{at}");
            assert!(!trial.runs(&format!("{name}/no")), "{at}");
        }
        trial.admits(&[(Read, &["/tmp/x/no"]), (Exec, &["/private/tmp/x/tool"])]);
    }
}

/// The interpreter was excluded by a link that leads to it, or the script names it by one.
#[test]
fn an_interpreter_is_the_same_by_the_links_that_lead_to_it() {
    let mut mac = mac(&[]);
    mac.link("/opt/bin/sh", "/bin/sh");
    mac.file("/opt/by-link", "#!/opt/bin/sh\n");
    mac.file("/opt/direct", "#!/bin/sh\n");
    mac.file("/opt/python", "#!/usr/bin/python3\n");
    let fs = "[fs]\nread = ['/opt']\n[exec]\nallow = ['every']";
    let free = trial(&mac, fs);
    assert!(free.runs("/opt/by-link") && free.runs("/opt/direct"));
    for excluded in ["/opt/bin/sh", "/bin/sh", "/BIN/sh"] {
        let trial = trial(&mac, &format!("{fs}\nexclude = ['{excluded}']"));
        assert!(trial.runs("/opt/python"), "{excluded}");
        assert!(!trial.runs("/opt/by-link"), "{excluded}");
        assert!(!trial.runs("/opt/direct"), "{excluded}");
        assert!(!trial.runs("/bin/sh"), "{excluded}");
    }
}
