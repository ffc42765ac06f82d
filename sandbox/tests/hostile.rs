//! Grants and hosts that nobody would wish for: guard and profile say the same of them, or freezing says why it
//! cannot be. Never is a profile wider than the guard.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use objcap_capability::{Act, Error, ErrorKind, Grant, Guard, Lint, Stack};
use objcap_object::{Host, Leaf, Memory, Object, Options, RealPath};
use objcap_sandbox::{Decision, Profile, act_requests};

fn frozen(mac: &Host<Memory>, grant: &str) -> Result<Stack<Memory>, Error> {
    let grant = Grant::parse("grant.toml", grant.as_bytes(), &mac.vars)?;
    Stack::freeze(&[grant], mac)
}

/// What guard and profile both say of an act.
#[track_caller]
fn may(mac: &Host<Memory>, grant: &str, act: Act, paths: &[&str]) -> bool {
    let stack = frozen(mac, grant).unwrap();
    let profile = Profile::render(&stack, mac).unwrap();
    let judged = Guard::new(mac, &stack).judge_act(act, paths).unwrap();
    let guard = judged.iter().all(|end| end.is_admitted());
    let objects: Vec<_> = judged.iter().map(|end| end.object()).collect();
    let explained = profile.explain(&act_requests(act, &objects, mac));
    let kernel = match explained.settled() {
        Some(Decision::Allow) => true,
        Some(Decision::Deny) => false,
        other => panic!("{act:?} {paths:?}: {other:?}"),
    };
    assert_eq!(guard, kernel, "guard and profile differ: {act:?} {paths:?}");
    guard
}

fn mac() -> Host<Memory> {
    let mut mac = Host::stock_mac();
    // The same files by both of their names, since this tree knows of no volumes.
    for data in ["", "/System/Volumes/Data"] {
        mac.tree.file(format!("{data}/Users/me/notes"));
        mac.tree.file(format!("{data}/Users/me/app/key"));
    }
    mac
}

#[test]
fn a_clause_about_the_data_volumes_root_is_an_error_that_says_what_to_name() {
    let mac = mac();
    assert!(may(
        &mac,
        "[fs]\nread = ['/System/Volumes/Data/Users/me']",
        Act::Read,
        &["/Users/me/notes"]
    ));
    for list in ["read", "write", "exclude", "protect"] {
        for name in [
            "/System/Volumes/Data",
            "/System/Volumes/data/",
            "/System/Volumes/Data/Users/..",
        ] {
            let grant = format!("[fs]\nread = ['/usr']\n{list} = ['{name}']");
            let grant = grant.replace("read = ['/usr']\nread", "read");
            let error = frozen(&mac, &grant).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::DataVolume, "{grant}: {error}");
            assert!(error.to_string().contains("/Users"), "{error}");
        }
    }
}

#[test]
fn the_data_volumes_root_is_not_moved_or_cloned_from_under_an_exclusion() {
    let mac = mac();
    let free = "[fs]\nwrite = ['/']";
    let bound = "[fs]\nwrite = ['/']\nexclude = ['/Users/me/app/key']";
    for act in [Act::Rename, Act::Clone] {
        let folder = ["/System/Volumes/Data/Users/me/app", "/private/tmp/app"];
        assert!(may(&mac, free, act, &folder));
        assert!(!may(&mac, bound, act, &folder));
        let volume = ["/System/Volumes/Data", "/private/tmp/volume"];
        assert!(!may(&mac, bound, act, &volume), "{act:?}");
        // What holds no exclusion goes where it likes.
        assert!(may(
            &mac,
            bound,
            act,
            &["/Users/me/notes", "/private/tmp/notes"]
        ));
    }
}

#[test]
fn an_exclusion_of_the_root_leaves_nothing_and_is_told() {
    let mac = mac();
    let read = |grant: &str| may(&mac, grant, Act::Read, &["/Users/me/notes"]);
    assert!(read("[fs]\nread = ['/']"));
    let grant = "[fs]\nread = ['/']\nexclude = ['/']";
    assert!(!read(grant));
    assert!(!may(&mac, grant, Act::Read, &["/usr/bin/env"]));
    let stack = frozen(&mac, grant).unwrap();
    let told: Vec<_> = stack.lint(&mac).iter().map(Lint::name).collect();
    assert!(told.contains(&"everything"), "{told:?}");
}

#[test]
fn a_stack_that_admits_nothing_admits_nothing() {
    let mac = mac();
    let grant = |fs: &str| format!("{fs}\n[exec]\n[net]\n");
    assert!(may(
        &mac,
        &grant("[fs]\nread = ['~']"),
        Act::Read,
        &["/Users/me/notes"]
    ));
    let nothing = grant("[fs]");
    for act in [Act::Read, Act::Write, Act::Create, Act::Remove, Act::Stat] {
        assert!(!may(&mac, &nothing, act, &["/Users/me/notes"]), "{act:?}");
    }
    assert!(!may(&mac, &nothing, Act::Exec, &["/usr/bin/git"]));
}

#[test]
fn an_allowance_inside_an_exclusion_is_dead_and_told() {
    let mac = mac();
    let read = |grant: &str| may(&mac, grant, Act::Read, &["/Users/me/app/key"]);
    assert!(read("[fs]\nread = ['~/app/key']"));
    let grant = "[fs]\nread = ['~/app/key']\nexclude = ['~/app']";
    assert!(!read(grant));
    let stack = frozen(&mac, grant).unwrap();
    let told: Vec<_> = stack.lint(&mac).iter().map(Lint::name).collect();
    assert!(told.contains(&"dead"), "{told:?}");
}

#[test]
fn a_home_that_does_not_exist_is_a_place_like_another() {
    let mut mac = mac();
    mac.vars.home = Some("/Users/nobody".into());
    let grant = "[fs]\nwrite = ['~/app']\nexclude = ['~/app/.env']";
    assert!(!may(&mac, grant, Act::Create, &["/Users/nobody/app/.ENV"]));
    assert!(!may(&mac, grant, Act::Read, &["/Users/me/notes"]));
    // Once it is there, the names mean what they meant.
    let before = frozen(&mac, grant).unwrap();
    mac.tree.directory("/Users/nobody/app");
    assert!(may(&mac, grant, Act::Create, &["/Users/nobody/app/new"]));
    let profile = Profile::render(&before, &mac).unwrap();
    let object = |path: &str| {
        let options = Options {
            leaf: Leaf::AsNamed,
            ..Options::default()
        };
        Object::walk(&mac.tree, path, &options).unwrap()
    };
    let decided = |path: &str| {
        profile
            .explain(&act_requests(Act::Create, &[&object(path)], &mac))
            .settled()
    };
    assert_eq!(decided("/Users/nobody/app/new"), Some(Decision::Allow));
    assert_eq!(decided("/Users/nobody/app/.env"), Some(Decision::Deny));
}

#[test]
fn a_home_that_is_not_set_is_an_error() {
    let mut mac = mac();
    assert!(frozen(&mac, "[fs]\nread = ['~/app']").is_ok());
    for home in [None, Some("".into()), Some("relative".into())] {
        mac.vars.home = home;
        assert!(frozen(&mac, "[fs]\nread = ['~/app']").is_err());
    }
}

#[test]
fn a_host_without_an_alias_holds_its_exclusions_by_the_names_it_has() {
    let grant = "[fs]\nwrite = ['/private/tmp']\nexclude = ['/private/tmp/k']";
    let new = ["/private/tmp/new"];
    for missing in ["/tmp", "/var", "/etc"] {
        let mut mac = mac();
        mac.aliases
            .retain(|alias| alias.name != RealPath::new(missing).unwrap());
        assert!(mac.tree.remove(missing));
        assert!(may(&mac, grant, Act::Create, &new), "{missing}");
        assert!(
            !may(&mac, grant, Act::Create, &["/private/tmp/K"]),
            "{missing}"
        );
    }
    // The table says that there is one, and it leads elsewhere.
    let mut mac = mac();
    assert!(mac.tree.remove("/tmp"));
    mac.tree.link("/tmp", "private/var");
    assert!(may(&mac, grant, Act::Create, &new));
    assert!(!may(&mac, grant, Act::Create, &["/private/tmp/k"]));
}

#[test]
fn a_clause_that_loops_is_an_error_with_its_line() {
    let mut mac = mac();
    mac.tree.link("/Users/me/one", "two");
    mac.tree.link("/Users/me/two", "one");
    for list in ["read", "write", "exclude", "protect"] {
        let grant = |name: &str| format!("[fs]\n{list} = ['~/{name}']");
        assert!(frozen(&mac, &grant("app")).is_ok());
        for name in ["one", "one/below", "app/../two"] {
            let error = frozen(&mac, &grant(name)).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::Walk, "{error}");
            assert!(error.to_string().contains("grant.toml:2:"), "{error}");
        }
    }
}

/// Whether a rendered profile reads the contents of a name.
#[track_caller]
fn reads(profile: &Profile, mac: &Host<Memory>, path: &str) -> bool {
    let object = Object::walk(&mac.tree, path, &Options::default()).unwrap();
    profile
        .explain(&act_requests(Act::Read, &[&object], mac))
        .settled()
        .unwrap()
        == Decision::Allow
}

#[test]
fn a_link_that_was_aimed_elsewhere_widens_no_allowance_and_frees_nothing_excluded() {
    let mut mac = mac();
    for file in ["one/f", "two/f", "docs/one/f", "docs/two/f"] {
        mac.tree.file(format!("/Users/me/{file}"));
    }
    mac.tree.link("/Users/me/read", "one");
    mac.tree.link("/Users/me/secret", "docs/one");
    let grant = "[fs]\nread = ['~/read', '~/docs']\nexclude = ['~/secret']";
    let stack = frozen(&mac, grant).unwrap();
    let before = Profile::render(&stack, &mac).unwrap();
    assert!(reads(&before, &mac, "/Users/me/one/f"));
    assert!(reads(&before, &mac, "/Users/me/docs/two/f"));
    assert!(!reads(&before, &mac, "/Users/me/docs/one/f"));

    // Somebody who is not confined aims both elsewhere, before the next program is started.
    for (link, to) in [("read", "two"), ("secret", "docs/two")] {
        let link = format!("/Users/me/{link}");
        assert!(mac.tree.remove(&link));
        mac.tree.link(&link, to);
    }
    let after = Profile::render(&stack, &mac).unwrap();
    assert!(reads(&after, &mac, "/Users/me/one/f"));
    assert!(
        !reads(&after, &mac, "/Users/me/two/f"),
        "the allowance followed"
    );
    assert!(
        !reads(&after, &mac, "/Users/me/docs/one/f"),
        "it is excluded no more"
    );
    assert!(
        !reads(&after, &mac, "/Users/me/docs/two/f"),
        "it is not excluded yet"
    );
}
