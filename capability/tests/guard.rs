//! The guard on this machine's file system. A test of a refusal first shows an admitted access
//! under the same grant.

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
