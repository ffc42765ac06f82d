//! What a profile is made from says what the layers say: `Stack::files`, `programs` and `waypoints`, which
//! meet the layers clause by clause, against the guard, which asks one layer after the other.

use std::collections::BTreeSet;

use objcap_capability::{Access, Guard, Verdict};
use objcap_object::{Host, Memory, RealPath};
use proptest::prelude::*;

use crate::drawn::layer;
use crate::world::{ASKED, Layer, freeze, world};

/// Whether what is met admits an access to what stands at a name, exclusions by name and by identity.
fn met(layers: &[Layer], host: &Host<Memory>) -> Result<(), TestCaseError> {
    let Some(stack) = freeze(layers, host) else {
        return Ok(());
    };
    let guard = Guard::new(host, &stack);
    let (reads, writes) = (
        stack.files(Access::READ, host),
        stack.files(Access::WRITE, host),
    );
    let (programs, waypoints) = (stack.programs(host), stack.waypoints(host));
    for path in ASKED {
        let judge = |access| guard.judge(path, access).unwrap();
        let judged = judge(Access::STAT);
        let real = judged.real();
        let covered = |allowances: &[&objcap_capability::Allowance]| {
            allowances.iter().any(|one| one.covers(real, host))
        };
        let key = real.key();
        let identity = judged.object().identity();
        let against = |access: Access| {
            let layers = stack.layers().iter().flat_map(|layer| layer.exclusions());
            let mut all = layers.chain(stack.own());
            all.any(|one| {
                let mut places = one.places().iter();
                let same = identity.is_some_and(|identity| {
                    places.any(|place| place.identity().is_some_and(|one| one.may_be(&identity)))
                });
                one.against().intersects(access) && (same || one.covers(&key))
            })
        };
        let files = stack.restricts_files();
        // The links on the way have questions of their own.
        let blocked = matches!(
            judge(Access::READ).verdict(),
            Verdict::Refused(objcap_capability::Refusal::Link { .. })
        );
        let read = !files || covered(&reads);
        let stat = read || waypoints.contains(real);
        let write = !files || covered(&writes);
        let run = (!stack.restricts_programs() || covered(&programs)) && read;
        let making = judged.object().kind().is_none();
        for (access, expected, against) in [
            (Access::STAT, stat, against(Access::STAT)),
            (Access::READ, read, against(Access::READ)),
            (Access::WRITE, write, against(Access::WRITE)),
            (Access::EXEC, run, against(Access::EXEC | Access::READ)),
        ] {
            // What is made may be refused for what lies below it, which is a question of pins.
            if access != Access::WRITE || !making {
                let told = judge(access).is_admitted();
                prop_assert_eq!(
                    told,
                    expected && !against && !blocked,
                    "{} of {}",
                    access,
                    path
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_met_is_what_every_layer_admits(layers in prop::collection::vec(layer(), 1..=3)) {
        met(&layers, &world())?;
    }
}

#[test]
fn two_overlapping_layers_leave_the_smaller_places() {
    let host = world();
    let layers = [
        Layer::of(&[
            (objcap_capability::List::Read, "/w"),
            (objcap_capability::List::Write, "/w/a/b"),
        ]),
        Layer::of(&[
            (objcap_capability::List::Write, "/w/a"),
            (objcap_capability::List::Read, "/tmp/t"),
        ]),
    ];
    let stack = freeze(&layers, &host).unwrap();
    let named = |access| -> BTreeSet<String> {
        let written = stack.files(access, &host).into_iter();
        let written = written.filter(|one| {
            one.clause()
                .path()
                .is_some_and(|path| path.starts_with("/w"))
        });
        written.map(|one| one.place().real().to_string()).collect()
    };
    assert_eq!(named(Access::WRITE), BTreeSet::from(["/w/a/b".to_owned()]));
    assert_eq!(
        named(Access::READ),
        BTreeSet::from(["/w/a".to_owned(), "/w/a/b".to_owned()])
    );
    let waypoint = RealPath::new("/private/tmp/t").unwrap();
    assert!(
        !stack.waypoints(&host).contains(&waypoint),
        "only one layer leads there"
    );
}
