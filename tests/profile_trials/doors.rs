//! Doors: services and other operations by which something outside of the profile acts for the program.

use sbpl::ast::{Subject, Target};
use sbpl::{Operation, Request};

use crate::{Trial, about, exec, mac, service, trial};
use objcap_support::mac::{Mac, Name};

/// Grants that differ in every table, and the one that restricts nothing.
const GRANTS: [&str; 5] = [
    "",
    "[fs]\nread = ['/w']",
    "[fs]\nwrite = ['/']\n[exec]\nallow = ['every']\n[net]\naccess = 'open'",
    "[exec]\nallow = ['/usr/bin']",
    "[net]\nsockets = ['/w/s']",
];

fn world() -> Mac {
    mac(&["/w/f"])
}

fn is_open(text: &str) -> bool {
    !text.contains("[net]") || text.contains("access = 'open'")
}

/// A certificate was checked nowhere, and every program that speaks TLS failed: the services are open with the
/// network, by their whole names, and closed with it.
#[test]
fn certificates_are_checked_while_the_network_is_open() {
    let mac = world();
    for text in GRANTS {
        let trial = trial(&mac, text);
        trial.done(&[service("com.apple.system.opendirectoryd.libinfo")]);
        let network = [
            "com.apple.trustd",
            "com.apple.trustd.agent",
            "com.apple.SystemConfiguration.configd",
            "com.apple.dnssd.service",
        ];
        for name in network {
            assert_eq!(trial.calls(&service(name)), is_open(text), "{text}: {name}");
        }
        trial.refused(&[
            service("com.apple.trustd.agent.other"),
            service("com.apple.trust"),
            service("x.com.apple.trustd"),
        ]);
    }
}

/// The keychain came with the network: who asks for certificates is given every password. And programs that
/// others start for one: a document or an address handed over runs outside.
#[test]
fn the_keychain_and_what_starts_programs_stay_closed_whatever_the_grant() {
    let mac = world();
    let closed = [
        "com.apple.SecurityServer",
        "com.apple.securityd.xpc",
        "com.apple.secd",
        "com.apple.coreservices.launchservicesd",
        "com.apple.coreservices.quarantine-resolver",
        "com.apple.lsd.mapdb",
        "com.apple.lsd.open",
        "com.apple.pasteboard.1",
        "com.apple.coreservices.appleevents",
        "com.apple.tccd",
        "com.apple.windowserver.active",
        "com.apple.cfprefsd.daemon",
    ];
    for text in GRANTS {
        let trial = trial(&mac, text);
        trial.done(&[service("com.apple.logd"), service("com.apple.dyld")]);
        trial.refused(&closed.map(service));
        let asked = [
            Request::new(Operation::Lsopen),
            Request::new(Operation::AppleeventSend),
            Request::new(Operation::JobCreation),
            Request::new(Operation::HidControl),
            Request::new(Operation::MachRegister).name(Subject::GlobalName, "com.example.server"),
            Request::new(Operation::MachRegister).name(Subject::LocalName, "com.example.server"),
            Request::new(Operation::MachIssueExtension),
            Request::new(Operation::FileIssueExtension).path("/w/f"),
        ];
        for request in &asked {
            assert!(!trial.allows(request), "{text}: {request:?}");
        }
    }
}

/// The launcher's program may be run, being one of the system's; what it would ask for stays closed.
#[test]
fn a_program_that_opens_others_runs_and_reaches_nobody() {
    let mac = mac(&["/w/f"]);
    let mut mac = mac;
    mac.file("/usr/bin/open", "a program");
    let trial = trial(&mac, "[fs]\nread = ['/w']");
    trial.sessions(|session| {
        session.done(&exec(
            &Name::from("/usr/bin/open"),
            &["-a", "Terminal", "/w/f"],
        ));
        session.refused(&service("com.apple.coreservices.launchservicesd"));
        session.refused(&service("com.apple.lsd.open"));
    });
}

/// A global name's rule stood for a local name, which any program registers for itself.
#[test]
fn a_local_name_is_none_of_the_named_doors() {
    let trial = trial(&world(), "[net]\naccess = 'open'");
    let ask = |subject: Subject| {
        trial.allows(&Request::new(Operation::MachLookup).name(subject, "com.apple.trustd"))
    };
    assert!(ask(Subject::GlobalName));
    assert!(!ask(Subject::LocalName));
}

/// What the rules do not name: everything that the language knows is asked about an object that no grant names,
/// and the list of what is allowed is short enough to be written by hand.
#[test]
fn what_is_allowed_about_nothing_in_particular_is_a_short_list() {
    let mac = world();
    let always = [
        "process-fork",
        "sysctl-read",
        "ipc-posix-shm*",
        "ipc-posix-shm-read*",
        "ipc-posix-shm-read-data",
        "ipc-posix-shm-write*",
        "ipc-posix-shm-write-create",
        "ipc-posix-shm-write-data",
        "ipc-posix-shm-write-unlink",
        "file-ioctl",
        "file-map-executable",
        "iokit-get-properties",
        "darwin-notification-post",
        "socket-ioctl",
        "dynamic-code-generation",
        "syscall-unix",
        // These start allowed, and no rule speaks of them: a process that has no socket sets no option, and
        // nothing runs without the kernel's own calls.
        "socket-option*",
        "socket-option-get",
        "socket-option-set",
        "syscall-mach",
        "syscall-mig",
    ];
    // A socket is bound where files may be made.
    let network = ["network*", "network-inbound"];
    for text in [
        "[fs]\n[net]",
        "[fs]\n[exec]",
        "[fs]\n[exec]\n[net]\naccess = 'open'",
    ] {
        let trial = trial(&mac, text);
        let mut told = Vec::new();
        for operation in Operation::ALL {
            if allows_somehow(&trial, operation) {
                told.push(operation.name());
            }
        }
        let mut expected = always.to_vec();
        if is_open(text) {
            expected.extend(network);
        }
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected, "{text}");
    }
}

/// Whether an operation is allowed about a file, a service or a process that no one has named.
fn allows_somehow(trial: &Trial, operation: &Operation) -> bool {
    let request = Request::new(operation.clone());
    let name = operation.name();
    let request = match name {
        _ if name.starts_with("mach") => request.name(Subject::GlobalName, "com.example"),
        _ if name.starts_with("ipc-posix") => request.name(Subject::IpcPosixName, "example"),
        _ if name.starts_with("sysctl") => request.name(Subject::SysctlName, "kern.example"),
        "signal" => request.target(Target::Others),
        _ if name.starts_with("process-info") => request.target(Target::Others),
        _ => about(operation, "/nobody/named/this"),
    };
    trial.allows(&request)
}
