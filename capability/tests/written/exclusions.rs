//! An exclusion is where its name first led, where it leads now, and where its object is now. What its name
//! passed is held in place.

use objcap_capability::{Access, Act, Grant, Guard, Stack};
use objcap_object::{Host, Memory};

use crate::{admits, frozen};

fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree.file("/w/.env");
    host.tree.file("/w/keys/id");
    host.tree.file("/w/other/id");
    host.tree.link("/w/current", "keys");
    host
}

fn reads(stack: &Stack<Memory>, host: &Host<Memory>, paths: &[&str]) -> Vec<bool> {
    let read = |path: &&str| admits(stack, host, path, Access::READ);
    paths.iter().map(read).collect()
}

#[test]
fn where_its_name_first_led_where_it_leads_and_where_its_object_is() {
    let mut host = world();
    let grant = Grant::builder().read("/w").exclude("/w/current/id");
    let stack = frozen(&[grant], &host);
    let places = ["/w/keys/id", "/w/other/id", "/w/moved", "/w/keys/new"];
    host.tree.file("/w/keys/new");
    assert_eq!(reads(&stack, &host, &places), [false, true, true, true]);

    // The link now leads elsewhere: both places are excluded.
    assert!(host.tree.remove("/w/current"));
    host.tree.link("/w/current", "other");
    let again = stack.renewed(&host).unwrap();
    assert_eq!(reads(&again, &host, &places), [false, false, true, true]);

    // The object that it first led to has another name: so has the exclusion.
    assert!(host.tree.rename("/w/keys/id", "/w/moved"));
    let again = stack.renewed(&host).unwrap();
    assert_eq!(reads(&again, &host, &places), [false, false, false, true]);
    let excluded = again.layers()[0].fs().unwrap().exclusions()[0].places();
    let mut reals: Vec<_> = excluded
        .iter()
        .map(|place| place.real().to_string())
        .collect();
    reals.sort();
    assert_eq!(reals, ["/w/keys/id", "/w/moved", "/w/other/id"]);
    // The names hold for whatever comes there, too.
    host.tree.file("/w/keys/id");
    assert_eq!(reads(&again, &host, &places), [false, false, false, true]);
}

#[test]
fn a_folder_that_was_moved_takes_what_lies_below_along() {
    let mut host = world();
    let stack = frozen(&[Grant::builder().write("/w").exclude("/w/keys")], &host);
    assert_eq!(
        reads(&stack, &host, &["/w/keys/id", "/w/away/id"]),
        [false, true]
    );
    assert!(host.tree.rename("/w/keys", "/w/away"));
    let again = stack.renewed(&host).unwrap();
    assert_eq!(
        reads(&again, &host, &["/w/keys/id", "/w/away/id"]),
        [false, false]
    );
    assert!(admits(&again, &host, "/w/other/id", Access::WRITE));
}

#[test]
fn what_came_after_the_freezing_is_found_again_too() {
    let mut host = world();
    let stack = frozen(&[Grant::builder().read("/w").exclude("/w/late")], &host);
    assert_eq!(stack.unkept(), 0);
    host.tree.file("/w/late");
    let again = stack.renewed(&host).unwrap();
    assert!(host.tree.rename("/w/late", "/w/later"));
    let third = again.renewed(&host).unwrap();
    assert_eq!(
        reads(&third, &host, &["/w/late", "/w/later", "/w/.env"]),
        [false, false, true]
    );
    assert_eq!(third.unkept(), 0);
}

#[test]
fn more_objects_than_are_held_are_counted() {
    let mut host = world();
    let mut grant = Grant::builder().read("/w");
    for number in 0..70 {
        host.tree.file(format!("/w/many/{number}"));
        grant = grant.exclude(format!("/w/many/{number}"));
    }
    // The program's own executable is one of the 64.
    let stack = frozen(&[grant], &host);
    assert_eq!(stack.unkept(), 71 - 64);
    assert_eq!(stack.renewed(&host).unwrap().unkept(), 71 - 64);
}

/// Whether moving what stands there is admitted.
fn moves(stack: &Stack<Memory>, host: &Host<Memory>, from: &str) -> bool {
    let guard = Guard::new(host, stack);
    let judged = guard.judge_act(Act::Rename, &[from, "/w/free"]).unwrap();
    judged.iter().all(|judged| judged.is_admitted())
}

#[test]
fn what_an_exclusions_name_passed_stays() {
    let mut host = world();
    host.tree.directory("/w/up/down");
    host.tree.link("/w/alias", "up/down/../../keys/id");
    let grants = [
        ("/w/current/id", vec!["/w/current", "/w/keys"]),
        // A folder that the name leaves again decides where its `..` is.
        (
            "/w/up/down/../../keys/id",
            vec!["/w/up", "/w/up/down", "/w/keys"],
        ),
        (
            "/w/alias",
            vec!["/w/alias", "/w/up/down", "/w/up", "/w/keys"],
        ),
    ];
    for (excluded, held) in grants {
        let grant = Grant::builder().write("/w").exclude(excluded);
        let stack = frozen(&[grant], &host);
        assert!(moves(&stack, &host, "/w/other"), "{excluded}");
        for name in held {
            assert!(!moves(&stack, &host, name), "{excluded}: {name}");
        }
    }
}

#[test]
fn an_allowance_lets_be_looked_at_what_its_name_left_again() {
    let mut host = world();
    host.tree.directory("/x/up/down");
    let stack = frozen(&[Grant::builder().read("/x/up/down/../../../w")], &host);
    assert!(admits(&stack, &host, "/w/keys/id", Access::READ));
    for name in ["/x", "/x/up", "/x/up/down"] {
        assert!(admits(&stack, &host, name, Access::STAT), "{name}");
        assert!(!admits(&stack, &host, name, Access::READ), "{name}");
    }
}
