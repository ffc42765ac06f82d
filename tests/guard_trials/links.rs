//! A deny on a name whose object has another one, or whose name is a link.

use objcap::capability::Act::{Clone, Create, Link, Read, Remove, Rename, Stat, Write};
use objcap::capability::{Access, Guard};
use objcap_support::trial::Tries as _;

use crate::{mac, trial};

/// nono#1771, #393, #279: of a chain of links only the ends were spelled.
#[test]
fn every_link_of_a_chain_may_be_looked_at_and_nothing_beside() {
    let host = mac(&["/a -> b", "/b -> deep/c", "/deep/c/f", "/deep/other/f"]);
    let trial = trial(host, "[fs]\nread = ['/a']");
    trial.admits(&[
        (Read, &["/a/f"]),
        (Read, &["/b/f"]),
        (Read, &["/deep/c/f"]),
        (Stat, &["/deep"]),
    ]);
    trial.refuses(&[
        (Read, &["/deep/other/f"]),
        (Read, &["/deep"]),
        (Write, &["/a/f"]),
    ]);
}

/// zerobox#60: an allowance must keep the link, an exclusion must take both ends.
#[test]
fn an_allowance_by_a_link_reads_and_an_exclusion_by_a_link_denies_both_names() {
    let objects = [
        "/Users/me/Dropbox/gitconfig",
        "/Users/me/.gitconfig -> Dropbox/gitconfig",
        "/Users/me/f",
    ];
    let allowed = trial(mac(&objects), "[fs]\nread = ['~/.gitconfig']");
    allowed.admits(&[
        (Read, &["/Users/me/.gitconfig"]),
        (Read, &["/Users/me/Dropbox/gitconfig"]),
    ]);
    allowed.refuses(&[(Read, &["/Users/me/f"])]);
    let excluded = trial(
        mac(&objects),
        "[fs]\nwrite = ['~']\nexclude = ['~/.gitconfig']",
    );
    excluded.admits(&[(Read, &["/Users/me/f"])]);
    excluded.refuses(&[
        (Read, &["/Users/me/.gitconfig"]),
        (Read, &["/Users/me/Dropbox/gitconfig"]),
        (Remove, &["/Users/me/.gitconfig"]),
        (Rename, &["/Users/me/Dropbox", "/Users/me/x"]),
    ]);
}

/// claude-code#91643, codex#27354, #20720: a protected name is a link, and its object is reached directly.
#[test]
fn a_protected_link_protects_what_it_leads_to_too() {
    let objects = [
        "/w/.git -> ../g",
        "/g/config",
        "/w/f",
        "/w/.claude -> /d",
        "/d/settings",
    ];
    let text = "[fs]\nwrite = ['/w', '/g', '/d']\nprotect = ['/w/.git', '/w/.claude']";
    let trial = trial(mac(&objects), text);
    trial.admits(&[
        (Write, &["/w/f"]),
        (Read, &["/g/config"]),
        (Read, &["/w/.git/config"]),
    ]);
    trial.refuses(&[
        (Write, &["/g/config"]),
        (Write, &["/w/.git/config"]),
        (Remove, &["/w/.git"]),
        (Rename, &["/w/f", "/w/.git"]),
        (Create, &["/g/hooks"]),
        (Write, &["/d/settings"]),
    ]);
}

/// sandlock#179, #194, #155, zeptoclaw#277, unsloth#10526, nub#449: a link was judged by its new name alone.
#[test]
fn a_second_name_of_an_excluded_or_read_only_file_is_not_made() {
    let host = mac(&["/w/.env", "/w/f", "/r/f"]);
    let trial = trial(
        host,
        "[fs]\nwrite = ['/w']\nread = ['/r']\nexclude = ['/w/.env']",
    );
    trial.admits(&[
        (Link, &["/w/f", "/w/e"]),
        (Rename, &["/w/f", "/w/e"]),
        (Clone, &["/r/f", "/w/e"]),
    ]);
    trial.refuses(&[
        (Link, &["/w/.env", "/w/e"]),
        (Link, &["/r/f", "/w/e"]),
        (Link, &["/w/f", "/w/.env"]),
        (Rename, &["/w/f", "/w/.env"]),
        (Clone, &["/w/.env", "/w/e"]),
    ]);
}

/// The same reports, where the second name is older than the grant: the guard knows the object, the profile
/// only names (residual G-2), so only the guard is asked.
#[test]
fn a_second_name_that_was_there_before_is_refused_by_identity() {
    let mut host = mac(&["/w/.env", "/w/f"]);
    assert!(host.tree.link_hard("/w/.env", "/w/e"));
    assert!(host.tree.link_hard("/w/f", "/w/g"));
    let trial = trial(host, "[fs]\nwrite = ['/w']\nexclude = ['/w/.env']");
    let guard = Guard::new(&trial.host, &trial.stack);
    for (name, admitted) in [("/w/f", true), ("/w/g", true), ("/w/e", false)] {
        for access in [Access::READ, Access::WRITE] {
            let judged = guard.judge(name, access).unwrap();
            assert_eq!(judged.is_admitted(), admitted, "{judged}");
        }
    }
}

/// claude-code#33657, #33615, codex#25664, ai-jail#101: in a worktree `.git` is a file that points elsewhere,
/// and whoever writes it points it at hooks of its own.
#[test]
fn the_pointer_file_of_a_worktree_is_kept() {
    let host = mac(&[
        "/w/.git",
        "/w/f",
        "/repo/.git/worktrees/w/HEAD",
        "/repo/.git/hooks/",
    ]);
    let text =
        "[fs]\nwrite = ['/w', '/repo/.git/worktrees/w']\nprotect = ['/w/.git', '/repo/.git/hooks']";
    let trial = trial(host, text);
    trial.admits(&[
        (Write, &["/w/f"]),
        (Read, &["/w/.git"]),
        (Write, &["/repo/.git/worktrees/w/HEAD"]),
    ]);
    trial.refuses(&[
        (Write, &["/w/.git"]),
        (Remove, &["/w/.git"]),
        (Rename, &["/w/f", "/w/.git"]),
        (Link, &["/w/.git", "/w/e"]),
        (Create, &["/repo/.git/hooks/pre-commit"]),
        (Write, &["/repo/.git/config"]),
    ]);
}
