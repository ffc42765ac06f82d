//! What `objcap judge`, `objcap lint` and `objcap fmt` print and return.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod folder;

use std::fs;

use folder::Folder;

const PROFILE: &str = "\
(version 1)
(deny default)
(import \"base.sb\")
(define (work p) (subpath (string-append (param \"WORK\") p)))
(allow file-read* (work \"/src\"))
(deny file-read* (literal \"/w/src/.env\"))
(allow file-read-data (literal \"/w/src/.env.example\"))
(allow network-outbound (remote tcp \"localhost:80\"))
(allow network-outbound (literal \"/private/var/run/s\"))
(allow mach-lookup (global-name \"com.example.a\"))
(allow file-write* (require-all (work \"/out\") (vnode-type REGULAR-FILE)))
(deny file-read-data (file-mode #o0004))
";

fn folder() -> Folder {
    let folder = Folder::new(&[("p.sb", PROFILE)]);
    fs::create_dir(folder.path().join("lib")).unwrap();
    folder.write("lib/base.sb", "(allow process-fork)\n");
    folder
}

fn judge(folder: &Folder, args: &[&str]) -> (i32, String) {
    let fixed = ["judge", "p.sb", "-D", "WORK=/w", "--import-dir", "lib"];
    let (code, out, err) = folder.run(&[&fixed, args].concat());
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn a_decision_comes_with_its_rule_and_place() {
    let folder = folder();
    assert_eq!(
        judge(&folder, &["file-read-metadata", "/w/src/a.rs"]),
        (0, "allow file-read-metadata `/w/src/a.rs`: the rule decides: p.sb:5:1: (allow file-read* (subpath \"/w/src\"))\n".into())
    );
    assert_eq!(
        judge(&folder, &["file-read-metadata", "/etc/passwd"]),
        (
            1,
            "deny file-read-metadata `/etc/passwd`: the rule decides: p.sb:2:1: (deny default)\n"
                .into()
        )
    );
    let (code, out) = judge(&folder, &["process-fork"]);
    assert_eq!((code, out.contains(": base.sb:1:1: ")), (0, true), "{out}");
    assert_eq!(
        judge(&folder, &["file-link", "/x"]),
        (
            0,
            "allow file-link `/x`: the operation starts allowed, and no rule speaks for it\n"
                .into()
        )
    );
}

#[test]
fn a_request_states_what_the_flags_say() {
    let folder = folder();
    let code = |args: &[&str]| judge(&folder, args).0;
    assert_eq!(
        code(&["network-outbound", "--remote", "tcp:127.0.0.1:80"]),
        0
    );
    assert_eq!(
        code(&["network-outbound", "--remote", "tcp:localhost:81"]),
        1
    );
    assert_eq!(code(&["network-outbound", "/private/var/run/s"]), 0);
    assert_eq!(code(&["network-outbound", "/private/var/run/t"]), 1);
    assert_eq!(code(&["mach-lookup", "com.example.a"]), 0);
    assert_eq!(code(&["mach-lookup", "com.example.b"]), 1);
    assert_eq!(code(&["file-write-data", "/w/out/a", "--kind", "file"]), 0);
    assert_eq!(
        code(&["file-write-data", "/w/out/a", "--kind", "symlink"]),
        1
    );
    assert_eq!(
        code(&["file-write-data", "/w/out/a"]),
        3,
        "the kind is not stated"
    );
    assert_eq!(code(&["file-read-data", "/w/src/a", "--mode", "0640"]), 0);
    assert_eq!(code(&["file-read-data", "/w/src/a", "--mode", "0644"]), 1);
    let linked = ["file-read-data", "/w/src/a", "--mode", "0640", "--link"];
    assert_eq!(code(&[&linked[..], &["/w/src/l"]].concat()), 0);
    assert_eq!(
        code(&[&linked[..], &["/tmp"]].concat()),
        1,
        "the link may not be read"
    );
}

#[test]
fn readings_differ_or_are_asked_by_themselves() {
    let folder = folder();
    folder.write("d.sb", "(version 1)(deny default)\n(allow file-read-data (subpath \"/w\"))\n(deny file-read* (literal \"/w/.env\"))\n");
    let ask = |more: &[&str]| {
        folder.run(&[&["judge", "d.sb", "file-read-data", "/w/.env"], more].concat())
    };
    let (code, out, _) = ask(&[]);
    assert_eq!(code, 3);
    assert_eq!(
        out,
        "flat: deny file-read-data `/w/.env`: the rule decides: d.sb:3:1: (deny file-read* (literal \"/w/.env\"))\n\
         specific: allow file-read-data `/w/.env`: the rule decides: d.sb:2:1: (allow file-read-data (subpath \"/w\"))\n\
         filtered-first: allow file-read-data `/w/.env`: the rule decides: d.sb:2:1: (allow file-read-data (subpath \"/w\"))\n\
         the readings differ\n"
    );
    assert_eq!(ask(&["--reading", "flat"]).0, 1);
    assert_eq!(ask(&["--reading", "specific"]).0, 0);
    let (code, out, _) = ask(&["--json", "--reading", "filtered-first"]);
    assert_eq!(code, 0);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["decision"], "allow");
    assert_eq!(answer["settled"], true);
    assert_eq!(answer["verdicts"][0]["reading"], "filtered-first");
    assert_eq!(answer["verdicts"][0]["line"], 2);
    assert_eq!(answer["verdicts"][0]["file"], "d.sb");
}

#[test]
fn bad_input_is_told() {
    let folder = folder();
    let fails = |args: &[&str], message: &str| {
        let (code, out, err) = folder.run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(message), "{args:?} {err}");
    };
    fails(
        &["judge", "p.sb", "signal"],
        "the parameter `WORK` is not defined",
    );
    fails(
        &["judge", "p.sb", "signal", "-D", "WORK=/w"],
        "`import` is kept but not evaluated",
    );
    fails(&["judge", "none.sb", "signal"], "cannot read `none.sb`");
    fails(
        &["judge", "p.sb", "file-reed-data"],
        "no operation that is known",
    );
    fails(
        &["judge", "p.sb", "file-read-data", "a"],
        "no path that begins with `/`",
    );
    fails(
        &["judge", "p.sb", "signal", "x"],
        "`signal` is not about a name",
    );
    fails(
        &[
            "judge",
            "p.sb",
            "network-outbound",
            "--remote",
            "tcp:example.com:80",
        ],
        "tcp:HOST:PORT",
    );
    folder.write("up.sb", "(version 1)(import \"../p.sb\")");
    fails(
        &["lint", "up.sb", "--import-dir", "lib"],
        "no profile of the folder for imports",
    );
    folder.write("open.sb", "(version 1)\n (deny");
    fails(&["fmt", "open.sb"], "open.sb:2:2: nothing closes this `(`");
}

#[test]
fn lint_finds_and_fmt_lays_out() {
    let folder = folder();
    folder.write("l.sb", "(version 1)(allow default)(allow signal)");
    assert_eq!(
        folder.run(&["lint", "l.sb"]),
        (0, String::new(), String::new())
    );
    folder.write(
        "l.sb",
        "(version 1)(allow default)\n(deny file-read* (subpath \"/tmp/a\")) ; no\n",
    );
    let (code, out, _) = folder.run(&["lint", "l.sb"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("finding: nothing is found under `/tmp`: the kernel presents `/private/tmp`\n --> l.sb:2:18\n"), "{out}");
    let (_, out, _) = folder.run(&["lint", "l.sb", "--json"]);
    let finding: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(finding["line"], 2);
    assert_eq!(
        folder.run(&["fmt", "l.sb"]),
        (
            0,
            "(version 1)\n(allow default)\n(deny file-read* (subpath \"/tmp/a\")) ; no\n".into(),
            String::new()
        )
    );
}
