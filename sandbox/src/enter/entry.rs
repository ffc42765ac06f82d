//! Entering a profile: what is asked of the system, in which order, and what its answers mean. Pure but for the
//! [`System`] that it is given.

use std::ffi::{CStr, CString};
use std::fmt;
use std::io;

/// What a system does to confine the process that asks.
pub(crate) trait System: fmt::Debug + Sync {
    /// Whether the process is confined already, by whomever.
    fn is_confined(&self) -> bool;

    /// Confines it, for good.
    fn confine(&self, text: &CStr) -> Result<(), Denied>;
}

/// How a system refused to confine.
#[derive(Debug)]
pub(crate) struct Denied {
    pub(crate) error: io::Error,
    pub(crate) message: Option<String>,
}

/// Why a profile is not in force.
#[derive(Debug)]
pub(crate) enum NotEntered {
    /// The process is in a profile already. Profiles do not stack (docs/seatbelt.md, section 6).
    Nested,
    /// The system does not take the text.
    Rejected(String),
    /// The system said it was done, and the process is not confined.
    NotInForce,
}

/// Enters a profile.
///
/// Whether the process is confined is asked first: a system that is handed the very text that is in force may
/// say that it is done (docs/seatbelt.md, section 6), and whoever holds two grants would hold the wider one.
pub(crate) fn enter(system: &dyn System, text: &str) -> Result<(), NotEntered> {
    if system.is_confined() {
        return Err(NotEntered::Nested);
    }
    let Ok(text) = CString::new(text) else {
        return Err(NotEntered::Rejected("the text has a NUL".to_owned()));
    };
    match system.confine(&text) {
        Ok(()) => {}
        Err(denied) if denied.error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(NotEntered::Nested);
        }
        Err(Denied { error, message }) => {
            let told = message.map(|message| message.trim().to_owned());
            let told = told.filter(|message| !message.is_empty());
            return Err(NotEntered::Rejected(
                told.unwrap_or_else(|| error.to_string()),
            ));
        }
    }
    if system.is_confined() {
        Ok(())
    } else {
        Err(NotEntered::NotInForce)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A system of which each answer is given beforehand.
    #[derive(Debug)]
    pub(crate) struct Scripted {
        confined: Mutex<bool>,
        answer: fn() -> Result<bool, Denied>,
        pub(crate) texts: Mutex<Vec<CString>>,
    }

    impl Scripted {
        pub(crate) fn new(answer: fn() -> Result<bool, Denied>) -> Self {
            Scripted {
                confined: Mutex::new(false),
                answer,
                texts: Mutex::new(Vec::new()),
            }
        }

        /// The same, of a process that is confined already.
        pub(crate) fn confined(answer: fn() -> Result<bool, Denied>) -> Self {
            let mut system = Scripted::new(answer);
            system.confined = Mutex::new(true);
            system
        }
    }

    impl System for Scripted {
        fn is_confined(&self) -> bool {
            *self.confined.lock().unwrap()
        }

        fn confine(&self, text: &CStr) -> Result<(), Denied> {
            self.texts.lock().unwrap().push(text.to_owned());
            *self.confined.lock().unwrap() = (self.answer)()?;
            Ok(())
        }
    }

    fn denied(errno: i32, message: Option<&str>) -> Denied {
        Denied {
            error: io::Error::from_raw_os_error(errno),
            message: message.map(str::to_owned),
        }
    }

    const EPERM: i32 = 1;
    const EINVAL: i32 = 22;

    #[test]
    fn a_free_process_enters_with_the_text_it_gave() {
        let system = Scripted::new(|| Ok(true));
        assert!(enter(&system, "(version 1)").is_ok());
        assert_eq!(*system.texts.lock().unwrap(), [c"(version 1)".to_owned()]);
    }

    #[test]
    fn a_second_entry_is_nesting_whatever_the_system_says_of_it() {
        let answers: [fn() -> Result<bool, Denied>; 2] = [|| Err(denied(EPERM, None)), || Ok(true)];
        for answer in answers {
            let system = Scripted::confined(answer);
            assert!(matches!(enter(&system, "x"), Err(NotEntered::Nested)));
            assert!(system.texts.lock().unwrap().is_empty(), "it was asked");
        }
    }

    #[test]
    fn an_entry_that_is_not_permitted_is_nesting() {
        // What says nothing of being confined, and is: a profile may hide it.
        let system = Scripted::new(|| Err(denied(EPERM, Some("Operation not permitted"))));
        assert!(matches!(enter(&system, "x"), Err(NotEntered::Nested)));
    }

    #[test]
    fn a_text_that_does_not_compile_is_told_in_the_systems_words() {
        let system =
            Scripted::new(|| Err(denied(EINVAL, Some("line 3: unbound variable: nosuch\n"))));
        let Err(NotEntered::Rejected(told)) = enter(&system, "x") else {
            panic!("it was entered");
        };
        assert_eq!(told, "line 3: unbound variable: nosuch");
        let silent = Scripted::new(|| Err(denied(EINVAL, None)));
        let Err(NotEntered::Rejected(told)) = enter(&silent, "x") else {
            panic!("it was entered");
        };
        assert!(told.contains("Invalid argument"), "{told}");
    }

    #[test]
    fn what_is_said_to_be_done_is_looked_at() {
        let system = Scripted::new(|| Ok(false));
        assert!(matches!(enter(&system, "x"), Err(NotEntered::NotInForce)));
    }

    #[test]
    fn a_text_with_a_nul_never_reaches_the_system() {
        let system = Scripted::new(|| Ok(true));
        assert!(matches!(
            enter(&system, "(version 1)\0(allow default)"),
            Err(NotEntered::Rejected(_))
        ));
        assert!(system.texts.lock().unwrap().is_empty());
    }
}
