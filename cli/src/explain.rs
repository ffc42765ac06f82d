//! `objcap explain`: what guard and profile say of one access, and whether they agree.

mod act;
mod answer;
mod rule;

use std::ffi::OsString;

use objcap::capability::{Act, Guard, GuardError, JudgedRun, Stack};
use objcap::object::{Host, World};
use objcap::sandbox::{Asked, Profile, act_requests};

use self::act::{Asking, Paths};
use self::answer::{Answer, End};
use crate::grant;
use crate::output::{Failure, Output, Verdict};

/// Say whether grants admit an access, and why: by the guard, and by the profile under every reading
/// of how the kernel decides.
///
/// The guard walks the path and judges the object that it leads to; it names the clause that decides.
/// The profile's text is judged as the kernel would, with the names that the kernel would be shown; the
/// rule that decides is given with its line, less what it says of other operations and names. Both must say the
/// same.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXIT_CODES,
    subcommand_precedence_over_arg = true,
    disable_help_subcommand = true,
    subcommand_value_name = "ACCESS",
    subcommand_help_heading = "Accesses"
)]
pub(crate) struct Args {
    #[command(flatten)]
    grant: grant::Given,

    #[command(subcommand)]
    asking: Asking,

    /// Answer in one line of JSON.
    #[arg(long, global = true)]
    json: bool,
}

const EXIT_CODES: &str = "\
Paths that are relative start at the host's current folder.

Exit codes: 0 admitted; 1 refused; 2 bad input, told on stderr; 3 the readings, or guard and profile, differ.";

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    args.grant.open(args)
}

impl grant::Verb for Args {
    type Answer = Verdict;

    fn run<W: World>(&self, host: &Host<W>, stack: &Stack<W>) -> Result<Verdict, Failure> {
        let profile = grant::render(stack, host)?;
        let guard = Guard::new(host, stack);
        match self.asking.paths() {
            Paths::Program(program, arguments) => {
                let judged = guard.judge_exec(program, arguments);
                self.show_run(program, judged, &profile, host)
            }
            Paths::Objects(act, paths) => {
                let paths = paths.into_iter().map(|path| grant::absolute(path, host));
                let paths = paths.collect::<Result<Vec<_>, _>>()?;
                self.show_act(act, &paths, guard, &profile, host)
            }
        }
    }
}

impl Args {
    fn show_act<W: World>(
        &self,
        act: Act,
        paths: &[OsString],
        guard: Guard<'_, W>,
        profile: &Profile,
        host: &Host<W>,
    ) -> Result<Verdict, Failure> {
        let judged = match guard.judge_act(act, paths) {
            Ok(judged) => judged,
            Err(error) => {
                let why = format!("the name leads nowhere: {error}");
                return self.show(&Answer::lost(act, paths, why));
            }
        };
        let objects: Vec<_> = judged.iter().map(|end| end.object()).collect();
        let requests = act_requests(act, &objects, host);
        let ends = paths.iter().zip(&judged);
        let ends = ends.map(|(path, end)| End::of(path, end)).collect();
        let explanation = profile.explain(&requests);
        self.show(&Answer::of(act, ends, Vec::new(), &explanation, profile))
    }

    fn show_run<W: World>(
        &self,
        program: &OsString,
        judged: Result<JudgedRun<'_, W::Dir>, GuardError>,
        profile: &Profile,
        host: &Host<W>,
    ) -> Result<Verdict, Failure> {
        let JudgedRun {
            program: file,
            interpreters,
        } = match judged {
            Ok(judged) => judged,
            Err(error) => {
                let told = [program.clone()];
                return self.show(&Answer::lost(Act::Exec, &told, error.to_string()));
            }
        };
        let files = [&file].into_iter().chain(&interpreters);
        // The system asks of an interpreter as of another program.
        let requests: Vec<Asked> = files
            .flat_map(|file| act_requests(Act::Exec, &[file.object()], host))
            .collect();
        let explanation = profile.explain(&requests);
        let ends = vec![End::of(program, &file)];
        let interpreters = interpreters.iter().map(End::of_interpreter).collect();
        self.show(&Answer::of(
            Act::Exec,
            ends,
            interpreters,
            &explanation,
            profile,
        ))
    }

    fn show(&self, answer: &Answer<'_>) -> Result<Verdict, Failure> {
        let mut output = Output::open();
        if self.json {
            output.json(answer)?;
        } else {
            output.text(answer)?;
        }
        output.flush()?;
        Ok(answer.verdict())
    }
}
