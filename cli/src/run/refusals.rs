//! What the kernel refused a child, told when it has ended: its denials in the system's log, by the profile's tag or
//! the child's own process.

use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::process::{self, Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use objcap::capability::Stack;
use objcap::object::{Host, World};
use objcap::sandbox::Profile;
use objcap::sandbox::diag::{Attribution, Log, Tag, Trouble, summary};

use crate::output::Failure;

/// When the log is looked at: that takes a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    /// When the program did not end well.
    Failed,
    /// However it ended.
    Always,
    /// Not at all.
    Never,
}

/// One run of a program, by which its denials are known.
pub(super) struct Run {
    tag: Tag,
    began: Instant,
}

/// The system's reader of its log (log(1)).
const LOG: &str = "/usr/bin/log";

/// What Seatbelt writes, and nobody else's lines.
const PREDICATE: &str = "sender == \"Sandbox\"";

impl Run {
    /// A run that begins now. Its tag is another's only if that is of the same process and nanosecond.
    pub(super) fn begin() -> Result<Self, Failure> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanoseconds = now.map_err(Failure::new)?.as_nanos();
        let tag = format!("objcap-{}-{nanoseconds:x}", process::id());
        Ok(Run {
            tag: Tag::new(&tag).map_err(Failure::new)?,
            began: Instant::now(),
        })
    }

    pub(super) fn tag(&self) -> &Tag {
        &self.tag
    }

    /// Asks the system's log.
    pub(super) fn told<W: World>(
        &self,
        child: u32,
        profile: &Profile,
        stack: &Stack<W>,
        host: &Host<W>,
    ) -> io::Result<String> {
        // A number without a unit is of seconds; two more for the clocks to differ by.
        let seconds = self.began.elapsed().as_secs() + 2;
        let mut reader = Command::new(LOG)
            .args(["show", "--style", "ndjson", "--predicate", PREDICATE])
            .args(["--last", &seconds.to_string()])
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let read = match reader.stdout.take() {
            Some(lines) => self.of_log(child, BufReader::new(lines)),
            None => Ok(Log::default()),
        };
        let ended = reader.wait()?;
        if !ended.success() {
            return Err(io::Error::other(format!("{LOG} ended with {ended}")));
        }
        Ok(summary(&read?.finish(), profile, stack, host))
    }

    fn of_log(&self, child: u32, lines: impl BufRead) -> io::Result<Log> {
        let wanted = Attribution::pids([child]).or_tagged(self.tag.clone());
        let mut log = Log::of(wanted);
        log.read(lines)?;
        Ok(log)
    }
}

/// What an end by abort(3) may mean, where nobody sees whether the program said anything.
pub(super) struct Aborted;

impl fmt::Display for Aborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "it was aborted; if it said nothing: {}",
            Trouble::Aborted
        )
    }
}

#[cfg(test)]
mod tests {
    use objcap::capability::Grant;

    use super::*;

    #[test]
    fn what_is_told_is_the_childs_or_tagged() {
        let run = Run::begin().unwrap();
        let mac = Host::stock_mac();
        let grant = Grant::parse("grant.toml", b"[fs]\nread = ['~/app']", &mac.vars).unwrap();
        let stack = Stack::freeze(&[grant], &mac).unwrap();
        let profile = Profile::render(&stack, &mac).unwrap();
        let profile = profile.tagged(run.tag()).unwrap();
        let line = |pid: u32, path: &str, tag: &str| {
            format!("Sandbox: cat({pid}) deny(1) file-read-data {path}{tag}\n")
        };
        let tag = format!(" (with message \"{}\")", run.tag());
        let log = [
            line(7, "/Users/me/own", ""),
            line(8, "/Users/me/below", &tag),
            line(9, "/Users/me/other", ""),
        ]
        .concat();
        let found = run.of_log(7, log.as_bytes()).unwrap().finish();
        let told = summary(&found, &profile, &stack, &mac);
        assert!(told.contains("[fs] read = [\"~/own\"]"), "{told}");
        assert!(told.contains("[fs] read = [\"~/below\"]"), "{told}");
        assert!(!told.contains("other"), "{told}");
    }

    #[test]
    fn two_runs_have_two_tags() {
        let tag = |run: Run| run.tag().to_string();
        let (one, other) = (Run::begin().unwrap(), Run::begin().unwrap());
        assert_ne!(tag(one), tag(other));
    }
}
