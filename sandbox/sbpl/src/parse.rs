//! From a text to a typed profile. Never fails: what is not understood is kept and reported.
//!
//! Forms are not evaluated: `(define …)`, `(import …)` and their like are kept as they stand, and
//! a profile that has some cannot be judged. The one thing that is resolved is `(param "…")` with
//! a value that the caller gives.

mod filter;
mod rule;
mod value;

use std::collections::BTreeMap;

use crate::ast::Profile;
use crate::diagnostic::{Diagnostic, DiagnosticKind, Diagnostics, Severity};
use crate::span::{Located, Position, Source, Span};
use crate::syntax::{Node, NodeKind, Raw, Tree};

pub(crate) use self::filter::FILTER_NAMES;

/// Reads a profile with no parameters.
#[must_use]
pub fn parse(text: &[u8]) -> Parsed {
    Parser::new().parse(text)
}

/// A parser and the parameters that the texts it reads may ask for.
///
/// ```
/// let parsed = sbpl::Parser::new()
///     .parameter("HOME", "/Users/me")
///     .parse(br#"(version 1) (allow file-read* (subpath (param "HOME")))"#);
/// assert_eq!(parsed.worst(), None);
/// assert_eq!(
///     parsed.profile().rules()[0].to_string(),
///     r#"(allow file-read* (subpath "/Users/me"))"#,
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    parameters: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Parser {
    /// A parser with no parameters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Defines what `(param "name")` stands for.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Reads a profile. Any bytes will do.
    #[must_use]
    pub fn parse(&self, text: &[u8]) -> Parsed {
        let (tree, errors) = Tree::parse(text);
        let mut reader = Reader {
            text,
            parameters: &self.parameters,
            profile: Profile::new(),
            diagnostics: Diagnostics::default(),
        };
        for error in errors {
            reader.report(DiagnosticKind::Tree(error.kind), error.span);
        }
        reader.profile(&tree);
        let (diagnostics, worst) = reader.diagnostics.finish();
        Parsed {
            profile: reader.profile,
            tree,
            source: Source::new(text),
            diagnostics,
            worst,
        }
    }
}

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    profile: Profile,
    tree: Tree,
    source: Source,
    diagnostics: Vec<Diagnostic>,
    worst: Option<Severity>,
}

impl Parsed {
    /// The profile, as far as it was understood.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The profile by itself.
    #[must_use]
    pub fn into_profile(self) -> Profile {
        self.profile
    }

    /// The expressions of the text.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is to be said about the text: first of its brackets and quotes, then of its forms,
    /// each in the order of the text. Of a thousand remarks and more the rest is left out.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The worst of all remarks, those that were left out included; `None` if there is none.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.worst
    }

    /// Where a rule stands, by its index in [`Profile::rules`].
    #[must_use]
    pub fn rule_position(&self, rule: usize) -> Option<Position> {
        let span = self.profile.rules().get(rule)?.span()?;
        Some(self.source.position(span.start))
    }
}

/// Walks the tree of one text.
struct Reader<'p> {
    text: &'p [u8],
    parameters: &'p BTreeMap<Vec<u8>, Vec<u8>>,
    profile: Profile,
    diagnostics: Diagnostics,
}

impl<'p> Reader<'p> {
    fn profile(&mut self, tree: &Tree) {
        let mut has_version = false;
        for node in tree.roots() {
            match self.head(node) {
                Some("version") => {
                    has_version = true;
                    self.version(node);
                }
                Some("allow" | "deny") => self.rule(node),
                _ => self.unevaluated(node),
            }
        }
        if !has_version {
            self.report(DiagnosticKind::NoVersion, Span::new(0, 0));
        }
    }

    fn version(&mut self, node: Node<'_>) {
        let arguments: Vec<_> = node.children().skip(1).take(2).collect();
        match arguments.as_slice() {
            [number] => match self
                .number(*number)
                .and_then(|number| u32::try_from(number).ok())
            {
                Some(version) => self.profile.set_version(version),
                None => self.report(DiagnosticKind::BadVersion, number.span()),
            },
            _ => self.report(DiagnosticKind::BadVersion, node.span()),
        }
    }

    /// Keeps a form as it stands.
    fn unevaluated(&mut self, node: Node<'_>) {
        let name = self.head(node).unwrap_or("expression");
        self.report(DiagnosticKind::NotEvaluated(name.into()), node.span());
        self.keep(node);
    }

    /// Keeps a form without a remark, because there is one already.
    fn keep(&mut self, node: Node<'_>) {
        let raw = self.raw(node);
        self.profile.push_unevaluated(Located::at(raw, node.span()));
    }

    fn report(&mut self, kind: DiagnosticKind, span: Span) {
        self.diagnostics.push(kind, span);
    }

    fn bytes(&self, span: Span) -> &'p [u8] {
        self.text.get(span.range()).unwrap_or_default()
    }

    fn raw(&self, node: Node<'_>) -> Raw {
        Raw::new(self.bytes(node.span()))
    }

    /// The word that an expression is.
    fn word(&self, node: Node<'_>) -> Option<&'p str> {
        (node.kind() == NodeKind::Atom)
            .then(|| self.bytes(node.span()))
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// The word that a list begins with.
    fn head(&self, node: Node<'_>) -> Option<&'p str> {
        if node.kind() != NodeKind::List {
            return None;
        }
        self.word(node.children().next()?)
    }
}
