//! Names with characters that mean something elsewhere: to a glob, a regular expression, a shell, TOML, a
//! terminal. To a grant they are letters.

use objcap_capability::{Act, Grant, Stack};
use objcap_object::Host;

use crate::{frozen, refusal};

const NAMES: &[&str] = &[
    "[id]",
    "*",
    "?",
    "a*",
    "{a,b}",
    "back\\slash",
    "end\\",
    "\"quoted\"",
    "'single'",
    "new\nline",
    "$&(x)",
    "$HOME",
    "a.b",
    "^a$",
    "a|b",
    "tab\there",
    "\u{1b}[31m",
    "~",
    "%00",
    "a;b",
    "#c",
    "(allow default)",
    " ",
];

#[test]
fn every_strange_name_is_itself_in_a_clause_and_in_a_question() {
    let mut host = Host::stock_mac();
    for name in NAMES {
        host.tree.file(format!("/w/{name}/secret"));
    }
    for name in ["i", "aXb", "b", "ab"] {
        host.tree.file(format!("/w/{name}/secret"));
    }
    for name in NAMES {
        let excluded = format!("/w/{name}/secret");
        let grant = Grant::builder().write("/w").exclude(&excluded);
        let stack = frozen(&[grant], &host);
        for other in NAMES.iter().copied().chain(["i", "aXb", "b", "ab"]) {
            let path = format!("/w/{other}/secret");
            for act in [Act::Read, Act::Write] {
                let told = refusal(&stack, &host, act, &[&path]);
                assert_eq!(told.is_some(), other == *name, "{name:?} {other:?}");
            }
        }
        let allowed = frozen(&[Grant::builder().read(&excluded)], &host);
        assert_eq!(
            refusal(&allowed, &host, Act::Read, &[&excluded]),
            None,
            "{name:?}"
        );
        assert!(refusal(&allowed, &host, Act::Read, &["/w/aXb/secret"]).is_some());
        // And for what does not exist.
        let absent = format!("/w/none/{name}");
        let stack = frozen(&[Grant::builder().write("/w").exclude(&absent)], &host);
        assert_eq!(refusal(&stack, &host, Act::Create, &["/w/none-such"]), None);
        assert!(
            refusal(&stack, &host, Act::Create, &[&absent]).is_some(),
            "{name:?}"
        );
        assert!(
            refusal(&stack, &host, Act::Create, &["/w/none"]).is_some(),
            "{name:?}"
        );
    }
}

#[test]
fn a_grants_file_spells_them_as_toml_does() {
    let mut host = Host::stock_mac();
    host.tree.file("/w/a\"b\\c\nd");
    host.tree.file("/w/a");
    let text = b"[fs]\nread = ['/w']\nexclude = [\"/w/a\\\"b\\\\c\\nd\"]\n";
    let grant = Grant::parse("g.toml", text, &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    assert_eq!(refusal(&stack, &host, Act::Read, &["/w/a"]), None);
    let told = refusal(&stack, &host, Act::Read, &["/w/a\"b\\c\nd"]).unwrap();
    assert!(
        !told.contains('\n'),
        "no line break leaves a message: {told:?}"
    );
}
