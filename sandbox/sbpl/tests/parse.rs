//! What texts become, and what is said about them.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test may stop at a surprise"
)]

use sbpl::ast::{Action, MAX_DEPTH};
use sbpl::diagnostic::{DiagnosticKind, Severity};
use sbpl::{Operation, parse};

/// The canonical text behind `(version 1)`, which must come without a remark.
#[track_caller]
fn canonical(text: &str) -> String {
    let parsed = parse(format!("(version 1)\n{text}").as_bytes());
    assert_eq!(parsed.diagnostics(), []);
    parsed
        .profile()
        .to_string()
        .strip_prefix("(version 1)\n")
        .unwrap()
        .to_owned()
}

/// The remarks, each as its severity and message.
fn remarks(text: &str) -> Vec<String> {
    let parsed = parse(format!("(version 1){text}").as_bytes());
    let show = |severity| {
        if severity == Severity::Error {
            "error"
        } else {
            "warning"
        }
    };
    let remarks = parsed.diagnostics().iter();
    remarks
        .map(|remark| format!("{}: {remark}", show(remark.severity())))
        .collect()
}

#[test]
fn layout_comments_and_spellings_become_canonical() {
    let cases = [
        ("(deny default) ; all", "(deny default)\n"),
        ("(allow\n process-exec ;x\n)", "(allow process-exec*)\n"),
        (
            "(allow file* (path-literal \"/a\\x2fb\"))",
            "(allow file* (literal \"/a/b\"))\n",
        ),
        (
            "(allow file* (regex \"\\\\.a$\"))",
            "(allow file* (regex #\"\\.a$\"))\n",
        ),
        (
            "(allow file* (regex #\"caf\u{e9}\"))",
            "(allow file* (regex \"caf\\xc3\\xa9\"))\n",
        ),
        (
            "(allow file* (file-mode #x4))",
            "(allow file* (file-mode #o0004))\n",
        ),
        (
            "(deny (with no-log report) file* (with message \"m\"))",
            "(deny file* (with no-log) (with report) (with message \"m\"))\n",
        ),
        (
            "(allow file* (literal \"/a\" \"/b\"))",
            "(allow file*\n  (literal \"/a\")\n  (literal \"/b\"))\n",
        ),
        (
            "(allow file* (require-not (literal \"/a\" \"/b\")))",
            "(allow file* (require-not (require-any (literal \"/a\") (literal \"/b\"))))\n",
        ),
        (
            "(allow network-outbound (remote unix (literal \"/s\")) (remote tcp) (local ip \"*:1\"))",
            "(allow network-outbound\n  (remote unix-socket (path-literal \"/s\"))\n  (remote tcp)\n  (local ip \"*:1\"))\n",
        ),
        (
            "(allow signal (target same-sandbox))",
            "(allow signal (target same-sandbox))\n",
        ),
        (
            "(allow mach-lookup (global-name-regex #\"^a\\.b\"))",
            "(allow mach-lookup (global-name-regex #\"^a\\.b\"))\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(canonical(text), expected, "{text}");
        assert_eq!(canonical(expected), expected, "canonical text is its own");
    }
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_kept() {
    let cases = [
        (
            "(allow file-reed-data)",
            "warning: `file-reed-data` is no operation that is known",
        ),
        (
            "(allow file* (supbath \"/a\"))",
            "warning: `supbath` is no filter that is known",
        ),
        (
            "(import \"a.sb\")",
            "warning: `import` is kept but not evaluated",
        ),
        ("(definee x 1)", "error: `definee` is not defined"),
        ("stray", "error: `stray` is not defined"),
        ("(allow)", "error: the rule names no operation"),
        ("(allow file* 12)", "error: no operation can stand here"),
        ("(allow file* \"/a\")", "error: a filter is needed here"),
        (
            "(allow file* (literal))",
            "error: `literal` takes strings, at least one",
        ),
        (
            "(allow file* (require-any))",
            "error: `require-any` takes filters, at least one",
        ),
        (
            "(allow file* (require-not))",
            "error: `require-not` takes one filter",
        ),
        (
            "(allow file* (literal \"/a/\"))",
            "warning: the path has an empty component, `.`, `..` or a `/` at its end and never matches",
        ),
        (
            "(allow file* (regex #\"(?:a)\"))",
            "warning: the pattern leaves the subset that is known to work, at its byte 1",
        ),
        (
            "(allow file* (regex \"\\.a\"))",
            "warning: the string has an escape that is not known; its backslash is dropped",
        ),
        (
            "(allow file* (literal \"/a\\x00\"))",
            "error: the text has a NUL byte at offset 2",
        ),
        (
            "(deny default (with x))",
            "warning: the modifier is not known",
        ),
        ("(deny default", "error: nothing closes this `(`"),
        (
            "(deny default))",
            "error: this `)` closes nothing and is skipped",
        ),
        ("(version x)", "error: `version` takes one number"),
    ];
    for (text, expected) in cases {
        assert_eq!(remarks(text), [expected], "{text}");
    }
    assert_eq!(
        remarks("(allow file* (literal (param \"K\")))"),
        ["error: the parameter `K` is not defined"],
    );
    assert_eq!(
        remarks("(allow network* (remote ip \"1.1.1.1:80\"))").len(),
        1
    );
    assert_eq!(
        parse(b"").diagnostics()[0].kind(),
        &DiagnosticKind::NoVersion
    );
}

#[test]
fn rules_know_where_they_stand() {
    let parsed =
        parse(b"(version 1)\n\n  (allow file-read*\n    (literal \"/a\"))\n(deny default)");
    let rule = &parsed.profile().rules()[0];
    assert_eq!(rule.action(), Action::Allow);
    assert_eq!(*rule.operations()[0], Operation::FileRead);
    let position = parsed.rule_position(0).unwrap();
    assert_eq!((position.line, position.column), (3, 3));
    assert_eq!(parsed.rule_position(1).unwrap().line, 5);
    assert_eq!(parsed.rule_position(2), None);
    let filter = rule.filters()[0].span().unwrap();
    assert_eq!(parsed.source().slice(filter), b"(literal \"/a\")");
}

#[test]
fn forms_that_are_not_evaluated_are_kept() {
    let parsed = parse(b"(version 2)(import \"a.sb\")(definee (f x) ; c\n x)");
    assert_eq!(parsed.profile().version(), 2);
    let kept: Vec<_> = parsed
        .profile()
        .unevaluated()
        .iter()
        .map(|form| form.as_str().to_owned())
        .collect();
    assert_eq!(kept, ["(import \"a.sb\")", "(definee (f x) x)"]);
    let printed = parsed.profile().to_string();
    assert!(printed.contains("\n(not-evaluated-by-sbpl '(import \"a.sb\"))\n"));
    assert_eq!(parse(printed.as_bytes()).profile(), parsed.profile());
}

#[test]
fn nesting_beyond_the_limit_is_kept_and_said() {
    let nested = |depth: usize| {
        let (open, close) = ("(require-not ".repeat(depth), ")".repeat(depth));
        format!("(version 1)(allow file* {open}(literal \"/a\"){close})")
    };
    assert_eq!(parse(nested(MAX_DEPTH).as_bytes()).diagnostics(), []);
    for depth in [MAX_DEPTH + 1, 200_000] {
        let parsed = parse(nested(depth).as_bytes());
        assert_eq!(parsed.diagnostics()[0].kind(), &DiagnosticKind::TooDeep);
        let again = parse(parsed.profile().to_string().as_bytes());
        assert_eq!(again.profile(), parsed.profile());
    }
}

#[test]
fn no_filter_is_lost_to_a_rule_that_would_then_apply_everywhere() {
    // A quotation mark before nothing is kept with something behind it: so is the whole rule.
    let (filters, marks) = (
        ["()", "\"\"", "(literal)", "(x"],
        ["'", "''", "(require-any ')"],
    );
    for filter in filters.into_iter().chain(marks) {
        let parsed = parse(format!("(version 1)(allow file* {filter})").as_bytes());
        if marks.contains(&filter) {
            assert_eq!(parsed.profile().rules(), [], "{filter}");
            assert_eq!(parsed.profile().unevaluated().len(), 1, "{filter}");
        } else {
            assert_eq!(parsed.profile().rules()[0].filters().len(), 1, "{filter}");
        }
        let again = parse(parsed.profile().to_string().as_bytes());
        assert_eq!(again.profile(), parsed.profile(), "{filter}");
    }
}

/// Found by fuzzing: the head was no word before it was kept, and one behind.
#[test]
fn a_byte_that_cannot_be_printed_makes_no_word() {
    for byte in [b"\xad".as_slice(), b"\x7f", b"\xc3\xa9", b"|"] {
        let filter = [b"(require-any (literal \"/a\") (x", byte, b"y))"].concat();
        let parsed = parse(&[b"(version 1)(allow file* ", &filter[..], b")"].concat());
        let again = parse(parsed.profile().to_string().as_bytes());
        assert_eq!(again.profile(), parsed.profile());
    }
}

#[test]
fn a_byte_that_cannot_be_printed_makes_no_symbol() {
    let parsed = parse(b"(version 1)(allow file*\x7f)");
    assert_eq!(parsed.profile().rules(), []);
    assert_eq!(
        parse(parsed.profile().to_string().as_bytes()).profile(),
        parsed.profile()
    );
}

#[test]
fn a_flood_of_remarks_is_cut_and_its_worst_is_kept() {
    let text = format!("(version 1){}(allow)", "(x)".repeat(5000));
    let parsed = parse(text.as_bytes());
    assert_eq!(parsed.diagnostics().len(), 1001);
    assert_eq!(parsed.diagnostics()[1000].kind(), &DiagnosticKind::TooMany);
    assert_eq!(parsed.worst(), Some(Severity::Error));
}

#[test]
fn values_go_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<sbpl::Parsed>();
    check::<sbpl::Judge>();
    check::<sbpl::Request>();
}
