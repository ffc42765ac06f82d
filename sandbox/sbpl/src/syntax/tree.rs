//! The tree of S-expressions over the tokens of a text.
//!
//! Nodes lie in one vector in the order in which they begin, each with the place behind its last
//! descendant. What stands behind a node within the same list is found there, and no walk needs
//! the stack. What is missing at the end of the text is reported and taken as present; a `)` that
//! closes nothing is reported and skipped.

use super::token::{TokenKind, tokens};
use crate::span::Span;

/// All expressions of a text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    kind: NodeKind,
    span: Span,
    // INVARIANT: behind the entry itself, and not behind the end of the list it stands in.
    end: usize,
}

/// What an expression is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum NodeKind {
    /// `(…)`; its children are what stands within.
    List,
    /// A quotation mark and the one expression behind it, its child.
    Prefixed,
    /// A string of either kind.
    String,
    /// Anything else.
    Atom,
}

/// A flaw of the text as a sequence of expressions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TreeError {
    /// What is wrong.
    pub kind: TreeErrorKind,
    /// Where it is.
    pub span: Span,
}

/// What is wrong with a text as a sequence of expressions.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum TreeErrorKind {
    /// A `(` that nothing closes.
    Unclosed,
    /// A `)` that closes nothing.
    Unopened,
    /// A string that does not end.
    OpenString,
    /// A quotation mark without an expression behind it.
    DanglingPrefix,
}

impl Tree {
    /// Reads a text. The second part is what is wrong with it.
    #[must_use]
    pub fn parse(text: &[u8]) -> (Self, Vec<TreeError>) {
        let mut builder = Builder::default();
        for token in tokens(text) {
            match token.kind {
                TokenKind::Space | TokenKind::Comment => {}
                TokenKind::Open => builder.open(NodeKind::List, token.span),
                TokenKind::Prefix => builder.open(NodeKind::Prefixed, token.span),
                TokenKind::Close => builder.close(token.span),
                TokenKind::String | TokenKind::RawString => {
                    builder.leaf(NodeKind::String, token.span)
                }
                TokenKind::OpenString => {
                    builder.error(TreeErrorKind::OpenString, token.span);
                    builder.leaf(NodeKind::String, token.span);
                }
                TokenKind::Atom => builder.leaf(NodeKind::Atom, token.span),
            }
        }
        builder.finish(text.len())
    }

    /// The expressions that stand in no list.
    pub fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.siblings(0, self.entries.len())
    }

    fn siblings(&self, start: usize, end: usize) -> impl Iterator<Item = Node<'_>> {
        let mut index = start;
        std::iter::from_fn(move || {
            let entry = (index < end).then(|| self.entries.get(index)).flatten()?;
            let node = Node {
                tree: self,
                entry,
                index,
            };
            index = entry.end;
            Some(node)
        })
    }
}

/// An expression of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    entry: &'t Entry,
    index: usize,
}

impl<'t> Node<'t> {
    /// What it is.
    #[must_use]
    pub fn kind(self) -> NodeKind {
        self.entry.kind
    }

    /// Where it stands.
    #[must_use]
    pub fn span(self) -> Span {
        self.entry.span
    }

    /// What stands directly within it.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        self.tree.siblings(self.index + 1, self.entry.end)
    }

    /// Whether no quotation mark in it lacks its expression.
    pub(crate) fn is_complete(self) -> bool {
        let all = self.tree.entries.get(self.index..self.entry.end);
        let mut all = all.unwrap_or_default().iter().zip(self.index..);
        all.all(|(entry, index)| entry.kind != NodeKind::Prefixed || entry.end > index + 1)
    }
}

#[derive(Default)]
struct Builder {
    tree: Tree,
    errors: Vec<TreeError>,
    /// Places of the lists and prefixes that are not complete yet.
    open: Vec<usize>,
}

impl Builder {
    fn error(&mut self, kind: TreeErrorKind, span: Span) {
        self.errors.push(TreeError { kind, span });
    }

    fn open(&mut self, kind: NodeKind, span: Span) {
        self.open.push(self.tree.entries.len());
        self.push(kind, span);
    }

    fn leaf(&mut self, kind: NodeKind, span: Span) {
        self.push(kind, span);
        self.complete_prefixes(span.end);
    }

    fn push(&mut self, kind: NodeKind, span: Span) {
        let end = self.tree.entries.len() + 1;
        self.tree.entries.push(Entry { kind, span, end });
    }

    fn close(&mut self, span: Span) {
        self.drop_prefixes();
        match self.open.pop() {
            Some(list) => {
                self.complete(list, span.end);
                self.complete_prefixes(span.end);
            }
            None => self.error(TreeErrorKind::Unopened, span),
        }
    }

    /// An expression is complete, and with it every prefix that waited for it.
    fn complete_prefixes(&mut self, text_end: usize) {
        while let Some(index) = self.innermost_prefix() {
            self.open.pop();
            self.complete(index, text_end);
        }
    }

    /// A list ends where a prefix still waits for its expression.
    fn drop_prefixes(&mut self) {
        while let Some(index) = self.innermost_prefix() {
            self.open.pop();
            if let Some(span) = self.tree.entries.get(index).map(|entry| entry.span) {
                self.error(TreeErrorKind::DanglingPrefix, span);
                self.complete(index, span.end);
            }
        }
    }

    fn innermost_prefix(&self) -> Option<usize> {
        let &index = self.open.last()?;
        let entry = self.tree.entries.get(index)?;
        (entry.kind == NodeKind::Prefixed).then_some(index)
    }

    fn complete(&mut self, index: usize, text_end: usize) {
        let end = self.tree.entries.len();
        if let Some(entry) = self.tree.entries.get_mut(index) {
            entry.end = end;
            entry.span.end = text_end;
        }
    }

    fn finish(mut self, text_end: usize) -> (Tree, Vec<TreeError>) {
        loop {
            self.drop_prefixes();
            let Some(list) = self.open.pop() else { break };
            if let Some(entry) = self.tree.entries.get(list) {
                self.error(TreeErrorKind::Unclosed, entry.span);
            }
            self.complete(list, text_end);
        }
        (self.tree, self.errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list as `[…]`, a prefix as `{…}`, anything else as its text.
    fn shape(text: &str) -> String {
        fn walk<'t>(text: &str, nodes: impl Iterator<Item = Node<'t>>) -> String {
            let show = |node: Node<'t>| match node.kind() {
                NodeKind::List => format!(
                    "[{}]",
                    walk(text, node.children().collect::<Vec<_>>().into_iter())
                ),
                NodeKind::Prefixed => format!(
                    "{{{}}}",
                    walk(text, node.children().collect::<Vec<_>>().into_iter())
                ),
                _ => text[node.span().range()].to_owned(),
            };
            nodes.map(show).collect::<Vec<_>>().join(" ")
        }
        walk(text, Tree::parse(text.as_bytes()).0.roots())
    }

    fn errors(text: &str) -> Vec<(TreeErrorKind, usize)> {
        let errors = Tree::parse(text.as_bytes()).1;
        errors
            .into_iter()
            .map(|error| (error.kind, error.span.start))
            .collect()
    }

    #[test]
    fn lists_hold_what_stands_within() {
        assert_eq!(shape("(a (b \"c\") d) e"), "[a [b \"c\"] d] e");
        assert_eq!(shape("()"), "[]");
        assert_eq!(shape("'a '(b) ''c"), "{a} {[b]} {{c}}");
        assert_eq!(errors("(a (b \"c\") d) 'e"), []);
    }

    #[test]
    fn a_flaw_is_reported_and_the_rest_is_read() {
        use TreeErrorKind::*;
        assert_eq!(
            (shape("(a (b"), errors("(a (b")),
            ("[a [b]]".into(), vec![(Unclosed, 3), (Unclosed, 0)])
        );
        assert_eq!(
            (shape("a) b"), errors("a) b")),
            ("a b".into(), vec![(Unopened, 1)])
        );
        assert_eq!(
            (shape("(a ') b"), errors("(a ') b")),
            ("[a {}] b".into(), vec![(DanglingPrefix, 3)])
        );
        assert_eq!(errors("(a \"b)"), [(OpenString, 3), (Unclosed, 0)]);
        assert_eq!(errors("'"), [(DanglingPrefix, 0)]);
    }

    #[test]
    fn depth_costs_no_stack() {
        for piece in ["(", "'", ")"] {
            let (tree, errors) = Tree::parse(piece.repeat(1_000_000).as_bytes());
            assert_eq!(errors.len(), 1_000_000);
            assert!(tree.roots().count() <= 1);
        }
    }
}
