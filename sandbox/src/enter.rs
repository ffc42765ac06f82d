//! Running a program under a profile: the plan, what it cannot hold, the command, and the launcher that becomes the
//! child.

mod child;
mod command;
pub(crate) mod entry;
mod error;
pub(crate) mod inherited;
mod launch;
mod launcher;
mod limitation;
mod order;
mod plan;

pub use child::Child;
pub use command::{Command, Prepared};
pub use error::{LaunchError, LaunchErrorKind};
pub use inherited::Session;
pub use launcher::launcher;
pub use limitation::{Consent, Limitation, LimitationKind};
pub use plan::{Confinement, Enforced, Entry, Sandbox};
