//! Places that do not exist yet, the way to a place, sockets, and layers.

use objcap::capability::Act::{Clone, Create, Link, Read, Rename, Stat, Swap, Write};
use objcap::capability::{Act, ErrorKind, Grant, NetAccess};
use objcap_support::trial::Tries as _;

use crate::{layers, mac, trial};

/// srt#139, claude-code#17087, #93129, #83497: what does not exist was skipped, or made as a stub.
#[test]
fn what_does_not_exist_is_excluded_and_nothing_is_made() {
    let host = mac(&["/w/f", "/w/d/hooks/h"]);
    let before = host.tree.objects().len();
    let trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/.git/hooks']");
    trial.admits(&[(Create, &["/w/new"]), (Create, &["/w/.github"])]);
    trial.refuses(&[
        (Create, &["/w/.git"]),
        (Create, &["/w/.git/hooks"]),
        (Create, &["/w/.git/hooks/pre-commit"]),
        (Rename, &["/w/d", "/w/.git"]),
        (Clone, &["/w/d", "/w/.git"]),
        (Link, &["/w/f", "/w/.git"]),
    ]);
    assert_eq!(trial.host.tree.objects().len(), before);
}

/// claude-code#39284, #25603: what is made after the rules were written.
#[test]
fn what_comes_later_is_excluded_too() {
    let host = mac(&["/w/f"]);
    let mut trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/.git/hooks']");
    trial.host.tree.file("/w/.git/hooks/pre-commit");
    trial.host.tree.file("/w/.git/config");
    trial.admits(&[(Write, &["/w/.git/config"])]);
    trial.refuses(&[
        (Write, &["/w/.git/hooks/pre-commit"]),
        (Read, &["/w/.git/hooks"]),
        (Rename, &["/w/.git", "/w/x"]),
    ]);
}

/// zero#302, mise#13039, cco#49, termic#35, maka#4236, agent-sandbox.nix#18: the folders above may be looked
/// at, so that one gets there, and not listed.
#[test]
fn the_way_to_a_place_is_looked_at_and_not_listed() {
    let host = mac(&["/a/b/c/f", "/a/other", "/private/tmp/d/f"]);
    let trial = trial(host, "[fs]\nwrite = ['/a/b/c', '/tmp/d']");
    trial.admits(&[
        (Write, &["/a/b/c/f"]),
        (Stat, &["/a"]),
        (Stat, &["/a/b"]),
        (Stat, &["/private/tmp"]),
        (Stat, &["/private"]),
    ]);
    trial.refuses(&[
        (Read, &["/a"]),
        (Read, &["/a/b"]),
        (Stat, &["/a/other"]),
        (Read, &["/private/tmp"]),
    ]);
}

/// safehouse#139, bux#76: a socket is a door, and a right to its file opens none. Sockets have no act of the
/// guard: the grant says which, and the profile allows those.
#[test]
fn a_socket_is_named_and_a_file_right_is_none() {
    let mut host = mac(&["/s/"]);
    host.tree
        .other("/s/agent.sock", objcap::object::Kind::Socket);
    host.tree
        .other("/s/other.sock", objcap::object::Kind::Socket);
    let text = "[fs]\nwrite = ['/s']\n[net]\nsockets = ['/s/agent.sock']";
    let trial = trial(host, text);
    trial.admits(&[(Write, &["/s/other.sock"])]);
    let named: Vec<_> = trial
        .stack
        .sockets(&trial.host)
        .into_iter()
        .map(|one| one.place().real().to_string())
        .collect();
    assert_eq!(
        (named, trial.stack.net()),
        (vec!["/s/agent.sock".to_owned()], NetAccess::Offline)
    );
}

/// claude-code#17989, #91676, zcode-acp#105, opam#3576: an unset TMPDIR became the root, or nothing.
#[test]
fn an_unset_variable_is_an_error_and_no_other_place() {
    let mut host = mac(&["/w/f"]);
    let read = |host: &objcap::object::Host<_>| {
        Grant::parse("g.toml", b"[fs]\nwrite = ['${TMPDIR}/build']", &host.vars)
    };
    assert!(read(&host).is_ok());
    for nothing in [None, Some("".into())] {
        host.vars.tmpdir = nothing;
        assert_eq!(read(&host).unwrap_err().kind(), ErrorKind::UnsetVariable);
    }
    host.vars.tmpdir = Some("relative".into());
    assert_eq!(read(&host).unwrap_err().kind(), ErrorKind::RelativeVariable);
}

/// qwen-code#12267: one helper asked, its sibling did not. Every act refuses what is excluded.
#[test]
fn no_act_forgets_to_ask() {
    let host = mac(&["/w/.env", "/w/f", "/w/g"]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w']\nexclude = ['/w/.env', '/w/none']\n[exec]\nallow = ['/w']",
    );
    for act in Act::ALL {
        let made = matches!(act, Create | Link | Clone);
        let fine: &[&str] = match act {
            Create => &["/w/new"],
            Rename | Link | Clone => &["/w/f", "/w/new"],
            Swap => &["/w/f", "/w/g"],
            _ => &["/w/f"],
        };
        trial.admits(&[(act, fine)]);
        for end in 0..act.ends().len() {
            let mut paths = fine.to_vec();
            let excluded = if made && end + 1 == act.ends().len() {
                "/w/none"
            } else {
                "/w/.env"
            };
            paths.splice(end..=end, [excluded]);
            trial.refuses(&[(act, &paths)]);
        }
    }
}

/// codex#38318, nono#1796, maka#631: two enforcers, one of which drops what it cannot say. Two layers, each
/// with a clause that the other lacks.
#[test]
fn a_second_layer_takes_away_and_gives_nothing() {
    let objects = ["/w/a/f", "/w/b/f", "/w/a/key", "/v/f"];
    let one = "[fs]\nwrite = ['/w']\nexclude = ['/w/a/key']";
    let other = "[fs]\nread = ['/w', '/v']\nwrite = ['/w/a']";
    let both = layers(mac(&objects), &[one, other]);
    both.admits(&[(Write, &["/w/a/f"]), (Read, &["/w/b/f"])]);
    both.refuses(&[
        (Write, &["/w/b/f"]),
        (Read, &["/v/f"]),
        (Read, &["/w/a/key"]),
        (Rename, &["/w/a", "/w/b"]),
    ]);
    trial(mac(&objects), other).admits(&[(Read, &["/v/f"]), (Read, &["/w/a/key"])]);
}

/// claude-code#46120, #32285, codex#696 and others: what cannot be built ran without. There is no stack and
/// no profile but from grants that were walked, and none restricts nothing by an accident.
#[test]
fn a_grant_that_cannot_be_walked_yields_nothing() {
    let mut host = mac(&["/w/f"]);
    host.tree.link("/w/loop", "loop");
    let freeze = |text: &str| {
        let grant = Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap();
        objcap::capability::Stack::freeze(&[grant], &host).map(drop)
    };
    assert!(freeze("[fs]\nread = ['/w/none']").is_ok());
    for place in ["/w/f/below", "/w/loop"] {
        for list in ["read", "write", "exclude", "protect"] {
            let error = freeze(&format!("[fs]\n{list} = ['{place}']")).unwrap_err();
            assert_eq!(
                (error.kind(), error.line()),
                (ErrorKind::Walk, Some(2)),
                "{list} {place}"
            );
        }
    }
}
