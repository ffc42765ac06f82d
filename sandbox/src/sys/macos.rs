//! macOS: Seatbelt. All of its foreign functions are declared here.
//!
//! They are exported by libSystem and stand in no header. Their shapes are those that browsers have linked
//! against for years: `sandbox_init_with_parameters` takes the text, flags that are zero for a text, and a list
//! of names and values that ends with a null pointer; it returns 0, or −1 with errno and perhaps a message that
//! `sandbox_free_error` frees. `sandbox_check` without an operation says whether a process is confined.

#![expect(unsafe_code, reason = "Seatbelt has no safe functions")]

use std::ffi::{CStr, CString, c_char, c_int};
use std::io;
use std::ptr;

use crate::enter::entry::{Denied, System};

#[path = "macos/descriptors.rs"]
mod descriptors;

pub(super) use descriptors::Sealer;

unsafe extern "C" {
    fn sandbox_init_with_parameters(
        profile: *const c_char,
        flags: u64,
        parameters: *const *const c_char,
        message: *mut *mut c_char,
    ) -> c_int;
    fn sandbox_free_error(message: *mut c_char);
    fn sandbox_check(process: libc::pid_t, operation: *const c_char, filter: c_int, ...) -> c_int;
}

/// The text is a profile, and no name of one.
const TEXT: u64 = 0;
/// A question without an operation has no filter.
const NO_FILTER: c_int = 0;

/// Seatbelt.
#[derive(Debug)]
struct Seatbelt;

/// What confines a process here.
pub(crate) fn backend() -> Option<&'static dyn System> {
    Some(&Seatbelt)
}

impl System for Seatbelt {
    fn is_confined(&self) -> bool {
        // SAFETY: without an operation no further argument is read; the process asked about is this one.
        let confined = unsafe { sandbox_check(libc::getpid(), ptr::null(), NO_FILTER) };
        // An answer that is neither yes nor no is taken for the one that refuses more.
        confined != 0
    }

    fn confine(&self, text: &CStr) -> Result<(), Denied> {
        let parameters = [ptr::null()];
        let mut message = ptr::null_mut();
        // SAFETY: the text and the list are terminated and outlive the call; the message is a place for
        // one pointer, which is null until the call sets it.
        let done = unsafe {
            sandbox_init_with_parameters(text.as_ptr(), TEXT, parameters.as_ptr(), &mut message)
        };
        if done == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        Err(Denied {
            error,
            message: taken(message),
        })
    }
}

/// The message of a failed call, copied and freed.
fn taken(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    // SAFETY: it is not null, so the call has set it to a terminated text of its own, which nobody has freed.
    let copy: CString = unsafe { CStr::from_ptr(message) }.to_owned();
    // SAFETY: it came from the call, is freed once, and is not read again.
    unsafe { sandbox_free_error(message) };
    Some(copy.to_string_lossy().into_owned())
}
