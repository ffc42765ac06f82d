//! Guard and profile agree: every grant of up to three clauses over a small world, every name in
//! it, reading and writing, under every reading of how the kernel decides.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap_capability::{Act, ErrorKind, Grant, Guard, List, Stack};
use objcap_object::{Host, Memory, Object, Options};
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

/// Every grant of exactly `count` clauses, no two alike; the order of clauses means nothing.
fn grants(count: usize) -> Vec<Vec<(List, &'static str)>> {
    let lists = [List::Read, List::Write, List::Exclude];
    let clauses: Vec<_> = lists
        .into_iter()
        .flat_map(|list| NAMES.iter().map(move |&name| (list, name)))
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
    grants: usize,
    refused_grants: usize,
    admitted: usize,
    refused: usize,
}

fn compare(host: &Host<Memory>, clauses: &[(List, &str)], tally: &mut Tally) {
    let mut builder = Grant::builder().fs();
    for (list, name) in clauses {
        builder = match list {
            List::Read => builder.read(name),
            List::Write => builder.write(name),
            List::Protect => builder.protect(name),
            _ => builder.exclude(name),
        };
    }
    tally.grants += 1;
    let stack = match Stack::freeze(&[builder.build(&host.vars).unwrap()], host) {
        Ok(stack) => stack,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WritableLink, "{error}");
            tally.refused_grants += 1;
            return;
        }
    };
    let profile = Profile::render(&stack, host).unwrap();
    let guard = Guard::new(host, &stack);
    for path in NAMES.iter().chain(ALSO_ASKED) {
        let object = Object::walk(&host.tree, path, &Options::default()).unwrap();
        for act in [Act::Read, Act::Write] {
            let judged = guard.judge_act(act, &[path]).unwrap().remove(0);
            let requests = act_requests(act, &[&object], host);
            let decision = profile.explain(&requests).settled();
            let admitted = judged.is_admitted();
            let expected = if admitted {
                Decision::Allow
            } else {
                Decision::Deny
            };
            assert_eq!(
                decision,
                Some(expected),
                "{clauses:?}\n{judged}\n{}",
                profile.text()
            );
            *(if admitted {
                &mut tally.admitted
            } else {
                &mut tally.refused
            }) += 1;
        }
    }
}

#[test]
fn every_grant_of_up_to_three_clauses() {
    let host = world();
    let mut tally = Tally::default();
    for count in 0..=3 {
        for grant in grants(count) {
            compare(&host, &grant, &mut tally);
        }
    }
    // 30 clauses: 1 + 30 + 30 × 29 / 2 + 30 × 29 × 28 / 6 grants.
    assert_eq!(tally.grants, 4526);
    assert!(tally.refused_grants > 100, "{tally:?}");
    assert!(
        tally.admitted > 10_000 && tally.refused > 10_000,
        "{tally:?}"
    );
    println!("{tally:?}");
}
