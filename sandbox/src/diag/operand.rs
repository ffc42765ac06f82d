//! What a denied operation was about, as the log prints it.

use std::fmt;

use objcap_object::path;
use sbpl::Operation;

/// What a denied operation was about. Names are bytes, as they were printed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operand {
    /// Nothing was printed.
    None,
    /// A file, by its absolute path.
    Path(Box<[u8]>),
    /// A Mach service.
    Mach(Box<[u8]>),
    /// An address of the internet, or part of one: `*:443`.
    Network(Box<[u8]>),
    /// A socket, by its absolute path.
    Socket(Box<[u8]>),
    /// A system variable.
    Sysctl(Box<[u8]>),
    /// A device, and what was to be done with it.
    Ioctl {
        /// Its absolute path.
        path: Box<[u8]>,
        /// The command as it was printed; `None` when it was not.
        command: Option<Box<[u8]>>,
    },
    /// Another process, as it was printed.
    Process(Box<[u8]>),
    /// A class of the I/O kit.
    Iokit(Box<[u8]>),
    /// A name of another kind: shared memory, a preference, a notification.
    Name(Box<[u8]>),
    /// The log keeps it to itself: `<private>`.
    Redacted,
    /// It could not be read as what the operation takes.
    Unread(Box<[u8]>),
}

impl Operand {
    /// Reads what stands behind an operation in a message. That files, services and addresses are printed plainly, and
    /// the `path:` of a device, are forms of published logs; of the others only the operation is measured
    /// (docs/seatbelt.md, sections 3 and 6).
    pub(super) fn read(operation: &Operation, text: &[u8]) -> Self {
        let kept = || text.into();
        let name = operation.name();
        match text {
            b"" => return Operand::None,
            b"<private>" => return Operand::Redacted,
            _ => {}
        }
        if name == "file-ioctl" {
            return ioctl(text);
        }
        if name.starts_with("network") {
            let end = after(text, b"remote:").or_else(|| after(text, b"local:"));
            let end = after(end.unwrap_or(text), b"path:").or(end).unwrap_or(text);
            return match end {
                [b'/', ..] => Operand::Socket(end.into()),
                _ => Operand::Network(end.into()),
            };
        }
        let is = |stems: &[&str]| stems.iter().any(|stem| name.starts_with(stem));
        if is(&["file", "process-exec", "forbidden-exec"]) {
            let path = after(text, b"path:").unwrap_or(text);
            return match path {
                [b'/', ..] => Operand::Path(path.into()),
                _ => Operand::Unread(kept()),
            };
        }
        if is(&["mach-lookup", "mach-register", "mach-cross-domain-lookup"]) {
            return Operand::Mach(after(text, b"global-name:").unwrap_or(text).into());
        }
        if is(&["signal", "process-info", "mach-task", "mach-priv"]) {
            return Operand::Process(kept());
        }
        if is(&["sysctl"]) {
            return Operand::Sysctl(kept());
        }
        if is(&["iokit"]) {
            return Operand::Iokit(kept());
        }
        Operand::Name(kept())
    }

    /// What was printed, without the word that says what it is.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Operand::Path(text)
            | Operand::Mach(text)
            | Operand::Network(text)
            | Operand::Socket(text)
            | Operand::Sysctl(text)
            | Operand::Ioctl { path: text, .. }
            | Operand::Process(text)
            | Operand::Iokit(text)
            | Operand::Name(text)
            | Operand::Unread(text) => Some(text),
            Operand::None | Operand::Redacted => None,
        }
    }

    /// One word for what it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Operand::None => "none",
            Operand::Path(_) => "path",
            Operand::Mach(_) => "service",
            Operand::Network(_) => "address",
            Operand::Socket(_) => "socket",
            Operand::Sysctl(_) => "sysctl",
            Operand::Ioctl { .. } => "device",
            Operand::Process(_) => "process",
            Operand::Iokit(_) => "iokit",
            Operand::Name(_) => "name",
            Operand::Redacted => "redacted",
            Operand::Unread(_) => "unread",
        }
    }
}

/// For people: what a terminal would obey is an escape.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Redacted => f.write_str("what the log keeps to itself"),
            other => match other.text() {
                Some(text) => write!(f, "`{}`", path::display(text)),
                None => Ok(()),
            },
        }
    }
}

fn ioctl(text: &[u8]) -> Operand {
    const COMMAND: &[u8] = b" ioctl-command:";
    let at = text
        .windows(COMMAND.len())
        .rposition(|part| part == COMMAND);
    let (path, command) = match at.and_then(|at| text.split_at_checked(at)) {
        Some((path, command)) => (path, after(command, COMMAND)),
        None => (text, None),
    };
    let path = after(path, b"path:").unwrap_or(path);
    match path {
        [b'/', ..] => Operand::Ioctl {
            path: path.into(),
            command: command.map(Into::into),
        },
        _ => Operand::Unread(text.into()),
    }
}

fn after<'t>(text: &'t [u8], word: &[u8]) -> Option<&'t [u8]> {
    text.strip_prefix(word)
}
