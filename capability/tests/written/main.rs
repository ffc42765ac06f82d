//! Law 9: what a clause becomes depends on no name that the confined program may write. Each part is tried
//! on a Mac in memory, whose user owns some of it.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may stop at the first surprise, as tests do"
)]

mod exclusions;
mod links;
mod own;
mod programs;

use objcap_capability::{Access, Error, Grant, GrantBuilder, Guard, Stack};
use objcap_object::{Host, Memory};

fn freeze(builders: &[GrantBuilder], host: &Host<Memory>) -> Result<Stack<Memory>, Error> {
    let grants = builders.iter().cloned().map(|one| one.build(&host.vars));
    let grants: Vec<Grant> = grants.collect::<Result<_, _>>()?;
    Stack::freeze(&grants, host)
}

#[track_caller]
fn frozen(builders: &[GrantBuilder], host: &Host<Memory>) -> Stack<Memory> {
    freeze(builders, host).unwrap()
}

fn admits(stack: &Stack<Memory>, host: &Host<Memory>, path: &str, access: Access) -> bool {
    let judged = Guard::new(host, stack).judge(path, access);
    // What cannot be walked cannot be had.
    judged.is_ok_and(|judged| judged.is_admitted())
}

fn runs(stack: &Stack<Memory>, host: &Host<Memory>, path: &str) -> bool {
    admits(stack, host, path, Access::EXEC)
}
