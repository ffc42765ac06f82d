//! A link that the program may replace does not lead to an allowance.

use objcap_capability::{Access, ErrorKind, Grant, GrantBuilder};
use objcap_object::Host;

use crate::{admits, freeze, frozen};

fn world() -> Host<objcap_object::Memory> {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    tree.file("/data/f");
    tree.file("/data/app.sock");
    tree.link("/w/l", "/data");
    tree.link("/w/tool", "/usr/bin/git");
    tree.link("/fixed", "data");
    tree.directory("/w/deep");
    host
}

fn writing() -> GrantBuilder {
    Grant::builder().write("/w")
}

#[test]
fn every_kind_of_allowance_through_a_writable_link_is_refused_and_the_link_named() {
    let host = world();
    // The same clauses, where no link is in a write allowance.
    frozen(&[writing().read("/fixed/f")], &host);
    frozen(&[Grant::builder().fs().read("/w/l/f")], &host);
    let through = [
        (writing().read("/w/l/f"), "/w/l"),
        (writing().write("/w/l"), "/w/l"),
        (writing().read("/data").allow("/w/tool"), "/w/tool"),
        (writing().allow("/w/l/f"), "/w/l"),
        (writing().socket("/w/l/app.sock"), "/w/l"),
        (writing().read("/w/deep/../l"), "/w/l"),
    ];
    for (grant, link) in through {
        let error = freeze(&[grant], &host).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WritableLink);
        let named = format!("passes the link `{link}`, which write `/w`");
        assert!(error.message().contains(&named), "{error}");
    }
}

#[test]
fn a_dead_allowance_and_a_protected_link_are_no_way_in() {
    let host = world();
    let dead = writing().read("/w/l/f").exclude("/data");
    let stack = frozen(&[dead], &host);
    assert!(admits(&stack, &host, "/w/new", Access::WRITE));
    assert!(!admits(&stack, &host, "/data/f", Access::READ));
    // The link may not be replaced: what it says is the author's.
    let kept = writing().read("/w/l/f").protect("/w/l");
    let stack = frozen(&[kept], &host);
    assert!(admits(&stack, &host, "/w/new", Access::WRITE));
    assert!(admits(&stack, &host, "/data/f", Access::READ));
    assert!(!admits(&stack, &host, "/data/f", Access::WRITE));
}

#[test]
fn a_link_that_one_of_two_layers_keeps_from_being_written_may_be_passed() {
    let host = world();
    let reading = || Grant::builder().read("/w").read("/data");
    let error = freeze(&[writing().read("/w/l/f")], &host).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WritableLink);
    let stack = frozen(&[writing().read("/w/l/f"), reading()], &host);
    assert!(admits(&stack, &host, "/w/l/f", Access::READ));
    assert!(!admits(&stack, &host, "/w/deep", Access::WRITE));
    let both = [writing().read("/w/l/f"), writing().read("/data")];
    assert_eq!(
        freeze(&both, &host).unwrap_err().kind(),
        ErrorKind::WritableLink
    );
    // A layer that does not speak of files takes nothing from what the other lets be written.
    let beside = [writing().read("/w/l/f"), Grant::builder().offline()];
    assert_eq!(
        freeze(&beside, &host).unwrap_err().kind(),
        ErrorKind::WritableLink
    );
    let elsewhere = [writing().read("/usr"), Grant::builder().allow("/w/tool")];
    assert_eq!(
        freeze(&elsewhere, &host).unwrap_err().kind(),
        ErrorKind::WritableLink
    );
}

#[test]
fn a_name_replaced_by_a_link_leads_nowhere_in_the_next_generation() {
    let mut host = world();
    host.tree.file("/w/plain/f");
    let grant = || writing().read("/w/plain/f").read("/w/plain/../deep");
    frozen(&[grant()], &host);
    assert!(host.tree.remove("/w/plain"));
    host.tree.link("/w/plain", "/data");
    let error = freeze(&[grant()], &host).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WritableLink, "{error}");
}

#[test]
fn variables_are_a_closed_list_and_have_a_value() {
    let mut host = world();
    assert!(freeze(&[Grant::builder().read("${TMPDIR}/x")], &host).is_ok());
    let kind = |host: &Host<_>, surface: &str| {
        freeze(&[Grant::builder().read(surface)], host)
            .unwrap_err()
            .kind()
    };
    assert_eq!(kind(&host, "${PWD}/x"), ErrorKind::UnknownVariable);
    assert_eq!(
        kind(&host, "${XDG_CONFIG_HOME}/x"),
        ErrorKind::UnsetVariable
    );
    host.vars.tmpdir = Some("".into());
    assert_eq!(kind(&host, "${TMPDIR}/x"), ErrorKind::UnsetVariable);
    host.vars.home = None;
    assert_eq!(kind(&host, "~/x"), ErrorKind::UnsetVariable);
}
