//! Clauses in a grant's text: their surface, path, list and position, and the names that are refused.
//!
//! What else can be wrong with a text is in `mistakes`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use objcap_capability::ErrorKind::*;
use objcap_capability::{Error, Grant, List, NetAccess, Origin, Vars};

use super::{parse, vars};

/// The grant with this one clause, given as a TOML string.
fn with_clause(toml: &str) -> Result<PathBuf, Error> {
    let text = format!("fs.read = [{toml}]");
    let grant = Grant::parse("g.toml", text.as_bytes(), &vars())?;
    let [clause] = grant.fs().unwrap().clauses() else {
        panic!("{grant:?}")
    };
    Ok(clause.path().unwrap().to_owned())
}

#[test]
fn clauses_keep_text_path_list_and_position() {
    let grant = parse(concat!(
        "# a grant\r\n",
        "[fs]\r\n",
        "write = ['~/src/app/target']\r\n",
        "read = [\r\n",
        "  \"~\", # é\r\n",
        "  \"/ü\\u00fc\",  '${CWD}/x' ]\r\n",
        "\"exclude\" = [\"\"\"\r\n",
        "/a\n",
        "b\"\"\"]\r\n",
        "[net]\n",
        "access = 'open'\n",
    ));
    assert_eq!(grant.file(), Some("g.toml"));
    let clauses: Vec<_> = grant.fs().unwrap().clauses().iter().collect();
    // list, surface, path, line, column, span
    #[rustfmt::skip]
    let expected = [
        (List::Write, "~/src/app/target", "/home/me/src/app/target", 3, 10, 26..44),
        (List::Read, "~", "/home/me", 5, 3, 59..62),
        (List::Read, "/üü", "/üü", 6, 3, 72..83),
        (List::Read, "${CWD}/x", "/w/app/x", 6, 16, 86..96),
        (List::Exclude, "/a\nb", "/a\nb", 7, 14, 113..125),
    ];
    assert_eq!(clauses.len(), expected.len());
    for (clause, (list, surface, path, line, column, span)) in clauses.into_iter().zip(expected) {
        assert_eq!(clause.list(), list, "{surface}");
        assert_eq!(clause.surface(), OsStr::new(surface));
        assert_eq!(clause.path(), Some(Path::new(path)));
        let Origin::File(place) = clause.origin() else {
            panic!("{surface}")
        };
        assert_eq!(place.file(), "g.toml");
        assert_eq!(
            (place.line(), place.column()),
            (Some(line), Some(column)),
            "{surface}"
        );
        assert_eq!(place.span(), Some(span), "{surface}");
    }
    let read: Vec<_> = grant
        .fs()
        .unwrap()
        .list(List::Read)
        .map(|c| c.to_string())
        .collect();
    assert_eq!(read, ["read `~`", "read `/üü`", "read `${CWD}/x`"]);
    let net = grant.net().unwrap();
    assert_eq!(net.access(), NetAccess::Open);
    assert_eq!(
        (net.origin().line(), net.origin().column()),
        (Some(11), Some(10))
    );
}

#[test]
fn omitted_is_unrestricted_and_empty_refuses() {
    // text, number of fs clauses, net access
    let table = [
        ("", None, None),
        ("# nothing\n", None, None),
        ("[fs]", Some(0), None),
        ("fs = {}", Some(0), None),
        ("[fs]\nread = []\n", Some(0), None),
        ("[net]", None, Some(NetAccess::Offline)),
        (
            "[net]\naccess = \"offline\"",
            None,
            Some(NetAccess::Offline),
        ),
        (
            "net.access = \"open\"\nfs.write = ['/a']",
            Some(1),
            Some(NetAccess::Open),
        ),
    ];
    for (text, fs, net) in table {
        let grant = parse(text);
        assert_eq!(grant.fs().map(|fs| fs.clauses().len()), fs, "{text}");
        assert_eq!(grant.net().map(|net| net.access()), net, "{text}");
    }
}

#[test]
fn expansion() {
    let table = [
        ("'~'", "/home/me"),
        ("'~/'", "/home/me/"),
        ("'~/a/~'", "/home/me/a/~"),
        ("'${HOME}'", "/home/me"),
        ("'${HOME}/a'", "/home/me/a"),
        ("'${CWD}/..'", "/w/app/.."),
        ("'${TMPDIR}/s'", "/tmp/t//s"),
        ("'${XDG_CONFIG_HOME}'", "/x/config"),
        ("'${XDG_DATA_HOME}'", "/x/data"),
        ("'${XDG_CACHE_HOME}'", "/x/cache"),
        // What is not a variable is a name.
        ("'/'", "/"),
        ("'//a/./b/../c//'", "//a/./b/../c//"),
        ("'/w/$HOME'", "/w/$HOME"),
        ("'/w/$&(x)'", "/w/$&(x)"),
        ("'/w/$'", "/w/$"),
        ("'/w/~me/}'", "/w/~me/}"),
        (r#"'/w/[*?\"{a,b}'"#, r#"/w/[*?\"{a,b}"#),
        (r#""/w/'\n\u001b""#, "/w/'\n\u{1b}"),
        ("'/a '", "/a "),
    ];
    for (toml, expected) in table {
        let path = with_clause(toml).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.as_os_str(), OsStr::new(expected), "{toml}");
    }
}

#[test]
fn values_are_not_expanded_again() {
    let home = OsString::from_vec(b"/h\xff/${CWD}/~".to_vec());
    let vars = Vars {
        home: Some(home.into()),
        ..Vars::default()
    };
    let grant = Grant::parse("g.toml", b"fs.read = ['~/x', '${HOME}']", &vars).unwrap();
    let paths: Vec<_> = grant
        .fs()
        .unwrap()
        .clauses()
        .iter()
        .filter_map(|c| c.path())
        .collect();
    let expected = [&b"/h\xff/${CWD}/~/x"[..], b"/h\xff/${CWD}/~"];
    assert_eq!(
        paths,
        expected.map(|path| PathBuf::from(OsString::from_vec(path.to_vec())))
    );
}

#[test]
fn refused_clauses() {
    #[rustfmt::skip]
    let table = [
        ("''", EmptyClause, "the clause is empty"),
        ("'./x'", RelativeClause, RELATIVE),
        ("'../x'", RelativeClause, "`../x` is relative"),
        ("' /x'", RelativeClause, "` /x` is relative"),
        ("'$HOME/x'", RelativeClause, "`$HOME/x` is relative: a variable is written `${HOME}`"),
        ("'$FOO/x'", RelativeClause, "`$FOO/x` is relative: a clause starts with"),
        (r#""/a\u0000b""#, NulInClause, r"`/a\u{0}b` contains a NUL, which no path can hold"),
        (r#""\u0000""#, NulInClause, r"`\u{0}` contains a NUL"),
        ("'~you/x'", UserHome, "`~you` is another user's home, which is not looked up"),
        ("'~~'", UserHome, "`~~` is another user's home"),
        ("'${HOME'", UnclosedVariable, "`${HOME` lacks its `}`"),
        ("'/w/${'", UnclosedVariable, "`${` lacks its `}`"),
        ("'${FOO}/x'", UnknownVariable, UNKNOWN),
        ("'${}'", UnknownVariable, "unknown variable `${}`; known are"),
        ("'${home}'", UnknownVariable, "unknown variable `${home}`; known are"),
        ("'${HOME }'", UnknownVariable, "unknown variable `${HOME }`; known are"),
        ("'/w/${USER}'", UnknownVariable, "unknown variable `${USER}`; known are"),
        ("'~/${CWD}'", MisplacedVariable, "`${CWD}` may stand only at the start of a clause"),
        ("'${CWD}/${HOME}'", MisplacedVariable, "`${HOME}` may stand only at the start"),
        ("'/${HOME}'", MisplacedVariable, "`${HOME}` may stand only at the start"),
        ("'x${HOME}'", MisplacedVariable, "`${HOME}` may stand only at the start"),
        ("'${TMPDIR}x'", MisplacedVariable, "`${TMPDIR}` must be followed by `/` or end"),
        ("'${XDG_STATE_HOME}'", UnsetVariable, "`${XDG_STATE_HOME}` is set, but empty"),
        ("'${XDG_RUNTIME_DIR}'", RelativeVariable, "is `run/me`, which is not absolute"),
    ];
    for (toml, kind, message) in table {
        let error = with_clause(toml).unwrap_err();
        assert_eq!(error.kind(), kind, "{toml}: {error}");
        assert!(error.message().contains(message), "{toml}: {error}");
        assert_eq!(
            (error.line(), error.column()),
            (Some(1), Some(12)),
            "{toml}"
        );
    }
}

const RELATIVE: &str =
    "`./x` is relative: a clause starts with `/`, `~` or a variable such as `${CWD}`";
const UNKNOWN: &str = "unknown variable `${FOO}`; known are `${HOME}`, `${CWD}`, `${TMPDIR}`, \
    `${XDG_CONFIG_HOME}`, `${XDG_DATA_HOME}`, `${XDG_CACHE_HOME}`, `${XDG_STATE_HOME}`, \
    `${XDG_RUNTIME_DIR}`";

#[test]
fn unset_variables() {
    let names = [
        "HOME",
        "CWD",
        "TMPDIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
    ];
    for name in names
        .into_iter()
        .chain(["XDG_STATE_HOME", "XDG_RUNTIME_DIR"])
    {
        let text = format!("fs.read = ['${{{name}}}']");
        let error = Grant::parse("g.toml", text.as_bytes(), &Vars::default()).unwrap_err();
        assert_eq!(error.kind(), UnsetVariable, "{name}");
        assert_eq!(error.message(), format!("`${{{name}}}` is unset"));
    }
    let error = Grant::parse("g.toml", b"fs.read = ['~/x']", &Vars::default()).unwrap_err();
    assert_eq!(error.message(), "`${HOME}` is unset");

    let vars = Vars {
        home: Some("/h\0".into()),
        ..Vars::default()
    };
    let error = Grant::parse("g.toml", b"fs.read = ['~/x']", &vars).unwrap_err();
    assert_eq!(error.kind(), NulInClause);
    assert_eq!(
        error.message(),
        r"`${HOME}` is `/h\u{0}`, which contains a NUL"
    );
}
