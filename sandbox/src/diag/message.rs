//! What the kernel says of one denial: `cat(71) deny(1) file-read-data /Users/me/notes`.
//!
//! Published logs have it in this form since macOS 10.15, and without the number behind `deny` before. A path is
//! printed as it is, blanks and all, to the end of the line; whether any byte of it is escaped is not measured.

use sbpl::Operation;

use super::denial::{Policy, What};
use super::{Operand, Tag};

/// The longest message that is read, in bytes. The kernel cuts its own at 1,024 (not measured), and
/// what is longer was not written by it.
pub const MESSAGE_MAX: usize = 4096;

/// What stands before a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) system: bool,
    pub(super) times: u64,
}

/// What a message says.
#[derive(Debug)]
pub(super) enum Said {
    /// Something was denied.
    Denied(Denied),
    /// A rule reports what it allows.
    Allowed,
}

/// A denial in one line.
#[derive(Debug)]
pub(super) struct Denied {
    pub(super) what: What,
    pub(super) pid: u32,
    pub(super) times: u64,
}

pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let first = part.first()?;
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let at = from + rest.iter().position(|byte| byte == first)?;
        if text.get(at..)?.starts_with(part) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Whether a text begins as such a message does.
pub(super) fn begins(text: &[u8]) -> bool {
    // No name of a program is so long that this would stand further behind.
    let text = text.get(..80).unwrap_or(text);
    verb(text).is_some_and(|verb| verb.process.iter().all(|byte| *byte != b':'))
}

/// Whether a text says that something was denied, in a form that is known or not.
pub(super) fn denies(text: &[u8]) -> bool {
    verb(text).is_some_and(|verb| !verb.allowed)
}

/// A program's name and number, and what was done to it.
struct Verb<'a> {
    process: &'a [u8],
    pid: u32,
    allowed: bool,
    rest: &'a [u8],
}

/// The first `NAME(PID) deny`: a program's name is short, and what follows may be of its choosing.
fn verb(text: &[u8]) -> Option<Verb<'_>> {
    let mut from = 0;
    loop {
        let at = from + find(text.get(from..)?, b") ")?;
        from = at + 1;
        let (before, rest) = (text.get(..at)?, text.get(at + 2..)?);
        let (allowed, rest) = match (rest.strip_prefix(b"deny"), rest.strip_prefix(b"allow")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => continue,
        };
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let (before, digits) = before.split_at_checked(before.len() - digits.count())?;
        let pid = std::str::from_utf8(digits)
            .ok()
            .and_then(|pid| pid.parse().ok());
        if let (Some(pid), Some(process)) = (pid, before.strip_suffix(b"(")) {
            return Some(Verb {
                process,
                pid,
                allowed,
                rest,
            });
        }
    }
}

impl Said {
    /// Reads a message; `None` when it is none of the known forms. A tag is known by itself on the line
    /// behind, and elsewhere only when it is the one that is looked for: nothing parts it from a name.
    pub(super) fn read(head: Head, text: &[u8], wanted: Option<&Tag>) -> Option<Self> {
        if text.len() > MESSAGE_MAX {
            return None;
        }
        let verb = verb(text)?;
        let rest = numbered(verb.rest).strip_prefix(b" ")?.trim_ascii_start();
        let (rest, tag) = tagged(rest, wanted);
        let at = rest.iter().position(|byte| *byte == b' ');
        let (word, operand) = match at.and_then(|at| rest.split_at_checked(at)) {
            Some((word, operand)) => (word, operand.get(1..)?),
            None => (rest, &b""[..]),
        };
        let (operation, joined) = operation(word)?;
        if verb.allowed {
            return Some(Said::Allowed);
        }
        let operand = joined.unwrap_or(operand);
        let operand = match operand {
            // Some print two blanks before what is not a path.
            [b' ', other @ ..] if !other.is_empty() => operand.trim_ascii_start(),
            operand => operand,
        };
        Some(Said::Denied(Denied {
            pid: verb.pid,
            times: head.times,
            what: What {
                policy: match head.system {
                    true => Policy::System,
                    false => Policy::Sandbox,
                },
                process: verb.process.trim_ascii().into(),
                operand: Operand::read(&operation, operand),
                operation,
                tag,
            },
        }))
    }
}

/// What follows the number behind `deny`, which has been 1 and means nothing to us.
fn numbered(text: &[u8]) -> &[u8] {
    let Some(inner) = text.strip_prefix(b"(") else {
        return text;
    };
    let digits = inner.iter().take_while(|byte| byte.is_ascii_digit());
    match inner.split_at_checked(digits.count()) {
        Some((digits, [b')', rest @ ..])) if !digits.is_empty() => rest,
        _ => text,
    }
}

/// The operation that a word names, and what of an address is written together with it: `network-outbound*:443`.
/// `None` when it is no word for one.
fn operation(word: &[u8]) -> Option<(Operation, Option<&[u8]>)> {
    let is_part = |byte: &u8| byte.is_ascii_lowercase() || b"-*".contains(byte);
    let name = std::str::from_utf8(word).ok()?;
    let plain = word.len() <= 64 && word.iter().all(is_part) && word.iter().any(|b| *b != b'*');
    if let Some(operation) = Operation::from_name(name).ok().filter(|_| plain) {
        return Some((operation, None));
    }
    let network = word
        .iter()
        .take_while(|byte| is_part(byte) && **byte != b'*');
    let (name, address) = word.split_at_checked(network.count())?;
    let operation = Operation::from_name(std::str::from_utf8(name).ok()?).ok()?;
    let is_network = name.starts_with(b"network-") && operation.is_known();
    is_network.then_some((operation, Some(address)))
}

/// Parts a tag from what it stands behind: on a line of its own, as one project reads its logs, in the words of a
/// rule's modifier, or behind a blank. Where a log has it is not measured (docs/seatbelt.md, section 5). A message
/// that is no tag of ours is no part of a name either, but where nothing tells the two apart: behind a blank.
fn tagged<'a>(text: &'a [u8], wanted: Option<&Tag>) -> (&'a [u8], Option<Tag>) {
    if let Some(at) = find(text, b"\n") {
        let (first, more) = text.split_at_checked(at).unwrap_or((text, b""));
        let mut more = more
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .skip(1);
        let second = more.next().unwrap_or_default();
        // sandboxd goes on to say the same in other words.
        if second.is_empty() || second.starts_with(b"Violation:") || is_word(second) {
            return (first, Tag::read(second));
        }
    }
    if let Some((left, message)) = quoted(text) {
        return (left, Tag::read(message));
    }
    let Some(tag) = wanted else {
        return (text, None);
    };
    let left = text.strip_suffix(tag.as_str().as_bytes());
    match left.and_then(|left| left.strip_suffix(b" ")) {
        Some(left) => (left, Some(tag.clone())),
        None => (text, None),
    }
}

/// What a message on a line of its own looks like: a word that is the beginning of no path.
fn is_word(text: &[u8]) -> bool {
    !text.starts_with(b"/") && text.iter().all(u8::is_ascii_graphic)
}

/// `… (with message "…")`, parted.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    const BEFORE: &[u8] = b" (with message \"";
    let text = text.strip_suffix(b"\")")?;
    let at = text
        .windows(BEFORE.len())
        .rposition(|part| part == BEFORE)?;
    let (left, message) = text.split_at_checked(at)?;
    Some((left, message.get(BEFORE.len()..)?))
}
