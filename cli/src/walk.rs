//! `objcap walk`: where a path leads, and every name passed on the way. One path from the command
//! line, or many from stdin.

mod answer;
mod place;

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader};

use clap::ValueEnum;
use objcap::walk::{Leaf, Links, Options, Require, Scope, Tail, walk_from};

use self::answer::Answer;
use self::place::Place;
use crate::output::{Failure, Output, Verdict};

/// Walk a path: show the object that it leads to, and every name passed on the way.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// The path. A relative one starts at the current folder, or at --root.
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    path: Option<OsString>,

    /// Where relative paths start, and what real paths are given relative to.
    ///
    /// DIR itself is shown as `/`. Without a scope, absolute paths and absolute link texts still
    /// mean the machine's root, and `..` may leave DIR: names outside of it are then shown as
    /// absolute paths of the machine, and the JSON of an object there ends in `"outside":true`.
    #[arg(long, value_name = "DIR")]
    root: Option<OsString>,

    /// What happens to a path that would leave --root, or else the current folder.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ScopeFlag::None)]
    scope: ScopeFlag,

    /// Whether symbolic links are followed.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = LinksFlag::Follow)]
    links: LinksFlag,

    /// Whether a symbolic link at the end of the path is followed.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = LeafFlag::Follow)]
    leaf: LeafFlag,

    /// Accept only a directory, or nothing at all.
    #[arg(long)]
    directory: bool,

    /// Whether the end of the path may be absent.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = TailFlag::Accept)]
    tail: TailFlag,

    /// Answer in one line of JSON.
    ///
    /// The root has neither leaf nor parent: both are null. `kind` and `id` are null for what is
    /// absent, `at` where no walk began. A string that is not UTF-8 is an array of byte values.
    #[arg(long)]
    json: bool,

    /// Walk each path of stdin, one a line; answer each in one line of JSON.
    ///
    /// An empty line is an empty path. The exit code is 0 once all were answered, whatever the
    /// answers.
    #[arg(long)]
    stdin: bool,

    /// Paths on stdin end in a NUL and not in a newline.
    #[arg(short = '0', requires = "stdin", conflicts_with = "path")]
    nul: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 the path was walked, absent or not; 1 it leads nowhere; 2 bad input, told on stderr.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeFlag {
    /// It may leave.
    None,
    /// It fails, and so does every absolute path.
    Beneath,
    /// It stays: `..` ends at the root, and absolute paths start there, as after chroot(2).
    InRoot,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LinksFlag {
    /// They are followed.
    Follow,
    /// A path that meets one fails.
    Refuse,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LeafFlag {
    /// It is followed.
    Follow,
    /// The link itself is the object, unless a slash stands behind it.
    AsNamed,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TailFlag {
    /// Absence is an answer.
    Accept,
    /// An absent object is an error.
    Refuse,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy)]
enum Form {
    Human,
    Json,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let place = match args.scope {
        ScopeFlag::None => Place::open(args.root.as_deref())?,
        ScopeFlag::Beneath | ScopeFlag::InRoot => Place::enclosed(args.root.as_deref())?,
    };
    let options = args.options();
    let form = if args.json { Form::Json } else { Form::Human };
    let end = if args.nul { 0 } else { b'\n' };
    let mut output = Output::open();
    let verdict = match &args.path {
        Some(path) => answer(&place, path.as_encoded_bytes(), &options, form, &mut output)?,
        None => answer_stdin(&place, end, &options, &mut output)?,
    };
    output.flush()?;
    Ok(verdict)
}

/// Answers every path of stdin; `end` is the byte that ends each.
fn answer_stdin(
    place: &Place,
    end: u8,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut paths = BufReader::new(io::stdin().lock());
    let mut path = Vec::new();
    while !output.is_closed() {
        if paths.buffer().is_empty() {
            // Whoever asks one path at a time waits for the answer to the last.
            output.flush()?;
        }
        path.clear();
        let read = paths
            .read_until(end, &mut path)
            .map_err(|error| Failure::new(format_args!("cannot read stdin: {error}")))?;
        if read == 0 {
            break;
        }
        let path = path.strip_suffix(&[end]).unwrap_or(&path);
        answer(place, path, options, Form::Json, output)?;
    }
    Ok(Verdict::Yes)
}

fn answer(
    place: &Place,
    path: &[u8],
    options: &Options,
    form: Form,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut show = |answer: &Answer<'_>| {
        match form {
            Form::Human => output.text(answer)?,
            Form::Json => output.json(answer)?,
        }
        Ok(answer.verdict())
    };
    let walked = match place.start(path) {
        Ok(start) => walk_from(place.machine(), start, path, options),
        Err(fault) => return show(&Answer::lost(fault)),
    };
    match walked {
        Ok(walked) => show(&Answer::found(place, &walked)),
        Err(error) => show(&Answer::failed(place, &error)),
    }
}

impl Args {
    fn options(&self) -> Options {
        Options {
            scope: match self.scope {
                ScopeFlag::Beneath => Scope::Beneath,
                // The machine's root is then the tree's, and nothing lies outside.
                ScopeFlag::None | ScopeFlag::InRoot => Scope::InRoot,
            },
            links: match self.links {
                LinksFlag::Follow => Links::Follow,
                LinksFlag::Refuse => Links::Refuse,
            },
            leaf: match self.leaf {
                LeafFlag::Follow => Leaf::Follow,
                LeafFlag::AsNamed => Leaf::AsNamed,
            },
            tail: match self.tail {
                TailFlag::Accept => Tail::Accept,
                TailFlag::Refuse => Tail::Refuse,
            },
            require: if self.directory {
                Require::Directory
            } else {
                Require::Anything
            },
            ..Options::default()
        }
    }
}
