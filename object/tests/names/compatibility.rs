//! Compatibility forms: the key keeps them apart, and a ZFS dataset made with `normalization=formKD`
//! does not. What that leaves open, on such a volume in memory.

use icu_normalizer::DecomposingNormalizerBorrowed;
use objcap_object::{Memory, Object, Options, RealPath, Tail};

use crate::folded;

const NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();

/// Case-sensitive, as datasets are unless they are told otherwise.
fn volume() -> Memory {
    Memory::folding(|name| match std::str::from_utf8(name) {
        Ok(text) => NFKD.normalize(text).into_owned().into_bytes().into(),
        Err(_) => name.into(),
    })
}

fn real(tree: &Memory, path: &str) -> RealPath {
    let options = Options {
        tail: Tail::Accept,
        ..Options::default()
    };
    Object::walk(tree, path, &options).unwrap().real().clone()
}

#[test]
fn what_exists_has_one_key_however_it_is_typed() {
    let mut tree = volume();
    tree.file("/w/ｋey²/f");
    let excluded = real(&tree, "/w/key2");
    assert_eq!(excluded.as_bytes(), "/w/ｋey²".as_bytes(), "as stored");
    for typed in ["/w/ｋey²/f", "/w/key2/f", "/w/ｋｅｙ2/f", "/w/key²/new"] {
        assert!(real(&tree, typed).collides_within(&excluded), "{typed}");
    }
}

#[test]
fn ligatures_fold_with_the_case() {
    for (form, letters) in [("ﬀ", "ff"), ("ﬃ", "FFI"), ("ﬆ", "st"), ("ﬅ", "ST")] {
        assert_eq!(folded(form), folded(letters), "{form}");
    }
}

#[test]
fn residual_what_does_not_exist_has_a_key_for_each_compatibility_form() {
    let mut tree = volume();
    tree.directory("/w");
    let excluded = real(&tree, "/w/key2");
    assert!(real(&tree, "/w/KEY2").collides_within(&excluded));
    for typed in ["/w/ｋey2", "/w/key²", "/w/key②"] {
        assert!(!real(&tree, typed).collides_within(&excluded), "{typed}");
    }
    // What is made under one of them has the excluded name, too: from then on it is seen.
    tree.file("/w/key²");
    let made = real(&tree, "/w/key²");
    assert!(!made.collides_within(&excluded));
    assert!(real(&tree, "/w/key2").collides_with(&made));
}
