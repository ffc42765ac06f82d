//! `objcap lint`: what grants, or a sandbox profile, say that their authors may not mean.

mod grant;
mod profile;

use std::path::{Path, PathBuf};

use crate::grant::Frozen;
use crate::output::{Failure, Verdict};
use crate::text::Means;

/// Find what grants, or a sandbox profile, say that their authors may not mean.
///
/// Files that end in `.toml` are grants, met as layers: clauses that allow nothing, that another
/// implies, that lead nowhere; places that may be both written and run; and what else grants can say
/// and their authors seldom mean. Any other file is a profile: rules that never match or never decide,
/// that depend on how the kernel reads the profile, or that allow more than they seem to.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Grants, by their ending `.toml`; or one profile, `-` for stdin.
    #[arg(value_name = "GRANT.toml|PROFILE.sb", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    place: Frozen,

    #[command(flatten)]
    means: Means,

    /// Answer in JSON, one finding on a line.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found; 1 something found; 2 bad input, told on stderr.";

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let is_grant = |path: &&PathBuf| is_grant(path);
    match (&args.files[..], args.files.iter().filter(is_grant).count()) {
        ([profile], 0) => profile::run(args, profile),
        (files, grants) if grants == files.len() => grant::run(args),
        _ => Err(Failure::new(
            "lint takes grants, whose names end in `.toml`, or one profile",
        )),
    }
}

fn is_grant(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}
