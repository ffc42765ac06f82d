//! The network. It is enforced by absence: an offline profile has no rule that allows any of it.

use objcap_capability::NetAccess;
use sbpl::{Operation, Rule};

use crate::Error;
use crate::base::{everywhere, network_doors, resolver};
use crate::line::{Line, when};

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
            ];
            let resolver = when(Rule::allow(Operation::NetworkOutbound), resolver()?);
            let reason = "names are resolved over this socket";
            lines.extend(resolver.map(|rule| Line::because(reason, rule)));
            lines.extend(network_doors()?);
            Ok(lines)
        }
    }
}
