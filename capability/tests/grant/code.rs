//! Grants built by a program: the same clauses and refusals, without a file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use objcap_capability::ErrorKind::*;
use objcap_capability::{Grant, List, NetAccess, Origin};

use super::vars;

#[test]
fn built_by_a_program() {
    let grant = Grant::builder()
        .read("~/src")
        .exclude("/w/.env")
        .write(PathBuf::from("${CWD}/out"))
        .read(OsString::from_vec(b"/w/\xff".to_vec()))
        .net(NetAccess::Open)
        .offline()
        .build(&vars())
        .unwrap();
    assert_eq!(grant.file(), None);
    let fs = grant.fs().unwrap();
    let clauses: Vec<_> = fs
        .clauses()
        .iter()
        .map(|c| (c.list(), c.path().unwrap().to_owned()))
        .collect();
    let expected = [
        (List::Read, PathBuf::from("/home/me/src")),
        (List::Exclude, "/w/.env".into()),
        (List::Write, "/w/app/out".into()),
        (List::Read, OsString::from_vec(b"/w/\xff".to_vec()).into()),
    ];
    assert_eq!(clauses, expected);
    assert_eq!(fs.clauses()[0].surface(), OsStr::new("~/src"));
    assert!(
        fs.clauses()
            .iter()
            .all(|c| matches!(c.origin(), Origin::Code))
    );
    assert_eq!(grant.net().unwrap().access(), NetAccess::Offline);

    let none = Grant::builder().build(&vars()).unwrap();
    assert!(none.fs().is_none() && none.net().is_none());
    let empty = Grant::builder().fs().build(&vars()).unwrap();
    assert_eq!(empty.fs().unwrap().clauses().len(), 0);
    let kept = Grant::builder().read("/a").fs().build(&vars()).unwrap();
    assert_eq!(kept.fs().unwrap().clauses().len(), 1);
}

#[test]
fn refused_of_a_program() {
    #[rustfmt::skip]
    let table = [
        (&b"a"[..], RelativeClause, "`a` is relative"),
        (b"", EmptyClause, "the clause is empty"),
        (b"/\0", NulInClause, r"`/\u{0}` contains a NUL"),
        (b"a\xff", RelativeClause, "`a\u{fffd}` is relative"),
        (b"~/\xff", Encoding, "`~/\u{fffd}` is not UTF-8, so it cannot be expanded"),
        (b"/\xff${HOME}", Encoding, "is not UTF-8, so it cannot be expanded"),
    ];
    for (surface, kind, message) in table {
        let surface = OsString::from_vec(surface.to_vec());
        let error = Grant::builder()
            .read("/ok")
            .write(surface)
            .build(&vars())
            .unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
        assert_eq!(
            (error.file(), error.line(), error.column()),
            (None, None, None)
        );
    }
}
