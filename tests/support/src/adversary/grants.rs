//! Worlds, and grants about them.

use objcap_capability::Grant;
use objcap_object::Vars;

pub use objcap_capability::List;

use super::Draw;
use crate::mac::{Mac, Rule};

const DATA: &str = "/System/Volumes/Data";

/// Files that may stand in a world. Each holds its own name, so that no two hold the same.
const FILES: [&str; 8] = [
    "/w/a/b/key",
    "/w/a/f",
    "/w/c/f",
    "/w/c/d/key",
    "/private/tmp/t/d/f",
    "/private/tmp/t/d/e/key",
    "/out/d/key",
    "/w/bin/tool",
];

/// Where a link may lead.
const TEXTS: [&str; 11] = [
    "a", "c", "/tmp/t", "a/b", "new", "c/f", "/out", "../w/c", "/w/a/b", "/tmp/t/d", "m",
];

/// A world: `/w` and `/private/tmp/t` are the user's, `/out` and the link `/ln` are not. Some lie on a
/// data volume behind firmlinks, some tell names apart by their case.
pub(super) fn world(draw: &mut impl Draw) -> Mac {
    let rule = if draw.one_in(8) {
        Rule::Exact
    } else {
        Rule::Folding
    };
    let mut mac = Mac::empty(rule);
    if draw.one_in(4) {
        mac.mount(DATA, rule);
        for top in ["/w", "/private"] {
            mac.firmlink(top, format!("{DATA}{top}"));
        }
    }
    mac.directory("/private/tmp/t");
    mac.permit("/private/tmp", 0o1777);
    mac.alias("/tmp", "/private/tmp");
    mac.directory("/w/c");
    for real in FILES {
        if !draw.one_in(4) {
            mac.file(real, real);
        }
    }
    mac.file("/out/s", "/out/s");
    mac.file("/w/bin/own", "the confiner");
    if draw.one_in(4) {
        mac.file("/w/bin/run", "#!/w/bin/tool\n");
    }
    for link in ["/w/l", "/w/m", "/w/a/k", "/private/tmp/t/l", "/ln"] {
        if draw.below(2) == 0 {
            mac.link(link, draw.of(&TEXTS));
        }
    }
    if draw.one_in(4) {
        let from = draw.of(&FILES[..6]);
        if mac.at(from).is_some() {
            mac.link_hard(from, draw.of(&["/w/h", "/w/c/h", "/private/tmp/t/h"]));
        }
    }
    mac.give("/w");
    mac.give("/private/tmp/t");
    mac
}

/// Places that a write clause may name.
const WIDE: [&str; 14] = [
    "/w",
    "/w",
    "/w",
    "/tmp/t",
    "/tmp/t",
    "/private/tmp/t",
    "/tmp",
    "/private/tmp",
    "/w/a",
    "/w/c",
    "/w/bin",
    "/w/new",
    "/tmp/t/d",
    "/",
];

/// Places that another clause may name: those that matter most are here more than once.
const NARROW: [&str; 34] = [
    "/w/a/b/key",
    "/w/a/b/key",
    "/w/a/b",
    "/w/a",
    "/w/a/f",
    "/w/a/f",
    "/w/c/f",
    "/w/c/d/key",
    "/w/c/d",
    "/w/new",
    "/w/new/deep",
    "/w/new/deep",
    "/w/new/deep/key",
    "/w/a/new/deep",
    "/tmp/t/new/deep",
    "/tmp/t/d/f",
    "/tmp/t/d/f",
    "/private/tmp/t/d/f",
    "/tmp/t/d/e/key",
    "/private/tmp/t/d/e/key",
    "/tmp/t/d",
    "/tmp/t",
    "/w/l",
    "/w/l/b/key",
    "/w/l/f",
    "/w/m/f",
    "/w/a/k",
    "/tmp/t/l",
    "/tmp/t/l/f",
    "/w/bin",
    "/w/bin/tool",
    "/w/c/../a/f",
    "/ln/f",
    "/w/h",
];

/// What a read clause may name besides.
const ELSEWHERE: [&str; 3] = ["/out/d", "/ln", "/w/c/../l"];

/// The clauses of one grant. A table that has none is not there, but for `[fs]`.
pub type Clauses = Vec<(List, &'static str)>;

/// One grant, or two that are met.
pub(super) fn clauses(draw: &mut impl Draw) -> Vec<Clauses> {
    let layers = 1 + usize::from(draw.one_in(5));
    (0..layers).map(|_| layer(draw)).collect()
}

fn layer(draw: &mut impl Draw) -> Clauses {
    let mut clauses = Clauses::new();
    for _ in 0..=draw.below(2) {
        clauses.push((List::Write, draw.of(&WIDE)));
    }
    if draw.one_in(3) {
        clauses.push((List::Read, draw.of(&NARROW)));
    }
    if draw.one_in(6) {
        clauses.push((List::Read, draw.of(&ELSEWHERE)));
    }
    for _ in 0..=draw.below(3) {
        let list = draw.of(&[List::Exclude, List::Exclude, List::Protect]);
        clauses.push((list, draw.of(&NARROW)));
    }
    if draw.one_in(6) {
        let place = draw.of(&["/w/bin", "/w/a", "/w/bin/run", "/w/l", "tool", "every"]);
        clauses.push((List::Allow, place));
        if draw.one_in(3) {
            clauses.push((List::ExecExclude, draw.of(&NARROW)));
        }
    }
    clauses
}

/// Those clauses as grants.
///
/// # Panics
/// When a clause is none.
pub fn grants(layers: &[Clauses]) -> Vec<Grant> {
    let grant = |clauses: &Clauses| {
        let empty = Grant::builder().fs();
        let builder = clauses.iter().fold(empty, |grant, (list, place)| {
            let place = *place;
            match list {
                List::Read => grant.read(place),
                List::Write => grant.write(place),
                List::Exclude => grant.exclude(place),
                List::Protect => grant.protect(place),
                List::Allow => grant.allow(place),
                List::ExecExclude => grant.exec_exclude(place),
                List::Veto => grant.veto(place),
                other => panic!("no clause of {other:?} is drawn"),
            }
        });
        builder.build(&Vars::default()).expect("absolute places")
    };
    layers.iter().map(grant).collect()
}
