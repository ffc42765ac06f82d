//! Addresses, sockets of other programs, and names of hosts. The guard has no act for them: the grant says
//! which sockets, and the kernel is asked.

use objcap::capability::Act::{Create, Read, Stat};
use objcap::capability::NetAccess;
use objcap::object::RealPath;
use objcap::sandbox::{Asked, Decision};
use objcap::walk::Kind;
use objcap_support::mac::{Call, Mac, Name};
use objcap_support::trial::Tries as _;
use sbpl::judge::{Socket, Transport};
use sbpl::{Operation, Request};

use crate::{Trial, layers, mac, read, trial};

fn connect(path: &str) -> Call {
    Call::Connect(Name::from(path))
}

fn sockets(mac: &mut Mac, paths: &[&str]) {
    for path in paths {
        mac.other(path, Kind::Socket);
        mac.give(path);
    }
}

/// Loopback in its three spellings, and the world.
const ADDRESSES: [&str; 5] = [
    "127.0.0.1:3000",
    "[::1]:3000",
    "[::ffff:127.0.0.1]:3000",
    "192.0.2.1:443",
    "[2001:db8::1]:443",
];

fn tcp() -> Vec<Call> {
    let addresses = ADDRESSES.map(|one| one.parse().unwrap());
    let calls = addresses.into_iter();
    calls
        .flat_map(|one| {
            [
                Call::ConnectTcp(one),
                Call::BindTcp(one),
                Call::ListenTcp(one),
            ]
        })
        .collect()
}

/// The network was denied in one direction, or for one family: a server at the loopback answered, or a
/// connection to it counted as local. Closed is closed for all of them.
#[test]
fn a_closed_network_is_closed_in_every_direction_and_family() {
    let mac = mac(&["/w/f"]);
    let open = trial(&mac, "[fs]\nwrite = ['/w']\n[net]\naccess = 'open'");
    open.done(&tcp());
    let untold = trial(&mac, "[fs]\nwrite = ['/w']");
    untold.done(&tcp());
    for closed in ["[net]", "[net]\naccess = 'offline'"] {
        let closed = trial(&mac, &format!("[fs]\nwrite = ['/w']\n{closed}"));
        closed.done(&[read("/w/f")]);
        closed.refused(&tcp());
        closed.refused(&[Call::Resolve]);
    }
}

/// A filter on the near end matched any connection that leaves from this machine.
#[test]
fn a_near_end_at_the_loopback_opens_nothing() {
    let mac = mac(&["/s/"]);
    let leave = |transport: Transport| {
        let near = Socket::Inet(transport, "127.0.0.1:0".parse().unwrap());
        let far = Socket::Inet(transport, "192.0.2.1:443".parse().unwrap());
        Request::new(Operation::NetworkOutbound)
            .local(near)
            .remote(far)
    };
    let open = trial(&mac, "[net]\naccess = 'open'");
    let closed = trial(&mac, "[net]\nsockets = ['/s/agent']");
    for transport in [Transport::Tcp, Transport::Udp] {
        assert!(open.allows(&leave(transport)));
        assert!(!closed.allows(&leave(transport)));
    }
}

/// A right to a socket's file was taken for a right to connect, and an open network for every socket.
#[test]
fn a_socket_is_connected_to_if_it_is_named_and_not_otherwise() {
    let mut mac = mac(&["/s/f"]);
    sockets(&mut mac, &["/s/agent", "/s/other", "/private/tmp/x/agent"]);
    for access in ["offline", "open"] {
        let text = format!(
            "[fs]\nwrite = ['/s', '/tmp']\n[net]\naccess = '{access}'\nsockets = ['/s/agent', '/tmp/x/agent']"
        );
        let trial = trial(&mac, &text);
        trial.done(&[connect("/s/agent"), connect("/s/AGENT")]);
        trial.done(&[connect("/tmp/x/agent"), connect("/private/tmp/x/agent")]);
        trial.refused(&[connect("/s/other")]);
        assert_eq!(
            trial.question(&connect("/s/other")),
            "network-outbound /s/other"
        );
    }
    let unnamed = trial(&mac, "[fs]\nwrite = ['/s']");
    unnamed.done(&[read("/s/f")]);
    unnamed.refused(&[connect("/s/agent"), connect("/s/other")]);
}

/// A socket named by a link, and one that lies in a place that is no part of the files: the name is a door, and
/// its folder none.
#[test]
fn a_named_socket_is_reached_by_its_link_and_opens_no_folder() {
    let mut mac = mac(&["/w/l -> ../s/agent", "/s/below/", "/w/f"]);
    sockets(&mut mac, &["/s/agent", "/s/below/agent"]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/w']\n[net]\nsockets = ['/w/l', '/s/below']",
    );
    trial.done(&[connect("/s/agent"), connect("/w/l")]);
    trial.refused(&[connect("/s/below/agent"), read("/s"), read("/s/below")]);
    assert!(!trial.decides(&Operation::FileReadData, "/s/agent"));
}

/// The socket was named and the way to it was not: a process that may not look at the links and folders above it
/// never gets there. And the way to a socket that is closed by an exclusion was opened all the same.
#[test]
fn the_way_to_a_named_socket_is_passed_and_looked_at_and_no_more() {
    let mut mac = mac(&["/w/f", "/a/l -> ../v/deep/agent", "/v/f", "/u/x/y/f"]);
    let at = [
        "/private/tmp/x/agent",
        "/private/var/run/agent",
        "/v/deep/agent",
        "/u/x/y/agent",
    ];
    sockets(&mut mac, &at);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/w']\nexclude = ['/u/x/y']\n\
         [net]\nsockets = ['/tmp/x/agent', '/var/run/agent', '/a/l', '/u/x/y/agent']",
    );
    trial.done(&[
        connect("/tmp/x/agent"),
        connect("/private/tmp/x/agent"),
        connect("/var/run/agent"),
        connect("/a/l"),
        connect("/v/deep/agent"),
    ]);
    trial.admits(&[
        (Stat, &["/private/tmp/x"]),
        (Stat, &["/v/deep"]),
        (Stat, &["/tmp/x"]),
        (Stat, &["/a"]),
    ]);
    trial.refuses(&[
        (Read, &["/private/tmp/x"]),
        (Read, &["/v/deep"]),
        (Create, &["/v/deep/new"]),
        (Stat, &["/v/f"]),
        (Stat, &["/u/x"]),
        (Stat, &["/u"]),
    ]);
    trial.refused(&[connect("/u/x/y/agent")]);
}

/// A deny of files left the socket's door open, since the kernel asks no file rule about it.
#[test]
fn an_exclusion_of_files_closes_the_doors_that_lie_in_it() {
    let mut mac = mac(&["/s/f"]);
    sockets(&mut mac, &["/s/agent", "/s/in/agent", "/s/in/other"]);
    for access in ["offline", "open"] {
        let text = format!(
            "[fs]\nwrite = ['/s']\nexclude = ['/s/in']\n[net]\naccess = '{access}'\nsockets = ['/s/agent', '/s/in/agent']"
        );
        let trial = trial(&mac, &text);
        trial.done(&[connect("/s/agent")]);
        trial.refused(&[
            connect("/s/in/agent"),
            connect("/s/IN/agent"),
            connect("/s/in/other"),
        ]);
    }
}

/// Names of hosts go over a socket: who excludes its folder, by either name, closes it, and nothing else.
#[test]
fn an_open_network_whose_resolver_is_excluded_knows_addresses_alone() {
    let mac = mac(&["/w/f"]);
    let text = |exclude: &str| {
        format!("[fs]\nread = ['/w']\nexclude = [{exclude}]\n[net]\naccess = 'open'")
    };
    trial(&mac, &text("")).done(&[Call::Resolve]);
    for exclude in ["'/var/run/mDNSResponder'", "'/private/var/run'", "'/var'"] {
        let closed = trial(&mac, &text(exclude));
        closed.done(&tcp());
        closed.done(&[read("/w/f")]);
        closed.refused(&[Call::Resolve]);
    }
}

/// A socket of a program's own counts as network: offline it is not bound, whatever the files say; with the
/// network open it is bound where files may be made, and nowhere else.
#[test]
fn a_socket_of_its_own_is_bound_where_files_are_made_and_the_network_is_open() {
    let mac = mac(&["/w/f", "/r/f"]);
    let bind = |path: &str| Call::Bind(Name::from(path));
    let fs = "[fs]\nread = ['/r']\nwrite = ['/w']\nexclude = ['/w/key']\n[net]\naccess";
    let open = trial(&mac, &format!("{fs} = 'open'"));
    open.done(&[bind("/w/own")]);
    assert_eq!(open.question(&bind("/r/own")), "file-write-create /r/own");
    assert_eq!(open.question(&bind("/w/key")), "file-write-create /w/key");
    // Where binding alone were asked about, the exclusion would say no to that too.
    assert!(!open.decides(&Operation::NetworkBind, "/w/key"));
    let closed = trial(&mac, &format!("{fs} = 'offline'"));
    closed.done(&[read("/w/f")]);
    assert_eq!(closed.question(&bind("/w/own")), "network-bind /w/own");
}

/// Letters of a pattern in a socket's name made it a pattern of sockets, or a rule of its own.
#[test]
fn a_sockets_name_is_no_pattern() {
    let names = [
        "a[1].sock",
        "*",
        "a.sock",
        "a\"b",
        "a\\",
        "x) (allow default",
        "#\"",
        "é;x",
    ];
    let others = ["a1.sock", "any", "aXsock", "ab", "a", "x"];
    let mut mac = mac(&["/s/"]);
    for name in names.iter().chain(&others) {
        sockets(&mut mac, &[&format!("/s/{name}")]);
    }
    for name in names {
        let quoted = toml(&format!("/s/{name}"));
        let trial = trial(&mac, &format!("[net]\nsockets = [{quoted}]"));
        for other in names.iter().chain(&others) {
            let call = connect(&format!("/s/{other}"));
            assert_eq!(trial.calls(&call), *other == name, "{name:?} {other:?}");
        }
    }
}

fn toml(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// One of two grants closed the network, and the other one's sockets stayed.
#[test]
fn of_two_layers_the_sockets_that_both_name_are_left() {
    let mut mac = mac(&["/s/"]);
    sockets(&mut mac, &["/s/a", "/s/b", "/s/c"]);
    let one = "[net]\naccess = 'open'\nsockets = ['/s/a', '/s/b']";
    let other = "[net]\nsockets = ['/s/b', '/s/c']";
    for texts in [[one, other], [other, one]] {
        let both = layers(&mac, &texts);
        assert_eq!(both.stack.net(), NetAccess::Offline);
        both.done(&[connect("/s/b")]);
        both.refused(&[connect("/s/a"), connect("/s/c"), Call::Resolve]);
        both.refused(&tcp());
    }
    trial(&mac, one).done(&[connect("/s/a")]);
}

/// The explanation answered for files and was silent about sockets, so that it said no where the kernel said
/// yes.
#[test]
fn what_is_explained_about_a_socket_is_what_the_kernel_does() {
    let mut mac = mac(&["/s/"]);
    sockets(&mut mac, &["/s/agent", "/s/other"]);
    let trial = trial(&mac, "[net]\naccess = 'open'\nsockets = ['/s/agent']");
    let explained = |trial: &Trial, name: &str| {
        let asked = Asked {
            operation: Operation::NetworkOutbound,
            names: vec![RealPath::new(name).unwrap()],
        };
        trial.profile.explain(&[asked]).settled()
    };
    for (name, decision) in [("/s/agent", Decision::Allow), ("/s/other", Decision::Deny)] {
        assert_eq!(explained(&trial, name), Some(decision), "{name}");
        assert_eq!(trial.calls(&connect(name)), decision == Decision::Allow);
    }
    let resolver = "/private/var/run/mDNSResponder";
    assert_eq!(explained(&trial, resolver), Some(Decision::Allow));
    trial.done(&[Call::Resolve]);
}
