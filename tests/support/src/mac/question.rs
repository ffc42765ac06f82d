//! Questions: what the kernel asks a profile, and as what a [`Judge`](sbpl::Judge) is asked it.

use std::fmt;
use std::net::SocketAddr;

use objcap_walk::path;
use sbpl::Operation;
use sbpl::Request;
use sbpl::ast::{Quantity, Subject, Symbol, Target, Value, VnodeType};
use sbpl::judge::{Socket, Transport};

/// One question.
#[derive(Clone, PartialEq, Eq)]
pub struct Question {
    /// The operation.
    pub operation: Operation,
    /// What it is about.
    pub about: About,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// An object of the file system, or a name where one is to be made.
    File {
        /// The name, as presented.
        name: Vec<u8>,
        /// What kind it is or is to be.
        kind: VnodeType,
        /// Its permission bits.
        mode: u16,
    },
    /// An extended attribute of a file with that name.
    Xattr(Vec<u8>),
    /// The socket of that name, at the other end.
    Remote(Vec<u8>),
    /// The socket of that name, at this end.
    Local(Vec<u8>),
    /// A TCP address at the other end.
    RemoteTcp(SocketAddr),
    /// A TCP address at this end.
    LocalTcp(SocketAddr),
    /// The terminal of that name and the command for it, such as `TIOCSTI`.
    Terminal(Vec<u8>, &'static str),
    /// A Mach service.
    Service(String),
    /// The process that a signal goes to.
    Process(Target),
    /// Nothing in particular.
    Nothing,
}

/// The extended attribute that [`About::Xattr`] is about; the model has one.
const XATTR: &str = "user.note";

impl Question {
    /// The presented name of the file or socket that it is about.
    pub fn name(&self) -> Option<&[u8]> {
        match &self.about {
            About::File { name, .. }
            | About::Xattr(name)
            | About::Remote(name)
            | About::Local(name)
            | About::Terminal(name, _) => Some(name),
            About::RemoteTcp(_)
            | About::LocalTcp(_)
            | About::Service(_)
            | About::Process(_)
            | About::Nothing => None,
        }
    }

    /// The question in the judge's words. It states all there is to know, so that no filter of
    /// docs/seatbelt.md is left undecided: the process holds no extensions and no entitlements.
    pub fn request(&self) -> Request {
        let nothing: [&str; 0] = [];
        let request = Request::new(self.operation.clone())
            .extensions(nothing)
            .entitlements(nothing);
        match &self.about {
            About::File { name, kind, mode } => request
                .path(name)
                .vnode_type(*kind)
                .file_mode(u32::from(*mode)),
            About::Xattr(name) => request.path(name).attribute(Subject::Xattr, XATTR),
            About::Remote(name) => request.remote(Socket::Unix(name.clone())),
            About::Local(name) => request.local(Socket::Unix(name.clone())),
            About::RemoteTcp(address) => request.remote(Socket::Inet(Transport::Tcp, *address)),
            About::LocalTcp(address) => request.local(Socket::Inet(Transport::Tcp, *address)),
            About::Terminal(name, command) => {
                let command = Symbol::new(command).expect("a symbol of <sys/ttycom.h>");
                request
                    .path(name)
                    .vnode_type(VnodeType::CharacterDevice)
                    .value(Quantity::IoctlCommand, Value::Symbol(command))
            }
            About::Service(name) => request.name(Subject::GlobalName, name),
            About::Process(target) => request.target(*target),
            About::Nothing => request,
        }
    }
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

/// As a denial is logged: the operation and the name.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation.name())?;
        match &self.about {
            About::RemoteTcp(address) | About::LocalTcp(address) => write!(f, " {address}"),
            About::Service(name) => write!(f, " {name}"),
            About::Process(target) => write!(f, " {}", target.name()),
            About::Nothing => Ok(()),
            About::File { name, .. }
            | About::Xattr(name)
            | About::Remote(name)
            | About::Local(name)
            | About::Terminal(name, _) => write!(f, " {}", path::display(name)),
        }
    }
}
