//! The program `objcap`: reads its arguments, runs one verb, and ends with that verb's code. What a
//! verb does stands in the file of its name.

mod diagnose;
mod doctor;
mod explain;
mod fmt;
mod grant;
mod json;
mod judge;
mod lint;
mod output;
mod profile;
mod run;
mod schema;
mod show;
mod style;
mod text;
mod walk;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Grants about file-system objects: what a name leads to, and what a grant says of it.
#[derive(Debug, Parser)]
#[command(name = "objcap", version, after_help = EXIT_CODES, after_long_help = LEARN)]
struct Program {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Explain(explain::Args),
    Show(show::Args),
    Lint(lint::Args),
    Profile(profile::Args),
    Run(run::Args),
    Doctor(doctor::Args),
    Diagnose(diagnose::Args),
    Schema(schema::Args),
    Walk(walk::Args),
    Judge(judge::Args),
    Fmt(fmt::Args),
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, or admitted; 1 the answer is no: refused, or the path leads nowhere, or there are
findings; 2 bad input, told on stderr; 3 the readings of a profile, or guard and profile, differ.";

const LEARN: &str = "\
A grant is a TOML file:

    [fs]
    read    = ['~/src/app']            # a place and all below it
    write   = ['~/src/app/target']     # writing implies reading
    exclude = ['~/src/app/.env']       # no access at all, under any spelling
    [exec]
    allow   = ['/usr/bin', 'cargo']    # a folder, a file, a bare name, or 'every'
    [net]
    access  = 'offline'                # or 'open'

A table that is left out leaves its dimension unrestricted, and an empty one refuses everything in it.
What to do with it:

    objcap show grant.toml                            # what may be read, written and run
    objcap explain grant.toml read ~/src/app/.ENV     # one access, and the clause that decides
    objcap explain grant.toml exec cargo -- test
    objcap lint grant.toml                            # what it says and may not mean
    objcap profile grant.toml                         # the same for the kernel of a Mac
    objcap run grant.toml -- cargo test               # a program, confined
    objcap run grant.toml --dry-run --host mac -- git status
    objcap doctor                                     # what this system can enforce
    objcap diagnose grant.toml < log                  # what that kernel denied, and why
    objcap show grant.toml --host mac                 # on a model of a Mac, anywhere

Exit codes: 0 done, or admitted; 1 the answer is no: refused, or the path leads nowhere, or there are
findings; 2 bad input, told on stderr; 3 the readings of a profile, or guard and profile, differ.";

fn main() -> ExitCode {
    // Before anything else: this process may have been started as the launcher of a confined one.
    objcap::sandbox::launcher();
    let program = match Program::try_parse() {
        Ok(program) => program,
        Err(told) => return output::usage(&told, run::wrong_usage()),
    };
    output::exit_code(match program.verb {
        Verb::Run(args) => return run::run(&args),
        Verb::Doctor(args) => doctor::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Lint(args) => lint::run(&args),
        Verb::Profile(args) => profile::run(&args),
        Verb::Diagnose(args) => diagnose::run(&args),
        Verb::Schema(args) => schema::run(&args),
        Verb::Walk(args) => walk::run(&args),
        Verb::Judge(args) => judge::run(&args),
        Verb::Fmt(args) => fmt::run(&args),
    })
}
