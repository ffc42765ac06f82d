//! Mistakes of other sandboxes and profile generators, as trials of a grant: each test is named after what
//! it tries, and its comment names the reports by their numbers in public. What is admitted is tried first,
//! under the same grant. Guard and profile are both asked, the profile under every reading and name, and must
//! say the same; where only one can be asked, the test says so.
//!
//! Not here, since no grant and no guard decides it:
//! the evaluator's precedence (mxc#754) and limits of size and text (nix#4119, indexable#3062, claude-code#73468,
//! #90569, nono's port range, SRT's string limit): `sandbox/sbpl/tests/judge.rs`, `sandbox/tests/size.rs`;
//! the base, its Mach doors, what programs need to start, terminals and signals (sections J, K but for
//! ancestors, and L; nono#514's child processes): `sandbox/tests/base.rs`;
//! IP networks (bounty-challenge#15444, srt#131, codex#42925, safehouse#99, claude-code#81572): the profile's;
//! inherited descriptors (cplt#329, codex#1705), the profile handed over in a file (cplt#327), a profile that
//! cannot be built or entered (claude-code#46120), raw text of a user's own (nix, nono#1324): the launcher's;
//! diagnosis from logs (codex#38318), hints (claude-code#87520, cplt#455's message): the diagnosis's;
//! globs (codex#40565's pattern, srt#175, SwiftPM): a grant has none, and `*` is a letter, which is tried;
//! nested repositories (codex#37081): a clause names one place, a pattern for all depths cannot be said;
//! Linux's own mechanisms (section P, pmg#446's Landlock).

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "guard_trials/links.rs"]
mod links;
#[path = "guard_trials/names.rs"]
mod names;
#[path = "guard_trials/places.rs"]
mod places;
#[path = "guard_trials/programs.rs"]
mod programs;
#[path = "guard_trials/renames.rs"]
mod renames;

use objcap::capability::{Act, Grant, Guard, Stack};
use objcap::object::{Host, Memory};
use objcap::sandbox::Profile;
use objcap_support::trial::{Tries, agreed};

/// A grant, frozen in a Mac in memory, and rendered.
struct Trial {
    host: Host<Memory>,
    stack: Stack<Memory>,
    profile: Profile,
}

/// A Mac with these objects: `a/` is a directory, `a -> text` a link, everything else a file.
fn mac(objects: &[&str]) -> Host<Memory> {
    let mut host = Host::stock_mac();
    for object in objects {
        match (object.split_once(" -> "), object.strip_suffix('/')) {
            (Some((at, text)), _) => host.tree.link(at, text),
            (None, Some(folder)) => host.tree.directory(folder),
            (None, None) => host.tree.file(object),
        }
    }
    host
}

/// The grants as their authors wrote them, a layer each.
fn layers(host: Host<Memory>, texts: &[&str]) -> Trial {
    let parse = |text: &&str| Grant::parse("grant.toml", text.as_bytes(), &host.vars).unwrap();
    let grants: Vec<_> = texts.iter().map(parse).collect();
    let stack = Stack::freeze(&grants, &host).unwrap();
    let profile = Profile::render(&stack, &host).unwrap();
    Trial {
        host,
        stack,
        profile,
    }
}

fn trial(host: Host<Memory>, text: &str) -> Trial {
    layers(host, &[text])
}

impl Tries for Trial {
    #[track_caller]
    fn may(&self, act: Act, paths: &[&str]) -> bool {
        agreed(&self.host, &self.stack, &self.profile, act, paths)
    }
}

impl Trial {
    /// Why the guard refuses it.
    #[track_caller]
    fn why(&self, act: Act, paths: &[&str]) -> String {
        let guard = Guard::new(&self.host, &self.stack);
        let judged = guard.judge_act(act, paths).unwrap();
        let mut refused = judged.iter().filter(|judged| !judged.is_admitted());
        refused.next().unwrap().reason()
    }
}
