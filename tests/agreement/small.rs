//! Every small world, every grant of up to two clauses, every call: the kernel admits what the guard
//! admits, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use objcap::capability::{ErrorKind, Guard, Refusal, Stack, Verdict};
use objcap::object::{Host, Key, Names};
use objcap::sandbox::Profile;
use objcap_support::mac::{Mac, Outcome, Process, Sandbox};
use sbpl::{Judge, Reading};

use crate::calls::{self, Asked, Cell, Object, Said};
use crate::worlds::{self, Clauses, World};

/// How often kernel and guard said what, by kind of call.
#[derive(Debug, Default, Clone)]
struct Count {
    admitted: usize,
    refused: usize,
    /// Calls that no one could make here: there is nothing to open, say.
    impossible: usize,
    /// The guard knows an excluded object under another name; the kernel knows names (G-2).
    by_identity: usize,
    /// The volume tells two names apart, and so does the guard; to the kernel they are one (G-1).
    by_case: usize,
}

#[derive(Debug, Default)]
struct Tally {
    worlds: usize,
    stacks: usize,
    refused_stacks: usize,
    made: usize,
    decisions: usize,
    calls: BTreeMap<Cell, Count>,
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

/// What stands under each name that a call may begin with, and the key of its real path.
type Standing = BTreeMap<&'static str, (Object, Option<Key>)>;

fn compare(
    mac: &Mac,
    host: &Host<Mac>,
    clauses: &Clauses,
    (all, standing): (&[Asked], &Standing),
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
    // What the kernel takes this world for: one where no name differs from another by its case.
    let caseless = Host {
        names: Names::Caseless,
        ..mac.clone().host()
    };
    let folded = Stack::freeze(&[worlds::grant(clauses)], &caseless);
    let kernels_guard = folded.as_ref().map(|stack| Guard::new(&caseless, stack));
    let flips = worlds::choices();
    let about: BTreeMap<&str, (Object, Said)> = standing
        .iter()
        .filter_map(|(name, (object, key))| {
            Some((*name, (*object, Said::of(&stack, key.as_ref()?))))
        })
        .collect();
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
        tally.made += 1;
        tally.decisions += answer.asked.len();
        // A name in no folder is no cell: it has no place that a clause could speak of.
        let Some((object, said)) = about.get(asked.first()) else {
            assert!(!answer.is_done(), "{:?}", asked.call);
            continue;
        };
        let count = tally.calls.entry((asked.kind, *object, *said));
        let count = count.or_default();
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
            (true, false)
                if kernels_guard
                    .as_ref()
                    .is_ok_and(|guard| guards(guard, asked) == Some((true, false))) =>
            {
                count.by_case += 1;
            }
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
    agree(&worlds::all(), &worlds::grants());
}

/// G-1: where names differ by their case alone, the kernel admits more than the guard, and only what a guard admits to
/// whom they are one name.
#[test]
fn residual_every_call_in_every_small_world_that_tells_names_apart() {
    let tally = compared(&worlds::exact(), &worlds::grants());
    let by_case: usize = tally.calls.values().map(|count| count.by_case).sum();
    let both: usize = tally.calls.values().map(|count| count.admitted).sum();
    println!(
        "{} worlds, {} grants frozen, {} decisions: {both} calls admitted by both, {by_case} by the kernel alone",
        tally.worlds,
        tally.stacks - tally.refused_stacks,
        tally.decisions
    );
    assert!(both > 0 && by_case > 0);
}

/// As run on 1 December 2026: 76,490 grants frozen in 48 worlds and 20,662 refused, 35,491,360 calls made and
/// 19,309,284 of them compared, in 79 s of a release build.
#[test]
#[ignore = "a minute and a half in a release build"]
fn every_call_in_every_small_world_under_every_grant_of_three_clauses() {
    agree(&worlds::all(), &worlds::grants_of_three());
}

/// Makes every call in every world under each of the grants.
fn compared(worlds: &[World], grants: &[Clauses]) -> Tally {
    let all = calls::all();
    let mut tally = Tally::default();
    let mut turn = 0;
    for world in worlds {
        let mac = world.build();
        let host = Host {
            names: world.names(),
            ..mac.clone().host()
        };
        tally.worlds += 1;
        let names = all.iter().map(Asked::first);
        let standing = names.map(|name| (name, calls::standing(&mac, name)));
        let standing = standing.collect();
        for clauses in grants {
            let all = (&all[..], &standing);
            compare(&mac, &host, clauses, all, &mut turn, &mut tally);
        }
    }
    tally
}

/// Compares them, and shows what was said of each call by what it is about.
fn agree(worlds: &[World], grants: &[Clauses]) {
    let tally = compared(worlds, grants);
    println!(
        "{} worlds, {} grants frozen, {} refused; {} calls, {} decisions",
        tally.worlds,
        tally.stacks - tally.refused_stacks,
        tally.refused_stacks,
        tally.made,
        tally.decisions
    );
    println!(
        "{:17} {:9} {:10} {:>9} {:>9} {:>7} {:>7} {:>9}",
        "call", "object", "the grant", "both", "both", "kernel", "guard", "fails for"
    );
    println!(
        "{:17} {:9} {:10} {:>9} {:>9} {:>7} {:>7} {:>9}",
        "", "", "says", "admit", "refuse", "alone", "alone", "everybody"
    );
    let mut wrong = Vec::new();
    let all = calls::all();
    let kinds: BTreeSet<&str> = all.iter().map(|asked| asked.kind).collect();
    for kind in kinds {
        for object in Object::ALL {
            for said in Said::ALL {
                wrong.extend(show(&tally, (kind, object, said)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prints a row, and says what is wrong with it: each of its cells is filled, or there is a reason why nobody is
/// admitted, or why there is no such call. That the kernel refuses what the guard admits has ended the test before.
fn show(tally: &Tally, cell: Cell) -> Option<String> {
    let count = tally.calls.get(&cell).cloned().unwrap_or_default();
    let Count {
        admitted,
        refused,
        impossible,
        by_identity,
        by_case,
    } = count;
    let never_admitted = calls::never_admitted(cell);
    let (call, object, said) = cell;
    let never_there = calls::never_there(object, said);
    println!(
        "{call:17} {:9} {:10} {admitted:>9} {refused:>9} {:>7} {by_identity:>7} {impossible:>9} {}",
        format!("{object:?}"),
        format!("{said:?}"),
        0,
        never_admitted.unwrap_or_default()
    );
    let right = by_case == 0
        && (admitted == 0) == never_admitted.is_some()
        && (refused == 0) == never_there.is_some();
    (!right).then(|| format!("{cell:?}: {count:?}, {never_there:?}, {never_admitted:?}"))
}
