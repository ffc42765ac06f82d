//! Paths by their components: what is said of a path and of the folders it lies in is found by
//! walking down once.

use std::collections::HashMap;

/// A folder with more children than this has a table of them.
const FEW: usize = 8;

/// A tree of components with something of each path that was put in.
#[derive(Debug)]
pub(super) struct Trie<T> {
    // INVARIANT: the first is the root.
    nodes: Vec<Node<T>>,
}

#[derive(Debug, Default)]
struct Node<T> {
    children: Children,
    entries: Vec<T>,
}

#[derive(Debug)]
enum Children {
    Few(Vec<(Box<[u8]>, usize)>),
    Many(HashMap<Box<[u8]>, usize>),
}

impl Default for Children {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

/// Where in a path a node is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Place {
    /// It is the path itself.
    End,
    /// It is a folder that the path lies in.
    Above,
}

impl<T: Default> Default for Trie<T> {
    fn default() -> Self {
        Self {
            nodes: vec![Node {
                children: Children::default(),
                entries: Vec::new(),
            }],
        }
    }
}

impl<T: Default> Trie<T> {
    /// What is said of a path, to add to it; `None` if the path is not absolute.
    pub(super) fn entries(&mut self, path: &[u8]) -> Option<&mut Vec<T>> {
        let mut node = 0;
        for component in components(path)? {
            node = match self.nodes.get(node)?.children.get(component) {
                Some(child) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes.push(Node {
                        children: Children::default(),
                        entries: Vec::new(),
                    });
                    self.nodes.get_mut(node)?.children.add(component, child);
                    child
                }
            };
        }
        Some(&mut self.nodes.get_mut(node)?.entries)
    }

    /// Shows what is said of a path and of the folders above it, from the root down.
    pub(super) fn walk<'t>(&'t self, path: &[u8], mut visit: impl FnMut(&'t T, Place)) {
        let Some(mut rest) = components(path) else {
            return;
        };
        let mut node = self.nodes.first();
        while let Some(here) = node {
            let component = rest.next();
            let place = match component {
                None => Place::End,
                Some(_) => Place::Above,
            };
            here.entries.iter().for_each(|entry| visit(entry, place));
            node = component
                .and_then(|component| here.children.get(component))
                .and_then(|child| self.nodes.get(child));
        }
    }
}

impl Children {
    fn get(&self, component: &[u8]) -> Option<usize> {
        match self {
            Self::Few(children) => children
                .iter()
                .find(|(name, _)| **name == *component)
                .map(|&(_, child)| child),
            Self::Many(children) => children.get(component).copied(),
        }
    }

    fn add(&mut self, component: &[u8], child: usize) {
        match self {
            Self::Few(children) if children.len() < FEW => children.push((component.into(), child)),
            Self::Few(children) => {
                let mut many: HashMap<_, _> = children.drain(..).collect();
                many.insert(component.into(), child);
                *self = Self::Many(many);
            }
            Self::Many(children) => {
                children.insert(component.into(), child);
            }
        }
    }
}

/// The components of an absolute path: none for the root.
fn components(path: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let below = path.strip_prefix(b"/")?;
    let components = (!below.is_empty()).then(|| below.split(|&byte| byte == b'/'));
    Some(components.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_shows_the_path_and_what_is_above() {
        let mut trie: Trie<&str> = Trie::default();
        for path in ["/", "/a", "/a/b", "/a/c", "/b"] {
            trie.entries(path.as_bytes()).unwrap().push(path);
        }
        let walk = |path: &str| {
            let mut seen = Vec::new();
            trie.walk(path.as_bytes(), |entry, place| seen.push((*entry, place)));
            seen
        };
        use Place::{Above, End};
        assert_eq!(walk("/"), [("/", End)]);
        assert_eq!(walk("/a/b"), [("/", Above), ("/a", Above), ("/a/b", End)]);
        assert_eq!(walk("/a/x/y"), [("/", Above), ("/a", Above)]);
        assert_eq!(walk("/ab"), [("/", Above)]);
        assert_eq!(walk("a"), []);
        assert!(trie.entries(b"a").is_none());
    }

    #[test]
    fn many_children_are_found() {
        let mut trie: Trie<usize> = Trie::default();
        for number in 0..100 {
            trie.entries(format!("/{number}").as_bytes())
                .unwrap()
                .push(number);
        }
        for number in 0..100 {
            let mut seen = Vec::new();
            trie.walk(format!("/{number}").as_bytes(), |&entry, _| {
                seen.push(entry)
            });
            assert_eq!(seen, [number]);
        }
    }
}
