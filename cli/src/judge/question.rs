//! What is asked of a profile: an operation, and what the command line says of its object.

use std::ffi::{OsStr, OsString};
use std::net::{Ipv4Addr, SocketAddr};

use clap::ValueEnum;
use objcap::sbpl::ast::{Subject, VnodeType};
use objcap::sbpl::judge::{Socket, Transport};
use objcap::sbpl::{Operation, Request};

use crate::json::Text;
use crate::output::Failure;

/// An operation and its object.
#[derive(Debug, clap::Args)]
pub(crate) struct Question {
    /// The operation, such as `file-read-data`.
    operation: String,

    /// What it is about: a path under its real name, a socket's path, or the name of a service, of
    /// shared memory, of a sysctl.
    name: Option<OsString>,

    /// The kind of the file.
    #[arg(long, value_enum)]
    kind: Option<Kind>,

    /// The permission bits of the file, in octal.
    #[arg(long, value_name = "0644", value_parser = mode)]
    mode: Option<u32>,

    /// The other end of a connection: `tcp:HOST:PORT`, `udp:HOST:PORT`, with an address or
    /// `localhost` as the host.
    #[arg(long, value_name = "tcp:HOST:PORT", value_parser = socket, conflicts_with = "name")]
    remote: Option<Socket>,

    /// The own end of a connection.
    #[arg(long, value_name = "tcp:HOST:PORT", value_parser = socket, conflicts_with = "name")]
    local: Option<Socket>,

    /// A link that the lookup of the name passes, under its real name. `file-read-metadata` is
    /// asked for each.
    #[arg(long, value_name = "PATH")]
    link: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    File,
    Dir,
    Symlink,
    Socket,
    Fifo,
    Block,
    Char,
    Tty,
}

impl From<Kind> for VnodeType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::File => Self::RegularFile,
            Kind::Dir => Self::Directory,
            Kind::Symlink => Self::Symlink,
            Kind::Socket => Self::Socket,
            Kind::Fifo => Self::Fifo,
            Kind::Block => Self::BlockDevice,
            Kind::Char => Self::CharacterDevice,
            Kind::Tty => Self::Tty,
        }
    }
}

fn mode(text: &str) -> Result<u32, String> {
    let bits = u32::from_str_radix(text, 8).ok();
    bits.filter(|bits| *bits <= 0o7777)
        .ok_or_else(|| "it takes permission bits in octal".into())
}

fn socket(text: &str) -> Result<Socket, String> {
    let form = "it takes the form tcp:HOST:PORT or udp:HOST:PORT";
    let (transport, address) = text.split_once(':').ok_or(form)?;
    let transport = match transport {
        "tcp" => Transport::Tcp,
        "udp" => Transport::Udp,
        _ => return Err(form.into()),
    };
    let address: SocketAddr = match address.strip_prefix("localhost:") {
        Some(port) => (Ipv4Addr::LOCALHOST, port.parse().map_err(|_| form)?).into(),
        None => address.parse().map_err(|_| form)?,
    };
    Ok(Socket::Inet(transport, address))
}

/// A request, and the name it is about.
pub(crate) type Asked = (Request, Option<Vec<u8>>);

impl Question {
    /// What the kernel is asked, in order, each with the name it is about.
    pub(crate) fn requests(&self) -> Result<Vec<Asked>, Failure> {
        let operation = Operation::from_name(&self.operation).ok();
        let Some(operation) = operation.filter(Operation::is_known) else {
            return Err(Failure::new(format_args!(
                "`{}` is no operation that is known",
                self.operation.escape_debug()
            )));
        };
        let mut requests = Vec::new();
        for link in &self.link {
            let request = Request::new(Operation::FileReadMetadata)
                .path(path(link)?)
                .vnode_type(VnodeType::Symlink);
            requests.push((request, Some(link.as_encoded_bytes().to_vec())));
        }

        let mut request = Request::new(operation.clone());
        if let Some(name) = &self.name {
            request = about(request, &operation, name)?;
        }
        if let Some(socket) = &self.remote {
            request = request.remote(socket.clone());
        }
        if let Some(socket) = &self.local {
            request = request.local(socket.clone());
        }
        if let Some(kind) = self.kind {
            request = request.vnode_type(kind.into());
        }
        if let Some(bits) = self.mode {
            request = request.file_mode(bits);
        }
        let end = self.remote.as_ref().or(self.local.as_ref());
        let name = self
            .name
            .as_ref()
            .map(|name| name.as_encoded_bytes().to_vec())
            .or_else(|| end.map(end_shown));
        requests.push((request, name));
        Ok(requests)
    }
}

/// States a name as the operation means it.
fn about(request: Request, operation: &Operation, name: &OsStr) -> Result<Request, Failure> {
    let bytes = name.as_encoded_bytes();
    let is = |prefix: &str| operation.name().starts_with(prefix);
    let subject = match operation {
        Operation::Lsopen => None,
        _ if is("file") || is("process") => None,
        _ if is("network") => {
            let socket = Socket::Unix(path(name)?.to_vec());
            return Ok(match operation {
                Operation::NetworkBind | Operation::NetworkInbound => request.local(socket),
                _ => request.remote(socket),
            });
        }
        _ if is("mach") => Some(Subject::GlobalName),
        _ if is("ipc-posix") => Some(Subject::IpcPosixName),
        _ if is("sysctl") => Some(Subject::SysctlName),
        _ if is("user-preference") || is("managed-preference") => Some(Subject::PreferenceDomain),
        _ if is("nvram") => Some(Subject::NvramVariable),
        _ if is("iokit") => Some(Subject::IokitUserClientClass),
        _ if is("appleevent") => Some(Subject::AppleeventDestination),
        _ if is("authorization-right") => Some(Subject::RightName),
        _ if is("system-kext") => Some(Subject::KextBundleId),
        _ if is("boot-arg") => Some(Subject::BootArg),
        _ if is("darwin-notification") || is("distributed-notification") => {
            Some(Subject::NotificationName)
        }
        _ => {
            return Err(Failure::new(format_args!(
                "`{operation}` is not about a name"
            )));
        }
    };
    Ok(match subject {
        None => request.path(path(name)?),
        Some(subject) if subject.is_object() => request.name(subject, bytes),
        // A user client has a class beside other names, and no name of its own.
        Some(subject) => request.name(subject, bytes).attribute(subject, bytes),
    })
}

fn path(name: &OsStr) -> Result<&[u8], Failure> {
    match name.as_encoded_bytes() {
        path @ [b'/', ..] => Ok(path),
        _ => Err(Failure::new(format_args!(
            "`{}` is no path that begins with `/`, as the kernel knows files by",
            Text(name.as_encoded_bytes())
        ))),
    }
}

fn end_shown(socket: &Socket) -> Vec<u8> {
    match socket {
        Socket::Inet(Transport::Udp, address) => format!("udp:{address}").into_bytes(),
        Socket::Inet(_, address) => format!("tcp:{address}").into_bytes(),
        Socket::Unix(path) => path.clone(),
        _ => Vec::new(),
    }
}
