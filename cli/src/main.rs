//! The program `objcap`: reads its arguments, runs one verb, and ends with that verb's code. What a
//! verb does stands in the file of its name.

mod explain;
mod fmt;
mod grant;
mod json;
mod judge;
mod lint;
mod output;
mod profile;
mod text;
mod walk;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Grants about file-system objects: what a name leads to, and what a grant says of it.
#[derive(Debug, Parser)]
#[command(name = "objcap", version, after_help = EXIT_CODES)]
struct Program {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Walk(walk::Args),
    Profile(profile::Args),
    Explain(explain::Args),
    Judge(judge::Args),
    Lint(lint::Args),
    Fmt(fmt::Args),
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, or admitted; 1 the answer is no: refused, or the path leads nowhere, or there are
findings; 2 bad input, told on stderr; 3 the readings of a profile, or guard and profile, differ.";

fn main() -> ExitCode {
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(told) => return output::usage(&told),
    };
    output::exit_code(match program.verb {
        Verb::Walk(args) => walk::run(&args),
        Verb::Profile(args) => profile::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Judge(args) => judge::run(&args),
        Verb::Lint(args) => lint::run(&args),
        Verb::Fmt(args) => fmt::run(&args),
    })
}
