//! `objcap schema`: what a grant's file may hold, for editors.

use objcap::capability::Grant;

use crate::output::{Failure, Output, Verdict};

/// Print the JSON Schema of grant files.
///
/// An editor that knows it completes keys and underlines mistakes as they are typed. With taplo (Even
/// Better TOML), write it to a file and begin a grant with `#:schema ./grant.schema.json`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Runs the verb.
pub(crate) fn run(Args {}: &Args) -> Result<Verdict, Failure> {
    let mut output = Output::open();
    output.document(&Grant::schema())?;
    output.flush()?;
    Ok(Verdict::Yes)
}
