//! What small profiles decide, by hand. A refusal is shown beside what the same profile admits.

use sbpl::ast::{Quantity, Subject, Symbol, Target, Value, VnodeType};
use sbpl::judge::{Decider, Decision, Settlement, Socket, Transport};
use sbpl::{Judge, Operation, Reading, Request, parse};

use Decision::{Allow, Deny, Unknown};

fn judge(rules: &str) -> Judge {
    Judge::new(parse(format!("(version 1)\n(deny default)\n{rules}").as_bytes()).profile())
}

fn read(path: &str) -> Request {
    Request::new(Operation::FileReadData).path(path)
}

/// The decisions under all readings: flat, specific, filtered-first.
#[track_caller]
fn check(rules: &str, request: &Request, expected: [Decision; 3]) {
    let judge = judge(rules);
    assert_eq!(
        Reading::ALL.map(|reading| judge.decide(request, reading).decision),
        expected
    );
}

#[track_caller]
fn settled(rules: &str, request: &Request, expected: Decision) {
    check(rules, request, [expected; 3]);
}

#[test]
fn the_last_match_among_one_operations_filtered_rules() {
    let rules = r#"(allow file-read-data (subpath "/w")) (deny file-read-data (literal "/w/a"))
                   (allow file-read-data (literal "/w/a"))"#;
    settled(rules, &read("/w/a"), Allow);
    let rules = r#"(deny file-read-data (literal "/w/a")) (allow file-read-data (subpath "/w"))"#;
    settled(rules, &read("/w/a"), Allow);
    let rules = r#"(allow file-read-data (subpath "/w")) (deny file-read-data (literal "/w/a"))"#;
    settled(rules, &read("/w/b"), Allow);
    settled(rules, &read("/w/a"), Deny);
}

#[test]
fn a_named_operation_against_its_wildcard_depends_on_the_reading() {
    let rules = r#"(allow file-read-data (subpath "/")) (deny file-read* (literal "/w/.env"))"#;
    check(rules, &read("/w/.env"), [Deny, Allow, Allow]);
    let rules = r#"(deny file-write-unlink (subpath "/d")) (allow file-write*)"#;
    let unlink = Request::new(Operation::FileWriteUnlink);
    check(rules, &unlink.clone().path("/d/a"), [Allow, Deny, Deny]);
    settled(rules, &unlink.path("/e"), Allow);
}

#[test]
fn an_unfiltered_rule_is_only_a_fallback_under_one_reading() {
    let rules = r#"(allow file-read-data (literal "/a")) (deny file-read-data)"#;
    check(rules, &read("/a"), [Deny, Deny, Allow]);
    settled(rules, &read("/b"), Deny);
    settled(
        "(deny file-read-data) (allow file-read-data)",
        &read("/a"),
        Allow,
    );
}

#[test]
fn default_is_the_roots_fallback_wherever_it_stands() {
    let rules = r#"(allow file-read* (literal "/a")) (deny default)"#;
    settled(rules, &read("/a"), Allow);
    settled(rules, &read("/b"), Deny);
    settled("(allow default)", &read("/b"), Allow);
}

#[test]
fn some_operations_start_allowed() {
    let link = Request::new(Operation::FileLink).path("/a");
    settled("", &link, Allow);
    settled("(deny file*)", &link, Allow);
    settled(r#"(deny file-link (literal "/b"))"#, &link, Allow);
    settled(r#"(deny file-link (literal "/a"))"#, &link, Deny);
    let verdict = judge("").decide(&link, Reading::Flat);
    assert_eq!(verdict.by, Decider::StartsAllowed);
}

#[test]
fn a_verdict_names_its_rule() {
    let judge = judge(r#"(allow file-read* (subpath "/w"))"#);
    let by = |path| judge.decide(&read(path), Reading::FilteredFirst).by;
    assert_eq!(by("/w/a"), Decider::Rule(1));
    assert_eq!(by("/v"), Decider::Rule(0));
    let Settlement::Settled(verdict) = judge.settle(&read("/w")) else {
        panic!("open")
    };
    assert_eq!((verdict.decision, verdict.by), (Allow, Decider::Rule(1)));
    let empty = Judge::new(parse(b"(version 1)").profile());
    assert_eq!(
        empty.decide(&read("/w"), Reading::Flat).by,
        Decider::NoDefault
    );
}

#[test]
fn paths_compare_by_key_and_by_component() {
    let rules = r#"(allow file-read* (subpath "/Users/Me") (literal "/caf\xc3\xa9"))"#;
    settled(rules, &read("/users/me"), Allow);
    settled(rules, &read("/USERS/ME/a"), Allow);
    settled(rules, &read("/Users/Men"), Deny);
    settled(rules, &read("/CAFE\u{301}"), Allow);
    settled(rules, &read("/cafe"), Deny);
}

#[test]
fn the_text_of_a_filter_is_not_normalised() {
    settled(r#"(allow file-read* (subpath "/w"))"#, &read("/w/a"), Allow);
    for path in ["/w/", "//w", "/./w", "/v/../w", "w", ""] {
        settled(
            &format!("(allow file-read* (subpath \"{path}\"))"),
            &read("/w/a"),
            Deny,
        );
        settled(
            &format!("(allow file-read* (require-not (subpath \"{path}\")))"),
            &read("/w/a"),
            Allow,
        );
    }
}

#[test]
fn combinations() {
    let rules = r#"(allow file-read* (require-all (subpath "/w")
        (require-not (require-any (subpath "/w/a") (literal "/w/b" "/w/c")))))"#;
    settled(rules, &read("/w/d"), Allow);
    for path in ["/w/a/x", "/w/b", "/w/c", "/v"] {
        settled(rules, &read(path), Deny);
    }
}

#[test]
fn what_is_not_stated_is_not_guessed() {
    let rules = r#"(allow file-read* (require-all (subpath "/w") (vnode-type REGULAR-FILE)))"#;
    settled(rules, &read("/w/a"), Unknown);
    settled(rules, &read("/v"), Deny);
    settled(
        rules,
        &read("/w/a").vnode_type(VnodeType::RegularFile),
        Allow,
    );
    settled(rules, &read("/w/a").vnode_type(VnodeType::Symlink), Deny);
    let verdict = judge(rules).decide(&read("/w/a"), Reading::Flat);
    assert_eq!(verdict.by, Decider::Undecided(1));
}

#[test]
fn a_doubt_that_changes_nothing_is_none() {
    let rules = r#"(deny file-read* (subpath "/w")) (deny file-read* (regex #"(?:a)"))"#;
    settled(rules, &read("/w/a"), Deny);
    settled(
        &format!("{rules} (allow file-read* (subpath \"/w\"))"),
        &read("/w/a"),
        Allow,
    );
    let doubt = r#"(allow file-read* (subpath "/w")) (deny file-read* (regex #"(?:a)"))"#;
    settled(doubt, &read("/w/a"), Unknown);
}

#[test]
fn what_is_not_understood_is_not_judged() {
    settled("(allow file-read*)", &read("/a"), Allow);
    settled(
        "(allow file-read*) (import \"system.sb\")",
        &read("/a"),
        Unknown,
    );
    settled("(allow file-read* (some-filter))", &read("/a"), Unknown);
    let unknown = Operation::from_name("file-reed-data").unwrap();
    settled("(allow file-read*)", &Request::new(unknown), Unknown);
}

#[test]
fn a_wildcard_that_is_not_known_may_be_about_anything_of_its_name() {
    let rules = r#"(allow mach-lookup (global-name "a")) (deny mach-lo* (global-name "a"))"#;
    let lookup = |name| Request::new(Operation::MachLookup).name(Subject::GlobalName, name);
    settled(rules, &lookup("a"), Unknown);
    settled(rules, &lookup("b"), Deny);
    settled("(allow mach-lookup) (deny mach-r*)", &lookup("a"), Allow);
    settled("(allow mach-lookup) (allow mach-lo*)", &lookup("a"), Allow);
    let verdict = judge(rules).decide(&lookup("a"), Reading::Flat);
    assert_eq!(verdict.by, Decider::Undecided(2));
}

#[test]
fn a_name_beside_the_object_is_stated_or_unknown() {
    let rules = r#"(allow file-read-xattr (require-all (subpath "/w") (xattr "a")))"#;
    let request = Request::new(Operation::FileReadXattr).path("/w/f");
    settled(rules, &request, Unknown);
    settled(
        rules,
        &request.clone().attribute(Subject::Xattr, "a"),
        Allow,
    );
    settled(rules, &request.attribute(Subject::Xattr, "b"), Deny);
    let rules = r#"(allow mach-lookup (require-entitlement "e" (entitlement-value #t)))"#;
    let request = Request::new(Operation::MachLookup).name(Subject::GlobalName, "a");
    settled(rules, &request.clone().entitlements(["e"]), Unknown);
    settled(rules, &request.entitlements(["f"]), Deny);
}

#[test]
fn children_of_what_starts_allowed() {
    let info = Request::new(Operation::ProcessInfoPidinfo).target(Target::Others);
    settled("", &info, Allow);
    settled("(deny process-info* (target others))", &info, Deny);
    settled("(deny process-info* (target self))", &info, Allow);
}

#[test]
fn mach_names_do_not_stand_for_each_other() {
    let rules = r#"(allow mach-lookup (global-name "a.b") (global-name-prefix "a.c."))"#;
    let lookup = |subject, name| Request::new(Operation::MachLookup).name(subject, name);
    settled(rules, &lookup(Subject::GlobalName, "a.b"), Allow);
    settled(rules, &lookup(Subject::GlobalName, "a.c.d"), Allow);
    settled(rules, &lookup(Subject::LocalName, "a.b"), Deny);
    settled(rules, &lookup(Subject::GlobalName, "a.B"), Deny);
}

#[test]
fn sockets() {
    let rules = r#"(allow network-outbound (remote ip "localhost:80") (literal "/s")
                    (remote unix-socket (path-literal "/t")))"#;
    let connect = |socket| Request::new(Operation::NetworkOutbound).remote(socket);
    let tcp = |address: &str| connect(Socket::Inet(Transport::Tcp, address.parse().unwrap()));
    let unix = |path: &str| connect(Socket::Unix(path.into()));
    settled(rules, &tcp("127.0.0.1:80"), Allow);
    settled(rules, &tcp("127.0.0.1:81"), Deny);
    settled(rules, &tcp("1.1.1.1:80"), Deny);
    settled(rules, &unix("/s"), Allow);
    settled(rules, &unix("/t"), Allow);
    settled(rules, &unix("/u"), Deny);
    settled(
        r#"(allow network-outbound (local ip "*:1"))"#,
        &tcp("1.1.1.1:80"),
        Allow,
    );
    settled(
        r#"(allow network-outbound (subpath "/"))"#,
        &tcp("1.1.1.1:80"),
        Deny,
    );
}

#[test]
fn signals_and_ioctls() {
    let signal = |target| Request::new(Operation::Signal).target(target);
    let rules = "(allow signal (target same-sandbox))";
    settled(rules, &signal(Target::Itself), Allow);
    settled(rules, &signal(Target::SameSandbox), Allow);
    settled(rules, &signal(Target::Others), Deny);
    settled(rules, &signal(Target::Children), Unknown);

    let rules = "(allow file-ioctl) (deny file-ioctl (ioctl-command TIOCSTI))";
    let ioctl = |name| {
        let command = Value::Symbol(Symbol::new(name).unwrap());
        let request = Request::new(Operation::FileIoctl).path("/dev/tty");
        request.value(Quantity::IoctlCommand, command)
    };
    settled(rules, &ioctl("TIOCGWINSZ"), Allow);
    settled(rules, &ioctl("TIOCSTI"), Deny);
}
