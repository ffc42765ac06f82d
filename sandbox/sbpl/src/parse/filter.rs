//! Filters. One expression may hold several alternatives: `(literal "/a" "/b")` is two filters.
//!
//! A filter that is not known, or whose arguments are not what it takes, is kept as it stands.

use super::Reader;
use crate::ast::{
    Address, Endpoint, Filter, Filters, MAX_DEPTH, Match, Negated, PathMatch, Pattern,
    PatternErrorKind, Protocol, Quantity, Subject, Target, Text, VnodeType,
};
use crate::diagnostic::DiagnosticKind;
use crate::span::Located;
use crate::syntax::{Node, NodeKind};

/// Names of filters, but for those of [`Subject`] and [`Quantity`].
pub(crate) const FILTER_NAMES: &[&str] = &[
    "literal",
    "subpath",
    "prefix",
    "regex",
    "remote",
    "local",
    "target",
    "vnode-type",
    "file-mode",
    "extension",
    "require-entitlement",
    "require-any",
    "require-all",
    "require-not",
    "path-literal",
    "path-prefix",
    "path-regex",
];

/// What a filter that takes strings makes of one.
enum Textual {
    Path(fn(Text) -> PathMatch),
    PathPattern,
    Name(Subject, fn(Text) -> Match),
    NamePattern(Subject),
    Extension,
    Entitlement,
}

impl Textual {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "literal" | "path-literal" => Self::Path(PathMatch::Literal),
            "subpath" => Self::Path(PathMatch::Subpath),
            "prefix" | "path-prefix" => Self::Path(PathMatch::Prefix),
            "regex" | "path-regex" => Self::PathPattern,
            "extension" => Self::Extension,
            "require-entitlement" => Self::Entitlement,
            _ => {
                let subject = |name| Subject::from_name(name);
                if let Some(subject) = subject(name) {
                    Self::Name(subject, Match::Exact)
                } else if let Some(subject) = name.strip_suffix("-prefix").and_then(subject) {
                    Self::Name(subject, Match::Prefix)
                } else {
                    Self::NamePattern(name.strip_suffix("-regex").and_then(subject)?)
                }
            }
        })
    }
}

impl Reader<'_> {
    /// The alternatives that an expression holds, at least one. `depth` is how many filters it
    /// stands within.
    pub(super) fn alternatives(&mut self, node: Node<'_>, depth: usize) -> Vec<Located<Filter>> {
        let filters = match self.head(node) {
            _ if depth > MAX_DEPTH => {
                self.report(DiagnosticKind::TooDeep, node.span());
                None
            }
            None => {
                self.report(DiagnosticKind::NoFilter, node.span());
                None
            }
            Some(name) => self.filter(name, node, depth),
        };
        match filters {
            Some(filters) if !filters.is_empty() => filters
                .into_iter()
                .map(|filter| Located::at(filter, node.span()))
                .collect(),
            _ => vec![Located::at(Filter::Other(self.raw(node)), node.span())],
        }
    }

    /// `None`, with a remark, if the filter cannot be understood.
    fn filter(&mut self, name: &str, node: Node<'_>, depth: usize) -> Option<Vec<Filter>> {
        match name {
            "require-any" | "require-all" => return self.combination(name, node, depth),
            "require-not" => return self.negation(node, depth),
            "remote" => {
                return self
                    .endpoint(name, node)
                    .map(|end| vec![Filter::Remote(end)]);
            }
            "local" => {
                return self
                    .endpoint(name, node)
                    .map(|end| vec![Filter::Local(end)]);
            }
            _ => {}
        }
        if let Some(textual) = Textual::from_name(name) {
            let takes = "strings, at least one";
            return self.each(name, node, takes, |reader, node| {
                reader.textual(&textual, node)
            });
        }
        if let Some(quantity) = Quantity::from_name(name) {
            let takes = "numbers or symbols, at least one";
            return self.each(name, node, takes, |reader, node| {
                reader
                    .value(node)
                    .map(|value| Filter::Value(quantity, value))
            });
        }
        match name {
            "target" => self.each(
                name,
                node,
                "`self`, `same-sandbox`, `children` or `others`",
                |reader, node| {
                    reader
                        .word(node)
                        .and_then(Target::from_name)
                        .map(Filter::Target)
                },
            ),
            "vnode-type" => self.each(
                name,
                node,
                "kinds of files, such as `REGULAR-FILE`",
                |reader, node| {
                    reader
                        .word(node)
                        .and_then(VnodeType::from_name)
                        .map(Filter::VnodeType)
                },
            ),
            "file-mode" => self.each(
                name,
                node,
                "permission bits, such as `#o0004`",
                |reader, node| {
                    reader
                        .number(node)
                        .and_then(|bits| u32::try_from(bits).ok())
                        .map(Filter::FileMode)
                },
            ),
            _ => {
                let head = node
                    .children()
                    .next()
                    .map_or(node.span(), |head| head.span());
                self.report(DiagnosticKind::UnknownFilter(name.into()), head);
                None
            }
        }
    }

    /// One filter for each argument.
    fn each(
        &mut self,
        name: &str,
        node: Node<'_>,
        takes: &'static str,
        one: impl Fn(&mut Self, Node<'_>) -> Option<Filter>,
    ) -> Option<Vec<Filter>> {
        let mut filters = Vec::new();
        for argument in node.children().skip(1) {
            match one(self, argument) {
                Some(filter) => filters.push(filter),
                None => {
                    self.bad_argument(name, takes, argument);
                    return None;
                }
            }
        }
        if filters.is_empty() {
            self.bad_argument(name, takes, node);
        }
        Some(filters)
    }

    fn bad_argument(&mut self, name: &str, takes: &'static str, node: Node<'_>) {
        let filter = name.into();
        self.report(DiagnosticKind::BadArgument { filter, takes }, node.span());
    }

    fn textual(&mut self, textual: &Textual, node: Node<'_>) -> Option<Filter> {
        let text = Text::parsed(self.text(node)?);
        Some(match *textual {
            Textual::Path(make) => Filter::Path(self.path(make, text, node)),
            Textual::PathPattern => Filter::Path(PathMatch::Regex(self.pattern(text, node))),
            Textual::Name(subject, make) => Filter::Name(subject, make(text)),
            Textual::NamePattern(subject) => {
                Filter::Name(subject, Match::Regex(self.pattern(text, node)))
            }
            Textual::Extension => Filter::Extension(text),
            Textual::Entitlement => Filter::Entitlement(text),
        })
    }

    fn path(&mut self, make: fn(Text) -> PathMatch, text: Text, node: Node<'_>) -> PathMatch {
        let path = make(text);
        if let Some(flaw) = path.flaw() {
            self.report(DiagnosticKind::Text(flaw), node.span());
        }
        path
    }

    fn pattern(&mut self, text: Text, node: Node<'_>) -> Pattern {
        let pattern = Pattern::parsed(text);
        if let Err(PatternErrorKind::Unknown { at }) =
            pattern.pieces().map_err(|error| error.kind())
        {
            self.report(DiagnosticKind::Pattern { at }, node.span());
        }
        pattern
    }

    fn combination(&mut self, name: &str, node: Node<'_>, depth: usize) -> Option<Vec<Filter>> {
        let mut filters = Vec::new();
        for argument in node.children().skip(1) {
            let alternatives = self.alternatives(argument, depth + 1);
            if name == "require-any" {
                filters.extend(alternatives);
            } else {
                filters.push(self.one_of(alternatives, argument)?);
            }
        }
        if filters.is_empty() {
            self.bad_argument(name, "filters, at least one", node);
            return None;
        }
        let Ok(filters) = Filters::new(filters) else {
            self.report(DiagnosticKind::TooDeep, node.span());
            return None;
        };
        Some(vec![if name == "require-any" {
            Filter::Any(filters)
        } else {
            Filter::All(filters)
        }])
    }

    fn negation(&mut self, node: Node<'_>, depth: usize) -> Option<Vec<Filter>> {
        let arguments: Vec<_> = node.children().skip(1).take(2).collect();
        let &[argument] = arguments.as_slice() else {
            self.bad_argument("require-not", "one filter", node);
            return None;
        };
        let alternatives = self.alternatives(argument, depth + 1);
        let filter = self.one_of(alternatives, argument)?;
        let Ok(negated) = Negated::new(filter) else {
            self.report(DiagnosticKind::TooDeep, node.span());
            return None;
        };
        Some(vec![Filter::Not(negated)])
    }

    /// Alternatives as one filter, where one is needed.
    fn one_of(
        &mut self,
        mut alternatives: Vec<Located<Filter>>,
        node: Node<'_>,
    ) -> Option<Located<Filter>> {
        if alternatives.len() == 1 {
            return alternatives.pop();
        }
        let Ok(filters) = Filters::new(alternatives) else {
            self.report(DiagnosticKind::TooDeep, node.span());
            return None;
        };
        Some(Located::at(Filter::Any(filters), node.span()))
    }

    /// `(remote tcp "HOST:PORT")`, `(remote unix-socket (path-literal "…"))`.
    fn endpoint(&mut self, name: &str, node: Node<'_>) -> Option<Endpoint> {
        let arguments: Vec<_> = node.children().skip(1).take(3).collect();
        let endpoint = match *arguments.as_slice() {
            [kind] => self.endpoint_of(kind, None),
            [kind, address] => self.endpoint_of(kind, Some(address)),
            _ => None,
        };
        if endpoint.is_none() {
            let takes = "a protocol and an address with the host `*` or `localhost`, \
                         or `unix-socket` and a filter on its path";
            self.bad_argument(name, takes, node);
        }
        endpoint
    }

    fn endpoint_of(&mut self, kind: Node<'_>, address: Option<Node<'_>>) -> Option<Endpoint> {
        let kind = self.word(kind)?;
        if matches!(kind, "unix-socket" | "unix") {
            let Some(path) = address else {
                return Some(Endpoint::Unix(None));
            };
            let mut arguments = path.children().skip(1);
            let (argument, None) = (arguments.next()?, arguments.next()) else {
                return None;
            };
            let textual = Textual::from_name(self.head(path)?)?;
            return match self.textual(&textual, argument)? {
                Filter::Path(path) => Some(Endpoint::Unix(Some(path))),
                _ => None,
            };
        }
        let protocol = Protocol::from_name(kind)?;
        let Some(address) = address else {
            return Some(Endpoint::Inet(protocol, None));
        };
        if address.kind() != NodeKind::String {
            return None;
        }
        let address = Address::parse(&self.text(address)?)?;
        Some(Endpoint::Inet(protocol, Some(address)))
    }
}
