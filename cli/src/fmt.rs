//! `objcap fmt`: a sandbox profile in one layout, with its comments.

use std::path::PathBuf;

use objcap::sbpl::format::format;
use objcap::sbpl::span::Source;

use crate::json::Text;
use crate::output::{Failure, Output, Verdict};
use crate::text;

/// Lay a sandbox profile out, and print it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// The profile; `-` is stdin.
    #[arg(value_name = "PROFILE.sb")]
    profile: PathBuf,
}

const EXIT_CODES: &str = "Exit codes: 0 printed; 2 bad input, told on stderr.";

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let text = text::read(&args.profile)?;
    let formatted = format(&text).map_err(|error| {
        let at = Source::new(text.as_slice()).position(error.span().start);
        let name = Text(args.profile.as_os_str().as_encoded_bytes());
        Failure::new(format_args!("{name}:{}:{}: {error}", at.line, at.column))
    })?;
    let mut output = Output::open();
    output.bytes(&formatted)?;
    output.flush()?;
    Ok(Verdict::Yes)
}
