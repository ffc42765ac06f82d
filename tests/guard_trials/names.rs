//! A rule that is dead, or speaks of another name: spellings, normal forms, letters that mean something to
//! whoever glues text together.

use objcap::capability::Act::{Create, Read, Write};
use objcap::capability::{ErrorKind, Grant, Guard, Stack};
use objcap::sandbox::{Decision, Profile, act_requests};
use objcap_support::trial::Tries as _;

use crate::{mac, trial};

/// srt#596, maka#4233, #4234, shadi#237, agent-sandbox.nix#82, codex#32395, bazel#13766, #8407, clash#277:
/// `/tmp` and `/var` are links, and a rule by either name was dead.
#[test]
fn a_root_alias_is_spelled_either_way() {
    for (write, exclude) in [
        ("/tmp/a", "/private/tmp/a/x"),
        ("/private/tmp/a", "/tmp/a/x"),
    ] {
        let host = mac(&["/private/tmp/a/f", "/private/tmp/a/x/key", "/private/tmp/b"]);
        let trial = trial(
            host,
            &format!("[fs]\nwrite = ['{write}']\nexclude = ['{exclude}']"),
        );
        trial.admits(&[(Write, &["/tmp/a/f"]), (Write, &["/private/tmp/a/f"])]);
        trial.refuses(&[
            (Read, &["/tmp/a/x/key"]),
            (Read, &["/private/tmp/a/x/key"]),
            (Read, &["/tmp/b"]),
        ]);
    }
    let host = mac(&["/private/var/folders/me/T/f"]);
    let trial = trial(host, "[fs]\nwrite = ['${TMPDIR}']");
    trial.admits(&[
        (Write, &["/var/folders/me/T/f"]),
        (Create, &["/private/var/folders/me/T/new"]),
    ]);
    trial.refuses(&[(Create, &["/var/folders/you"])]);
}

/// srt#79, bounty-challenge#7193, arapuca#49: `..` was folded in the text, so a link before it made the rule
/// one about another place. A relative clause is refused.
#[test]
fn dot_dot_after_a_link_is_where_the_link_leads() {
    let objects = ["/w/l -> /x/y", "/x/y/", "/x/f", "/w/f"];
    let trial = trial(mac(&objects), "[fs]\nread = ['/w/l/../f', '/w/l']");
    trial.admits(&[(Read, &["/x/f"]), (Read, &["/w/l/../f"])]);
    trial.refuses(&[(Read, &["/w/f"])]);
    let host = mac(&objects);
    let error = Grant::parse("g.toml", b"[fs]\nread = ['a/../b']", &host.vars).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelativeClause);
}

/// mxc: `//`, `/./` and a slash at the end never matched, so the deny failed open.
#[test]
fn slashes_and_dots_do_not_matter() {
    let host = mac(&["/w/s/f", "/w/f"]);
    let trial = trial(host, "[fs]\nread = ['//w/.']\nexclude = ['/w//./s/']");
    trial.admits(&[(Read, &["/w/f"]), (Read, &["//w/./f"])]);
    trial.refuses(&[
        (Read, &["/w/s/f"]),
        (Read, &["/w/./s//f"]),
        (Read, &["/w/s"]),
    ]);
}

/// tldw_chatbook#1934: `.GIT/config` and `~/.SSH/id` on a volume that folds case.
#[test]
fn another_case_is_the_same_name() {
    let host = mac(&["/w/.git/config", "/w/f", "/Users/me/.ssh/id"]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w', '~']\nexclude = ['/w/.git/config', '~/.ssh']",
    );
    trial.admits(&[
        (Write, &["/w/f"]),
        (Write, &["/W/F"]),
        (Create, &["/w/.git/new"]),
    ]);
    trial.refuses(&[
        (Write, &["/w/.GIT/config"]),
        (Read, &["/w/.git/CONFIG"]),
        (Read, &["/Users/me/.SSH/id"]),
        (Create, &["/Users/me/.Ssh/new"]),
    ]);
}

/// claude-code-plugins#3934: only ASCII was folded, and what does not exist has no inode to compare.
#[test]
fn a_name_of_nothing_is_folded_in_every_normal_form() {
    let text = "[fs]\nwrite = ['/w']\nexclude = ['/w/caf\u{e9}/key', '/w/stra\u{df}e']";
    let trial = trial(mac(&["/w/f"]), text);
    trial.admits(&[(Create, &["/w/cafe"]), (Create, &["/w/strase"])]);
    trial.refuses(&[
        (Create, &["/w/cafe\u{301}/key"]),
        (Create, &["/w/CAF\u{c9}/KEY"]),
        (Create, &["/w/cafe\u{301}"]),
        (Create, &["/w/STRASSE"]),
        (Create, &["/w/stra\u{1e9e}e"]),
    ]);
}

/// claude-code#37875, servers#1970, #3238: a prefix that ended in the middle of a name.
#[test]
fn a_prefix_ends_where_a_name_ends() {
    let host = mac(&["/w/f", "/w-evil/f", "/w2", "/w/secret", "/w/secrets"]);
    let trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/secret']");
    trial.admits(&[(Write, &["/w/f"]), (Write, &["/w/secrets"])]);
    trial.refuses(&[
        (Write, &["/w-evil/f"]),
        (Write, &["/w2"]),
        (Read, &["/w/secret"]),
    ]);
}

/// nub#411, srt#576, claude-code#92684, gestalt#382, vellum#8507, #8571, #157, astrid#486, #355, fletch#401,
/// adlc#638, nono's newline test: names with letters that a glob, a pattern, a quote or a line would take.
#[test]
fn letters_that_mean_something_elsewhere_mean_themselves() {
    let names = [
        "[id]",
        "*",
        "?x",
        "a\\",
        "a\"b",
        "$&(x)",
        "a.b",
        "a\n(allow default)",
        "^a|b$",
        "(a)+",
    ];
    let neighbours = ["i", "aXb", "ab", "a", "x"];
    for name in names {
        let objects: Vec<_> = names
            .iter()
            .chain(&neighbours)
            .map(|name| format!("/w/{name}/f"))
            .collect();
        let mut objects: Vec<_> = objects.iter().map(String::as_str).collect();
        objects.push("/v/f");
        let quoted = format!("{:?}", format!("/w/{name}")).replace("\\'", "'");
        let denied = trial(
            mac(&objects),
            &format!("[fs]\nwrite = ['/w']\nexclude = [{quoted}]"),
        );
        let allowed = trial(
            mac(&objects),
            &format!("[fs]\nread = ['/v']\nwrite = [{quoted}]"),
        );
        allowed.admits(&[(Read, &["/v/f"])]);
        for other in names.iter().chain(&neighbours) {
            let path = format!("/w/{other}/f");
            assert_eq!(
                denied.may(Write, &[&path]),
                *other != name,
                "{name:?} {other:?}"
            );
            assert_eq!(
                allowed.may(Write, &[&path]),
                *other == name,
                "{name:?} {other:?}"
            );
        }
    }
}

/// codex's `to_string_lossy`: a name that is not UTF-8 became U+FFFD, and the rule named another file.
#[test]
#[cfg(unix)]
fn a_name_that_is_not_utf_8_is_itself() {
    use std::os::unix::ffi::OsStrExt as _;
    let raw = |bytes: &'static [u8]| std::ffi::OsStr::from_bytes(bytes);
    let mut host = mac(&["/w/f", "/w/\u{fffd}"]);
    host.tree.file(b"/w/\xff");
    let grant = Grant::builder().read("/w").exclude(raw(b"/w/\xff"));
    let stack = Stack::freeze(&[grant.build(&host.vars).unwrap()], &host).unwrap();
    let profile = Profile::render(&stack, &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let excluded = (false, Some(Decision::Deny));
    let allowed = (true, Some(Decision::Allow));
    for (path, expected) in [
        (raw(b"/w/f"), allowed),
        (raw("/w/\u{fffd}".as_bytes()), allowed),
        (raw(b"/w/\xff"), excluded),
    ] {
        let judged = guard.judge_act(Read, &[path]).unwrap().remove(0);
        let requests = act_requests(Read, &[judged.object()], &host);
        let told = (judged.is_admitted(), profile.explain(&requests).settled());
        assert_eq!(told, expected, "{path:?}");
    }
}
