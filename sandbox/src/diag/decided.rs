//! The words for operations that no grant speaks of: why no clause admits them.

use sbpl::Operation;

use super::{Cause, Hint};

/// Operations that no grant speaks of, by how their names begin, each with the reason.
const DECIDED: &[(&str, &str)] = &[
    (
        "forbidden-exec-sugid",
        "a program that takes another user's rights (setuid, setgid) runs in no sandbox",
    ),
    (
        "hid-control",
        "no program types into the terminal of another, which TIOCSTI does",
    ),
    (
        "signal",
        "signals go to processes of the same sandbox and to no other",
    ),
    (
        "process-info",
        "other processes' arguments are not this one's to read",
    ),
    (
        "mach-register",
        "a service of its own would be a door that no grant names",
    ),
    (
        "mach-lookup",
        "a service acts for whoever asks it, outside the profile: no grant opens one",
    ),
    (
        "mach-cross-domain",
        "services of another session are doors that no grant names",
    ),
    (
        "mach-task",
        "other processes are not this one's to look into",
    ),
    (
        "mach-priv",
        "other processes are not this one's to look into",
    ),
    ("lsopen", "what it opens would run outside the profile"),
    (
        "appleevent-send",
        "the program that it tells what to do is outside the profile",
    ),
    (
        "job-creation",
        "what launchd starts runs outside the profile",
    ),
    (
        "iokit-open",
        "no grant speaks of drivers, which act for whoever opens them",
    ),
    ("nvram", "firmware variables outlive the sandbox"),
    ("system-privilege", "no grant speaks of privileges"),
    (
        "ipc-posix-sem",
        "no grant speaks of semaphores, which other programs see (Python's multiprocessing asks for them)",
    ),
    (
        "file-issue-extension",
        "no grant is handed on to another program",
    ),
];

const SILENT: &str = "no grant speaks of this operation, and no profile allows it";

/// The words for an operation that no clause is about.
pub(super) fn decided(operation: &Operation) -> Hint {
    let name = operation.name();
    let known = DECIDED.iter().find(|(stem, _)| name.starts_with(stem));
    match known {
        Some((_, reason)) => Hint::Decided(reason),
        None if operation.is_known() => Hint::Decided(SILENT),
        None => Hint::Unknown(Cause::Operation),
    }
}
