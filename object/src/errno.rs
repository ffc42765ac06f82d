//! Names of error numbers, for records that a program reads.

#[cfg(unix)]
use rustix::io::Errno;

/// The name of an error number of this system, such as `ENOENT`; `None` for one that no file-system
/// call is documented to give.
#[cfg(unix)]
pub fn errno_name(raw: i32) -> Option<&'static str> {
    const NAMES: &[(Errno, &str)] = &[
        (Errno::PERM, "EPERM"),
        (Errno::NOENT, "ENOENT"),
        (Errno::INTR, "EINTR"),
        (Errno::IO, "EIO"),
        (Errno::NXIO, "ENXIO"),
        (Errno::BADF, "EBADF"),
        (Errno::AGAIN, "EAGAIN"),
        (Errno::NOMEM, "ENOMEM"),
        (Errno::ACCESS, "EACCES"),
        (Errno::BUSY, "EBUSY"),
        (Errno::EXIST, "EEXIST"),
        (Errno::XDEV, "EXDEV"),
        (Errno::NODEV, "ENODEV"),
        (Errno::NOTDIR, "ENOTDIR"),
        (Errno::ISDIR, "EISDIR"),
        (Errno::INVAL, "EINVAL"),
        (Errno::NFILE, "ENFILE"),
        (Errno::MFILE, "EMFILE"),
        (Errno::NOTTY, "ENOTTY"),
        (Errno::TXTBSY, "ETXTBSY"),
        (Errno::FBIG, "EFBIG"),
        (Errno::NOSPC, "ENOSPC"),
        (Errno::ROFS, "EROFS"),
        (Errno::MLINK, "EMLINK"),
        (Errno::NAMETOOLONG, "ENAMETOOLONG"),
        (Errno::NOSYS, "ENOSYS"),
        (Errno::NOTEMPTY, "ENOTEMPTY"),
        (Errno::LOOP, "ELOOP"),
        (Errno::OVERFLOW, "EOVERFLOW"),
        (Errno::ILSEQ, "EILSEQ"),
        (Errno::OPNOTSUPP, "EOPNOTSUPP"),
        (Errno::NOTCONN, "ENOTCONN"),
        (Errno::TIMEDOUT, "ETIMEDOUT"),
        (Errno::STALE, "ESTALE"),
        (Errno::DQUOT, "EDQUOT"),
    ];
    NAMES
        .iter()
        .find(|(errno, _)| errno.raw_os_error() == raw)
        .map(|&(_, name)| name)
}

/// The name of an error number of this system: there is none where there are no such numbers.
#[cfg(not(unix))]
pub fn errno_name(_: i32) -> Option<&'static str> {
    None
}
