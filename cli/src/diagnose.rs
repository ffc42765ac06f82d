//! `objcap diagnose`: what a Mac's log says was denied, and the clause that would admit it, if one should.

mod answer;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use objcap::capability::Stack;
use objcap::object::{Host, World};
use objcap::sandbox::diag::{Attribution, Diagnoser, Log, Tag};

use self::answer::{Answer, CountsRecord};
use crate::grant;
use crate::json::Text;
use crate::output::{Failure, Output, Verdict};

/// Say what a log of a Mac says was denied, and what would admit it.
///
/// The log is what `log show` or `log stream` prints, in any style, what `sandbox-exec` says on stderr, or
/// both. Each denial is judged by the grants and their profile, and gets one answer: the clause that is missing
/// and where, the clause that speaks against it, or the reason why no grant admits it. Lines that say the same
/// are told once; what is not understood is counted.
///
///     log show --last 5m --style ndjson --predicate 'sender == "Sandbox"' | objcap diagnose grant.toml
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES, verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    /// The log; `-` is stdin.
    #[arg(long, value_name = "FILE", default_value = "-")]
    log: PathBuf,

    /// Only what was denied to these processes.
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,

    /// Only what a profile with this tag denied; with `--pid`, that too.
    #[arg(long, value_parser = tag)]
    tag: Option<Tag>,

    /// Answer in JSON, one record on a line: denials, then troubles, then what became of the lines.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
A hint is advice: programs pick their own names, and may write to the log.

Exit codes: 0 nothing was denied; 1 something was; 2 bad input, told on stderr.";

fn tag(text: &str) -> Result<Tag, String> {
    Tag::new(text).map_err(|error| error.to_string())
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    args.grant.open(args)
}

impl grant::Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let profile = grant::render(stack, host)?;
        let mut log = Log::of(self.wanted());
        self.open()
            .and_then(|source| log.read(source))
            .map_err(|error| {
                Failure::new(format_args!(
                    "cannot read `{}`: {error}",
                    Text(self.log.as_os_str().as_encoded_bytes())
                ))
            })?;
        let found = log.finish();
        let diagnoser = Diagnoser::new(&profile, stack, host);
        let denials = found.denials().iter();
        let denials = denials.map(|one| Answer::of_denial(one, diagnoser.denial(one), &profile));
        let troubles = found.troubles().iter();
        let troubles =
            troubles.map(|one| Answer::of_trouble(one, diagnoser.trouble(one), &profile));
        let mut output = Output::open();
        for answer in denials.chain(troubles) {
            match self.json {
                true => output.json(&answer)?,
                false => output.text(answer)?,
            }
        }
        let counts = CountsRecord::of(found.counts());
        match self.json {
            true => output.json(&counts)?,
            false => output.text(counts)?,
        }
        output.flush()?;
        Ok(match (found.denials(), found.troubles()) {
            ([], []) => Verdict::Yes,
            _ => Verdict::No,
        })
    }
}

impl Args {
    fn wanted(&self) -> Attribution {
        let wanted = match &self.pid[..] {
            [] => Attribution::everything(),
            pids => Attribution::pids(pids.iter().copied()),
        };
        match &self.tag {
            Some(tag) => wanted.or_tagged(tag.clone()),
            None => wanted,
        }
    }

    fn open(&self) -> io::Result<Box<dyn BufRead>> {
        Ok(match self.log.as_os_str().as_encoded_bytes() {
            b"-" => Box::new(io::stdin().lock()),
            _ => Box::new(BufReader::new(File::open(&self.log)?)),
        })
    }
}
