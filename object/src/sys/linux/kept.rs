//! An object kept by an `O_PATH` handle, and the kernel's own names of things, read from procfs. They
//! are texts: no link of procfs is followed.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use objcap_walk::Kind;
use rustix::fs::{CWD, Mode, openat, readlinkat};

use super::{Dir, HOLD, status_of_dir};
use crate::Status;

/// An object, whatever its name has become.
#[derive(Debug)]
pub(crate) struct Kept(Dir);

impl Kept {
    pub(crate) fn take(dir: &Dir, name: &[u8], _: Kind) -> io::Result<Self> {
        Ok(Kept(Dir::new(openat(dir, name, HOLD, Mode::empty())?)))
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        status_of_dir(&self.0)
    }

    /// By which path the kernel knows it; none is told on this system by an answer that is no
    /// path, or by one with ` (deleted)` behind it (proc_pid_fd(5)).
    pub(crate) fn told(&self) -> io::Result<Option<Vec<u8>>> {
        told(&self.0)
    }
}

/// By which path the kernel knows a directory that is held.
pub(crate) fn told(dir: &Dir) -> io::Result<Option<Vec<u8>>> {
    // By the thread, whose descriptors may be its own. `/proc/thread-self` is a link.
    let thread = rustix::thread::gettid().as_raw_nonzero();
    let fd = dir.as_fd().as_raw_fd();
    read(&format!("task/{thread}/fd/{fd}")).map(Some)
}

/// The program that runs, as it was when it was started: with ` (deleted)` behind its name if that is
/// gone.
pub(crate) fn own_executable() -> io::Result<PathBuf> {
    Ok(OsString::from_vec(read("exe")?).into())
}

/// The text of a link in this process's folder of procfs.
fn read(name: &str) -> io::Result<Vec<u8>> {
    let process = rustix::process::getpid().as_raw_nonzero();
    let text = readlinkat(CWD, format!("/proc/{process}/{name}"), Vec::new())?;
    Ok(text.into_bytes())
}
