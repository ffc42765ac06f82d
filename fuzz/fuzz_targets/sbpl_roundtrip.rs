//! What a text becomes prints as ASCII and reads back as the same; a text that can be laid out
//! means the same when it is, and its layout is its own.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let parser = sbpl::Parser::new().fuel(20_000).parameter("K", "/k");
    let profile = parser.parse(text).into_profile();
    let printed = profile.to_string();
    assert!(printed.is_ascii());
    let again = sbpl::parse(printed.as_bytes()).into_profile();
    assert_eq!(again, profile, "{printed}");

    if let Ok(formatted) = sbpl::format::format(text) {
        assert_eq!(parser.parse(&formatted).into_profile(), profile);
        assert_eq!(sbpl::format::format(&formatted).as_ref(), Ok(&formatted));
    }
});
