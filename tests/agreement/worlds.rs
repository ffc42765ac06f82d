//! Small worlds, and small grants about them.

use objcap::capability::{Grant, List};
use objcap::object::{Names, Vars};
use objcap_support::mac::{Choices, CloneAsks, LinkAsks, Mac, RenameAsks, Rule};

/// What is not measured, and can be lived with: every way but three, which would let a program bring any
/// object to any name, or a folder with all that is excluded in it, whatever a profile says
/// (docs/residuals.md, G-5).
pub(crate) fn choices() -> Vec<Choices> {
    let lost = |choices: &Choices| {
        choices.rename == RenameAsks::Nothing
            || choices.link == LinkAsks::Create
            || choices.clone == CloneAsks::Read
    };
    let flips = Choices::flips().into_iter();
    let kept: Vec<_> = flips.filter(|choices| !lost(choices)).collect();
    assert_eq!(kept.len(), 19);
    kept
}

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Nothing,
    File,
    /// A folder with the file `x` in it.
    Folder,
}

const STANDINGS: [Standing; 3] = [Standing::Nothing, Standing::File, Standing::Folder];

/// A world: what stands under three names, where the link `l` leads, and whether the first file has the
/// second name `h`.
#[derive(Debug, Clone)]
pub(crate) struct World {
    names: [Standing; 3],
    link: &'static str,
    second: Option<&'static str>,
    rule: Rule,
}

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Every world of three names, one link and one hard link, once for all that differ in nothing but which
/// name is which.
pub(crate) fn all() -> Vec<World> {
    let mut worlds = Vec::new();
    for a in STANDINGS {
        for b in STANDINGS.into_iter().filter(|b| *b >= a) {
            for c in STANDINGS.into_iter().filter(|c| *c >= b) {
                let names = [a, b, c];
                let file = names.iter().position(|one| *one == Standing::File);
                let second = file.and_then(|at| NAMES.get(at).copied());
                for link in ["a", "c", "c/x"] {
                    worlds.push(World {
                        names,
                        link,
                        second: None,
                        rule: Rule::Folding,
                    });
                    if second.is_some() {
                        worlds.push(World {
                            names,
                            link,
                            second,
                            rule: Rule::Folding,
                        });
                    }
                }
            }
        }
    }
    worlds
}

/// Those without a hard link, on a volume that tells names apart, and with two objects more, whose names are those of
/// others but for their case.
pub(crate) fn exact() -> Vec<World> {
    let mut worlds = all();
    worlds.retain(|world| world.second.is_none());
    for world in &mut worlds {
        world.rule = Rule::Exact;
    }
    worlds
}

impl World {
    /// The world in `/w`, which is the user's.
    pub(crate) fn build(&self) -> Mac {
        let mut mac = Mac::empty(self.rule);
        mac.directory("/w");
        mac.give("/w");
        for (standing, name) in self.names.iter().zip(NAMES) {
            match standing {
                Standing::Nothing => {}
                Standing::File => {
                    mac.file(format!("/w/{name}"), name);
                }
                Standing::Folder => {
                    mac.file(format!("/w/{name}/x"), format!("{name}/x"));
                }
            }
        }
        mac.directory("/w/empty");
        mac.link("/w/l", self.link);
        if self.rule == Rule::Exact {
            mac.file("/w/A", "A");
            mac.file("/w/C/X", "C/X");
        }
        if let Some(first) = self.second {
            mac.link_hard(format!("/w/{first}"), "/w/h");
        }
        mac
    }

    /// How its names are told apart.
    pub(crate) fn names(&self) -> Names {
        match self.rule {
            Rule::Folding => Names::Caseless,
            Rule::Exact => Names::Exact,
        }
    }
}

/// The lists that a clause may stand in, and the places that it may name.
const LISTS: [List; 4] = [List::Read, List::Write, List::Exclude, List::Protect];
const PLACES: [&str; 6] = ["/w", "/w/a", "/w/c", "/w/c/x", "/w/l", "/w/h"];

pub(crate) type Clauses = Vec<(List, &'static str)>;

fn clauses() -> Clauses {
    let of = |list: &List| PLACES.map(|place| (*list, place));
    LISTS.iter().flat_map(of).collect()
}

/// Every grant of three clauses that differ; their order means nothing.
pub(crate) fn grants_of_three() -> Vec<Clauses> {
    let clauses = clauses();
    let mut grants = Vec::new();
    for (at, one) in clauses.iter().enumerate() {
        for (next, other) in clauses.iter().enumerate().skip(at + 1) {
            let last = clauses.iter().skip(next + 1);
            grants.extend(last.map(|last| vec![*one, *other, *last]));
        }
    }
    grants
}

/// Every grant of up to two clauses; their order means nothing.
pub(crate) fn grants() -> Vec<Clauses> {
    let clauses = clauses();
    let mut grants = vec![Vec::new()];
    for (at, one) in clauses.iter().enumerate() {
        grants.push(vec![*one]);
        grants.extend(clauses.iter().skip(at + 1).map(|other| vec![*one, *other]));
    }
    grants
}

pub(crate) fn grant(clauses: &Clauses) -> Grant {
    let builder = Grant::builder().fs();
    let builder = clauses
        .iter()
        .fold(builder, |builder, (list, place)| match list {
            List::Read => builder.read(place),
            List::Write => builder.write(place),
            List::Protect => builder.protect(place),
            _ => builder.exclude(place),
        });
    builder.build(&Vars::default()).unwrap()
}
