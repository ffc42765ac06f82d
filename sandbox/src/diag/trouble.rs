//! What keeps a sandbox from being entered or a program from starting: no denial, but met where one is looked for.

use std::fmt;

use objcap_object::path;

/// What kept a program from running in a sandbox at all.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trouble {
    /// A profile was to be applied where one holds already (docs/seatbelt.md, section 6).
    Nested,
    /// The system does not take the profile's text.
    Uncompiled {
        /// The line of the text, where it is told.
        line: Option<usize>,
        /// What the system says of it.
        message: Box<[u8]>,
    },
    /// The program could not be started: the system says no.
    NotPermitted(Box<[u8]>),
    /// There is no such program.
    NotFound(Box<[u8]>),
    /// A program was aborted and had said nothing: it died in dyld before `main`
    /// (docs/seatbelt.md, section 3), and so says nothing about what it was to do.
    Aborted,
}

/// Whether a program said anything before it ended.
// Exhaustive: it did or it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Not a byte.
    Nothing,
    /// Something.
    Something,
}

/// The signal that abort(3) raises, the same on Linux and macOS.
const SIGABRT: i32 = 6;

impl Trouble {
    /// What the signal that ended a program says; `None` when it says nothing about the sandbox.
    pub fn of_signal(signal: i32, output: Output) -> Option<Self> {
        (signal == SIGABRT && output == Output::Nothing).then_some(Trouble::Aborted)
    }

    /// Reads a line of a program's stderr; `None` when it is none that `sandbox-exec` is known to print.
    /// That of a second entry is published by many, and so are those of a profile that does not compile
    /// (docs/seatbelt.md, section 6).
    pub fn of_stderr(line: &[u8]) -> Option<Self> {
        let said = line.trim_ascii();
        let said = said.get(..super::MESSAGE_MAX).unwrap_or(said);
        let is_launcher = said.starts_with(b"sandbox-exec: ");
        let said = said.strip_prefix(b"sandbox-exec: ").unwrap_or(said);
        let applied = [
            "sandbox_apply: ",
            "sandbox_init: ",
            "sandbox_apply_container: ",
        ];
        for call in applied {
            if said.strip_prefix(call.as_bytes()) == Some(b"Operation not permitted") {
                return Some(Trouble::Nested);
            }
        }
        if let Some(rest) = said.strip_prefix(b"execvp() of '") {
            for (end, why) in [
                (
                    &b"' failed: Operation not permitted"[..],
                    Trouble::NotPermitted as fn(_) -> _,
                ),
                (b"' failed: No such file or directory", Trouble::NotFound),
            ] {
                if let Some(program) = rest.strip_suffix(end) {
                    return Some(why(program.into()));
                }
            }
        }
        is_launcher.then(|| Trouble::Uncompiled {
            line: line_number(said),
            message: said.into(),
        })
    }
}

/// The number in `…: line 3: …` or `…:3:7: …`.
fn line_number(said: &[u8]) -> Option<usize> {
    let mut parts = said.split(|byte| *byte == b':').map(<[u8]>::trim_ascii);
    parts.find_map(|part| {
        let digits = part.strip_prefix(b"line ").unwrap_or(part);
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(digits)
            .ok()?
            .parse()
            .ok()
            .filter(|_| is_number)
    })
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Nested => f.write_str("a profile was to be applied inside of another"),
            Trouble::Uncompiled { message, .. } => {
                write!(f, "the profile was not taken: {}", path::display(message))
            }
            Trouble::NotPermitted(program) => {
                write!(f, "`{}` was not permitted to start", path::display(program))
            }
            Trouble::NotFound(program) => {
                write!(f, "`{}` was not found", path::display(program))
            }
            Trouble::Aborted => f.write_str("a program was aborted before it said anything"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sandbox_exec_says_is_told_apart() {
        let of = |line: &str| Trouble::of_stderr(line.as_bytes());
        let uncompiled = |line, message: &str| {
            let message = message.as_bytes().into();
            Some(Trouble::Uncompiled { line, message })
        };
        for (line, expected) in [
            (
                "sandbox-exec: sandbox_apply: Operation not permitted",
                Some(Trouble::Nested),
            ),
            (
                "sandbox_init: Operation not permitted\n",
                Some(Trouble::Nested),
            ),
            (
                "sandbox-exec: execvp() of '/w/a b' failed: Operation not permitted",
                Some(Trouble::NotPermitted(b"/w/a b"[..].into())),
            ),
            (
                "sandbox-exec: execvp() of 'nope' failed: No such file or directory",
                Some(Trouble::NotFound(b"nope"[..].into())),
            ),
            (
                "sandbox-exec: p.sb: line 3: unbound variable: path",
                uncompiled(Some(3), "p.sb: line 3: unbound variable: path"),
            ),
            (
                "sandbox-exec: <input string>:7:2: syntax error",
                uncompiled(Some(7), "<input string>:7:2: syntax error"),
            ),
            (
                "sandbox-exec: no version specified",
                uncompiled(None, "no version specified"),
            ),
            ("cat: /x: Operation not permitted", None),
            ("", None),
        ] {
            assert_eq!(of(line), expected, "{line}");
        }
    }

    #[test]
    fn an_abort_without_a_word_is_a_start_that_failed() {
        let of = Trouble::of_signal;
        assert_eq!(of(6, Output::Nothing), Some(Trouble::Aborted));
        assert_eq!(
            (of(6, Output::Something), of(9, Output::Nothing)),
            (None, None)
        );
    }
}
