//! The table of docs/performance.md: all peers of a scenario take turns, a few calls each, many times
//! over. Whatever else the machine does falls on all of them alike, and the least of the turns is
//! what a peer costs when nothing else does. Criterion measures one after the other.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::{Duration, Instant};

/// One way to ask for a scenario's name.
pub(crate) type Peer<'s> = (&'static str, Box<dyn FnMut() + 's>);

/// A column for each, in this order.
const COLUMNS: &[&str] = &[
    "objcap",
    "objcap, name by name",
    "openat2 and statx",
    "std canonicalize",
    "cap-std canonicalize",
    "cap-std open",
    "pathrs resolve",
    "soft-canonicalize",
    "strict-path join",
];
/// How often each has its turn.
const ROUNDS: usize = 400;
/// About how long a turn is: much shorter than what a scheduler gives a process at once.
const TURN: Duration = Duration::from_micros(500);

pub(crate) fn heading() {
    println!(
        "\n| µs, the least of {ROUNDS} turns | {} |",
        COLUMNS.join(" | ")
    );
    println!("|---|{}", "---|".repeat(COLUMNS.len()));
}

pub(crate) fn row(title: &str, mut peers: Vec<Peer<'_>>) {
    let calls: Vec<_> = peers
        .iter_mut()
        .map(|(_, ask)| calls_of_a_turn(ask))
        .collect();
    let mut least = vec![Duration::MAX; peers.len()];
    for _ in 0..ROUNDS {
        for (((_, ask), &calls), least) in peers.iter_mut().zip(&calls).zip(&mut least) {
            *least = (*least).min(time(calls, ask) / calls);
        }
    }
    let cells = COLUMNS.iter().map(|column| {
        let at = peers.iter().position(|(title, _)| title == column);
        at.and_then(|at| least.get(at))
            .map_or("–".to_owned(), |least| {
                format!("{:.2}", least.as_nanos() as f64 / 1000.0)
            })
    });
    println!("| {title} | {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// How many calls fill a turn.
fn calls_of_a_turn(ask: &mut dyn FnMut()) -> u32 {
    let once = time(10, ask) / 10;
    let calls = TURN.as_nanos() / once.as_nanos().max(1);
    u32::try_from(calls).unwrap_or(u32::MAX).max(1)
}

fn time(calls: u32, ask: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        ask();
    }
    start.elapsed()
}
