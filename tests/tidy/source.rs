//! What Rust files must hold to. Lines are read, not parsed: comments and literals are cut away
//! line by line, which is as much as rustfmt's output needs.

const LONGEST: usize = 500;

/// Whether the file belongs to a platform's part of a crate.
pub(crate) fn is_sys(path: &str) -> bool {
    ["object/src/sys.rs", "sandbox/src/sys.rs"].contains(&path)
        || ["object/src/sys/", "sandbox/src/sys/"]
            .iter()
            .any(|folder| path.starts_with(folder))
}

pub(crate) fn opens_without_saying_what_it_is(text: &str) -> Vec<String> {
    // A crate's front page may be its README.
    let openings = ["//! ", "#![doc = include_str!(\"../README.md\")]"];
    if openings.iter().any(|opening| text.starts_with(opening)) {
        return Vec::new();
    }
    vec!["does not open with `//!`".to_owned()]
}

pub(crate) fn too_long(text: &str) -> Vec<String> {
    let lines = text.lines().count();
    if lines <= LONGEST {
        return Vec::new();
    }
    vec![format!("{lines} lines, more than {LONGEST}")]
}

/// Lines that use the keyword.
pub(crate) fn unsafe_code(text: &str) -> Vec<String> {
    found(text, |line| has_word(&code(line), "unsafe"))
}

/// Unsafe blocks and impls without a `SAFETY` comment just above.
pub(crate) fn unexplained_unsafe_code(text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().collect();
    let explained = |at: usize| {
        comments_above(&lines, at)
            .iter()
            .any(|line| line.trim_start().starts_with("// SAFETY: "))
    };
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = code(line);
        let opens = code.contains("unsafe {") || code.contains("unsafe impl");
        if opens && !explained(at) {
            wrong.push(format!(
                "{}: no `// SAFETY: ` above `{}`",
                at + 1,
                line.trim()
            ));
        }
    }
    wrong
}

/// Lines that ask for a platform.
pub(crate) fn platforms_named(text: &str) -> Vec<String> {
    found(text, |line| {
        let code = code(line);
        ["target_os", "target_vendor"]
            .iter()
            .any(|name| has_word(&code, name))
    })
}

/// Public enums that neither may grow nor say why they may not.
pub(crate) fn undecided_enums(text: &str) -> Vec<String> {
    let lines: Vec<_> = text.lines().collect();
    let decided = |at: usize| {
        let above = comments_above(&lines, at);
        above.iter().any(|line| {
            let line = line.trim_start();
            line == "#[non_exhaustive]" || line.starts_with("// Exhaustive: ")
        })
    };
    let mut wrong = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("pub enum ") && !decided(at) {
            wrong.push(format!("{}: `{}` is undecided", at + 1, line.trim()));
        }
    }
    wrong
}

/// The comments and attributes that stand directly above a line.
fn comments_above<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let belongs = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with("#[")
    };
    let above = lines.iter().take(at).rev().copied();
    above.take_while(belongs).collect()
}

fn found(text: &str, is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| is_wrong(line))
        .map(|(at, line)| format!("{}: `{}`", at + 1, line.trim()))
        .collect()
}

/// The line without its comment and without what stands in string literals.
fn code(line: &str) -> String {
    let mut code = String::new();
    let mut in_text = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_text => drop(chars.next()),
            '"' => in_text = !in_text,
            '/' if !in_text && chars.peek() == Some(&'/') => break,
            c if !in_text => code.push(c),
            _ => {}
        }
    }
    code
}

fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|part| part == word)
}

#[test]
fn a_file_without_an_opening_is_found() {
    assert_eq!(
        opens_without_saying_what_it_is("//! What it is.\n").len(),
        0
    );
    for bad in [
        "",
        "use std::fs;\n",
        "// Not for rustdoc.\n",
        "\n//! Late.\n",
    ] {
        assert_eq!(opens_without_saying_what_it_is(bad).len(), 1, "{bad:?}");
    }
}

#[test]
fn a_long_file_is_found() {
    assert_eq!(too_long(&"\n".repeat(LONGEST)).len(), 0);
    assert_eq!(too_long(&"\n".repeat(LONGEST + 1)).len(), 1);
}

#[test]
fn unsafe_code_is_found_but_not_talk_of_it() {
    for good in [
        "#![forbid(unsafe_code)]",
        "// unsafe { }",
        "let x = \"\\\"unsafe {\";",
    ] {
        assert_eq!(unsafe_code(good).len(), 0, "{good}");
    }
    for bad in [
        "unsafe { f() }",
        "let u = \"//\"; unsafe {",
        "pub unsafe fn f() {}",
    ] {
        assert_eq!(unsafe_code(bad).len(), 1, "{bad}");
    }
}

#[test]
fn an_unsafe_block_without_its_reason_is_found() {
    let good = "// SAFETY: it is open,\n// and stays so.\nlet n = unsafe { f() };\n";
    assert_eq!(unexplained_unsafe_code(good).len(), 0);
    for bad in [
        "let n = unsafe { f() };\n",
        "// It is safe.\nunsafe { f() };\n",
        "// SAFETY: of another line.\ng();\nunsafe { f() };\n",
        "unsafe impl Send for T {}\n",
    ] {
        assert_eq!(unexplained_unsafe_code(bad).len(), 1, "{bad}");
    }
}

#[test]
fn a_platform_outside_of_sys_is_found() {
    for bad in [
        "#[cfg(target_os = \"linux\")]",
        "    not(any(target_os = \"linux\", unix))",
        "if cfg!(target_vendor = \"apple\") {",
        "#![cfg(target_os = \"linux\")]",
    ] {
        assert_eq!(platforms_named(bad).len(), 1, "{bad}");
    }
    assert_eq!(
        platforms_named("// on some target_os\n#[cfg(unix)]\n").len(),
        0
    );
    assert!(is_sys("object/src/sys.rs") && is_sys("sandbox/src/sys/macos.rs"));
    assert!(!is_sys("object/src/system.rs") && !is_sys("cli/src/sys.rs"));
}

#[test]
fn an_undecided_enum_is_found() {
    for good in [
        "#[non_exhaustive]\npub enum E {}\n",
        "/// E.\n// Exhaustive: there are two.\n#[derive(Debug)]\npub enum E {}\n",
        "pub(crate) enum E {}\nenum F {}\n",
    ] {
        assert_eq!(undecided_enums(good).len(), 0, "{good}");
    }
    for bad in [
        "/// E.\n#[derive(Debug)]\npub enum E {}\n",
        "    pub enum E {}\n",
        "#[non_exhaustive]\npub struct S;\n\npub enum E {}\n",
    ] {
        assert_eq!(undecided_enums(bad).len(), 1, "{bad}");
    }
}
