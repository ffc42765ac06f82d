//! What holds under the grants, by name. A person wrote each, from what programs need and what a grant says
//! (docs/seatbelt.md, section 7), and not from a profile.

use sbpl::ast::{Quantity, Subject, Symbol, Target, Value};
use sbpl::judge::{Socket, Transport};
use sbpl::{Operation, Request};

const MIXED: usize = 0;
const FREE: usize = 1;
const OPEN: usize = 2;

/// What holds under a grant: whether a request is allowed, whatever the reading.
pub(crate) struct Expectation {
    pub(crate) name: &'static str,
    pub(crate) grant: usize,
    pub(crate) request: Request,
    pub(crate) allowed: bool,
}

fn on(operation: Operation, path: &str) -> Request {
    Request::new(operation).path(path)
}

fn unix(path: &str) -> Socket {
    Socket::Unix(path.as_bytes().to_vec())
}

fn tcp() -> Socket {
    Socket::Inet(Transport::Tcp, "192.0.2.1:443".parse().unwrap())
}

fn service(name: &str) -> Request {
    Request::new(Operation::MachLookup).name(Subject::GlobalName, name)
}

pub(crate) fn expectations() -> Vec<Expectation> {
    use Operation as Op;
    let mut all = Vec::new();
    let mut add = |name, grant, request: Request, allowed| {
        all.push(Expectation {
            name,
            grant,
            request,
            allowed,
        });
    };
    for grant in [MIXED, FREE, OPEN] {
        let ask = |operation: Op| Request::new(operation);
        add(
            "other processes are not looked at",
            grant,
            ask(Op::ProcessInfo).target(Target::Others),
            false,
        );
        add(
            "firmware variables are not read",
            grant,
            ask(Op::Nvram),
            false,
        );
        add(
            "privileges are not asked for",
            grant,
            ask(Op::SystemPrivilege),
            false,
        );
        let crossing = ask(Op::MachCrossDomainLookup).name(Subject::GlobalName, "com.apple.dyld");
        add(
            "services of another domain are not found",
            grant,
            crossing,
            false,
        );
        add("a program forks", grant, ask(Op::ProcessFork), true);
        let cpus = ask(Op::SysctlRead).name(Subject::SysctlName, "hw.ncpu");
        add(
            "libdispatch reads how many processors there are",
            grant,
            cpus,
            true,
        );
        add(
            "a time-out's signal lands",
            grant,
            ask(Op::Signal).target(Target::SameSandbox),
            true,
        );
        let shm = |name: &str| ask(Op::IpcPosixShmReadData).name(Subject::IpcPosixName, name);
        add("frameworks share memory at start", grant, shm("x"), true);
        add(
            "the notification center's memory is read",
            grant,
            shm("apple.shm.notification_center"),
            true,
        );
        let ioctl = |command: &str| {
            let command = Value::Symbol(Symbol::new(command).unwrap());
            on(Op::FileIoctl, "/dev/tty").value(Quantity::IoctlCommand, command)
        };
        add("a terminal is set", grant, ioctl("TIOCSETA"), true);
        add(
            "nothing is typed into a terminal",
            grant,
            ioctl("TIOCSTI"),
            false,
        );
        add(
            "a library of the system is mapped",
            grant,
            on(Op::FileMapExecutable, "/usr/lib/libSystem.B.dylib"),
            true,
        );
        add(
            "frameworks ask what the machine is",
            grant,
            ask(Op::IokitGetProperties),
            true,
        );
        add(
            "a notification is posted",
            grant,
            ask(Op::DarwinNotificationPost),
            true,
        );
        add("a socket is asked about", grant, ask(Op::SocketIoctl), true);
        add(
            "a program compiles as it runs",
            grant,
            ask(Op::DynamicCodeGeneration),
            true,
        );
        add(
            "a program makes system calls",
            grant,
            ask(Op::SyscallUnix),
            true,
        );
        for door in [
            "com.apple.dyld",
            "com.apple.system.notification_center",
            "com.apple.system.opendirectoryd.libinfo",
            "com.apple.system.opendirectoryd.membership",
            "com.apple.logd",
            "com.apple.system.logger",
        ] {
            add(
                "a service that every program needs is found",
                grant,
                service(door),
                true,
            );
        }
        add(
            "a service that nothing names is not found",
            grant,
            service("com.apple.pasteboard.1"),
            false,
        );
    }
    for (path, allowed) in [
        ("/r/f", true),
        ("/w/f", true),
        ("/tmp/t/f", true),
        ("/private/tmp/t/f", true),
    ] {
        add(
            "what is granted is read",
            MIXED,
            on(Op::FileReadData, path),
            allowed,
        );
        add(
            "what is granted is looked at",
            MIXED,
            on(Op::FileReadMetadata, path),
            allowed,
        );
        add(
            "what is granted is known to exist",
            MIXED,
            on(Op::FileTestExistence, path),
            allowed,
        );
        add(
            "what is read is cloned",
            MIXED,
            on(Op::FileClone, path),
            allowed,
        );
    }
    for way in ["/private", "/private/tmp", "/tmp", "/l"] {
        add(
            "the way to what is granted is looked at",
            MIXED,
            on(Op::FileReadMetadata, way),
            true,
        );
        add(
            "the way to what is granted is known to exist",
            MIXED,
            on(Op::FileTestExistence, way),
            true,
        );
    }
    add("the root is read", MIXED, on(Op::FileReadData, "/"), true);
    add(
        "the root is known to exist",
        MIXED,
        on(Op::FileTestExistence, "/"),
        true,
    );
    add(
        "the root is cloned by no one",
        MIXED,
        on(Op::FileClone, "/"),
        false,
    );
    add(
        "what nothing grants is not read",
        MIXED,
        on(Op::FileReadData, "/out/f"),
        false,
    );
    add(
        "what nothing grants is not known to exist",
        MIXED,
        on(Op::FileTestExistence, "/out/f"),
        false,
    );
    add(
        "what is not read is not cloned",
        MIXED,
        on(Op::FileClone, "/out/f"),
        false,
    );
    add(
        "what is not written is not linked",
        MIXED,
        on(Op::FileLink, "/r/f"),
        false,
    );
    for operation in [
        Op::FileWriteData,
        Op::FileWriteCreate,
        Op::FileWriteUnlink,
        Op::FileWriteMode,
        Op::FileLink,
    ] {
        for path in ["/w/f", "/tmp/t/f", "/private/tmp/t/f"] {
            add(
                "what may be written is written",
                MIXED,
                on(operation.clone(), path),
                true,
            );
        }
        for path in [
            "/w/key",
            "/w/KEY",
            "/w/hooks/one",
            "/tmp/t/k",
            "/usr/local/bin/objcap",
        ] {
            add(
                "what is excluded, protected or our own is not written",
                MIXED,
                on(operation.clone(), path),
                false,
            );
        }
    }
    for device in ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"] {
        add(
            "every program writes to the devices that swallow",
            MIXED,
            on(Op::FileWriteData, device),
            true,
        );
    }
    for operation in [
        Op::FileReadData,
        Op::FileReadMetadata,
        Op::FileTestExistence,
        Op::FileClone,
        Op::FileMapExecutable,
        Op::FileIoctl,
        Op::FileWriteData,
        Op::FileLink,
    ] {
        for path in ["/w/key", "/w/key/below", "/private/tmp/t/k", "/tmp/t/K"] {
            add(
                "what is excluded is out of reach",
                MIXED,
                on(operation.clone(), path),
                false,
            );
        }
    }
    for program in ["/usr/bin/git", "/bin/sh", "/usr/bin/env"] {
        add(
            "what is admitted runs",
            MIXED,
            on(Op::ProcessExec, program),
            true,
        );
    }
    for program in [
        "/usr/bin/osascript",
        "/usr/bin/curl",
        "/usr/sbin/sysctl",
        "/out/bin/tool",
    ] {
        add(
            "what is excluded, vetoed, not admitted or not read does not run",
            MIXED,
            on(Op::ProcessExec, program),
            false,
        );
    }
    for (operation, path) in [
        (Op::FileWriteUnlink, "/w"),
        (Op::FileWriteUnlink, "/w/a"),
        (Op::FileWriteUnlink, "/w/a/b"),
        (Op::FileWriteUnlink, "/tmp/t"),
        (Op::FileWriteUnlink, "/private/tmp/t"),
        (Op::FileWriteCreate, "/w/new"),
        (Op::FileWriteCreate, "/w/new/deep"),
        (Op::FileClone, "/w/a"),
        (Op::FileClone, "/w"),
    ] {
        add(
            "what holds an exclusion stays, is not made, and is not cloned",
            MIXED,
            on(operation, path),
            false,
        );
    }
    add(
        "its entries stay free",
        MIXED,
        on(Op::FileWriteUnlink, "/w/a/b/other"),
        true,
    );
    let connect = |path: &str| Request::new(Op::NetworkOutbound).remote(unix(path));
    add(
        "a named socket is connected to",
        MIXED,
        connect("/private/tmp/t/agent"),
        true,
    );
    add(
        "another is not",
        MIXED,
        connect("/private/tmp/t/other"),
        false,
    );
    add(
        "offline there is no address",
        MIXED,
        Request::new(Op::NetworkOutbound).remote(tcp()),
        false,
    );
    for grant in [FREE, OPEN] {
        add(
            "online there is",
            grant,
            Request::new(Op::NetworkOutbound).remote(tcp()),
            true,
        );
        add(
            "another program's socket is closed",
            grant,
            connect("/w/other"),
            false,
        );
        add(
            "names are resolved",
            grant,
            connect("/private/var/run/mDNSResponder"),
            true,
        );
        for door in [
            "com.apple.SystemConfiguration.configd",
            "com.apple.dnssd.service",
            "com.apple.trustd",
            "com.apple.trustd.agent",
        ] {
            add(
                "a service that is the network is found",
                grant,
                service(door),
                true,
            );
        }
    }
    add(
        "a named socket is connected to",
        FREE,
        connect("/w/agent"),
        true,
    );
    let bind = |path: &str| Request::new(Op::NetworkBind).local(unix(path));
    add(
        "a socket is bound where files are made",
        OPEN,
        bind("/w/own"),
        true,
    );
    for path in ["/r/own", "/w/key", "/w/hooks/own"] {
        add("and nowhere else", OPEN, bind(path), false);
    }
    add(
        "a socket is bound anywhere where files are free",
        FREE,
        bind("/r/own"),
        true,
    );
    add(
        "a device that is excluded is not written to",
        OPEN,
        on(Op::FileWriteData, "/dev/zero"),
        false,
    );
    add(
        "a socket that is named and excluded is not connected to",
        OPEN,
        connect("/w/s/agent"),
        false,
    );
    add(
        "what is excluded is not connected to",
        OPEN,
        connect("/w/key"),
        false,
    );
    for operation in [
        Op::FileReadData,
        Op::FileWriteCreate,
        Op::FileLink,
        Op::FileClone,
        Op::FileTestExistence,
        Op::FileReadMetadata,
    ] {
        add("files are free", FREE, on(operation, "/anything"), true);
    }
    add(
        "what is free to run runs",
        FREE,
        on(Op::ProcessExec, "/usr/bin/git"),
        true,
    );
    add(
        "what is excluded from running does not",
        FREE,
        on(Op::ProcessExec, "/usr/bin/osascript"),
        false,
    );
    add(
        "our own file is not written where files are free",
        FREE,
        on(Op::FileWriteData, "/usr/local/bin/objcap"),
        false,
    );
    add(
        "our own file is not moved away",
        FREE,
        on(Op::FileWriteUnlink, "/usr/local/bin"),
        false,
    );
    add(
        "a folder that holds our own file is not cloned",
        FREE,
        on(Op::FileClone, "/usr/local/bin"),
        false,
    );
    add(
        "a root alias is not taken away",
        OPEN,
        on(Op::FileWriteUnlink, "/tmp"),
        false,
    );
    add(
        "nor made anew",
        OPEN,
        on(Op::FileWriteCreate, "/tmp"),
        false,
    );
    all
}
