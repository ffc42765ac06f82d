//! Bad input and much of it: a clear answer in time that grows with the size, and never a panic.

use std::time::{Duration, Instant};

use objcap_capability::{Access, ErrorKind, Grant, Guard, Stack};
use objcap_object::{Host, Memory};

use crate::frozen;

fn time(work: impl FnOnce()) -> Duration {
    let clock = Instant::now();
    work();
    clock.elapsed()
}

/// Ten times the work takes at most thirty times as long: a hundred would be quadratic. The machine has
/// other things to do, so one good try of several is enough.
#[track_caller]
fn grows_with_the_size(work: impl Fn(usize), small: usize) {
    let tries: Vec<_> = (0..8)
        .map(|_| (time(|| work(small)), time(|| work(small * 10))))
        .take_while(|(one, ten)| *ten > *one * 30)
        .collect();
    assert!(tries.len() < 8, "{small}, and ten times that: {tries:?}");
}

fn grant(host: &Host<Memory>, count: usize) -> Grant {
    let mut text = String::from("[fs]\nread = [\n");
    for number in 0..count {
        text.push_str(&format!("  '/w/{}/{number}/f',\n", number % 100));
    }
    text.push_str("]\nexclude = [\n");
    for number in 0..count {
        text.push_str(&format!("  '/w/{}/{number}/.env',\n", number % 100));
    }
    text.push_str("]\n[exec]\nallow = [\n");
    for number in 0..count {
        text.push_str(&format!("  '/opt/{number}',\n"));
    }
    text.push_str("]\n");
    Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap()
}

#[test]
fn many_clauses_are_frozen_in_time_that_grows_with_their_number() {
    let mut host = Host::stock_mac();
    for number in 0..5000 {
        host.tree
            .write(format!("/opt/{number}"), format!("#!/lib/i{number}\n"));
        host.tree.write(format!("/lib/i{number}"), "\u{7f}ELF");
    }
    grows_with_the_size(
        |count| {
            let stack = Stack::freeze(&[grant(&host, count)], &host).unwrap();
            assert!(
                stack.layers()[0]
                    .exec()
                    .unwrap()
                    .rights()
                    .allowances()
                    .len()
                    >= count
            );
        },
        500,
    );
}

#[test]
fn thousands_of_layers_are_met_in_time_that_grows_with_their_number() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/f");
    let one = Grant::builder()
        .read("/w")
        .exclude("/w/.env")
        .allow("/usr/bin/git")
        .build(&host.vars)
        .unwrap();
    grows_with_the_size(
        |count| {
            let grants = vec![one.clone(); count];
            let stack = Stack::freeze(&grants, &host).unwrap();
            let guard = Guard::new(&host, &stack);
            assert!(guard.judge("/w/f", Access::READ).unwrap().is_admitted());
            assert!(!guard.judge("/w/.env", Access::READ).unwrap().is_admitted());
        },
        200,
    );
}

#[test]
fn a_grant_of_ten_megabytes_is_frozen() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/f");
    let mut text = String::from("[fs]\nread = ['/w']\nexclude = [\n");
    let mut number = 0;
    while text.len() < 10_000_000 {
        text.push_str(&format!("'/w/{number:090}',\n"));
        number += 1;
    }
    text.push(']');
    let clock = Instant::now();
    let grant = Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    assert!(guard.judge("/w/f", Access::READ).unwrap().is_admitted());
    assert!(
        !guard
            .judge(format!("/w/{:090}", 77_777), Access::READ)
            .unwrap()
            .is_admitted()
    );
    assert!(
        clock.elapsed() < Duration::from_secs(60),
        "{:?}",
        clock.elapsed()
    );
}

#[test]
fn clauses_that_contradict_each_other_are_taken_for_what_they_say() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/f");
    let build = |builder: objcap_capability::GrantBuilder| builder.build(&host.vars);
    let error = build(Grant::builder().veto("bin/curl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAName);
    let error = build(Grant::builder().exec_exclude("curl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAPlace);
    // Two layers that leave nothing but what every program needs.
    let apart = [Grant::builder().read("/w"), Grant::builder().read("/v")];
    let stack = frozen(&apart, &host);
    let guard = Guard::new(&host, &stack);
    assert!(
        guard
            .judge("/usr/bin/git", Access::READ)
            .unwrap()
            .is_admitted()
    );
    for path in ["/w/f", "/v/f"] {
        assert!(
            !guard.judge(path, Access::READ).unwrap().is_admitted(),
            "{path}"
        );
    }
    // An allowance that does not exist, excluded by the same grant.
    let both = Grant::builder().write("/w/new").exclude("/w/new");
    let stack = frozen(&[both], &host);
    assert!(
        !Guard::new(&host, &stack)
            .judge("/w/new", Access::WRITE)
            .unwrap()
            .is_admitted()
    );
}
