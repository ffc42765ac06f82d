//! `objcap run`: a program, confined by grants.

mod plan;
mod refusals;
mod wait;

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser as _};
use objcap::capability::Stack;
use objcap::object::{Host, Machine, World};
use objcap::sandbox::{
    Command, Consent, Entry, LaunchError, LaunchErrorKind, LimitationKind, Sandbox, Session,
};

use self::plan::Plan;
use self::refusals::{Aborted, When};
use crate::grant::{self, Which};
use crate::output::{self, Failure, Output};
use signal_hook::consts::SIGABRT;

/// Run a program, confined by grants.
///
/// The guard judges the program and its arguments, the profile is rendered, and the program starts under it, or
/// nothing starts. It has this process's environment, but for what is changed here, its current folder, and a
/// session of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    /// The program and its arguments, after `--`.
    #[arg(value_name = "CMD", last = true, required = true)]
    command: Vec<OsString>,

    /// Run nothing: print what would be executed, how the environment changes, and the profile. With `--host mac`
    /// it works on every system.
    #[arg(long)]
    dry_run: bool,

    /// Answer in one line of JSON.
    #[arg(long, requires = "dry_run")]
    json: bool,

    /// Run it although something that the grants say cannot be held. What that is stands in the message that
    /// refuses to.
    #[arg(long, value_name = "LIMITATION")]
    accept: Vec<Accepted>,

    /// The folder it runs in.
    #[arg(long, value_name = "DIR")]
    chdir: Option<PathBuf>,

    /// Sets a variable of its environment.
    #[arg(long, value_name = "NAME=VALUE", value_parser = OsStringValueParser::new().try_map(variable))]
    env: Vec<(OsString, OsString)>,

    /// Removes a variable from its environment.
    #[arg(long, value_name = "NAME")]
    unset: Vec<OsString>,

    /// Begins with an empty environment.
    #[arg(long)]
    clear_env: bool,

    /// When to say at the end what the kernel refused it, and what would admit that.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Failed)]
    refusals: When,

    /// Leaves it the terminal: it stays in this session.
    #[arg(long)]
    foreground: bool,

    /// Lets `/usr/bin/sandbox-exec` enter the profile, in place of a launcher.
    #[arg(long)]
    sandbox_exec: bool,
}

const EXIT_CODES: &str = "\
Exit codes: the program's own; 128 + N when signal N ended it; 125 when nothing was run, for a reason that is
not the program's; 126 when it is refused or cannot be executed; 127 when there is no such program, or nothing
to interpret it. With --dry-run: 0 shown, and the same otherwise.";

/// The code of what failed before the program was judged.
const FAILED: u8 = 125;
const NOT_EXECUTED: u8 = 126;
const NOT_FOUND: u8 = 127;

/// A limitation that must be accepted, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Accepted(LimitationKind);

const ACCEPTED: [Accepted; 3] = [
    Accepted(LimitationKind::Arguments),
    Accepted(LimitationKind::SecondNames),
    Accepted(LimitationKind::LoaderVariables),
];

impl ValueEnum for Accepted {
    fn value_variants<'a>() -> &'a [Self] {
        &ACCEPTED
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

fn variable(text: OsString) -> Result<(OsString, OsString), &'static str> {
    let mut parts = text.as_bytes().splitn(2, |byte| *byte == b'=');
    match (parts.next(), parts.next()) {
        (Some(name), Some(value)) if !name.is_empty() => {
            let part = |bytes| OsStr::from_bytes(bytes).to_owned();
            Ok((part(name), part(value)))
        }
        _ => Err("it is NAME=VALUE"),
    }
}

/// The code of a command line that cannot be understood: `run` has its own, as env(1) does.
pub(crate) fn wrong_usage() -> u8 {
    let is_run = env::args_os().nth(1).is_some_and(|verb| verb == "run");
    if is_run { FAILED } else { output::BAD_INPUT }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> ExitCode {
    let ended = match (args.dry_run, args.grant.place.host) {
        (true, _) => args
            .grant
            .open(args)
            .map_err(Stopped::from)
            .and_then(|shown| shown),
        (false, Which::This) => args
            .grant
            .here(|host, stack| args.start(host, stack))
            .map_err(Stopped::from)
            .and_then(|ended| ended),
        (false, Which::Mac) => Err(Stopped::from(Failure::new(
            "nothing runs on a model of another system; `--dry-run` shows what would",
        ))),
    };
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(Stopped { code, told }) => {
            output::tell(told);
            ExitCode::from(code)
        }
    }
}

/// Why nothing was run, and the code that says so.
#[derive(Debug)]
pub(crate) struct Stopped {
    code: u8,
    told: String,
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Stopped {
            code: FAILED,
            told: failure.to_string(),
        }
    }
}

impl From<LaunchError> for Stopped {
    fn from(error: LaunchError) -> Self {
        let code = match error.kind() {
            LaunchErrorKind::NotFound => NOT_FOUND,
            LaunchErrorKind::Refused => NOT_EXECUTED,
            LaunchErrorKind::Exec => match error.io_error().map(std::io::Error::kind) {
                Some(std::io::ErrorKind::NotFound) => NOT_FOUND,
                _ => NOT_EXECUTED,
            },
            _ => FAILED,
        };
        Stopped {
            code,
            told: error.to_string(),
        }
    }
}

/// A dry run, on whichever host.
impl grant::Verb for Args {
    type Answer = Result<u8, Stopped>;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Self::Answer, Failure> {
        let shown = self.sandbox(host, stack).and_then(|sandbox| {
            let prepared = self.command(&sandbox).prepare()?;
            let mut output = Output::open();
            let plan = Plan::of(&prepared, &sandbox, env::vars_os().collect());
            if self.json {
                output.json(&plan.record())?;
            } else {
                output.text(&plan)?;
            }
            output.flush()?;
            Ok(0)
        });
        Ok(shown)
    }
}

impl Args {
    fn sandbox<'a, W: World>(
        &self,
        host: &'a Host<W>,
        stack: &'a Stack<W>,
    ) -> Result<Sandbox<'a, W>, Stopped> {
        let entry = match self.sandbox_exec {
            true => Entry::SandboxExec,
            false => Entry::Launcher,
        };
        let sandbox = Sandbox::new(stack, host).map_err(Failure::new)?.by(entry);
        let accepted = self.accept.iter();
        Ok(accepted.fold(sandbox, |sandbox, Accepted(kind)| sandbox.accept(*kind)))
    }

    fn command<'p, W: World>(&self, sandbox: &'p Sandbox<'p, W>) -> Command<'p, W> {
        let (program, arguments) = match &*self.command {
            [program, arguments @ ..] => (program.as_os_str(), arguments),
            [] => ("".as_ref(), &[][..]),
        };
        let mut command = sandbox.command(program).args(arguments);
        if !self.clear_env {
            command = command.envs(env::vars_os());
        }
        for name in &self.unset {
            command = command.env_remove(name);
        }
        command = command.envs(self.env.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.chdir {
            command = command.current_dir(folder);
        }
        command.session(self.session())
    }

    fn session(&self) -> Session {
        match self.foreground {
            true => Session::Foreground,
            false => Session::New,
        }
    }

    fn start(&self, host: &Host<Machine>, stack: &Stack<Machine>) -> Result<u8, Stopped> {
        let run = refusals::Run::begin()?;
        let sandbox = self.sandbox(host, stack)?;
        let sandbox = sandbox.tagged(run.tag()).map_err(Failure::new)?;
        let command = self.command(&sandbox);
        // Before the child is there, so that no signal is missed.
        let watched = wait::Watched::new()
            .map_err(|error| Failure::new(format_args!("signals cannot be watched: {error}")))?;
        let mut child = command.spawn()?;
        for limitation in child.enforced().limitations() {
            if limitation.kind().consent() == Consent::Needed {
                output::tell(format_args!("accepted: {limitation}"));
            }
        }
        let status = watched
            .wait(&mut child, self.session())
            .map_err(|error| Failure::new(format_args!("it cannot be waited for: {error}")))?;
        if status.signal() == Some(SIGABRT) {
            output::tell(Aborted);
        }
        let looked_at = match self.refusals {
            When::Always => true,
            When::Failed => !status.success(),
            When::Never => false,
        };
        if looked_at {
            match run.told(child.id(), sandbox.profile(), stack, host) {
                Ok(told) if told.is_empty() => {}
                Ok(told) => output::tell(format_args!("the sandbox refused:\n{}", told.trim_end())),
                Err(error) => output::tell(format_args!(
                    "what the sandbox refused is not known: the log cannot be read: {error}"
                )),
            }
        }
        Ok(wait::code(status))
    }
}
