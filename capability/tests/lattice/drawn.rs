//! Stacks of up to three layers with up to five clauses each, drawn at random.

use objcap_capability::List;
use objcap_object::{Host, Memory};
use proptest::prelude::*;

use crate::model::{Model, admits};
use crate::world::{LISTS, Layer, PLACES, admitted, freeze, questions, world};

fn clause() -> impl Strategy<Value = (List, &'static str)> {
    (prop::sample::select(LISTS), prop::sample::select(PLACES))
}

pub(crate) fn layer() -> impl Strategy<Value = Layer> {
    let clauses = prop::collection::vec(clause(), 0..=5);
    (any::<bool>(), any::<bool>(), clauses).prop_map(|(fs, exec, clauses)| {
        let needed = Layer::of(&clauses);
        Layer {
            fs: fs || needed.fs,
            exec: exec || needed.exec,
            clauses,
        }
    })
}

fn told(layers: &[Layer], host: &Host<Memory>) -> Option<Vec<bool>> {
    Some(admitted(&freeze(layers, host)?, host, &questions()))
}

/// Whether all that is admitted here is admitted there.
fn narrows(here: &[bool], there: &[bool]) -> bool {
    here.iter().zip(there).all(|(here, there)| !here || *there)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_model_says_the_same(layers in prop::collection::vec(layer(), 0..=3)) {
        let host = world();
        if let Some(told) = told(&layers, &host) {
            let models: Vec<_> = layers.iter().map(|layer| Model::of(layer, &host)).collect();
            for (question, told) in questions().iter().zip(told) {
                prop_assert_eq!(told, admits(&models, question, &host), "{:?}", question);
            }
        }
    }

    #[test]
    fn layers_commute_associate_and_are_idempotent(a in layer(), b in layer(), c in layer()) {
        let host = world();
        let met = |layers: &[&Layer]| {
            let layers: Vec<_> = layers.iter().copied().cloned().collect();
            told(&layers, &host)
        };
        prop_assert_eq!(met(&[&a, &b]), met(&[&b, &a]));
        prop_assert_eq!(met(&[&a, &b, &c]), met(&[&c, &a, &b]));
        prop_assert_eq!(met(&[&a, &a]), met(&[&a]));
        prop_assert_eq!(met(&[&a, &b, &a, &b]), met(&[&a, &b]));
    }

    #[test]
    fn two_layers_admit_what_both_admit(a in layer(), b in layer()) {
        let host = world();
        let (one, other) = (told(std::slice::from_ref(&a), &host), told(std::slice::from_ref(&b), &host));
        if let (Some(one), Some(other), Some(both)) = (one, other, told(&[a, b], &host)) {
            let met: Vec<bool> = one.iter().zip(&other).map(|(a, b)| *a && *b).collect();
            prop_assert_eq!(both, met);
        }
    }

    #[test]
    fn a_clause_for_never_refuses_and_one_against_never_admits(
        layer in layer(),
        beside in layer(),
        added in clause(),
        at in any::<prop::sample::Index>(),
    ) {
        let host = world();
        let mut more = layer.clone();
        more.clauses.insert(at.index(layer.clauses.len() + 1), added);
        // A clause in a table that was not there restricts what had been open.
        let needed = Layer::of(&more.clauses);
        prop_assume!((needed.fs <= layer.fs) && (needed.exec <= layer.exec));
        let before = told(&[layer, beside.clone()], &host);
        let after = told(&[more, beside], &host);
        if let (Some(before), Some(after)) = (before, after) {
            match added.0 {
                List::Read | List::Write | List::Allow => prop_assert!(narrows(&before, &after)),
                _ => prop_assert!(narrows(&after, &before)),
            }
        }
    }
}
