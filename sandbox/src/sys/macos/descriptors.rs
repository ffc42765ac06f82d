//! macOS: every descriptor is closed at the next exec, one by one, as the kernel lists them.

#![expect(
    unsafe_code,
    reason = "the kernel lists descriptors into memory that it is given"
)]

use std::io;
use std::mem::size_of;

/// Marks the descriptors of a process that was forked and not yet executed.
#[derive(Debug)]
pub(crate) struct Sealer {
    room: Vec<libc::proc_fdinfo>,
}

/// How many descriptors may come to be between the listing that is counted and the one that is used.
const SPARE: usize = 256;

impl Sealer {
    /// Made before the fork, since nothing may be allocated after it.
    ///
    /// # Errors
    /// When the kernel does not list this process's descriptors.
    pub(crate) fn new() -> io::Result<Self> {
        let mut sealer = Sealer { room: Vec::new() };
        let count = sealer.list()?;
        let none = libc::proc_fdinfo {
            proc_fd: -1,
            proc_fdtype: 0,
        };
        sealer.room.resize(count + SPARE, none);
        Ok(sealer)
    }

    /// Marks every descriptor above 2 to be closed at the exec.
    ///
    /// # Errors
    /// What the kernel says, and when there are more than there is room for.
    pub(crate) fn seal(&mut self) -> io::Result<()> {
        let count = self.list()?;
        if count >= self.room.len() {
            return Err(io::Error::from_raw_os_error(libc::EMFILE));
        }
        for one in self.room.iter().take(count).filter(|one| one.proc_fd > 2) {
            // SAFETY: the call changes a flag of a descriptor of this process, and closes none.
            let done = unsafe { libc::fcntl(one.proc_fd, libc::F_SETFD, libc::FD_CLOEXEC) };
            if done == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    /// Lists them into the room there is, and says how many were listed; without room, how many there may be
    /// (libproc.h, `PROC_PIDLISTFDS`).
    fn list(&mut self) -> io::Result<usize> {
        let bytes = self.room.len() * size_of::<libc::proc_fdinfo>();
        let bytes = libc::c_int::try_from(bytes).map_err(io::Error::other)?;
        let room = match bytes {
            0 => std::ptr::null_mut(),
            _ => self.room.as_mut_ptr().cast(),
        };
        let own = libc::pid_t::try_from(std::process::id()).map_err(io::Error::other)?;
        // SAFETY: the room is null with no length, or as long as is said, and the kernel writes whole records
        // of plain numbers into it.
        let listed = unsafe { libc::proc_pidinfo(own, libc::PROC_PIDLISTFDS, 0, room, bytes) };
        match usize::try_from(listed) {
            Ok(listed) if listed > 0 => Ok(listed / size_of::<libc::proc_fdinfo>()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
