//! Texts that are no grant: their encoding, syntax, keys and types, and how an error is shown.
//!
//! Names that cannot be clauses are in `clauses`.

use std::error::Error as _;

use objcap_capability::ErrorKind::*;
use objcap_capability::Grant;

use super::{refused, vars};

#[test]
fn refused_structure() {
    // text, kind, line, column, message
    #[rustfmt::skip]
    let table = [
        ("[fs]\nraed = []", UnknownKey, 2, 1, "unknown key `raed` in `[fs]`, did you mean `read`? known are `read`, `write`, `exclude`, `protect`"),
        ("[fs]\nprohibit = []", UnknownKey, 2, 1, "unknown key `prohibit` in `[fs]`; known are `read`, `write`, `exclude`, `protect`"),
        ("[exec]\ndeny = []", UnknownKey, 2, 1, "unknown key `deny` in `[exec]`; known are `allow`, `exclude`, `veto`, `only`"),
        ("[exec]\nveto = ['/bin/x']", NotAName, 2, 9, "`/bin/x` is no bare name: a veto is of a name, wherever it leads. `exec.exclude` takes a file or folder"),
        ("[exec]\nveto = ['~']", NotAName, 2, 9, "`~` is no bare name"),
        ("[exec]\nexclude = ['curl']", NotAPlace, 2, 12, "`curl` is a bare name, which `exec.exclude` does not take: `exec.veto` keeps a name from running, wherever it leads"),
        ("[exec]\nallow = ['']", EmptyClause, 2, 10, "the clause is empty"),
        ("[exec]\nallow = ['./x']", RelativeClause, 2, 10, "`./x` is relative"),
        ("[exec]\nonly = ['git']", Type, 2, 8, "expected a table, found a list"),
        ("[exec]\nonly = { git = 'status' }", Type, 2, 16, "expected a list of strings, found a string"),
        ("[net]\nsockets = ['app.sock']", RelativeClause, 2, 12, "`app.sock` is relative"),
        ("[fs.read]\nx = 1", Type, 1, 1, "expected a list of strings, found a table"),
        ("[fs]\n[fs.deep.down]", UnknownKey, 2, 5, "unknown key `deep` in `[fs]`; known are `read`, `write`, `exclude`, `protect`"),
        ("[net]\naccess = 'open'\nports = []", UnknownKey, 3, 1, "unknown key `ports` in `[net]`; known are `access`, `sockets`"),
        ("ü = 1", Syntax, 1, 1, "not valid TOML: "),
        ("'ü' = 1", UnknownKey, 1, 1, "unknown key `ü` in a grant; known are `fs`, `exec`, `net`"),
        ("[net]\nm = 1\nz = 1\na = 1", UnknownKey, 2, 1, "unknown key `m` in `[net]`; known are `access`, `sockets`"),
        ("read = []", UnknownKey, 1, 1, "unknown key `read` in a grant; known are `fs`, `exec`, `net`"),
        ("[Fs]", UnknownKey, 1, 2, "unknown key `Fs` in a grant, did you mean `fs`? known are `fs`, `exec`, `net`"),
        ("\"\\u001b[2J\" = 1", UnknownKey, 1, 1, r"unknown key `\u{1b}[2J` in a grant; known are `fs`, `exec`, `net`"),
        ("fs = 1", Type, 1, 6, "expected a table, found an integer"),
        ("[[fs]]", Type, 1, 1, "expected a table, found a list"),
        ("net = 1979-05-27", Type, 1, 7, "expected a table, found a date or time"),
        ("[fs]\nread = '/a'", Type, 2, 8, "expected a list of strings, found a string"),
        ("[fs]\nread = ['é', 1.5]", RelativeClause, 2, 9, "`é` is relative"),
        ("[fs]\nread = ['/é', 1.5]", Type, 2, 15, "expected a list of strings, found a float"),
        ("[fs]\nread = [['/a']]", Type, 2, 9, "expected a list of strings, found a list"),
        ("[net]\naccess = true", Type, 2, 10, "expected a string, found a boolean"),
        ("[net]\naccess = 'opne'", UnknownValue, 2, 10, "unknown access `opne`, did you mean `open`? known are `offline`, `open`"),
        ("[net]\naccess = ''", UnknownValue, 2, 10, "unknown access ``; known are `offline`, `open`"),
        ("[fs]\n\n[fs]", Syntax, 3, 2, "not valid TOML: duplicate key"),
        ("[fs]\nread = []\nread = []", Syntax, 3, 1, "not valid TOML: duplicate key"),
        ("hello", Syntax, 1, 6, "not valid TOML: "),
        ("fs.read = ['/a'", Syntax, 1, 16, "not valid TOML: "),
        ("a = \"\0\"", Syntax, 1, 6, "not valid TOML: "),
        ("\u{feff}[fs]\nread = 1", Type, 2, 8, "expected a list of strings, found an integer"),
        ("\u{feff}fs = 1", Type, 1, 6, "expected a table, found an integer"),
    ];
    for (text, kind, line, column, message) in table {
        let error = refused(text);
        assert_eq!(error.kind(), kind, "{text:?}: {error}");
        assert_eq!(
            (error.line(), error.column()),
            (Some(line), Some(column)),
            "{text:?}"
        );
        assert_eq!(error.file(), Some("g.toml"), "{text:?}");
        assert!(error.message().starts_with(message), "{text:?}: {error}");
    }
}

#[test]
fn text_that_is_not_utf8() {
    // bytes, line, column, byte
    #[rustfmt::skip]
    let table = [
        (&b"\xff\xfef\0s\0"[..], 1, 1, "0xff"),
        (b"[fs]\nread = ['/\xc3\xa9\xe9']\n", 2, 12, "0xe9"),
        (b"\xef\xbb\xbfab\xc0", 1, 3, "0xc0"),
        (b"a\n\xe2\x82", 2, 1, "0xe2"),
    ];
    for (bytes, line, column, byte) in table {
        let error = refused(bytes);
        assert_eq!(error.kind(), Encoding);
        assert_eq!(
            (error.line(), error.column()),
            (Some(line), Some(column)),
            "{bytes:?}"
        );
        assert_eq!(
            error.message(),
            format!("the text is not UTF-8: byte {byte}")
        );
        assert!(error.source().unwrap().is::<std::str::Utf8Error>());
    }
}

#[test]
fn rendered_errors() {
    let table = [
        (
            "[fs]\nwrite = []\nread =  [\"/a\", \"./src\"] # no\n",
            concat!(
                "g.toml:3:16: `./src` is relative: a clause starts with `/`, `~` or a variable such as `${CWD}`\n",
                "3 | read =  [\"/a\", \"./src\"] # no\n",
                "  |                ^^^^^^^",
            ),
        ),
        (
            "[fs]\nexclud = []\n",
            concat!(
                "g.toml:2:1: unknown key `exclud` in `[fs]`, did you mean `exclude`? known are `read`, `write`, `exclude`, `protect`\n",
                "2 | exclud = []\n",
                "  | ^^^^^^",
            ),
        ),
        (
            "\n\n\n\n\n\n\n\n\n[fs]\r\nread = ['a\tb']\r\n",
            concat!(
                "g.toml:11:9: `a\\tb` is relative: a clause starts with `/`, `~` or a variable such as `${CWD}`\n",
                "11 | read = ['a\\tb']\n",
                "   |         ^^^^^^",
            ),
        ),
        (
            "fs = ['/é'",
            concat!(
                "g.toml:1:11: not valid TOML: unclosed array, expected `]`\n",
                "1 | fs = ['/é'\n",
                "  |           ^",
            ),
        ),
    ];
    for (text, expected) in table {
        assert_eq!(refused(text).to_string(), expected);
    }
    let error = Grant::parse("a\x1bb", b"x = 1", &vars()).unwrap_err();
    let expected = "a\\u{1b}b:1:1: unknown key `x` in a grant; known are `fs`, `exec`, `net`\n1 | x = 1\n  | ^";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_mistake_without_a_place_names_its_file() {
    let error = refused(format!("{} = 1", vec!["a"; 1000].join(".")));
    assert_eq!(error.kind(), Syntax);
    assert_eq!(
        (error.file(), error.line(), error.column()),
        (Some("g.toml"), None, None)
    );
    assert_eq!(error.to_string(), "g.toml: not valid TOML: recursion limit");
}
