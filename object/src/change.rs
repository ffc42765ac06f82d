//! What can become of an object between the walk and the operation.

use std::fmt;

use objcap_walk::{Identity, Kind};

/// How what stands at a name differs from what was walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// Nothing stands there any more.
    Gone,
    /// Something stands where nothing stood.
    Appeared,
    /// Another object of the same kind has the name.
    Replaced,
    /// An object of another kind has the name.
    Kind,
    /// A link has the name.
    BecameLink,
    /// The name leads onto another mount.
    Mount,
    /// The directory that holds it was removed, or moved to another name.
    ParentGone,
    /// Another directory has its directory's name.
    ParentReplaced,
    /// A link stands somewhere in the path of its directory.
    ParentBecameLink,
}

impl Change {
    /// How an object that is there now differs from the one that was walked; `None` when it is the
    /// same.
    pub(crate) fn between(walked: (Kind, Identity), now: (Kind, Identity)) -> Option<Self> {
        if walked == now {
            None
        } else if now.0 == Kind::Symlink && walked.0 != Kind::Symlink {
            Some(Change::BecameLink)
        } else if now.1.mount != walked.1.mount {
            Some(Change::Mount)
        } else if now.0 != walked.0 {
            Some(Change::Kind)
        } else {
            Some(Change::Replaced)
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Change::Gone => "nothing stands there any more",
            Change::Appeared => "something appeared there",
            Change::Replaced => "another object has its name",
            Change::Kind => "an object of another kind has its name",
            Change::BecameLink => "a symbolic link has its name",
            Change::Mount => "the name leads onto another mount",
            Change::ParentGone => "the directory that held it is gone from its place",
            Change::ParentReplaced => "another directory has the name of the one that held it",
            Change::ParentBecameLink => "a symbolic link stands in the path of its directory",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_differs_is_named() {
        let walked = Identity {
            device: 1,
            inode: 2,
            mount: Some(3),
            born: Some((4, 5)),
        };
        let other = Identity { inode: 9, ..walked };
        let mounted = Identity {
            device: 9,
            mount: Some(9),
            ..walked
        };
        let reborn = Identity {
            born: Some((4, 6)),
            ..walked
        };
        let table = [
            ((Kind::File, walked), None),
            ((Kind::File, other), Some(Change::Replaced)),
            ((Kind::File, reborn), Some(Change::Replaced)),
            ((Kind::Directory, other), Some(Change::Kind)),
            ((Kind::Symlink, other), Some(Change::BecameLink)),
            ((Kind::File, mounted), Some(Change::Mount)),
        ];
        for (now, want) in table {
            assert_eq!(Change::between((Kind::File, walked), now), want, "{now:?}");
        }
    }
}
