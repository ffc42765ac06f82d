//! Whose denials a log is read for.

use std::collections::{BTreeMap, BTreeSet};

use super::Tag;

/// Whose denials are wanted: everybody's, those of some processes, those of a tagged profile. Of a process
/// or tagged is enough.
///
/// A system gives the number of a process that ended to another: whoever goes by numbers takes the log
/// of no longer than the processes ran.
#[derive(Debug, Clone, Default)]
pub struct Attribution {
    pids: Option<BTreeSet<u32>>,
    tag: Option<Tag>,
}

impl Attribution {
    /// Everybody's.
    pub fn everything() -> Self {
        Attribution::default()
    }

    /// Those of these processes.
    pub fn pids(pids: impl IntoIterator<Item = u32>) -> Self {
        Attribution {
            pids: Some(pids.into_iter().collect()),
            tag: None,
        }
    }

    /// Those of a process and of its descendants, by pairs of a process and its parent.
    pub fn tree(root: u32, parents: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (pid, parent) in parents {
            children.entry(parent).or_default().push(pid);
        }
        let (mut found, mut left) = (BTreeSet::new(), vec![root]);
        while let Some(pid) = left.pop() {
            if found.insert(pid) {
                left.extend(children.get(&pid).into_iter().flatten());
            }
        }
        Attribution::pids(found)
    }

    /// The same, and those of the profile with this tag ([`Profile::tagged`](crate::Profile::tagged)).
    #[must_use]
    pub fn or_tagged(self, tag: Tag) -> Self {
        Attribution {
            tag: Some(tag),
            ..self
        }
    }

    pub(super) fn tag(&self) -> Option<&Tag> {
        self.tag.as_ref()
    }

    pub(super) fn admits(&self, pid: u32, tag: Option<&Tag>) -> bool {
        match (&self.pids, &self.tag) {
            (None, None) => true,
            (pids, wanted) => {
                let by_pid = pids.as_ref().is_some_and(|pids| pids.contains(&pid));
                by_pid || (wanted.is_some() && wanted.as_ref() == tag)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_a_process_with_its_descendants() {
        let tree = Attribution::tree(10, [(13, 11), (11, 10), (12, 1), (10, 13)]);
        let of = [1, 10, 11, 12, 13].map(|pid| tree.admits(pid, None));
        assert_eq!(of, [false, true, true, false, true]);
    }

    #[test]
    fn of_a_process_or_tagged_is_enough() {
        let (ours, other) = (Tag::new("ours").unwrap(), Tag::new("other").unwrap());
        let wanted = Attribution::pids([7]).or_tagged(ours.clone());
        assert!(wanted.admits(7, None) && wanted.admits(8, Some(&ours)));
        assert!(!wanted.admits(8, None) && !wanted.admits(8, Some(&other)));
        let tagged = Attribution::everything().or_tagged(ours.clone());
        assert!(tagged.admits(8, Some(&ours)) && !tagged.admits(8, None));
        assert!(Attribution::everything().admits(8, Some(&other)));
    }
}
