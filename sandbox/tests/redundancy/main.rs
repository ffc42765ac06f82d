//! No rule of a profile is there for nothing: each kind of rule, and each operation of it, is dropped in turn, and a
//! named expectation must fail. What another rule carries stands in `docs/redundancy.md`, with that rule and the
//! assumption under which the dropped one alone would carry it.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

mod expected;
#[path = "../world/mod.rs"]
mod world;

use std::collections::BTreeSet;

use objcap_sandbox::{Profile, Section};
use sbpl::ast::PathMatch;
use sbpl::judge::Decision;
use sbpl::{Action, Filter, Judge, Reading, Rule};

use crate::expected::{Expectation, expectations};
use crate::world::World;

/// Everything that a grant can say, in three grants.
const GRANTS: [&str; 3] = [
    "[fs]\nread = ['/r', '/l/f']\nwrite = ['/w', '/tmp/t']\n\
     exclude = ['/w/key', '/w/a/b/secret', '/w/new/deep/key', '/tmp/t/k']\nprotect = ['/w/hooks']\n\
     [exec]\nallow = ['/usr/bin', '/bin', 'git', '/out/bin']\nexclude = ['/usr/bin/osascript']\nveto = ['curl']\n\
     [net]\naccess = 'offline'\nsockets = ['/tmp/t/agent']\n",
    "[exec]\nallow = ['every']\nexclude = ['/usr/bin/osascript']\n[net]\naccess = 'open'\nsockets = ['/w/agent']\n",
    "[fs]\nread = ['/r']\nwrite = ['/w', '/private']\nexclude = ['/w/key', '/w/s', '/dev/zero']\nprotect = ['/w/hooks']\n[net]\naccess = 'open'\nsockets = ['/w/s/agent']\n",
];

fn worlds() -> Vec<World> {
    let build = |tree: &mut objcap_object::Memory| {
        for file in [
            "/r/f",
            "/w/key",
            "/w/f",
            "/w/a/b/secret",
            "/w/hooks/one",
            "/out/bin/tool",
        ] {
            tree.file(file);
        }
        tree.directory("/private/tmp/t");
        tree.link("/l", "/r");
    };
    GRANTS.map(|grant| World::new(build, grant)).into()
}

/// The kind of a filter.
fn kind(filter: Option<&Filter>) -> &'static str {
    match filter {
        None => "none",
        Some(Filter::Path(PathMatch::Literal(_))) => "literal",
        Some(Filter::Path(PathMatch::Subpath(_))) => "subpath",
        Some(Filter::Path(_)) => "pattern",
        Some(Filter::Name(..)) => "name",
        Some(Filter::Not(_)) => "not",
        Some(_) => "other",
    }
}

/// One kind of rule, and one operation of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Drop {
    section: &'static str,
    action: &'static str,
    operation: String,
    filter: &'static str,
}

/// Its first four cells.
fn row_of(gone: &Drop) -> Vec<String> {
    let Drop {
        section,
        action,
        operation,
        filter,
    } = gone;
    [section, action, operation.as_str(), filter]
        .map(str::to_owned)
        .to_vec()
}

fn rules(profile: &Profile) -> impl Iterator<Item = (Section, &Rule)> {
    let sections = profile.sections();
    sections.flat_map(|(section, lines)| lines.iter().map(move |line| (section, line.rule())))
}

fn drops(profile: &Profile) -> impl Iterator<Item = Drop> {
    rules(profile).flat_map(|(section, rule)| {
        rule.operations().iter().map(move |operation| Drop {
            section: section.title(),
            action: rule.action().name(),
            operation: operation.name().to_owned(),
            filter: kind(rule.filters().first().map(|filter| &**filter)),
        })
    })
}

/// The profile without one operation of one kind of rule.
fn without(profile: &Profile, gone: &Drop) -> sbpl::Profile {
    let left = rules(profile).filter_map(|(section, rule)| {
        let filter = kind(rule.filters().first().map(|filter| &**filter));
        let is_meant = section.title() == gone.section
            && rule.action().name() == gone.action
            && filter == gone.filter;
        if !is_meant {
            return Some(rule.clone());
        }
        let operations = rule.operations().iter().map(|one| (**one).clone());
        let mut operations = operations.filter(|one| one.name() != gone.operation);
        let first = operations.next()?;
        let changed = match rule.action() {
            Action::Allow => Rule::allow(first),
            Action::Deny => Rule::deny(first),
        };
        let changed = changed.also(operations);
        let filters: Vec<_> = rule.filters().iter().map(|one| (**one).clone()).collect();
        match filters.is_empty() {
            true => Some(changed),
            false => changed.when_any(filters).ok(),
        }
    });
    left.collect()
}

/// The first expectation of a grant that a profile does not keep under some reading.
fn broken<'e>(judge: &Judge, grant: usize, all: &'e [Expectation]) -> Option<&'e Expectation> {
    let of = all.iter().filter(|one| one.grant == grant);
    let mut of = of.filter(|one| {
        let wanted = match one.allowed {
            true => Decision::Allow,
            false => Decision::Deny,
        };
        Reading::ALL
            .iter()
            .any(|reading| judge.decide(&one.request, *reading).decision != wanted)
    });
    of.next()
}

/// The rows of the ledger: what is dropped without an expectation that fails.
fn ledger() -> BTreeSet<Vec<String>> {
    let page = include_str!("../../../docs/redundancy.md");
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| section"));
    let cells = rows.map(|row| {
        let cells = row
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'));
        cells.map(str::to_owned).collect::<Vec<_>>()
    });
    cells
        .inspect(|cells| {
            assert!(
                cells.len() == 6 && cells.iter().all(|cell| !cell.is_empty()),
                "{cells:?}"
            )
        })
        .map(|cells| cells[..4].to_vec())
        .collect()
}

#[test]
fn no_rule_is_there_for_nothing() {
    let worlds = worlds();
    let all = expectations();
    for (grant, world) in worlds.iter().enumerate() {
        let whole: sbpl::Profile = rules(&world.profile)
            .map(|(_, rule)| rule.clone())
            .collect();
        if let Some(one) = broken(&Judge::new(&whole), grant, &all) {
            panic!("{} is not kept to begin with: {:?}", one.name, one.request);
        }
    }
    let every: BTreeSet<Drop> = worlds
        .iter()
        .flat_map(|world| drops(&world.profile))
        .collect();
    let ledger = ledger();
    let (mut caught, mut faults) = (0, Vec::new());
    for gone in &every {
        let fails = worlds.iter().enumerate().find_map(|(grant, world)| {
            broken(&Judge::new(&without(&world.profile, gone)), grant, &all)
        });
        let row = row_of(gone);
        match (fails, ledger.contains(&row)) {
            (Some(_), false) => caught += 1,
            (Some(one), true) => {
                faults.push(format!("{gone:?} is carried by nothing: {}", one.name))
            }
            (None, true) => {}
            (None, false) => faults.push(format!("{gone:?} is missed by nobody")),
        }
    }
    let dropped = every.len();
    println!(
        "{dropped} kinds of rule were dropped: {caught} are missed, {} are carried by others",
        ledger.len()
    );
    for row in &ledger {
        let known = every.iter().any(|gone| row_of(gone) == *row);
        if !known {
            faults.push(format!("{row:?} is no rule"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
