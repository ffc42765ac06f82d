//! `objcap doctor`: what this system can enforce, found by trying it.

use std::fmt;
use std::path::Path;

use objcap::capability::{Access, Grant, Guard, Stack};
use objcap::object::{Host, Machine, Object, Options, World};
use objcap::sandbox::{Confinement, Profile};
use serde::Serialize;

use crate::grant;
use crate::json::Text;
use crate::output::{Failure, Output, Verdict};
use crate::style::{Colour, Style};

/// Say what this system can enforce and what not, each with its evidence.
///
/// Each line was tried just now. Nothing is written, and nothing is started.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Answer in one line of JSON.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 everything can be enforced; 1 something cannot; 2 this machine cannot be walked.";

/// One thing that a system can do or not.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    can: Can,
    evidence: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Can {
    Yes,
    No,
}

/// What was seen, or what was seen instead.
type Tried = Result<String, String>;

impl Finding {
    fn of(what: &'static str, tried: Tried) -> Self {
        let (can, evidence) = match tried {
            Ok(seen) => (Can::Yes, seen),
            Err(seen) => (Can::No, seen),
        };
        Finding {
            what,
            can,
            evidence,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<Verdict, Failure> {
    let host = grant::ambient()?;
    let findings = findings(&host);
    let mut output = Output::open();
    if args.json {
        output.json(&findings)?;
    } else {
        output.text(Page(&findings, Colour::of_stdout()))?;
    }
    output.flush()?;
    Ok(match findings.iter().all(|one| one.can == Can::Yes) {
        true => Verdict::Yes,
        false => Verdict::No,
    })
}

struct Page<'a>(&'a [Finding], Colour);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page(findings, colour) = self;
        for Finding {
            what,
            can,
            evidence,
        } in *findings
        {
            let (mark, style) = match can {
                Can::Yes => ("yes", Style::Write),
                Can::No => ("no ", Style::Refused),
            };
            writeln!(f, "{}  {what}", colour.paint(style, mark))?;
            writeln!(f, "     {}", colour.paint(Style::Aside, evidence))?;
        }
        Ok(())
    }
}

fn findings(host: &Host<Machine>) -> Vec<Finding> {
    vec![
        Finding::of("an excluded file is refused in this process", guarded(host)),
        Finding::of(
            "an excluded object is found again after it was moved",
            found_again(host),
        ),
        Finding::of("this program has no second name", single_name(host)),
        Finding::of("a profile can be rendered for this machine", rendered(host)),
        Finding::of(
            "the root's links are where profiles expect them",
            aliases(host),
        ),
        Finding::of("a started program is confined by the kernel", confined()),
        Finding::of(
            "a program whose main is not its author's can be confined",
            sandbox_exec(host),
        ),
    ]
}

/// This program, excluded from a grant that reads everything.
fn guarded(host: &Host<Machine>) -> Tried {
    let own = own(host)?;
    let grant = Grant::builder().read("/").exclude(own);
    let grant = grant.build(&host.vars).map_err(told)?;
    let stack = Stack::freeze(&[grant], host).map_err(told)?;
    let guard = Guard::new(host, &stack);
    let folder = own.parent().ok_or("this program stands in no folder")?;
    let admitted = |path: &Path| {
        let judged = guard.judge(path, Access::READ).map_err(told)?;
        Ok::<_, String>(judged.is_admitted())
    };
    if !admitted(folder)? {
        return Err(format!("read of `{}` was refused too", shown(folder)));
    }
    if admitted(own)? {
        return Err(format!("read of `{}` was admitted", shown(own)));
    }
    Ok(format!(
        "read of `{}` was admitted and of `{}` refused",
        shown(folder),
        shown(own)
    ))
}

fn found_again(host: &Host<Machine>) -> Tried {
    let object = walked(host)?;
    let kept = host.tree.keep(&object).map_err(told)?;
    match host.tree.whereabouts(&kept) {
        Ok(Some(real)) if real == *object.real() => {
            Ok(format!("the system says where a held object is: `{real}`"))
        }
        Ok(other) => Err(format!("the system says of this program: {other:?}")),
        Err(error) => Err(format!(
            "the system does not say where a held object is: {error}"
        )),
    }
}

fn single_name(host: &Host<Machine>) -> Tried {
    let object = walked(host)?;
    match host.tree.name_count(&object).map_err(told)? {
        1 => Ok(format!("`{}` has one name", object.real())),
        names => Err(format!(
            "`{}` has {names}: by another one it could be swapped where a grant writes",
            object.real()
        )),
    }
}

fn rendered(host: &Host<Machine>) -> Tried {
    let grant = Grant::builder().read("/").build(&host.vars).map_err(told)?;
    let stack = Stack::freeze(&[grant], host).map_err(told)?;
    let profile = Profile::render(&stack, host).map_err(told)?;
    Ok(format!(
        "{} rules, printed, parsed again and found equal",
        profile.lines().count()
    ))
}

fn aliases(host: &Host<Machine>) -> Tried {
    for alias in &host.aliases {
        let path: &Path = alias.name.as_ref();
        let object = Object::walk(&host.tree, path, &Options::default()).map_err(told)?;
        if !host.is_same(&host.presented(object.real().clone()), &alias.target) {
            return Err(format!("`{}` leads to `{}`", alias.name, object.real()));
        }
    }
    Ok(match host.aliases.len() {
        0 => "this system has none".to_owned(),
        count => format!("{count} were walked"),
    })
}

fn confined() -> Tried {
    match Confinement::current() {
        Confinement::Ready => Ok("Seatbelt answers, and this process is free".to_owned()),
        Confinement::Nested => Err(
            "this process is in a sandbox already, and profiles do not stack: render what holds for both grants outside"
                .to_owned(),
        ),
        Confinement::Missing => Err(
            "this system has nothing to confine with: `objcap run` is an error here, and `--dry-run` works"
                .to_owned(),
        ),
    }
}

fn sandbox_exec(host: &Host<Machine>) -> Tried {
    let program = Path::new("/usr/bin/sandbox-exec");
    let object = Object::walk(&host.tree, program, &Options::default()).map_err(told)?;
    if object.kind().is_none() {
        return Err(format!("there is no `{}`", shown(program)));
    }
    match host.tree.is_runnable(&object) {
        Ok(true) => Ok(format!("`{}` can be run", shown(program))),
        Ok(false) => Err(format!("`{}` cannot be run", shown(program))),
        Err(error) => Err(told(error)),
    }
}

fn own(host: &Host<Machine>) -> Result<&Path, String> {
    let own = host.executable.as_deref();
    own.ok_or_else(|| "the system does not tell which file this program is".to_owned())
}

fn walked(host: &Host<Machine>) -> Result<Object, String> {
    Object::walk(&host.tree, own(host)?, &Options::default()).map_err(told)
}

fn shown(path: &Path) -> String {
    Text(path.as_os_str().as_encoded_bytes()).to_string()
}

fn told(error: impl fmt::Display) -> String {
    error.to_string()
}
