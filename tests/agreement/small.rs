//! Every small world, every grant of up to two clauses, every call: the kernel admits what the guard
//! admits, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use objcap::capability::{ErrorKind, Guard, Refusal, Stack, Verdict};
use objcap::object::Host;
use objcap::sandbox::Profile;
use objcap_support::mac::{Mac, Outcome, Process, Sandbox};
use sbpl::{Judge, Reading};

use crate::calls::{self, Asked, Object};
use crate::worlds::{self, Clauses};

/// How often kernel and guard said what, by kind of call.
#[derive(Debug, Default, Clone)]
struct Count {
    admitted: usize,
    refused: usize,
    /// Calls that no one could make here: there is nothing to open, say.
    impossible: usize,
    /// The guard knows an excluded object under another name; the kernel knows names (G-2).
    by_identity: usize,
}

#[derive(Debug, Default)]
struct Tally {
    worlds: usize,
    stacks: usize,
    refused_stacks: usize,
    calls: BTreeMap<(&'static str, Object), Count>,
}

/// What the guard says of a call, and whether it knows an object by its identity alone.
fn guards(guard: &Guard<'_, Mac>, asked: &Asked) -> Option<(bool, bool)> {
    let (mut admitted, mut by_identity) = (true, false);
    for (act, paths) in &asked.acts {
        for judged in guard.judge_act(*act, paths).ok()? {
            if let Verdict::Refused(refusal) = judged.verdict() {
                admitted = false;
                by_identity |= matches!(
                    refusal,
                    Refusal::Excluded {
                        by: objcap::capability::Match::Identity,
                        ..
                    }
                );
            }
        }
    }
    Some((admitted, by_identity))
}

fn compare(
    mac: &Mac,
    host: &Host<Mac>,
    clauses: &Clauses,
    all: &[Asked],
    turn: &mut usize,
    tally: &mut Tally,
) {
    tally.stacks += 1;
    let stack = match Stack::freeze(&[worlds::grant(clauses)], host) {
        Ok(stack) => stack,
        Err(error) => {
            let kind = error.kind();
            let expected = matches!(kind, ErrorKind::WritableLink | ErrorKind::Walk);
            assert!(expected, "{clauses:?}: {error}");
            tally.refused_stacks += 1;
            return;
        }
    };
    let profile = Profile::render(&stack, host).unwrap();
    let judge = Arc::new(Judge::new(sbpl::parse(profile.text().as_bytes()).profile()));
    let guard = Guard::new(host, &stack);
    let flips = worlds::choices();
    // So that every call meets every way as the grants go by.
    *turn += 3;
    for asked in all {
        // Each call once: under the next reading, and with the next of what is not measured.
        *turn += 1;
        let reading = Reading::ALL.into_iter().cycle().nth(*turn % 3);
        let choices = flips.get(*turn % flips.len()).copied();
        let mut process = Process::unconfined(mac, "/w").confined(Sandbox {
            judge: judge.clone(),
            reading: reading.unwrap(),
            choices: choices.unwrap(),
        });
        let answer = process.call(&mut mac.clone(), &asked.call);
        let object = Object::of(mac, asked);
        let count = tally.calls.entry((asked.kind, object)).or_default();
        let kernel = match answer.outcome {
            Outcome::Done(_) => true,
            Outcome::Refused { .. } => false,
            Outcome::Failed(_) => {
                count.impossible += 1;
                continue;
            }
        };
        let Some((admitted, by_identity)) = guards(&guard, asked) else {
            count.impossible += 1;
            continue;
        };
        match (kernel, admitted) {
            (true, true) => count.admitted += 1,
            (false, false) => count.refused += 1,
            (true, false) if by_identity => count.by_identity += 1,
            _ => panic!(
                "{clauses:?} {:?} {reading:?} {choices:?}\nkernel {kernel}, guard {admitted}\n{:?}\n{}",
                asked.call,
                answer
                    .asked
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>(),
                profile.text(),
            ),
        }
    }
}

#[test]
fn every_call_in_every_small_world_under_every_small_grant() {
    agree(&worlds::grants());
}

/// As run on 1 December 2026: 97,152 grants in 48 worlds, 12,558,307 calls compared, in 193 s of a release build
/// beside other work.
#[test]
#[ignore = "three minutes in a release build"]
fn every_call_in_every_small_world_under_every_grant_of_three_clauses() {
    agree(&worlds::grants_of_three());
}

/// Makes every call in every world under each of the grants, and shows what was said of it by what it is about.
fn agree(grants: &[Clauses]) {
    let all = calls::all();
    let mut tally = Tally::default();
    let mut turn = 0;
    for world in worlds::all() {
        let mac = world.build();
        let host = mac.clone().host();
        tally.worlds += 1;
        for clauses in grants {
            compare(&mac, &host, clauses, &all, &mut turn, &mut tally);
        }
    }
    println!(
        "{} worlds, {} grants frozen, {} refused",
        tally.worlds, tally.stacks, tally.refused_stacks
    );
    println!("call, object: admitted, refused, failed, refused by identity alone");
    let mut wrong = Vec::new();
    let kinds: BTreeSet<&str> = all.iter().map(|asked| asked.kind).collect();
    for kind in kinds {
        for object in Object::ALL {
            let count = tally
                .calls
                .get(&(kind, object))
                .cloned()
                .unwrap_or_default();
            let Count {
                admitted,
                refused,
                impossible,
                by_identity,
            } = count;
            let why = calls::impossible(kind, object);
            println!(
                "{kind}, {object:?}: {admitted}, {refused}, {impossible}, {by_identity} {}",
                why.unwrap_or_default()
            );
            // Each side of a cell is filled, or there is a reason why nobody is admitted.
            if (admitted == 0) != why.is_some() || refused == 0 {
                wrong.push(format!("{kind}, {object:?}: {count:?}, {why:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
