//! Findings by hand, each beside a rule that has none.

use sbpl::lint::{FindingKind, lint};
use sbpl::{Parser, parse};

/// Findings about rules, each with the rule's index.
fn findings(rules: &str) -> Vec<(usize, String)> {
    let parsed = parse(format!("(version 1)\n(deny default)\n{rules}").as_bytes());
    assert_eq!(
        parsed
            .diagnostics()
            .iter()
            .filter(|d| d.text() != 0)
            .count(),
        0
    );
    let all = lint(&parsed).into_iter();
    all.filter_map(|finding| Some((finding.rule()?, finding.to_string())))
        .collect()
}

#[track_caller]
fn check(rules: &str, expected: &[(usize, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(rule, text)| (rule, text.to_owned()))
        .collect();
    assert_eq!(findings(rules), expected, "{rules}");
}

#[test]
fn spellings_that_never_match() {
    let flaw = "the path has an empty component, `.`, `..` or a `/` at its end and never matches";
    check(r#"(allow file-read* (subpath "/a"))"#, &[]);
    for path in ["/a/", "/a//b", "/a/../b"] {
        check(
            &format!("(allow file-read* (subpath \"{path}\"))"),
            &[(1, flaw)],
        );
    }
    let tmp = "nothing is found under `/tmp`: the kernel presents `/private/tmp`";
    check(r#"(allow file-read* (literal "/tmp"))"#, &[]);
    check(r#"(allow file-read* (subpath "/private/tmp"))"#, &[]);
    check(r#"(allow file-read* (subpath "/tmp"))"#, &[(1, tmp)]);
    check(
        r#"(allow file-read* (require-all (literal "/TMP/a") (extension "e")))"#,
        &[(1, tmp)],
    );
    check(
        r##"(allow file-read* (regex #"^/tmp/[a-z]*$"))"##,
        &[(1, tmp)],
    );
    check(r##"(allow file-read* (regex #"^/tmpx/[a-z]*$"))"##, &[]);
    check(r#"(allow file-read* (prefix "/tmp/a"))"#, &[(1, tmp)]);
    check(r#"(allow file-read* (prefix "/tmp"))"#, &[]);
    check(
        r#"(allow network-outbound (remote unix-socket (path-literal "/var/run/x")))"#,
        &[(
            1,
            "nothing is found under `/var`: the kernel presents `/private/var`",
        )],
    );
    check(
        r#"(allow file-read* (subpath "/System/Volumes/Data/Users/me"))"#,
        &[(
            1,
            "nothing is found under `/System/Volumes/Data`: the kernel presents `/`",
        )],
    );
}

#[test]
fn rules_that_never_decide() {
    let by =
        |rule: usize| format!("the rule never decides: rule {rule} matches all that it matches");
    check(
        r#"(allow file-read* (subpath "/a/b")) (deny file-read* (subpath "/a"))"#,
        &[(1, &by(2))],
    );
    check(
        r#"(deny file-read* (subpath "/a")) (allow file-read* (subpath "/a/b"))"#,
        &[],
    );
    check(
        r#"(allow file-read* (literal "/a") (subpath "/A/B")) (deny file-read* file-write* (subpath "/a"))"#,
        &[(1, &by(2))],
    );
    check(
        r#"(allow file-read* (literal "/a") (subpath "/b")) (deny file-read* (subpath "/a"))"#,
        &[],
    );
    check(
        r#"(allow file-read* file-write* (literal "/a")) (deny file-read* (literal "/a"))"#,
        &[],
    );
    check(
        r#"(allow mach-lookup (global-name "a")) (deny mach-lookup (global-name "a"))"#,
        &[(1, &by(2))],
    );
    check(
        r#"(allow file-read* (require-all (subpath "/a/b") (vnode-type TTY))) (deny file-read* (subpath "/a"))"#,
        &[(1, &by(2))],
    );
    check("(allow signal) (deny signal)", &[(1, &by(2))]);
}

#[test]
fn rules_whose_effect_depends_on_the_reading() {
    check(
        r#"(allow file-read-data (subpath "/w")) (deny file-read* (literal "/w/.env"))"#,
        &[(
            2,
            "readings differ on `file-read-data` of `/w/.env`: denied if the last rule decides, allowed if the nearest operation does, allowed if its filtered rules come first",
        )],
    );
    check(
        r#"(allow file-read-data (subpath "/w")) (deny file-read-data (literal "/w/.env"))"#,
        &[],
    );
    check(
        r#"(allow mach-lookup (global-name-regex #"^com\.(a|b)\.x+$")) (deny mach*)"#,
        &[(
            1,
            "readings differ on `mach-lookup` of `com.a.x`: denied if the last rule decides, allowed if the nearest operation does, allowed if its filtered rules come first",
        )],
    );
    check(
        r#"(allow signal (target self)) (deny signal)"#,
        &[(
            1,
            "readings differ on `signal` of a process that is `self`: denied if the last rule decides, denied if the nearest operation does, allowed if its filtered rules come first",
        )],
    );
}

#[test]
fn rules_on_files_without_a_filter() {
    check(
        "(allow file-read*)",
        &[(1, "`file-read*` is allowed for every file")],
    );
    check(
        "(deny file-write*)",
        &[(
            1,
            "`file-write*` is denied where nothing else is said: a rule with a filter comes first",
        )],
    );
    check("(allow signal)", &[]);
}

#[test]
fn what_starts_allowed_and_is_not_mentioned() {
    let missing = |text: &str| {
        lint(&parse(text.as_bytes()))
            .into_iter()
            .find_map(|finding| match finding.kind() {
                FindingKind::NotMentioned(operations) => Some(
                    operations
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>(),
                ),
                _ => None,
            })
    };
    assert_eq!(missing("(version 1)(allow default)"), None);
    let some = missing("(version 1)(deny default)").unwrap_or_default();
    assert!(some.contains(&"file-link".to_owned()) && some.contains(&"nvram*".to_owned()));
    assert!(!some.contains(&"file-read-data".to_owned()));
    let fewer = missing("(version 1)(deny default)(deny file-link (subpath \"/a\"))");
    assert_eq!(fewer.map(|fewer| fewer.len()), Some(some.len() - 1));
}

#[test]
fn imports_that_grant() {
    let parser = Parser::new().loader(|name| match name {
        b"grants.sb" => Ok(b"(allow signal) (deny mach*) (allow pseudo-tty)".to_vec()),
        b"denies.sb" => Ok(b"(deny signal)".to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    });
    let imports = |text: &str, parser: &Parser| {
        let parsed = parser.parse(text.as_bytes());
        let all = lint(&parsed).into_iter();
        all.filter(|finding| {
            let kind = finding.kind();
            matches!(
                kind,
                FindingKind::ImportGrants { .. } | FindingKind::ImportUnknown
            )
        })
        .map(|finding| finding.render(&parsed, "a.sb"))
        .collect::<Vec<_>>()
    };
    assert_eq!(
        imports("(version 1)\n(import \"denies.sb\")", &parser),
        [""; 0]
    );
    assert_eq!(
        imports("(version 1)\n(import \"grants.sb\")", &parser),
        [
            "finding: the import of `grants.sb` brings rules that allow: 2\n --> a.sb:2:1\n  |\n2 | (import \"grants.sb\")\n  | ^^^^^^^^^^^^^^^^^^^^\n"
        ]
    );
    assert_eq!(
        imports("(version 1)\n(import \"grants.sb\")", &Parser::new()),
        [
            "finding: the import is not loaded, and may allow anything\n --> a.sb:2:1\n  |\n2 | (import \"grants.sb\")\n  | ^^^^^^^^^^^^^^^^^^^^\n"
        ]
    );
}
