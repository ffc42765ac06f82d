//! From a text to a typed profile. Never fails: what is not understood is kept and reported.
//!
//! The text is evaluated: its definitions, conditions and loops are run, within limits, and what
//! it imports is asked for. What comes out is the flat list of rules that the kernel would get.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;

use crate::ast::Profile;
use crate::diagnostic::{Diagnostic, Severity};
use crate::evaluate::{Evaluator, File, Library, Settings};
use crate::span::{Origin, Position, Source};
use crate::syntax::Tree;

/// How many steps an evaluation may take, unless [`Parser::fuel`] says otherwise.
///
/// Rules and filters that stand in the text cost none; a call of a function costs a few.
pub const FUEL: u64 = 1_000_000;

/// Reads a profile with no parameters and no imports.
#[must_use]
pub fn parse(text: &[u8]) -> Parsed {
    Parser::new().parse(text)
}

/// A parser, and what the texts it reads may ask for.
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
#[derive(Clone, Debug)]
pub struct Parser {
    parameters: BTreeMap<Vec<u8>, Vec<u8>>,
    loader: Option<Loader>,
    fuel: u64,
}

impl Default for Parser {
    fn default() -> Self {
        Self {
            parameters: BTreeMap::new(),
            loader: None,
            fuel: FUEL,
        }
    }
}

impl Parser {
    /// A parser with no parameters, and nothing to import from.
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

    /// Loads what `(import "name")` names. Without a loader imports are kept as they stand, and a
    /// profile that has some is not judged.
    ///
    /// ```
    /// let parser = sbpl::Parser::new().loader(|name| match name {
    ///     b"base.sb" => Ok(b"(allow process-fork)".to_vec()),
    ///     _ => Err(std::io::ErrorKind::NotFound.into()),
    /// });
    /// let parsed = parser.parse(br#"(version 1) (deny default) (import "base.sb")"#);
    /// assert_eq!(parsed.profile().rules().len(), 2);
    /// assert_eq!(parsed.rule_text(1).map(|text| text.name()), Some(&b"base.sb"[..]));
    /// ```
    #[must_use]
    pub fn loader<F>(mut self, load: F) -> Self
    where
        F: Fn(&[u8]) -> io::Result<Vec<u8>> + Send + Sync + 'static,
    {
        self.loader = Some(Loader(Arc::new(load)));
        self
    }

    /// Limits the steps of an evaluation; a profile that needs more ends in an error.
    #[must_use]
    pub fn fuel(mut self, steps: u64) -> Self {
        self.fuel = steps;
        self
    }

    /// Reads a profile. Any bytes will do.
    #[must_use]
    pub fn parse(&self, text: &[u8]) -> Parsed {
        let library = Library::new(File::new(0, Vec::new(), None, text));
        let settings = Settings {
            parameters: &self.parameters,
            loader: self.loader.as_ref(),
            fuel: self.fuel,
        };
        let (profile, diagnostics) = Evaluator::new(settings, &library).run();
        let (diagnostics, worst) = diagnostics.finish();
        let (main, imported) = library.into_files();
        Parsed {
            profile,
            main: ParsedText(main),
            imported: imported.into_iter().map(ParsedText).collect(),
            diagnostics,
            worst,
        }
    }
}

type Load = dyn Fn(&[u8]) -> io::Result<Vec<u8>> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Loader(Arc<Load>);

impl Loader {
    pub(crate) fn load(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        (self.0)(name)
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Loader")
    }
}

/// A profile that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    profile: Profile,
    main: ParsedText,
    imported: Vec<ParsedText>,
    diagnostics: Vec<Diagnostic>,
    worst: Option<Severity>,
}

/// One of the texts that a profile is made of.
#[derive(Clone, Debug)]
pub struct ParsedText(File);

impl ParsedText {
    /// What the import named; empty for the profile itself.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.0.name
    }

    /// Where it was imported first; `None` for the profile itself.
    #[must_use]
    pub fn imported_at(&self) -> Option<Origin> {
        self.0.imported_at
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The expressions of the text.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.0.tree
    }
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

    /// The expressions of the profile's own text.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.main.tree()
    }

    /// The profile's own text.
    #[must_use]
    pub fn source(&self) -> &Source {
        self.main.source()
    }

    /// All texts: the profile's own, and those it imported, in the order of their loading.
    pub fn texts(&self) -> impl Iterator<Item = &ParsedText> {
        std::iter::once(&self.main).chain(&self.imported)
    }

    /// What is to be said about the texts: of each first of its brackets and quotes, then of its
    /// forms in the order of their evaluation. Of a thousand remarks and more the rest is left out.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The worst of all remarks, those that were left out included; `None` if there is none.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.worst
    }

    /// The text that a rule stands in, by its index in [`Profile::rules`].
    #[must_use]
    pub fn rule_text(&self, rule: usize) -> Option<&ParsedText> {
        let origin = self.profile.rules().get(rule)?.origin()?;
        self.texts().nth(origin.text)
    }

    /// Where a rule stands in its text, by its index in [`Profile::rules`].
    #[must_use]
    pub fn rule_position(&self, rule: usize) -> Option<Position> {
        let span = self.profile.rules().get(rule)?.span()?;
        Some(self.rule_text(rule)?.source().position(span.start))
    }

    /// A remark with its line and carets; see [`Diagnostic::render`]. `name` is what the profile's
    /// own text is called.
    #[must_use]
    pub fn render(&self, diagnostic: &Diagnostic, name: &str) -> String {
        let text = self.texts().nth(diagnostic.text()).unwrap_or(&self.main);
        let name = match text.name() {
            b"" => name.into(),
            imported => String::from_utf8_lossy(imported),
        };
        diagnostic.render_in(text.source(), &name)
    }
}
