//! A log in a few lines, for whoever ran a program in a sandbox.

use std::fmt::Write as _;

use objcap_capability::Stack;
use objcap_object::{Host, World};

use super::{Diagnoser, Found};
use crate::Profile;

/// The most denials that a summary tells.
const TOLD_MAX: usize = 10;

/// What was denied and what would admit it, one of each in two lines, the ten most frequent of them; empty when
/// there was nothing. The profile admits some of what a log has: that is of others, and left out.
pub fn summary<W: World>(
    found: &Found,
    profile: &Profile,
    stack: &Stack<W>,
    host: &Host<W>,
) -> String {
    let diagnoser = Diagnoser::new(profile, stack, host);
    let mut text = String::new();
    for trouble in found.troubles() {
        let diagnosis = diagnoser.trouble(trouble);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{trouble}\n  {}", diagnosis.hint());
    }
    let mut ours: Vec<_> = found.denials().iter().collect();
    // The sort is stable: of those alike, the first to come is told first.
    ours.sort_by_key(|denial| std::cmp::Reverse(denial.count()));
    let hinted = ours
        .into_iter()
        .map(|denial| (denial, diagnoser.denial(denial)));
    let mut hinted =
        hinted.filter(|(_, diagnosis)| !matches!(diagnosis.hint(), super::Hint::Admitted));
    for (denial, diagnosis) in hinted.by_ref().take(TOLD_MAX) {
        let _ = writeln!(text, "{denial}\n  {}", diagnosis.hint());
    }
    match hinted.count() as u64 + found.counts().beyond {
        0 => {}
        more => {
            let _ = writeln!(text, "{more} more, told less often");
        }
    }
    text
}
