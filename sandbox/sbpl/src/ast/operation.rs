//! Operations: what a process asks to do, which of them a wildcard covers, and which start
//! allowed.
//!
//! The table is Apple's of macOS 10.15, with the names that profiles of later systems use
//! (docs/seatbelt.md, section 2). Rows marked as assumed are names that profiles in use write;
//! where they stand is inferred from their names. An operation that the table does not name is
//! kept, with nothing known of it.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

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

            /// Every spelling of all that this crate knows.
            const SPELLINGS: &'static [(&'static str, Self)] = &[
                $(($name, Self::$variant), $(($alias, Self::$variant),)?)*
            ];

            /// Its place in [`Self::ALL`].
            pub(crate) fn number(&self) -> Option<usize> {
                enum Number { $($variant,)* }
                match self {
                    $(Self::$variant => Some(Number::$variant as usize),)*
                    Self::Other(_) => None,
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
    // Assumed.
    FileMountUpdate "file-mount-update" => Under(File),
    FileWriteMount "file-write-mount" => Under(FileWrite),
    FileWriteSetugid "file-write-setugid" => Under(FileWrite),
    FileWriteUmount "file-write-umount" => Under(FileWrite),

    Network "network*" => Under(Default),
    NetworkOutbound "network-outbound" => Under(Network),
    NetworkInbound "network-inbound" => Under(Network),
    NetworkBind "network-bind" => Under(NetworkInbound),

    Process "process*" => Under(Default),
    ProcessExec "process-exec*" or "process-exec" => Under(Process),
    ProcessExecInterpreter "process-exec-interpreter" => Under(ProcessExec),
    ProcessFork "process-fork" => Under(Process),
    // Assumed.
    ProcessExecUpdateLabel "process-exec-update-label" => Under(ProcessExec),
    ProcessCodesigning "process-codesigning*" => Under(Process),
    ProcessCodesigningStatusGet "process-codesigning-status-get" => Under(ProcessCodesigning),
    ProcessCodesigningStatusSet "process-codesigning-status-set" => Under(ProcessCodesigning),

    Mach "mach*" => Under(Default),
    MachLookup "mach-lookup" => Under(Mach),
    MachRegister "mach-register" => Under(Mach),
    MachIssueExtension "mach-issue-extension" => Under(Mach),
    MachTaskName "mach-task-name" => Under(Mach),
    MachHost "mach-host*" => Under(Mach),
    MachPriv "mach-priv*" => Under(Mach),
    // Assumed.
    MachBootstrap "mach-bootstrap" => Under(Mach),
    MachDerivePort "mach-derive-port" => Under(Mach),
    MachKernelEndpoint "mach-kernel-endpoint" => Under(Mach),
    MachHostExceptionPortSet "mach-host-exception-port-set" => Under(MachHost),
    MachHostSpecialPortSet "mach-host-special-port-set" => Under(MachHost),
    MachPrivHostPort "mach-priv-host-port" => Under(MachPriv),
    MachPrivTaskPort "mach-priv-task-port" => Under(MachPriv),
    MachTaskInspect "mach-task-inspect" => Under(Mach),
    MachTaskRead "mach-task-read" => Under(Mach),
    MachTaskSpecialPortSet "mach-task-special-port-set" => Under(Mach),

    Ipc "ipc*" => Under(Default),
    IpcPosix "ipc-posix*" => Under(Ipc),
    IpcPosixShm "ipc-posix-shm*" or "ipc-posix-shm" => Under(IpcPosix),
    // The wildcard of reading is assumed.
    IpcPosixShmRead "ipc-posix-shm-read*" => Under(IpcPosixShm),
    IpcPosixShmReadData "ipc-posix-shm-read-data" => Under(IpcPosixShmRead),
    IpcPosixShmWrite "ipc-posix-shm-write*" => Under(IpcPosixShm),
    IpcPosixShmWriteCreate "ipc-posix-shm-write-create" => Under(IpcPosixShmWrite),
    IpcPosixShmWriteData "ipc-posix-shm-write-data" => Under(IpcPosixShmWrite),
    IpcPosixShmWriteUnlink "ipc-posix-shm-write-unlink" => Under(IpcPosixShmWrite),
    IpcPosixSem "ipc-posix-sem*" or "ipc-posix-sem" => Under(IpcPosix),
    IpcSysv "ipc-sysv*" => Under(Ipc),
    // Assumed.
    IpcPosixIssueExtension "ipc-posix-issue-extension" => Under(IpcPosix),
    IpcPosixSemCreate "ipc-posix-sem-create" => Under(IpcPosixSem),
    IpcPosixSemOpen "ipc-posix-sem-open" => Under(IpcPosixSem),
    IpcPosixSemPost "ipc-posix-sem-post" => Under(IpcPosixSem),
    IpcPosixSemUnlink "ipc-posix-sem-unlink" => Under(IpcPosixSem),
    IpcPosixSemWait "ipc-posix-sem-wait" => Under(IpcPosixSem),
    IpcSysvMsg "ipc-sysv-msg" => Under(IpcSysv),
    IpcSysvSem "ipc-sysv-sem" => Under(IpcSysv),
    IpcSysvShm "ipc-sysv-shm" => Under(IpcSysv),

    Sysctl "sysctl*" => Under(Default),
    SysctlRead "sysctl-read" => Under(Sysctl),
    SysctlWrite "sysctl-write" => Under(Sysctl),
    System "system*" => Under(Default),
    SystemSocket "system-socket" => Under(System),
    // Assumed.
    SystemAcct "system-acct" => Under(System),
    SystemAudit "system-audit" => Under(System),
    SystemAutomount "system-automount" => Under(System),
    SystemDebug "system-debug" => Under(System),
    SystemFcntl "system-fcntl" => Under(System),
    SystemFsctl "system-fsctl" => Under(System),
    SystemInfo "system-info" => Under(System),
    SystemKasInfo "system-kas-info" => Under(System),
    SystemKext "system-kext*" => Under(System),
    SystemKextLoad "system-kext-load" => Under(SystemKext),
    SystemKextQuery "system-kext-query" => Under(SystemKext),
    SystemKextUnload "system-kext-unload" => Under(SystemKext),
    SystemLcid "system-lcid" => Under(System),
    SystemMacLabel "system-mac-label" => Under(System),
    SystemMacSyscall "system-mac-syscall" => Under(System),
    SystemMemorystatusControl "system-memorystatus-control" => Under(System),
    SystemNecpClientAction "system-necp-client-action" => Under(System),
    SystemNfssvc "system-nfssvc" => Under(System),
    SystemPackageCheck "system-package-check" => Under(System),
    SystemReboot "system-reboot" => Under(System),
    SystemSched "system-sched" => Under(System),
    SystemSetTime "system-set-time" => Under(System),
    SystemSuspendResume "system-suspend-resume" => Under(System),
    SystemSwap "system-swap" => Under(System),
    SystemWriteBootstrap "system-write-bootstrap" => Under(System),

    Iokit "iokit*" => Under(Default),
    IokitOpen "iokit-open" or "iokit-open*" => Under(Iokit),
    // Assumed.
    IokitOpenService "iokit-open-service" => Under(IokitOpen),
    IokitOpenUserClient "iokit-open-user-client" => Under(IokitOpen),
    IokitIssueExtension "iokit-issue-extension" => Under(Iokit),
    IokitSetProperties "iokit-set-properties" => Under(Iokit),

    Signal "signal" => Under(Default),
    PseudoTty "pseudo-tty" => Under(Default),
    Lsopen "lsopen" => Under(Default),
    JobCreation "job-creation" => Under(Default),
    HidControl "hid-control" => Under(Default),
    // Assumed.
    AppleeventSend "appleevent-send" => Under(Default),
    AuthorizationRightObtain "authorization-right-obtain" => Under(Default),
    BootArgSet "boot-arg-set" => Under(Default),
    Device "device*" => Under(Default),
    DeviceCamera "device-camera" => Under(Device),
    DeviceMicrophone "device-microphone" => Under(Device),
    DistributedNotificationPost "distributed-notification-post" => Under(Default),
    FsRename "fs-rename" => Under(Default),
    FsSnapshot "fs-snapshot*" => Under(Default),
    FsSnapshotCreate "fs-snapshot-create" => Under(FsSnapshot),
    FsSnapshotDelete "fs-snapshot-delete" => Under(FsSnapshot),
    FsSnapshotMount "fs-snapshot-mount" => Under(FsSnapshot),
    FsSnapshotRevert "fs-snapshot-revert" => Under(FsSnapshot),
    GenericIssueExtension "generic-issue-extension" => Under(Default),
    LoadUnsignedCode "load-unsigned-code" => Under(Default),
    ManagedPreferenceRead "managed-preference-read" => Under(Default),
    NecpClientOpen "necp-client-open" => Under(Default),
    Qtn "qtn*" => Under(Default),
    QtnDownload "qtn-download" => Under(Qtn),
    QtnSandbox "qtn-sandbox" => Under(Qtn),
    QtnUser "qtn-user" => Under(Qtn),
    StorageClassMap "storage-class-map" => Under(Default),
    UserPreference "user-preference*" => Under(Default),
    UserPreferenceRead "user-preference-read" => Under(UserPreference),
    UserPreferenceWrite "user-preference-write" => Under(UserPreference),

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
    // Assumed: children of those, and their newer neighbours.
    ProcessInfoCodesignature "process-info-codesignature" => Under(ProcessInfo),
    ProcessInfoDirtycontrol "process-info-dirtycontrol" => Under(ProcessInfo),
    ProcessInfoLedger "process-info-ledger" => Under(ProcessInfo),
    ProcessInfoListpids "process-info-listpids" => Under(ProcessInfo),
    ProcessInfoPidfdinfo "process-info-pidfdinfo" => Under(ProcessInfo),
    ProcessInfoPidfileportinfo "process-info-pidfileportinfo" => Under(ProcessInfo),
    ProcessInfoPidinfo "process-info-pidinfo" => Under(ProcessInfo),
    ProcessInfoRusage "process-info-rusage" => Under(ProcessInfo),
    ProcessInfoSetcontrol "process-info-setcontrol" => Under(ProcessInfo),
    NvramDelete "nvram-delete" => Under(Nvram),
    NvramGet "nvram-get" => Under(Nvram),
    NvramSet "nvram-set" => Under(Nvram),
    SocketOption "socket-option*" => Allowed,
    SocketOptionGet "socket-option-get" => Under(SocketOption),
    SocketOptionSet "socket-option-set" => Under(SocketOption),
    SyscallMach "syscall-mach" => Allowed,
    SyscallMig "syscall-mig" => Allowed,
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
            Some(known) => Ok(known.clone()),
            None => Ok(Self::Other(UnknownOperation {
                name: Symbol::new(name)?,
            })),
        }
    }

    /// Finds an operation of the table by any of its spellings.
    pub(crate) fn known(name: &str) -> Option<&'static Self> {
        static BY_NAME: LazyLock<HashMap<&str, &Operation>> = LazyLock::new(|| {
            Operation::SPELLINGS
                .iter()
                .map(|(name, op)| (*name, op))
                .collect()
        });
        BY_NAME.get(name).copied()
    }

    /// Whether it is a wildcard of which nothing is known, and which may cover `other` by its
    /// name: `mach-task*` may be about `mach-task-name`.
    pub(crate) fn may_cover(&self, other: &Self) -> bool {
        let Self::Other(unknown) = self else {
            return false;
        };
        let stem = unknown.name.as_str().strip_suffix('*');
        stem.is_some_and(|stem| other.name().starts_with(stem))
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
        for (number, operation) in Operation::ALL.iter().enumerate() {
            assert_eq!(&Operation::from_name(operation.name()).unwrap(), operation);
            assert_eq!(operation.number(), Some(number));
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
