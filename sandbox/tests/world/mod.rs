//! A host, grants frozen in it, and their profile: what the tests of this crate ask guard and profile of.

#![allow(dead_code, reason = "each test uses a part of it")]

use objcap_capability::{Act, Grant, Guard, Stack};
use objcap_object::{Host, Memory, RealPath};
use objcap_sandbox::{Asked, Decision, Error, Profile, act_requests};
use sbpl::Operation;

pub(crate) struct World {
    pub(crate) host: Host<Memory>,
    pub(crate) stack: Stack<Memory>,
    pub(crate) profile: Profile,
}

impl World {
    /// A stock Mac that `build` adds to, and a grant in its own words.
    pub(crate) fn new(build: impl FnOnce(&mut Memory), grant: &str) -> Self {
        let mut host = Host::stock_mac();
        build(&mut host.tree);
        let grant = Grant::parse("g.toml", grant.as_bytes(), &host.vars).unwrap();
        World::of(host, &[grant]).unwrap()
    }

    pub(crate) fn of(host: Host<Memory>, grants: &[Grant]) -> Result<Self, Error> {
        let stack = Stack::freeze(grants, &host).unwrap();
        let profile = Profile::render(&stack, &host)?;
        Ok(World {
            host,
            stack,
            profile,
        })
    }

    /// What the profile says of an operation on a name, whatever the reading.
    pub(crate) fn asks(&self, operation: Operation, name: &str) -> bool {
        let names = vec![RealPath::new(name).unwrap()];
        let asked = Asked { operation, names };
        match self.profile.explain(&[asked]).settled() {
            Some(Decision::Allow) => true,
            Some(Decision::Deny) => false,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// What guard and profile say of an act on these names; they must agree.
    pub(crate) fn may_all(&self, act: Act, paths: &[&str]) -> bool {
        let guard = Guard::new(&self.host, &self.stack);
        let judged = guard.judge_act(act, paths).unwrap();
        let objects: Vec<_> = judged.iter().map(|judged| judged.object()).collect();
        let requests = act_requests(act, &objects, &self.host);
        let admitted = judged.iter().all(|judged| judged.is_admitted());
        let expected = if admitted {
            Decision::Allow
        } else {
            Decision::Deny
        };
        let judged: Vec<_> = judged.iter().map(ToString::to_string).collect();
        assert_eq!(
            self.profile.explain(&requests).settled(),
            Some(expected),
            "{act:?} {judged:?}\n{}",
            self.profile.text()
        );
        admitted
    }

    /// The same of one name.
    pub(crate) fn may(&self, act: Act, path: &str) -> bool {
        self.may_all(act, &[path])
    }
}
