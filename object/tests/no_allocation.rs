//! Names of ASCII are folded and compared without an allocation, in upper case too. A program of its
//! own, because it counts what the allocator is asked for.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::hint::black_box;

use allocation_counter::measure;
use objcap_object::name::{caseless, fold};
use objcap_object::{Host, Names, RealPath};

/// How often the allocator is asked.
fn asked(what: impl FnOnce()) -> u64 {
    measure(what).count_total
}

fn real(text: &str) -> RealPath {
    RealPath::new(text).unwrap()
}

#[test]
fn what_is_not_ascii_is_seen_to_allocate() {
    assert_eq!(asked(|| drop(black_box(vec![0_u8; 9]))), 1);
    assert!(asked(|| drop(black_box(fold("É".as_bytes())))) > 0);
    assert!(asked(|| drop(black_box(real("/a").key()))) > 0);
}

#[test]
fn an_ascii_name_is_folded_without_allocating() {
    let longest = "aB".repeat(2_000);
    for name in ["", "env", ".ENV", "README.md", "~[*]\n", &longest] {
        let folds = || {
            let (key, same) = (fold(name.as_bytes()), caseless(name.as_bytes()));
            assert!(key == same && key == fold(black_box(name).as_bytes()));
            let small = name.bytes().map(|byte| byte.to_ascii_lowercase());
            assert!(key.bytes().eq(small));
        };
        assert_eq!(asked(folds), 0, "{name:?}");
    }
}

#[test]
fn ascii_paths_are_compared_without_allocating() {
    let path = real("/Users/ME/Src/App/.ENV");
    let inside = real("/users/me/src/app");
    let beside = real("/users/me/src/apps");
    let mac = Host::stock_mac();
    let mut exact = Host::stock_mac();
    exact.names = Names::Exact;
    let keys = [path.key(), inside.key(), beside.key()];
    let compares = || {
        assert!(path.collides_within(&inside) && !path.collides_within(&beside));
        assert!(path.is_caselessly_within(&inside) && !path.collides_with(&inside));
        assert!(mac.is_within(&path, &inside) && !mac.is_same(&path, &inside));
        assert!(!exact.is_within(&path, &inside) && !exact.is_same(&path, &inside));
        assert!(keys[0].is_within(&keys[1]) && !keys[0].is_within(&keys[2]));
        assert!(keys[0] != keys[1] && path.below(&inside).is_none());
        black_box(path.components().count());
    };
    assert_eq!(asked(compares), 0);
}
