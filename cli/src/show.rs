//! `objcap show`: what grants come to, as a tree.

mod place;
mod record;
mod tree;

use objcap::capability::Stack;
use objcap::object::{Host, World};

use self::record::Record;
use self::tree::Tree;
use crate::grant;
use crate::output::{Failure, Output, Verdict};
use crate::style::Colour;

/// Show what grants come to: a tree of what may be read, written and run, and of what is excluded.
///
/// Each line holds for its place and for all below it, up to the next line. Places where nothing
/// changes are left out. What every program on the system needs, whatever the grant, stands at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = WORDS)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    /// Say which clauses each line comes from.
    #[arg(long)]
    why: bool,

    /// Put what every program needs into the tree.
    #[arg(long)]
    all: bool,

    /// Answer in one line of JSON.
    #[arg(long)]
    json: bool,
}

const WORDS: &str = "\
The words: `read` the place may be read; `write` written, and so read; `run` programs there may be run;
`excluded` no access at all; `protected` never written or replaced; `not run` programs there are not run;
`vetoed` a program of this name is not run; `nothing` no clause is left that allows anything; `alone` this
holds for the object, and not for what is below it.

Colour is used on a terminal, unless NO_COLOR is set.

Exit codes: 0 shown; 2 bad input, told on stderr.";

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    args.grant.open(args)
}

impl grant::Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let mut output = Output::open();
        let places = place::places(stack, host);
        if self.json {
            output.json(&Record::of(&places, stack, host))?;
        } else {
            output.text(Tree {
                places: &places,
                rest: &Record::of(&[], stack, host),
                why: self.why,
                all: self.all,
                colour: Colour::of_stdout(),
            })?;
        }
        output.flush()?;
        Ok(Verdict::Yes)
    }
}
