//! Sockets, names of hosts, terminals, signals, services.

use objcap::walk::Kind;
use objcap_support::mac::{Call, Errno, How, Mac, Outcome, Process};
use sbpl::ast::Target;

use crate::{asked, asks_each, confined, done, name, open, opened, refused, sandbox, world};

fn with_socket() -> Mac {
    let mut mac = world();
    mac.other("/w/socket", Kind::Socket);
    mac
}

#[test]
fn connecting_asks_for_the_sockets_name_and_no_file_rule_stops_it() {
    let mut mac = with_socket();
    let call = Call::Connect(name("socket"));
    asks_each(&mac, &call, &["network-outbound /w/socket"]);
    let rules = "(deny file* (subpath \"/\")) (allow network-outbound (literal \"/w/socket\"))";
    done(&mut mac, rules, &call);
    let rules = "(allow file* (subpath \"/\")) (deny network-outbound (literal \"/w/socket\"))";
    assert_eq!(
        refused(&mut mac, rules, &call),
        "network-outbound /w/socket"
    );
    let mut process = Process::unconfined(&mac, "/w");
    for (path, errno) in [("f", Errno::NOTSOCK), ("none", Errno::NOENT)] {
        let answer = process.call(&mut mac, &Call::Connect(name(path)));
        assert_eq!(answer.outcome, Outcome::Failed(errno));
    }
}

#[test]
fn binding_a_socket_asks_to_create_it_and_to_bind() {
    let mut mac = world();
    let call = Call::Bind(name("new"));
    asks_each(
        &mac,
        &call,
        &["file-write-create /w/new", "network-bind /w/new"],
    );
    let mut process = Process::unconfined(&mac, "/w");
    assert!(process.call(&mut mac, &call).is_done());
    assert_eq!(mac.kind(mac.at("/w/new").unwrap()), Kind::Socket);
    let answer = process.call(&mut mac, &call);
    assert_eq!(answer.outcome, Outcome::Failed(Errno::ADDRINUSE));
}

#[test]
fn tcp_asks_by_direction() {
    let mut mac = world();
    let address = "127.0.0.1:80".parse().unwrap();
    for (call, operation) in [
        (Call::ConnectTcp(address), "network-outbound"),
        (Call::BindTcp(address), "network-bind"),
        (Call::ListenTcp(address), "network-inbound"),
    ] {
        let rules = format!("(allow {operation})");
        assert_eq!(
            done(&mut mac, &rules, &call),
            [format!("{operation} 127.0.0.1:80")]
        );
        refused(&mut mac, "(allow file*)", &call);
    }
    let remote = "(allow network-outbound (remote tcp \"localhost:80\"))";
    done(&mut mac, remote, &Call::ConnectTcp(address));
    let other = "127.0.0.1:81".parse().unwrap();
    refused(&mut mac, remote, &Call::ConnectTcp(other));
}

#[test]
fn a_hosts_name_is_asked_over_the_resolvers_socket_and_no_service() {
    let mut mac = world();
    // The socket alone, with every service denied.
    let socket = "(allow file-read-metadata (literal \"/var\")) \
                  (allow network-outbound (literal \"/private/var/run/mDNSResponder\")) \
                  (deny mach-lookup)";
    let questions = done(&mut mac, socket, &Call::Resolve);
    let want = [
        "file-read-metadata /var",
        "network-outbound /private/var/run/mDNSResponder",
    ];
    assert_eq!(questions, want);
    // Every service, and not the socket.
    let services = "(allow mach-lookup) (allow file-read*)";
    let question = refused(&mut mac, services, &Call::Resolve);
    assert_eq!(question, "network-outbound /private/var/run/mDNSResponder");
}

#[test]
fn a_service_is_looked_up_by_its_name() {
    let mut mac = world();
    let call = |name: &str| Call::LookUpService(name.to_owned());
    let rules = "(allow mach-lookup (global-name \"com.apple.dyld\"))";
    let questions = done(&mut mac, rules, &call("com.apple.dyld"));
    assert_eq!(questions, ["mach-lookup com.apple.dyld"]);
    refused(&mut mac, rules, &call("com.apple.pasteboard.1"));
}

#[test]
fn typing_into_a_terminal_is_under_hid_control_whatever_file_ioctl_says() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let fd = opened(&mut mac, &mut process, "/dev/tty", How::ReadWrite);
    let f = opened(&mut mac, &mut process, "f", How::Read);
    let mut run = |process: &Process, rules: &str, call: &Call| {
        let mut process = process.clone().confined(sandbox(rules, <_>::default()));
        process.call(&mut mac, call)
    };
    let type_ahead = Call::TypeAhead(fd);
    let answer = run(&process, "(allow hid-control)", &type_ahead);
    assert!(answer.is_done());
    assert_eq!(asked(&answer), ["hid-control"]);
    let answer = run(&process, "(allow file-ioctl)", &type_ahead);
    assert!(answer.is_refused());
    let denied = "(allow hid-control) (deny file-ioctl (ioctl-command TIOCSTI))";
    assert!(
        run(&process, denied, &type_ahead).is_done(),
        "another operation"
    );
    // Unconfined, the kernel asks for a controlling terminal; confined, the profile answers first.
    let detached = process.clone().detached();
    let answer = run(&detached, "(allow hid-control)", &type_ahead);
    assert_eq!(answer.outcome, Outcome::Failed(Errno::ACCESS));
    assert!(run(&detached, "", &type_ahead).is_refused());
    let answer = run(&process, "(allow hid-control)", &Call::TypeAhead(f));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::NOTTY));
}

#[test]
fn setting_a_terminals_mode_is_under_file_ioctl() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let fd = opened(&mut mac, &mut process, "/dev/ttys000", How::Read);
    let mut run = |rules: &str| {
        let mut process = process.clone().confined(sandbox(rules, <_>::default()));
        process.call(&mut mac, &Call::SetTerminal(fd))
    };
    let base = "(allow file-ioctl) (deny file-ioctl (ioctl-command TIOCSTI))";
    let answer = run(base);
    assert!(answer.is_done(), "{answer:?}");
    assert_eq!(asked(&answer), ["file-ioctl /dev/ttys000"]);
    assert!(run("(allow hid-control)").is_refused());
}

#[test]
fn signals_and_forks_ask_for_themselves() {
    let mut mac = world();
    let rules = "(allow signal (target same-sandbox))";
    done(&mut mac, rules, &Call::Signal(Target::SameSandbox));
    refused(&mut mac, rules, &Call::Signal(Target::Others));
    assert_eq!(
        done(&mut mac, "(allow process-fork)", &Call::Fork),
        ["process-fork"]
    );
    refused(&mut mac, "(allow process-exec)", &Call::Fork);
    let mut parent = confined(&mac, "(allow file-read-data (literal \"/w/f\"))");
    let fd = parent.call(&mut mac, &open("f", How::Read)).fd();
    let mut child = parent.clone();
    assert!(child.call(&mut mac, &Call::Read(fd)).is_done());
    assert!(
        child
            .call(&mut mac, &open("secret", How::Read))
            .is_refused()
    );
}
