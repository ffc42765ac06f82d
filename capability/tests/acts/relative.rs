//! Names that are relative: they begin at the host's current folder, whoever is asked.

use objcap_capability::{Access, Act, Grant, Guard, GuardError, Read};
use objcap_object::{ErrorKind, Host};

use crate::frozen;

#[test]
fn a_relative_name_begins_at_the_current_folder() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/app/src/f");
    host.tree.file("/w/f");
    // What the same names are from the root.
    host.tree.file("/src/f");
    host.tree.file("/f");
    host.tree.link("/w/app/up", "..");
    host.vars.cwd = Some("/w/app".into());
    let stack = frozen(&[Grant::builder().read("/w").exclude("/w/app/.env")], &host);
    let guard = Guard::new(&host, &stack);
    for (name, real) in [
        ("src/f", "/w/app/src/f"),
        ("./src/f", "/w/app/src/f"),
        ("../f", "/w/f"),
        // `..` is the folder's own, and not a part of the text.
        ("up/f", "/w/f"),
        ("up/../f", "/f"),
        (".", "/w/app"),
        ("new", "/w/app/new"),
        ("/w/f", "/w/f"),
    ] {
        let judged = guard.judge(name, Access::READ).unwrap();
        assert_eq!(judged.real().to_string(), real, "{name}");
        assert_eq!(judged.is_admitted(), real.starts_with("/w"), "{name}");
    }
    assert!(!guard.judge(".ENV", Access::READ).unwrap().is_admitted());
    let held = guard.locate::<Read>("src/f").unwrap();
    assert_eq!(held.real().to_string(), "/w/app/src/f");
    let act = guard.judge_act(Act::Rename, &["src/f", "../f"]).unwrap();
    let reals: Vec<_> = act.iter().map(|end| end.real().to_string()).collect();
    assert_eq!(reals, ["/w/app/src/f", "/w/f"]);
}

#[test]
fn without_a_current_folder_a_relative_name_is_an_error() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/f");
    for cwd in [None, Some("w".into())] {
        host.vars.cwd = cwd;
        let stack = frozen(&[Grant::builder().read("/w")], &host);
        let guard = Guard::new(&host, &stack);
        assert!(guard.judge("/w/f", Access::READ).unwrap().is_admitted());
        let error = guard.judge("w/f", Access::READ).unwrap_err();
        assert!(matches!(error, GuardError::NoFolder(_)), "{error}");
        assert!(error.to_string().contains("`w/f` is relative"), "{error}");
        assert!(guard.locate::<Read>("w/f").is_err());
        assert!(guard.exec("./f", &[] as &[&str]).is_err());
    }
    // No text is no name, wherever one stands.
    host.vars.cwd = Some("/w".into());
    let stack = frozen(&[Grant::builder().read("/w")], &host);
    let guard = Guard::new(&host, &stack);
    let error = guard.judge("", Access::READ).unwrap_err();
    let GuardError::Walk(walk) = error else {
        panic!("{error}");
    };
    assert_eq!(walk.kind(), ErrorKind::EmptyPath);
}
