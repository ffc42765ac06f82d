//! The network. It is enforced by absence: an offline profile has no rule that allows any of it.

use objcap_capability::{Access, NetAccess, Reach, Stack};
use objcap_object::{Host, RealPath, World};
use sbpl::{Operation, Rule};

use crate::profile::base::{self, RESOLVER, everywhere, resolver};
use crate::profile::doors;
use crate::profile::files;
use crate::profile::line::{Line, literals, when};
use crate::{Error, ErrorKind};

pub(crate) fn lines<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    if stack.net() == NetAccess::Open {
        lines.push(Line::because(
            "the network is open",
            Rule::allow(Operation::Network),
        ));
        lines.push(Line::because(
            "another program's socket is a door, which no address opens",
            everywhere(Rule::deny(Operation::NetworkOutbound))?,
        ));
        let resolver = when(Rule::allow(Operation::NetworkOutbound), resolver()?);
        let reason = "names are resolved over this socket";
        lines.extend(resolver.map(|rule| Line::because(reason, rule)));
        lines.extend(base::open(doors::NETWORK)?);
        if stack.restricts_files() {
            // Where the kernel asks of a new socket's name as of the network's alone, it is still a name.
            lines.push(Line::because(
                "a socket is made where files are",
                everywhere(Rule::deny(Operation::NetworkBind))?,
            ));
            let written = stack.files(Access::WRITE, host).into_iter();
            let written = written.filter(|one| one.reach() == Reach::Below);
            lines.extend(files::allowances(written, || {
                Rule::allow(Operation::NetworkBind)
            })?);
        }
    }
    for socket in stack.sockets(host) {
        let clause = socket.clause();
        let is_resolver = |name: &RealPath| {
            let mut known = RESOLVER.iter().filter_map(RealPath::new);
            known.any(|known| known.key() == name.key())
        };
        if stack.net() == NetAccess::Offline && socket.names().iter().any(is_resolver) {
            // A name that is asked for leaves the machine with whatever it says.
            return Err(Error::refused(ErrorKind::Resolver, clause));
        }
        let filters = literals(socket.names(), Some(clause))?;
        let rule = when(Rule::allow(Operation::NetworkOutbound), filters);
        lines.extend(rule.map(|rule| Line::of(clause, rule)));
    }
    Ok(lines)
}
