//! One line of a log: whose message it is, and the message.
//!
//! Known forms are those that `log show` and `log stream` print with `--style syslog`, `compact`, `json` and
//! `ndjson`, `log`'s own default, and the system.log of before: in each the kernel, or sandboxd for it,
//! says `Sandbox: …`. The forms are as published logs have them; none is among the measurements of docs/seatbelt.md.

use std::borrow::Cow;

use super::message::{self, Head, find};

/// What a line holds.
pub(super) enum Line<'a> {
    /// Nothing that speaks of a sandbox.
    Other,
    /// What looks like a denial, said by a program that has none to say: anyone may write to the log.
    Foreign,
    /// What the system says.
    Message {
        /// Whose policy it is about, and how often it was said: `7 duplicate reports for `.
        head: Head,
        /// What stands behind that.
        text: Cow<'a, [u8]>,
    },
}

const SANDBOX: &[u8] = b"Sandbox: ";
const SYSTEM: &[u8] = b"System Policy: ";
/// Behind the process of a denial that sandboxd reports by itself, before OS X 10.10: `sandboxd[9] ([71]): `.
const REPORTED: &[u8] = b"]): ";

impl<'a> Line<'a> {
    pub(super) fn read(line: &'a [u8]) -> Self {
        let line = line.trim_ascii_start();
        if !matches!(line, [b'{' | b'[' | b'}' | b',' | b'"', ..]) {
            return Line::of(Cow::Borrowed(line), Sender::Unknown);
        }
        match json(line) {
            Some(Said { message, sender }) => Line::of(Cow::Owned(message), sender),
            None => Line::Other,
        }
    }

    fn of(said: Cow<'a, [u8]>, sender: Sender) -> Self {
        let Some((before, head, at)) = parted(&said) else {
            return Line::Other;
        };
        if sender == Sender::Other || !is_systems(before) {
            return match said.get(at..).is_some_and(message::denies) {
                true => Line::Foreign,
                false => Line::Other,
            };
        }
        let text = match said {
            Cow::Borrowed(said) => Cow::Borrowed(said.get(at..).unwrap_or_default()),
            Cow::Owned(mut said) => {
                said.drain(..at);
                Cow::Owned(said)
            }
        };
        Line::Message { head, text }
    }
}

/// Where a message begins: what stands before it, and what its head says.
fn parted(line: &[u8]) -> Option<(&[u8], Head, usize)> {
    let marks = [(SANDBOX, false), (SYSTEM, true), (REPORTED, false)];
    let found = marks
        .into_iter()
        .filter_map(|(mark, system)| Some((find(line, mark)?, mark, system)));
    let Some((at, mark, system)) = found.min_by_key(|(at, ..)| *at) else {
        // A message by itself: `cat(71) deny(1) …`.
        let (times, start) = counted(line).unwrap_or((1, 0));
        let head = Head {
            system: false,
            times,
        };
        let begins = message::begins(line.get(start..)?);
        return begins.then_some((b"".as_slice(), head, start));
    };
    let start = at + mark.len();
    let kept = if mark == REPORTED { start } else { at };
    let before = line.get(..kept)?;
    let (before, times) = repeated(before);
    // The count may stand behind the mark as well, with another mark behind it.
    let Some((times, length)) = counted(line.get(start..)?) else {
        return Some((before, Head { system, times }, start));
    };
    let start = start + length;
    let inner = [(SANDBOX, false), (SYSTEM, true)].into_iter();
    let inner =
        inner.filter(|(mark, _)| line.get(start..).is_some_and(|rest| rest.starts_with(mark)));
    let (length, system) = inner
        .map(|(mark, system)| (mark.len(), system))
        .next()
        .unwrap_or((0, system));
    Some((before, Head { system, times }, start + length))
}

/// What stands between how many reports are left out, and the first of them.
const COUNTED: [&[u8]; 2] = [b" duplicate reports for ", b" duplicate report for "];

/// `7 duplicate reports for ` at the end, and what stands before it.
fn repeated(before: &[u8]) -> (&[u8], u64) {
    let Some(left) = COUNTED.iter().find_map(|end| before.strip_suffix(*end)) else {
        return (before, 1);
    };
    let digits = left.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (left, digits) = left.split_at(left.len() - digits.count());
    match number(digits) {
        Some(times) => (left, times),
        None => (before, 1),
    }
}

/// The same at the beginning, and how long it is.
fn counted(text: &[u8]) -> Option<(u64, usize)> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    let end = COUNTED.iter().find(|end| rest.starts_with(end))?;
    Some((number(digits)?, digits.len() + end.len()))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Whether what stands before a message says that the kernel or sandboxd wrote it, or nothing. The first
/// word that looks like a sender is one: what follows is already somebody's message.
fn is_systems(before: &[u8]) -> bool {
    let before = before.trim_ascii();
    if matches!(before, b"" | b"(Sandbox)") {
        return true;
    }
    let mut words = before.split(u8::is_ascii_whitespace);
    let sender = words.find(|word| {
        let named = word.iter().position(|byte| *byte == b'[');
        word.ends_with(b":") || named.is_some_and(|at| at > 0)
    });
    let Some(sender) = sender else {
        return false;
    };
    let number = match find(sender, b"[") {
        Some(at) => sender.get(at + 1..),
        None => None,
    };
    let pid = number.map(|text| text.split(|byte| !byte.is_ascii_digit()).next());
    match sender.split(|byte| b":[".contains(byte)).next() {
        // The kernel has the number 0, whatever another program calls itself.
        Some(b"kernel") => matches!(pid, None | Some(Some(b"0"))),
        Some(b"sandboxd") => true,
        _ => false,
    }
}

/// What an event in JSON says.
struct Said {
    message: Vec<u8>,
    sender: Sender,
}

/// Who is said to have written a message, beside the message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sender {
    Unknown,
    Other,
}

/// The message of an event in JSON, whole on one line or a key on each; `None` when there is none. Strings
/// are read one after the other, so that nothing inside of one is taken for a key.
fn json(line: &[u8]) -> Option<Said> {
    let mut said = None;
    let mut sender = Sender::Unknown;
    let mut key: Option<Vec<u8>> = None;
    let mut rest = line;
    while let Some(at) = rest.iter().position(|byte| *byte == b'"') {
        let (text, left) = string(rest.get(at + 1..)?)?;
        rest = left.trim_ascii_start();
        if let [b':', after @ ..] = rest {
            rest = after.trim_ascii_start();
            key = rest.starts_with(b"\"").then_some(text);
            continue;
        }
        match key.take().as_deref() {
            Some(b"eventMessage") if said.is_none() => said = Some(text),
            Some(b"processImagePath")
                if !matches!(&text[..], b"/kernel" | b"/usr/libexec/sandboxd") =>
            {
                sender = Sender::Other;
            }
            _ => {}
        }
    }
    said.map(|message| Said { message, sender })
}

/// A JSON string up to its closing quote, and what follows. `None` where it is none.
fn string(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut read = Vec::new();
    let mut rest = text;
    loop {
        let at = rest.iter().position(|byte| b"\"\\".contains(byte))?;
        let (plain, left) = rest.split_at_checked(at)?;
        read.extend_from_slice(plain);
        let escape = match left {
            [b'"', left @ ..] => return Some((read, left)),
            [_, escape @ ..] => escape,
            [] => return None,
        };
        let (letter, left) = escape.split_first()?;
        rest = left;
        read.push(match letter {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'"' | b'\\' | b'/' => *letter,
            b'u' => {
                let (point, left) = point(rest)?;
                read.extend_from_slice(point.encode_utf8(&mut [0; 4]).as_bytes());
                rest = left;
                continue;
            }
            _ => return None,
        });
    }
}

/// What follows `\u`: one unit, or two that are one character. Half of one is none.
fn point(text: &[u8]) -> Option<(char, &[u8])> {
    let unit = |text: &[u8]| {
        let digits = std::str::from_utf8(text.get(..4)?).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let first = unit(text)?;
    let rest = text.get(4..)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, rest));
    }
    let second = unit(rest.strip_prefix(b"\\u")?)?;
    let c = char::decode_utf16([first, second]).next()?.ok()?;
    Some((c, rest.get(6..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> Option<String> {
        match Line::read(line.as_bytes()) {
            Line::Message { text, .. } => Some(String::from_utf8(text.into_owned()).unwrap()),
            Line::Other | Line::Foreign => None,
        }
    }

    #[test]
    fn a_message_is_found_in_every_style() {
        let said = "cat(71) deny(1) file-read-data /x";
        for before in [
            "Sandbox: ",
            "",
            "2026-05-01 12:00:00.123456+0200  localhost kernel[0]: (Sandbox) Sandbox: ",
            "2026-05-01 12:00:00.123 E  kernel[0:1a2b] (Sandbox) Sandbox: ",
            "2026-05-01 12:00:00.123456+0200 0x1a2b     Error       0x0                  0      0    kernel: (Sandbox) Sandbox: ",
            "2026-05-01 12:00:00.123 E  sandboxd[333:1a2b] [com.apple.sandbox.reporting:violation] Sandbox: ",
            "May  1 12:00:00 mac kernel[0]: Sandbox: ",
            "May  1 12:00:00 mac sandboxd[9] ([71]): ",
        ] {
            assert_eq!(
                text(&format!("{before}{said}")).as_deref(),
                Some(said),
                "{before}"
            );
        }
        for json in [
            format!(
                r#"{{"processID":0,"processImagePath":"\/kernel","eventMessage":"Sandbox: {said}"}}"#
            ),
            format!(r#"  "eventMessage" : "Sandbox: {said}","#),
            format!(r#"[{{"eventMessage" : "Sandbox: {said}", "x" : {{"y":[1,"z"]}}}},"#),
        ] {
            assert_eq!(text(&json).as_deref(), Some(said), "{json}");
        }
        let escaped = r#"{"eventMessage":"Sandbox: cat(71) deny(1) file-read-data \/a\"b\\\u00e9\ud83d\ude00\n"}"#;
        assert_eq!(
            text(escaped).unwrap(),
            "cat(71) deny(1) file-read-data /a\"b\\é😀\n"
        );
        // Half a character, an unknown escape, a string that does not end.
        for broken in [r"\ud83d", r"\ude00\ud83d", r"\x", "\\"] {
            let json = format!(
                r#"{{"eventMessage":"Sandbox: cat(71) deny(1) file-read-data /{broken}"}}"#
            );
            assert_eq!(text(&json), None, "{json}");
        }
    }

    #[test]
    fn what_a_program_says_is_not_what_the_system_says() {
        let said = "Sandbox: cat(71) deny(1) file-read-data /x";
        for before in [
            "2026-05-01 12:00:00.123456+0200  localhost logger[99]: ",
            "2026-05-01 12:00:00.123456+0200  localhost logger[99]: kernel[0]: (Sandbox) ",
            "2026-05-01 12:00:00.123 E  kernel[99:1a2b] (Sandbox) ",
            "hello ",
        ] {
            let line = format!("{before}{said}");
            assert!(
                matches!(Line::read(line.as_bytes()), Line::Foreign),
                "{line}"
            );
        }
        let json =
            format!(r#"{{"eventMessage":"{said}","processImagePath":"\/usr\/bin\/logger"}}"#);
        assert!(matches!(Line::read(json.as_bytes()), Line::Foreign));
        // A key inside a string is none.
        let json = format!(r#"{{"x":"\"eventMessage\":\"{said}\""}}"#);
        assert!(matches!(Line::read(json.as_bytes()), Line::Other));
    }

    #[test]
    fn duplicates_are_counted() {
        let times = |line: &str| match Line::read(line.as_bytes()) {
            Line::Message { head, .. } => Some((head.times, head.system)),
            _ => None,
        };
        let said = "cat(71) deny(1) file-read-data /x";
        assert_eq!(times(&format!("Sandbox: {said}")), Some((1, false)));
        let kernel = "May  1 12:00:00 mac kernel[0]: (Sandbox) ";
        let many = format!("{kernel}7 duplicate reports for Sandbox: {said}");
        assert_eq!(times(&many), Some((7, false)));
        let one = format!("1 duplicate report for Sandbox: {said}");
        assert_eq!(times(&one), Some((1, false)));
        assert_eq!(
            times(&format!("{kernel}System Policy: {said}")),
            Some((1, true))
        );
        // Wherever the count stands, it is no part of the program's name.
        for (before, system) in [
            ("Sandbox: 7 duplicate reports for Sandbox: ", false),
            ("Sandbox: 7 duplicate reports for System Policy: ", true),
            ("Sandbox: 7 duplicate reports for ", false),
            ("7 duplicate reports for ", false),
        ] {
            let line = format!("{before}{said}");
            assert_eq!(times(&line), Some((7, system)), "{line}");
            assert_eq!(text(&line).as_deref(), Some(said), "{line}");
        }
    }
}
