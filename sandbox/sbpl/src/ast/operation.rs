//! Operations: what a process asks to do, which of them a wildcard covers, and which start
//! allowed.
//!
//! The table is Apple's of macOS 10.15, with the names that profiles of later systems use
//! (docs/seatbelt.md, section 2). An operation that it does not name is kept, with nothing known
//! of it.

use std::fmt;

use super::{Symbol, SymbolError};

/// How an operation is decided when no rule names it.
enum Standing {
    /// It is `default` itself.
    Root,
    /// By the rules on this wildcard.
    Under(Operation),
    /// Allowed; no wildcard and no `default` speaks for it.
    Allowed,
    /// Not known.
    Unknown,
}

macro_rules! operations {
    (
        $($variant:ident $name:literal $(or $alias:literal)? => $standing:ident $(($parent:ident))?,)*
    ) => {
        /// An operation, by the kernel's name. A wildcard such as `file-read*` has the variant
        /// without a star: [`Operation::FileRead`].
        #[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Operation {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            /// An operation that this crate does not know. [`Operation::from_name`] makes it.
            Other(UnknownOperation),
        }

        impl Operation {
            /// All that this crate knows.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The kernel's name of it.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Other(other) => other.name.as_str(),
                }
            }

            fn known(name: &str) -> Option<Self> {
                match name {
                    $($name $(| $alias)? => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn standing(&self) -> Standing {
                match self {
                    $(Self::$variant => Standing::$standing $((Self::$parent))?,)*
                    Self::Other(_) => Standing::Unknown,
                }
            }
        }
    };
}

operations! {
    Default "default" => Root,

    File "file*" => Under(Default),
    FileRead "file-read*" => Under(File),
    FileReadData "file-read-data" => Under(FileRead),
    FileReadMetadata "file-read-metadata" => Under(FileRead),
    FileReadXattr "file-read-xattr" => Under(FileRead),
    FileWrite "file-write*" => Under(File),
    FileWriteAcl "file-write-acl" => Under(FileWrite),
    FileWriteCreate "file-write-create" => Under(FileWrite),
    FileWriteData "file-write-data" => Under(FileWrite),
    FileWriteFinderinfo "file-write-finderinfo" => Under(FileWrite),
    FileWriteFlags "file-write-flags" => Under(FileWrite),
    FileWriteMode "file-write-mode" => Under(FileWrite),
    FileWriteOwner "file-write-owner" => Under(FileWrite),
    FileWriteTimes "file-write-times" => Under(FileWrite),
    FileWriteUnlink "file-write-unlink" => Under(FileWrite),
    FileWriteXattr "file-write-xattr" => Under(FileWrite),
    FileChroot "file-chroot" => Under(File),
    FileIoctl "file-ioctl" => Under(File),
    FileIssueExtension "file-issue-extension" => Under(File),
    FileMknod "file-mknod" => Under(File),
    FileMount "file-mount" => Under(File),
    FileRevoke "file-revoke" => Under(File),
    FileSearch "file-search" => Under(File),
    FileUnmount "file-unmount" => Under(File),

    Network "network*" => Under(Default),
    NetworkOutbound "network-outbound" => Under(Network),
    NetworkInbound "network-inbound" => Under(Network),
    NetworkBind "network-bind" => Under(NetworkInbound),

    Process "process*" => Under(Default),
    ProcessExec "process-exec*" or "process-exec" => Under(Process),
    ProcessExecInterpreter "process-exec-interpreter" => Under(ProcessExec),
    ProcessFork "process-fork" => Under(Process),

    Mach "mach*" => Under(Default),
    MachLookup "mach-lookup" => Under(Mach),
    MachRegister "mach-register" => Under(Mach),
    MachIssueExtension "mach-issue-extension" => Under(Mach),
    MachTaskName "mach-task-name" => Under(Mach),
    MachHost "mach-host*" => Under(Mach),
    MachPriv "mach-priv*" => Under(Mach),

    Ipc "ipc*" => Under(Default),
    IpcPosix "ipc-posix*" => Under(Ipc),
    IpcPosixShm "ipc-posix-shm*" or "ipc-posix-shm" => Under(IpcPosix),
    IpcPosixShmReadData "ipc-posix-shm-read-data" => Under(IpcPosixShm),
    IpcPosixShmWrite "ipc-posix-shm-write*" => Under(IpcPosixShm),
    IpcPosixShmWriteCreate "ipc-posix-shm-write-create" => Under(IpcPosixShmWrite),
    IpcPosixShmWriteData "ipc-posix-shm-write-data" => Under(IpcPosixShmWrite),
    IpcPosixShmWriteUnlink "ipc-posix-shm-write-unlink" => Under(IpcPosixShmWrite),
    IpcPosixSem "ipc-posix-sem*" or "ipc-posix-sem" => Under(IpcPosix),
    IpcSysv "ipc-sysv*" => Under(Ipc),

    Sysctl "sysctl*" => Under(Default),
    SysctlRead "sysctl-read" => Under(Sysctl),
    SysctlWrite "sysctl-write" => Under(Sysctl),
    System "system*" => Under(Default),
    SystemSocket "system-socket" => Under(System),
    Iokit "iokit*" => Under(Default),
    IokitOpen "iokit-open" => Under(Iokit),

    Signal "signal" => Under(Default),
    PseudoTty "pseudo-tty" => Under(Default),
    Lsopen "lsopen" => Under(Default),
    JobCreation "job-creation" => Under(Default),
    HidControl "hid-control" => Under(Default),

    FileLink "file-link" => Allowed,
    FileClone "file-clone" => Allowed,
    FileMapExecutable "file-map-executable" => Allowed,
    FileTestExistence "file-test-existence" => Allowed,
    ProcessInfo "process-info*" => Allowed,
    Nvram "nvram*" => Allowed,
    IokitGetProperties "iokit-get-properties" => Allowed,
    DynamicCodeGeneration "dynamic-code-generation" => Allowed,
    DarwinNotificationPost "darwin-notification-post" => Allowed,
    SocketIoctl "socket-ioctl" => Allowed,
    SystemPrivilege "system-privilege" => Allowed,
    MachCrossDomainLookup "mach-cross-domain-lookup" => Allowed,
    SyscallUnix "syscall-unix" => Allowed,
}

impl Operation {
    /// Finds an operation by its name or by another spelling of it; one that is not known becomes
    /// [`Operation::Other`].
    ///
    /// # Errors
    ///
    /// [`SymbolError`] if the name cannot be written.
    pub fn from_name(name: &str) -> Result<Self, SymbolError> {
        match Self::known(name) {
            Some(known) => Ok(known),
            None => Ok(Self::Other(UnknownOperation {
                name: Symbol::new(name)?,
            })),
        }
    }

    /// The wildcard whose rules decide it where its own do not: at last
    /// [`Operation::Default`]. `None` for `default` itself, for an operation that starts allowed,
    /// and for one that is not known.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        match self.standing() {
            Standing::Under(parent) => Some(parent),
            Standing::Root | Standing::Allowed | Standing::Unknown => None,
        }
    }

    /// Whether it is allowed when no rule names it or one of its wildcards, so that
    /// `(deny default)` does not cover it.
    #[must_use]
    pub fn starts_allowed(&self) -> bool {
        matches!(self.standing(), Standing::Allowed)
    }

    /// Whether the table knows where it stands.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.standing(), Standing::Unknown)
    }

    /// The operation and all its wildcards, nearest first. Ends before the root's `default`, which
    /// is a fallback and no wildcard (docs/seatbelt.md, section 1).
    pub(crate) fn chain(&self) -> impl Iterator<Item = Self> {
        let own = (*self != Self::Default).then(|| self.clone());
        std::iter::successors(own, |operation| {
            operation.parent().filter(|parent| *parent != Self::Default)
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of an operation that this crate does not know.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct UnknownOperation {
    name: Symbol,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(operation: &Operation) -> String {
        operation
            .chain()
            .map(|operation| operation.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn every_name_finds_its_operation() {
        for operation in Operation::ALL {
            assert_eq!(&Operation::from_name(operation.name()).unwrap(), operation);
        }
        assert_eq!(
            Operation::from_name("process-exec").unwrap(),
            Operation::ProcessExec
        );
        assert_eq!(
            Operation::from_name("ipc-posix-sem").unwrap(),
            Operation::IpcPosixSem
        );
    }

    #[test]
    fn an_unknown_name_is_kept_and_one_that_cannot_be_written_is_not() {
        let unknown = Operation::from_name("file-reed-data").unwrap();
        assert_eq!(unknown.name(), "file-reed-data");
        assert!(!unknown.is_known());
        assert!(Operation::from_name("default) (allow default").is_err());
    }

    #[test]
    fn wildcards_are_those_of_the_table() {
        assert_eq!(
            chain(&Operation::FileReadData),
            "file-read-data file-read* file*"
        );
        assert_eq!(
            chain(&Operation::NetworkBind),
            "network-bind network-inbound network*"
        );
        assert_eq!(chain(&Operation::FileLink), "file-link");
        assert_eq!(chain(&Operation::Default), "");
        assert!(Operation::FileLink.starts_allowed());
        assert!(!Operation::FileReadData.starts_allowed());
        assert_eq!(Operation::Signal.parent(), Some(Operation::Default));
    }
}
