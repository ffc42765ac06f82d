//! From a denial, a trouble or a refusal of the guard to a hint.

use objcap_capability::{Access, Refusal, Stack};
use objcap_object::{Host, RealPath, World};
use sbpl::Operation;

use super::examine::Denying;
use super::files::{Files, Need};
use super::{Cause, Denial, Hint, Operand, Policy, Trouble};
use crate::{Line, Profile, Why};

/// Judges denials by a profile and the grants that it was rendered from.
#[derive(Debug)]
pub struct Diagnoser<'a, W: World> {
    profile: &'a Profile,
    stack: &'a Stack<W>,
    host: &'a Host<W>,
}

/// A hint, and the rule of the profile behind it.
#[derive(Debug, Clone)]
pub struct Diagnosis<'a> {
    hint: Hint,
    rule: Option<(usize, &'a Line)>,
    why: Option<&'a Why>,
}

/// How long a name can be and surely whole: the kernel's messages end at 1,024 bytes (not measured), of
/// which the words before the name take less than the rest.
const WHOLE_MAX: usize = 900;

impl<'a> Diagnosis<'a> {
    pub(super) fn of(hint: Hint) -> Self {
        Diagnosis {
            hint,
            rule: None,
            why: None,
        }
    }

    pub(super) fn by(hint: Hint, denying: Option<Denying<'a>>) -> Self {
        Diagnosis {
            hint,
            rule: denying.map(|denying| (denying.rule, denying.line)),
            why: denying.and_then(|denying| denying.why),
        }
    }

    /// The hint.
    pub fn hint(&self) -> &Hint {
        &self.hint
    }

    /// The rule that denies it, and its number, from 0; `None` where no rule was found to.
    pub fn rule(&self) -> Option<(usize, &'a Line)> {
        self.rule
    }

    /// Why the part of that rule is there that denies it.
    pub fn why(&self) -> Option<&'a Why> {
        self.why
    }
}

impl<'a, W: World> Diagnoser<'a, W> {
    /// By a profile, the stack that it was rendered from, and the host of both.
    pub fn new(profile: &'a Profile, stack: &'a Stack<W>, host: &'a Host<W>) -> Self {
        Diagnoser {
            profile,
            stack,
            host,
        }
    }

    fn files(&self) -> Files<'a, W> {
        Files {
            profile: self.profile,
            stack: self.stack,
            host: self.host,
        }
    }

    /// What can be said of a denial. The names in it are those under which the system knows the objects, and
    /// are not walked.
    pub fn denial(&self, denial: &Denial) -> Diagnosis<'a> {
        if denial.policy() == Policy::System {
            let reason = "the system's own policy denies it to every program";
            return Diagnosis::of(Hint::Decided(reason));
        }
        let operation = denial.operation();
        if operation.name() == "forbidden-sandbox-reinit" {
            return Diagnosis::of(Hint::Nesting);
        }
        if operation.name().starts_with("forbidden-") {
            return Diagnosis::of(super::decided::decided(operation));
        }
        let operand = denial.operand();
        if operand.text().is_some_and(|text| text.len() > WHOLE_MAX) {
            return Diagnosis::of(Hint::Unknown(Cause::Cut));
        }
        let files = self.files();
        match operand {
            Operand::Path(path) => files.denial(operation, path),
            Operand::Socket(path) => files.socket(operation, path),
            Operand::Network(_) => files.address(operation),
            Operand::Mach(name) => files.service(operation, name),
            Operand::Ioctl { path, command } => files.device(operation, path, command.as_deref()),
            Operand::Redacted => Diagnosis::of(Hint::Unknown(Cause::Unnamed)),
            Operand::Unread(_) => Diagnosis::of(Hint::Unknown(Cause::Unread)),
            Operand::None if operation.name().starts_with("network") => files.address(operation),
            Operand::None if takes_a_name(operation) => {
                Diagnosis::of(Hint::Unknown(Cause::Unnamed))
            }
            operand => files.other(operation, operand),
        }
    }

    /// What can be said of what kept a program from running at all.
    pub fn trouble(&self, trouble: &Trouble) -> Diagnosis<'a> {
        Diagnosis::of(match trouble {
            Trouble::Nested => Hint::Nesting,
            Trouble::Aborted => Hint::StartUp,
            Trouble::Uncompiled { .. } => Hint::Unknown(Cause::Profile),
            Trouble::NotFound(_) => Hint::Unknown(Cause::NotFound),
            Trouble::NotPermitted(program) => match &program[..] {
                [b'/', ..] => return self.files().denial(&Operation::ProcessExec, program),
                _ => Hint::Unknown(Cause::Program),
            },
        })
    }

    /// What can be said of a refusal of the guard, of this access to what stands at a real path
    /// ([`Judgement`](objcap_capability::Judgement) has both). Where a clause is missing the guard has not looked
    /// for more: what holds an exclusion may be refused again, to be moved.
    pub fn refusal(&self, real: &RealPath, access: Access, refusal: &Refusal<'_>) -> Hint {
        match refusal {
            Refusal::Excluded { exclusion, .. } => Hint::Excluded(exclusion.clause().clone()),
            Refusal::Ancestor(exclusion) | Refusal::Holder(exclusion) => {
                Hint::Pinned(exclusion.clause().clone())
            }
            Refusal::Vetoed { clause, .. } => Hint::Excluded((*clause).clone()),
            Refusal::Argument { only, .. } => Hint::Excluded(only.clause().clone()),
            Refusal::Silence { .. } => self.files().hint(real, Need::of_access(access)),
            Refusal::Link { at, because } => self.refusal(at, Access::STAT, because),
            Refusal::Interpreter { at, because } => self.refusal(at, Access::EXEC, because),
        }
    }
}

/// Whether an operation is always about something that has a name.
fn takes_a_name(operation: &Operation) -> bool {
    let name = operation.name();
    name.starts_with("file-") || name.starts_with("process-exec")
}
