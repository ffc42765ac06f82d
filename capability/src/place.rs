//! A place in the file system, as one walk found it.

use objcap_object::{Host, Identity, Key, Kind, Leaf, Object, Options, RealPath, Tree, path};
use std::path::Path;

use crate::error::{ErrorKind, Fault, quoted};
use crate::{Clause, Error};

/// A place in the file system, as one walk found it.
#[derive(Debug, Clone)]
pub struct Place {
    real: RealPath,
    /// The real path, its twins, and what else leads below it.
    below: Vec<RealPath>,
    /// How many of those are the real path and its twins.
    spellings: usize,
    /// What the walk passed that is no ancestor of the place: links, what led to them, and folders that
    /// it left by `..`.
    passed: Vec<RealPath>,
    links: Vec<RealPath>,
    found: Option<(Kind, Identity)>,
    /// How many components of the real path exist.
    existing: usize,
}

impl Place {
    pub(crate) fn of<D, T: Tree>(object: &Object<D>, host: &Host<T>) -> Self {
        let presented = |real: &[u8]| RealPath::new(real).map(|real| host.presented(real));
        let real = host.presented(RealPath::of(object.walked()));
        let missing = match object.kind() {
            Some(_) => 0,
            None => 1 + object.walked().tail().count(),
        };
        let mut below = vec![real.clone()];
        let mut spellings = 1;
        if !host.aliases.is_empty() {
            spellings += real.twins(&host.aliases).len();
            below.extend(real.twins_below(&host.aliases));
        }
        let links = object.links();
        Place {
            passed: passed(object, &real, host),
            links: links.filter_map(|link| presented(link.at())).collect(),
            found: object.kind().zip(object.identity()),
            existing: real.depth().saturating_sub(missing),
            spellings,
            below,
            real,
        }
    }

    /// Its real path.
    pub fn real(&self) -> &RealPath {
        &self.real
    }

    /// Every component that the walk to it passed, each under its parent's real path, in no order; the
    /// root is none.
    pub fn lookups(&self) -> impl Iterator<Item = RealPath> {
        let way = self.real.ancestors().skip(1).chain([self.real.clone()]);
        way.chain(self.passed.iter().cloned())
    }

    /// Those among them that are no ancestor of the place: links, what led to them, and folders that the
    /// name left by `..`.
    pub(crate) fn passed(&self) -> &[RealPath] {
        &self.passed
    }

    /// The links among them, in the order passed.
    pub fn links(&self) -> &[RealPath] {
        &self.links
    }

    /// What stood there; `None` when nothing did.
    pub fn kind(&self) -> Option<Kind> {
        self.found.as_ref().map(|(kind, _)| *kind)
    }

    /// Which object stood there; `None` when none did.
    pub fn identity(&self) -> Option<Identity> {
        self.found.as_ref().map(|(_, identity)| *identity)
    }

    /// Its proper ancestors that did not exist, the nearest to the root first.
    pub fn absent_ancestors(&self) -> impl Iterator<Item = RealPath> {
        // The root exists, and so it is the first to be passed over.
        self.real.ancestors().skip(self.existing + 1)
    }

    /// Its real path, and its twins.
    pub fn spellings(&self) -> &[RealPath] {
        self.below.get(..self.spellings).unwrap_or_default()
    }

    /// Its real path, and every name that leads to it or below it by a root alias.
    pub fn below(&self) -> &[RealPath] {
        &self.below
    }

    /// Whether an object with this key is the place or lies below it, under some spelling.
    pub(crate) fn covers(&self, key: &Key) -> bool {
        self.below.iter().any(|place| key.is_within(&place.key()))
    }
}

fn passed<D, T: Tree>(object: &Object<D>, real: &RealPath, host: &Host<T>) -> Vec<RealPath> {
    let shown = real.as_bytes();
    let names: Vec<_> = if shown.starts_with(object.walked().real()) {
        // What leads to the place as it is spelled, which is most, is told apart without a copy.
        object
            .lookups()
            .filter(|name| !leads(name, shown))
            .collect()
    } else {
        object.lookups().collect()
    };
    let names = names.into_iter().filter_map(RealPath::new);
    let names = names.map(|name| host.presented(name));
    names.filter(|name| !real.is_within(name)).collect()
}

/// Whether a path is another one or an ancestor of it.
fn leads(name: &[u8], whole: &[u8]) -> bool {
    let rest = whole.strip_prefix(name);
    rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
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

/// Walks the name of a clause. One that leads to nothing ends where the object would stand.
pub(crate) fn walk<T: Tree>(
    clause: &Clause,
    path: &Path,
    host: &Host<T>,
) -> Result<Object<T::Dir>, Error> {
    let too_long = |length| {
        let surface = quoted(&clause.surface().to_string_lossy());
        let message = format!("{surface} is {length} bytes long, more than {NAME_LIMIT}");
        Err(Fault::new(ErrorKind::TooLong, message).at(clause.origin().clone()))
    };
    let length = path.as_os_str().len();
    if length > NAME_LIMIT {
        return too_long(length);
    }
    let object = Object::walk(&host.tree, path, &Options::default())
        .map_err(|error| unwalked(clause, error))?;
    let length = object.real().as_bytes().len();
    if length > NAME_LIMIT {
        return too_long(length);
    }
    let data = host.data_prefix.as_ref();
    if data.is_some_and(|data| host.is_same(object.real(), data)) {
        let surface = quoted(&clause.surface().to_string_lossy());
        let message = format!(
            "{surface} is the root of the data volume, and what lies there is presented in `/`, beside \
             what is the system's: name the folders that are meant, such as `/Users`"
        );
        return Err(Fault::new(ErrorKind::DataVolume, message).at(clause.origin().clone()));
    }
    Ok(object)
}

/// Walks a real path to what stands at it: a link is not followed.
pub(crate) fn walk_as_named<T: Tree>(
    clause: &Clause,
    real: &RealPath,
    host: &Host<T>,
) -> Result<Object<T::Dir>, Error> {
    let options = Options {
        leaf: Leaf::AsNamed,
        ..Options::default()
    };
    Object::walk(&host.tree, AsRef::<Path>::as_ref(real), &options)
        .map_err(|error| unwalked(clause, error))
}

/// What stands at a real path; `None` for nothing, and where that cannot be told.
pub(crate) fn stands_at<T: Tree>(real: &RealPath, host: &Host<T>) -> Option<Object<T::Dir>> {
    let options = Options {
        leaf: Leaf::AsNamed,
        ..Options::default()
    };
    let object = Object::walk(&host.tree, AsRef::<Path>::as_ref(real), &options).ok()?;
    object.kind().is_some().then_some(object)
}

fn unwalked(clause: &Clause, error: objcap_object::Error) -> Error {
    let surface = quoted(&clause.surface().to_string_lossy());
    Fault::new(ErrorKind::Walk, format!("{surface} leads nowhere: {error}"))
        .at(clause.origin().clone())
        .with_source(error)
}
