//! The network. It is enforced by absence: an offline profile has no rule that allows any of it.

use objcap_capability::NetAccess;
use sbpl::{Operation, Rule};

use crate::Error;
use crate::base::{everywhere, network_doors, resolver};
use crate::line::Line;

pub(crate) fn lines(access: NetAccess) -> Result<Vec<Line>, Error> {
    match access {
        NetAccess::Offline => Ok(Vec::new()),
        NetAccess::Open => {
            let mut lines = vec![
                Line::because("the network is open", Rule::allow(Operation::Network)),
                Line::because(
                    "another program's socket is a door, which no address opens",
                    everywhere(Rule::deny(Operation::NetworkOutbound))?,
                ),
                Line::because(
                    "names are resolved over this socket",
                    Rule::allow(Operation::NetworkOutbound).when(resolver()?),
                ),
            ];
            lines.extend(network_doors()?);
            Ok(lines)
        }
    }
}
