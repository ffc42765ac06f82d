//! Any bytes are read, every remark and finding can be shown, and nothing else happens. The text
//! may ask for a parameter, and import itself.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let own = text.to_vec();
    let parser = sbpl::Parser::new()
        .fuel(20_000)
        .parameter("K", "/k")
        .loader(move |name| match name {
            b"a" => Ok(own.clone()),
            b"b" => Ok(b"(define (b x) (subpath x)) (allow file* (b \"/b\"))".to_vec()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        });
    let parsed = parser.parse(text);
    for diagnostic in parsed.diagnostics() {
        assert!(parsed.render(diagnostic, "a.sb").ends_with('\n'));
    }
    for rule in 0..parsed.profile().rules().len() {
        assert!(parsed.rule_position(rule).is_some());
    }
    for finding in sbpl::lint::lint(&parsed) {
        assert!(finding.render(&parsed, "a.sb").ends_with('\n'));
    }
    let _ = sbpl::size::Size::of(parsed.profile()).over().count();
});
