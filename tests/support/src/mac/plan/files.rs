//! Calls about one object: opening, making, telling, changing.

use std::sync::Arc;

use objcap_walk::{Kind, Leaf, Owner};
use sbpl::Operation;

use super::Planner;
use crate::mac::act::{Act, Made, Spot};
use crate::mac::answer::{Effect, Errno, Status};
use crate::mac::choices::{AccessAsks, AttributeAsks, ExistenceAsks};
use crate::mac::lookup::Landing;
use crate::mac::node::{Body, Wish};
use crate::mac::process::{Descriptor, Rights};
use crate::mac::{About, Attribute, Fd, How, Ino, Name, New, Probe};

impl Planner<'_> {
    pub(super) fn open(&mut self, name: &Name, how: How, leaf: Leaf) -> Result<Act, Errno> {
        // O_EXCL does not follow (open(2)).
        let leaf = match how {
            How::CreateNew => Leaf::AsNamed,
            _ => leaf,
        };
        let landing = self.look_up(name, leaf)?;
        let rights = match how {
            How::Read | How::Directory => Rights::Read,
            How::ReadWrite => Rights::ReadWrite,
            How::Append => Rights::Append,
            How::Write | How::Truncate | How::Create | How::CreateNew => Rights::Write,
        };
        let Some(ino) = landing.found() else {
            return match how {
                How::Create | How::CreateNew => self.create(&landing, rights),
                _ => Err(Errno::NOENT),
            };
        };
        let kind = self.mac.kind(ino);
        match (how, kind) {
            (How::CreateNew, _) => return Err(Errno::EXIST),
            (How::Directory, kind) if kind != Kind::Directory => return Err(Errno::NOTDIR),
            (_, Kind::Symlink) => return Err(Errno::LOOP),
            (_, Kind::Socket) => return Err(Errno::OPNOTSUPP),
            (_, Kind::Directory) if rights.writes() => return Err(Errno::ISDIR),
            _ => {}
        }
        if rights.reads() {
            self.ask(Operation::FileReadData, &landing);
            self.permit(ino, Wish::Read)?;
        }
        if rights.writes() {
            self.ask(Operation::FileWriteData, &landing);
            self.permit(ino, Wish::Write)?;
        }
        let (folder, name) = match landing {
            Landing::Folder(ino) => (ino, Arc::from(&b"."[..])),
            Landing::Entry { folder, name, .. } => (folder, name.into()),
        };
        Ok(Act::Open {
            descriptor: Descriptor {
                ino,
                rights,
                opened: (folder, name),
            },
            empty: how == How::Truncate,
        })
    }

    fn create(&mut self, landing: &Landing, rights: Rights) -> Result<Act, Errno> {
        let spot = self.new_spot(landing, Kind::File)?;
        self.asking
            .create(self.mac, spot.folder, &spot.name, Kind::File);
        self.permit_entry(spot.folder)?;
        Ok(Act::Make {
            spot,
            made: Made::File,
            open: Some(rights),
        })
    }

    /// Where something is to be made.
    pub(super) fn new_spot(&self, landing: &Landing, kind: Kind) -> Result<Spot, Errno> {
        match landing {
            Landing::Folder(_) | Landing::Entry { found: Some(_), .. } => Err(Errno::EXIST),
            Landing::Entry { slash: true, .. } if kind != Kind::Directory => Err(Errno::NOENT),
            // APFS stores no other names.
            Landing::Entry { name, .. } if std::str::from_utf8(name).is_err() => Err(Errno::ILSEQ),
            Landing::Entry { folder, name, .. } => Ok(Spot::new(*folder, name)),
        }
    }

    pub(super) fn make(&mut self, name: &Name, what: &New) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::AsNamed)?;
        let (kind, made) = match what {
            New::Directory => (Kind::Directory, Made::Folder),
            New::Symlink(text) => (Kind::Symlink, Made::Link(text[..].into())),
            New::Fifo => (Kind::Fifo, Made::Other(Kind::Fifo)),
        };
        let spot = self.new_spot(&landing, kind)?;
        self.asking.create(self.mac, spot.folder, &spot.name, kind);
        self.permit_entry(spot.folder)?;
        Ok(Act::Make {
            spot,
            made,
            open: None,
        })
    }

    pub(super) fn read(&self, fd: Fd) -> Result<Act, Errno> {
        let open = self.process.descriptor(fd)?;
        match &self.mac.node(open.ino).body {
            _ if !open.rights.reads() => Err(Errno::BADF),
            Body::Folder(_) => Err(Errno::ISDIR),
            Body::File(bytes) => Ok(Act::Nothing(Effect::Contents(Arc::clone(bytes)))),
            _ => Ok(Act::Nothing(Effect::Contents(Arc::from(&b""[..])))),
        }
    }

    pub(super) fn write(&self, fd: Fd, bytes: &[u8]) -> Result<Act, Errno> {
        let open = self.process.descriptor(fd)?;
        if !open.rights.writes() {
            return Err(Errno::BADF);
        }
        let Body::File(before) = &self.mac.node(open.ino).body else {
            return Ok(Act::Nothing(Effect::None));
        };
        let after = match open.rights {
            Rights::Append => [before, bytes].concat(),
            _ => [bytes, before.get(bytes.len()..).unwrap_or_default()].concat(),
        };
        Ok(Act::Fill(open.ino, after.into()))
    }

    fn open_folder(&self, fd: Fd) -> Result<Ino, Errno> {
        let ino = self.process.descriptor(fd)?.ino;
        let folder = self.mac.node(ino).folder();
        folder.map(|_| ino).ok_or(Errno::NOTDIR)
    }

    pub(super) fn list(&self, fd: Fd) -> Result<Act, Errno> {
        let names = self.mac.names_in(self.open_folder(fd)?);
        Ok(Act::Nothing(Effect::Names(names.cloned().collect())))
    }

    pub(super) fn list_attributes(&mut self, fd: Fd) -> Result<Act, Errno> {
        let folder = self.open_folder(fd)?;
        self.asking
            .folder(self.mac, Operation::FileReadMetadata, folder);
        self.list(fd)
    }

    pub(super) fn stat(&mut self, name: &Name, leaf: Leaf) -> Result<Act, Errno> {
        let landing = self.look_up(name, leaf)?;
        let ino = landing.object()?;
        self.ask(Operation::FileReadMetadata, &landing);
        let node = self.mac.node(ino);
        Ok(Act::Nothing(Effect::Status(Status {
            ino,
            kind: node.kind(),
            owner: node.owner,
            mode: node.mode,
            size: self.mac.contents(ino).map_or(0, |bytes| bytes.len()),
        })))
    }

    pub(super) fn access(&mut self, name: &Name, probe: Probe) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::Follow)?;
        let ino = landing.object()?;
        let choices = self.asking.choices();
        let deed = |operation| match choices.access {
            AccessAsks::Deed => Some(operation),
            AccessAsks::Metadata => Some(Operation::FileReadMetadata),
        };
        let (operation, wish) = match probe {
            Probe::Exists => {
                let operation = match choices.existence {
                    ExistenceAsks::TestExistence => Some(Operation::FileTestExistence),
                    ExistenceAsks::Metadata => Some(Operation::FileReadMetadata),
                    ExistenceAsks::Nothing => None,
                };
                (operation, None)
            }
            Probe::Read => (deed(Operation::FileReadData), Some(Wish::Read)),
            Probe::Write => (deed(Operation::FileWriteData), Some(Wish::Write)),
            Probe::Execute => (deed(Operation::ProcessExec), Some(Wish::Execute)),
        };
        if let Some(operation) = operation {
            self.ask(operation, &landing);
        }
        if let Some(wish) = wish {
            self.permit(ino, wish)?;
        }
        Ok(Act::Nothing(Effect::None))
    }

    pub(super) fn read_link(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::AsNamed)?;
        let Body::Link(text) = &self.mac.node(landing.object()?).body else {
            return Err(Errno::INVAL);
        };
        self.ask(Operation::FileReadMetadata, &landing);
        Ok(Act::Nothing(Effect::Contents(Arc::clone(text))))
    }

    pub(super) fn change(
        &mut self,
        name: &Name,
        attribute: Attribute,
        leaf: Leaf,
    ) -> Result<Act, Errno> {
        let landing = self.look_up(name, leaf)?;
        let ino = landing.object()?;
        let operation = match (attribute, self.asking.choices().attributes) {
            (Attribute::Mode(_) | Attribute::Xattr, _) | (_, AttributeAsks::Own) => {
                attribute.operation()
            }
            (_, AttributeAsks::Mode) => Operation::FileWriteMode,
        };
        self.ask(operation, &landing);
        if attribute == Attribute::Xattr {
            self.say_xattr();
        }
        let is_owned = self.mac.owner(ino) == Owner::User;
        match attribute {
            Attribute::Xattr => self.permit(ino, Wish::Write)?,
            // Giving away is for root.
            Attribute::Owner(Owner::System) => return Err(Errno::PERM),
            _ if !is_owned => return Err(Errno::PERM),
            _ => {}
        }
        Ok(Act::Change(ino, attribute))
    }

    /// The last question is about an extended attribute of what it named.
    fn say_xattr(&mut self) {
        if let Some(question) = self.asking.asked.last_mut() {
            let name = question.name().unwrap_or_default().to_vec();
            question.about = About::Xattr(name);
        }
    }

    pub(super) fn truncate(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::Follow)?;
        let ino = landing.object()?;
        match self.mac.kind(ino) {
            Kind::Directory => return Err(Errno::ISDIR),
            Kind::File => {}
            _ => return Err(Errno::INVAL),
        }
        self.ask(Operation::FileWriteData, &landing);
        self.permit(ino, Wish::Write)?;
        Ok(Act::Fill(ino, Arc::from(&b""[..])))
    }
}
