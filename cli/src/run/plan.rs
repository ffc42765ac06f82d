//! What would be run, shown: the program, its arguments, how the environment changes, what is not held, and the
//! profile.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;

use objcap::object::{RealPath, World};
use objcap::sandbox::{Entry, Limitation, Prepared, Sandbox};
use serde::Serialize;

use crate::grant::ClauseRecord;
use crate::json::Text;

/// A child that is not started.
pub(super) struct Plan<'a> {
    program: &'a RealPath,
    interpreters: &'a [RealPath],
    argv: &'a [OsString],
    folder: &'a RealPath,
    entry: Entry,
    set: Vec<(&'a OsStr, &'a OsStr)>,
    unset: Vec<OsString>,
    limitations: &'a [Limitation],
    profile: &'a str,
}

impl<'a> Plan<'a> {
    /// The child of a command, beside the environment of the process that would start it.
    pub(super) fn of<W: World>(
        prepared: &'a Prepared<W::Dir>,
        sandbox: &'a Sandbox<'_, W>,
        own: BTreeMap<OsString, OsString>,
    ) -> Self {
        let environment = prepared.environment();
        let changed = environment
            .iter()
            .filter(|(name, value)| own.get(*name) != Some(*value));
        let gone = own.keys().filter(|name| !environment.contains_key(*name));
        Plan {
            program: prepared.program(),
            interpreters: prepared.interpreters(),
            argv: prepared.argv(),
            folder: prepared.folder(),
            entry: sandbox.entry(),
            set: changed
                .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
                .collect(),
            unset: gone.cloned().collect(),
            limitations: prepared.enforced().limitations(),
            profile: sandbox.profile().text(),
        }
    }

    fn entry(&self) -> &'static str {
        match self.entry {
            Entry::Launcher => "launcher",
            Entry::SandboxExec => "sandbox-exec",
        }
    }

    pub(super) fn record(&self) -> impl Serialize + '_ {
        let limitation = |one: &'a Limitation| LimitationRecord {
            kind: one.kind().name(),
            told: one.to_string(),
            clause: one.clause().and_then(ClauseRecord::of),
        };
        Record {
            program: Text(self.program.as_bytes()),
            interpreters: self
                .interpreters
                .iter()
                .map(|one| Text(one.as_bytes()))
                .collect(),
            argv: self.argv.iter().map(|one| text(one)).collect(),
            folder: Text(self.folder.as_bytes()),
            entry: self.entry(),
            set: self
                .set
                .iter()
                .map(|(name, value)| [text(name), text(value)])
                .collect(),
            unset: self.unset.iter().map(|name| text(name)).collect(),
            limitations: self.limitations.iter().map(limitation).collect(),
            profile: self.profile,
        }
    }
}

fn text(text: &OsStr) -> Text<'_> {
    Text(text.as_encoded_bytes())
}

/// An argument as one word, so that where each ends can be seen.
fn word(argument: &OsStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(byte);
    let bytes = argument.as_encoded_bytes();
    let shown = text(argument).to_string();
    if !bytes.is_empty() && bytes.iter().all(plain) {
        shown
    } else {
        format!("'{}'", shown.replace('\'', "'\\''"))
    }
}

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "; program   {}", self.program)?;
        for interpreter in self.interpreters {
            writeln!(f, "; run by    {interpreter}")?;
        }
        // The profile stands below, once.
        let argv =
            self.argv.iter().map(
                |one| match one.as_encoded_bytes() == self.profile.as_bytes() {
                    true => "PROFILE".to_owned(),
                    false => word(one),
                },
            );
        writeln!(f, "; argv      {}", argv.collect::<Vec<_>>().join(" "))?;
        writeln!(f, "; folder    {}", self.folder)?;
        writeln!(f, "; entry     {}", self.entry())?;
        for (name, value) in &self.set {
            writeln!(f, "; sets      {}={}", text(name), text(value))?;
        }
        for name in &self.unset {
            writeln!(f, "; unsets    {}", text(name))?;
        }
        for limitation in self.limitations {
            writeln!(f, "; not held  {limitation} ({})", limitation.kind().name())?;
        }
        writeln!(f)?;
        f.write_str(self.profile)
    }
}

#[derive(Serialize)]
struct Record<'a> {
    program: Text<'a>,
    interpreters: Vec<Text<'a>>,
    argv: Vec<Text<'a>>,
    folder: Text<'a>,
    entry: &'static str,
    set: Vec<[Text<'a>; 2]>,
    unset: Vec<Text<'a>>,
    limitations: Vec<LimitationRecord<'a>>,
    profile: &'a str,
}

#[derive(Serialize)]
struct LimitationRecord<'a> {
    kind: &'static str,
    told: String,
    clause: Option<ClauseRecord<'a>>,
}
