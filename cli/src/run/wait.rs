//! Waiting for a confined child, and handing on to it what this process is sent.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use objcap::sandbox::{Child, Session};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

/// What can be waited for, and sent a signal.
pub(super) trait Waited {
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>>;
    fn signal(&mut self, number: i32) -> io::Result<()>;
}

impl Waited for Child {
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.try_wait()
    }

    fn signal(&mut self, number: i32) -> io::Result<()> {
        self.signal(number)
    }
}

/// The signals that tell of a child's end, or are the child's to obey.
pub(super) struct Watched(Signals);

impl Watched {
    /// From here on none of them ends this process.
    pub(super) fn new() -> io::Result<Self> {
        Signals::new([SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM]).map(Watched)
    }

    /// Waits for the child's end.
    ///
    /// A child that has the terminal gets what is typed there from the terminal itself.
    pub(super) fn wait(
        mut self,
        child: &mut impl Waited,
        session: Session,
    ) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            for signal in self.0.wait() {
                let typed = matches!(signal, SIGINT | SIGQUIT) && session == Session::Foreground;
                if signal != SIGCHLD && !typed {
                    child.signal(signal)?;
                }
            }
        }
    }
}

/// The code that says how a child ended, as shells have it.
pub(super) fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok())
        .unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use signal_hook::low_level::raise;

    use super::*;

    /// A child that notes what it is sent, and ends at the first of it.
    struct Noted {
        child: std::process::Child,
        sent: Vec<i32>,
    }

    impl Waited for Noted {
        fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
            self.child.try_wait()
        }

        fn signal(&mut self, number: i32) -> io::Result<()> {
            self.sent.push(number);
            self.child.kill()
        }
    }

    /// One test, since signals are the whole process's.
    #[test]
    fn signals_are_handed_on_but_for_those_that_the_terminal_sends() {
        let start = |program: &str| Noted {
            child: Command::new(program).arg("600").spawn().unwrap(),
            sent: Vec::new(),
        };
        let mut child = start("sleep");
        let watched = Watched::new().unwrap();
        raise(SIGINT).unwrap();
        let status = watched.wait(&mut child, Session::New).unwrap();
        assert_eq!((child.sent, code(status)), (vec![SIGINT], 137));

        let mut child = start("sleep");
        let watched = Watched::new().unwrap();
        raise(SIGINT).unwrap();
        raise(SIGTERM).unwrap();
        watched.wait(&mut child, Session::Foreground).unwrap();
        assert_eq!(child.sent, [SIGTERM]);

        // A child that ends by itself is sent nothing, and noticed.
        let watched = Watched::new().unwrap();
        let mut child = start("false");
        let status = watched.wait(&mut child, Session::New).unwrap();
        assert_eq!((child.sent, code(status)), (vec![], 1));
    }

    #[test]
    fn an_end_has_the_code_that_shells_give_it() {
        // wait(2): the code stands in the second byte, the signal in the first.
        for (raw, want) in [
            (0, 0),
            (42 << 8, 42),
            (255 << 8, 255),
            (9, 137),
            (6, 134),
            (15, 143),
        ] {
            assert_eq!(code(ExitStatus::from_raw(raw)), want, "{raw}");
        }
    }
}
