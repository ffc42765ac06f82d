//! Names that mean another object a moment later: Z-08, Z-09, and Z-12 to Z-28.

use objcap::object::{Leaf, Options, Scope, Tree as _};
use objcap_support::resolution::{Outcome, Question};
use objcap_support::scripted::{Change, Runs, Script, Turn, What, When};

use crate::{at_every_moment, exchange, link, one_of, rename, script, told, tree};

#[test]
fn z_08_a_link_is_read_as_it_was_opened() {
    let start = tree(&["l -> one", "one", "two"]);
    let options = Options::default();
    let question = Question::from_root(&start, b"l", &options);
    let turn = What::Change(link("/ROOT/l", "two"));
    let asked = question.ask(
        &start,
        &script(When::Opened(b"l".to_vec()), turn, Runs::Single),
    );
    question.judge(&asked).unwrap();
    assert_eq!(
        (told(&asked.outcome), asked.history.len()),
        ("/one".into(), 2)
    );
    at_every_moment(&start, "l", &link("/ROOT/l", "two"), |_, out| {
        one_of(out, &["/one", "/two"]);
    });
}

#[test]
fn z_09_a_link_becomes_a_directory_or_a_directory_a_link() {
    let start = tree(&["l -> d", "d/f", "e/f"]);
    at_every_moment(&start, "l/f", &exchange("/ROOT/l", "/ROOT/e"), |_, out| {
        one_of(out, &["/d/f", "/l/f"]);
    });
    at_every_moment(&start, "e/f", &exchange("/ROOT/l", "/ROOT/e"), |_, out| {
        one_of(out, &["/e/f", "/d/f"]);
    });
    at_every_moment(&start, "l", &exchange("/ROOT/l", "/ROOT/e"), |_, out| {
        one_of(out, &["/d", "/l"]);
    });
}

#[test]
fn z_12_and_z_13_an_inode_number_that_is_used_again() {
    let start = tree(&["d/f", "l -> d"]);
    for (path, place) in [("d/f", "/ROOT/d/f"), ("d", "/ROOT/d"), ("l", "/ROOT/l")] {
        let mut seen = Vec::new();
        let options = Options {
            leaf: Leaf::AsNamed,
            ..Options::default()
        };
        let question = Question::from_root(&start, path.as_bytes(), &options);
        for moment in 0..4 {
            let remade = What::Change(Change::Remake(place.into()));
            let asked = question.ask(&start, &script(When::At(moment), remade, Runs::Single));
            question.judge(&asked).unwrap();
            if let Outcome::Present { identity, .. } = asked.outcome {
                seen.push(identity);
            }
        }
        let (first, last) = (seen.first().unwrap(), seen.last().unwrap());
        assert!(first.may_be(last), "one number, so it can be refused");
        assert_ne!(first, last, "and two objects, as their births tell");
        seen.dedup();
        assert_eq!(seen.len(), 2, "at no moment a mixture");
    }
}

#[test]
fn z_15_to_z_17_a_parent_goes_and_the_handle_stays() {
    let start = tree(&["d/f", "other/"]);
    let options = Options::default();
    let question = Question::from_root(&start, b"d/f", &options);
    let old = start.run(start.root(), b"d").dir.unwrap();
    for (turns, at_the_name) in [
        (vec![rename("/ROOT/d", "/outside/d")], None),
        (vec![Change::Remove("/ROOT/d".into())], None),
        (
            vec![
                Change::Remove("/ROOT/d".into()),
                Change::Directory("/ROOT/d".into()),
            ],
            Some("another"),
        ),
    ] {
        // The directory was passed at question 0; the leaf is asked at 1.
        let turns = (turns.iter())
            .map(|change| Turn {
                when: When::At(1),
                what: What::Change(change.clone()),
            })
            .collect();
        let asked = question.ask(
            &start,
            &Script {
                turns,
                runs: Runs::Single,
            },
        );
        question.judge(&asked).unwrap();
        let (Outcome::Present { parent, .. } | Outcome::Absent { parent, .. }) = asked.outcome
        else {
            panic!("{:?}", asked.outcome);
        };
        assert_eq!(parent, old, "the handle is the directory that was passed");
        // Whoever asks the name again sees that it is not that directory any more.
        let now = asked.history.last().unwrap();
        let named = now.look(now.root(), b"d").unwrap();
        assert_eq!(named.is_some(), at_the_name.is_some());
        let held = now.stat(&parent).unwrap().identity;
        assert!(named.is_none_or(|stat| stat.identity != held));
    }
    for change in [
        rename("/ROOT/d", "/outside/d"),
        Change::Remove("/ROOT/d".into()),
    ] {
        at_every_moment(&start, "d/f", &change, |_, out| {
            one_of(out, &["/d/f", "absent /d", "absent /d/f"]);
        });
    }
}

#[test]
fn z_18_and_z_20_a_leaf_comes_or_goes() {
    let start = tree(&["d/", "e/f", "t"]);
    at_every_moment(
        &start,
        "d/f",
        &Change::File("/ROOT/d/f".into()),
        |_, out| {
            one_of(out, &["/d/f", "absent /d/f"]);
        },
    );
    at_every_moment(&start, "d/f", &link("/ROOT/d/f", "../t"), |_, out| {
        one_of(out, &["/t", "absent /d/f"]);
    });
    at_every_moment(
        &start,
        "d/f",
        &link("/ROOT/d/f", "../../outside/secret"),
        |scope, out| match scope {
            Scope::InRoot => one_of(out, &["absent /d/f", "absent /outside"]),
            Scope::Beneath => one_of(out, &["absent /d/f", "outside-scope"]),
        },
    );
    at_every_moment(
        &start,
        "e/f",
        &Change::Remove("/ROOT/e/f".into()),
        |_, out| {
            one_of(out, &["/e/f", "absent /e/f"]);
        },
    );
}

#[test]
fn z_22_a_volume_is_mounted_over_a_component() {
    let start = tree(&["d/e/f", "up -> d/e/.."]);
    for place in ["/ROOT/d", "/ROOT/d/e", "/ROOT/d/e/f"] {
        for path in ["d/e/f", "d/e", "d/e/../e/f", "up/e"] {
            let mut covered = 0;
            at_every_moment(&start, path, &Change::Mount(place.into()), |_, out| {
                if let Outcome::Present { identity, .. } = out {
                    // Another mount shows in the record.
                    let over = identity.mount.is_some();
                    assert_eq!(over, identity.device != 1, "{out:?}");
                    covered += usize::from(over);
                }
                let tail = [
                    "/d/e/f",
                    "/d/e",
                    "absent /d/e",
                    "absent /d/e/f",
                    "not-found",
                    "raced",
                ];
                one_of(out, &tail);
            });
            assert!(
                covered > 0 || !place.ends_with(path),
                "{path} under {place}"
            );
        }
    }
}

#[test]
fn z_28_a_relative_path_starts_from_the_directory_that_is_held() {
    let start = tree(&["cwd/f", "other/f"]);
    let held = start.run(start.root(), b"cwd").dir.unwrap();
    let f = start.look(&held, b"f").unwrap().unwrap().identity;
    for scope_moment in 0..2 {
        let options = Options::default();
        let question = Question {
            start: (held, b"/cwd"),
            path: b"f",
            options: &options,
        };
        let change = What::Change(exchange("/ROOT/cwd", "/ROOT/other"));
        let asked = question.ask(
            &start,
            &script(When::At(scope_moment), change, Runs::Single),
        );
        question.judge(&asked).unwrap();
        let Outcome::Present {
            identity, parent, ..
        } = asked.outcome
        else {
            panic!("{:?}", asked.outcome);
        };
        assert_eq!((identity, parent), (f, held));
    }
}
