//! The rules of this code base that no compiler keeps, each as a test over the whole tree. What a
//! rule looks for stands in `tests/tidy/`, beside a text that breaks it.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

#[path = "tidy/dependencies.rs"]
mod dependencies;
#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/tree.rs"]
mod tree;

use std::collections::BTreeSet;

/// Where else than in a `sys` a platform is named, and why.
const NAMES_A_PLATFORM: &[(&str, &str)] = &[
    (
        "cli/tests/run.rs",
        "that nothing confines a program is so on Linux",
    ),
    (
        "object/benches/walk.rs",
        "its peers make the calls of Linux",
    ),
    (
        "object/tests/mounted_over.rs",
        "mount namespaces are Linux's",
    ),
    (
        "object/tests/one_allocation.rs",
        "the count is of a walk on Linux",
    ),
    ("object/tests/storm.rs", "so is RENAME_EXCHANGE"),
    (
        "object/tests/few_descriptors.rs",
        "operations are there on Linux and macOS alone",
    ),
    (
        "object/tests/follows_nothing.rs",
        "strace is a program of Linux",
    ),
    (
        "object/tests/operations/main.rs",
        "operations are there on Linux and macOS alone",
    ),
    (
        "object/tests/operations/two_ends.rs",
        "Linux and macOS differ in one answer",
    ),
    ("object/tests/world.rs", "and so is a machine with users"),
    (
        "sandbox/tests/entering.rs",
        "that nothing confines a program is so on Linux",
    ),
    (
        "tests/support/src/lib.rs",
        "the oracle is the kernel of Linux",
    ),
    ("tests/support/src/scratch.rs", "macOS has no mknodat"),
    (
        "tests/hygiene.rs",
        "procfs tells how many descriptors are open",
    ),
    ("tests/limits.rs", "its limits are those of Linux"),
    (
        "tests/mac/record.rs",
        "its questions are for the kernel of a Mac",
    ),
    (
        "tests/mounts.rs",
        "procfs and its magic links are those of Linux",
    ),
    (
        "tests/permissions.rs",
        "its filters and guarded links are those of Linux",
    ),
    (
        "tests/spelling.rs",
        "its volumes are mounted through the FUSE of Linux",
    ),
    (
        "tests/walk_agrees_with_the_kernel.rs",
        "it asks the kernel of Linux",
    ),
];

/// The one test that needs unsafe code: an allocator is an unsafe trait's.
const COUNTS_ALLOCATIONS: &str = "object/tests/one_allocation.rs";

#[test]
fn dependencies_point_one_way() {
    let found = dependencies::table(&dependencies::metadata());
    assert_eq!(dependencies::differences(&found), [""; 0]);
}

#[test]
fn files_open_with_what_they_are() {
    complain(|_, text| source::opens_without_saying_what_it_is(text));
}

#[test]
fn files_are_short_enough_to_read() {
    complain(|_, text| source::too_long(text));
}

#[test]
fn unsafe_code_stands_in_sys_under_a_safety_comment() {
    complain(
        |path, text| match source::is_sys(path) || path == COUNTS_ALLOCATIONS {
            false => source::unsafe_code(text),
            true => source::unexplained_unsafe_code(text),
        },
    );
}

#[test]
fn platforms_are_told_apart_in_sys_alone() {
    let naming: BTreeSet<String> = tree::rust_files()
        .filter(|(path, _)| !source::is_sys(path))
        .filter(|(_, text)| !source::platforms_named(text).is_empty())
        .map(|(path, _)| path)
        .collect();
    let excepted = NAMES_A_PLATFORM.iter().map(|(path, _)| (*path).to_owned());
    assert_eq!(naming, excepted.collect());
}

#[test]
fn public_enums_say_whether_they_may_grow() {
    complain(|path, text| match path.starts_with("tests/") {
        true => Vec::new(),
        false => source::undecided_enums(text),
    });
}

#[test]
fn no_file_depends_on_one_machine() {
    let wrong: Vec<_> = tree::text_files()
        .flat_map(|(path, text)| located(&path, documents::machine_names(&text)))
        .collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn locked_dependencies_come_from_the_public_registry() {
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        assert_eq!(
            documents::foreign_sources(&tree::read(lock)),
            [""; 0],
            "{lock}"
        );
    }
}

#[test]
fn tests_named_by_documents_exist() {
    for document in ["docs/ARCHITECTURE.md", "docs/residuals.md", "docs/seed.md"] {
        let named = documents::tests_named(&tree::read(document));
        assert!(!named.is_empty(), "{document} names its tests");
        for (path, name) in named {
            let text = tree::read(&path);
            assert!(
                documents::has_test(&text, &name),
                "{document}: {path} has no test `{name}`"
            );
        }
    }
}

#[test]
fn every_fuzz_target_is_described_and_built() {
    let targets = tree::fuzz_targets();
    assert!(!targets.is_empty());
    let manifest = tree::read("fuzz/Cargo.toml");
    let document = tree::read("docs/fuzzing.md");
    for target in targets {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")),
            "{target}"
        );
        assert!(document.contains(&format!("| `{target}` |")), "{target}");
    }
}

#[test]
fn the_change_log_speaks_of_this_version() {
    let heading = format!("## [{}]", env!("CARGO_PKG_VERSION"));
    let log = tree::read("CHANGELOG.md");
    assert!(
        log.lines().any(|line| line.starts_with(&heading)),
        "{heading}"
    );
}

#[test]
fn continuous_integration_runs_what_the_readme_says() {
    let told = documents::test_commands(&tree::read("README.md"));
    assert_eq!(
        told.len(),
        1,
        "the README tells how to run the tests, once: {told:?}"
    );
    let script = tree::read(".ci/run");
    for command in told {
        assert!(
            documents::runs(&script, &command),
            ".ci/run does not run `{command}`"
        );
    }
}

/// Asks each Rust file, and shows all complaints together.
fn complain(about: impl Fn(&str, &str) -> Vec<String>) {
    let wrong: Vec<_> = tree::rust_files()
        .flat_map(|(path, text)| located(&path, about(&path, &text)))
        .collect();
    assert_eq!(wrong, [""; 0]);
}

fn located(path: &str, complaints: Vec<String>) -> Vec<String> {
    complaints
        .iter()
        .map(|complaint| format!("{path}: {complaint}"))
        .collect()
}
