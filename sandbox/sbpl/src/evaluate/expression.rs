//! An expression together with the text that it stands in.

use super::{File, Node, NodeKind, Raw};
use crate::span::{Origin, Span};

#[derive(Clone, Copy)]
pub(super) struct Expr<'f> {
    pub(super) file: &'f File,
    node: Node<'f>,
}

impl<'f> Expr<'f> {
    pub(super) fn roots(file: &'f File) -> impl Iterator<Item = Self> {
        file.tree.roots().map(move |node| Self { file, node })
    }

    pub(super) fn kind(self) -> NodeKind {
        self.node.kind()
    }

    pub(super) fn span(self) -> Span {
        self.node.span()
    }

    pub(super) fn origin(self) -> Origin {
        Origin {
            text: self.file.number,
            span: self.span(),
        }
    }

    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let file = self.file;
        self.node.children().map(move |node| Self { file, node })
    }

    /// What stands in a list behind its head.
    pub(super) fn arguments(self) -> impl Iterator<Item = Self> {
        self.children().skip(1)
    }

    /// Whether something stands behind each quotation mark in it, so that [`Expr::raw`] supplies
    /// nothing that makes it another expression.
    pub(super) fn is_complete(self) -> bool {
        self.node.is_complete()
    }

    pub(super) fn bytes(self) -> &'f [u8] {
        self.file.source.slice(self.span())
    }

    pub(super) fn raw(self) -> Raw {
        Raw::new(self.bytes())
    }

    /// The word that it is. One with a byte that is not printable ASCII means nothing, and nor does
    /// one with the bar that such a byte is kept as (see [`Raw`]): what is kept and read again must
    /// mean as little as before.
    pub(super) fn word(self) -> Option<&'f str> {
        match self.kind() {
            NodeKind::Atom => std::str::from_utf8(self.bytes()).ok().filter(|word| {
                word.bytes()
                    .all(|byte| byte.is_ascii_graphic() && byte != b'|')
            }),
            _ => None,
        }
    }

    /// The word that a list begins with.
    pub(super) fn head(self) -> Option<&'f str> {
        match self.kind() {
            NodeKind::List => self.children().next()?.word(),
            _ => None,
        }
    }
}
