//! The verdict as DESIGN.md has it, clause by clause and name by name, with no table and no hash. It walks,
//! since what a name leads to is the walk's affair, and shares nothing else with what it is held against.

use objcap_capability::{Access, End, Extent, List};
use objcap_object::name::{Folded, caseless, fold};
use objcap_object::{Host, Identity, Leaf, Memory, Object, Options};

use crate::world::{Layer, Question};

type Name = Vec<Vec<u8>>;

struct Walked {
    real: Name,
    lookups: Vec<Name>,
    links: Vec<Name>,
    last_links: Vec<Name>,
    identity: Option<Identity>,
}

fn names(path: &[u8]) -> Name {
    let parts = path.split(|byte| *byte == b'/');
    parts
        .filter(|part| !part.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

fn walk(path: &[u8], leaf: Leaf, host: &Host<Memory>) -> Walked {
    let options = Options {
        leaf,
        ..Options::default()
    };
    let path = std::str::from_utf8(path).unwrap();
    let object = Object::walk(&host.tree, path, &options).unwrap();
    Walked {
        real: names(object.real().as_bytes()),
        lookups: object.lookups().map(|name| names(&name)).collect(),
        links: object.links().map(|link| names(link.at())).collect(),
        last_links: object
            .links()
            .filter(|link| link.is_last())
            .map(|link| names(link.at()))
            .collect(),
        identity: object.identity(),
    }
}

/// The aliases of a stock Mac, by hand.
const ALIASES: &[(&str, &str)] = &[
    ("/tmp", "/private/tmp"),
    ("/var", "/private/var"),
    ("/etc", "/private/etc"),
];

/// A name and its twins.
fn twins(name: &Name) -> Vec<Name> {
    let mut all = vec![name.clone()];
    for (short, long) in ALIASES {
        for (from, to) in [(short, long), (long, short)] {
            let (from, to) = (names(from.as_bytes()), names(to.as_bytes()));
            if let Some(rest) = name.strip_prefix(&from[..]) {
                all.push([&to[..], rest].concat());
            }
        }
    }
    all
}

/// The same, and each end of an alias whose other end lies below.
fn twins_below(name: &Name) -> Vec<Name> {
    let mut all = twins(name);
    for (short, long) in ALIASES {
        let (short, long) = (names(short.as_bytes()), names(long.as_bytes()));
        for (inside, outside) in [(&long, &short), (&short, &long)] {
            if inside.starts_with(name) && !outside.starts_with(name) {
                all.push(outside.clone());
            }
        }
    }
    all
}

fn folded(name: &Name, fold: fn(&[u8]) -> Folded<'_>) -> Name {
    name.iter().map(|part| fold(part).into_owned()).collect()
}

/// The table that a clause stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Files,
    Programs,
}

impl Table {
    fn of(list: List) -> Self {
        match list {
            List::Allow | List::ExecExclude => Table::Programs,
            _ => Table::Files,
        }
    }
}

/// What is asked about.
struct Subject {
    caseless: Name,
    key: Name,
    identity: Option<Identity>,
}

impl Subject {
    fn of(name: &Name, identity: Option<Identity>) -> Self {
        Subject {
            caseless: folded(name, caseless),
            key: folded(name, fold),
            identity,
        }
    }
}

struct For {
    access: Access,
    /// With all below, or alone.
    below: bool,
    /// By collision key.
    key: Name,
    /// Every name under which it holds, and whether that is an alias.
    places: Vec<(Name, bool)>,
    /// Every name that leads there, its own included.
    ways: Vec<Name>,
    table: Table,
}

struct Against {
    access: Access,
    /// By collision key, twins included.
    places: Vec<Name>,
    identities: Vec<Identity>,
    /// What its name passed that is neither a place nor above one.
    passed: Vec<Name>,
    table: Table,
}

impl Against {
    fn covers(&self, key: &Name) -> bool {
        self.places.iter().any(|place| key.starts_with(place))
    }
}

/// One layer, as the model reads it.
pub(crate) struct Model {
    fs: bool,
    exec: bool,
    allowed: Vec<For>,
    against: Vec<Against>,
}

fn against(list: List, place: &str, host: &Host<Memory>) -> Against {
    let walked = walk(place.as_bytes(), Leaf::Follow, host);
    let mut places = vec![(walked.real.clone(), walked.identity)];
    for link in &walked.last_links {
        let at = [b"/", &link.join(&b'/')[..]].concat();
        places.push((link.clone(), walk(&at, Leaf::AsNamed, host).identity));
    }
    let aside = |passed: &&Name| !places.iter().any(|(place, _)| place.starts_with(passed));
    let passed = walked.lookups.iter().filter(aside);
    Against {
        access: match list {
            List::Exclude => Access::all(),
            List::Protect => Access::WRITE,
            _ => Access::EXEC,
        },
        passed: passed.map(|name| folded(name, fold)).collect(),
        places: places
            .iter()
            .flat_map(|(place, _)| twins_below(place))
            .map(|place| folded(&place, fold))
            .collect(),
        identities: places
            .iter()
            .filter_map(|(_, identity)| *identity)
            .collect(),
        table: Table::of(list),
    }
}

impl Model {
    pub(crate) fn of(layer: &Layer, host: &Host<Memory>) -> Self {
        let mut model = Model {
            fs: layer.fs,
            exec: layer.exec,
            allowed: Vec::new(),
            against: Vec::new(),
        };
        let read = Access::STAT | Access::READ;
        for (list, place) in &layer.clauses {
            let access = match list {
                List::Read => read,
                List::Write => read | Access::WRITE,
                List::Allow => Access::EXEC,
                _ => {
                    model.against.push(against(*list, place, host));
                    continue;
                }
            };
            let table = Table::of(*list);
            model.add(place, (access, true, table), host);
        }
        if layer.fs {
            for place in &host.floor {
                model.add(&place.to_string(), (read, true, Table::Files), host);
            }
            for place in &host.base_read {
                model.add(&place.to_string(), (read, false, Table::Files), host);
            }
            for place in &host.base_write {
                let access = read | Access::WRITE;
                model.add(&place.to_string(), (access, false, Table::Files), host);
            }
        }
        // An allowance whose own place is excluded is dead: it allows nothing and leads nowhere.
        let against = &model.against;
        let dead = |one: &For| {
            let counted = against
                .iter()
                .filter(|other| other.table == Table::Files || one.table == Table::Programs)
                .filter(|other| other.covers(&one.key));
            let spoken = counted.fold(Access::empty(), |all, other| all | other.access);
            spoken.contains(one.access)
        };
        let living: Vec<bool> = model.allowed.iter().map(|one| !dead(one)).collect();
        let mut living = living.into_iter();
        model.allowed.retain(|_| living.next().unwrap());
        model
    }

    fn add(
        &mut self,
        place: &str,
        (access, below, table): (Access, bool, Table),
        host: &Host<Memory>,
    ) {
        let walked = walk(place.as_bytes(), Leaf::Follow, host);
        let names_of = match below {
            true => twins_below(&walked.real),
            false => twins(&walked.real),
        };
        let alias = |name: &Name| {
            let mut aliases = ALIASES.iter();
            aliases.any(|(short, _)| names(short.as_bytes()) == *name)
        };
        let ways = walked.lookups.iter().chain([&walked.real]).flat_map(twins);
        self.allowed.push(For {
            access,
            below,
            key: folded(&walked.real, fold),
            places: names_of
                .iter()
                .map(|name| (folded(name, caseless), alias(name)))
                .collect(),
            ways: ways.map(|name| folded(&name, caseless)).collect(),
            table,
        });
    }

    fn is_waypoint(&self, subject: &Subject) -> bool {
        let mut ways = self.allowed.iter().flat_map(|one| &one.ways);
        ways.any(|way| way.starts_with(&subject.caseless))
    }

    /// What the clauses of one table say for and against each access.
    fn evidence(&self, subject: &Subject, table: Table, extent: Extent) -> (Access, Access) {
        let mut granted = Access::empty();
        for one in self.allowed.iter().filter(|one| one.table == table) {
            for (place, alias) in &one.places {
                let reaches = match one.below {
                    true => subject.caseless.starts_with(place),
                    false => subject.caseless == *place,
                };
                let mut access = one.access;
                // What stands at an alias's name is a link in the root, which nothing lets be written.
                // And a device that every program writes to is not to be moved.
                if *alias || (!one.below && extent != Extent::Contents) {
                    access -= Access::WRITE;
                }
                if reaches {
                    granted |= access;
                }
            }
        }
        if table == Table::Files && self.is_waypoint(subject) {
            granted |= Access::STAT;
        }
        let mut denied = Access::empty();
        for one in self.against.iter().filter(|one| one.table == table) {
            let same = |known: &Identity| {
                let asked = subject.identity;
                asked
                    .is_some_and(|asked| (asked.device, asked.inode) == (known.device, known.inode))
            };
            if one.covers(&subject.key) || one.identities.iter().any(same) {
                denied |= one.access;
            }
        }
        (granted, denied)
    }

    fn admits(&self, object: &Subject, access: Access, extent: Extent) -> bool {
        let mut admitted = true;
        if self.fs {
            let (granted, denied) = self.evidence(object, Table::Files, extent);
            let mut needed = access - Access::EXEC;
            if access.contains(Access::EXEC) {
                needed |= Access::READ;
            }
            admitted &= granted.contains(needed) && !denied.intersects(access | needed);
        }
        if self.exec && access.contains(Access::EXEC) {
            let (granted, denied) = self.evidence(object, Table::Programs, extent);
            admitted &= granted.contains(Access::EXEC) && !denied.contains(Access::EXEC);
        }
        admitted
    }

    /// Whether something excluded or protected would move with what stands at a name, or come to mean
    /// something else without it.
    fn holds(&self, subject: &Subject) -> bool {
        let mut kept = self.against.iter().filter(|one| one.table == Table::Files);
        kept.any(|one| holds(one, subject))
    }
}

fn holds(one: &Against, Subject { key, .. }: &Subject) -> bool {
    let mut above = one.places.iter().filter(|place| *place != key);
    above.any(|place| place.starts_with(key)) || one.passed.iter().any(|name| name.starts_with(key))
}

/// Whether a stack of these layers admits what is asked.
pub(crate) fn admits(layers: &[Model], (path, end): &Question, host: &Host<Memory>) -> bool {
    let End {
        access,
        leaf,
        extent,
    } = *end;
    let walked = walk(path.as_bytes(), leaf, host);
    let object = Subject::of(&walked.real, walked.identity);
    if layers.iter().any(|layer| layer.fs) {
        let seen = |link: &Name| {
            let link = Subject::of(link, None);
            let mut layers = layers.iter();
            layers.all(|layer| layer.admits(&link, Access::STAT, Extent::Contents))
        };
        if !walked.links.iter().all(seen) {
            return false;
        }
    }
    let own = against(List::Protect, "/usr/local/bin/objcap", host);
    let writes = access.contains(Access::WRITE);
    if writes && own.covers(&object.key) {
        return false;
    }
    let making = walked.identity.is_none() && writes;
    let extent = match extent {
        Extent::Contents if making => Extent::Name,
        extent => extent,
    };
    if (making || extent == Extent::Whole)
        && (holds(&own, &object) || layers.iter().any(|layer| layer.holds(&object)))
    {
        return false;
    }
    layers
        .iter()
        .all(|layer| layer.admits(&object, access, extent))
}
