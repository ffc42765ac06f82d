//! Denials about the network: addresses, and sockets of other programs.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use objcap_capability::{Access, Layer, NetAccess, Sockets};
use objcap_object::{RealPath, World};
use sbpl::Operation;
use sbpl::judge::{Request, Socket, Transport};

use super::examine::Examined;
use super::files::{Files, Need, spoken_against};
use super::{Addition, Cause, Diagnosis, Hint, Note, Setting, spelling};
use crate::profile::base::RESOLVER;

impl<'a, W: World> Files<'a, W> {
    /// A denial about an address of the internet, or about one that is not told.
    pub(super) fn address(&self, operation: &Operation) -> Diagnosis<'a> {
        // No rule speaks of one address, so that any stands for all (RFC 5737 keeps this one for examples).
        let any = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 443);
        let end = Socket::Inet(Transport::Tcp, any);
        let request = Request::new(operation.clone());
        let request = match operation {
            Operation::NetworkBind | Operation::NetworkInbound => request.local(end),
            _ => request.remote(end),
        };
        match Examined::of(self.profile, &[request]) {
            Examined::Admitted => Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => Diagnosis::by(self.opened(Vec::new()), denying),
        }
    }

    /// A denial about a socket in the file system.
    pub(super) fn socket(&self, operation: &Operation, path: &[u8]) -> Diagnosis<'a> {
        let Some(real) = self.real(path) else {
            return Diagnosis::of(Hint::Unknown(Cause::Unread));
        };
        let own = !matches!(operation, Operation::NetworkOutbound | Operation::Network);
        let requests = objcap_capability::spellings(&real, self.host)
            .into_iter()
            .map(|name| {
                let end = Socket::Unix(name.as_bytes().to_vec());
                let request = Request::new(operation.clone());
                match own {
                    true => request.local(end),
                    false => request.remote(end),
                }
            });
        let requests: Vec<_> = requests.collect();
        let denying = match Examined::of(self.profile, &requests) {
            Examined::Admitted => return Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => denying,
        };
        let hint = spoken_against(denying).unwrap_or_else(|| {
            let mut resolvers = RESOLVER.iter().filter_map(RealPath::new);
            if own {
                self.made(&real)
            } else if resolvers.any(|one| one.key() == real.key()) {
                self.opened(Vec::new())
            } else {
                self.named(&real)
            }
        });
        Diagnosis::by(hint, denying)
    }

    /// A socket of a program's own: the network, where that is closed, and the file that it is made as.
    fn made(&self, real: &RealPath) -> Hint {
        let opened = self.opened(vec![Note::OwnSocket]);
        let written = self.hint(real, Need::of_access(Access::WRITE));
        match (opened, written) {
            (opened, Hint::Unknown(Cause::Disagreement)) => opened,
            (
                Hint::Add {
                    mut clauses,
                    mut notes,
                },
                Hint::Add {
                    clauses: more,
                    notes: also,
                },
            ) => {
                clauses.extend(more);
                notes.extend(also);
                Hint::Add { clauses, notes }
            }
            // The network is open, or no clause would let the file be made.
            (_, written) => written,
        }
    }

    /// The network as a whole, in each layer that keeps it closed.
    pub(super) fn opened(&self, notes: Vec<Note>) -> Hint {
        let layers = self.stack.layers().iter().enumerate();
        let closed = layers.filter(|(_, layer)| {
            layer
                .net()
                .is_some_and(|net| net.access() == NetAccess::Offline)
        });
        let clauses: Vec<_> = closed
            .map(|(number, layer)| access(number, layer))
            .collect();
        match clauses.is_empty() {
            true => Hint::Unknown(Cause::Disagreement),
            false => Hint::Add { clauses, notes },
        }
    }

    /// A socket, in each layer about the network that does not name it.
    fn named(&self, real: &RealPath) -> Hint {
        let surface = match spelling::surface(real, self.stack, self.host) {
            Ok(surface) => surface,
            Err(cause) => return Hint::Unknown(cause),
        };
        let layers = self.stack.layers();
        let socket = |number, layer: &Layer| Addition {
            layer: number,
            title: layer.to_string(),
            setting: Setting::Sockets,
            surface: surface.clone(),
        };
        let lacks = |net: &Sockets| !net.sockets().iter().any(|one| one.covers(real, self.host));
        let about = layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| layer.net().is_some());
        let lacking = about.filter(|(_, layer)| layer.net().is_some_and(lacks));
        let mut clauses: Vec<_> = lacking
            .map(|(number, layer)| socket(number, layer))
            .collect();
        if let ([first, ..], false) = (layers, layers.iter().any(|layer| layer.net().is_some())) {
            // A table that only names the socket would close the network, which is open without one.
            clauses = vec![access(0, first), socket(0, first)];
        }
        match clauses.is_empty() {
            true => Hint::Unknown(Cause::Disagreement),
            false => Hint::Add {
                clauses,
                notes: Vec::new(),
            },
        }
    }
}

fn access(number: usize, layer: &Layer) -> Addition {
    Addition {
        layer: number,
        title: layer.to_string(),
        setting: Setting::Access,
        surface: NetAccess::Open.name().to_owned(),
    }
}
