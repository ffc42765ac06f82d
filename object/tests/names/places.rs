//! The relatives of a real path: its ancestors, what lies below it, its twins, and how a system
//! presents it.

use objcap_object::{Alias, Host, RealPath};
use proptest::prelude::*;

fn real(text: &str) -> RealPath {
    RealPath::new(text).unwrap()
}

fn reals(texts: &[&str]) -> Vec<RealPath> {
    texts.iter().map(real_of).collect()
}

fn real_of(text: &&str) -> RealPath {
    real(text)
}

fn alias(name: &str, target: &str) -> Alias {
    Alias {
        name: real(name),
        target: real(target),
    }
}

#[test]
fn every_ancestor_is_told_once_from_the_root_down() {
    for (path, want) in [
        ("/", &[][..]),
        ("/a", &["/"]),
        ("/a/b", &["/", "/a"]),
        ("/é/ /\n/x", &["/", "/é", "/é/ ", "/é/ /\n"]),
    ] {
        let ancestors: Vec<_> = real(path).ancestors().collect();
        assert_eq!(ancestors, reals(want), "{path:?}");
        assert_eq!(real(path).depth(), want.len(), "{path:?}");
    }
    let raw = RealPath::new(b"/\xff/b").unwrap();
    assert_eq!(raw.ancestors().nth(1), RealPath::new(b"/\xff"));
}

#[test]
fn a_twin_is_the_same_path_through_the_other_end_of_an_alias() {
    let aliases = Host::stock_mac().aliases;
    for (path, want) in [
        ("/private/tmp", &["/tmp"][..]),
        ("/tmp/a/b", &["/private/tmp/a/b"]),
        ("/private/var/folders/me/T/x", &["/var/folders/me/T/x"]),
        ("/etc/hosts", &["/private/etc/hosts"]),
        // Neither end of an alias is above these.
        ("/", &[]),
        ("/private", &[]),
        ("/private/tmpfs/x", &[]),
        ("/tmp-old", &[]),
        ("/Users/me/tmp", &[]),
        ("/home/me", &[]),
        // A real path is spelled as stored: another spelling is not one of an alias's ends.
        ("/TMP/x", &[]),
    ] {
        let twins = real(path).twins(&aliases);
        assert_eq!(twins, reals(want), "{path}");
        for twin in twins {
            assert_eq!(twin.twins(&aliases), [real(path)], "of {path}, and back");
        }
    }
}

#[test]
fn each_alias_gives_a_twin_and_none_gives_it_twice() {
    let aliases = [
        alias("/tmp", "/private/tmp"),
        alias("/scratch", "/private/tmp/scratch"),
        alias("/tmp", "/private/tmp"),
        alias("/same", "/same"),
    ];
    assert_eq!(
        real("/private/tmp/scratch/f").twins(&aliases),
        reals(&["/tmp/scratch/f", "/scratch/f"])
    );
    assert_eq!(real("/same/f").twins(&aliases), []);
    // An alias of the root: everything has a twin.
    let whole = [alias("/host", "/")];
    assert_eq!(real("/a").twins(&whole), [real("/host/a")]);
    assert_eq!(real("/").twins(&whole), [real("/host")]);
    assert!(real("/host/a").twins(&whole).contains(&real("/a")));
}

#[test]
fn what_lies_below_a_folder_may_be_shown_elsewhere() {
    let aliases = Host::stock_mac().aliases;
    for (path, want) in [
        ("/private", &["/tmp", "/var", "/etc"][..]),
        ("/private/tmp", &["/tmp"]),
        ("/private/tmp/a", &["/tmp/a"]),
        // Both ends lie below the root.
        ("/", &[]),
        ("/Users", &[]),
    ] {
        assert_eq!(real(path).twins_below(&aliases), reals(want), "{path}");
    }
}

#[test]
fn the_data_volume_is_presented_without_its_prefix() {
    let mac = Host::stock_mac();
    for (path, want) in [
        ("/System/Volumes/Data/Users/me/f", "/Users/me/f"),
        ("/System/Volumes/Data/private/tmp", "/private/tmp"),
        ("/System/Volumes/Data/home", "/home"),
        ("/System/Volumes/Data", "/System/Volumes/Data"),
        ("/System/Volumes", "/System/Volumes"),
        ("/System/Volumes/Database/f", "/System/Volumes/Database/f"),
        (
            "/Users/me/System/Volumes/Data/f",
            "/Users/me/System/Volumes/Data/f",
        ),
        ("/Users/me", "/Users/me"),
        ("/", "/"),
    ] {
        assert_eq!(mac.presented(real(path)), real(want), "{path}");
    }
    let presented = mac.presented(real("/System/Volumes/Data/private/tmp/x"));
    assert_eq!(presented.twins(&mac.aliases), [real("/tmp/x")]);
}

/// Short paths over names that collide, and names that do not.
fn paths() -> impl Strategy<Value = RealPath> {
    let name = prop::sample::select(vec![
        "a", "A", "b", "ß", "SS", "é", "e\u{301}", "É", "ı", "I", "i", "Ａ", "ab",
    ]);
    proptest::collection::vec(name, 0..4).prop_map(|names| real(&format!("/{}", names.join("/"))))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn paths_compare_without_a_key_as_their_keys_do(one in paths(), other in paths()) {
        let keys = (one.key(), other.key());
        prop_assert_eq!(one.collides_with(&other), keys.0 == keys.1);
        prop_assert_eq!(one.collides_within(&other), keys.0.is_within(&keys.1));
        let caseless = (one.caseless_key(), other.caseless_key());
        prop_assert_eq!(one.is_caselessly_within(&other), caseless.0.is_within(&caseless.1));
        let mac = Host::stock_mac();
        prop_assert_eq!(mac.is_same(&one, &other), caseless.0 == caseless.1);
        prop_assert_eq!(mac.is_within(&one, &other), caseless.0.is_within(&caseless.1));
    }

    #[test]
    fn what_is_below_is_what_was_joined(path in paths(), name in "[a-zé ]{1,3}") {
        let joined = path.join(name.as_bytes()).unwrap();
        prop_assert_eq!(joined.below(&path), Some(name.as_bytes()));
        prop_assert_eq!(joined.leaf(), Some(name.as_bytes()));
        prop_assert_eq!(joined.ancestors().last(), Some(path.clone()));
        prop_assert!(path.below(&joined).is_none());
        prop_assert_eq!(path.join(b"a/b"), None);
        prop_assert_eq!(path.join(b".."), None);
    }
}
