//! One trial: a world, grants, a program, and perhaps a second generation of both.

use std::path::PathBuf;
use std::sync::Arc;

use objcap_capability::{Error, Stack};
use objcap_object::Host;
use objcap_sandbox::Profile;
use sbpl::{Judge, Reading};

use super::admitted::{Admitted, places};
use super::grants::{clauses, grants, world};
use super::{Attacker, Clauses, Draw, Tagged};
use crate::mac::{
    Call, Choices, CloneAsks, How, LinkAsks, Mac, Outcome, Presentation, Process, RenameAsks,
    Sandbox,
};

/// Where the program that confines stands.
const OWN: &str = "/w/bin/own";

/// The most calls of a program.
const CALLS: usize = 12;

/// How clauses become a frozen stack.
pub type Freeze = fn(&[Clauses], &Host<Mac>) -> Result<Stack<Mac>, Error>;

/// How grants become a profile: the product's way, or one with a hole.
#[derive(Debug, Clone, Copy)]
pub struct Maker {
    /// Freezes the grants of some clauses.
    pub freeze: Freeze,
    /// The rules of a rendered profile.
    pub render: fn(&Profile) -> sbpl::Profile,
}

impl Maker {
    /// As the product does.
    pub fn product() -> Self {
        Maker {
            freeze: |layers, host| Stack::freeze(&grants(layers), host),
            render: |profile| sbpl::parse(profile.text().as_bytes()).profile().clone(),
        }
    }
}

/// How often grants are frozen.
// Exhaustive: a second generation is what can be widened; a third would be the second's second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generations {
    /// Once, for one program.
    One,
    /// Again in the world that the first program left, for a second program.
    Two,
}

/// What programs did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that were done.
    pub done: usize,
    /// Calls that the profile refused.
    pub refused: usize,
    /// Calls that failed by themselves.
    pub failed: usize,
    /// Second generations that ran.
    pub second: usize,
    /// Second generations whose grants were refused in the changed world.
    pub refused_again: usize,
}

impl Counts {
    /// Adds another's.
    pub fn add(&mut self, other: &Counts) {
        self.done += other.done;
        self.refused += other.refused;
        self.failed += other.failed;
        self.second += other.second;
        self.refused_again += other.refused_again;
    }
}

/// What a trial came to.
// Exhaustive: whoever counts must count each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    /// The grants were refused before anything ran.
    Refused,
    /// The laws held.
    Held(Counts),
    /// A law was broken: how, by which calls, under which profile.
    Broken(String),
}

/// What is not measured, and can be lived with: everything but three ways, which would let a program
/// bring any object to any name, or a folder with all that is excluded in it, whatever a profile says
/// (docs/residuals.md, G-5). Drawn from every combination of the rest.
pub fn choices(draw: &mut impl Draw) -> Choices {
    let mut choices = match draw.below(3) {
        0 => Choices::default(),
        1 => {
            let flips = Choices::flips();
            flips[draw.below(flips.len())]
        }
        _ => Choices::nth(draw.below(Choices::COUNT)),
    };
    if draw.below(2) == 0 {
        choices.presentation = Presentation::Twin;
    }
    if choices.rename == RenameAsks::Nothing {
        choices.rename = RenameAsks::default();
    }
    if choices.link == LinkAsks::Create {
        choices.link = LinkAsks::default();
    }
    if choices.clone == CloneAsks::Read {
        choices.clone = CloneAsks::default();
    }
    choices
}

/// Draws a world, grants and programs, and holds the laws against what the programs do.
pub fn run(draw: &mut impl Draw, maker: &Maker, generations: Generations) -> Ran {
    let mut mac = world(draw);
    let layers = clauses(draw);
    let Ok(stack) = (maker.freeze)(&layers, &host(&mac)) else {
        return Ran::Refused;
    };
    let Some((first, sandbox)) = confine(draw, maker, &stack, &mac) else {
        return Ran::Refused;
    };
    let mut trial = Trial {
        tagged: Tagged::of(&mac, &stack),
        counts: Counts::default(),
        told: format!("{layers:?}\n{first}"),
        attacker: Attacker::new(&layers, OWN),
    };
    let before = (generations == Generations::Two)
        .then(|| Admitted::of(&mac, &sandbox.judge, sandbox.reading));
    if let Some(broken) = trial.program(draw, &mut mac, sandbox) {
        return Ran::Broken(broken);
    }
    let Some(before) = before else {
        return Ran::Held(trial.counts);
    };
    // Another freeze, or the same stack once more: its exclusions are walked again for the profile.
    let frozen;
    let later = if draw.below(3) == 0 {
        &stack
    } else {
        match (maker.freeze)(&layers, &host(&mac)) {
            Ok(stack) => frozen = stack,
            Err(_) => {
                trial.counts.refused_again += 1;
                return Ran::Held(trial.counts);
            }
        }
        &frozen
    };
    let Some((second, sandbox)) = confine(draw, maker, later, &mac) else {
        trial.counts.refused_again += 1;
        return Ran::Held(trial.counts);
    };
    trial.counts.second += 1;
    trial.told = format!("{}\nthen\n{second}", trial.told);
    let after = Admitted::of(&mac, &sandbox.judge, sandbox.reading);
    if let Some(how) = before.widened(&after) {
        return Ran::Broken(trial.broken(&how, &[]));
    }
    if places(&stack) != places(later) {
        return Ran::Broken(trial.broken("a clause means another place", &[]));
    }
    match trial.program(draw, &mut mac, sandbox) {
        Some(broken) => Ran::Broken(broken),
        None => Ran::Held(trial.counts),
    }
}

fn host(mac: &Mac) -> Host<Mac> {
    let mut host = mac.clone().host();
    host.executable = Some(PathBuf::from(OWN));
    host.search = vec![PathBuf::from("/w/bin"), PathBuf::from("/usr/bin")];
    host
}

/// A profile's text, and a sandbox of it as the kernel may be.
fn confine(
    draw: &mut impl Draw,
    maker: &Maker,
    stack: &Stack<Mac>,
    mac: &Mac,
) -> Option<(String, Sandbox)> {
    let profile = Profile::render(stack, &host(mac)).ok()?;
    let sandbox = Sandbox {
        judge: Arc::new(Judge::new(&(maker.render)(&profile))),
        reading: Reading::ALL[draw.below(Reading::ALL.len())],
        choices: choices(draw),
    };
    let told = format!(
        "{}{:?} {:?}",
        profile.text(),
        sandbox.reading,
        sandbox.choices
    );
    Some((told, sandbox))
}

struct Trial {
    tagged: Tagged,
    counts: Counts,
    told: String,
    attacker: Attacker,
}

impl Trial {
    /// Runs one program, and says how it broke law 6.
    fn program(&mut self, draw: &mut impl Draw, mac: &mut Mac, sandbox: Sandbox) -> Option<String> {
        let cwd = if mac.at("/w").is_some() { "/w" } else { "/" };
        let mut process = Process::unconfined(mac, cwd).confined(sandbox);
        let mut calls = Vec::new();
        while calls.len() < CALLS && !draw.is_spent() {
            let call = self.attacker.next(draw, mac, &process);
            let answer = process.call(mac, &call);
            self.attacker.learn(&call, answer.is_done());
            calls.push(call);
            match &answer.outcome {
                Outcome::Done(_) => self.counts.done += 1,
                Outcome::Refused { .. } => {
                    self.counts.refused += 1;
                    continue;
                }
                Outcome::Failed(_) => {
                    self.counts.failed += 1;
                    continue;
                }
            }
            let changes = calls.last().is_some_and(may_change);
            let told = self.tagged.told(&process, &answer);
            let broken = told.or_else(|| self.tagged.broken(mac).filter(|_| changes));
            if let Some(how) = broken {
                return Some(self.broken(&how, &calls));
            }
        }
        None
    }

    fn broken(&self, how: &str, calls: &[Call]) -> String {
        let calls: Vec<String> = calls.iter().map(|call| format!("{call:?}")).collect();
        format!("{how}\n{}\n{}", calls.join("\n"), self.told)
    }
}

/// Whether a call that was done may have changed the world.
fn may_change(call: &Call) -> bool {
    !matches!(
        call,
        Call::Open {
            how: How::Read | How::Directory | How::Write | How::ReadWrite | How::Append,
            ..
        } | Call::Read(_)
            | Call::List(_)
            | Call::Stat { .. }
            | Call::Access(..)
            | Call::ChangeFolder(_)
            | Call::Exec { .. }
    )
}
