//! What leaves the program: text on stdout, one message on stderr, and the exit code.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write as _};
use std::process::ExitCode;

use serde::Serialize;

/// The exit code of bad input, wrong arguments included.
pub(crate) const BAD_INPUT: u8 = 2;

/// What a verb answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Done.
    Yes,
    /// An answer too, and it is no.
    No,
    /// Two answers that should be one.
    Differ,
}

/// Why a verb could not answer: its input, or the machine it runs on. Told on stderr, in one line.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Failure(message.to_string())
    }
}

/// The program's exit code, after the message that goes with it.
pub(crate) fn exit_code(ended: Result<Verdict, Failure>) -> ExitCode {
    match ended {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Ok(Verdict::Differ) => ExitCode::from(3),
        Err(Failure(message)) => {
            tell(message);
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The exit code of a command line that asked for help, or that cannot be run: then `wrong`.
pub(crate) fn usage(told: &clap::Error, wrong: u8) -> ExitCode {
    // Nobody is left to tell when this cannot be printed.
    let _ = told.print();
    match told.exit_code() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(wrong),
    }
}

/// Tells what kept a verb from doing its work.
pub(crate) fn tell(failure: impl fmt::Display) {
    // The code says it too, if stderr is closed.
    let _ = writeln!(io::stderr().lock(), "objcap: {failure}");
}

/// Stdout, buffered.
///
/// A reader that goes away (`| head`) is no failure: what follows is dropped, and the exit code
/// stays that of the answer, which a script may still go by.
pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Output {
    pub(crate) fn open() -> Self {
        Output {
            stdout: BufWriter::new(io::stdout().lock()),
            closed: false,
        }
    }

    /// Whether the reader has gone away.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a remark beside the answer, to stderr.
    pub(crate) fn note(&mut self, note: impl fmt::Display) {
        // The answer does not depend on it.
        let _ = writeln!(io::stderr().lock(), "objcap: {note}");
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        let written = write!(self.stdout, "{text}");
        self.after(written)
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.stdout.write_all(bytes);
        self.after(written)
    }

    /// Writes one line of JSON.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> Result<(), Failure> {
        let written = serde_json::to_writer(&mut self.stdout, record)
            .map_err(io::Error::from)
            .and_then(|()| self.stdout.write_all(b"\n"));
        self.after(written)
    }

    /// Writes JSON for people, too: over several lines.
    pub(crate) fn document(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let written = serde_json::to_writer_pretty(&mut self.stdout, document)
            .map_err(io::Error::from)
            .and_then(|()| self.stdout.write_all(b"\n"));
        self.after(written)
    }

    /// Hands over what is held back.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let written = self.stdout.flush();
        self.after(written)
    }

    fn after(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::new(format_args!(
                "cannot write to stdout: {error}"
            ))),
            Ok(()) => Ok(()),
        }
    }
}
