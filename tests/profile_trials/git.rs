//! Repositories: what git does in one while its hooks and its configuration are protected.

use objcap::capability::Act::{Create, Read, Remove, Rename, Write};
use objcap::walk::Leaf;
use objcap_support::mac::{Call, How, Mac, Name, New};
use objcap_support::trial::Tries as _;

use crate::{Session, mac, make, open, read, rename, trial, write};

fn repository(at: &str) -> Vec<String> {
    [
        "HEAD",
        "config",
        "index",
        "hooks/pre-commit",
        "objects/",
        "refs/heads/main",
        "logs/HEAD",
    ]
    .iter()
    .map(|name| format!("{at}/{name}"))
    .collect()
}

fn world(repositories: &[&str], others: &[&str]) -> Mac {
    let made: Vec<_> = repositories.iter().flat_map(|at| repository(at)).collect();
    let made: Vec<_> = made
        .iter()
        .map(String::as_str)
        .chain(others.iter().copied())
        .collect();
    mac(&made)
}

/// A lock is made beside the file and moved over it.
fn replace(session: &mut Session, file: &str) {
    let lock = format!("{file}.lock");
    session.done(&open(&Name::from(&lock), How::CreateNew));
    session.done(&rename(&lock, file));
}

/// What a commit does in a folder of git's.
fn commit(session: &mut Session, git: &str) {
    replace(session, &format!("{git}/index"));
    session.done(&make(&format!("{git}/objects/ab"), New::Directory));
    let object = format!("{git}/objects/ab/tmp_obj");
    session.done(&open(&Name::from(&object), How::CreateNew));
    session.done(&Call::Link {
        from: Name::from(&object),
        to: Name::from(&format!("{git}/objects/ab/cdef")),
        leaf: Leaf::AsNamed,
    });
    session.done(&Call::Unlink(Name::from(&object)));
    replace(session, &format!("{git}/refs/heads/main"));
    replace(session, &format!("{git}/HEAD"));
    session.done(&open(&Name::from(&format!("{git}/logs/HEAD")), How::Append));
    session.done(&write(&format!("{git}/COMMIT_EDITMSG")));
    session.done(&read(&format!("{git}/hooks/pre-commit")));
    session.done(&read(&format!("{git}/config")));
}

/// Protecting hooks and configuration stopped the commit; or let the file be replaced by the lock beside it, or
/// the folder be moved away with both.
#[test]
fn a_commit_is_made_while_hooks_and_configuration_stay() {
    let mac = world(&["/w/.git"], &["/w/f"]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks', '/w/.git/config']",
    );
    trial.sessions(|session| {
        commit(session, "/w/.git");
        session.done(&write("/w/.git/config.lock"));
        session.refused(&rename("/w/.git/config.lock", "/w/.git/config"));
        session.refused(&rename("/w/.git", "/w/git"));
        session.refused(&make(
            "/w/.git/hooks/post-commit",
            New::Symlink(b"/w/f".to_vec()),
        ));
        session.refused(&rename("/w/f", "/w/.git/hooks/pre-commit"));
    });
    trial.admits(&[(Write, &["/w/.git/index"]), (Read, &["/w/.git/config"])]);
    trial.refuses(&[
        (Write, &["/w/.git/config"]),
        (Write, &["/w/.GIT/Config"]),
        (Rename, &["/w/f", "/w/.git/config"]),
        (Remove, &["/w/.git/hooks/pre-commit"]),
        (Create, &["/w/.git/hooks/post-commit"]),
    ]);
}

/// In a worktree the folder is a file that points to another place: commits go there, and neither the pointer nor
/// the common folder's hooks are written.
#[test]
fn a_commit_in_a_worktree_goes_to_the_folder_that_its_file_names() {
    let mac = world(
        &["/repo/.git"],
        &[
            "/w/.git = gitdir: /repo/.git/worktrees/w",
            "/w/f",
            "/repo/.git/worktrees/w/HEAD",
            "/repo/.git/worktrees/w/index",
            "/repo/.git/worktrees/w/commondir = ../..",
        ],
    );
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w', '/repo/.git']\nprotect = ['/w/.git', '/repo/.git/hooks', \
         '/repo/.git/config', '/repo/.git/worktrees/w/commondir']",
    );
    trial.sessions(|session| {
        commit(session, "/repo/.git");
        replace(session, "/repo/.git/worktrees/w/index");
        replace(session, "/repo/.git/worktrees/w/HEAD");
        session.done(&write("/w/f"));
        for kept in ["/w/.git", "/repo/.git/worktrees/w/commondir"] {
            session.refused(&write(kept));
            session.refused(&rename("/w/f", kept));
            session.refused(&Call::Unlink(Name::from(kept)));
        }
        session.refused(&rename("/repo/.git/worktrees/w", "/repo/.git/worktrees/v"));
        session.refused(&rename("/repo/.git/worktrees", "/repo/.git/x"));
    });
    // The workspace alone: the commit stops at the first write outside of it.
    let alone = super::trial(&mac, "[fs]\nwrite = ['/w']\nprotect = ['/w/.git']");
    alone.done(&[write("/w/f"), read("/w/.git")]);
    assert_eq!(
        alone.question(&write("/repo/.git/worktrees/w/index.lock")),
        "file-write-create /repo/.git/worktrees/w/index.lock"
    );
}

/// A submodule's folder lies in the outer one's, and a nested repository beside it: each protected by its own
/// clause, the others left as free as before.
#[test]
fn submodules_and_nested_repositories_are_protected_one_by_one() {
    let mac = world(
        &[
            "/w/.git",
            "/w/.git/modules/sub",
            "/w/nested/.git",
            "/w/free/.git",
        ],
        &["/w/sub/.git = gitdir: ../.git/modules/sub", "/w/sub/f"],
    );
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w']\nprotect = ['/w/.git/hooks', '/w/.git/modules/sub/hooks', '/w/sub/.git', \
         '/w/nested/.git/hooks']",
    );
    trial.sessions(|session| {
        for git in [
            "/w/.git",
            "/w/.git/modules/sub",
            "/w/nested/.git",
            "/w/free/.git",
        ] {
            commit(session, git);
        }
        session.done(&write("/w/free/.git/hooks/pre-commit"));
        session.done(&rename("/w/free", "/w/freed"));
        session.refused(&write("/w/nested/.git/hooks/pre-commit"));
        session.refused(&rename("/w/nested", "/w/n"));
        session.refused(&rename("/w/.git/modules", "/w/m"));
        session.refused(&rename("/w/sub", "/w/s"));
        session.refused(&write("/w/sub/.git"));
    });
}

/// The folder itself is a link to another place: the link, the place and both names of the hooks stay.
#[test]
fn a_repository_behind_a_link_is_protected_at_both_ends() {
    let mac = world(&["/g/repo.git"], &["/w/.git -> ../g/repo.git", "/w/f"]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w', '/g']\nprotect = ['/w/.git/hooks']",
    );
    trial.sessions(|session| {
        commit(session, "/w/.git");
        session.refused(&write("/g/repo.git/hooks/pre-commit"));
        session.refused(&write("/w/.git/hooks/new"));
        session.refused(&Call::Unlink(Name::from("/w/.git")));
        session.refused(&rename("/w/f", "/w/.git"));
        session.refused(&rename("/g/repo.git", "/g/x"));
    });
    trial.admits(&[(Write, &["/w/.git/index"]), (Write, &["/g/repo.git/index"])]);
    trial.refuses(&[
        (Write, &["/w/.git/hooks/pre-commit"]),
        (Remove, &["/w/.git"]),
    ]);
}
