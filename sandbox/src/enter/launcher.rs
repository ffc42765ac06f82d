//! The launcher: this program, started once more by itself, that enters a profile and becomes the child.

use std::env;
use std::ffi::CString;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::enter::entry::{self, NotEntered, System};
use crate::enter::order::{ASKED, Order, Report, Step};
use crate::sys;

/// The code that a launcher ends with when it did not become the child. Nobody is told by it: what went wrong
/// goes to the parent in words.
const FAILED: i32 = 125;

static CALLED: AtomicBool = AtomicBool::new(false);

/// Becomes a launcher, if this process was started as one; otherwise returns at once.
///
/// It is the one line that a program adds which confines children, before anything else in its `main`: before it
/// starts a thread, reads its arguments or opens a file.
///
/// ```
/// objcap_sandbox::launcher();
/// // What the program does.
/// ```
///
/// A launcher begins in `/` with an empty environment and three descriptors besides 0 to 2: its orders, the
/// child's folder, and what the child is to keep. It enters the profile that it is told, installs the child's
/// environment with the exec, and never comes back.
pub fn launcher() {
    CALLED.store(true, Ordering::Relaxed);
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != ASKED) {
        return;
    }
    let number = arguments
        .next()
        .and_then(|number| number.to_str()?.parse().ok());
    let orders = number.and_then(sys::adopt);
    if let Some(orders) = orders {
        serve(orders, sys::backend());
    }
    process::exit(FAILED)
}

/// Whether this program can be started as a launcher.
pub(crate) fn is_called() -> bool {
    CALLED.load(Ordering::Relaxed)
}

/// Does what it is told, and returns only when that failed and the parent knows.
pub(crate) fn serve(orders: OwnedFd, system: Option<&dyn System>) {
    let mut orders = UnixStream::from(orders);
    let failed = follow(&mut orders, system);
    // A parent that has gone away needs to be told nothing.
    let _ = orders.write_all(&failed.to_bytes());
}

fn follow(orders: &mut UnixStream, system: Option<&dyn System>) -> Report {
    let unread = || Report::failed(Step::Read, 0, "");
    let mut bytes = Vec::new();
    if orders.read_to_end(&mut bytes).is_err() {
        return unread();
    }
    let Some(order) = Order::read(&bytes) else {
        return unread();
    };
    let texts = |all: Vec<Vec<u8>>| {
        all.into_iter()
            .map(CString::new)
            .collect::<Result<Vec<_>, _>>()
    };
    let (Ok(program), Ok(argv), Ok(environment), Some(folder)) = (
        CString::new(order.program),
        texts(order.argv),
        texts(order.environment),
        sys::adopt(order.folder),
    ) else {
        return unread();
    };
    let Some(system) = system else {
        return Report::failed(Step::Backend, 0, "");
    };
    match entry::enter(system, &order.text) {
        Ok(()) => {}
        Err(NotEntered::Nested) => return Report::failed(Step::Nested, 0, ""),
        Err(NotEntered::Rejected(told)) => return Report::failed(Step::Rejected, 0, told),
        Err(NotEntered::NotInForce) => return Report::failed(Step::NotInForce, 0, ""),
    }
    if orders.write_all(&Report::Entered.to_bytes()).is_err() {
        // Nobody waits for the child.
        return unread();
    }
    let errno = |error: std::io::Error| error.raw_os_error().unwrap_or_default();
    if let Err(error) = sys::enter_folder(&folder) {
        return Report::failed(Step::Folder, errno(error), "");
    }
    let error = sys::execute(&program, &argv, &environment);
    Report::failed(Step::Exec, errno(error), "")
}
