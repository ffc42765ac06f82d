//! What can be done to objects, act by act: admitted first, then refused under the same grant; what is run,
//! and what is handed out.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may stop at the first surprise, as tests do"
)]

mod ends;
mod exec;
mod held;
mod identity;
mod input;
mod literal;
mod relative;

use objcap_capability::{Act, GrantBuilder, Guard, Stack};
use objcap_object::{Host, Memory};

fn frozen(builders: &[GrantBuilder], host: &Host<Memory>) -> Stack<Memory> {
    let grants = builders.iter().cloned().map(|one| one.build(&host.vars));
    let grants: Result<Vec<_>, _> = grants.collect();
    Stack::freeze(&grants.unwrap(), host).unwrap()
}

/// Why an act is refused; `None` when every end of it is admitted.
fn refusal(stack: &Stack<Memory>, host: &Host<Memory>, act: Act, paths: &[&str]) -> Option<String> {
    let judged = Guard::new(host, stack).judge_act(act, paths).unwrap();
    assert_eq!(judged.len(), act.ends().len());
    let mut refused = judged.iter().filter(|judged| !judged.is_admitted());
    refused.next().map(|judged| judged.reason())
}
