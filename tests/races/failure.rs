//! A tree that never comes to rest (Z-10), and a system that fails (V-06, M-20).

use objcap::object::{ErrorKind, Leaf, Options};
use objcap_support::resolution::{Outcome, Question};
use objcap_support::scripted::{Failure, Script, Turn, What, When};

use crate::{RUNS, SCOPES, exchange, scoped, script, tree};

#[test]
fn z_10_a_link_and_a_directory_change_places_for_ever() {
    let start = tree(&["x -> d", "y/f", "y/g/", "d/f"]);
    let turn = |when| Turn {
        when,
        what: What::Change(exchange("/ROOT/x", "/ROOT/y")),
    };
    let always = || vec![turn(When::Asked(b"x".to_vec()))];
    let around = || {
        let mut turns = always();
        turns.push(turn(When::Opened(b"x".to_vec())));
        turns
    };
    let mut raced = 0;
    for turns in [
        always(),
        around(),
        vec![turn(When::From(0))],
        vec![turn(When::From(1))],
    ] {
        for (scope, runs) in SCOPES.into_iter().flat_map(|s| RUNS.map(|runs| (s, runs))) {
            for (path, leaf) in [
                ("x", Leaf::Follow),
                ("x", Leaf::AsNamed),
                ("x/", Leaf::Follow),
                ("x/.", Leaf::Follow),
                ("x/f", Leaf::Follow),
                ("x/g/../f", Leaf::Follow),
                ("x/../x/../x/f", Leaf::Follow),
            ] {
                let options = Options {
                    leaf,
                    ..scoped(scope)
                };
                let question = Question::from_root(&start, path.as_bytes(), &options);
                let script = Script {
                    turns: turns.clone(),
                    runs,
                };
                // That it ends at all is the point; the tree panics when it is asked for ever.
                let asked = question.ask(&start, &script);
                question.judge(&asked).unwrap();
                assert!(
                    asked.questions.len() < 500,
                    "{path}: {}",
                    asked.questions.len()
                );
                raced += usize::from(asked.outcome.is_raced());
            }
        }
    }
    assert!(raced > 0, "some walk gives up");
}

#[test]
fn v_06_an_error_of_the_system_is_never_an_absence() {
    let start = tree(&["d/e/f", "l -> d/e", "d/back -> ../l"]);
    let (mut told_as_such, mut spellings) = (0, 0);
    for failure in Failure::ALL {
        for path in [
            "d/e/f",
            "d/e/none",
            "none",
            "l/f",
            "l/none",
            "d/back/../e/f",
            "d/e/.",
        ] {
            for (scope, runs) in SCOPES.into_iter().flat_map(|s| RUNS.map(|runs| (s, runs))) {
                let options = scoped(scope);
                let question = Question::from_root(&start, path.as_bytes(), &options);
                let quiet = question.ask(
                    &start,
                    &Script {
                        turns: vec![],
                        runs,
                    },
                );
                question.judge(&quiet).unwrap();
                for moment in 0..quiet.questions.len() {
                    // Once: it is told, or it was asked again and the answer is the usual one.
                    let once =
                        question.ask(&start, &script(When::At(moment), What::Fail(failure), runs));
                    question.judge(&once).unwrap();
                    let is_told = once.errno == Some(failure.errno());
                    assert!(is_told || once.outcome == quiet.outcome, "{path}: {once:?}");
                    // From then on: it is told.
                    let ever = question.ask(
                        &start,
                        &script(When::From(moment), What::Fail(failure), runs),
                    );
                    question.judge(&ever).unwrap();
                    let names_asked = (ever.questions.iter().skip(moment))
                        .filter(|asked| !asked.name.is_empty())
                        .count();
                    if names_asked == 0 && ever.outcome == quiet.outcome {
                        // The answer had been given; what failed was to learn how it is spelled.
                        spellings += 1;
                        continue;
                    }
                    assert_eq!(
                        ever.errno,
                        Some(failure.errno()),
                        "{path} at {moment}: {ever:?}"
                    );
                    assert!(matches!(&ever.outcome, Outcome::Failed { kind, .. }
                        if *kind == failure.kind() && *kind != ErrorKind::NotFound));
                    told_as_such += 1;
                }
            }
        }
    }
    println!("{told_as_such} moments at which the system failed, {spellings} after the answer");
    assert!(told_as_such > 20 * spellings);
}
