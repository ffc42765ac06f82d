//! The compiled judge answers as the naive one does, for any profile and any request.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test may stop at a surprise"
)]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sbpl::ast::{
    Address, Endpoint, Host, Match, PathMatch, Port, Protocol, Subject, Target, VnodeType,
};
use sbpl::judge::{Decider, Socket, Transport, naive};
use sbpl::{Action, Filter, Judge, Operation, Pattern, Profile, Reading, Request, Rule, Text};

/// Few components, so that filters and requests meet.
const COMPONENTS: &[&str] = &["a", "A", "b", "ab", "\u{e9}", "e\u{301}", ".env", "\u{df}"];

const OPERATIONS: &[&str] = &[
    "default",
    "file*",
    "file-read*",
    "file-read-data",
    "file-write*",
    "file-write-create",
    "file-link",
    "network*",
    "network-outbound",
    "network-inbound",
    "mach-lookup",
    "mach*",
    "process-info-pidinfo",
    "process-info*",
    // Nothing is known of these; the wildcards may be about the others.
    "file-read-w*",
    "network-out*",
    "file-undo",
];

const PATTERNS: &[&str] = &[
    "/a",
    "^/a/[^/]*$",
    r"\.env$",
    "^/(a|b)/.*b",
    "b+$",
    "[^a]$",
    "\u{e9}",
    "^/.$",
    "^/a.b",
];

fn path() -> impl Strategy<Value = String> {
    let clean = vec(select(COMPONENTS), 0..4).prop_map(|parts| format!("/{}", parts.join("/")));
    prop_oneof![20 => clean, 1 => select(vec!["", "a", "//a", "/a/", "/a\nb"]).prop_map(String::from)]
}

fn text() -> impl Strategy<Value = Text> {
    path().prop_map(|path| Text::new(path).unwrap())
}

fn path_match() -> impl Strategy<Value = PathMatch> {
    prop_oneof![
        3 => text().prop_map(PathMatch::Literal),
        3 => text().prop_map(PathMatch::Subpath),
        1 => text().prop_map(PathMatch::Prefix),
        2 => select(PATTERNS).prop_map(|pattern| PathMatch::Regex(Pattern::new(pattern).unwrap())),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    let name = || select(vec!["a", "ab", "b"]);
    let name_match = prop_oneof![
        name().prop_map(|name| Match::Exact(Text::new(name).unwrap())),
        name().prop_map(|name| Match::Prefix(Text::new(name).unwrap())),
        name().prop_map(|name| Match::Regex(Pattern::new(name).unwrap())),
    ];
    let subject = select(vec![
        Subject::GlobalName,
        Subject::LocalName,
        Subject::Xattr,
    ]);
    let address = Address {
        host: Host::Localhost,
        port: Port::Any,
    };
    let leaf = prop_oneof![
        8 => path_match().prop_map(Filter::Path),
        2 => (subject, name_match).prop_map(|(subject, name)| Filter::Name(subject, name)),
        1 => select(VnodeType::ALL).prop_map(Filter::VnodeType),
        1 => select(Target::ALL).prop_map(Filter::Target),
        1 => path_match().prop_map(|path| Filter::Remote(Endpoint::Unix(Some(path)))),
        1 => Just(Filter::Remote(Endpoint::Inet(Protocol::Tcp, Some(address)))),
        1 => Just(Filter::Local(Endpoint::Inet(Protocol::Ip, Some(address)))),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..3).prop_map(|filters| Filter::any(filters).unwrap()),
            vec(inner.clone(), 1..3).prop_map(|filters| Filter::all(filters).unwrap()),
            inner.prop_map(|filter| Filter::not(filter).unwrap()),
        ]
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    select(OPERATIONS).prop_map(|name| Operation::from_name(name).unwrap())
}

fn rule() -> impl Strategy<Value = Rule> {
    let action = select(vec![Action::Allow, Action::Deny]);
    (
        action,
        operation(),
        vec(operation(), 0..2),
        vec(filter(), 0..3),
    )
        .prop_map(|(action, first, more, filters)| {
            let rule = Rule::new(action, first).also(more);
            filters.into_iter().fold(rule, Rule::when)
        })
}

fn request() -> impl Strategy<Value = Request> {
    let socket = || {
        prop_oneof![
            path().prop_map(|path| Socket::Unix(path.into_bytes())),
            select(vec!["127.0.0.1:80", "1.1.1.1:80"])
                .prop_map(|address| Socket::Inet(Transport::Tcp, address.parse().unwrap())),
        ]
    };
    let bare = || operation().prop_map(Request::new);
    let about = prop_oneof![
        8 => (bare(), path()).prop_map(|(request, path)| request.path(path)),
        1 => bare(),
        2 => (bare(), select(vec![Subject::GlobalName, Subject::LocalName]), select(vec!["a", "abc"]))
            .prop_map(|(request, subject, name)| request.name(subject, name)),
        2 => (bare(), socket()).prop_map(|(request, socket)| request.remote(socket)),
        1 => (bare(), socket()).prop_map(|(request, socket)| request.local(socket)),
    ];
    let kind = proptest::option::of(select(VnodeType::ALL));
    let target = proptest::option::of(select(Target::ALL));
    (about, kind, target, proptest::bool::weighted(0.2)).prop_map(
        |(request, kind, target, has_xattr)| {
            let request = kind.into_iter().fold(request, Request::vnode_type);
            let request = target.into_iter().fold(request, Request::target);
            if has_xattr {
                request.attribute(Subject::Xattr, "ab")
            } else {
                request
            }
        },
    )
}

proptest! {
    #[test]
    fn both_judges_agree(rules in vec(rule(), 0..14), requests in vec(request(), 1..12)) {
        let profile: Profile = rules.into_iter().collect();
        let (compiled, naive) = (Judge::new(&profile), naive::Judge::new(&profile));
        for request in requests {
            for reading in Reading::ALL {
                prop_assert_eq!(
                    compiled.decide(&request, reading),
                    naive.decide(&request, reading),
                    "{} {:?} {:?}", profile, request, reading
                );
            }
            prop_assert_eq!(compiled.settle(&request), naive.settle(&request), "{}", profile);
        }
    }
}

/// The generator reaches what it is for.
#[test]
fn requests_and_rules_meet() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut count = [0; 4];
    for _ in 0..400 {
        let rules = vec(rule(), 10).new_tree(&mut runner).unwrap().current();
        let request = request().new_tree(&mut runner).unwrap().current();
        let judge = Judge::new(&rules.into_iter().collect());
        let kind = match judge.decide(&request, Reading::FilteredFirst).by {
            Decider::Rule(_) => 0,
            Decider::Undecided(_) => 1,
            Decider::NoDefault => 2,
            _ => 3,
        };
        count[kind] += 1;
    }
    assert!(count.iter().all(|&count| count > 20), "{count:?}");
}
