//! Linux: every descriptor is closed at the next exec, by one call.

#![expect(unsafe_code, reason = "close_range(2) has no safe wrapper")]

use std::io;

/// Marks the descriptors of a process that was forked and not yet executed.
#[derive(Debug)]
pub(crate) struct Sealer;

impl Sealer {
    /// Made before the fork, since nothing may be allocated after it.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Sealer)
    }

    /// Marks every descriptor above 2 to be closed at the exec (close_range(2), Linux 5.11).
    ///
    /// # Errors
    /// What the kernel says; `ENOSYS` before 5.9, `EINVAL` before 5.11.
    pub(crate) fn seal(&mut self) -> io::Result<()> {
        // SAFETY: three numbers are handed over, and the call changes flags of this process's own
        // descriptors: none is closed, so nobody's descriptor goes away under its owner.
        let done = unsafe {
            libc::syscall(
                libc::SYS_close_range,
                3_u32,
                u32::MAX,
                libc::CLOSE_RANGE_CLOEXEC,
            )
        };
        match done {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
