//! What a script says of the program that runs it.
//!
//! It reads bytes, and walks nothing.

use objcap_object::path;

/// The first line of a script: `#!`, an interpreter, and perhaps an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interpreter {
    pub(crate) path: Vec<u8>,
    pub(crate) argument: Option<Vec<u8>>,
}

/// How much of the first line a system looks at: 256 bytes on Linux (`BINPRM_BUF_SIZE`), 512 on macOS
/// (`IMG_SHSIZE`, xnu's `kern_exec.c`). A line that is cut on one of them could mean another file
/// there: it is refused.
const LINE_MAX: usize = 256;

/// How many interpreters of interpreters Linux goes through before it gives up with `ELOOP`
/// (`BINPRM_MAX_RECURSION`). macOS takes none that is itself a script.
pub(crate) const HOPS_MAX: usize = 4;

/// The interpreter that a file's first bytes name; `None` for what is no script.
///
/// # Errors
/// When the line is longer than the systems agree on, or names nothing.
pub(crate) fn interpreter(head: &[u8]) -> Result<Option<Interpreter>, &'static str> {
    let Some(line) = head.strip_prefix(b"#!") else {
        return Ok(None);
    };
    let end = line.iter().position(|byte| matches!(byte, b'\n' | 0));
    let line = match end {
        Some(end) => line.get(..end).unwrap_or_default(),
        None => line,
    };
    if line.len() + b"#!".len() >= LINE_MAX {
        return Err("its first line is longer than every system reads");
    }
    let line = trimmed(line);
    let end = line
        .iter()
        .position(|byte| is_blank(*byte))
        .unwrap_or(line.len());
    let (path, rest) = line.split_at_checked(end).unwrap_or((line, &[]));
    if path.is_empty() {
        return Err("its first line names no interpreter");
    }
    let rest = trimmed(rest);
    Ok(Some(Interpreter {
        path: path.to_vec(),
        argument: (!rest.is_empty()).then(|| rest.to_vec()),
    }))
}

/// The names of the shells whose scripts are looked into.
const SHELLS: [&[u8]; 5] = [b"sh", b"bash", b"dash", b"ksh", b"zsh"];

/// Whether an interpreter is a shell.
pub(crate) fn is_shell(interpreter: &Interpreter) -> bool {
    let name = path::components(&interpreter.path).next_back();
    name.is_some_and(|name| SHELLS.contains(&name))
}

/// The program that a shell script is a shim for: it says `exec`, perhaps with `-a` and a name, and the
/// absolute path of another program, in so many letters. Of several, the first.
pub(crate) fn shim(head: &[u8]) -> Option<Vec<u8>> {
    let lines = head.split(|byte| *byte == b'\n').map(trimmed);
    lines
        .filter_map(|line| line.strip_prefix(b"exec "))
        .find_map(|command| {
            let command = trimmed(command);
            let command = match command.strip_prefix(b"-a ") {
                Some(named) => word(trimmed(named))?.1,
                None => command,
            };
            let (program, _) = word(trimmed(command))?;
            let plain =
                program.starts_with(b"/") && !program.iter().any(|byte| b"$`\\*?[".contains(byte));
            (plain && path::components(program).count() > 0).then(|| program.to_vec())
        })
}

/// The first word of a shell's line, without the quotes around it, and what follows.
fn word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    match line.first()? {
        quote @ (b'"' | b'\'') => {
            let inside = line.get(1..)?;
            let end = inside.iter().position(|byte| byte == quote)?;
            let after = inside.get(end + 1..)?;
            // `"/usr/bin/"x` is one word, and not the one in quotes.
            let ended = after.first().is_none_or(|byte| is_blank(*byte));
            ended.then_some((inside.get(..end)?, after))
        }
        _ => {
            let end = line
                .iter()
                .position(|byte| is_blank(*byte))
                .unwrap_or(line.len());
            let word = line.get(..end)?;
            let plain = !word.iter().any(|byte| b"\"';&|<>()".contains(byte));
            plain.then_some((word, line.get(end..)?))
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_read_as_the_kernel_reads_it() {
        let read = |head: &str| interpreter(head.as_bytes());
        let found = |path: &str, argument: Option<&str>| {
            Ok(Some(Interpreter {
                path: path.into(),
                argument: argument.map(Into::into),
            }))
        };
        let table = [
            ("#!/bin/sh\necho", found("/bin/sh", None)),
            ("#! \t/bin/sh -e -u \n", found("/bin/sh", Some("-e -u"))),
            (
                "#!/usr/bin/env python3",
                found("/usr/bin/env", Some("python3")),
            ),
            ("#!sh\n", found("sh", None)),
            ("#!/bin/sh\r\n", found("/bin/sh\r", None)),
            ("\u{7f}ELF", Ok(None)),
            ("", Ok(None)),
            (" #!/bin/sh", Ok(None)),
            ("#!\n/bin/sh", Err("its first line names no interpreter")),
        ];
        for (head, expected) in table {
            assert_eq!(read(head), expected, "{head:?}");
        }
        assert!(
            read(&format!("#!/{}\n", "a".repeat(252)))
                .unwrap()
                .is_some()
        );
        assert!(read(&format!("#!/{}\n", "a".repeat(253))).is_err());
    }

    #[test]
    fn a_shim_says_in_so_many_letters_what_it_runs() {
        let table = [
            ("#!/bin/sh\nexec /opt/x/git \"$@\"\n", Some("/opt/x/git")),
            (
                "#!/bin/sh\nA=1\n  exec -a \"$0\" \"/nix/a b/x\"  \"$@\"",
                Some("/nix/a b/x"),
            ),
            ("#!/bin/sh\nexec \"$HOME/x\"\n", None),
            ("#!/bin/sh\nexec git\n", None),
            ("#!/bin/sh\nexec /usr/bin/\"x\"\n", None),
            ("#!/bin/sh\nexec /bin/$NAME\n", None),
            ("#!/bin/sh\n# exec /bin/x\n", None),
            ("#!/bin/sh\nexec /bin/x;rm\n", None),
        ];
        for (head, expected) in table {
            let found = shim(head.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{head:?}");
        }
    }
}
