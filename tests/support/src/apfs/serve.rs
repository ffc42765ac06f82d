//! The calls of FUSE, answered from a volume. Nothing is cached above it: each spelling is asked anew.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData, ReplyDirectory,
    ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request, TimeOrNow, WriteFlags,
};
use rustix::fs::{FileType as Kind, OFlags};

use super::volume::{Body, Entry, Folder, Node, Target, Volume};

const AT_ONCE: Duration = Duration::ZERO;

/// A volume behind a lock, and the listings that are open on it.
#[derive(Debug)]
pub(super) struct Served(Mutex<State>);

#[derive(Debug)]
struct State {
    volume: Volume,
    /// A listing shows the folder as it was when it was begun.
    listings: HashMap<u64, Vec<Entry>>,
    handles: u64,
}

impl Served {
    pub(super) fn new(volume: Volume) -> Self {
        Served(Mutex::new(State {
            volume,
            listings: HashMap::new(),
            handles: 0,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, parent: INodeNo, name: &OsStr, node: Node, reply: ReplyEntry) {
        let mut state = self.state();
        let made = state.volume.make(parent.0, name.as_bytes(), node);
        entry(&state.volume, made, reply);
    }
}

fn errno(errno: rustix::io::Errno) -> Errno {
    Errno::from_i32(errno.raw_os_error())
}

type Answer<T> = Result<T, rustix::io::Errno>;

fn entry(volume: &Volume, node: Answer<u64>, reply: ReplyEntry) {
    match node.and_then(|node| attributes(volume, node)) {
        Ok(attributes) => reply.entry(&AT_ONCE, &attributes, Generation(0)),
        Err(error) => reply.error(errno(error)),
    }
}

fn done(answer: Answer<()>, reply: ReplyEmpty) {
    match answer {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(errno(error)),
    }
}

fn attributes(volume: &Volume, number: u64) -> Answer<FileAttr> {
    let node = volume.node(number)?;
    let (size, rdev) = match &node.body {
        Body::File(bytes) | Body::Link(bytes) => (bytes.len() as u64, 0),
        Body::Other(_, device) => (0, *device),
        Body::Folder(_) => (0, 0),
    };
    Ok(FileAttr {
        ino: INodeNo(number),
        size,
        blocks: size.div_ceil(512),
        atime: node.changed,
        mtime: node.changed,
        ctime: node.changed,
        crtime: node.changed,
        kind: kind(node.kind()),
        perm: node.mode,
        nlink: node.links,
        uid: node.owner.0,
        gid: node.owner.1,
        rdev,
        blksize: 4096,
        flags: 0,
    })
}

fn kind(kind: Kind) -> FileType {
    match kind {
        Kind::Directory => FileType::Directory,
        Kind::Symlink => FileType::Symlink,
        Kind::Fifo => FileType::NamedPipe,
        Kind::Socket => FileType::Socket,
        Kind::CharacterDevice => FileType::CharDevice,
        Kind::BlockDevice => FileType::BlockDevice,
        _ => FileType::RegularFile,
    }
}

/// The permission bits of a mode. The kernel has applied the umask.
fn bits(mode: u32) -> u16 {
    (mode & 0o7777) as u16
}

fn owner(request: &Request) -> (u32, u32) {
    (request.uid(), request.gid())
}

impl Filesystem for Served {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let state = self.state();
        let found = state.volume.find(parent.0, name.as_bytes());
        entry(&state.volume, found, reply);
    }

    fn getattr(&self, _: &Request, node: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match attributes(&self.state().volume, node.0) {
            Ok(attributes) => reply.attr(&AT_ONCE, &attributes),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        number: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        mtime: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mut state = self.state();
        let modified = match mtime {
            Some(TimeOrNow::SpecificTime(time)) => time,
            _ => SystemTime::now(),
        };
        let resized = match size {
            Some(size) => state
                .volume
                .contents(number.0)
                .map(|bytes| bytes.resize(size as usize, 0)),
            None => Ok(()),
        };
        let set = resized.and_then(|()| {
            let node = state.volume.node_mut(number.0)?;
            node.mode = mode.map_or(node.mode, bits);
            node.owner = (uid.unwrap_or(node.owner.0), gid.unwrap_or(node.owner.1));
            node.changed = modified;
            attributes(&state.volume, number.0)
        });
        match set {
            Ok(attributes) => reply.attr(&AT_ONCE, &attributes),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn readlink(&self, _: &Request, node: INodeNo, reply: ReplyData) {
        match self.state().volume.node(node.0).map(|node| &node.body) {
            Ok(Body::Link(text)) => reply.data(text),
            Ok(_) => reply.error(Errno::EINVAL),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn mknod(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        device: u32,
        reply: ReplyEntry,
    ) {
        let body = match Kind::from_raw_mode(mode) {
            Kind::RegularFile => Body::File(Vec::new()),
            kind => Body::Other(kind, device),
        };
        self.make(
            parent,
            name,
            Node::new(body, bits(mode), owner(request)),
            reply,
        );
    }

    fn mkdir(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        let body = Body::Folder(Folder::default());
        self.make(
            parent,
            name,
            Node::new(body, bits(mode), owner(request)),
            reply,
        );
    }

    fn symlink(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        text: &Path,
        reply: ReplyEntry,
    ) {
        let body = Body::Link(text.as_os_str().as_bytes().to_vec());
        self.make(parent, name, Node::new(body, 0o777, owner(request)), reply);
    }

    fn link(&self, _: &Request, node: INodeNo, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let mut state = self.state();
        let linked = state.volume.link(node.0, parent.0, name.as_bytes());
        entry(&state.volume, linked.map(|()| node.0), reply);
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.state().volume.unlink(parent.0, name.as_bytes()), reply);
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.state().volume.rmdir(parent.0, name.as_bytes()), reply);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        newparent: INodeNo,
        newname: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let target = match flags {
            RenameFlags::RENAME_NOREPLACE => Target::Keep,
            RenameFlags::RENAME_EXCHANGE => Target::Exchange,
            _ if flags.is_empty() => Target::Replace,
            _ => return reply.error(Errno::EINVAL),
        };
        let from = (parent.0, name.as_bytes());
        let to = (newparent.0, newname.as_bytes());
        done(self.state().volume.rename(from, to, target), reply);
    }

    fn create(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        let mut state = self.state();
        let node = Node::new(Body::File(Vec::new()), bits(mode), owner(request));
        let exclusive = OFlags::from_bits_retain(flags as u32).contains(OFlags::EXCL);
        let made = match state.volume.make(parent.0, name.as_bytes(), node) {
            Err(rustix::io::Errno::EXIST) if !exclusive => {
                state.volume.find(parent.0, name.as_bytes())
            }
            made => made,
        };
        match made.and_then(|node| attributes(&state.volume, node)) {
            Ok(attributes) => reply.created(
                &AT_ONCE,
                &attributes,
                Generation(0),
                FileHandle(0),
                FopenFlags::empty(),
            ),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn read(
        &self,
        _: &Request,
        node: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.state().volume.node(node.0).map(|node| &node.body) {
            Ok(Body::File(bytes)) => {
                let from = bytes.len().min(offset as usize);
                let to = bytes.len().min(from + size as usize);
                reply.data(&bytes[from..to]);
            }
            Ok(_) => reply.error(Errno::EINVAL),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn write(
        &self,
        _: &Request,
        node: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.state().volume.contents(node.0) {
            Ok(bytes) => {
                let end = offset as usize + data.len();
                bytes.resize(bytes.len().max(end), 0);
                bytes[offset as usize..end].copy_from_slice(data);
                reply.written(data.len() as u32);
            }
            Err(error) => reply.error(errno(error)),
        }
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsyncdir(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok();
    }

    fn opendir(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let mut state = self.state();
        state.handles += 1;
        reply.opened(FileHandle(state.handles), FopenFlags::empty());
    }

    fn readdir(
        &self,
        _: &Request,
        node: INodeNo,
        handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let mut state = self.state();
        let state = &mut *state;
        if offset == 0 {
            match state.volume.list(node.0) {
                Ok(entries) => state.listings.insert(handle.0, entries),
                Err(error) => return reply.error(errno(error)),
            };
        }
        let entries = state.listings.get(&handle.0).map(Vec::as_slice);
        for (at, entry) in (1..).zip(entries.unwrap_or_default()) {
            let Ok(node) = state.volume.node(entry.node) else {
                continue;
            };
            let name = OsStr::from_bytes(&entry.name);
            if at > offset && reply.add(INodeNo(entry.node), at, kind(node.kind()), name) {
                break;
            }
        }
        reply.ok();
    }

    fn releasedir(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        _: OpenFlags,
        reply: ReplyEmpty,
    ) {
        self.state().listings.remove(&handle.0);
        reply.ok();
    }
}
