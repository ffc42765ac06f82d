//! Every small stack: all grants of up to two clauses, and all pairs of layers of one clause.

use objcap_object::{Host, Memory};

use crate::model::{Model, admits};
use crate::world::{LISTS, Layer, PLACES, Question, admitted, freeze, questions, world};

type Clause = (objcap_capability::List, &'static str);

fn clauses(places: &'static [&'static str]) -> Vec<Clause> {
    let all = LISTS.iter();
    all.flat_map(|&list| places.iter().map(move |&place| (list, place)))
        .collect()
}

/// Every second place: both kinds, a second name, a link, a name of nothing and an alias's twin.
const FEW: &[&str] = &["/w", "/w/a/f", "/w/.env", "/w/l", "/w/new/deep", "/tmp/t"];

/// What is admitted, after the model has said the same of every question.
fn agreed(layers: &[Layer], host: &Host<Memory>, questions: &[Question]) -> Option<Vec<bool>> {
    let stack = freeze(layers, host)?;
    let models: Vec<_> = layers.iter().map(|layer| Model::of(layer, host)).collect();
    let told = admitted(&stack, host, questions);
    for (question, told) in questions.iter().zip(&told) {
        let expected = admits(&models, question, host);
        assert_eq!(*told, expected, "{layers:?}\n{question:?}");
    }
    Some(told)
}

#[test]
fn every_grant_of_up_to_two_clauses_is_judged_as_the_model_says() {
    let (host, questions, clauses) = (world(), questions(), clauses(PLACES));
    let (mut stacks, mut yes, mut no) = (0, 0, 0);
    let mut try_one = |layer: Layer| {
        let told = agreed(&[layer], &host, &questions);
        stacks += usize::from(told.is_some());
        for one in told.into_iter().flatten() {
            *(if one { &mut yes } else { &mut no }) += 1;
        }
    };
    for (fs, exec) in [(false, false), (true, false), (false, true), (true, true)] {
        try_one(Layer {
            fs,
            exec,
            clauses: Vec::new(),
        });
    }
    for (at, one) in clauses.iter().enumerate() {
        try_one(Layer::of(&[*one]));
        for other in clauses.iter().skip(at + 1) {
            try_one(Layer::of(&[*one, *other]));
        }
    }
    println!("{stacks} stacks, {yes} admitted, {no} refused");
    assert!(stacks > 3000 && yes > 100_000 && no > 100_000);
}

#[test]
fn every_pair_of_layers_admits_what_both_admit() {
    let (host, questions, clauses) = (world(), questions(), clauses(FEW));
    let alone: Vec<_> = clauses
        .iter()
        .map(|clause| {
            let layer = Layer::of(&[*clause]);
            let told = agreed(std::slice::from_ref(&layer), &host, &questions);
            (layer, told)
        })
        .collect();
    let (mut pairs, mut both) = (0, 0);
    for (one, first) in &alone {
        for (other, second) in &alone {
            let told = agreed(&[one.clone(), other.clone()], &host, &questions);
            let (Some(first), Some(second), Some(told)) = (first, second, told) else {
                continue;
            };
            let met: Vec<bool> = first.iter().zip(second).map(|(a, b)| *a && *b).collect();
            assert_eq!(told, met, "{one:?} {other:?}");
            pairs += 1;
            both += told.iter().filter(|one| **one).count();
        }
    }
    println!("{pairs} pairs, {both} admitted");
    assert!(pairs > 1000 && both > 10_000);
}
