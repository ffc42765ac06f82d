//! What clauses say of one object: for and against, access by access.
//!
//! Of each access there may be evidence for, against, both or neither: the four values of Belnap's
//! logic. Nothing is weighed: evidence against refuses, whatever there is for.

use crate::Access;

/// The evidence about one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// What is spoken for.
    pub granted: Access,
    /// What is spoken against.
    pub denied: Access,
}

impl Evidence {
    /// Nobody has said anything.
    pub const SILENCE: Evidence = Evidence {
        granted: Access::empty(),
        denied: Access::empty(),
    };

    /// What a layer without restrictions says: for everything, and nothing against.
    pub const UNRESTRICTED: Evidence = Evidence {
        granted: Access::all(),
        denied: Access::empty(),
    };

    /// What two clauses of one layer say together: all that either says.
    #[must_use]
    pub fn join(self, other: Evidence) -> Evidence {
        Evidence {
            granted: self.granted | other.granted,
            denied: self.denied | other.denied,
        }
    }

    /// What two layers say together: for, where both are for; against, where either is.
    #[must_use]
    pub fn meet(self, other: Evidence) -> Evidence {
        Evidence {
            granted: self.granted & other.granted,
            denied: self.denied | other.denied,
        }
    }

    /// Whether every one of these accesses is admitted: spoken for, and not against.
    pub fn admits(self, access: Access) -> bool {
        self.granted.contains(access) && !self.denied.intersects(access)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every evidence there is about reading and writing.
    fn all() -> impl Iterator<Item = Evidence> {
        let sets = [
            Access::empty(),
            Access::READ,
            Access::WRITE,
            Access::READ | Access::WRITE,
        ];
        sets.into_iter().flat_map(move |granted| {
            sets.into_iter()
                .map(move |denied| Evidence { granted, denied })
        })
    }

    #[test]
    fn the_four_values() {
        let read = |granted, denied| Evidence { granted, denied }.admits(Access::READ);
        let (no, yes) = (Access::empty(), Access::READ);
        assert!(read(yes, no), "for");
        assert!(!read(no, no), "neither");
        assert!(!read(no, yes), "against");
        assert!(!read(yes, yes), "both");
    }

    #[test]
    fn join_and_meet_are_lattice_operations() {
        for a in all() {
            assert_eq!((a.join(a), a.meet(a)), (a, a), "idempotent");
            assert_eq!(a.join(Evidence::SILENCE), a);
            assert_eq!(a.meet(Evidence::UNRESTRICTED), a);
            for b in all() {
                assert_eq!(
                    (a.join(b), a.meet(b)),
                    (b.join(a), b.meet(a)),
                    "commutative"
                );
                for c in all() {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "associative");
                    assert_eq!(a.meet(b).meet(c), a.meet(b.meet(c)), "associative");
                }
            }
        }
    }

    #[test]
    fn a_layer_only_narrows() {
        for a in all() {
            for b in all() {
                for access in [Access::READ, Access::WRITE, Access::READ | Access::WRITE] {
                    let both = a.admits(access) && b.admits(access);
                    assert_eq!(a.meet(b).admits(access), both, "{a:?} {b:?} {access}");
                }
            }
        }
    }
}
