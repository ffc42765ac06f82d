//! Whether an end of a connection is one that a filter means.

use std::net::IpAddr;

use super::answer::Answer;
use super::request::{End, Transport};
use crate::ast::{Address, Host, Port, Protocol};

/// Whether `end` is an internet socket of that protocol and address. No address means any.
pub(super) fn is_inet(end: &End, protocol: Protocol, address: Option<Address>) -> Answer {
    let End::Inet(transport, socket) = end else {
        return Answer::No;
    };
    if !carries(protocol, *transport, socket.ip()) {
        return Answer::No;
    }
    let Some(address) = address else {
        return Answer::Yes;
    };
    let port = match address.port {
        Port::Any => true,
        Port::Number(port) => port == socket.port(),
    };
    match address.host {
        Host::Any => port.into(),
        Host::Localhost => Answer::all([port.into(), is_localhost(socket.ip())]),
    }
}

fn carries(protocol: Protocol, transport: Transport, ip: IpAddr) -> bool {
    let transport = match protocol {
        Protocol::Ip | Protocol::Ip4 | Protocol::Ip6 => true,
        Protocol::Tcp | Protocol::Tcp4 | Protocol::Tcp6 => transport == Transport::Tcp,
        Protocol::Udp | Protocol::Udp4 | Protocol::Udp6 => transport == Transport::Udp,
    };
    let version = match protocol {
        Protocol::Ip | Protocol::Tcp | Protocol::Udp => true,
        Protocol::Ip4 | Protocol::Tcp4 | Protocol::Udp4 => ip.is_ipv4(),
        Protocol::Ip6 | Protocol::Tcp6 | Protocol::Udp6 => ip.is_ipv6(),
    };
    transport && version
}

/// `127.0.0.1` and `::1` are; of other addresses that end on this machine too, such as
/// `127.0.0.2`, `0.0.0.0` or an IPv4 address within IPv6, it is not known.
fn is_localhost(ip: IpAddr) -> Answer {
    let (is_first, may_be) = match ip {
        IpAddr::V4(ip) => (
            ip.octets() == [127, 0, 0, 1],
            ip.is_loopback() || ip.is_unspecified(),
        ),
        IpAddr::V6(ip) => (
            ip.is_loopback(),
            ip.is_unspecified() || ip.to_ipv4().is_some(),
        ),
    };
    match (is_first, may_be) {
        (true, _) => Answer::Yes,
        (false, true) => Answer::Unknown,
        (false, false) => Answer::No,
    }
}

#[cfg(test)]
mod tests {
    use super::Answer::{No, Unknown, Yes};
    use super::*;

    fn tcp(address: &str, protocol: Protocol, filter: Option<&str>) -> Answer {
        let filter = filter.map(|filter| Address::parse(filter.as_bytes()).unwrap());
        is_inet(
            &End::Inet(Transport::Tcp, address.parse().unwrap()),
            protocol,
            filter,
        )
    }

    #[test]
    fn hosts_ports_and_protocols() {
        let cases = [
            ("127.0.0.1:80", Protocol::Ip, Some("localhost:80"), Yes),
            ("[::1]:80", Protocol::Tcp, Some("localhost:*"), Yes),
            ("127.0.0.1:81", Protocol::Ip, Some("localhost:80"), No),
            ("1.1.1.1:80", Protocol::Ip, Some("localhost:80"), No),
            ("1.1.1.1:443", Protocol::Ip, Some("*:443"), Yes),
            ("1.1.1.1:443", Protocol::Udp, None, No),
            ("1.1.1.1:443", Protocol::Tcp4, None, Yes),
            ("1.1.1.1:443", Protocol::Tcp6, None, No),
            ("127.0.0.2:80", Protocol::Ip, Some("localhost:80"), Unknown),
            ("0.0.0.0:80", Protocol::Ip, Some("localhost:81"), No),
            (
                "[::ffff:127.0.0.1]:80",
                Protocol::Ip,
                Some("localhost:80"),
                Unknown,
            ),
        ];
        for (address, protocol, filter, expected) in cases {
            assert_eq!(
                tcp(address, protocol, filter),
                expected,
                "{address} {filter:?}"
            );
        }
    }
}
