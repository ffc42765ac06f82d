//! What a filter asks about, where that is no path and no socket: names, numbers, kinds of files,
//! target processes.
//!
//! The tables here are vocabulary. An operation is not checked against the filters it takes: the
//! kernel's table of that is not known.

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
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// By its symbol, such as `TIOCSTI`.
    Symbol(Symbol),
    /// By its number.
    Number(u64),
}
