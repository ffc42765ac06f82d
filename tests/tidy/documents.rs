//! What documents, lock files and scripts must hold to.

/// Parts of names that mean something on one machine only: a checkout's or a user's folder, a
/// registry's mirror, an address in a local network. Each in two halves, so that this file has none.
const OF_ONE_MACHINE: &[(&str, &str)] = &[
    ("/wor", "k/"),
    ("/roo", "t/"),
    ("/var/ca", "che/"),
    ("/tmp/tar", "get"),
    (".cargo/regis", "try/src"),
    ("index.crates", ".io"),
    ("static.crates", ".io"),
    ("spa", "rse+"),
    ("://local", "host"),
    ("://12", "7."),
    ("://1", "0."),
    ("://192", ".168."),
];

const PUBLIC_REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

/// Lines that name what only one machine has.
pub(crate) fn machine_names(text: &str) -> Vec<String> {
    let is_wrong = |line: &str| {
        OF_ONE_MACHINE
            .iter()
            .map(|(one, other)| [*one, *other].concat())
            .any(|name| begins_a_name(line, &name))
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| is_wrong(line))
        .map(|(at, line)| format!("{}: `{line}`", at + 1))
        .collect()
}

/// Whether `part` occurs in the line, and not, when it is an absolute path, within a longer one.
fn begins_a_name(line: &str, part: &str) -> bool {
    line.match_indices(part).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !part.starts_with('/')
            || !before.is_some_and(|c| c.is_alphanumeric() || "}~.-_*".contains(c))
    })
}

/// Sources of locked packages that are not the public registry.
pub(crate) fn foreign_sources(lock: &str) -> Vec<String> {
    lock.lines()
        .filter_map(|line| line.strip_prefix("source = "))
        .filter(|source| *source != PUBLIC_REGISTRY)
        .map(str::to_owned)
        .collect()
}

/// The tests that a document names as `` `path.rs::test` ``.
pub(crate) fn tests_named(document: &str) -> Vec<(String, String)> {
    document
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.split_once(".rs::"))
        .map(|(path, name)| (format!("{path}.rs"), name.to_owned()))
        .collect()
}

/// Whether the file has that function, marked as a test.
pub(crate) fn has_test(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        if is_test && line.starts_with(&head) {
            return true;
        }
        is_test = line == "#[test]" || (is_test && line.starts_with("#["));
    }
    false
}

/// The commands in the README's shell blocks that run tests.
pub(crate) fn test_commands(readme: &str) -> Vec<String> {
    let mut in_shell = false;
    let mut commands = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            in_shell = line == "```sh";
        } else if in_shell && (line.starts_with("cargo test") || line.starts_with("cargo nextest"))
        {
            commands.push(line.to_owned());
        }
    }
    commands
}

/// Whether the script runs the command as it stands.
pub(crate) fn runs(script: &str, command: &str) -> bool {
    script.lines().map(str::trim).any(|line| {
        line.strip_suffix(command)
            .is_some_and(|before| before.is_empty() || before.ends_with(' '))
            && !line.starts_with('#')
    })
}

#[test]
fn a_name_of_one_machine_is_found() {
    for (one, other) in OF_ONE_MACHINE {
        let name = [*one, *other].concat();
        assert_eq!(
            machine_names(&format!("see\n`{name}x`\n")).len(),
            1,
            "{name}"
        );
    }
    let name = ["/wor", "k/"].concat();
    for good in ["/home/me/src", "https://www.rust-lang.org"] {
        assert_eq!(machine_names(good).len(), 0, "{good}");
    }
    assert_eq!(
        machine_names(&format!("/Users/me{name}main.rs")).len(),
        0,
        "a longer path"
    );
}

#[test]
fn a_locked_package_from_elsewhere_is_found() {
    let lock = format!("[[package]]\nsource = {PUBLIC_REGISTRY}\nsource = \"git+ssh://x\"\n");
    assert_eq!(foreign_sources(&lock), ["\"git+ssh://x\""]);
}

#[test]
fn a_named_test_that_is_not_there_is_found() {
    let document = "kept by `a/b.rs::holds`, and\n`c.rs` is\n`d.rs::too`";
    let pair = |path: &str, name: &str| (path.to_owned(), name.to_owned());
    assert_eq!(
        tests_named(document),
        [pair("a/b.rs", "holds"), pair("d.rs", "too")]
    );
    assert!(has_test("#[test]\n#[cfg(unix)]\nfn holds() {}\n", "holds"));
    for bad in [
        "",
        "fn holds() {}\n",
        "#[test]\nfn holds_not() {}\n",
        "// #[test]\n// fn holds()",
    ] {
        assert!(!has_test(bad, "holds"), "{bad}");
    }
}

#[test]
fn a_test_command_that_is_not_run_is_found() {
    let readme =
        "cargo test --nothing\n```sh\ncargo test\ncargo run\n```\n```text\ncargo test x\n```";
    assert_eq!(test_commands(readme), ["cargo test"]);
    assert!(runs("set -e\n  step \"tests\" cargo test\n", "cargo test"));
    for bad in ["# cargo test", "cargo test --lib", "xcargo test"] {
        assert!(!runs(bad, "cargo test"), "{bad}");
    }
}
