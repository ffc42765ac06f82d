//! A clause that speaks against access to a place.

use objcap_object::{Host, Key, RealPath, Tree};

use crate::place::{Place, walk, walk_as_named};
use crate::{Access, Clause, Error, List};

/// A clause that speaks against access to its places, and to all below them.
///
/// It is the union of every place that its name was ever found to mean: when it was frozen, when it was
/// walked again, and where the object was that it led to.
#[derive(Debug, Clone)]
pub struct Exclusion {
    clause: Clause,
    against: Access,
    places: Vec<Place>,
    passed: Vec<RealPath>,
}

impl Exclusion {
    /// Walks the clause's place.
    pub(crate) fn freeze<T: Tree>(
        clause: Clause,
        path: &std::path::Path,
        host: &Host<T>,
    ) -> Result<Self, Error> {
        let against = match clause.list() {
            List::Exclude => Access::all(),
            List::Protect => Access::WRITE,
            // Those of programs.
            _ => Access::EXEC,
        };
        let mut exclusion = Exclusion {
            clause,
            against,
            places: Vec::new(),
            passed: Vec::new(),
        };
        exclusion.walk_again(path, host)?;
        Ok(exclusion)
    }

    /// Walks a name of it, and adds the places that it comes to now.
    pub(crate) fn walk_again<T: Tree>(
        &mut self,
        path: &std::path::Path,
        host: &Host<T>,
    ) -> Result<(), Error> {
        let object = walk(&self.clause, path, host)?;
        // A link at the name's end is excluded with what it leads to: either may be meant. One in
        // the middle only leads there.
        for link in object.links().filter(|link| link.is_last()) {
            if let Some(at) = RealPath::new(link.at()) {
                self.add(Place::of(&walk_as_named(&self.clause, &at, host)?, host));
            }
        }
        let place = Place::of(&object, host);
        for name in place.passed() {
            let excluded = self.places.iter().any(|place| place.real() == name);
            if !excluded && !self.passed.contains(name) {
                self.passed.push(name.clone());
            }
        }
        self.add(place);
        Ok(())
    }

    /// Adds the place where its object was found to be.
    pub(crate) fn found_at<T: Tree>(
        &mut self,
        real: &RealPath,
        host: &Host<T>,
    ) -> Result<(), Error> {
        let object = walk_as_named(&self.clause, real, host)?;
        self.add(Place::of(&object, host));
        Ok(())
    }

    fn add(&mut self, place: Place) {
        let same =
            |known: &Place| known.real() == place.real() && known.identity() == place.identity();
        if !self.places.iter().any(same) {
            self.places.push(place);
        }
    }

    /// The clause that it came from.
    pub fn clause(&self) -> &Clause {
        &self.clause
    }

    /// What it speaks against.
    pub fn against(&self) -> Access {
        self.against
    }

    /// What it excludes, with all below: where its name leads, and each link at the name's end.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// What its name passed that is neither a place of it nor above one: links in the middle, what led to
    /// them, and folders that the name left by `..`. Whoever replaces one gives the name another meaning.
    pub fn passed(&self) -> &[RealPath] {
        &self.passed
    }

    /// Whether it speaks of the object with this key.
    pub fn covers(&self, key: &Key) -> bool {
        self.places.iter().any(|place| place.covers(key))
    }
}
