//! The order of the sections is their precedence: an allowing section that stood behind a denying one
//! would change what is decided, wherever the two speak of one operation.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap_capability::{Grant, Stack};
use objcap_object::{Host, RealPath};
use objcap_sandbox::{Decision, Profile, Section};
use sbpl::judge::Settlement;
use sbpl::{Action, Judge, Operation, Request, Rule};

const GRANT: &str = "
[fs]
read = ['/w', '/usr', '/ex/l']
write = ['/w/out']
exclude = ['/w/out/secret/key', '/w/out/link/f', '/usr/bin/curl', '/ex']
protect = ['/w/out/hooks']
[exec]
allow = ['/usr/bin', '/w', '/opt/unread']
exclude = ['/usr/bin/osascript']
veto = ['git']
[net]
access = 'open'
sockets = ['/w/out/secret/key']
";

fn profile() -> Profile {
    let mut host = Host::stock_mac();
    for file in [
        "/w/out/secret/key",
        "/w/out/real/f",
        "/w/out/hooks/h",
        "/opt/unread/x",
    ] {
        host.tree.file(file);
    }
    host.tree.link("/w/out/link", "real");
    // A way to what is allowed that is excluded itself.
    host.tree.link("/ex/l", "/w/in");
    let grant = Grant::parse("g.toml", GRANT.as_bytes(), &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    Profile::render(&stack, &host).unwrap()
}

fn rules(profile: &Profile, order: &[Section]) -> sbpl::Profile {
    let of = |section: &Section| {
        let sections = profile.sections().filter(move |(one, _)| one == section);
        let lines: Vec<Rule> = sections
            .flat_map(|(_, lines)| lines.iter().map(|line| line.rule().clone()))
            .collect();
        lines
    };
    order.iter().flat_map(of).collect()
}

/// Requests about everything that the grant speaks of.
fn requests() -> Vec<Request> {
    let names = [
        "/",
        "/w",
        "/w/out",
        "/w/out/secret",
        "/w/out/secret/key",
        "/w/out/real",
        "/w/out/real/f",
        "/w/out/link",
        "/w/out/hooks",
        "/w/out/hooks/h",
        "/usr/bin/curl",
        "/usr/bin/osascript",
        "/usr/bin/git",
        "/opt/unread/x",
        "/usr/local/bin/objcap",
        "/usr/local/bin",
        "/private/var/run/mDNSResponder",
        "/ex/l",
    ];
    let operations = [
        Operation::FileReadData,
        Operation::FileReadMetadata,
        Operation::FileWriteData,
        Operation::FileWriteCreate,
        Operation::FileWriteUnlink,
        Operation::FileLink,
        Operation::FileClone,
        Operation::FileTestExistence,
        Operation::ProcessExec,
        Operation::NetworkOutbound,
        Operation::NetworkBind,
    ];
    let request = |operation: &Operation, name: &str| {
        Request::new(operation.clone()).path(RealPath::new(name).unwrap().as_bytes())
    };
    let all = operations.iter();
    all.flat_map(|operation| names.map(|name| request(operation, name)))
        .collect()
}

/// Whether two sections name one operation, or one names a wildcard of the other's.
fn share_an_operation(profile: &Profile, allowing: Section, denying: Section) -> bool {
    let named = |section: Section, action: Action| {
        let sections = profile.sections().filter(move |(one, _)| *one == section);
        let rules = sections.flat_map(|(_, lines)| lines.iter().map(|line| line.rule()));
        let rules = rules.filter(move |rule| rule.action() == action);
        let all: Vec<Operation> = rules
            .flat_map(|rule| rule.operations().iter().map(|one| (**one).clone()))
            .collect();
        all
    };
    let stem = |operation: &Operation| operation.name().trim_end_matches('*').to_owned();
    let allowed = named(allowing, Action::Allow);
    named(denying, Action::Deny).iter().any(|denied| {
        let mut allowed = allowed.iter();
        allowed.any(|allowed| {
            let (one, other) = (stem(allowed), stem(denied));
            one.starts_with(&other) || other.starts_with(&one)
        })
    })
}

#[test]
fn an_allowing_section_behind_a_denying_one_is_noticed() {
    let profile = profile();
    let order: Vec<Section> = profile.sections().map(|(section, _)| section).collect();
    let judged = |order: &[Section]| {
        let judge = Judge::new(&rules(&profile, order));
        let decide = |request: &Request| match judge.settle(request) {
            Settlement::Settled(verdict) => verdict.decision,
            Settlement::Open(_) => Decision::Unknown,
        };
        requests().iter().map(decide).collect::<Vec<_>>()
    };
    let as_it_is = judged(&order);
    assert!(as_it_is.contains(&Decision::Allow) && as_it_is.contains(&Decision::Deny));
    assert!(!as_it_is.contains(&Decision::Unknown), "it means one thing");

    let allowing = [
        Section::Waypoints,
        Section::Reads,
        Section::Writes,
        Section::Runs,
        Section::Network,
    ];
    let denying = [Section::Bound, Section::Exclusions, Section::Pins];
    let (mut noticed, mut apart) = (0, Vec::new());
    for moved in allowing {
        for behind in denying {
            let mut other: Vec<_> = order.iter().copied().filter(|one| *one != moved).collect();
            let at = other.iter().position(|one| *one == behind).unwrap();
            other.insert(at + 1, moved);
            if judged(&other) != as_it_is {
                noticed += 1;
            } else {
                apart.push((moved, behind));
            }
        }
    }
    // What is not noticed speaks of other operations, or stands behind another section that denies it.
    for (moved, behind) in &apart {
        let shared = share_an_operation(&profile, *moved, *behind);
        assert!(!shared, "{moved:?} behind {behind:?} goes unnoticed");
    }
    assert!(noticed >= 8, "{noticed} noticed, {apart:?} apart");
}
