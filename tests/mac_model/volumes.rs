//! Volumes of both rules, firmlinks, root aliases: which object a name leads to, and under which name
//! it is asked about.

use objcap::object::{Object, World as _};
use objcap_support::mac::{Call, Errno, How, Mac, Outcome, Process, Rule};
use objcap_support::told::told;

use crate::{asks_each, name, open, world};

#[test]
fn a_firmlink_is_its_own_place() {
    let mut mac = world();
    let long = "/System/Volumes/Data/Users/me";
    assert_eq!(mac.at(long), mac.at("/Users/me"));
    asks_each(
        &mac,
        &open(long, How::Directory),
        &["file-read-data /Users/me"],
    );
    asks_each(
        &mac,
        &open("/home", How::Directory),
        &["file-read-metadata /home", "file-read-data /home"],
    );
    // The kernel's `..` of a firmlink's target is the firmlink's folder, and ours is the one that was
    // passed: docs/decisions/0002.
    let up = "/System/Volumes/Data/Users/..";
    asks_each(&mac, &open(up, How::Read), &["file-read-data /"]);
    let follow = Default::default();
    assert_eq!(told(&mac, up, &follow), "directory /System/Volumes/Data");
    for (from, errno) in [("/Users", Errno::ACCESS), (long, Errno::ACCESS)] {
        let call = Call::Rename {
            from: name(from),
            to: name("/w/x"),
        };
        let answer = Process::unconfined(&mac, "/w").call(&mut mac, &call);
        assert_eq!(answer.outcome, Outcome::Failed(errno));
    }
    let users = mac.at("/Users").unwrap();
    assert_eq!(mac.names_of(users), [b"/Users"]);
}

#[test]
fn what_another_volume_holds_is_neither_moved_nor_linked_here() {
    let mut mac = Mac::empty(Rule::Folding);
    mac.mount("/v", Rule::Exact);
    mac.file("/v/f", "f");
    mac.file("/g", "g");
    mac.give("/");
    mac.give("/v");
    let mut process = Process::unconfined(&mac, "/");
    let mut run = |call: Call| process.call(&mut mac, &call).outcome;
    let rename = |from, to| Call::Rename {
        from: name(from),
        to: name(to),
    };
    assert_eq!(run(rename("/g", "/v/g")), Outcome::Failed(Errno::XDEV));
    assert_eq!(run(rename("/v", "/w")), Outcome::Failed(Errno::BUSY));
    let link = Call::Link {
        from: name("/v/f"),
        to: name("/f"),
        leaf: objcap::walk::Leaf::Follow,
    };
    assert_eq!(run(link), Outcome::Failed(Errno::XDEV));
    let swap = Call::Swap {
        one: name("/v/f"),
        other: name("/g"),
    };
    assert_eq!(run(swap), Outcome::Failed(Errno::XDEV));
    assert_eq!(
        run(Call::RemoveFolder(name("/v"))),
        Outcome::Failed(Errno::BUSY)
    );
}

#[test]
fn each_volume_tells_names_apart_in_its_own_way() {
    let mut mac = Mac::empty(Rule::Folding);
    mac.mount("/v", Rule::Exact);
    mac.file("/Folded", "1");
    mac.file("/v/exact", "2");
    mac.directory("/w");
    mac.give("/");
    mac.give("/v");
    let mut process = Process::unconfined(&mac, "/");
    let mut run = |path: &str, how| process.call(&mut mac, &open(path, how)).outcome;
    assert!(matches!(run("/FOLDED", How::Read), Outcome::Done(_)));
    assert_eq!(
        run("/FOLDED", How::CreateNew),
        Outcome::Failed(Errno::EXIST)
    );
    assert_eq!(run("/V/Exact", How::Read), Outcome::Failed(Errno::NOENT));
    assert!(matches!(run("/V/Exact", How::CreateNew), Outcome::Done(_)));
    assert_eq!(
        told(&mac, "/V/EXACT", &Default::default()),
        "absent /v/EXACT"
    );
    assert_eq!(told(&mac, "/fOLDED", &Default::default()), "file /Folded");
    asks_each(
        &mac,
        &open("/fOLDED", How::Read),
        &["file-read-data /Folded"],
    );
    assert_ne!(mac.at("/v/exact"), mac.at("/v/Exact"));
}

#[test]
fn a_stock_mac_has_what_the_models_of_the_product_have() {
    let mac = Mac::stock();
    let host = mac.clone().host();
    let stock = objcap::object::Host::stock_mac();
    assert_eq!(host.floor, stock.floor);
    for (real, stat) in stock.tree.objects() {
        let ino = mac
            .at(&real)
            .unwrap_or_else(|| panic!("{}", real.escape_ascii()));
        assert_eq!(mac.kind(ino), stat.kind, "{}", real.escape_ascii());
    }
    let at = |path: &str| Object::walk(&mac, path, &Default::default()).unwrap();
    assert!(mac.is_changeable(&at("/tmp/x")).unwrap());
    assert!(mac.is_changeable(&at("/Users/me/x")).unwrap());
    assert!(!mac.is_changeable(&at("/private")).unwrap());
    assert!(!mac.is_changeable(&at("/bin/sh")).unwrap());
    assert!(mac.is_runnable(&at("/bin/sh")).unwrap());
    assert!(!mac.is_runnable(&at("/usr")).unwrap());
    assert_eq!(mac.head(&at("/bin/sh")).unwrap(), b"\xca\xfe\xba\xbe");
}

#[test]
fn a_kept_object_is_found_wherever_it_goes() {
    let mut mac = world();
    let object = Object::walk(&mac, "/w/f", &Default::default()).unwrap();
    let kept = mac.keep(&object).unwrap();
    let rename = Call::Rename {
        from: name("f"),
        to: name("d/moved"),
    };
    let mut process = Process::unconfined(&mac, "/w");
    assert!(process.call(&mut mac, &rename).is_done());
    let real = |mac: &Mac| mac.whereabouts(&kept).unwrap().map(|real| real.to_string());
    assert_eq!(real(&mac).as_deref(), Some("/w/d/moved"));
    assert!(mac.keep(&object).is_err(), "it is not where it was walked");
    assert!(
        process
            .call(&mut mac, &Call::Unlink(name("d/moved")))
            .is_done()
    );
    assert_eq!(real(&mac), None);
}

/// The kernel's answer to this is not known. Here the copy ends, and holds what stood there before it.
#[test]
fn a_copy_that_stands_behind_a_firmlink_of_what_is_copied_ends() {
    let mut mac = Mac::empty(Rule::Folding);
    mac.mount("/v", Rule::Folding);
    mac.file("/v/users/f", "f");
    mac.firmlink("/users", "/v/users");
    mac.give("/v/users");
    let clone = Call::Clone {
        from: name("/v"),
        to: name("/users/copy"),
        leaf: objcap::walk::Leaf::AsNamed,
    };
    let mut process = Process::unconfined(&mac, "/");
    let answer = process.call(&mut mac, &clone);
    assert!(matches!(answer.outcome, Outcome::Done(_)), "{answer:?}");
    assert!(mac.at("/users/copy/users/f").is_some());
    assert!(mac.at("/users/copy/users/copy").is_none());
    assert!(mac.at("/users/f").is_some());
}
