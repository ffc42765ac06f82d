//! Threads that exchange links, folders and files on this machine while the guard locates and opens: never
//! a byte of what is excluded.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use objcap::capability::{Grant, Guard, GuardError, Read, Stack};
use objcap::object::Host;
use objcap_support::scratch::Scratch;
use rustix::fs::{CWD, RenameFlags, renameat_with};

const SECRET: &str = "excluded";
const OPEN: &str = "allowed";

/// What a storm came to.
#[derive(Debug, Default)]
struct Tally {
    read: usize,
    refused: usize,
    changed: usize,
    walk: usize,
}

fn build(root: &Path) {
    for dir in ["keys/in", "pub/in", "deep/a"] {
        fs::create_dir_all(root.join(dir)).unwrap();
    }
    for file in [".env", "keys/f", "keys/in/f"] {
        fs::write(root.join(file), SECRET).unwrap();
    }
    for file in ["plain", "pub/f", "pub/in/f", "deep/a/f"] {
        fs::write(root.join(file), OPEN).unwrap();
    }
    symlink("keys", root.join("to-keys")).unwrap();
    symlink("../keys/in", root.join("pub/to-in")).unwrap();
    symlink(".env", root.join("to-env")).unwrap();
    symlink("pub", root.join("to-pub")).unwrap();
}

/// Names that are exchanged, each pair by a thread of its own.
const PAIRS: &[(&str, &str)] = &[
    // A link to the excluded folder and a folder; one below; a link and the excluded file itself.
    ("pub", "to-keys"),
    ("deep/a", "pub/to-in"),
    ("plain", ".env"),
    ("to-env", "to-pub"),
];

const PATHS: &[&str] = &[
    "pub/f",
    "pub/in/f",
    "to-pub/f",
    "deep/a/f",
    "plain",
    "to-env",
    "pub/to-in/f",
    "to-pub/in/../f",
];

fn storm(rounds: usize) -> Tally {
    let scratch = Scratch::new(&[]);
    let root = scratch.root();
    build(root);
    let host = Host::ambient().unwrap();
    let grant = Grant::builder()
        .read(root)
        .exclude(root.join(".env"))
        .exclude(root.join("keys"))
        .build(&host.vars);
    let stack = Stack::freeze(&[grant.unwrap()], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let over = AtomicBool::new(false);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        for (one, other) in PAIRS {
            let (one, other) = (root.join(one), root.join(other));
            let over = &over;
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    // It fails where another thread has just moved the folder.
                    let _ = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
                    std::thread::yield_now();
                }
            });
        }
        for (round, name) in (0..rounds).zip(PATHS.iter().cycle()) {
            let path = root.join(name);
            let opened = guard.locate::<Read>(&path).and_then(|held| held.open());
            match opened {
                Ok(mut file) => {
                    let mut text = String::new();
                    file.read_to_string(&mut text).unwrap();
                    if text != OPEN {
                        over.store(true, Ordering::Relaxed);
                        panic!("round {round}: {} gave {text:?}", path.display());
                    }
                    tally.read += 1;
                }
                Err(GuardError::Refused(_)) => tally.refused += 1,
                Err(GuardError::Operation(_)) => tally.changed += 1,
                Err(GuardError::Walk(_)) => tally.walk += 1,
                Err(other) => {
                    over.store(true, Ordering::Relaxed);
                    panic!("{other}");
                }
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    println!("{rounds} rounds: {tally:?}");
    tally
}

#[test]
fn a_short_storm_yields_no_byte_of_what_is_excluded() {
    let tally = storm(4_000);
    assert!(tally.read > 100 && tally.refused > 100, "{tally:?}");
}

#[test]
#[ignore = "minutes: cargo test --test guard_races -- --ignored --nocapture"]
fn a_long_storm_yields_no_byte_of_what_is_excluded() {
    let tally = storm(250_000);
    assert!(tally.read > 10_000 && tally.refused > 10_000, "{tally:?}");
    assert!(
        tally.changed > 0,
        "nothing was caught between the verdict and the open: {tally:?}"
    );
}
