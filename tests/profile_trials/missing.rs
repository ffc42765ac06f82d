//! Places that are not there when the profile is made.

use objcap::capability::Act::{Create, Read, Remove, Write};
use objcap::walk::Leaf;
use objcap_support::mac::{Call, How, Name, New};
use objcap_support::trial::Tries as _;

use crate::{mac, make, open, rename, trial};

/// The deny was of a file that did not exist, and a call that nobody had thought of made it: each call that can
/// bring an object to a name is tried at the name and at the folder above.
#[test]
fn no_call_brings_anything_to_an_absent_excluded_name() {
    let mac = mac(&["/w/d/hooks/h", "/w/f", "/w/l -> d"]);
    let trial = trial(
        &mac,
        "[fs]\nwrite = ['/w']\nexclude = ['/w/.git/hooks']\n[net]\naccess = 'open'",
    );
    let name = |path: &str| Name::from(path);
    let calls = |to: &str| {
        vec![
            make(to, New::Directory),
            make(to, New::Symlink(b"d".to_vec())),
            make(to, New::Fifo),
            open(&name(to), How::CreateNew),
            open(&name(to), How::Create),
            rename("/w/d", to),
            rename("/w/l", to),
            rename("/w/f", to),
            Call::Link {
                from: name("/w/f"),
                to: name(to),
                leaf: Leaf::AsNamed,
            },
            Call::Clone {
                from: name("/w/d"),
                to: name(to),
                leaf: Leaf::AsNamed,
            },
        ]
    };
    trial.done(&calls("/w/.github"));
    trial.refused(&calls("/w/.git"));
    trial.refused(&calls("/w/.GIT"));
    trial.done(&[Call::Bind(name("/w/.github"))]);
    assert_eq!(
        trial.question(&Call::Bind(name("/w/.git"))),
        "file-write-create /w/.git"
    );
}

/// The name was typed relative to a folder that had been opened: the rule knew absolute names.
#[test]
fn an_absent_name_in_an_open_folder_is_the_same_name() {
    let mac = mac(&["/w/sub/f"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nexclude = ['/w/sub/key']");
    trial.sessions(|session| {
        let fd = session
            .call(&open(&Name::from("/w/sub"), How::Directory))
            .fd();
        let at = |name: &str| open(&Name::at(fd, name), How::CreateNew);
        session.done(&at("new"));
        session.refused(&at("key"));
        session.refused(&at("../sub/KEY"));
        session.done(&Call::ChangeFolderTo(fd));
        session.done(&open(&Name::from("newer"), How::CreateNew));
        session.refused(&open(&Name::from("key"), How::CreateNew));
    });
}

/// A link that leads to nothing is excluded: what is made at its end would be the excluded object.
#[test]
fn the_end_of_an_excluded_link_that_leads_nowhere_is_not_made() {
    let mac = mac(&["/w/.env -> later/env", "/w/f"]);
    for list in ["exclude", "protect"] {
        let trial = trial(&mac, &format!("[fs]\nwrite = ['/w']\n{list} = ['/w/.env']"));
        trial.admits(&[(Create, &["/w/latest"]), (Write, &["/w/f"])]);
        trial.refuses(&[(Create, &["/w/later"]), (Remove, &["/w/.env"])]);
        trial.refused(&[rename("/w/f", "/w/.env"), rename("/w/f", "/w/later")]);
    }
}

/// Several folders are missing: the deny of the deepest left the first to be made as a link elsewhere.
#[test]
fn none_of_several_missing_folders_is_made_as_a_link() {
    let mac = mac(&["/w/f", "/w/d/"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nprotect = ['/w/a/b/c/key']");
    let link = |at: &str| make(at, New::Symlink(b"/w/d".to_vec()));
    trial.done(&[link("/w/aa"), link("/w/d/a")]);
    trial.refused(&[link("/w/a"), make("/w/a", New::Directory), link("/w/A")]);
    // Another process has made the first two.
    let mut mac = mac;
    mac.directory("/w/a/b");
    mac.give("/w/a");
    trial_in(&mac, &trial, |session| {
        session.done(&make("/w/a/b/other", New::Directory));
        session.refused(&link("/w/a/b/c"));
        session.refused(&rename("/w/a/b", "/w/b"));
        session.refused(&rename("/w/a", "/w/b"));
    });
}

/// A profile goes on deciding in a world that has changed since it was made.
fn trial_in(
    mac: &objcap_support::mac::Mac,
    trial: &crate::Trial,
    run: impl Fn(&mut crate::Session),
) {
    trial.sessions(|session| {
        session.mac = mac.clone();
        run(session);
    });
}

/// What is allowed and not there yet can be made, with all below it, and its neighbours cannot.
#[test]
fn an_allowance_of_what_is_not_there_lets_it_be_made() {
    let mac = mac(&["/w/f"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w/out/deep', '/w/new']");
    trial.sessions(|session| {
        session.done(&make("/w/new", New::Directory));
        session.done(&open(&Name::from("/w/new/f"), How::CreateNew));
        session.done(&open(&Name::from("/w/new/f"), How::Read));
        session.refused(&make("/w/newer", New::Directory));
        session.refused(&make("/w/out", New::Directory));
        session.refused(&open(&Name::from("/w/f"), How::Read));
    });
    trial.admits(&[(Create, &["/w/new"])]);
    trial.refuses(&[(Create, &["/w/out"]), (Read, &["/w/f"])]);
}

/// An allowance of a name that was missing, where a link is put in its place afterwards: a link reaches nothing.
#[test]
fn a_link_in_the_place_of_a_missing_allowance_reaches_nothing() {
    let mac = mac(&["/w/f", "/v/secret/f"]);
    let trial = trial(&mac, "[fs]\nread = ['/v/in']\nwrite = ['/w']");
    trial.done(&[open(&Name::from("/w/f"), How::Read)]);
    let mut later = mac.clone();
    later.link("/v/in", "/v/secret");
    trial_in(&later, &trial, |session| {
        session.refused(&open(&Name::from("/v/in/f"), How::Read));
        session.refused(&open(&Name::from("/v/secret/f"), How::Read));
    });
    let mut later = mac;
    later.file("/v/in/f", "a folder that came");
    trial_in(&later, &trial, |session| {
        session.done(&open(&Name::from("/v/in/f"), How::Read));
    });
}
