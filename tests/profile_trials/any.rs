//! Any grant on a stock Mac, with its root aliases, its two volumes, links between them and two layers: guard,
//! explanation and kernel say the same of any act on any name. What no list of situations holds is found here.

use std::fmt::Write as _;

use objcap::capability::{Act, Guard, Judgement, Match, Refusal, Verdict};
use objcap::sandbox::{Decision, act_requests};
use objcap_support::adversary::{Draw as _, Random};
use objcap_support::mac::{Ino, Mac, Outcome};
use sbpl::Reading;

use crate::{Trial, mac, try_layers, ways};

const OBJECTS: [&str; 14] = [
    "/private/tmp/w/f",
    "/private/tmp/w/d/g",
    "/private/tmp/w/l -> d",
    "/private/tmp/w/abs -> /tmp/w/d/g",
    "/private/tmp/w/home -> /Users/me/a",
    "/Users/me/a/f",
    "/Users/me/a/k/key",
    "/Users/me/lt -> /tmp/w",
    "/Users/me/lv -> /System/Volumes/Data/Users/me/a",
    "/private/var/folders/me/T/x",
    "/Users/me/Cafe\u{301}/f",
    "/Users/me/none-yet -> gone/deep",
    "/Users/me/e/",
    "/Users/me/tool",
];

/// What clauses name. Residual G-6 is about an exclusion of what is passed on the way to everything, so that the
/// system's own folders are only allowed.
const PLACES: [&str; 32] = [
    "/tmp",
    "/private",
    "/private/tmp",
    "/tmp/w",
    "/TMP/W/d",
    "/private/tmp/w/f",
    "/tmp/w/l",
    "/tmp/w/abs",
    "/tmp/w/home/k",
    "/Users",
    "~",
    "~/a",
    "~/a/k",
    "~/A/K/Key",
    "~/lt",
    "~/lt/d",
    "~/lv",
    "~/lv/k",
    "/System/Volumes/Data/Users/me/a",
    "/var",
    "${TMPDIR}",
    "~/caf\u{e9}",
    "~/none-yet",
    "~/new/x",
    "/home/me",
    "/etc",
    "/dev",
    "/dev/null",
    "/usr/bin",
    "/bin",
    "/usr/local",
    "~/tool",
];

const WHOLE: [&str; 3] = ["/", "/System", "/System/Volumes/Data"];

/// What is asked about. Residual G-7 is about the folder that an alias leads to.
const NAMES: [&str; 42] = [
    "/",
    "/tmp",
    "/private",
    "/tmp/w",
    "/private/tmp/w",
    "/tmp/w/f",
    "/private/tmp/w/F",
    "/tmp/w/d",
    "/tmp/w/d/g",
    "/tmp/w/l",
    "/tmp/w/l/g",
    "/tmp/w/abs",
    "/tmp/w/home/f",
    "/tmp/w/new",
    "/tmp/new",
    "/Users",
    "/Users/me",
    "/Users/me/a",
    "/Users/me/a/f",
    "/Users/me/A/K/key",
    "/Users/me/a/k",
    "/Users/me/lt/f",
    "/Users/me/lv/f",
    "/Users/me/lv/k/key",
    "/Users/me/e",
    "/Users/me/new",
    "/Users/me/new/x",
    "/Users/me/gone",
    "/Users/me/none-yet",
    "/Users/me/caf\u{e9}/f",
    "/Users/me/CAFE\u{301}/new",
    "/Users/me/tool",
    "/System/Volumes/Data/Users/me/a/f",
    "/System/Volumes/Data/private/tmp/w/f",
    "/var",
    "/var/folders/me/T/x",
    "/private/var/folders/me/T/new",
    "/home",
    "/dev/null",
    "/usr/bin/git",
    "/bin/sh",
    "/usr/local/bin/objcap",
];

/// What is drawn by chance.
struct Drawn(Random);

impl Drawn {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0.of(from)
    }

    fn list(&mut self, text: &mut String, list: &str, places: &[&str]) {
        let named: Vec<_> = (0..self.below(3))
            .map(|_| format!("\"{}\"", self.pick(places)))
            .collect();
        writeln!(text, "{list} = [{}]", named.join(", ")).unwrap();
    }

    fn grant(&mut self) -> String {
        let all = [&PLACES[..], &WHOLE].concat();
        let mut text = String::new();
        if self.below(6) > 0 {
            text.push_str("[fs]\n");
            self.list(&mut text, "read", &all);
            self.list(&mut text, "write", &all);
            self.list(&mut text, "exclude", &PLACES);
            self.list(&mut text, "protect", &PLACES);
        }
        if self.below(3) == 0 {
            text.push_str("[exec]\n");
            self.list(&mut text, "allow", &all);
            self.list(&mut text, "exclude", &PLACES);
        }
        text
    }
}

#[derive(Debug, Default)]
struct Tally {
    frozen: usize,
    admitted: usize,
    refused: usize,
}

/// Whether the guard knows an object by its identity alone, which no profile does (residual G-2).
fn by_identity(judged: &[Judgement<'_, Ino>]) -> bool {
    judged.iter().any(|judged| {
        let by = match judged.verdict() {
            Verdict::Refused(Refusal::Excluded { by, .. }) => Some(by),
            _ => None,
        };
        matches!(by, Some(Match::Identity))
    })
}

fn compare(trial: &Trial, random: &mut Drawn, told: &[String], tally: &mut Tally) {
    let guard = Guard::new(&trial.host, &trial.stack);
    let ways = ways();
    for _ in 0..150 {
        let act = random.pick(&Act::ALL);
        let paths: Vec<_> = act.ends().iter().map(|_| random.pick(&NAMES)).collect();
        // The model goes on for ever when it copies what everything lies in.
        let is_whole = ["/", "/private", "/Users"].contains(&paths[0]);
        let judged = guard.judge_act(act, &paths).unwrap();
        if by_identity(&judged) || is_whole && paths.len() == 2 {
            continue;
        }
        let admitted = judged.iter().all(|judged| judged.is_admitted());
        let objects: Vec<_> = judged.iter().map(|judged| judged.object()).collect();
        let requests = act_requests(act, &objects, &trial.host);
        let settled = trial.profile.explain(&requests).settled();
        for call in trial.calls_of(act, &paths) {
            let mut session = trial.session(random.pick(&Reading::ALL), random.pick(&ways));
            let kernel = match session.call(&call).outcome {
                Outcome::Done(_) => true,
                Outcome::Refused { .. } => false,
                Outcome::Failed(_) => continue,
            };
            let decision = match kernel {
                true => Decision::Allow,
                false => Decision::Deny,
            };
            assert_eq!(
                (admitted, settled),
                (kernel, Some(decision)),
                "{}\n{call:?} {}",
                told.join("--\n"),
                session.ways
            );
            *(if kernel {
                &mut tally.admitted
            } else {
                &mut tally.refused
            }) += 1;
        }
    }
}

fn search(mac: &Mac, seed: u64, grants: usize) -> Tally {
    let mut random = Drawn(Random::new(seed));
    let mut tally = Tally::default();
    for _ in 0..grants {
        let layers = 1 + random.below(4) / 3;
        let texts: Vec<_> = (0..layers).map(|_| random.grant()).collect();
        let told: Vec<_> = texts.iter().map(String::as_str).collect();
        // A clause that passes a link which another lets be replaced is refused.
        if let Ok(trial) = try_layers(mac.clone().host(), &told) {
            tally.frozen += 1;
            compare(&trial, &mut random, &texts, &mut tally);
        }
    }
    tally
}

#[test]
fn guard_explanation_and_kernel_agree_about_any_grant_on_a_stock_mac() {
    let tally = search(&mac(&OBJECTS), 1, 600);
    assert!(tally.frozen > 400, "{tally:?}");
    assert!(tally.admitted > 3000 && tally.refused > 10_000, "{tally:?}");
}

#[test]
#[ignore = "minutes; the same with other numbers"]
fn guard_explanation_and_kernel_agree_about_many_more() {
    for seed in 2..20 {
        search(&mac(&OBJECTS), seed, 3000);
    }
}
