//! Laws of the parser and the printer over all trees and all bytes.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test may stop at a surprise"
)]

use proptest::collection::vec;
use proptest::prelude::*;
use sbpl::ast::{
    Address, Endpoint, EntitlementValue, Host, Match, PathMatch, Port, Protocol, Quantity, Subject,
    Symbol, Target, Value, VnodeType,
};
use sbpl::{Filter, Modifier, Operation, Pattern, Profile, Rule, Text, parse};

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        "[ -~]{0,12}".prop_map(|text| Text::new(text).unwrap()),
        "/[a-zé]{1,5}(/[a-z. \"\\\\]{1,5}){0,2}".prop_map(|text| Text::new(text).unwrap()),
        vec(1_u8..=255, 0..20).prop_map(|bytes| Text::new(bytes).unwrap()),
    ]
}

fn pattern() -> impl Strategy<Value = Pattern> {
    prop_oneof![
        r"\^/[a-z]{1,4}\[\^/\]\*\\\.[a-zé]{1,3}\$".prop_map(|text| Pattern::new(text).unwrap()),
        "[ -~\n\té日]{1,12}".prop_map(|text| Pattern::new(Pattern::escape(text)).unwrap()),
    ]
}

fn path_match() -> impl Strategy<Value = PathMatch> {
    prop_oneof![
        text().prop_map(PathMatch::Literal),
        text().prop_map(PathMatch::Subpath),
        text().prop_map(PathMatch::Prefix),
        pattern().prop_map(PathMatch::Regex),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    let host = prop_oneof![Just(Host::Any), Just(Host::Localhost)];
    let port = prop_oneof![Just(Port::Any), any::<u16>().prop_map(Port::Number)];
    let address = (host, port).prop_map(|(host, port)| Address { host, port });
    let protocol = proptest::sample::select(Protocol::ALL);
    prop_oneof![
        (protocol, proptest::option::of(address))
            .prop_map(|(protocol, address)| Endpoint::Inet(protocol, address)),
        proptest::option::of(path_match()).prop_map(Endpoint::Unix),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u64>().prop_map(Value::Number),
        "[A-Z][A-Z0-9_]{0,8}".prop_map(|name| Value::Symbol(Symbol::new(&name).unwrap())),
    ]
}

fn entitlement_value() -> impl Strategy<Value = EntitlementValue> {
    prop_oneof![
        any::<bool>().prop_map(EntitlementValue::Bool),
        text().prop_map(|text| EntitlementValue::Text(Match::Exact(text))),
        text().prop_map(|text| EntitlementValue::Text(Match::Prefix(text))),
        pattern().prop_map(|pattern| EntitlementValue::Text(Match::Regex(pattern))),
    ]
}

fn leaf() -> impl Strategy<Value = Filter> {
    let matching = prop_oneof![
        text().prop_map(Match::Exact),
        text().prop_map(Match::Prefix),
        pattern().prop_map(Match::Regex),
    ];
    prop_oneof![
        path_match().prop_map(Filter::Path),
        (proptest::sample::select(Subject::ALL), matching).prop_map(|(s, m)| Filter::Name(s, m)),
        (proptest::sample::select(Quantity::ALL), value()).prop_map(|(q, v)| Filter::Value(q, v)),
        endpoint().prop_map(Filter::Remote),
        endpoint().prop_map(Filter::Local),
        proptest::sample::select(Target::ALL).prop_map(Filter::Target),
        proptest::sample::select(VnodeType::ALL).prop_map(Filter::VnodeType),
        any::<u32>().prop_map(Filter::FileMode),
        text().prop_map(Filter::Extension),
        text().prop_map(Filter::Entitlement),
        (text(), entitlement_value()).prop_map(|(n, v)| Filter::EntitlementValue(n, v)),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    leaf().prop_recursive(5, 20, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(|filters| Filter::any(filters).unwrap()),
            vec(inner.clone(), 1..4).prop_map(|filters| Filter::all(filters).unwrap()),
            inner.prop_map(|filter| Filter::not(filter).unwrap()),
        ]
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        proptest::sample::select(Operation::ALL),
        "[a-z]{2,6}-[a-z]{2,6}".prop_map(|name| Operation::from_name(&name).unwrap()),
    ]
}

fn modifier() -> impl Strategy<Value = Modifier> {
    prop_oneof![
        Just(Modifier::Report),
        Just(Modifier::NoReport),
        Just(Modifier::NoLog),
        text().prop_map(Modifier::Message),
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    let action = prop_oneof![Just(sbpl::Action::Allow), Just(sbpl::Action::Deny)];
    let parts = (
        action,
        operation(),
        vec(operation(), 0..3),
        vec(filter(), 0..5),
    );
    (parts, vec(modifier(), 0..3)).prop_map(|((action, first, rest, filters), modifiers)| {
        let rule = Rule::new(action, first).also(rest);
        let rule = filters.into_iter().fold(rule, Rule::when);
        modifiers.into_iter().fold(rule, Rule::with)
    })
}

fn profile() -> impl Strategy<Value = Profile> {
    vec(rule(), 0..6).prop_map(|rules| rules.into_iter().collect())
}

/// Bytes that are nearly a profile.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "(",
        ")",
        "\"",
        "#\"",
        "'",
        "`",
        ",",
        ",@",
        ";",
        "\n",
        " ",
        "\\",
        "\\x4",
        "#o7",
        "allow",
        "deny",
        "default",
        "file-read*",
        "file-reed*",
        "literal",
        "subpath",
        "regex",
        "remote",
        "ip",
        "unix-socket",
        "require-any",
        "require-all",
        "require-not",
        "with",
        "message",
        "no-log",
        "param",
        "version",
        "1",
        "import",
        "define",
        "(define (f x)",
        "(f",
        "x",
        "let",
        "lambda",
        "if",
        "map",
        "for-each",
        "list",
        "string-append",
        "with-filter",
        "with",
        "#t",
        "(define literal",
        "(define x \"/a\")",
        "(literal x)",
        "(not-evaluated-by-sbpl",
        "/a",
        "*:*",
        "\u{e9}",
        "\0",
        "(allow file*",
        "(require-not",
        "(literal \"/a\" \"/b\")",
        "(deny default)",
    ];
    let piece = prop_oneof![
        9 => proptest::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 1..4),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn reparsed(profile: &Profile) -> Profile {
    parse(profile.to_string().as_bytes()).into_profile()
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_as_the_same_tree(profile in profile()) {
        let text = profile.to_string();
        prop_assert!(text.is_ascii());
        prop_assert_eq!(reparsed(&profile), profile, "{}", text);
    }

    #[test]
    fn any_text_becomes_a_tree_that_prints_and_reads_back(text in nearly()) {
        let profile = parse(&text).into_profile();
        let printed = profile.to_string();
        prop_assert!(printed.is_ascii());
        prop_assert_eq!(reparsed(&profile), profile, "{}", printed);
    }

    #[test]
    fn any_bytes_are_taken_and_every_remark_can_be_shown(text in vec(any::<u8>(), 0..200)) {
        let parsed = parse(&text);
        for diagnostic in parsed.diagnostics() {
            prop_assert!(!diagnostic.render(parsed.source()).is_empty());
        }
    }

    #[test]
    fn tokens_cover_the_text(text in nearly()) {
        let mut end = 0;
        for token in sbpl::syntax::tokens(&text) {
            prop_assert_eq!(token.span.start, end);
            prop_assert!(token.span.end > end);
            end = token.span.end;
        }
        prop_assert_eq!(end, text.len());
    }
}

proptest! {
    #[test]
    fn a_layout_changes_no_token_and_is_its_own(text in nearly()) {
        if let Ok(formatted) = sbpl::format::format(&text) {
            let words = |text: &[u8]| -> Vec<Vec<u8>> {
                let all = sbpl::syntax::tokens(text);
                all.filter(|token| token.kind != sbpl::syntax::TokenKind::Space)
                    .map(|token| text[token.span.range()].trim_ascii_end().to_vec())
                    .collect()
            };
            prop_assert_eq!(words(&text), words(&formatted));
            prop_assert_eq!(sbpl::format::format(&formatted).unwrap(), formatted);
        }
    }
}
