//! What a grant's names became when they were walked.
//!
//! A grant is frozen once, in a [`Host`]. An allowance then means the object that its name led to,
//! and an exclusion every place that its name passed at its end. Guard and profile both read this;
//! neither walks a clause again.

use std::collections::BTreeSet;
use std::path::Path;

use objcap_object::{Host, Identity, Key, Kind, Leaf, Object, Options, RealPath, Tree, path};

use crate::error::{ErrorKind, Fault, quoted};
use crate::{Access, Clause, Error, Grant, List, NetAccess, Origin};

/// A grant, frozen.
#[derive(Debug, Clone)]
pub struct Frozen {
    fs: Option<FrozenFs>,
    net: NetAccess,
}

/// The file side of a frozen grant.
#[derive(Debug, Clone)]
pub struct FrozenFs {
    allowances: Vec<Allowance>,
    exclusions: Vec<Exclusion>,
    waypoints: BTreeSet<RealPath>,
}

/// A clause that speaks for access to a place.
#[derive(Debug, Clone)]
pub struct Allowance {
    clause: Clause,
    access: Access,
    reach: Reach,
    place: Place,
    live: bool,
}

/// A clause that speaks against every access to its places.
#[derive(Debug, Clone)]
pub struct Exclusion {
    clause: Clause,
    places: Vec<Place>,
    passed: Vec<RealPath>,
}

/// A place in the file system, as one walk found it.
#[derive(Debug, Clone)]
pub struct Place {
    real: RealPath,
    spellings: Vec<RealPath>,
    below: Vec<RealPath>,
    /// The keys of `below`.
    keys: Vec<Key>,
    lookups: Vec<RealPath>,
    links: Vec<RealPath>,
    found: Option<(Kind, Identity)>,
    /// How many components of the real path exist.
    existing: usize,
}

/// How far an allowance goes from its place.
// Exhaustive: guard and profile must know each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The object and all that lies below it.
    Below,
    /// The object by itself.
    Alone,
}

impl Frozen {
    /// Walks every name of a grant.
    ///
    /// A name that leads to nothing is accepted: its place is where the object would stand.
    ///
    /// # Errors
    /// When a name cannot be walked, and when an allowance passes a link that lies inside a write
    /// allowance: what the program may replace must not decide what the program may do.
    pub fn freeze<T: Tree>(grant: &Grant, host: &Host<T>) -> Result<Self, Error> {
        let fs = grant
            .fs()
            .map(|fs| FrozenFs::freeze(fs.clauses(), host))
            .transpose()?;
        let net = grant.net().map_or(NetAccess::Open, |net| net.access());
        Ok(Frozen { fs, net })
    }

    /// The file side; `None` when the grant does not restrict files.
    pub fn fs(&self) -> Option<&FrozenFs> {
        self.fs.as_ref()
    }

    /// The network side. A grant without `[net]` leaves it open.
    pub fn net(&self) -> NetAccess {
        self.net
    }
}

impl FrozenFs {
    fn freeze<T: Tree>(clauses: &[Clause], host: &Host<T>) -> Result<Self, Error> {
        let floor = host
            .floor
            .iter()
            .map(|real| (Clause::of_host(List::Read, real), Reach::Below));
        let read = host
            .base_read
            .iter()
            .map(|real| (Clause::of_host(List::Read, real), Reach::Alone));
        let write = host
            .base_write
            .iter()
            .map(|real| (Clause::of_host(List::Write, real), Reach::Alone));
        let written = clauses.iter().cloned().map(|clause| (clause, Reach::Below));

        let mut allowances = Vec::new();
        let mut exclusions = Vec::new();
        for (clause, reach) in written.chain(floor).chain(read).chain(write) {
            let access = match clause.list() {
                List::Read => Access::STAT | Access::READ,
                List::Write => Access::STAT | Access::READ | Access::WRITE,
                List::Exclude => {
                    exclusions.push(Exclusion::freeze(clause, host)?);
                    continue;
                }
            };
            let object = walk(&clause, host)?;
            let place = Place::of(&object, host);
            allowances.push(Allowance {
                clause,
                access,
                reach,
                place,
                live: true,
            });
        }
        let mut fs = FrozenFs {
            allowances,
            exclusions,
            waypoints: BTreeSet::new(),
        };
        fs.find_the_living();
        fs.refuse_writable_links(host)?;
        fs.collect_waypoints(host);
        Ok(fs)
    }

    fn refuse_writable_links<T: Tree>(&self, host: &Host<T>) -> Result<(), Error> {
        let writable = |link: &RealPath| {
            let mut writes = self
                .allowances
                .iter()
                .filter(|one| one.live && one.writes());
            writes.find(|one| host.is_within(link, &one.place.real))
        };
        for allowance in self.allowances.iter().filter(|allowance| allowance.live) {
            // A link that is presented under the name of what it leads to, as `/home`, is that.
            let place = &allowance.place;
            for link in place.links.iter().filter(|link| **link != place.real) {
                if let Some(write) = writable(link) {
                    let message = format!(
                        "{} passes the link {}, which {} lets the program replace",
                        quoted(&allowance.clause.surface().to_string_lossy()),
                        quoted(&link.to_string()),
                        write.clause,
                    );
                    // Nobody wrote what the host needs: there the write is what can be mended.
                    let origin = match allowance.clause.origin() {
                        Origin::Host => write.clause.origin().clone(),
                        origin => origin.clone(),
                    };
                    return Err(Fault::new(ErrorKind::WritableLink, message).at(origin));
                }
            }
        }
        Ok(())
    }

    /// An allowance whose own place is excluded allows nothing, and leads nowhere.
    fn find_the_living(&mut self) {
        let exclusions = &self.exclusions;
        for allowance in &mut self.allowances {
            let key = allowance.place.real.key();
            allowance.live = !exclusions.iter().any(|one| one.covers(&key));
        }
    }

    /// What a lookup of a granted name passes. The ancestors of a lookup are lookups themselves.
    fn collect_waypoints<T: Tree>(&mut self, host: &Host<T>) {
        for allowance in self.allowances.iter().filter(|allowance| allowance.live) {
            let place = &allowance.place;
            self.waypoints.insert(RealPath::root());
            for real in &place.spellings {
                self.waypoints.extend(real.ancestors());
            }
            for lookup in &place.lookups {
                self.waypoints.extend(spellings(lookup, host));
            }
        }
    }

    /// The allowances: those written, in their order, then those that the host needs.
    pub fn allowances(&self) -> &[Allowance] {
        &self.allowances
    }

    /// The exclusions, in the order written.
    pub fn exclusions(&self) -> &[Exclusion] {
        &self.exclusions
    }

    /// Every name that may be looked at on the way to what is granted: the lookups of each live
    /// allowance, and all ancestors, under every spelling that a root alias gives them.
    pub fn waypoints(&self) -> &BTreeSet<RealPath> {
        &self.waypoints
    }
}

impl Allowance {
    /// The clause that it came from.
    pub fn clause(&self) -> &Clause {
        &self.clause
    }

    /// What it speaks for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// How far it goes.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Where it was found.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Whether no exclusion covers its own place.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Whether it speaks for writing.
    pub fn writes(&self) -> bool {
        self.access.contains(Access::WRITE)
    }

    /// Whether it reaches the object that the system presents under this path.
    pub fn covers<T: Tree>(&self, real: &RealPath, host: &Host<T>) -> bool {
        match self.reach {
            Reach::Below => self
                .place
                .below
                .iter()
                .any(|place| host.is_within(real, place)),
            Reach::Alone => self
                .place
                .spellings
                .iter()
                .any(|place| host.is_same(real, place)),
        }
    }
}

impl Exclusion {
    fn freeze<T: Tree>(clause: Clause, host: &Host<T>) -> Result<Self, Error> {
        let object = walk(&clause, host)?;
        let place = Place::of(&object, host);
        let mut places = Vec::new();
        let mut passed = Vec::new();
        // A link at the name's end is excluded with what it leads to: either may be meant. One in
        // the middle only leads there.
        for link in object.links() {
            let Some(at) = RealPath::new(link.at()) else {
                continue;
            };
            if link.is_last() {
                let options = Options {
                    leaf: Leaf::AsNamed,
                    ..Options::default()
                };
                let named = Object::walk(&host.tree, AsRef::<Path>::as_ref(&at), &options)
                    .map_err(|error| unwalked(&clause, error))?;
                places.push(Place::of(&named, host));
            } else {
                passed.push(host.presented(at));
            }
        }
        places.push(place);
        Ok(Exclusion {
            clause,
            places,
            passed,
        })
    }

    /// The clause that it came from.
    pub fn clause(&self) -> &Clause {
        &self.clause
    }

    /// What it excludes, with all below: where its name led, and each link at the name's end.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The links in the middle of its name.
    pub fn passed(&self) -> &[RealPath] {
        &self.passed
    }

    /// Whether it speaks of the object with this key.
    pub fn covers(&self, key: &Key) -> bool {
        self.places.iter().any(|place| place.covers(key))
    }

    /// Whether a place of it lies properly below the object with this key.
    pub fn lies_below(&self, key: &Key) -> bool {
        let mut keys = self.places.iter().flat_map(|place| &place.keys);
        keys.any(|place| place.is_within(key) && place != key)
    }

    /// Whether the object is one that it excludes, whatever its name.
    pub fn is(&self, identity: &Identity) -> bool {
        let found = self.places.iter().filter_map(|place| place.found.as_ref());
        found
            .into_iter()
            .any(|(_, excluded)| excluded.may_be(identity))
    }
}

impl Place {
    fn of<D, T: Tree>(object: &Object<D>, host: &Host<T>) -> Self {
        let presented = |real: &[u8]| RealPath::new(real).map(|real| host.presented(real));
        let real = host.presented(object.real().clone());
        let missing = match object.kind() {
            Some(_) => 0,
            None => 1 + object.walked().tail().count(),
        };
        let mut below = vec![real.clone()];
        below.extend(real.twins_below(&host.aliases));
        Place {
            lookups: object
                .lookups()
                .filter_map(|name| presented(&name))
                .collect(),
            links: object
                .links()
                .filter_map(|link| presented(link.at()))
                .collect(),
            found: object.kind().zip(object.identity()),
            existing: real.depth().saturating_sub(missing),
            spellings: spellings(&real, host),
            keys: below.iter().map(RealPath::key).collect(),
            below,
            real,
        }
    }

    /// Its real path.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// Every component that the walk to it passed, each under its parent's real path.
    pub fn lookups(&self) -> &[RealPath] {
        &self.lookups
    }

    /// The links among them.
    pub fn links(&self) -> &[RealPath] {
        &self.links
    }

    /// What stood there; `None` when nothing did.
    pub fn kind(&self) -> Option<Kind> {
        self.found.as_ref().map(|(kind, _)| *kind)
    }

    /// Its proper ancestors that did not exist, the nearest to the root first.
    pub fn absent_ancestors(&self) -> impl Iterator<Item = RealPath> {
        // The root exists, and so it is the first to be passed over.
        self.real.ancestors().skip(self.existing + 1)
    }

    /// Its real path, and its twins.
    pub fn spellings(&self) -> &[RealPath] {
        &self.spellings
    }

    /// Its real path, and every name that leads to it or below it by a root alias.
    pub fn below(&self) -> &[RealPath] {
        &self.below
    }

    fn covers(&self, key: &Key) -> bool {
        self.keys.iter().any(|place| key.is_within(place))
    }
}

/// A real path and its twins.
pub fn spellings<T: Tree>(real: &RealPath, host: &Host<T>) -> Vec<RealPath> {
    let mut spellings = vec![real.clone()];
    spellings.extend(real.twins(&host.aliases));
    spellings
}

/// The longest name that a clause may come to: what a system call takes on Linux, and four times
/// what one takes on macOS. Every name on the way to it is kept.
const NAME_LIMIT: usize = path::PATH_LIMIT;

fn walk<T: Tree>(clause: &Clause, host: &Host<T>) -> Result<Object<T::Dir>, Error> {
    let too_long = |length| {
        let surface = quoted(&clause.surface().to_string_lossy());
        let message = format!("{surface} is {length} bytes long, more than {NAME_LIMIT}");
        Err(Fault::new(ErrorKind::TooLong, message).at(clause.origin().clone()))
    };
    let length = clause.path().as_os_str().len();
    if length > NAME_LIMIT {
        return too_long(length);
    }
    let object = Object::walk(&host.tree, clause.path(), &Options::default())
        .map_err(|error| unwalked(clause, error))?;
    match object.real().as_bytes().len() {
        length if length > NAME_LIMIT => too_long(length),
        _ => Ok(object),
    }
}

fn unwalked(clause: &Clause, error: objcap_object::Error) -> Error {
    let surface = quoted(&clause.surface().to_string_lossy());
    Fault::new(ErrorKind::Walk, format!("{surface} leads nowhere: {error}"))
        .at(clause.origin().clone())
        .with_source(error)
}
