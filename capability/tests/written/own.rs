//! The executable and the grant's own files: written, linked and replaced by nobody.

use objcap_capability::{Access, Act, Grant, GrantBuilder, Guard, Stack};
use objcap_object::{Host, Memory};

use crate::{admits, frozen};

const FILE: &str = "/Users/me/app/grant.toml";

fn world() -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree.file(FILE);
    host.tree.file("/Users/me/app/main.rs");
    assert!(host.tree.link_hard(FILE, "/Users/me/second"));
    assert!(
        host.tree
            .link_hard("/usr/local/bin/objcap", "/Users/me/mine")
    );
    host.tree.link("/Users/me/by-link", "app/grant.toml");
    host
}

fn all(stack: &Stack<Memory>, host: &Host<Memory>, act: Act, paths: &[&str]) -> bool {
    let guard = Guard::new(host, stack);
    let judged = guard.judge_act(act, paths).unwrap();
    judged.iter().all(|judged| judged.is_admitted())
}

#[test]
fn own_files_are_kept_by_name_and_identity_with_files_restricted_or_not() {
    let host = world();
    let grants: [GrantBuilder; 2] = [
        Grant::builder().write("/Users/me").write("/usr/local"),
        Grant::builder().offline(),
    ];
    for (number, grant) in grants.into_iter().enumerate() {
        let stack = frozen(&[grant.protect_self(FILE)], &host);
        let free = "/Users/me/app/main.rs";
        assert!(all(&stack, &host, Act::Write, &[free]));
        assert!(all(&stack, &host, Act::Link, &[free, "/Users/me/third"]));
        assert!(all(&stack, &host, Act::Rename, &[free, "/Users/me/third"]));
        for own in [
            FILE,
            "/Users/me/APP/Grant.toml",
            "/Users/me/second",
            "/Users/me/by-link",
            "/usr/local/bin/objcap",
            "/Users/me/mine",
        ] {
            assert!(admits(&stack, &host, own, Access::READ), "{own}");
            assert!(!all(&stack, &host, Act::Write, &[own]), "{number}: {own}");
            if own != "/Users/me/by-link" {
                // The link is another object, and may go.
                assert!(!all(&stack, &host, Act::Remove, &[own]), "{own}");
                assert!(
                    !all(&stack, &host, Act::Link, &[own, "/Users/me/x"]),
                    "{own}"
                );
                assert!(!all(&stack, &host, Act::Rename, &[free, own]), "{own}");
                assert!(!all(&stack, &host, Act::Swap, &[own, free]), "{own}");
            }
        }
        for folder in ["/Users/me/app", "/usr/local/bin", "/usr/local"] {
            assert!(
                !all(&stack, &host, Act::Rename, &[folder, "/Users/me/x"]),
                "{folder}"
            );
        }
    }
}

#[test]
fn a_refusal_says_whose_file_it_is_and_under_which_spelling() {
    let host = world();
    let grant = Grant::builder().write("/Users/me").protect_self(FILE);
    let stack = frozen(&[grant], &host);
    let guard = Guard::new(&host, &stack);
    let reason = |path: &str| guard.judge(path, Access::WRITE).unwrap().reason();
    assert_eq!(
        reason(FILE),
        "this program, its own file by protect `/Users/me/app/grant.toml`, protects it"
    );
    assert_eq!(
        reason("/Users/me/second"),
        "this program, its own file by protect `/Users/me/app/grant.toml`, protects it: it is another \
         name of what it protects"
    );
}

#[test]
fn an_own_file_that_does_not_exist_is_not_made_under_any_spelling() {
    let mut host = world();
    assert!(host.tree.remove(FILE));
    let grant = Grant::builder().write("/Users/me").protect_self(FILE);
    let stack = frozen(&[grant], &host);
    let guard = Guard::new(&host, &stack);
    assert!(all(&stack, &host, Act::Create, &["/Users/me/app/new"]));
    assert!(!all(&stack, &host, Act::Create, &[FILE]));
    let judged = guard
        .judge("/Users/me/app/GRANT.toml", Access::WRITE)
        .unwrap();
    assert!(
        judged.reason().ends_with(
            "`/Users/me/app/GRANT.toml` is `/Users/me/app/grant.toml` under another spelling"
        ),
        "{judged}"
    );
}
