//! The search is calibrated: renderers with one hole each are caught by it, within the programs that the
//! ordinary run makes. Three kinds of hole are too narrow for it so far: pins on real paths alone, no pin on an
//! absent ancestor, and links to a protected file.

use objcap::sandbox::{Line, Profile, Section};
use sbpl::ast::PathMatch;
use sbpl::{Filter, Operation, Rule};

use crate::adversary::{Ran, Renderer, lines, run};
use crate::worlds;

/// A rule with other operations and filters; `None` when either is gone.
fn changed(
    rule: &Rule,
    operation: impl Fn(&Operation) -> bool,
    filter: impl Fn(&Filter) -> bool,
) -> Option<Rule> {
    let operations = rule.operations().iter().map(|one| (**one).clone());
    let mut operations = operations.filter(operation);
    let changed = Rule::deny(operations.next()?).also(operations);
    let filters = rule.filters().iter().map(|one| (**one).clone());
    let filters: Vec<_> = filters.filter(filter).collect();
    changed.when_any(filters).ok()
}

fn is_twin(filter: &Filter) -> bool {
    match filter {
        Filter::Path(PathMatch::Literal(text) | PathMatch::Subpath(text)) => {
            text.as_bytes().starts_with(b"/tmp")
        }
        _ => false,
    }
}

fn is_about(line: &Line, operation: &Operation) -> bool {
    line.rule()
        .operations()
        .iter()
        .any(|one| **one == *operation)
}

fn without_pins(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| {
        (section != Section::Pins).then(|| line.rule().clone())
    })
}

fn with_clones_of_folders(profile: &Profile) -> sbpl::Profile {
    lines(profile, |section, line| {
        let clone = is_about(line, &Operation::FileClone);
        (section != Section::Pins || !clone).then(|| line.rule().clone())
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

#[test]
fn every_renderer_with_a_hole_is_caught() {
    let holes: [(&str, Renderer); 5] = [
        ("no pins", without_pins),
        ("folders are cloned", with_clones_of_folders),
        (
            "exclusions from reading alone",
            with_exclusions_from_reading_alone,
        ),
        (
            "exclusions before allowances",
            with_exclusions_before_allowances,
        ),
        ("no twins", without_twins),
    ];
    let choices = worlds::choices();
    let mut missed = Vec::new();
    for (name, renderer) in holes {
        let caught =
            (0..20_000).find(|seed| matches!(run(*seed, renderer, &choices), Ran::Broken(_)));
        match caught {
            Some(seed) => println!("{name}: caught by program {}", seed + 1),
            None => missed.push(name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
