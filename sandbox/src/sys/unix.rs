//! Starting a process, and becoming another program, on Unix.

#![expect(
    unsafe_code,
    reason = "descriptors go by numbers, and a program is executed by pointers"
)]

use std::ffi::CString;
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;

use rustix::io::{Errno, FdFlags, fcntl_dupfd_cloexec, fcntl_getfd, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::arm::Sealer;
use crate::enter::inherited::Session;

/// Says what the started process has of this one: these descriptors, under the numbers they have here, 0 to 2,
/// and no other; and whether it begins a session. A folder is made its current one.
///
/// # Errors
/// When the descriptors of this process cannot be listed.
pub(crate) fn share(
    command: &mut Command,
    shared: Vec<OwnedFd>,
    session: Session,
    folder: Option<OwnedFd>,
) -> io::Result<()> {
    let mut sealer = Sealer::new()?;
    let prepare = move || {
        sealer.seal()?;
        for descriptor in &shared {
            fcntl_setfd(descriptor, FdFlags::empty())?;
        }
        if session == Session::New {
            rustix::process::setsid()?;
        }
        if let Some(folder) = &folder {
            rustix::process::fchdir(folder)?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure makes system calls and nothing else: it neither allocates nor
    // takes a lock, and what it uses was allocated before. It closes no descriptor, so that the pipe by which
    // std reports a failed exec lives.
    unsafe { command.pre_exec(prepare) };
    Ok(())
}

/// A descriptor with a number above 2, whatever was closed when it was opened: what has 0 to 2 in a child is its
/// streams.
///
/// # Errors
/// What the system says.
pub(crate) fn above_streams(descriptor: OwnedFd) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(descriptor, 3)?)
}

/// Takes over a descriptor that the parent process handed on by its number, and marks it to be closed at the
/// next exec. `None` when there is no such descriptor.
pub(crate) fn adopt(number: RawFd) -> Option<OwnedFd> {
    if number <= 2 {
        return None;
    }
    // SAFETY: it is borrowed for the two calls that find out whether it is open, and they close nothing.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    fcntl_getfd(borrowed).ok()?;
    fcntl_setfd(borrowed, FdFlags::CLOEXEC).ok()?;
    // SAFETY: it is open, and the parent handed it to this process for this one use: nobody else has it.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Makes a folder the current one, by its handle.
///
/// # Errors
/// What the system says.
pub(crate) fn enter_folder(folder: &OwnedFd) -> io::Result<()> {
    Ok(rustix::process::fchdir(folder)?)
}

/// The signal that ends a process whatever it does.
pub(crate) const KILL: i32 = libc::SIGKILL;

/// Sends a signal to a child; to its whole process group, where it began a session.
///
/// # Errors
/// When there is no such signal, and what the system says; that nobody is left is none.
pub(crate) fn send(child: u32, number: i32, session: Session) -> io::Result<()> {
    let child = i32::try_from(child).ok().and_then(Pid::from_raw);
    let child = child.ok_or(Errno::SRCH)?;
    let signal = Signal::from_named_raw(number).ok_or(Errno::INVAL)?;
    let sent = match session {
        Session::New => kill_process_group(child, signal),
        Session::Foreground => kill_process(child, signal),
    };
    match sent {
        Err(Errno::SRCH) => Ok(()),
        sent => Ok(sent?),
    }
}

/// Becomes another program: execve(2), which follows the path's links itself. Returns when it failed.
///
/// A broken pipe ends the program again, as it does one that a shell starts: Rust's runtime had ignored it.
pub(crate) fn execute(program: &CString, argv: &[CString], environment: &[CString]) -> io::Error {
    let pointers = |all: &[CString]| {
        let all = all.iter().map(|one| one.as_ptr());
        all.chain([ptr::null()]).collect::<Vec<_>>()
    };
    let (argv, environment) = (pointers(argv), pointers(environment));
    // SAFETY: the default disposition takes no function of ours, and this process runs no other thread that
    // could rely on the one before.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    // SAFETY: the path and every text are terminated and live until the call returns, and each list ends with
    // a null pointer.
    unsafe { libc::execve(program.as_ptr(), argv.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}
