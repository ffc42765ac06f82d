//! A grant frozen in the model, rendered, and its programs judged by the rendered text; and how fast
//! that is, in a release build:
//! `cargo test --release --test mac_model twelve -- --ignored --nocapture`.

use std::time::Instant;

use objcap::capability::{Grant, Stack};
use objcap::sandbox::Profile;
use objcap::walk::Leaf;
use objcap_support::adversary::{Draw as _, Random};
use objcap_support::mac::{Call, Choices, Fd, How, Mac, New, Outcome, Process, Sandbox};

use crate::{name, world};

/// A profile as the product renders it for a grant that reads and writes `/w` but for its secret.
fn rendered(mac: &Mac) -> String {
    let host = mac.clone().host();
    let builder = Grant::builder()
        .fs()
        .read("/usr")
        .write("/w")
        .exclude("/w/secret");
    let grant = builder.build(&host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    Profile::render(&stack, &host).unwrap().text().to_owned()
}

#[test]
fn a_grant_is_frozen_and_rendered_in_the_model_and_judges_its_programs() {
    let mac = world();
    let text = rendered(&mac);
    let parsed = sbpl::parse(text.as_bytes());
    let judge = std::sync::Arc::new(sbpl::Judge::new(parsed.profile()));
    for reading in sbpl::Reading::ALL {
        for choices in Choices::flips() {
            let sandbox = Sandbox {
                judge: judge.clone(),
                reading,
                choices,
            };
            let mut process = Process::unconfined(&mac, "/w").confined(sandbox);
            let mut copy = mac.clone();
            let mut run = |path: &str| process.call(&mut copy, &crate::open(path, How::Read));
            assert!(run("f").is_done(), "{choices:?}");
            assert!(run("to-d/g").is_done(), "{choices:?}");
            assert!(run("secret").is_refused(), "{choices:?}");
            assert!(run("to-secret").is_refused(), "{choices:?}");
        }
    }
}

#[test]
#[ignore = "a measurement, for a release build"]
fn programs_of_twelve_calls() {
    let mac = world();
    let parsed = sbpl::parse(rendered(&mac).as_bytes());
    let sandbox = Sandbox {
        judge: std::sync::Arc::new(sbpl::Judge::new(parsed.profile())),
        reading: sbpl::Reading::FilteredFirst,
        choices: Choices::default(),
    };
    let first = Process::unconfined(&mac, "/w").confined(sandbox);
    let mut random = Drawn(Random::new(1));
    let (programs, length) = (50_000, 12);
    let (mut done, mut refused, mut questions) = (0, 0, 0);
    let start = Instant::now();
    for _ in 0..programs {
        let (mut mac, mut process) = (mac.clone(), first.clone());
        for _ in 0..length {
            let answer = process.call(&mut mac, &random.call());
            questions += answer.asked.len();
            done += usize::from(answer.is_done());
            refused += usize::from(matches!(answer.outcome, Outcome::Refused { .. }));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let calls = programs * length;
    println!(
        "{calls} calls ({done} done, {refused} refused), {questions} questions, {:.0} calls/s",
        f64::from(calls) / seconds
    );
    assert!(done > 0 && refused > 0);
}

/// What is drawn by chance.
struct Drawn(Random);

impl Drawn {
    fn path(&mut self) -> &'static str {
        const PATHS: &[&str] = &[
            "f",
            "d/g",
            "secret",
            "second",
            "to-f",
            "to-d/g",
            "to-secret",
            "new",
            "d/new",
            "SECRET",
            "/w/d",
            "/tmp/x",
            "/private/tmp/x",
            "d",
            "..",
            "/usr/bin/git",
            "d/new/deep",
            "/Users/me/x",
        ];
        self.0.of(PATHS)
    }

    fn call(&mut self) -> Call {
        let (one, other) = (name(self.path()), name(self.path()));
        let hows = [
            How::Read,
            How::Write,
            How::Create,
            How::CreateNew,
            How::Directory,
        ];
        match self.0.below(14) {
            0..=2 => Call::Open {
                name: one,
                how: self.0.of(&hows),
                leaf: Leaf::Follow,
            },
            3 => Call::Read(Fd(self.0.below(3))),
            4 => Call::Write(Fd(self.0.below(3)), b"forged".to_vec()),
            5 => Call::Make {
                name: one,
                what: New::Directory,
            },
            6 => Call::Make {
                name: one,
                what: New::Symlink(other.path),
            },
            7 => Call::Link {
                from: one,
                to: other,
                leaf: Leaf::Follow,
            },
            8 => Call::Clone {
                from: one,
                to: other,
                leaf: Leaf::Follow,
            },
            9 => Call::Rename {
                from: one,
                to: other,
            },
            10 => Call::Swap { one, other },
            11 => Call::Unlink(one),
            12 => Call::Stat {
                name: one,
                leaf: Leaf::Follow,
            },
            _ => Call::Exec {
                name: one,
                arguments: Vec::new(),
            },
        }
    }
}
