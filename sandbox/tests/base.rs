//! What every profile says, tried: an operation that is admitted first, then what is not.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap_capability::{Grant, Stack};
use objcap_object::Host;
use objcap_sandbox::{Profile, withheld_doors};
use sbpl::ast::{Quantity, Subject, Symbol, Target, Value};
use sbpl::judge::{Decision, Request, Socket, Transport};
use sbpl::{Judge, Operation, parse};

/// Grants that differ in every table.
const GRANTS: &[&str] = &[
    "",
    "[fs]",
    "[fs]\nread = ['~/app']\nwrite = ['/tmp/w']\nexclude = ['~/app/.env']\nprotect = ['/tmp/w/.git']",
    "[exec]",
    "[exec]\nallow = ['every']\nveto = ['curl']",
    "[fs]\nread = ['/']\n[exec]\nallow = ['/usr/bin']",
    "[fs]\nwrite = ['/']",
    "[net]",
    "[net]\naccess = 'offline'\nsockets = ['/tmp/agent.sock']",
];

fn judge(grant: &str) -> Judge {
    let host = Host::stock_mac();
    let grant = Grant::parse("g.toml", grant.as_bytes(), &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let profile = Profile::render(&stack, &host).unwrap();
    Judge::new(parse(profile.text().as_bytes()).profile())
}

/// Under every grant, every reading allows the one and denies the other.
fn tried(admitted: &[Request], refused: &[Request]) {
    for grant in GRANTS {
        let judge = judge(grant);
        for request in admitted {
            let decision = judge.settle(request).decision();
            assert_eq!(decision, Decision::Allow, "{grant}: {request:?}");
        }
        for request in refused {
            let decision = judge.settle(request).decision();
            assert_eq!(decision, Decision::Deny, "{grant}: {request:?}");
        }
    }
}

fn ask(operation: Operation) -> Request {
    Request::new(operation)
}

fn on(operation: Operation, path: &str) -> Request {
    ask(operation).path(path)
}

fn service(name: &str) -> Request {
    ask(Operation::MachLookup).name(Subject::GlobalName, name)
}

#[test]
fn a_program_can_start() {
    tried(
        &[
            ask(Operation::ProcessFork),
            ask(Operation::SysctlRead).name(Subject::SysctlName, "hw.ncpu"),
            ask(Operation::IpcPosixShmWriteCreate).name(Subject::IpcPosixName, "x"),
            ask(Operation::IpcPosixShmReadData)
                .name(Subject::IpcPosixName, "apple.shm.notification_center"),
            on(Operation::FileReadData, "/"),
            on(Operation::FileReadData, "/private/var/db/timezone/icutz"),
            on(
                Operation::FileReadData,
                "/private/var/db/timezone/icutz/icutz44l.dat",
            ),
            on(Operation::FileWriteData, "/dev/null"),
            on(Operation::FileWriteData, "/dev/zero"),
            on(Operation::FileWriteData, "/dev/tty"),
            on(Operation::FileWriteData, "/dev/dtracehelper"),
            ask(Operation::DynamicCodeGeneration),
            ask(Operation::SyscallUnix),
        ],
        &[
            ask(Operation::SysctlWrite).name(Subject::SysctlName, "kern.hostname"),
            ask(Operation::HidControl),
            ask(Operation::JobCreation),
        ],
    );
}

#[test]
fn signals_stay_inside() {
    tried(
        &[ask(Operation::Signal).target(Target::SameSandbox)],
        &[ask(Operation::Signal).target(Target::Others)],
    );
}

#[test]
fn other_processes_are_not_looked_at() {
    tried(
        &[ask(Operation::ProcessInfo).target(Target::Itself)],
        &[
            ask(Operation::ProcessInfo).target(Target::Others),
            ask(Operation::Nvram),
            ask(Operation::SystemPrivilege),
            ask(Operation::MachCrossDomainLookup).name(Subject::GlobalName, "com.apple.dyld"),
        ],
    );
}

/// The kernel asks for `hid-control` (docs/seatbelt.md, section 3), and the profile says no to both.
#[test]
fn a_terminal_is_set_and_never_typed_into() {
    let ioctl = |command: &str| {
        let command = Value::Symbol(Symbol::new(command).unwrap());
        on(Operation::FileIoctl, "/dev/tty").value(Quantity::IoctlCommand, command)
    };
    tried(
        &[ioctl("TIOCSETA")],
        &[ioctl("TIOCSTI"), ask(Operation::HidControl)],
    );
}

#[test]
fn doors_are_opened_by_name_and_withheld_with_a_reason() {
    let named = [
        "com.apple.dyld",
        "com.apple.system.notification_center",
        "com.apple.system.opendirectoryd.libinfo",
        "com.apple.system.opendirectoryd.membership",
        "com.apple.logd",
    ];
    let mut refused = vec![
        service("com.apple.windowserver.active"),
        service("com.apple.dyld.evil"),
        ask(Operation::MachRegister).name(Subject::GlobalName, "com.apple.dyld"),
        ask(Operation::MachPrivHostPort),
    ];
    for door in withheld_doors() {
        assert!(door.reason.len() > 20, "{door:?}");
        refused.push(service(door.name.trim_end_matches('.')));
        refused.push(service(&format!("{}mapdb", door.name)));
    }
    tried(&named.map(service), &refused);
}

fn connect(to: Socket) -> Request {
    let request = ask(Operation::NetworkOutbound).remote(to.clone());
    match &to {
        Socket::Unix(path) => request.path(path),
        _ => request,
    }
}

/// Every rule of every offline profile is asked, and an open network beside it, so that the refusals
/// are not those of a profile that refuses everything.
#[test]
fn names_are_not_resolved_while_the_network_is_closed() {
    let resolver = || connect(Socket::Unix(b"/private/var/run/mDNSResponder".to_vec()));
    let twin = || connect(Socket::Unix(b"/var/run/mDNSResponder".to_vec()));
    let address = || {
        connect(Socket::Inet(
            Transport::Tcp,
            "192.0.2.1:53".parse().unwrap(),
        ))
    };
    let asked = [
        resolver(),
        twin(),
        address(),
        service("com.apple.dnssd.service"),
        service("com.apple.SystemConfiguration.configd"),
        service("com.apple.trustd"),
    ];
    let mut closed = 0;
    for grant in GRANTS {
        let offline = grant.contains("[net]");
        let grant = match offline {
            true => (*grant).to_owned(),
            false => format!("{grant}\n[net]\naccess = 'offline'"),
        };
        let judge = judge(&grant);
        for request in &asked {
            let decision = judge.settle(request).decision();
            assert_eq!(decision, Decision::Deny, "{grant}: {request:?}");
            closed += 1;
        }
    }
    assert_eq!(closed, GRANTS.len() * asked.len());
    let open = judge("[net]\naccess = 'open'");
    for request in &asked {
        assert_eq!(
            open.settle(request).decision(),
            Decision::Allow,
            "{request:?}"
        );
    }
}

#[test]
fn the_sockets_of_other_programs_are_opened_one_by_one() {
    let socket = |path: &str| connect(Socket::Unix(path.as_bytes().to_vec()));
    for access in ["open", "offline"] {
        let judge = judge(&format!(
            "[fs]\nwrite = ['/tmp']\n[net]\naccess = '{access}'\nsockets = ['/tmp/agent.sock']"
        ));
        for named in ["/private/tmp/agent.sock", "/tmp/agent.sock"] {
            let decision = judge.settle(&socket(named)).decision();
            assert_eq!(decision, Decision::Allow, "{access} {named}");
        }
        for other in [
            "/private/tmp/other.sock",
            "/private/var/run/docker.sock",
            "/private/tmp",
        ] {
            let decision = judge.settle(&socket(other)).decision();
            assert_eq!(decision, Decision::Deny, "{access} {other}");
        }
    }
    // An exclusion wins over a door, too.
    let judge = judge("[fs]\nexclude = ['/tmp/x']\n[net]\nsockets = ['/tmp/x/s', '/tmp/y']");
    assert_eq!(
        judge.settle(&socket("/private/tmp/y")).decision(),
        Decision::Allow
    );
    assert_eq!(
        judge.settle(&socket("/private/tmp/x/s")).decision(),
        Decision::Deny
    );
}

#[test]
fn an_offline_grant_cannot_name_the_resolver() {
    let host = Host::stock_mac();
    let render = |grant: &str| {
        let grant = Grant::parse("g.toml", grant.as_bytes(), &host.vars).unwrap();
        Profile::render(&Stack::freeze(&[grant], &host).unwrap(), &host)
    };
    assert!(render("[net]\nsockets = ['/var/run/other']").is_ok());
    for name in ["/var/run/mDNSResponder", "/private/var/run/MDNSResponder"] {
        let error = render(&format!("[net]\nsockets = ['{name}']")).unwrap_err();
        assert_eq!(error.kind(), objcap_sandbox::ErrorKind::Resolver, "{name}");
        assert!(
            error.to_string().starts_with("g.toml:2:12: net.sockets `"),
            "{error}"
        );
    }
}
