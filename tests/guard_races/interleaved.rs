//! Every change at every moment of a `locate`, and every two changes at every two moments.
//!
//! The changes are those that a program under the grant may make, and for an excluded file any at all: its
//! identity tells it. That a folder's contents go where the folder is moved to is residual G-2, and the guard
//! moves none.

use std::collections::BTreeSet;
use std::rc::Rc;

use objcap::capability::{Grant, Guard, GuardError, Read, Right, Stack, Stat, Write};
use objcap::walk::Memory;
use objcap_support::moving;
use objcap_support::scripted::{Change, Runs, Script, Turn, What, When};

/// `/w` may be written but for the file `/w/.env` and the folder `/w/keys`.
fn start() -> Rc<Memory> {
    let mut tree = Memory::new();
    for file in [
        "/w/.env",
        "/w/keys/f",
        "/w/keys/in/f",
        "/w/pub/f",
        "/w/pub/in/f",
        "/w/other/f",
        "/w/plain",
    ] {
        tree.file(file);
    }
    tree.link("/w/l", "keys");
    tree.link("/w/to-pub", "pub");
    tree.link("/w/pub/up", "../.env");
    tree.link("/w/chain", "to-pub/f");
    tree.link("/w/e", ".env");
    Rc::new(tree)
}

fn exchange(one: &str, other: &str) -> Change {
    Change::Exchange(one.into(), other.into())
}

fn changes() -> Vec<Change> {
    let rename = |from: &str, to: &str| Change::Rename(from.into(), to.into());
    vec![
        // A link into what is excluded takes a folder's name, a file's, another link's.
        exchange("/w/pub", "/w/l"),
        exchange("/w/to-pub", "/w/l"),
        exchange("/w/plain", "/w/e"),
        exchange("/w/pub/f", "/w/pub/up"),
        exchange("/w/pub", "/w/other"),
        rename("/w/l", "/w/to-pub"),
        rename("/w/pub", "/w/other/pub"),
        Change::Link("/w/pub/in".into(), "../keys/in".into()),
        Change::Link("/w/pub".into(), "keys".into()),
        // The excluded file itself has another's name, and gives it its own.
        exchange("/w/.env", "/w/plain"),
        exchange("/w/.env", "/w/pub/f"),
        rename("/w/.env", "/w/pub/f"),
        rename("/w/.env", "/w/free"),
    ]
}

const PATHS: &[&str] = &[
    "/w/pub/f",
    "/w/pub/in/f",
    "/w/pub/in/../f",
    "/w/to-pub/f",
    "/w/to-pub/in/../../plain",
    "/w/chain",
    "/w/plain",
    "/w/free",
    "/w/other/../pub/f",
];

/// What came of one `locate`.
enum Came {
    HandedOut,
    Refused,
    Failed,
}

struct Tried {
    came: Came,
    /// How often the freezing asked, and how often all did.
    frozen: usize,
    asked: usize,
}

/// Freezes, then locates while the turns happen; they are counted from the first question of the walk.
fn locate<R: Right>(path: &str, turns: &[(usize, &Change)], runs: Runs, frozen: usize) -> Tried {
    let start = start();
    let excluded: BTreeSet<_> = start
        .objects()
        .into_iter()
        .filter(|(real, _)| real == b"/w/.env" || real.starts_with(b"/w/keys"))
        .map(|(_, stat)| (stat.identity.device, stat.identity.inode))
        .collect();
    assert_eq!(excluded.len(), 5);
    let turns = turns.iter().map(|(moment, change)| Turn {
        when: When::At(frozen + moment),
        what: What::Change((*change).clone()),
    });
    let script = Script {
        turns: turns.collect(),
        runs,
    };
    let host = moving::host(start, &script);
    let grant = Grant::builder()
        .write("/w")
        .exclude("/w/.env")
        .exclude("/w/keys");
    let stack = Stack::freeze(&[grant.build(&host.vars).unwrap()], &host).unwrap();
    let frozen = host.tree.asked().len();
    let came = match Guard::new(&host, &stack).locate::<R>(path) {
        Ok(held) => {
            let identity = held.identity().map(|one| (one.device, one.inode));
            let hidden = identity.is_some_and(|one| excluded.contains(&one));
            assert!(
                !hidden,
                "{path}: {} is handed out; {:?}",
                held.real(),
                script.turns
            );
            let real = held.real().to_string();
            assert!(
                real != "/w/.env" && !real.starts_with("/w/keys"),
                "{path}: {real}"
            );
            Came::HandedOut
        }
        Err(GuardError::Refused(_)) => Came::Refused,
        Err(GuardError::Walk(_)) => Came::Failed,
        Err(other) => panic!("{other}"),
    };
    Tried {
        came,
        frozen,
        asked: host.tree.asked().len(),
    }
}

#[derive(Debug, Default)]
struct Tally {
    handed_out: usize,
    refused: usize,
    failed: usize,
}

impl Tally {
    fn count(&mut self, came: &Came) {
        *(match came {
            Came::HandedOut => &mut self.handed_out,
            Came::Refused => &mut self.refused,
            Came::Failed => &mut self.failed,
        }) += 1;
    }
}

fn every_change_at_every_moment<R: Right>() {
    let mut tally = Tally::default();
    for path in PATHS {
        for runs in [Runs::Single, Runs::Halved] {
            let still = locate::<R>(path, &[], runs, 0);
            for change in &changes() {
                for moment in 0.. {
                    let tried = locate::<R>(path, &[(moment, change)], runs, still.frozen);
                    tally.count(&tried.came);
                    if still.frozen + moment >= tried.asked {
                        break;
                    }
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.handed_out > 500 && tally.refused > 100, "{tally:?}");
}

#[test]
fn one_change_while_a_file_is_located_to_be_read() {
    every_change_at_every_moment::<Read>();
}

#[test]
fn one_change_while_a_file_is_located_to_be_written_or_made() {
    every_change_at_every_moment::<Write>();
}

#[test]
fn one_change_while_a_file_is_located_to_be_asked_about() {
    every_change_at_every_moment::<Stat>();
}

#[test]
fn two_changes_at_any_two_moments() {
    let mut tally = Tally::default();
    let changes = changes();
    for path in PATHS {
        let still = locate::<Read>(path, &[], Runs::Single, 0);
        let moments = still.asked - still.frozen + 2;
        for one in &changes {
            for other in &changes {
                for first in 0..moments {
                    for second in first..moments {
                        let turns = [(first, one), (second, other)];
                        let tried = locate::<Read>(path, &turns, Runs::Single, still.frozen);
                        tally.count(&tried.came);
                    }
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(
        tally.handed_out > 10_000 && tally.refused > 10_000,
        "{tally:?}"
    );
}
