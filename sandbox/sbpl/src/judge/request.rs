//! Requests: what the kernel is asked, in its own words.
//!
//! A request states what is known of the object. What it leaves out is not known, and a filter
//! that asks for it is not decided.

use std::net::SocketAddr;

use super::key::Key;
use crate::ast::{Operation, Quantity, Subject, Target, Value, VnodeType};

/// A question to a [`super::Judge`].
///
/// ```
/// use sbpl::{Operation, Request};
/// use sbpl::ast::VnodeType;
///
/// let request = Request::new(Operation::FileReadData)
///     .path("/private/tmp/a")
///     .vnode_type(VnodeType::RegularFile);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    operation: Operation,
    pub(super) object: Object,
    pub(super) vnode_type: Option<VnodeType>,
    pub(super) file_mode: Option<u32>,
    pub(super) target: Option<Target>,
    pub(super) attributes: Vec<(Subject, Vec<u8>)>,
    pub(super) values: Vec<(Quantity, Value)>,
    pub(super) extensions: Option<Vec<Vec<u8>>>,
    pub(super) entitlements: Option<Vec<Vec<u8>>>,
}

/// What the operation is about.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Unstated,
    Path(Key),
    Name(Subject, Vec<u8>),
    Socket {
        remote: Option<End>,
        local: Option<End>,
    },
}

/// One end of a connection, its path made ready to be compared.
#[derive(Clone, Debug)]
pub(super) enum End {
    Inet(Transport, SocketAddr),
    Unix(Key),
}

/// One end of a connection.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Socket {
    /// An address of the internet.
    Inet(Transport, SocketAddr),
    /// A path, under its real name.
    Unix(Vec<u8>),
}

/// How an internet socket carries data.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Transport {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
}

impl Request {
    /// A request that states nothing but the operation.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        Self {
            operation,
            object: Object::Unstated,
            vnode_type: None,
            file_mode: None,
            target: None,
            attributes: Vec::new(),
            values: Vec::new(),
            extensions: None,
            entitlements: None,
        }
    }

    /// About the file of that name: the name under which the kernel knows it, absolute and
    /// without a link in it. Replaces another object.
    #[must_use]
    pub fn path(mut self, path: impl AsRef<[u8]>) -> Self {
        self.object = Object::Path(Key::new(path.as_ref()));
        self
    }

    /// About the service, sysctl or shared memory of that name. Replaces another object.
    #[must_use]
    pub fn name(mut self, subject: Subject, name: impl AsRef<[u8]>) -> Self {
        self.object = Object::Name(subject, name.as_ref().to_vec());
        self
    }

    /// A name that the object has beside its own, such as an extended attribute: one for which
    /// [`Subject::is_object`] does not hold. The last one of a subject stands.
    #[must_use]
    pub fn attribute(mut self, subject: Subject, name: impl AsRef<[u8]>) -> Self {
        self.attributes.push((subject, name.as_ref().to_vec()));
        self
    }

    /// About a connection whose other end is this. Replaces an object that is no socket.
    #[must_use]
    pub fn remote(mut self, socket: Socket) -> Self {
        let (_, local) = self.ends();
        self.object = Object::Socket {
            remote: Some(socket.into()),
            local,
        };
        self
    }

    /// About a connection whose own end is this. Replaces an object that is no socket.
    #[must_use]
    pub fn local(mut self, socket: Socket) -> Self {
        let (remote, _) = self.ends();
        self.object = Object::Socket {
            remote,
            local: Some(socket.into()),
        };
        self
    }

    /// The file is of that kind.
    #[must_use]
    pub fn vnode_type(mut self, vnode_type: VnodeType) -> Self {
        self.vnode_type = Some(vnode_type);
        self
    }

    /// The file has these permission bits.
    #[must_use]
    pub fn file_mode(mut self, bits: u32) -> Self {
        self.file_mode = Some(bits);
        self
    }

    /// The process acted upon. The narrowest that fits: a process is not its own
    /// [`Target::SameSandbox`].
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// A number that goes with the operation, such as the code of an `ioctl`.
    #[must_use]
    pub fn value(mut self, quantity: Quantity, value: Value) -> Self {
        self.values.push((quantity, value));
        self
    }

    /// The classes of all sandbox extensions that cover the object.
    #[must_use]
    pub fn extensions<I>(mut self, classes: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        self.extensions = Some(owned(classes));
        self
    }

    /// All entitlements that the process has.
    #[must_use]
    pub fn entitlements<I>(mut self, names: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        self.entitlements = Some(owned(names));
        self
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    fn ends(&mut self) -> (Option<End>, Option<End>) {
        match std::mem::replace(&mut self.object, Object::Unstated) {
            Object::Socket { remote, local } => (remote, local),
            _ => (None, None),
        }
    }
}

impl From<Socket> for End {
    fn from(socket: Socket) -> Self {
        match socket {
            Socket::Inet(transport, address) => Self::Inet(transport, address),
            Socket::Unix(path) => Self::Unix(Key::new(&path)),
        }
    }
}

fn owned<I>(names: I) -> Vec<Vec<u8>>
where
    I: IntoIterator,
    I::Item: AsRef<[u8]>,
{
    names
        .into_iter()
        .map(|name| name.as_ref().to_vec())
        .collect()
}
