//! A stock Mac with grants in it, and what is said of denials there.

use objcap_capability::Grant;
use objcap_object::{Host, Memory};
use objcap_sandbox::diag::{Diagnoser, Hint, Log};

use crate::world::World;

/// What is said of an operation that the profile allows.
pub(crate) const ADMITTED: &str =
    "the profile admits it: the denial is of another profile, or of before";

/// A stock Mac with these grants, and what its diagnosis says.
pub(crate) struct Case(pub(crate) World);

impl Case {
    pub(crate) fn new(grants: &[&str]) -> Self {
        Case::with(|_| (), grants)
    }

    pub(crate) fn with(build: impl FnOnce(&mut Memory), grants: &[&str]) -> Self {
        let mut host = Host::stock_mac();
        build(&mut host.tree);
        let named = grants.iter().enumerate().map(|(number, text)| {
            let name = format!("{}.toml", char::from(b'a' + u8::try_from(number).unwrap()));
            Grant::parse(&name, text.as_bytes(), &host.vars).unwrap()
        });
        let grants: Vec<_> = named.collect();
        Case(World::of(host, &grants).unwrap())
    }

    #[track_caller]
    pub(crate) fn hint(&self, said: impl AsRef<[u8]>) -> Hint {
        let mut log = Log::default();
        log.line(&[b"Sandbox: cat(71) deny(1) ", said.as_ref()].concat());
        let found = log.finish();
        let [denial] = found.denials() else {
            panic!("{:?}", found.counts());
        };
        let World {
            host,
            stack,
            profile,
        } = &self.0;
        let diagnoser = Diagnoser::new(profile, stack, host);
        diagnoser.denial(denial).hint().clone()
    }

    #[track_caller]
    pub(crate) fn says(&self, rows: &[(&str, &str)]) {
        for (said, expected) in rows {
            let hint = self.hint(said);
            assert_eq!(hint.to_string(), *expected, "{said}");
        }
    }
}
