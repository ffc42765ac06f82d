//! Filters: what restricts a rule to some of the objects of its operations.
//!
//! A filter that this crate does not know is kept as written. Whether a filter matches a request
//! is decided in [`crate::judge`], not here.

use std::fmt;
use std::ops::Deref;

use super::text::path_flaw;
use super::{
    Endpoint, EntitlementValue, Match, Pattern, Quantity, Subject, Target, Text, TextErrorKind,
    Value, VnodeType,
};
use crate::span::Located;
use crate::syntax::Raw;

/// How many `require-…` may stand within one another.
///
/// The kernel's own limit is not known; no profile in use comes near this one. It keeps every
/// walk over a filter, dropping it included, within a fixed amount of stack.
pub const MAX_DEPTH: usize = 64;

/// A condition on the object of an operation.
///
/// ```
/// use sbpl::{Filter, Text};
///
/// let filter = Filter::all([
///     Filter::subpath(Text::path("/Users/me")?),
///     Filter::not(Filter::subpath(Text::path("/Users/me/.ssh")?))?,
/// ])?;
/// assert_eq!(
///     filter.to_string(),
///     r#"(require-all (subpath "/Users/me") (require-not (subpath "/Users/me/.ssh")))"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Filter {
    /// `(literal …)`, `(subpath …)`, `(prefix …)`, `(regex …)`: the name of a file, or of a socket.
    Path(PathMatch),
    /// `(global-name …)`, `(sysctl-name-prefix …)` and their like: a name that is no path.
    Name(Subject, Match),
    /// `(ioctl-command …)`, `(socket-domain …)` and their like: a number, or a symbol for one.
    Value(Quantity, Value),
    /// `(remote …)`: the other end of a connection.
    Remote(Endpoint),
    /// `(local …)`: the own end of a connection.
    Local(Endpoint),
    /// `(target …)`: the process that is acted upon.
    Target(Target),
    /// `(vnode-type …)`: the kind of the file.
    VnodeType(VnodeType),
    /// `(file-mode #o…)`: permission bits of the file.
    FileMode(u32),
    /// `(extension …)`: a sandbox extension of that class covers the object.
    Extension(Text),
    /// `(require-entitlement …)`: the process carries the entitlement.
    Entitlement(Text),
    /// `(require-entitlement … (entitlement-value …))`: it carries it, with such a value.
    EntitlementValue(Text, EntitlementValue),
    /// `(require-any …)`: at least one matches.
    Any(Filters),
    /// `(require-all …)`: each matches.
    All(Filters),
    /// `(require-not …)`: the filter within does not match.
    Not(Negated),
    /// A filter that this crate does not know, kept as written. Only the parser makes it.
    Other(Raw),
}

impl Filter {
    /// `(literal …)`: the path itself.
    #[must_use]
    pub fn literal(path: Text) -> Self {
        Self::Path(PathMatch::Literal(path))
    }

    /// `(subpath …)`: the path itself, and all below it.
    #[must_use]
    pub fn subpath(path: Text) -> Self {
        Self::Path(PathMatch::Subpath(path))
    }

    /// `(regex …)`: a path in which the pattern is found.
    #[must_use]
    pub fn regex(pattern: Pattern) -> Self {
        Self::Path(PathMatch::Regex(pattern))
    }

    /// `(require-any …)` of at least one filter.
    ///
    /// # Errors
    ///
    /// See [`Filters::new`].
    pub fn any<I: IntoIterator<Item = Self>>(filters: I) -> Result<Self, FilterError> {
        Filters::new(filters.into_iter().map(Located::new).collect()).map(Self::Any)
    }

    /// `(require-all …)` of at least one filter.
    ///
    /// # Errors
    ///
    /// See [`Filters::new`].
    pub fn all<I: IntoIterator<Item = Self>>(filters: I) -> Result<Self, FilterError> {
        Filters::new(filters.into_iter().map(Located::new).collect()).map(Self::All)
    }

    /// `(require-not …)` of one filter.
    ///
    /// # Errors
    ///
    /// See [`Negated::new`].
    // Named after the form; it makes a filter from a filter and negates no value.
    #[expect(
        clippy::should_implement_trait,
        reason = "fallible, and named after `require-not`"
    )]
    pub fn not(filter: Self) -> Result<Self, FilterError> {
        Negated::new(Located::new(filter)).map(Self::Not)
    }

    /// How many `require-…` it holds within one another, itself included; at most [`MAX_DEPTH`].
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Any(filters) | Self::All(filters) => filters.depth,
            Self::Not(negated) => negated.depth,
            _ => 0,
        }
    }
}

/// How a path is compared. Each compares modulo canonical caseless equivalence, and none
/// normalises its own text (docs/seatbelt.md, section 4).
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PathMatch {
    /// `literal`: the path itself.
    Literal(Text),
    /// `subpath`: the path itself, and all below it.
    Subpath(Text),
    /// `prefix`: a path that begins with these bytes, in the middle of a component too.
    Prefix(Text),
    /// `regex`: a path in which the pattern is found.
    Regex(Pattern),
}

impl PathMatch {
    /// What keeps it from ever matching, whatever the path; `None` if it may match. Nothing is
    /// known of a pattern.
    #[must_use]
    pub fn flaw(&self) -> Option<TextErrorKind> {
        match self {
            Self::Literal(text) | Self::Subpath(text) => path_flaw(text.as_bytes()),
            Self::Prefix(_) | Self::Regex(_) => None,
        }
    }
}

/// At least one filter, nested within [`MAX_DEPTH`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Filters {
    // INVARIANT: never empty.
    filters: Vec<Located<Filter>>,
    // INVARIANT: 1 more than the deepest of `filters`, at most MAX_DEPTH.
    depth: usize,
}

impl Filters {
    /// The filters of one `require-any` or `require-all`.
    ///
    /// # Errors
    ///
    /// [`FilterErrorKind::Empty`] if there is none, which does not compile (docs/seatbelt.md,
    /// section 5); [`FilterErrorKind::TooDeep`] beyond [`MAX_DEPTH`].
    pub fn new(filters: Vec<Located<Filter>>) -> Result<Self, FilterError> {
        let Some(deepest) = filters.iter().map(|filter| filter.depth()).max() else {
            return Err(FilterError::empty());
        };
        Ok(Self {
            filters,
            depth: deeper(deepest)?,
        })
    }
}

impl Deref for Filters {
    type Target = [Located<Filter>];

    fn deref(&self) -> &[Located<Filter>] {
        &self.filters
    }
}

/// The one filter of a `require-not`, nested within [`MAX_DEPTH`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Negated {
    filter: Box<Located<Filter>>,
    // INVARIANT: 1 more than that of `filter`, at most MAX_DEPTH.
    depth: usize,
}

impl Negated {
    /// The filter of a `require-not`.
    ///
    /// # Errors
    ///
    /// [`FilterErrorKind::TooDeep`] beyond [`MAX_DEPTH`].
    pub fn new(filter: Located<Filter>) -> Result<Self, FilterError> {
        let depth = deeper(filter.depth())?;
        Ok(Self {
            filter: Box::new(filter),
            depth,
        })
    }

    /// The filter that must not match.
    #[must_use]
    pub fn filter(&self) -> &Located<Filter> {
        &self.filter
    }
}

fn deeper(depth: usize) -> Result<usize, FilterError> {
    if depth < MAX_DEPTH {
        Ok(depth + 1)
    } else {
        Err(FilterError {
            kind: FilterErrorKind::TooDeep,
        })
    }
}

/// Why filters cannot be put together.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FilterError {
    kind: FilterErrorKind,
}

/// What is wrong with a combination of filters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FilterErrorKind {
    /// There is no filter where at least one is needed.
    Empty,
    /// More than [`MAX_DEPTH`] combinations stand within one another.
    TooDeep,
}

impl FilterError {
    pub(crate) fn empty() -> Self {
        Self {
            kind: FilterErrorKind::Empty,
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> FilterErrorKind {
        self.kind
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FilterErrorKind::Empty => f.write_str("there is no filter where one is needed"),
            FilterErrorKind::TooDeep => {
                write!(f, "more than {MAX_DEPTH} filters stand within one another")
            }
        }
    }
}

impl std::error::Error for FilterError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf() -> Filter {
        Filter::literal(Text::path("/a").unwrap())
    }

    #[test]
    fn an_empty_combination_cannot_be_had() {
        assert!(Filter::any([leaf()]).is_ok());
        assert_eq!(Filter::any([]).unwrap_err().kind(), FilterErrorKind::Empty);
        assert_eq!(Filter::all([]).unwrap_err().kind(), FilterErrorKind::Empty);
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let mut filter = leaf();
        for _ in 0..MAX_DEPTH {
            filter = Filter::not(filter).unwrap();
        }
        assert_eq!(filter.depth(), MAX_DEPTH);
        assert_eq!(
            Filter::not(filter).unwrap_err().kind(),
            FilterErrorKind::TooDeep
        );
    }
}
