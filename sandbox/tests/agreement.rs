//! Guard and profile agree: over a small world, every grant of up to three clauses for reading and
//! writing, every grant of up to two and every two layers for everything that can be done, under every
//! reading of how the kernel decides.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap_capability::{Act, ErrorKind, Grant, Guard, List, Stack};
use objcap_object::{Host, Kind, Memory, Object, Tree};

use objcap_sandbox::{Decision, Profile, act_requests};

/// What clauses name and what is then asked for: folders, files, links to both, a loop's end, a
/// root alias, names that do not exist, and other spellings.
const NAMES: &[&str] = &[
    "/w",
    "/w/a",
    "/w/a/f",
    "/w/a/d",
    "/w/l",
    "/w/l/f",
    "/w/a/to-f",
    "/w/dangling",
    "/w/new/deep",
    "/tmp/t",
];

const ALSO_ASKED: &[&str] = &[
    "/",
    "/w/A/F",
    "/w/new",
    "/w/new/deep/er",
    "/w/other",
    "/w-evil",
    "/private/tmp/t/x",
    "/tmp",
    "/dev/null",
    "/usr/bin/x",
    "/w/a/d/../f",
    "/w/l/",
    "/w/b/f",
    "/W/L/D",
];

fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    tree.file("/w/a/f");
    tree.directory("/w/a/d");
    tree.link("/w/a/to-f", "f");
    tree.link("/w/l", "a");
    tree.link("/w/dangling", "b/f");
    tree.directory("/w/b");
    tree.directory("/private/tmp/t");
    tree.file("/w-evil");
    host
}

/// The lists of `[fs]`, and of `[exec]`.
const FILES: &[List] = &[List::Read, List::Write, List::Exclude, List::Protect];
const PROGRAMS: &[List] = &[List::Allow, List::ExecExclude];

type Clauses = Vec<(List, &'static str)>;

/// Every grant of exactly `count` clauses of these lists, no two alike; the order of clauses means
/// nothing.
fn grants(lists: &[List], names: &[&'static str], count: usize) -> Vec<Clauses> {
    let clauses: Vec<_> = lists
        .iter()
        .flat_map(|&list| names.iter().map(move |&name| (list, name)))
        .collect();
    let mut grants = vec![(0, Vec::new())];
    for _ in 0..count {
        grants = grants
            .into_iter()
            .flat_map(|(from, grant)| {
                let next = clauses.iter().enumerate().skip(from);
                next.map(move |(at, &clause)| (at + 1, [grant.clone(), vec![clause]].concat()))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    grants.into_iter().map(|(_, grant)| grant).collect()
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    stacks: usize,
    refused_stacks: usize,
    admitted: usize,
    refused: usize,
    /// What fails whoever asks: there is nothing to remove, or something in the place of what is made.
    impossible: usize,
}

fn is_possible(act: Act, objects: &[&Object<<Memory as Tree>::Dir>]) -> bool {
    let kinds: Vec<_> = objects.iter().map(|object| object.kind()).collect();
    match (act, kinds.as_slice()) {
        (Act::Write, _) => true,
        (Act::Create, [made]) => made.is_none(),
        (Act::Link, [from, made]) => {
            made.is_none() && !matches!(from, None | Some(Kind::Directory))
        }
        (Act::Clone, [from, made]) => made.is_none() && from.is_some(),
        (Act::Rename, [from, _]) => from.is_some(),
        (_, all) => all.iter().all(Option::is_some),
    }
}

fn grant(host: &Host<Memory>, clauses: &[(List, &str)]) -> Grant {
    let fs = clauses.iter().any(|(list, _)| FILES.contains(list));
    let exec = clauses.iter().any(|(list, _)| PROGRAMS.contains(list));
    let mut builder = Grant::builder();
    if fs || !exec {
        builder = builder.fs();
    }
    for (list, name) in clauses {
        builder = match list {
            List::Read => builder.read(name),
            List::Write => builder.write(name),
            List::Protect => builder.protect(name),
            List::Allow => builder.allow(name),
            List::ExecExclude => builder.exec_exclude(name),
            _ => builder.exclude(name),
        };
    }
    builder.build(&host.vars).unwrap()
}

/// Freezes the layers and compares, act by act, what guard and profile say.
fn compare(host: &Host<Memory>, layers: &[Clauses], acts: &[(Act, Vec<&str>)], tally: &mut Tally) {
    tally.stacks += 1;
    let grants: Vec<_> = layers.iter().map(|clauses| grant(host, clauses)).collect();
    let stack = match Stack::freeze(&grants, host) {
        Ok(stack) => stack,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WritableLink, "{error}");
            tally.refused_stacks += 1;
            return;
        }
    };
    let profile = Profile::render(&stack, host).unwrap();
    let guard = Guard::new(host, &stack);
    for (act, paths) in acts {
        let judged = guard.judge_act(*act, paths).unwrap();
        let objects: Vec<_> = judged.iter().map(|judged| judged.object()).collect();
        if !is_possible(*act, &objects) {
            tally.impossible += 1;
            continue;
        }
        let requests = act_requests(*act, &objects, host);
        let decision = profile.explain(&requests).settled();
        let admitted = judged.iter().all(|judged| judged.is_admitted());
        let expected = if admitted {
            Decision::Allow
        } else {
            Decision::Deny
        };
        assert_eq!(
            decision,
            Some(expected),
            "{layers:?}\n{act:?} {paths:?}\n{}\n{}",
            judged.iter().map(ToString::to_string).collect::<String>(),
            profile.text()
        );
        *(if admitted {
            &mut tally.admitted
        } else {
            &mut tally.refused
        }) += 1;
    }
}

/// The acts with one end, on every name where they mean something.
fn single() -> Vec<(Act, Vec<&'static str>)> {
    let acts = [
        Act::Stat,
        Act::Read,
        Act::Write,
        Act::Exec,
        Act::Create,
        Act::Remove,
    ];
    let names = NAMES.iter().chain(ALSO_ASKED);
    names
        .flat_map(|&name| acts.map(|act| (act, vec![name])))
        .collect()
}

/// The acts with two ends, on pairs of names.
fn paired() -> Vec<(Act, Vec<&'static str>)> {
    let from = [
        "/w",
        "/w/a",
        "/w/a/f",
        "/w/a/d",
        "/w/l",
        "/w/b",
        "/private/tmp/t",
    ];
    let to = [
        "/w/a/d",
        "/w/a/f",
        "/w/new",
        "/w/new/deep",
        "/w/l",
        "/w/A/F",
        "/tmp/t/x",
    ];
    let mut acts = Vec::new();
    for act in [Act::Rename, Act::Swap, Act::Link, Act::Clone] {
        for one in from {
            for other in to {
                acts.push((act, vec![one, other]));
            }
        }
    }
    acts
}

#[test]
fn every_grant_of_up_to_three_clauses() {
    let host = world();
    let names = NAMES.iter().chain(ALSO_ASKED);
    let acts: Vec<_> = names
        .flat_map(|&name| [Act::Read, Act::Write].map(|act| (act, vec![name])))
        .collect();
    let mut tally = Tally::default();
    for count in 0..=3 {
        for clauses in grants(&[List::Read, List::Write, List::Exclude], NAMES, count) {
            compare(&host, &[clauses], &acts, &mut tally);
        }
    }
    // 30 clauses: 1 + 30 + 30 × 29 / 2 + 30 × 29 × 28 / 6 grants.
    assert_eq!(tally.stacks, 4526);
    assert!(tally.refused_stacks > 100, "{tally:?}");
    assert!(
        tally.admitted > 10_000 && tally.refused > 10_000,
        "{tally:?}"
    );
    println!("{tally:?}");
}

#[test]
fn every_act_under_every_grant_of_up_to_two_clauses() {
    let host = world();
    let acts: Vec<_> = single().into_iter().chain(paired()).collect();
    let lists: Vec<_> = FILES.iter().chain(PROGRAMS).copied().collect();
    let names = [
        "/w",
        "/w/a",
        "/w/a/f",
        "/w/l",
        "/w/a/to-f",
        "/w/new/deep",
        "/tmp/t",
    ];
    let mut tally = Tally::default();
    for count in 0..=2 {
        for clauses in grants(&lists, &names, count) {
            compare(&host, &[clauses], &acts, &mut tally);
        }
    }
    // 42 clauses: 1 + 42 + 42 × 41 / 2 grants.
    assert_eq!(tally.stacks, 904);
    assert!(
        tally.admitted > 10_000 && tally.refused > 10_000,
        "{tally:?}"
    );
    println!("{tally:?}");
}

#[test]
fn two_layers_of_up_to_two_clauses() {
    let host = world();
    let acts: Vec<_> = single().into_iter().chain(paired()).collect();
    let lists: Vec<_> = FILES.iter().chain(PROGRAMS).copied().collect();
    let names = ["/w", "/w/a", "/w/l", "/w/new/deep"];
    let one: Vec<_> = grants(&lists, &names, 1);
    let mut tally = Tally::default();
    for first in &one {
        for second in &one {
            compare(&host, &[first.clone(), second.clone()], &acts, &mut tally);
        }
    }
    let wide = vec![(List::Write, "/w"), (List::Exclude, "/w/a/f")];
    for two in grants(&lists, &names, 2) {
        compare(&host, &[wide.clone(), two], &acts, &mut tally);
    }
    assert_eq!(tally.stacks, 24 * 24 + 24 * 23 / 2);
    println!("{tally:?}");
}
