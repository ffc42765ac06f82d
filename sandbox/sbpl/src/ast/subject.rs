//! What a filter asks about, where that is no path and no socket: names, numbers, kinds of files,
//! target processes.
//!
//! The tables here are vocabulary, of docs/seatbelt.md and, assumed beyond that, of profiles in
//! use. An operation is not checked against the filters it takes: the kernel's table of that is
//! not known.

use super::{Pattern, Symbol, Text};

macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word that stands for it in a profile.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Finds it by its word.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// A name that is no path. It is compared byte by byte.
    ///
    /// Each has three filters: `global-name`, `global-name-prefix` and `global-name-regex`.
    Subject {
        /// A Mach service in the bootstrap namespace. Never stands for a local name, nor the other
        /// way round (docs/seatbelt.md, section 5).
        GlobalName = "global-name",
        /// A Mach service local to the process or its domain.
        LocalName = "local-name",
        /// The name of an XPC service.
        XpcServiceName = "xpc-service-name",
        /// A POSIX shared memory object or semaphore.
        IpcPosixName = "ipc-posix-name",
        /// A sysctl by its dotted name.
        SysctlName = "sysctl-name",
        /// A preference domain.
        PreferenceDomain = "preference-domain",
        /// The class of an IOKit user client.
        IokitUserClientClass = "iokit-user-client-class",
        /// The class of an IOKit registry entry.
        IokitRegistryEntryClass = "iokit-registry-entry-class",
        /// The class of a sandbox extension that is issued.
        ExtensionClass = "extension-class",
        /// A notification by its name.
        NotificationName = "notification-name",
        /// The bundle that an Apple event goes to.
        AppleeventDestination = "appleevent-destination",
        /// An NVRAM variable.
        NvramVariable = "nvram-variable",
        /// An authorization right.
        RightName = "right-name",
        /// The bundle of a kernel extension.
        KextBundleId = "kext-bundle-id",
        /// A kernel control, as a socket of the system domain names it.
        ControlName = "control-name",
        /// A boot argument.
        BootArg = "boot-arg",
        /// An extended attribute.
        Xattr = "xattr",
        /// A property of an IOKit registry entry.
        IokitProperty = "iokit-property",
        /// The class of an IOKit connection.
        IokitConnection = "iokit-connection",
        /// The identifier in the code signature of the process that is acted upon.
        SigningIdentifier = "signing-identifier",
        /// The kind of a file system that is mounted.
        FilesystemName = "filesystem-name",
        /// The path of a process.
        ProcessPath = "process-path",
        /// What `process-info*` is asked for.
        InfoType = "info-type",
        /// A device class that a device conforms to.
        DeviceConformsTo = "device-conforms-to",
    }
}

impl Subject {
    /// Whether an operation is about such a name, so that it is about nothing else; of the others,
    /// such as an extended attribute, an object has one beside its own name.
    #[must_use]
    pub fn is_object(self) -> bool {
        matches!(
            self,
            Self::GlobalName
                | Self::LocalName
                | Self::XpcServiceName
                | Self::IpcPosixName
                | Self::SysctlName
                | Self::PreferenceDomain
                | Self::NotificationName
                | Self::AppleeventDestination
                | Self::NvramVariable
                | Self::RightName
                | Self::KextBundleId
                | Self::ControlName
                | Self::BootArg
        )
    }
}

words! {
    /// A number that a filter asks about.
    Quantity {
        /// The request code of an `ioctl`. Only the low 16 bits of a number are compared
        /// (docs/seatbelt.md, section 5).
        IoctlCommand = "ioctl-command",
        /// The request code of an `fsctl`.
        FsctlCommand = "fsctl-command",
        /// The address family of a socket.
        SocketDomain = "socket-domain",
        /// The type of a socket.
        SocketType = "socket-type",
        /// The protocol of a socket.
        SocketProtocol = "socket-protocol",
        /// The number of a signal.
        SignalNumber = "signal-number",
        /// The number of a system call.
        SyscallNumber = "syscall-number",
        /// The number of a Mach trap.
        MachtrapNumber = "machtrap-number",
        /// A routine of the kernel's message interface.
        KernelMigRoutine = "kernel-mig-routine",
        /// The number of a Mach message.
        MessageNumber = "mach-message-number",
        /// The number of a special port of the host.
        HostSpecialPort = "host-special-port",
        /// A privilege, as `system-privilege` asks for one.
        PrivilegeId = "privilege-id",
        /// A property of the process, such as `is-platform-binary`.
        ProcessAttribute = "process-attribute",
        /// A property of the system, such as `developer-mode`.
        SystemAttribute = "system-attribute",
        /// The major number of a device.
        DeviceMajor = "device-major",
        /// The minor number of a device.
        DeviceMinor = "device-minor",
        /// A user.
        Uid = "uid",
    }
}

words! {
    /// The kind of a file, as `vnode-type` names it.
    VnodeType {
        /// A plain file.
        RegularFile = "REGULAR-FILE",
        /// A folder.
        Directory = "DIRECTORY",
        /// A symbolic link.
        Symlink = "SYMLINK",
        /// A socket in the file system.
        Socket = "SOCKET",
        /// A named pipe.
        Fifo = "FIFO",
        /// A block device.
        BlockDevice = "BLOCK-DEVICE",
        /// A character device.
        CharacterDevice = "CHARACTER-DEVICE",
        /// A terminal.
        Tty = "TTY",
    }
}

words! {
    /// The process that a signal or an inspection is aimed at.
    Target {
        /// The process itself.
        Itself = "self",
        /// A process in the same sandbox.
        SameSandbox = "same-sandbox",
        /// A process of the same process group.
        ProcessGroup = "pgrp",
        /// A child of the process.
        Children = "children",
        /// Another process.
        Others = "others",
    }
}

/// How a [`Subject`] is compared.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Match {
    /// The whole name.
    Exact(Text),
    /// A name that begins with these bytes.
    Prefix(Text),
    /// A name in which the pattern is found.
    Regex(Pattern),
}

/// A number, or the symbol that a header gives it.
// Exhaustive: a constant is written in one of these two ways.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// By its symbol, such as `TIOCSTI`.
    Symbol(Symbol),
    /// By its number.
    Number(u64),
}

/// What a `require-entitlement` asks of the entitlement's value.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum EntitlementValue {
    /// `(entitlement-value #t)` or `(entitlement-value #f)`
    Bool(bool),
    /// `(entitlement-value "…")`, `-prefix` or `-regex`.
    Text(Match),
}
