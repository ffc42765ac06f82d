//! Ends of connections, as `(remote …)` and `(local …)` write them.
//!
//! A host is `*` or `localhost`; nothing else compiles (docs/seatbelt.md, section 5), so nothing
//! else can be said here.

use super::PathMatch;

/// One end of a connection.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Endpoint {
    /// `ip "HOST:PORT"`, `tcp "…"`, … The address may be left out, as in `(remote tcp)`.
    Inet(Protocol, Option<Address>),
    /// `unix-socket`, with a filter on its path or without: `(remote unix-socket (path-literal
    /// "…"))`.
    Unix(Option<PathMatch>),
}

/// The protocol of an [`Endpoint::Inet`].
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Protocol {
    /// Any.
    Ip,
    /// Any, over IPv4.
    Ip4,
    /// Any, over IPv6.
    Ip6,
    /// TCP.
    Tcp,
    /// TCP over IPv4.
    Tcp4,
    /// TCP over IPv6.
    Tcp6,
    /// UDP.
    Udp,
    /// UDP over IPv4.
    Udp4,
    /// UDP over IPv6.
    Udp6,
}

impl Protocol {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Ip,
        Self::Ip4,
        Self::Ip6,
        Self::Tcp,
        Self::Tcp4,
        Self::Tcp6,
        Self::Udp,
        Self::Udp4,
        Self::Udp6,
    ];

    /// The word that stands for it in a profile.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ip => "ip",
            Self::Ip4 => "ip4",
            Self::Ip6 => "ip6",
            Self::Tcp => "tcp",
            Self::Tcp4 => "tcp4",
            Self::Tcp6 => "tcp6",
            Self::Udp => "udp",
            Self::Udp4 => "udp4",
            Self::Udp6 => "udp6",
        }
    }

    /// Finds it by its word.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|protocol| protocol.name() == name)
    }
}

/// `HOST:PORT`.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Address {
    /// The host.
    pub host: Host,
    /// The port.
    pub port: Port,
}

impl Address {
    /// Reads `HOST:PORT`; `None` if it does not compile.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let (host, port) = text.rsplit_once(':')?;
        let host = match host {
            "*" => Host::Any,
            "localhost" => Host::Localhost,
            _ => return None,
        };
        let port = match port {
            "*" => Port::Any,
            // `parse` alone would let a sign through.
            _ if port.bytes().all(|byte| byte.is_ascii_digit()) => Port::Number(port.parse().ok()?),
            _ => return None,
        };
        Some(Self { host, port })
    }
}

/// The host of an [`Address`].
// Exhaustive: nothing else compiles.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Host {
    /// `*`
    Any,
    /// `localhost`
    Localhost,
}

/// The port of an [`Address`].
// Exhaustive: nothing else compiles.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Port {
    /// `*`
    Any,
    /// One port.
    Number(u16),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_what_compiles() {
        let localhost = Address {
            host: Host::Localhost,
            port: Port::Number(8080),
        };
        assert_eq!(Address::parse(b"localhost:8080"), Some(localhost));
        assert_eq!(
            Address::parse(b"*:*"),
            Some(Address {
                host: Host::Any,
                port: Port::Any
            })
        );
        for text in [
            "",
            "*",
            "127.0.0.1:80",
            "localhost:",
            "*:65536",
            "*:+1",
            "*: 1",
        ] {
            assert_eq!(Address::parse(text.as_bytes()), None, "{text:?}");
        }
    }
}
