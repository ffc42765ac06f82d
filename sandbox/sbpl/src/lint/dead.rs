//! Path filters that never match: by their text, or spelled through a name that is resolved first.

use super::FindingKind;
use crate::ast::{Endpoint, Filter, PathMatch, Pattern, Piece};
use crate::judge::Key;

/// Names in the root that are links, and what they lead to (docs/seatbelt.md, section 4).
const ALIASES: &[(&str, &str)] = &[
    ("/tmp", "/private/tmp"),
    ("/var", "/private/var"),
    ("/etc", "/private/etc"),
    ("/home", "/System/Volumes/Data/home"),
];

/// The volume whose folders are presented as those of the root.
const DATA: &str = "/System/Volumes/Data";

/// Reports the paths in a filter that never match.
pub(super) fn dead(filter: &Filter, report: &mut dyn FnMut(FindingKind)) {
    match filter {
        Filter::Path(path)
        | Filter::Remote(Endpoint::Unix(Some(path)))
        | Filter::Local(Endpoint::Unix(Some(path))) => {
            if let Some(flaw) = path.flaw() {
                report(FindingKind::Dead(flaw));
            } else if let Some((alias, real)) = alias_of(path) {
                report(FindingKind::RootAlias { alias, real });
            }
        }
        Filter::Any(filters) | Filter::All(filters) => {
            filters.iter().for_each(|filter| dead(filter, report));
        }
        Filter::Not(negated) => dead(negated.filter(), report),
        _ => {}
    }
}

fn alias_of(path: &PathMatch) -> Option<(&'static str, &'static str)> {
    // Below the name; the name itself is that of the link.
    let (text, is_link_itself) = match path {
        PathMatch::Literal(text) => (text.as_bytes().to_vec(), true),
        PathMatch::Subpath(text) => (text.as_bytes().to_vec(), false),
        PathMatch::Prefix(text) => (whole_components(text.as_bytes().to_vec())?, true),
        PathMatch::Regex(pattern) => (whole_components(anchored(pattern)?)?, true),
    };
    let key = Key::new(&text);
    for &(alias, real) in ALIASES {
        let alias_key = Key::new(alias.as_bytes());
        if key.is_within(&alias_key) && (key != alias_key || !is_link_itself) {
            return Some((alias, real));
        }
    }
    let data = Key::new(DATA.as_bytes());
    let home = Key::new(b"/System/Volumes/Data/home");
    let is_data = key.is_within(&data) && key != data && !key.is_within(&home);
    is_data.then_some((DATA, "/"))
}

/// A beginning up to its last slash, with the component behind it as some name: `/tmp/a` stands
/// for what begins with `/tmp/`. `None` if no component is whole.
fn whole_components(beginning: Vec<u8>) -> Option<Vec<u8>> {
    let slash = beginning.iter().rposition(|&byte| byte == b'/')?;
    let mut path = beginning;
    path.truncate(slash);
    path.extend_from_slice(b"/x");
    Some(path)
}

/// The literal text that every match of a pattern begins with.
fn anchored(pattern: &Pattern) -> Option<Vec<u8>> {
    let pieces = pattern.pieces().ok()?;
    // A branch anywhere may begin otherwise.
    if pieces.contains(&Piece::Or) || pieces.first() != Some(&Piece::Start) {
        return None;
    }
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate().skip(1) {
        match (piece, pieces.get(at + 1)) {
            (Piece::Literal(_), Some(Piece::Repeat(_))) => break,
            (Piece::Literal(char), _) => text.push(*char),
            _ => break,
        }
    }
    Some(text.into_bytes())
}
