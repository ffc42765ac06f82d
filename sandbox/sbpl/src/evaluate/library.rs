//! The texts that an evaluation reads: the profile itself, and what it imports.
//!
//! Values refer to the expressions they were made from, so a text that was read stays where it is
//! until the evaluation is over.

use std::cell::OnceCell;

use crate::span::{Origin, Source};
use crate::syntax::{Tree, TreeError};

/// One text.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The place among all texts.
    pub(crate) number: usize,
    /// What the import named; empty for the profile itself.
    pub(crate) name: Vec<u8>,
    /// Where it was imported first.
    pub(crate) imported_at: Option<Origin>,
    pub(crate) source: Source,
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<TreeError>,
}

impl File {
    pub(crate) fn new(
        number: usize,
        name: Vec<u8>,
        imported_at: Option<Origin>,
        text: impl Into<Vec<u8>>,
    ) -> Self {
        let text = text.into();
        let (tree, errors) = Tree::parse(&text);
        Self {
            number,
            name,
            imported_at,
            source: Source::new(text),
            tree,
            errors,
        }
    }
}

/// All texts so far. One is added without moving the others.
pub(crate) struct Library {
    file: File,
    next: OnceCell<Box<Library>>,
}

impl Library {
    pub(crate) fn new(file: File) -> Self {
        Self {
            file,
            next: OnceCell::new(),
        }
    }

    pub(crate) fn first(&self) -> &File {
        &self.file
    }

    pub(crate) fn len(&self) -> usize {
        self.files().count()
    }

    pub(crate) fn push(&self, file: File) -> &File {
        let mut last = self;
        while let Some(next) = last.next.get() {
            last = next;
        }
        &last.next.get_or_init(|| Box::new(Self::new(file))).file
    }

    /// The file that was loaded under that name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<&File> {
        self.files().skip(1).find(|file| file.name == name)
    }

    fn files(&self) -> impl Iterator<Item = &File> {
        std::iter::successors(Some(self), |library| library.next.get().map(|next| &**next))
            .map(|library| &library.file)
    }

    /// The profile itself, and what it imports.
    pub(crate) fn into_files(self) -> (File, Vec<File>) {
        let mut imported = Vec::new();
        let mut next = self.next.into_inner();
        while let Some(library) = next {
            imported.push(library.file);
            next = library.next.into_inner();
        }
        (self.file, imported)
    }
}
