//! What the Scheme of a profile comes to: the flat rules, by hand, and the errors.

use sbpl::diagnostic::{DiagnosticKind, Severity};
use sbpl::{Parsed, Parser, parse};

/// The flat rules of a text that has nothing wrong with it, one on a line.
#[track_caller]
fn check(text: &str, rules: &[&str]) {
    let parsed = parser().parse(format!("(version 1)\n{text}").as_bytes());
    assert_eq!(remarks(&parsed), [""; 0], "{text}");
    assert_eq!(flat(&parsed), rules, "{text}");
    assert_eq!(parsed.profile().unevaluated().len(), 0, "{text}");
}

/// The remarks on a text of which nothing is left to be judged.
#[track_caller]
fn fails(text: &str, remark: &str) {
    let parsed = parser().parse(format!("(version 1)\n{text}").as_bytes());
    assert_eq!(remarks(&parsed), [remark], "{text}");
    assert_eq!(parsed.worst(), Some(Severity::Error), "{text}");
    assert_eq!(flat(&parsed), [""; 0], "{text}");
    assert_eq!(parsed.profile().unevaluated().len(), 1, "{text}");
}

fn parser() -> Parser {
    Parser::new()
        .parameter("HOME", "/Users/me")
        .parameter("ON", "TRUE")
}

fn flat(parsed: &Parsed) -> Vec<String> {
    parsed
        .profile()
        .rules()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn remarks(parsed: &Parsed) -> Vec<String> {
    parsed
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn values_and_functions_are_defined() {
    check(
        r#"(define home (param "HOME"))
           (define (home-subpath rest) (subpath (string-append home rest)))
           (allow file-read* (home-subpath "/Library") (literal home))"#,
        &[r#"(allow file-read* (subpath "/Users/me/Library") (literal "/Users/me"))"#],
    );
    check(
        r#"(define places (require-any (subpath "/a") (subpath "/b")))
           (define (read-write where) (allow file-read* where) (allow file-write* where))
           (read-write places)"#,
        &[
            r#"(allow file-read* (require-any (subpath "/a") (subpath "/b")))"#,
            r#"(allow file-write* (require-any (subpath "/a") (subpath "/b")))"#,
        ],
    );
    check(
        r#"(define (many action . paths) (for-each (lambda (p) (action file-read* (literal p))) paths))
           (many allow "/a" "/b") (many deny)"#,
        &[
            r#"(allow file-read* (literal "/a"))"#,
            r#"(allow file-read* (literal "/b"))"#,
        ],
    );
    check(
        "(define x file-read*) (define (f) (define y x) (allow y)) (f) (set! x signal) (f)",
        &["(allow file-read*)", "(allow signal)"],
    );
}

#[test]
fn names_are_bound_in_their_scope() {
    check(
        r#"(define p "/global")
           (let ((p "/a") (q p)) (allow file-read* (literal p q)))
           (let* ((p "/a") (q (string-append p "/b"))) (allow file-read* (literal q)))
           (letrec ((f (lambda (l) (if (null? l) 0 (+ 1 (f (cdr l)))))))
             (if (= (f '(1 2 3)) 3) (allow signal)))
           (let loop ((n 2)) (when (> n 0) (allow process-fork) (loop (- n 1))))
           (allow file-read* (literal p))"#,
        &[
            r#"(allow file-read* (literal "/a") (literal "/global"))"#,
            r#"(allow file-read* (literal "/a/b"))"#,
            "(allow signal)",
            "(allow process-fork)",
            "(allow process-fork)",
            r#"(allow file-read* (literal "/global"))"#,
        ],
    );
    check(
        r#"(let ((literal "/a")) (allow file-read* (subpath literal)))"#,
        &[r#"(allow file-read* (subpath "/a"))"#],
    );
}

#[test]
fn conditions_choose() {
    check(
        r#"(define (on? name) (and (param name) (string=? (param name) "TRUE")))
           (if (on? "ON") (allow signal) (allow process-fork))
           (if (on? "OFF") (allow network*))
           (when (on? "ON") (allow pseudo-tty) (allow lsopen))
           (unless (on? "OFF") (allow job-creation))
           (cond ((on? "OFF") (deny signal)) ((or #f (not #t)) (deny signal)) (else (allow hid-control)))
           (case 'b ((a) (deny signal)) ((b c) (allow sysctl-read)))
           (if (not (param "OFF")) (begin (allow ipc-sysv*) (allow mach-lookup)))"#,
        &[
            "(allow signal)",
            "(allow pseudo-tty)",
            "(allow lsopen)",
            "(allow job-creation)",
            "(allow hid-control)",
            "(allow sysctl-read)",
            "(allow ipc-sysv*)",
            "(allow mach-lookup)",
        ],
    );
    check(
        r#"(if (defined? 'syscall-unix) (deny syscall-unix)) (if (defined? 'subpath) (allow signal))
           (define mine 1) (if (defined? 'mine) (allow process-fork))"#,
        &[
            "(deny syscall-unix)",
            "(allow signal)",
            "(allow process-fork)",
        ],
    );
}

#[test]
fn what_a_system_may_define_is_said() {
    let parsed = parse(b"(version 1)(if (defined? 'flux-capacitor) (allow flux-capacitor))");
    assert_eq!(
        remarks(&parsed),
        ["whether `flux-capacitor` is defined depends on the system; taken as not"]
    );
    assert_eq!(parsed.worst(), Some(Severity::Warning));
    assert_eq!(flat(&parsed), [""; 0]);
}

#[test]
fn lists_are_walked_and_quasi_quoted() {
    check(
        r#"(allow file-read* (apply require-any (map literal '("/a" "/b"))))
           (define extra '("/x" "/y"))
           (for-each (lambda (p) (allow file-write* (subpath p))) `("/w" ,(param "HOME") ,@extra))
           (for-each (lambda (op) (deny op)) (list network* signal))
           (apply allow `(mach-lookup process-fork ,(global-name "a.b")))
           (for-each (lambda (p m) (allow p m)) '(file-read*) (list (literal "/z")))"#,
        &[
            r#"(allow file-read* (require-any (literal "/a") (literal "/b")))"#,
            r#"(allow file-write* (subpath "/w"))"#,
            r#"(allow file-write* (subpath "/Users/me"))"#,
            r#"(allow file-write* (subpath "/x"))"#,
            r#"(allow file-write* (subpath "/y"))"#,
            "(deny network*)",
            "(deny signal)",
            r#"(allow mach-lookup process-fork (global-name "a.b"))"#,
            r#"(allow file-read* (literal "/z"))"#,
        ],
    );
    check(
        r#"(define l (append (list 1 2) (cons 3 '()) (reverse '(5 4))))
           (if (and (= (length l) 5) (= (car l) 1) (= (cadr l) 2) (equal? (cddr l) '(3 4 5))
                    (member 4 l) (not (member 9 l)) (equal? (cadr (assoc 'b '((a 1) (b 2)))) 2)
                    (string=? (substring "abcd" 1 3) "bc") (= (string-length "abc") 3))
               (allow signal))"#,
        &["(allow signal)"],
    );
}

#[test]
fn a_filter_around_rules_narrows_each() {
    check(
        r#"(with-filter (require-not (vnode-type SYMLINK))
             (allow file-read* (subpath "/a") (subpath "/b"))
             (with-filter (extension "x") (allow file-write*)))
           (allow file-read-data)"#,
        &[
            r#"(allow file-read* (require-all (require-not (vnode-type SYMLINK)) (require-any (subpath "/a") (subpath "/b"))))"#,
            r#"(allow file-write* (require-all (require-not (vnode-type SYMLINK)) (extension "x")))"#,
            "(allow file-read-data)",
        ],
    );
}

/// Found by fuzzing: the filter outlived a failure within it.
#[test]
fn a_filter_around_rules_ends_where_they_fail() {
    let parsed =
        parse(b"(version 1)(deny file* (with-filter (literal \"/a\") oops)) (allow signal)");
    assert_eq!(
        flat(&parsed),
        [
            "(deny file* (with-filter (literal \"/a\") oops))",
            "(allow signal)"
        ]
    );
}

#[test]
fn other_spellings_and_entitlements() {
    check(
        r#"(allow process-exec ipc-posix-sem iokit-open* (path "/a"))
           (allow mach-lookup (require-entitlement "e" (entitlement-value #t)))
           (allow mach-lookup (require-entitlement "e" (entitlement-value-regex #"^x")))
           (allow signal (target pgrp) (signal-number SIGTERM))
           (allow process-info-pidinfo (process-attribute is-platform-binary))
           (allow mach-lookup (signing-identifier "com.example.a"))"#,
        &[
            r#"(allow process-exec* ipc-posix-sem* iokit-open (literal "/a"))"#,
            r#"(allow mach-lookup (require-entitlement "e" (entitlement-value #t)))"#,
            r##"(allow mach-lookup (require-entitlement "e" (entitlement-value-regex #"^x")))"##,
            "(allow signal (target pgrp) (signal-number SIGTERM))",
            "(allow process-info-pidinfo (process-attribute is-platform-binary))",
            r#"(allow mach-lookup (signing-identifier "com.example.a"))"#,
        ],
    );
}

#[test]
fn imports_are_loaded_where_they_stand() {
    let parser = Parser::new().loader(|name| match name {
        b"base.sb" => {
            Ok(b"(version 3)\n(define (home p) (subpath p))\n  (allow process-fork)".to_vec())
        }
        b"bad.sb" => Ok(b"(allow signal) (oops)".to_vec()),
        b"loop.sb" => Ok(b"(import \"loop.sb\")".to_vec()),
        _ => Err(std::io::Error::other("no such profile")),
    });
    let parsed = parser.parse(b"(version 1)(import \"base.sb\")(allow file* (home \"/a\"))(import (string-append \"base\" \".sb\"))");
    assert_eq!(remarks(&parsed), [""; 0]);
    assert_eq!(parsed.profile().version(), 1);
    assert_eq!(
        flat(&parsed),
        [
            "(allow process-fork)",
            "(allow file* (subpath \"/a\"))",
            "(allow process-fork)"
        ]
    );
    let origin = parsed.profile().rules()[0].origin().unwrap();
    assert_eq!((origin.text, origin.span.start), (1, 44));
    assert_eq!(parsed.rule_position(0).unwrap().line, 3);
    assert_eq!(parsed.rule_text(0).unwrap().name(), b"base.sb");
    assert_eq!(parsed.rule_text(1).unwrap().name(), b"");
    assert_eq!(parsed.texts().count(), 2);

    let parsed = parser.parse(b"(version 1)(import \"bad.sb\")");
    assert_eq!(flat(&parsed), [""; 0]);
    assert_eq!(parsed.profile().unevaluated().len(), 1);
    assert_eq!(
        parsed.render(&parsed.diagnostics()[0], "main.sb"),
        "error: `oops` is not defined\n --> bad.sb:1:17\n  |\n1 | (allow signal) (oops)\n  |                 ^^^^\n"
    );

    for (name, remark) in [
        ("none.sb", "`none.sb` cannot be imported: no such profile"),
        (
            "loop.sb",
            "more than 64 filters, or too many calls, stand within one another",
        ),
    ] {
        let parsed = parser.parse(format!("(version 1)(import \"{name}\")").as_bytes());
        assert_eq!(remarks(&parsed), [remark]);
        assert_eq!(parsed.profile().unevaluated().len(), 1);
    }
}

#[test]
fn errors_are_those_of_the_compiler() {
    let cases = [
        ("(oops)", "`oops` is not defined"),
        ("(begin (allow signal) (oops))", "`oops` is not defined"),
        (
            "(let ((x 1)) (allow file* (literal x)))",
            "`literal` takes strings, at least one",
        ),
        ("(if)", "`if` lacks a part"),
        (
            "(let ((f (lambda (x) x))) (f))",
            "the function takes 1 arguments, and there are 0",
        ),
        ("(\"f\")", "what is called here is no function"),
        ("(car '())", "a longer list is needed here"),
        ("(string-append \"a\" 1)", "a string is needed here"),
        (
            "(string-append (param \"NO\") \"/a\")",
            "the parameter `NO` is not defined",
        ),
        (
            "(error \"old system\")",
            "the profile raises an error: old system",
        ),
        ("()", "there is nothing to call"),
        (",x", "a quotation mark has no meaning here"),
        ("(let ((x \"a\")) (allow x))", "no operation can stand here"),
        ("(allow (literal \"/a\"))", "the rule names no operation"),
    ];
    for (text, remark) in cases {
        fails(text, remark);
    }
}

#[test]
fn filters_that_do_not_compile_are_kept_and_said() {
    let cases = [
        ("(require-any)", "`require-any` takes filters, at least one"),
        (
            "(require-not (literal \"/a\") (literal \"/b\"))",
            "`require-not` takes one filter",
        ),
        (
            "(subpath (param \"NO\"))",
            "the parameter `NO` is not defined",
        ),
        (
            "(remote ip \"1.1.1.1:80\")",
            "the host must be `*` or `localhost`, and the port a number or `*`",
        ),
        (
            "(file-mode x)",
            "`file-mode` takes permission bits, such as `#o0004`",
        ),
        ("(subpath oops)", "`subpath` takes strings, at least one"),
        ("oops", "`oops` is no operation that is known"),
    ];
    for (filter, remark) in cases {
        let parsed = parse(format!("(version 1)(allow network* {filter})").as_bytes());
        assert_eq!(remarks(&parsed), [remark], "{filter}");
        assert_eq!(parsed.profile().rules().len(), 1);
        assert_eq!(
            parse(parsed.profile().to_string().as_bytes()).profile(),
            parsed.profile()
        );
    }
}

#[test]
fn what_failed_does_not_come_to_life_when_it_is_printed() {
    let text = b"(version 1)(deny default)(define literal 5)(allow file* (literal \"/a\"))";
    let parsed = parse(text);
    assert_eq!(flat(&parsed), ["(deny default)"]);
    let again = parse(parsed.profile().to_string().as_bytes());
    assert_eq!(again.profile(), parsed.profile());
    assert_eq!(flat(&again), ["(deny default)"]);
}

#[test]
fn an_evaluation_without_end_ends() {
    for text in [
        "(define (f) (f)) (f)",
        "(define (f s) (f (string-append s s))) (f \"abcdefgh\")",
        "(define (f l) (f (append l l))) (f '(1 2 3 4))",
        "(define (f l) (f (cons 1 l))) (f '())",
        "(define (f) (for-each (lambda (x) (f) (f)) '(1 2 3)) (f)) (f)",
    ] {
        let parsed = parse(format!("(version 1){text}").as_bytes());
        assert_eq!(parsed.profile().unevaluated().len(), 1, "{text}");
        let kinds: Vec<_> = parsed
            .diagnostics()
            .iter()
            .map(|d| d.kind().clone())
            .collect();
        assert!(
            kinds == [DiagnosticKind::OutOfFuel] || kinds == [DiagnosticKind::TooDeep],
            "{text} {kinds:?}"
        );
    }
    // Doubling a filter until it has more parts than memory.
    let mut text = String::from("(version 1)(define f0 (literal \"/a\"))");
    for n in 0..60 {
        text += &format!("(define f{} (require-any f{n} f{n}))", n + 1);
    }
    assert_eq!(
        parse(text.as_bytes()).diagnostics()[0].kind(),
        &DiagnosticKind::OutOfFuel
    );
    // Mentioning a long string again and again.
    let text = format!(
        "(version 1)(define s \"{}\"){}",
        "a".repeat(1 << 20),
        "(allow file* (literal s))".repeat(10_000)
    );
    let parsed = parse(text.as_bytes());
    assert!(parsed.profile().rules().len() < 100);
    let mut kinds = parsed.diagnostics().iter().map(|d| d.kind());
    assert!(kinds.any(|kind| *kind == DiagnosticKind::OutOfFuel));
    let parsed = Parser::new()
        .fuel(10)
        .parse(b"(version 1)(for-each (lambda (x) x) '(1 2 3 4 5))");
    assert_eq!(parsed.diagnostics()[0].kind(), &DiagnosticKind::OutOfFuel);
}

/// In a thread with less stack than any other has.
#[test]
fn depth_does_not_end_the_stack() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!(
            "(version 1){}{inner}{}",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    let texts = vec![
        deep("(list ", "1", ")"),
        deep("(let ((x ", "1", ")) x)"),
        deep("(if ", "#t", " 1 2)"),
        deep("(begin ", "1", ")"),
        deep("(lambda () ", "1", ")"),
        deep("'(", "1", ")"),
        deep("`(,(list ", "1", "))"),
        deep("(allow file* (require-all ", "(literal \"/a\")", "))"),
        deep("(with-filter (literal \"/a\") ", "(allow file*)", ")"),
        deep("(allow ", "signal", ")"),
        deep("(remote ip ", "1", ")"),
        "(version 1)(define (f x) (+ 1 (f x))) (f 1)".into(),
        "(version 1)(define (f x) (map f (list x))) (f 1)".into(),
        "(version 1)(define (f x) (apply f (list (f x)))) (f 1)".into(),
        "(version 1)(define (f x) (let* ((y (f x))) (cond ((f y) 1)))) (f 1)".into(),
        "(version 1)(define (f x) (require-any (f x))) (f 1)".into(),
        "(version 1)(define (f x) (f (list x))) (f 1)".into(),
    ];
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let parsed = small.spawn(move || texts.iter().for_each(|text| drop(parse(text.as_bytes()))));
    parsed.unwrap().join().unwrap();
}

#[test]
fn tail_calls_take_no_depth() {
    check(
        "(define (loop n) (cond ((= n 0) (allow signal)) (else (loop (- n 1))))) (loop 20000)",
        &["(allow signal)"],
    );
}
