//! The search is calibrated: makers of profiles with one hole each are caught by it, within the programs that the
//! ordinary run makes.

use std::path::{Path, PathBuf};

use objcap::capability::{Grant, Stack};
use objcap::object::{Host, Object, Options};
use objcap::sandbox::{Line, Profile, Section};
use objcap::walk::Leaf;
use objcap_support::adversary::{Clauses, Generations, List, Maker, Ran, Random, run};
use objcap_support::mac::Mac;
use sbpl::ast::PathMatch;
use sbpl::{Action, Filter, Operation, Rule};

/// How many programs a hole may take.
const BUDGET: u64 = 20_000;

/// A profile's rules, each as `keep` leaves it.
fn lines(profile: &Profile, keep: impl Fn(Section, &Line) -> Option<Rule>) -> sbpl::Profile {
    let sections = profile.sections();
    let rules = sections.flat_map(|(section, lines)| lines.iter().map(move |line| (section, line)));
    rules
        .filter_map(|(section, line)| keep(section, line))
        .collect()
}

/// A rule with other operations and filters; `None` when either is gone.
fn changed(
    rule: &Rule,
    operation: impl Fn(&Operation) -> bool,
    filter: impl Fn(&Filter) -> bool,
) -> Option<Rule> {
    let operations = rule.operations().iter().map(|one| (**one).clone());
    let mut operations = operations.filter(operation);
    let first = operations.next()?;
    let changed = match rule.action() {
        Action::Deny => Rule::deny(first),
        _ => Rule::allow(first),
    };
    let filters = rule.filters().iter().map(|one| (**one).clone());
    let filters: Vec<_> = filters.filter(filter).collect();
    changed.also(operations).when_any(filters).ok()
}

/// Whether a filter is of a name by a root alias: the other spelling of one that stands there, too.
fn is_twin(filter: &Filter) -> bool {
    match filter {
        Filter::Path(PathMatch::Literal(text) | PathMatch::Subpath(text)) => {
            text.as_bytes().starts_with(b"/tmp")
        }
        _ => false,
    }
}

/// Pins as they are, but for some operation.
fn pins_without(profile: &Profile, gone: &Operation) -> sbpl::Profile {
    lines(profile, |section, line| match section {
        Section::Pins => changed(line.rule(), |one| one != gone, |_| true),
        _ => Some(line.rule().clone()),
    })
}

fn without_pins(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| {
        (section != Section::Pins).then(|| line.rule().clone())
    })
}

fn with_pins_on_real_paths_alone(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| match section {
        Section::Pins => changed(line.rule(), |_| true, |filter| !is_twin(filter)),
        _ => Some(line.rule().clone()),
    })
}

fn without_pins_on_absent_ancestors(profile: &Profile) -> sbpl::Profile {
    pins_without(profile, &Operation::FileWriteCreate)
}

fn with_clones_of_folders(profile: &Profile) -> sbpl::Profile {
    pins_without(profile, &Operation::FileClone)
}

fn with_links_to_what_is_protected(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| match section {
        Section::Exclusions => changed(line.rule(), |one| *one != Operation::FileLink, |_| true),
        _ => Some(line.rule().clone()),
    })
}

fn with_exclusions_from_reading_alone(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| match section {
        Section::Exclusions => changed(line.rule(), |one| *one == Operation::FileRead, |_| true),
        _ => Some(line.rule().clone()),
    })
}

fn with_exclusions_before_allowances(profile: &Profile) -> sbpl::Profile {
    let of = |wanted: fn(Section) -> bool| {
        lines(profile, move |section, line| {
            wanted(section).then(|| line.rule().clone())
        })
    };
    let parts = [
        of(|section| section == Section::Base),
        of(|section| section == Section::Exclusions),
        of(|section| section != Section::Base && section != Section::Exclusions),
    ];
    let rules = parts.iter().flat_map(|part| part.rules().iter());
    rules.cloned().collect()
}

fn without_twins(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| match section {
        Section::Exclusions | Section::Pins => {
            changed(line.rule(), |_| true, |filter| !is_twin(filter))
        }
        _ => Some(line.rule().clone()),
    })
}

/// Freezes each allowance as the place that its name leads to now, by whoever aimed the links on its way.
fn followed(layers: &[Clauses], host: &Host<Mac>) -> Result<Stack<Mac>, objcap::capability::Error> {
    let real = |place: &str| -> PathBuf {
        let options = Options {
            leaf: Leaf::Follow,
            ..Options::default()
        };
        match Object::walk(&host.tree, place, &options) {
            Ok(object) => AsRef::<Path>::as_ref(object.real()).to_owned(),
            Err(_) => place.into(),
        }
    };
    let grant = |clauses: &Clauses| {
        let grant = clauses
            .iter()
            .fold(Grant::builder().fs(), |grant, (list, place)| match list {
                List::Read => grant.read(real(place)),
                List::Write => grant.write(real(place)),
                List::Exclude => grant.exclude(place),
                List::Protect => grant.protect(place),
                List::Allow => grant.allow(place),
                _ => grant.exec_exclude(place),
            });
        grant.build(&host.vars).unwrap()
    };
    let grants: Vec<Grant> = layers.iter().map(grant).collect();
    Stack::freeze(&grants, host)
}

/// How many programs catch a hole, the last of which does; `None` when all are spent.
fn caught(maker: &Maker, generations: Generations) -> Option<u64> {
    let broken = |seed: &u64| {
        matches!(
            run(&mut Random::new(*seed), maker, generations),
            Ran::Broken(_)
        )
    };
    (0..BUDGET).find(broken).map(|seed| seed + 1)
}

#[test]
fn every_maker_with_a_hole_is_caught() {
    let product = Maker::product();
    let renders = |render: fn(&Profile) -> sbpl::Profile| Maker { render, ..product };
    let holes = [
        ("no pins", renders(without_pins), Generations::One),
        (
            "pins on real paths alone",
            renders(with_pins_on_real_paths_alone),
            Generations::One,
        ),
        (
            "no pin on an absent ancestor",
            renders(without_pins_on_absent_ancestors),
            Generations::One,
        ),
        (
            "folders are cloned",
            renders(with_clones_of_folders),
            Generations::One,
        ),
        (
            "links to what is protected",
            renders(with_links_to_what_is_protected),
            Generations::One,
        ),
        (
            "exclusions from reading alone",
            renders(with_exclusions_from_reading_alone),
            Generations::One,
        ),
        (
            "exclusions before allowances",
            renders(with_exclusions_before_allowances),
            Generations::One,
        ),
        ("no twins", renders(without_twins), Generations::One),
        (
            "a link followed when frozen",
            Maker {
                freeze: followed,
                ..product
            },
            Generations::Two,
        ),
    ];
    let mut missed = Vec::new();
    for (name, maker, generations) in holes {
        match caught(&maker, generations) {
            Some(programs) => println!("{name}: caught by program {programs}"),
            None => missed.push(name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
