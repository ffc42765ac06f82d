//! Trials of what may be done: guard and profile are both asked, and must say the same.

use objcap_capability::{Act, Guard, Stack};
use objcap_object::{Host, World};
use objcap_sandbox::{Decision, Profile, act_requests};

/// Whether an act may be done, where guard and profile have said the same.
///
/// # Panics
/// When they have not, and when a path cannot be walked.
#[track_caller]
pub fn agreed<W: World>(
    host: &Host<W>,
    stack: &Stack<W>,
    profile: &Profile,
    act: Act,
    paths: &[&str],
) -> bool {
    let guard = Guard::new(host, stack);
    let judged = guard
        .judge_act(act, paths)
        .expect("names that lead somewhere");
    let admitted = judged.iter().all(|judged| judged.is_admitted());
    let objects: Vec<_> = judged.iter().map(|judged| judged.object()).collect();
    let requests = act_requests(act, &objects, host);
    let told: Vec<_> = judged.iter().map(ToString::to_string).collect();
    let expected = match admitted {
        true => Decision::Allow,
        false => Decision::Deny,
    };
    let settled = profile.explain(&requests).settled();
    assert_eq!(settled, Some(expected), "{act:?}: the guard says {told:?}");
    admitted
}

/// Grants in a world, and acts to be tried under them.
pub trait Tries {
    /// Whether it may be done; all who are asked have said the same.
    fn may(&self, act: Act, paths: &[&str]) -> bool;

    /// All of it may be done.
    #[track_caller]
    fn admits(&self, trials: &[(Act, &[&str])]) {
        for (act, paths) in trials {
            assert!(self.may(*act, paths), "{act:?} {paths:?} is refused");
        }
    }

    /// None of it may be done.
    #[track_caller]
    fn refuses(&self, trials: &[(Act, &[&str])]) {
        for (act, paths) in trials {
            assert!(!self.may(*act, paths), "{act:?} {paths:?} is admitted");
        }
    }
}
