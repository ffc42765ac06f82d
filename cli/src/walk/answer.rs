//! What `objcap walk` says of one path: a record for programs, whose fields stand in the documented
//! order, and the same as text for people. Nothing here walks.

use std::borrow::Cow;
use std::fmt;

use objcap::object::{Dir, errno_name};
use objcap::walk::{Error, Fault, Identity, Kind, Spelling, Traversed, Walked};
use serde::{Serialize, Serializer};

use super::place::{Place, Shown};
use crate::json::Text;
use crate::output::Verdict;

/// An answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer<'a> {
    /// The path leads to an object, or to where one would stand.
    Found(Found<'a>),
    /// It leads nowhere.
    Failed(Failed<'a>),
}

#[derive(Debug, Serialize)]
pub(super) struct Found<'a> {
    ok: bool,
    real: Text<'a>,
    parent: Option<Text<'a>>,
    leaf: Option<Text<'a>>,
    state: &'static str,
    kind: Option<&'static str>,
    spelling: &'static str,
    tail: Vec<Text<'a>>,
    slash: bool,
    links: Vec<Link<'a>>,
    lookups: Lookups<'a>,
    id: Option<Id>,
    /// There only where it is true: of a walk that left its `--root`.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct Failed<'a> {
    ok: bool,
    error: Reason<'a>,
    /// For people: the record names the failure alone.
    #[serde(skip)]
    links: Vec<Link<'a>>,
}

#[derive(Debug, Serialize)]
struct Reason<'a> {
    errno: Option<&'static str>,
    kind: &'static str,
    at: Option<Text<'a>>,
    message: String,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Link<'a> {
    at: Text<'a>,
    target: Text<'a>,
}

#[derive(Debug, Serialize)]
struct Id {
    dev: u64,
    ino: u64,
    mount: Option<u64>,
    born: Option<String>,
}

/// The names that were passed, as they are shown. They are put together one by one as they are
/// written: all of them may be far more text than the path was.
#[derive(Debug)]
struct Lookups<'a> {
    place: &'a Place,
    walked: &'a Walked<Dir>,
}

impl Lookups<'_> {
    fn each(&self) -> impl Iterator<Item = Lookup<'_>> {
        self.walked.lookups().map(|name| {
            Lookup(match name {
                Cow::Borrowed(name) => Cow::Borrowed(self.place.show(name).text()),
                Cow::Owned(name) => Cow::Owned(self.place.show(&name).text().to_vec()),
            })
        })
    }
}

impl Serialize for Lookups<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.each())
    }
}

#[derive(Debug)]
struct Lookup<'a>(Cow<'a, [u8]>);

impl Serialize for Lookup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Text(&self.0).serialize(serializer)
    }
}

impl<'a> Answer<'a> {
    /// The answer of a walk that ended well.
    pub(super) fn found(place: &'a Place, walked: &'a Walked<Dir>) -> Self {
        let show = |real| Text(place.show(real).text());
        let shown = place.show(walked.real());
        let is_root = shown.text() == b"/";
        Answer::Found(Found {
            ok: true,
            real: Text(shown.text()),
            parent: walked.parent_real().filter(|_| !is_root).map(show),
            leaf: walked.leaf().filter(|_| !is_root).map(Text),
            state: match walked.kind() {
                Some(_) => "present",
                None => "absent",
            },
            kind: walked.kind().map(kind_name),
            spelling: match walked.spelling() {
                Spelling::Stored => "stored",
                Spelling::Typed => "typed",
            },
            tail: walked.tail().map(Text).collect(),
            slash: walked.asks_for_directory(),
            links: links(place, walked.links()),
            lookups: Lookups { place, walked },
            id: walked.identity().map(Id::from),
            outside: matches!(shown, Shown::Outside(_)).then_some(true),
        })
    }

    /// The answer of a walk that failed.
    pub(super) fn failed(place: &Place, error: &'a Error) -> Self {
        let at = Some(error.at()).filter(|at| !at.is_empty());
        Answer::Failed(Failed {
            ok: false,
            error: Reason::new(error.fault(), at.map(|at| place.show(at).text())),
            links: links(place, error.links()),
        })
    }

    /// The answer to a relative path where the current folder cannot be found.
    pub(super) fn lost(fault: &Fault) -> Self {
        let message = format!("the current folder: {fault}");
        Answer::Failed(Failed {
            ok: false,
            error: Reason {
                message,
                ..Reason::new(fault, None)
            },
            links: Vec::new(),
        })
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self {
            Answer::Found(_) => Verdict::Yes,
            Answer::Failed(_) => Verdict::No,
        }
    }
}

impl<'a> Reason<'a> {
    fn new(fault: &Fault, at: Option<&'a [u8]>) -> Self {
        let raw = || fault.io_error().and_then(std::io::Error::raw_os_error);
        Reason {
            errno: fault.kind().errno().or_else(|| errno_name(raw()?)),
            kind: fault.kind().name(),
            at: at.map(Text),
            message: fault.to_string(),
        }
    }
}

fn links<'a>(place: &Place, links: impl Iterator<Item = Traversed<'a>>) -> Vec<Link<'a>> {
    links
        .map(|link| Link {
            at: Text(place.show(link.at()).text()),
            target: Text(link.text()),
        })
        .collect()
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Directory => "dir",
        Kind::File => "file",
        Kind::Symlink => "symlink",
        Kind::Fifo => "fifo",
        Kind::Socket => "socket",
        Kind::CharDevice => "char",
        Kind::BlockDevice => "block",
        _ => "unknown",
    }
}

impl From<Identity> for Id {
    fn from(identity: Identity) -> Self {
        Id {
            dev: identity.device,
            ino: identity.inode,
            mount: identity.mount,
            born: identity
                .born
                .map(|(seconds, nanoseconds)| format!("{seconds}.{nanoseconds:09}")),
        }
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Found(found) => found.fmt(f),
            Answer::Failed(failed) => failed.fmt(f),
        }
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "real path  {}", self.real)?;
        if self.outside.is_some() {
            writeln!(f, "           outside of --root")?;
        }
        writeln!(f, "object     {}", self.kind.unwrap_or("absent"))?;
        if !self.tail.is_empty() {
            write!(f, "tail       ")?;
            for (nth, name) in self.tail.iter().enumerate() {
                write!(f, "{}{name}", if nth == 0 { "" } else { "/" })?;
            }
            writeln!(f, " (absent too)")?;
        }
        if self.slash {
            writeln!(f, "asked for  a directory")?;
        }
        if self.spelling == "typed" {
            writeln!(f, "spelling   as typed: the volume may store another")?;
        }
        if let Some(id) = &self.id {
            writeln!(f, "identity   {id}")?;
        }
        // Each link is one of the lookups, and they are in one order.
        let mut links = self.links.iter().peekable();
        for (nth, name) in self.lookups.each().enumerate() {
            let label = if nth == 0 { "passed" } else { "" };
            let name = Text(&name.0);
            match links.next_if(|link| link.at.0 == name.0) {
                Some(link) => writeln!(f, "{label:<11}{link}")?,
                None => writeln!(f, "{label:<11}{name}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Failed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fails      ")?;
        if let Some(at) = &self.error.at {
            write!(f, "{at}: ")?;
        }
        write!(f, "{}", self.error.message)?;
        match self.error.errno {
            Some(errno) => writeln!(f, " ({errno})")?,
            None => writeln!(f)?,
        }
        for (nth, link) in self.links.iter().enumerate() {
            writeln!(f, "{:<11}{link}", if nth == 0 { "links" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.at, self.target)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {}, inode {}", self.dev, self.ino)?;
        if let Some(mount) = self.mount {
            write!(f, ", mount {mount}")?;
        }
        if let Some(born) = &self.born {
            write!(f, ", born {born}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use objcap::walk::ErrorKind;

    use super::*;

    #[test]
    fn what_the_system_said_is_named_by_its_errno() {
        let errno = |fault: &Fault| Reason::new(fault, None).errno;
        let system = |raw| Fault::new(ErrorKind::System, io::Error::from_raw_os_error(raw));
        // EMFILE is 24 on every system that walks.
        assert_eq!(errno(&system(24)), Some("EMFILE"));
        assert_eq!(errno(&system(9999)), None);
        assert_eq!(errno(&ErrorKind::Budget.into()), None);
        assert_eq!(errno(&ErrorKind::OutsideScope.into()), Some("EXDEV"));
    }
}
