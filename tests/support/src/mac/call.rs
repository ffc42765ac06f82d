//! The system calls of the model, and what each asks: docs/seatbelt.md, section 3, row by row. Where
//! a row is not measured, [`Choices`](super::Choices) says what else the call may ask.
//!
//! | call | asks | known |
//! |---|---|---|
//! | every lookup | `file-read-metadata` on each link that it passes | `[M]` |
//! | | of each folder that it passes: [`Passing`](super::Passing) | `[M]`, `[S]` |
//! | [`Open`](Call::Open) of what exists, [`Truncate`](Call::Truncate) | `file-read-data`, `file-write-data`, or both | `[M]` |
//! | [`Open`](Call::Open) of a new name, [`Make`](Call::Make) | `file-write-create` on it | `[M]` |
//! | [`Stat`](Call::Stat), [`ListAttributes`](Call::ListAttributes) | `file-read-metadata` | `[M]` |
//! | [`Access`](Call::Access) | [`AccessAsks`](super::AccessAsks), [`ExistenceAsks`](super::ExistenceAsks) | `[R]`, `[I]` |
//! | [`ReadLink`](Call::ReadLink) | `file-read-metadata` on the link | `[M]` |
//! | [`ChangeFolder`](Call::ChangeFolder), [`ChangeFolderTo`](Call::ChangeFolderTo) | [`Passing`](super::Passing) | `[M]`, `[S]` |
//! | [`Rename`](Call::Rename) | `file-write-unlink` on the old name, no read; then [`RenameAsks`](super::RenameAsks) | `[C]`, `[M]`; `[R]` |
//! | [`Swap`](Call::Swap) | [`SwapAsks`](super::SwapAsks) on both names | `[R]` |
//! | [`Link`](Call::Link) | [`LinkAsks`](super::LinkAsks) | `[R]`, `[?]` |
//! | [`Clone`](Call::Clone) | [`CloneAsks`](super::CloneAsks), `file-write-create` on the new name | `[R]` |
//! | … of a folder | [`FolderCloneAsks`](super::FolderCloneAsks), once, for the folder | `[R]` |
//! | [`Exchange`](Call::Exchange) | [`ExchangeAsks`](super::ExchangeAsks) on both | `[R]` |
//! | [`Unlink`](Call::Unlink), [`RemoveFolder`](Call::RemoveFolder) | `file-write-unlink` | `[M]` |
//! | [`Change`](Call::Change) of mode or an extended attribute | `file-write-mode`, `-xattr` | `[M]` |
//! | … of owner, flags, times, ACL | [`AttributeAsks`](super::AttributeAsks) | `[R]` |
//! | [`Exec`](Call::Exec) | `process-exec*` on the image, no read; then [`InterpreterAsks`](super::InterpreterAsks) | `[S]` |
//! | [`MapExecutable`](Call::MapExecutable) | [`MapAsks`](super::MapAsks) | `[R]` |
//! | [`Connect`](Call::Connect) | `network-outbound` with the socket's name | `[M]` |
//! | [`Bind`](Call::Bind) | [`BindAsks`](super::BindAsks) | `[R]` |
//! | [`ConnectTcp`](Call::ConnectTcp), [`BindTcp`](Call::BindTcp), [`ListenTcp`](Call::ListenTcp) | `network-outbound`, `network-bind`, `network-inbound` | `[M]` |
//! | [`Resolve`](Call::Resolve) | as [`Connect`](Call::Connect) to `/var/run/mDNSResponder`; no `mach-lookup` | `[S]` |
//! | [`TypeAhead`](Call::TypeAhead) | [`TypeAheadAsks`](super::TypeAheadAsks) | `[S]` |
//! | [`SetTerminal`](Call::SetTerminal) | `file-ioctl` | `[S]` |
//! | [`Signal`](Call::Signal), [`Fork`](Call::Fork), [`LookUpService`](Call::LookUpService) | `signal`, `process-fork`, `mach-lookup` | `[M]`, `[R]`, `[M]` |
//! | [`Read`](Call::Read), [`Write`](Call::Write), [`List`](Call::List), [`Close`](Call::Close) | nothing: the descriptor was asked for | `[M]` |

use std::fmt;
use std::net::SocketAddr;

use objcap_walk::{Leaf, Owner, path};
use sbpl::Operation;
use sbpl::ast::Target;

/// The number of a descriptor in its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fd(pub usize);

/// Where a relative name starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// In the current folder.
    Cwd,
    /// In the folder of a descriptor, as openat(2) has it.
    At(Fd),
}

/// A name as a process gives it to a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// Where it starts if it is relative.
    pub base: Base,
    /// Its text.
    pub path: Vec<u8>,
}

impl Name {
    /// A name in the folder of a descriptor.
    pub fn at(fd: Fd, path: impl AsRef<[u8]>) -> Self {
        Name {
            base: Base::At(fd),
            path: path.as_ref().to_vec(),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", path::display(&self.path))?;
        match self.base {
            Base::Cwd => Ok(()),
            Base::At(fd) => write!(f, " in {fd:?}"),
        }
    }
}

/// A name that starts in the current folder if it is relative.
impl<T: AsRef<[u8]> + ?Sized> From<&T> for Name {
    fn from(path: &T) -> Self {
        Name {
            base: Base::Cwd,
            path: path.as_ref().to_vec(),
        }
    }
}

/// How a name is opened (open(2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// For reading: a file, or a folder, which is then listed or searched.
    Read,
    /// A folder and nothing else: opendir(3).
    Directory,
    /// For writing from the beginning.
    Write,
    /// For reading and writing.
    ReadWrite,
    /// For writing at the end.
    Append,
    /// For writing, emptied.
    Truncate,
    /// For writing, made if it is not there.
    Create,
    /// For writing, made, an error if it is there.
    CreateNew,
}

/// What [`Call::Make`] makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum New {
    /// mkdir(2).
    Directory,
    /// symlink(2) with this text.
    Symlink(Vec<u8>),
    /// mkfifo(2).
    Fifo,
}

/// What access(2) is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// F_OK.
    Exists,
    /// R_OK.
    Read,
    /// W_OK.
    Write,
    /// X_OK.
    Execute,
}

/// An attribute, and what it is set to where the model keeps that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// chmod(2).
    Mode(u16),
    /// chown(2).
    Owner(Owner),
    /// chflags(2).
    Flags,
    /// utimes(2).
    Times,
    /// acl_set_file(3).
    Acl,
    /// setxattr(2).
    Xattr,
}

impl Attribute {
    pub(super) fn number(self) -> u8 {
        match self {
            Attribute::Mode(_) => 0,
            Attribute::Owner(_) => 1,
            Attribute::Flags => 2,
            Attribute::Times => 3,
            Attribute::Acl => 4,
            Attribute::Xattr => 5,
        }
    }

    /// The operation of its own.
    pub fn operation(self) -> Operation {
        match self {
            Attribute::Mode(_) => Operation::FileWriteMode,
            Attribute::Owner(_) => Operation::FileWriteOwner,
            Attribute::Flags => Operation::FileWriteFlags,
            Attribute::Times => Operation::FileWriteTimes,
            Attribute::Acl => Operation::FileWriteAcl,
            Attribute::Xattr => Operation::FileWriteXattr,
        }
    }
}

/// A system call. A `leaf` says whether a link that is the last component is followed; where there is
/// none, the call follows it or not as it does on a Mac. A slash behind a name follows it anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// open(2), openat(2).
    Open {
        /// What.
        name: Name,
        /// For what.
        how: How,
        /// With [`Leaf::AsNamed`] a link is an error (O_NOFOLLOW).
        leaf: Leaf,
    },
    /// read(2) of everything.
    Read(Fd),
    /// write(2).
    Write(Fd, Vec<u8>),
    /// close(2).
    Close(Fd),
    /// readdir(3).
    List(Fd),
    /// getattrlistbulk(2).
    ListAttributes(Fd),
    /// mkdir(2), symlink(2), mkfifo(2).
    Make {
        /// The new name.
        name: Name,
        /// What.
        what: New,
    },
    /// link(2), linkat(2).
    Link {
        /// The object.
        from: Name,
        /// The new name.
        to: Name,
        /// Of the source. link(2) follows.
        leaf: Leaf,
    },
    /// clonefile(2) of a file, a link, or a folder with all below it.
    Clone {
        /// The object.
        from: Name,
        /// The new name.
        to: Name,
        /// Of the source.
        leaf: Leaf,
    },
    /// rename(2). No leaf is followed.
    Rename {
        /// The old name.
        from: Name,
        /// The new one; what stands there is replaced.
        to: Name,
    },
    /// renamex_np(2) with RENAME_SWAP: two names exchange their objects.
    Swap {
        /// One name.
        one: Name,
        /// The other.
        other: Name,
    },
    /// exchangedata(2): two files exchange their contents. Leaves are followed.
    Exchange {
        /// One file.
        one: Name,
        /// The other.
        other: Name,
    },
    /// unlink(2).
    Unlink(Name),
    /// rmdir(2).
    RemoveFolder(Name),
    /// stat(2), lstat(2), getattrlist(2).
    Stat {
        /// Of what.
        name: Name,
        /// lstat(2) does not follow.
        leaf: Leaf,
    },
    /// access(2).
    Access(Name, Probe),
    /// readlink(2).
    ReadLink(Name),
    /// chdir(2).
    ChangeFolder(Name),
    /// fchdir(2).
    ChangeFolderTo(Fd),
    /// chmod(2) and its like.
    Change {
        /// Of what.
        name: Name,
        /// Which, and to what.
        attribute: Attribute,
        /// lchmod(3) and its like do not follow.
        leaf: Leaf,
    },
    /// truncate(2) to nothing.
    Truncate(Name),
    /// execve(2).
    Exec {
        /// The program, or a script that begins with `#!`.
        name: Name,
        /// The arguments behind the program's own name.
        arguments: Vec<Vec<u8>>,
    },
    /// mmap(2) with PROT_EXEC; what dlopen(3) does behind its open.
    MapExecutable(Fd),
    /// bind(2) of an AF_UNIX socket.
    Bind(Name),
    /// connect(2) to an AF_UNIX socket.
    Connect(Name),
    /// connect(2) over TCP.
    ConnectTcp(SocketAddr),
    /// bind(2) of a TCP address.
    BindTcp(SocketAddr),
    /// listen(2) at a TCP address.
    ListenTcp(SocketAddr),
    /// getaddrinfo(3).
    Resolve,
    /// ioctl(2) with TIOCSTI: types into a terminal as if its user did.
    TypeAhead(Fd),
    /// tcsetattr(3).
    SetTerminal(Fd),
    /// kill(2).
    Signal(Target),
    /// fork(2). The child is a copy of the [`Process`](super::Process).
    Fork,
    /// bootstrap_look_up(3).
    LookUpService(String),
}
