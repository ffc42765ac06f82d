//! Another name of an excluded object, on this machine's file system.

use std::fs;

use objcap_capability::{Access, Grant, Guard, Match, Refusal, Stack, Verdict};
use objcap_object::Host;

#[test]
fn another_name_of_an_excluded_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    fs::write(root.join("secret"), "").unwrap();
    fs::write(root.join("open"), "").unwrap();
    fs::hard_link(root.join("secret"), root.join("alias")).unwrap();
    let host = Host::ambient().unwrap();
    let grant = Grant::builder()
        .read(&root)
        .exclude(root.join("secret"))
        .build(&host.vars)
        .unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let judge = |name: &str| guard.judge(root.join(name), Access::READ).unwrap();
    assert!(judge("open").is_admitted());
    assert!(!judge("secret").is_admitted());
    let judged = judge("alias");
    assert!(
        matches!(
            judged.verdict(),
            Verdict::Refused(Refusal::Excluded {
                by: Match::Identity,
                ..
            })
        ),
        "{judged}"
    );
}

#[test]
fn a_second_name_is_nothing_by_itself_and_a_link_is_what_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    for name in ["secret", "open"] {
        fs::write(root.join(name), "").unwrap();
        fs::hard_link(root.join(name), root.join(format!("second-{name}"))).unwrap();
        std::os::unix::fs::symlink(name, root.join(format!("to-{name}"))).unwrap();
    }
    let host = Host::ambient().unwrap();
    let grant = Grant::builder()
        .write(&root)
        .exclude(root.join("secret"))
        .build(&host.vars);
    let stack = Stack::freeze(&[grant.unwrap()], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    for access in [Access::READ, Access::WRITE] {
        let admitted = |name: &str| guard.judge(root.join(name), access).unwrap().is_admitted();
        for name in ["open", "second-open", "to-open"] {
            assert!(admitted(name), "{name}");
        }
        for name in ["secret", "second-secret", "to-secret"] {
            assert!(!admitted(name), "{name}");
        }
    }
}
