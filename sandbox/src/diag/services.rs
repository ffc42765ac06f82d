//! Denials that no clause is about: services, other processes, devices, the system itself.

use objcap_capability::NetAccess;
use objcap_object::World;
use sbpl::Operation;
use sbpl::ast::{Quantity, Subject, Symbol, Target, Value};
use sbpl::judge::Request;

use super::decided::decided;
use super::examine::Examined;
use super::files::{Files, spoken_against};
use super::{Cause, Diagnosis, Hint, Operand};
use crate::profile::doors;
use crate::{Why, withheld};

impl<'a, W: World> Files<'a, W> {
    /// A denial to look up a service.
    pub(super) fn service(&self, operation: &Operation, name: &[u8]) -> Diagnosis<'a> {
        let text = String::from_utf8_lossy(name);
        if let Some(door) = withheld(&text) {
            return Diagnosis::of(Hint::Withheld(door));
        }
        let request = Request::new(operation.clone()).name(Subject::GlobalName, name);
        let denying = match Examined::of(self.profile, &[request]) {
            Examined::Admitted => return Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => denying,
        };
        let mut network = doors::NETWORK.iter();
        let is_network = *operation == Operation::MachLookup
            && self.stack.net() == NetAccess::Offline
            && network.any(|door| door.name.as_bytes() == name);
        let hint = match is_network {
            true => self.opened(Vec::new()),
            false => decided(operation),
        };
        Diagnosis::by(hint, denying)
    }

    /// A denial to do something with a device. What every profile keeps back of that is one command.
    pub(super) fn device(
        &self,
        operation: &Operation,
        path: &[u8],
        command: Option<&[u8]>,
    ) -> Diagnosis<'a> {
        let Some(real) = self.real(path) else {
            return Diagnosis::of(Hint::Unknown(Cause::Unread));
        };
        let command = command.and_then(symbol);
        let requests = self
            .requests(operation, &real)
            .into_iter()
            .map(|request| match &command {
                Some(symbol) => {
                    request.value(Quantity::IoctlCommand, Value::Symbol(symbol.clone()))
                }
                None => request,
            });
        let requests: Vec<_> = requests.collect();
        let denying = match Examined::of(self.profile, &requests) {
            Examined::Admitted => return Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => denying,
        };
        let hint = spoken_against(denying).unwrap_or(match denying.and_then(|one| one.why) {
            Some(Why::Reason(reason)) => Hint::Decided(reason),
            _ => Hint::Unknown(Cause::Disagreement),
        });
        Diagnosis::by(hint, denying)
    }

    /// A denial about whatever else.
    pub(super) fn other(&self, operation: &Operation, operand: &Operand) -> Diagnosis<'a> {
        let about = Request::new(operation.clone());
        let about = match operand {
            Operand::Sysctl(name) => about.name(Subject::SysctlName, name),
            Operand::Name(name) if operation.name().starts_with("ipc-posix") => {
                about.name(Subject::IpcPosixName, name)
            }
            // A process that is denied to another is not of the same sandbox.
            _ => about.target(Target::Others),
        };
        match Examined::of(self.profile, &[about]) {
            Examined::Admitted => Diagnosis::of(Hint::Admitted),
            Examined::Denied(denying) => Diagnosis::by(decided(operation), denying),
        }
    }
}

/// A command by its symbol: as that is printed, or by the number that TIOCSTI has (sys/ttycom.h: `_IOW('t', 114, char)`).
/// Under which of them a log has it is not measured.
fn symbol(command: &[u8]) -> Option<Symbol> {
    let text = std::str::from_utf8(command).ok()?.trim();
    let known = ["0x80017472", "(_IOW \"t\" 114 1)", "_IOW('t', 114, char)"];
    let name = match known.contains(&text) {
        true => "TIOCSTI",
        false => text,
    };
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase());
    Symbol::new(name).ok().filter(|_| is_name)
}
