//! The typed tree of a flat profile: a version and a list of rules, as the kernel gets them.
//!
//! It holds no layout and no comments, which are the business of [`crate::syntax`], and decides
//! nothing, which is the business of [`crate::judge`]. Whatever is built here can be printed, and
//! what is printed reads back as the same tree: text enters as bytes and is escaped on the way
//! out, names of operations and symbols are checked when they are made, and an empty list of
//! alternatives, which would quietly mean "always", cannot be had.

mod filter;
mod operation;
mod pattern;
mod socket;
mod subject;
mod symbol;
mod text;

pub use self::filter::{
    Filter, FilterError, FilterErrorKind, Filters, MAX_DEPTH, Negated, PathMatch,
};
pub use self::operation::{Operation, UnknownOperation};
pub(crate) use self::pattern::{Class, Piece, Repeat};
pub use self::pattern::{Pattern, PatternError, PatternErrorKind};
pub use self::socket::{Address, Endpoint, Host, Port, Protocol};
pub use self::subject::{EntitlementValue, Match, Quantity, Subject, Target, Value, VnodeType};
pub use self::symbol::{Symbol, SymbolError};
pub use self::text::{MAX_TEXT, Text, TextError, TextErrorKind};

use crate::span::{Located, Origin, Span};
use crate::syntax::Raw;

/// A flat profile: a version and its rules, in the order in which they stand.
///
/// The order matters among the rules of one operation; see [`crate::judge`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Profile {
    version: u32,
    rules: Vec<Rule>,
    unevaluated: Vec<Located<Raw>>,
}

impl Default for Profile {
    fn default() -> Self {
        Self::new()
    }
}

impl Profile {
    /// An empty profile of version 1. It has no rule on [`Operation::Default`]: push one.
    #[must_use]
    pub fn new() -> Self {
        Self {
            version: 1,
            rules: Vec::new(),
            unevaluated: Vec::new(),
        }
    }

    /// Appends a rule after all others.
    pub fn push(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    /// The rules, in order. A rule's place in this slice is its index in every verdict.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The number in `(version N)`.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Forms of a parsed text that this tree keeps without understanding them: an `(import …)`
    /// that nothing loads, and whatever cannot be evaluated.
    ///
    /// They may grant or refuse anything, so that a profile which has some cannot be judged.
    #[must_use]
    pub fn unevaluated(&self) -> &[Located<Raw>] {
        &self.unevaluated
    }

    pub(crate) fn set_version(&mut self, version: u32) {
        self.version = version;
    }

    pub(crate) fn truncate(&mut self, rules: usize) {
        self.rules.truncate(rules);
    }

    pub(crate) fn push_unevaluated(&mut self, form: Located<Raw>) {
        self.unevaluated.push(form);
    }
}

impl Extend<Rule> for Profile {
    fn extend<I: IntoIterator<Item = Rule>>(&mut self, rules: I) {
        self.rules.extend(rules);
    }
}

impl FromIterator<Rule> for Profile {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        let mut profile = Self::new();
        profile.extend(rules);
        profile
    }
}

/// What a rule says of the operations it names.
// Exhaustive: a rule allows or denies, and whoever decides by it must be told of a third way.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Action {
    /// `(allow …)`
    Allow,
    /// `(deny …)`
    Deny,
}

impl Action {
    /// The word that opens such a rule.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

/// One rule: an action, at least one operation, filters that are alternatives, and modifiers.
///
/// ```
/// use sbpl::{Filter, Operation, Rule, Text};
///
/// let rule = Rule::allow(Operation::FileReadData)
///     .also([Operation::FileReadMetadata])
///     .when(Filter::subpath(Text::path("/usr")?))
///     .when(Filter::literal(Text::path("/")?));
/// assert_eq!(
///     rule.to_string(),
///     r#"(allow file-read-data file-read-metadata (subpath "/usr") (literal "/"))"#,
/// );
/// # Ok::<(), sbpl::ast::TextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    action: Action,
    // INVARIANT: never empty.
    operations: Vec<Located<Operation>>,
    filters: Vec<Located<Filter>>,
    modifiers: Vec<Located<Modifier>>,
    origin: Option<Origin>,
}

/// Where a rule stood in a text is no part of what it says.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.action == other.action
            && self.operations == other.operations
            && self.filters == other.filters
            && self.modifiers == other.modifiers
    }
}

impl Eq for Rule {}

impl Rule {
    /// A rule without a filter that allows `operation`.
    #[must_use]
    pub fn allow(operation: Operation) -> Self {
        Self::new(Action::Allow, operation)
    }

    /// A rule without a filter that denies `operation`.
    #[must_use]
    pub fn deny(operation: Operation) -> Self {
        Self::new(Action::Deny, operation)
    }

    /// A rule without a filter on `operation`.
    #[must_use]
    pub fn new(action: Action, operation: Operation) -> Self {
        Self {
            action,
            operations: vec![Located::new(operation)],
            filters: Vec::new(),
            modifiers: Vec::new(),
            origin: None,
        }
    }

    /// Names further operations.
    #[must_use]
    pub fn also<I: IntoIterator<Item = Operation>>(mut self, operations: I) -> Self {
        self.operations
            .extend(operations.into_iter().map(Located::new));
        self
    }

    /// Adds an alternative: the rule applies where any one of its filters matches.
    #[must_use]
    pub fn when(mut self, filter: Filter) -> Self {
        self.filters.push(Located::new(filter));
        self
    }

    /// Adds several alternatives, at least one.
    ///
    /// # Errors
    ///
    /// [`FilterErrorKind::Empty`] if there is none: a rule left without a filter would apply
    /// everywhere, which is the opposite of "nowhere".
    pub fn when_any<I>(mut self, filters: I) -> Result<Self, FilterError>
    where
        I: IntoIterator<Item = Filter>,
    {
        let before = self.filters.len();
        self.filters.extend(filters.into_iter().map(Located::new));
        if self.filters.len() == before {
            Err(FilterError::empty())
        } else {
            Ok(self)
        }
    }

    /// Adds a modifier, printed as `(with …)`.
    #[must_use]
    pub fn with(mut self, modifier: Modifier) -> Self {
        self.modifiers.push(Located::new(modifier));
        self
    }

    /// Whether the rule allows or denies.
    #[must_use]
    pub fn action(&self) -> Action {
        self.action
    }

    /// The operations it names, at least one.
    #[must_use]
    pub fn operations(&self) -> &[Located<Operation>] {
        &self.operations
    }

    /// Its filters: alternatives, and none at all means "always".
    #[must_use]
    pub fn filters(&self) -> &[Located<Filter>] {
        &self.filters
    }

    /// Its modifiers. None of them changes a verdict (docs/seatbelt.md, section 5).
    #[must_use]
    pub fn modifiers(&self) -> &[Located<Modifier>] {
        &self.modifiers
    }

    /// Where the rule stood, and in which text; `None` if it was built.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// Where the rule stood in the text that it was parsed from; `None` if it was built.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.origin.map(|origin| origin.span)
    }

    /// A rule that was read; `None` if it names no operation.
    pub(crate) fn parsed(
        action: Action,
        operations: Vec<Located<Operation>>,
        filters: Vec<Located<Filter>>,
        modifiers: Vec<Located<Modifier>>,
        origin: Origin,
    ) -> Option<Self> {
        (!operations.is_empty()).then_some(Self {
            action,
            operations,
            filters,
            modifiers,
            origin: Some(origin),
        })
    }
}

/// What a rule adds to its decision: reports and log lines, written `(with …)`.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Modifier {
    /// `(with report)`: report although the rule allows.
    Report,
    /// `(with no-report)`: do not report although the rule denies.
    NoReport,
    /// `(with no-log)`: keep a denial out of the log.
    NoLog,
    /// `(with message "…")`: put this text into the log line of a denial.
    Message(Text),
    /// A modifier that this crate does not know, kept as written. Only the parser makes it.
    Other(Raw),
}
