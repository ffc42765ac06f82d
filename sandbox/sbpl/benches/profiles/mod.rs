//! Profiles of the size that renderers make, and what is asked of them.

#![allow(
    dead_code,
    reason = "each bench is a crate by itself and uses part of this"
)]

use std::fmt::Write as _;

use sbpl::{Operation, Request};

/// A profile of that many rules behind `(deny default)`: of fifty, thirty-nine about folders, four
/// about single files, two with patterns, one with a combination, two about services and two about
/// programs.
pub(crate) fn profile(rules: usize) -> String {
    let mut text = String::from("(version 1)\n(deny default)\n");
    for n in 0..rules - 1 {
        let project = format!("/Users/me/work/project-{}", n / 5);
        let written = match n % 50 {
            10 | 20 | 30 | 40 => {
                writeln!(
                    text,
                    r#"(deny file-read* (literal "{project}/.git/config"))"#
                )
            }
            15 | 35 => writeln!(
                text,
                r##"(deny file-read* (regex #"^{project}/(.*/)?\.env$"))"##
            ),
            25 => writeln!(
                text,
                r#"(allow file-write* (require-all (subpath "{project}") (require-not (subpath "{project}/vendor"))))"#
            ),
            6 | 26 => writeln!(
                text,
                r#"(allow mach-lookup (global-name "com.example.service-{n}"))"#
            ),
            7 | 27 => writeln!(
                text,
                r#"(allow process-exec* (literal "{project}/bin/tool-{n}"))"#
            ),
            n if n % 5 == 1 => writeln!(text, r#"(allow file-write* (subpath "{project}/build"))"#),
            n => writeln!(
                text,
                r#"(allow file-read* (subpath "{project}/source-{}"))"#,
                n % 5
            ),
        };
        assert!(written.is_ok(), "a string takes all that is written");
    }
    text
}

/// What requests are made of: some that a rule is about, some that meet none.
pub(crate) fn questions(rules: usize) -> Vec<(Operation, String)> {
    let operations = [
        Operation::FileReadData,
        Operation::FileReadMetadata,
        Operation::FileWriteCreate,
        Operation::FileReadData,
    ];
    let names = [
        "source-2/lib/main.rs",
        "source-3/a/b/c/deep.rs",
        "build/debug/deps/main.o",
        ".git/config",
        "lib/.env",
        "README.md",
    ];
    let pairs = operations.iter().cycle().zip(names.iter().cycle());
    pairs
        .zip(0..60)
        .map(|((operation, name), n)| {
            let project = n * 7919 % (rules / 5);
            let path = match n % 6 {
                5 => format!("/usr/lib/swift/lib-{n}.dylib"),
                _ => format!("/Users/me/work/project-{project}/{name}"),
            };
            (operation.clone(), path)
        })
        .collect()
}

/// A question as the judge takes it.
pub(crate) fn request((operation, path): &(Operation, String)) -> Request {
    Request::new(operation.clone()).path(path)
}
