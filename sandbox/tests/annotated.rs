//! The annotated text: it is the same profile, and each name in it has its clause.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap_capability::{Grant, Stack};
use objcap_object::Host;
use objcap_sandbox::Profile;
use sbpl::parse;

const GRANT: &str = "\
[fs]
read = ['~/docs', '~/src']
write = ['~/out', '/tmp/x']
exclude = ['~/out/.env', '/tmp/x/k']
protect = ['~/out/hooks']
[exec]
allow = ['/usr/bin', 'git']
veto = ['curl']
[net]
access = 'open'
sockets = ['/tmp/x/s']
";

fn profile(file: &str, grant: &str) -> Profile {
    let mac = Host::stock_mac();
    let grant = Grant::parse(file, grant.as_bytes(), &mac.vars).unwrap();
    Profile::render(&Stack::freeze(&[grant], &mac).unwrap(), &mac).unwrap()
}

/// The comment behind a name of a filter, of the first rule that has both words.
fn behind<'t>(text: &'t str, filter: &str) -> Vec<&'t str> {
    let lines = text.lines().filter_map(|line| line.split_once(" ; "));
    let named = lines.filter(|(part, _)| part.trim().trim_end_matches(')') == filter);
    named.map(|(_, why)| why).collect()
}

#[test]
fn the_annotated_text_is_the_same_profile() {
    for grant in ["", "[fs]\n", GRANT] {
        let profile = profile("grant.toml", grant);
        let text = profile.annotated().to_string();
        assert_ne!(text, profile.text());
        let parsed = parse(text.as_bytes());
        assert!(parsed.diagnostics().is_empty(), "{text}");
        assert_eq!(parsed.profile(), parse(profile.text().as_bytes()).profile());
    }
}

#[test]
fn each_name_has_the_clause_it_comes_from() {
    let text = profile("grant.toml", GRANT).annotated().to_string();
    assert_eq!(
        behind(&text, "(subpath \"/Users/me/src\""),
        ["read `~/src` (grant.toml:2:19)"]
    );
    assert_eq!(
        behind(&text, "(subpath \"/tmp/x/k\""),
        ["exclude `/tmp/x/k` (grant.toml:4:26)"]
    );
    let vetoed = "; exec.veto `curl` (grant.toml:8:9)\n(deny process-exec* (regex #\"/curl$\"))\n";
    assert!(text.contains(vetoed), "{text}");
}

#[test]
fn every_rule_and_section_is_explained() {
    let text = profile("grant.toml", GRANT).annotated().to_string();
    let mut explained = false;
    for line in text.lines().skip(1) {
        let rule = line.starts_with('(');
        // What stands alone has its comment above; what has names, behind each.
        assert!(!rule || explained || !line.ends_with(')'), "{line}\n{text}");
        assert!(
            !line.starts_with("  (") || line.contains(" ; ") || explained,
            "{line}"
        );
        explained = line.starts_with("; ")
            || explained && line.starts_with("  (")
            || explained && rule && !line.ends_with(')');
    }
    for title in ["what may be read", "what is excluded", "the network"] {
        assert!(text.contains(&format!("\n;; {title}\n")), "{title}");
    }
}

#[test]
fn a_name_cannot_leave_its_comment() {
    let grant = "[fs]\nread = [\"/w/a\\n(allow default)\", '/w/b']\n";
    let profile = profile("gr\nant.toml", grant);
    let text = profile.annotated().to_string();
    assert_eq!(
        parse(text.as_bytes()).profile(),
        parse(profile.text().as_bytes()).profile()
    );
}
