//! What a call asks, and what it would then do. Nothing changes here, and nothing is judged.

mod doors;
mod files;
mod renames;

use objcap_walk::{Kind, Leaf};
use sbpl::Operation;
use sbpl::ast::VnodeType;

use super::act::Act;
use super::answer::{Effect, Errno};
use super::build::MODE;
use super::choices::{Choices, Passing};
use super::lookup::{Landing, look_up};
use super::node::{STICKY, Wish};
use super::{About, Call, Ino, Mac, Name, Process, Question};

/// Collects questions. One that was made without choices collects none.
pub(super) struct Asking {
    choices: Option<Choices>,
    pub(super) asked: Vec<Question>,
}

impl Asking {
    pub(super) fn new(choices: Option<Choices>) -> Self {
        Asking {
            choices,
            asked: Vec::new(),
        }
    }

    pub(super) fn choices(&self) -> Choices {
        self.choices.unwrap_or_default()
    }

    pub(super) fn ask(&mut self, operation: Operation, about: impl FnOnce(&Choices) -> About) {
        if let Some(choices) = &self.choices {
            let about = about(choices);
            self.asked.push(Question { operation, about });
        }
    }

    /// Asks about what stands at a name in a folder.
    pub(super) fn entry(&mut self, mac: &Mac, operation: Operation, folder: Ino, name: &[u8]) {
        self.ask(operation, |choices| {
            let found = mac.find(folder, name);
            let real = mac.real_path_of(folder, name);
            file(mac, choices, real, found.unwrap_or(folder))
        });
    }

    pub(super) fn folder(&mut self, mac: &Mac, operation: Operation, folder: Ino) {
        self.ask(operation, |choices| {
            file(mac, choices, mac.real_path(folder), folder)
        });
    }

    /// Asks about the object that a lookup ended at.
    pub(super) fn landing(&mut self, mac: &Mac, operation: Operation, landing: &Landing) {
        match landing {
            Landing::Folder(folder) => self.folder(mac, operation, *folder),
            Landing::Entry { folder, name, .. } => self.entry(mac, operation, *folder, name),
        }
    }

    /// Asks to make an object of a kind at a name.
    pub(super) fn create(&mut self, mac: &Mac, folder: Ino, name: &[u8], kind: Kind) {
        self.ask(Operation::FileWriteCreate, |choices| About::File {
            name: mac.shown(mac.real_path_of(folder, name), choices.presentation),
            kind: vnode_type(kind),
            mode: MODE,
        });
    }
}

fn file(mac: &Mac, choices: &Choices, real: Vec<u8>, ino: Ino) -> About {
    let node = mac.node(ino);
    About::File {
        name: mac.shown(real, choices.presentation),
        kind: vnode_type(node.kind()),
        mode: node.mode,
    }
}

fn vnode_type(kind: Kind) -> VnodeType {
    match kind {
        Kind::Directory => VnodeType::Directory,
        Kind::Symlink => VnodeType::Symlink,
        Kind::Fifo => VnodeType::Fifo,
        Kind::Socket => VnodeType::Socket,
        Kind::CharDevice => VnodeType::CharacterDevice,
        Kind::BlockDevice => VnodeType::BlockDevice,
        _ => VnodeType::RegularFile,
    }
}

/// A call that is being planned.
struct Planner<'a> {
    mac: &'a Mac,
    process: &'a Process,
    asking: &'a mut Asking,
}

/// What a call would do once all that it asks is allowed, or how it fails.
pub(super) fn plan(
    mac: &Mac,
    process: &Process,
    call: &Call,
    asking: &mut Asking,
) -> Result<Act, Errno> {
    let mut planner = Planner {
        mac,
        process,
        asking,
    };
    planner.plan(call)
}

impl Planner<'_> {
    fn plan(&mut self, call: &Call) -> Result<Act, Errno> {
        match call {
            Call::Open { name, how, leaf } => self.open(name, *how, *leaf),
            Call::Read(fd) => self.read(*fd),
            Call::Write(fd, bytes) => self.write(*fd, bytes),
            Call::Close(fd) => {
                self.process.descriptor(*fd)?;
                Ok(Act::Close(*fd))
            }
            Call::List(fd) => self.list(*fd),
            Call::ListAttributes(fd) => self.list_attributes(*fd),
            Call::Make { name, what } => self.make(name, what),
            Call::Link { from, to, leaf } => self.link(from, to, *leaf),
            Call::Clone { from, to, leaf } => self.clone(from, to, *leaf),
            Call::Rename { from, to } => self.rename(from, to),
            Call::Swap { one, other } => self.swap(one, other),
            Call::Exchange { one, other } => self.exchange(one, other),
            Call::Unlink(name) => self.unlink(name),
            Call::RemoveFolder(name) => self.remove_folder(name),
            Call::Stat { name, leaf } => self.stat(name, *leaf),
            Call::Access(name, probe) => self.access(name, *probe),
            Call::ReadLink(name) => self.read_link(name),
            Call::ChangeFolder(name) => {
                let landing = self.look_up(name, Leaf::Follow)?;
                self.enter(landing.object()?)
            }
            Call::ChangeFolderTo(fd) => self.enter(self.process.descriptor(*fd)?.ino),
            Call::Change {
                name,
                attribute,
                leaf,
            } => self.change(name, *attribute, *leaf),
            Call::Truncate(name) => self.truncate(name),
            Call::Exec { name, arguments } => self.exec(name, arguments),
            Call::MapExecutable(fd) => self.map(*fd),
            Call::Bind(name) => self.bind(name),
            Call::Connect(name) => self.connect(name),
            Call::ConnectTcp(address) => {
                self.tcp(Operation::NetworkOutbound, About::RemoteTcp(*address))
            }
            Call::BindTcp(address) => self.tcp(Operation::NetworkBind, About::LocalTcp(*address)),
            Call::ListenTcp(address) => {
                self.tcp(Operation::NetworkInbound, About::LocalTcp(*address))
            }
            Call::Resolve => self.connect(&Name::from(b"/var/run/mDNSResponder")),
            Call::TypeAhead(fd) => self.type_ahead(*fd),
            Call::SetTerminal(fd) => self.set_terminal(*fd),
            Call::Signal(target) => {
                self.asking
                    .ask(Operation::Signal, |_| About::Process(*target));
                Ok(Act::Nothing(Effect::None))
            }
            Call::Fork => {
                self.asking.ask(Operation::ProcessFork, |_| About::Nothing);
                Ok(Act::Nothing(Effect::None))
            }
            Call::LookUpService(service) => {
                self.asking
                    .ask(Operation::MachLookup, |_| About::Service(service.clone()));
                Ok(Act::Nothing(Effect::None))
            }
        }
    }

    fn look_up(&mut self, name: &Name, leaf: Leaf) -> Result<Landing, Errno> {
        look_up(self.mac, self.process, name, leaf, self.asking)
    }

    fn ask(&mut self, operation: Operation, landing: &Landing) {
        self.asking.landing(self.mac, operation, landing);
    }

    /// Whether the permission bits let the user do it.
    fn permit(&self, ino: Ino, wish: Wish) -> Result<(), Errno> {
        if self.mac.node(ino).permits(wish) {
            Ok(())
        } else {
            Err(Errno::ACCESS)
        }
    }

    /// Whether the user may give a name in the folder to something.
    fn permit_entry(&self, folder: Ino) -> Result<(), Errno> {
        // What was removed takes no new names.
        if folder != self.mac.root && !self.is_held(folder) {
            return Err(Errno::NOENT);
        }
        self.permit(folder, Wish::Write)
    }

    fn is_held(&self, folder: Ino) -> bool {
        let node = self.mac.node(folder).folder();
        let entry = node.and_then(|node| self.mac.entry(node.parent, &node.name));
        entry.is_some_and(|entry| self.mac.uncovered(entry.ino) == folder)
    }

    /// Whether the user may take a name away from an object.
    fn permit_taking(&self, folder: Ino, ino: Ino) -> Result<(), Errno> {
        self.permit(folder, Wish::Write)?;
        let owned = |ino| self.mac.owner(ino) == objcap_walk::Owner::User;
        if self.mac.mode(folder) & STICKY != 0 && !owned(folder) && !owned(ino) {
            return Err(Errno::PERM);
        }
        if self.mac.is_fixed(folder, ino) {
            return Err(Errno::BUSY);
        }
        Ok(())
    }

    fn enter(&mut self, ino: Ino) -> Result<Act, Errno> {
        if self.mac.kind(ino) != Kind::Directory {
            return Err(Errno::NOTDIR);
        }
        if self.asking.choices().passing == Passing::Metadata {
            self.asking
                .folder(self.mac, Operation::FileReadMetadata, ino);
        }
        self.permit(ino, Wish::Execute)?;
        Ok(Act::Enter(ino))
    }
}
