//! What programs need before they do anything: a base that is too tight stops them, and one that is too wide
//! gives them what they do not need. Each list is what such a program asks for at its start, under a grant
//! that names its workspace and nothing else.

use objcap::capability::Act::{Read, Stat, Write};
use objcap_support::mac::{Call, How, Mac, Name, New, Probe};
use objcap_support::trial::Tries as _;
use sbpl::ast::Subject;
use sbpl::{Operation, Request};

use crate::{Session, exec, look, mac, make, open, read, rename, service, trial, write};

fn world() -> Mac {
    let mut mac = mac(&[
        "/w/src/main.rs",
        "/w/Cargo.toml",
        "/Users/me/.gitconfig",
        "/Users/me/.ssh/id",
    ]);
    for system in [
        "/usr/lib/dyld",
        "/usr/lib/libSystem.B.dylib",
        "/System/Library/CoreServices/SystemVersion.plist",
        "/private/etc/passwd",
        "/private/etc/gitconfig",
        "/private/etc/ssl/cert.pem",
        "/private/etc/zshenv",
        "/private/var/select/developer_dir",
        "/private/var/select/sh",
        "/private/var/run/resolv.conf",
        "/Library/Developer/CommandLineTools/usr/bin/git",
        "/usr/bin/xcrun",
        "/usr/bin/cargo",
    ] {
        mac.file(system, system);
    }
    mac.link("/private/etc/resolv.conf", "../var/run/resolv.conf");
    mac.link("/dev/stdin", "fd/0");
    mac.permit("/dev/dtracehelper", 0o666);
    for device in ["/dev/urandom", "/dev/random"] {
        mac.other(device, objcap::walk::Kind::CharDevice);
    }
    mac
}

const WORKSPACE: &str = "[fs]\nwrite = ['/w', '${TMPDIR}']\n[net]";

/// What libSystem does before and around `main`.
fn start(session: &mut Session, program: &str) {
    session.done(&exec(&Name::from(program), &[]));
    session.done(&read("/"));
    session.done(&look("/"));
    for file in [
        "/usr/lib/dyld",
        "/usr/lib/libSystem.B.dylib",
        "/System/Library/CoreServices/SystemVersion.plist",
        "/dev/urandom",
        "/private/var/db/timezone/icutz",
        "/etc/passwd",
    ] {
        session.done(&read(file));
    }
    let fd = session.call(&read("/usr/lib/libSystem.B.dylib")).fd();
    session.done(&Call::MapExecutable(fd));
    session.done(&open(&Name::from("/dev/dtracehelper"), How::ReadWrite));
    session.done(&open(&Name::from("/dev/null"), How::ReadWrite));
    session.done(&Call::Fork);
    for name in [
        "com.apple.dyld",
        "com.apple.system.notification_center",
        "com.apple.system.opendirectoryd.libinfo",
        "com.apple.logd",
    ] {
        session.done(&service(name));
    }
}

/// A deny-default base was short of a line, and the program ended before `main`.
#[test]
fn any_program_of_the_system_starts() {
    let mac = world();
    let trial = trial(&mac, WORKSPACE);
    for program in [
        "/bin/sh",
        "/usr/bin/git",
        "/usr/bin/python3",
        "/usr/bin/env",
    ] {
        trial.sessions(|session| start(session, program));
    }
    for request in [
        Request::new(Operation::SysctlRead).name(Subject::SysctlName, "kern.osproductversion"),
        Request::new(Operation::IpcPosixShmReadData)
            .name(Subject::IpcPosixName, "apple.shm.notification_center"),
        Request::new(Operation::SyscallUnix),
        Request::new(Operation::DynamicCodeGeneration),
    ] {
        assert!(trial.allows(&request), "{request:?}");
    }
    trial.refused(&[read("/Users/me/.ssh/id"), look("/Users/me/.ssh")]);
}

/// The driver that looks up the developer's tools took a refusal for a broken installation.
#[test]
fn the_developers_tools_are_found() {
    let mac = world();
    let trial = trial(&mac, WORKSPACE);
    trial.sessions(|session| {
        start(session, "/usr/bin/xcrun");
        for file in [
            "/var/select/developer_dir",
            "/private/var/select/sh",
            "/etc/zshenv",
        ] {
            session.done(&read(file));
        }
        session.done(&write("/var/folders/me/T/xcrun_db"));
        session.done(&read("/var/folders/me/T/xcrun_db"));
        session.done(&exec(
            &Name::from("/Library/Developer/CommandLineTools/usr/bin/git"),
            &["status"],
        ));
    });
    // Without the temporary folder the cache is not written, and nothing else is lost.
    let less = super::trial(&mac, "[fs]\nwrite = ['/w']");
    less.done(&[read("/var/select/developer_dir")]);
    less.refused(&[write("/var/folders/me/T/xcrun_db")]);
}

/// A compiler, an interpreter, a package manager at work in the workspace and the temporary folder.
#[test]
fn what_builds_in_a_workspace_builds() {
    let mac = world();
    let trial = trial(&mac, WORKSPACE);
    trial.sessions(|session| {
        start(session, "/usr/bin/cargo");
        session.done(&Call::ChangeFolder(Name::from("/w/src")));
        session.done(&read("main.rs"));
        session.done(&read("../Cargo.toml"));
        session.done(&make("/w/target", New::Directory));
        session.done(&write("/w/target/.lock"));
        session.done(&make("/var/folders/me/T/rustcA", New::Directory));
        session.done(&write("/var/folders/me/T/rustcA/lib.rmeta"));
        session.done(&write("/w/target/lib.tmp"));
        session.done(&rename("/w/target/lib.tmp", "/w/target/lib.rmeta"));
        session.done(&Call::Unlink(Name::from(
            "/var/folders/me/T/rustcA/lib.rmeta",
        )));
        session.done(&Call::RemoveFolder(Name::from(
            "/private/var/folders/me/T/rustcA",
        )));
        session.done(&write("/w/target/program"));
        session.done(&exec(&Name::from("/w/target/program"), &[]));
        session.done(&Call::Access(Name::from("/w/target"), Probe::Write));
        session.refused(&write("/usr/local/bin/tool"));
        session.refused(&read("/Users/me/.gitconfig"));
    });
}

/// A runtime that asks for the network's configuration at its start: it starts, and the network is closed.
#[test]
fn a_runtime_reads_how_names_are_resolved_and_asks_nobody() {
    let mac = world();
    let closed = trial(&mac, WORKSPACE);
    closed.done(&[read("/etc/resolv.conf"), read("/etc/ssl/cert.pem")]);
    closed.refused(&[
        Call::Resolve,
        service("com.apple.SystemConfiguration.configd"),
    ]);
    let open = trial(&mac, "[fs]\nwrite = ['/w']\n[net]\naccess = 'open'");
    open.done(&[read("/etc/resolv.conf"), Call::Resolve]);
    open.done(&[service("com.apple.SystemConfiguration.configd")]);
}

/// `cd` into the folder, asking where one is, and walking up to find a project's root: each folder above is
/// looked at, by both names, and none is listed.
#[test]
fn the_folders_above_are_passed_and_looked_at_and_not_listed() {
    let mac = mac(&["/a/b/c/d/f", "/a/b/other/f", "/private/tmp/x/y/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/a/b/c', '/tmp/x/y']");
    trial.sessions(|session| {
        for folder in ["/a", "/a/b", "/a/b/c/d"] {
            session.done(&Call::ChangeFolder(Name::from(folder)));
            session.done(&look("."));
        }
        session.done(&look(".."));
        session.done(&look("../../.."));
        session.done(&read("f"));
        session.done(&read("../../c/d/f"));
        session.refused(&read("../.."));
        session.refused(&look("../../other"));
        session.refused(&read("../../other/f"));
        for folder in [
            "/tmp",
            "/private/tmp",
            "/tmp/x",
            "/private/tmp/x",
            "/private",
        ] {
            session.done(&look(folder));
            session.refused(&read(folder));
        }
        session.done(&Call::ChangeFolder(Name::from("/tmp/x/y")));
    });
    trial.admits(&[
        (Stat, &["/a/b"]),
        (Stat, &["/private/tmp/x"]),
        (Read, &["/a/b/c/d/f"]),
    ]);
    trial.refuses(&[(Read, &["/a/b"]), (Stat, &["/a/b/other"])]);
}

/// The ancestors of what may be written came with writing, or those of what is excluded were opened.
#[test]
fn the_folders_above_are_not_written_and_none_above_a_dead_clause_is_opened() {
    let mac = mac(&["/a/b/w/f", "/a/b/f", "/x/y/dead/f"]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/x/y/dead']\nwrite = ['/a/b/w']\nexclude = ['/x/y/dead']",
    );
    trial.admits(&[(Write, &["/a/b/w/f"]), (Stat, &["/a/b"])]);
    trial.refuses(&[
        (Write, &["/a/b/f"]),
        (Stat, &["/a/b/f"]),
        (Read, &["/x/y/dead/f"]),
        (Stat, &["/x/y"]),
    ]);
    trial.refused(&[make("/a/b/new", New::Directory), rename("/a/b", "/a/c")]);
}
