//! A deny that is walked round by a rename.

use objcap::capability::Act::{Create, Read, Remove, Rename, Swap, Write};
use objcap_support::trial::Tries as _;

use crate::{mac, trial};

/// cplt#455: a folder inside the grant is excluded, and is moved away so that another takes its name.
#[test]
fn an_excluded_folder_is_moved_away_and_replaced() {
    let host = mac(&["/h/.pi/bin/tool", "/h/.pi/conf", "/h/.pi/tmp/"]);
    let trial = trial(host, "[fs]\nwrite = ['/h/.pi']\nexclude = ['/h/.pi/bin']");
    trial.admits(&[
        (Rename, &["/h/.pi/tmp", "/h/.pi/tmp2"]),
        (Write, &["/h/.pi/conf"]),
    ]);
    trial.refuses(&[
        (Rename, &["/h/.pi/bin", "/h/.pi/bin.old"]),
        (Rename, &["/h/.pi/tmp", "/h/.pi/bin"]),
        (Rename, &["/h/.pi", "/h/.pj"]),
    ]);
}

/// KiroCrew#5411, #7743: the exclusion missed its own node.
#[test]
fn the_excluded_node_itself_is_covered() {
    let host = mac(&["/w/a/f", "/w/b/f"]);
    let trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/a']");
    trial.admits(&[(Read, &["/w/b"]), (Rename, &["/w/b", "/w/c"])]);
    trial.refuses(&[
        (Read, &["/w/a"]),
        (Remove, &["/w/a"]),
        (Rename, &["/w/a", "/w/c"]),
        (Rename, &["/w/b/f", "/w/a/f"]),
    ]);
}

/// pmg#446: what lies outside is moved into the protected folder.
#[test]
fn a_file_is_moved_into_a_protected_folder() {
    let host = mac(&["/w/x", "/w/.git/hooks/", "/w/.git/config"]);
    let trial = trial(host, "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks']");
    trial.admits(&[
        (Rename, &["/w/x", "/w/.git/x"]),
        (Read, &["/w/.git/hooks"]),
        (Write, &["/w/.git/config"]),
    ]);
    trial.refuses(&[
        (Rename, &["/w/x", "/w/.git/hooks/pre-commit"]),
        (Create, &["/w/.git/hooks/pre-commit"]),
        (Rename, &["/w/.git", "/w/.tig"]),
    ]);
}

/// microsandbox#1448: an exchange was looked at on one side.
#[test]
fn an_exchange_is_judged_at_both_ends() {
    let host = mac(&["/w/a", "/w/b", "/w/.env", "/w/d/key", "/w/e/"]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w']\nexclude = ['/w/.env', '/w/d/key']",
    );
    trial.admits(&[(Swap, &["/w/a", "/w/b"]), (Swap, &["/w/a", "/w/e"])]);
    trial.refuses(&[
        (Swap, &["/w/a", "/w/.env"]),
        (Swap, &["/w/.env", "/w/a"]),
        (Swap, &["/w/e", "/w/d"]),
        (Swap, &["/w/d", "/w/e"]),
    ]);
}

/// srt#545: deleting a checkout stops at what holds an exclusion, and says which.
#[test]
fn removing_a_whole_checkout_stops_at_what_holds_the_hooks() {
    let host = mac(&["/w/src/f", "/w/.git/hooks/", "/w/.git/config"]);
    let trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/.git/hooks']");
    trial.admits(&[
        (Remove, &["/w/src/f"]),
        (Remove, &["/w/src"]),
        (Remove, &["/w/.git/config"]),
    ]);
    trial.refuses(&[
        (Remove, &["/w/.git/hooks"]),
        (Remove, &["/w/.git"]),
        (Remove, &["/w"]),
    ]);
    assert_eq!(
        trial.why(Remove, &["/w/.git"]),
        "exclude `/w/.git/hooks` (grant.toml:3:12) excludes what is reached through it"
    );
}

/// srt#540, claude-code#61401, codex#40565: pins caught names that merely look like the excluded one.
#[test]
fn what_looks_like_an_exclusion_elsewhere_moves_freely() {
    let host = mac(&[
        "/w/node_modules/p/.git/hooks/f",
        "/w/build/",
        "/w/.git/hooks/",
        "/w/.env",
    ]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w']\nexclude = ['/w/.git/hooks', '/w/**/.env', '/w/.env']",
    );
    trial.admits(&[
        (Rename, &["/w/node_modules/p", "/w/node_modules/q"]),
        (
            Rename,
            &[
                "/w/node_modules/p/.git/hooks/f",
                "/w/node_modules/p/.git/hooks/g",
            ],
        ),
        (Remove, &["/w/node_modules/p/.git/hooks"]),
        (Remove, &["/w/build"]),
    ]);
    trial.refuses(&[(Rename, &["/w/.git", "/w/x"]), (Write, &["/w/.env"])]);
}

/// nono policy.rs: a grant inside re-opened what a deny had closed.
#[test]
fn a_second_allowance_reopens_nothing() {
    let host = mac(&["/w/a/key", "/w/a/f", "/w/b/f"]);
    let text = "[fs]\nwrite = ['/w', '/w/a', '/w/a/key']\nexclude = ['/w/a/key']";
    let trial = trial(host, text);
    trial.admits(&[(Rename, &["/w/b", "/w/c"]), (Write, &["/w/a/f"])]);
    trial.refuses(&[
        (Rename, &["/w/a", "/w/c"]),
        (Remove, &["/w/a/key"]),
        (Read, &["/w/a/key"]),
        (Write, &["/w/a/key"]),
    ]);
}

/// sandbox-shell#51, clash#295: depth or order decided. An exclusion wins at any depth.
#[test]
fn an_exclusion_wins_above_and_below_and_in_any_order() {
    let objects = ["/Users/me/app/f", "/Users/me/.ssh/id", "/w/f"];
    let text = "[fs]\nread = ['/w']\nexclude = ['/Users', '/Users/me/.ssh']\nwrite = ['/Users/me']";
    let excluded = trial(mac(&objects), text);
    excluded.admits(&[(Read, &["/w/f"])]);
    excluded.refuses(&[
        (Read, &["/Users/me/app/f"]),
        (Write, &["/Users/me/app/f"]),
        (Read, &["/Users/me/.ssh/id"]),
    ]);
    let turned = trial(
        mac(&objects),
        "[fs]\nwrite = ['/w']\nexclude = ['/w']\nread = ['/Users/me']",
    );
    turned.admits(&[(Read, &["/Users/me/app/f"])]);
    turned.refuses(&[(Write, &["/w/f"]), (Create, &["/w/new"]), (Read, &["/w"])]);
}
