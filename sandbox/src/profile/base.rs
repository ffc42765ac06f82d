//! What every profile says, whatever the grant: deny by default, a decision about operations that
//! start allowed, and what a program needs to start. Facts from docs/seatbelt.md, sections 2 and 7.

use sbpl::ast::{Match, Quantity, Subject, Symbol, Target, Value};
use sbpl::{Filter, Operation, Rule, Text};

use crate::profile::doors::{self, Door};
use crate::profile::line::Line;
use crate::{Error, ErrorKind};

/// Operations that start allowed and stay so, each with its reason.
const LEFT: &[(Operation, &str)] = &[
    (
        Operation::FileMapExecutable,
        "what is mapped was opened for reading before",
    ),
    (
        Operation::IokitGetProperties,
        "frameworks ask what the machine is; nothing is changed",
    ),
    (
        Operation::DarwinNotificationPost,
        "a name without contents, posted by many at start",
    ),
    (
        Operation::SocketIoctl,
        "a socket has to be there first, and the network decides about those",
    ),
    (
        Operation::DynamicCodeGeneration,
        "programs that compile as they run do not start without",
    ),
    (
        Operation::SyscallUnix,
        "nothing runs without system calls; each is asked about by itself",
    ),
];

const NOTIFICATIONS: &str = "apple.shm.notification_center";

pub(crate) fn lines() -> Result<Vec<Line>, Error> {
    let own = Filter::Target(Target::SameSandbox);
    let others = Filter::Target(Target::Others);
    let tiocsti = Symbol::new("TIOCSTI").map_err(broken)?;
    let mut lines = vec![
        Line::because(
            "what nothing allows is refused",
            Rule::deny(Operation::Default),
        ),
        // Operations that start allowed, which `default` does not speak of.
        Line::because(
            "a link gives an object a second name: only what may be written gets one",
            everywhere(Rule::deny(Operation::FileLink))?,
        ),
        Line::because(
            "a clone carries its source's bytes: whether that is asked for as reading is not measured",
            everywhere(Rule::deny(Operation::FileClone))?,
        ),
        Line::because(
            "that a name exists is told only where its metadata is",
            everywhere(Rule::deny(Operation::FileTestExistence))?,
        ),
        Line::because(
            "other processes' arguments are not this one's to read",
            Rule::deny(Operation::ProcessInfo).when(others),
        ),
        Line::because(
            "firmware variables outlive the sandbox",
            Rule::deny(Operation::Nvram),
        ),
        Line::because(
            "no grant speaks of privileges",
            Rule::deny(Operation::SystemPrivilege),
        ),
        Line::because(
            "services of another session are doors that no grant names",
            Rule::deny(Operation::MachCrossDomainLookup),
        ),
        // What a program needs to start.
        Line::because(
            "a program starts others",
            Rule::allow(Operation::ProcessFork),
        ),
        Line::because(
            "libdispatch and libmalloc probe at start, and abort if denied",
            Rule::allow(Operation::SysctlRead),
        ),
        Line::because(
            "a time-out's signal lands inside, and none goes out",
            Rule::allow(Operation::Signal).when(own),
        ),
        Line::because(
            "frameworks share memory with each other at start",
            Rule::allow(Operation::IpcPosixShm),
        ),
        Line::because(
            "the notification center shares its state",
            Rule::allow(Operation::IpcPosixShmReadData)
                .when(Filter::Name(Subject::IpcPosixName, exactly(NOTIFICATIONS)?)),
        ),
        Line::because(
            "a full-screen program sets the terminal's mode",
            Rule::allow(Operation::FileIoctl),
        ),
        Line::because(
            "no program types into the terminal of another",
            Rule::deny(Operation::FileIoctl).when(Filter::Value(
                Quantity::IoctlCommand,
                Value::Symbol(tiocsti),
            )),
        ),
    ];
    for (operation, reason) in LEFT {
        lines.push(Line::because(reason, Rule::allow(operation.clone())));
    }
    lines.extend(open(doors::NAMED)?);
    Ok(lines)
}

/// The rules that open some doors.
pub(crate) fn open(doors: &[Door]) -> Result<Vec<Line>, Error> {
    let line = |one: &Door| Ok(Line::because(one.reason, door(one.name)?));
    doors.iter().map(line).collect()
}

/// The socket by which names are resolved, under both its names (docs/seatbelt.md, section 3).
pub(crate) const RESOLVER: [&str; 2] = ["/private/var/run/mDNSResponder", "/var/run/mDNSResponder"];

pub(crate) fn resolver() -> Result<Vec<Filter>, Error> {
    RESOLVER
        .iter()
        .map(|name| Text::path(name).map(Filter::literal).map_err(broken))
        .collect()
}

/// A rule about every path. A filter that always matches decides alike under every reading, which
/// a missing one does not (docs/seatbelt.md, section 1).
pub(crate) fn everywhere(rule: Rule) -> Result<Rule, Error> {
    Ok(rule.when(Filter::subpath(Text::path("/").map_err(broken)?)))
}

fn door(name: &str) -> Result<Rule, Error> {
    let name = Filter::Name(Subject::GlobalName, exactly(name)?);
    Ok(Rule::allow(Operation::MachLookup).when(name))
}

fn exactly(name: &str) -> Result<Match, Error> {
    Text::new(name).map(Match::Exact).map_err(broken)
}

/// A constant of this library that the language does not take.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::Unfaithful, error)
}
