//! Names as bytes, for the standard library.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// A name; `None` when it is empty, or holds a NUL, which no path can.
pub(crate) fn path(bytes: &[u8]) -> Option<&Path> {
    let good = !bytes.is_empty() && !bytes.contains(&0);
    good.then(|| Path::new(OsStr::from_bytes(bytes)))
}

/// The same as the standard library's strings.
pub(crate) fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}
