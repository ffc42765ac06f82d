//! What is kept as it stands has done nothing, and means the same when it is read again.

use sbpl::{Profile, parse};

/// The profile, which has to be the same when it is printed and read with no parameters.
#[track_caller]
fn kept(text: &str) -> Profile {
    let parser = sbpl::Parser::new().parameter("K", "/k");
    let profile = parser.parse(text.as_bytes()).into_profile();
    let printed = profile.to_string();
    let again = parse(printed.as_bytes()).into_profile();
    assert_eq!(again, profile, "{text}\n{printed}");
    profile
}

/// The flat rules of such a profile, and the forms that it keeps.
#[track_caller]
fn check(text: &str, rules: &[&str], forms: &[&str]) {
    let profile = kept(text);
    let shown: Vec<String> = profile.rules().iter().map(ToString::to_string).collect();
    assert_eq!(shown, rules, "{text}");
    let raw = |form: &sbpl::span::Located<sbpl::syntax::Raw>| form.as_str().to_owned();
    let shown: Vec<String> = profile.unevaluated().iter().map(raw).collect();
    assert_eq!(shown, forms, "{text}");
}

/// Found by fuzzing: a version that was kept as a filter, or in a form, counted all the same.
#[test]
fn a_version_in_what_is_kept_does_not_count() {
    assert_eq!(kept("(version 3) (deny signal)").version(), 3);
    for text in [
        "(version 3) (deny signal (version 1))",
        "(version 3) (begin (version 1) oops)",
        "(version 3) (allow signal (version 0) oops (version 1)",
        "(version 3) (deny signal (with message (begin (version 1) 2)))",
        "(version 3) (deny file (version 1)) (allow signal (begin (version 0) oops) .)",
    ] {
        assert_eq!(kept(text).version(), 3, "{text}");
    }
}

#[test]
fn a_rule_in_a_modifier_that_is_kept_is_none() {
    check(
        r#"(version 1) (deny signal (with message (begin (allow file*) "a")))"#,
        &["(allow file*)", r#"(deny signal (with message "a"))"#],
        &[],
    );
    check(
        "(version 1) (deny signal (with message (begin (allow file*) 2)))",
        &["(deny signal (with message (begin (allow file*) 2)))"],
        &[],
    );
}

/// Kept by itself the filter would be a valid one.
#[test]
fn a_filter_that_fails_by_a_definition_takes_the_form_with_it() {
    check(
        "(version 1) (allow signal (target (quote 3)))",
        &["(allow signal (target (quote 3)))"],
        &[],
    );
    check(
        "(version 1) (define pgrp 3) (allow signal (target pgrp))",
        &[],
        &["(allow signal (target pgrp))"],
    );
    check(
        r#"(version 1) (define literal 3) (allow file* (literal "/a"))"#,
        &[],
        &[r#"(allow file* (literal "/a"))"#],
    );
}

#[test]
fn a_filter_that_fails_by_a_parameter_takes_the_form_with_it() {
    check(
        r#"(version 1) (allow file* (if (param "none") (literal "/a") oops))"#,
        &[r#"(allow file* (if (param "none") (literal "/a") oops))"#],
        &[],
    );
    check(
        r#"(version 1) (allow file* (if (param "K") oops (literal "/a")))"#,
        &[],
        &[r#"(allow file* (if (param "K") oops (literal "/a")))"#],
    );
}

#[test]
fn a_filter_that_defines_and_fails_takes_the_form_with_it() {
    check(
        "(version 1) (deny file* (begin (define pgrp 3) oops)) (allow signal (target pgrp))",
        &[],
        &[
            "(deny file* (begin (define pgrp 3) oops))",
            "(allow signal (target pgrp))",
        ],
    );
}

#[test]
fn a_modifier_that_needs_a_definition_or_a_parameter_takes_the_form_with_it() {
    check(
        r#"(version 1) (deny signal (with message "a" loud))"#,
        &[r#"(deny signal (with message "a" loud))"#],
        &[],
    );
    check(
        r#"(version 1) (define (f) "a") (deny signal (with message (f) loud))"#,
        &[],
        &["(deny signal (with message (f) loud))"],
    );
    check(
        r#"(version 1) (deny signal (with message (if (param "K") 3 "a")))"#,
        &[],
        &[r#"(deny signal (with message (if (param "K") 3 "a")))"#],
    );
}

/// An empty list is supplied behind the mark, and with it the filter would be a valid one.
#[test]
fn a_filter_with_a_mark_before_nothing_takes_the_form_with_it() {
    check(
        r#"(version 1) (allow file* (begin (list ') (literal "/a")))"#,
        &[],
        &[r#"(allow file* (begin (list '()) (literal "/a")))"#],
    );
}
