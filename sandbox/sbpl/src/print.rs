//! The canonical text of a profile: ASCII, one rule on a line, and a rule that is long or has many
//! filters with one filter on a line.
//!
//! What is printed reads back as the same tree; a property test holds it to that. There are no
//! options, and comments are not known here.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::ast::{
    Address, Endpoint, EntitlementValue, Filter, Host, Match, Modifier, PathMatch, Pattern, Port,
    Profile, Rule, Subject, Text, Value,
};
use crate::syntax::{quoted, raw_quoted};

/// The head of a form that holds one which was not evaluated. No system defines it.
pub(crate) const NOT_EVALUATED: &str = "not-evaluated-by-sbpl";

/// A rule up to this long, in bytes, stands on one line if it has one filter or none.
const MAX_WIDTH: usize = 100;

impl Display for Profile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "(version {})", self.version())?;
        // Printed as it stood, such a form might do what it failed to do before: what it needs or
        // clashes with is not printed. So it stands in a form that the system refuses.
        for form in self.unevaluated() {
            writeln!(f, "({NOT_EVALUATED} '{})", **form)?;
        }
        for rule in self.rules() {
            writeln!(f, "{rule:#}")?;
        }
        Ok(())
    }
}

/// On one line; with `{:#}` in the layout of a profile.
impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut head = format!("({}", self.action().name());
        for operation in self.operations() {
            write!(head, " {}", **operation)?;
        }
        let filters = self.filters().iter().map(|filter| filter.to_string());
        let modifiers = self.modifiers().iter().map(|modifier| modifier.to_string());
        let parts: Vec<String> = filters.chain(modifiers).collect();

        let width = head.len() + parts.iter().map(|part| part.len() + 1).sum::<usize>() + 1;
        let has_many = self.filters().len() > 1 || width > MAX_WIDTH;
        let separator = if f.alternate() && has_many {
            "\n  "
        } else {
            " "
        };
        f.write_str(&head)?;
        for part in &parts {
            write!(f, "{separator}{part}")?;
        }
        f.write_str(")")
    }
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.fmt(f),
            Self::Name(subject, matching) => name(*subject, matching, f),
            Self::Value(quantity, value) => write!(f, "({} {value})", quantity.name()),
            Self::Remote(endpoint) => write!(f, "(remote {endpoint})"),
            Self::Local(endpoint) => write!(f, "(local {endpoint})"),
            Self::Target(target) => write!(f, "(target {})", target.name()),
            Self::VnodeType(kind) => write!(f, "(vnode-type {})", kind.name()),
            Self::FileMode(bits) => write!(f, "(file-mode #o{bits:04o})"),
            Self::Extension(class) => write!(f, "(extension {class})"),
            Self::Entitlement(name) => write!(f, "(require-entitlement {name})"),
            Self::EntitlementValue(name, value) => {
                write!(f, "(require-entitlement {name} {value})")
            }
            Self::Any(filters) => combination("require-any", filters.iter().map(|f| &**f), f),
            Self::All(filters) => combination("require-all", filters.iter().map(|f| &**f), f),
            Self::Not(negated) => write!(f, "(require-not {})", **negated.filter()),
            Self::Other(raw) => raw.fmt(f),
        }
    }
}

impl Display for EntitlementValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => f.write_str("(entitlement-value #t)"),
            Self::Bool(false) => f.write_str("(entitlement-value #f)"),
            Self::Text(Match::Exact(text)) => write!(f, "(entitlement-value {text})"),
            Self::Text(Match::Prefix(text)) => write!(f, "(entitlement-value-prefix {text})"),
            Self::Text(Match::Regex(pattern)) => write!(f, "(entitlement-value-regex {pattern})"),
        }
    }
}

fn combination<'f>(
    name: &str,
    filters: impl Iterator<Item = &'f Filter>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    write!(f, "({name}")?;
    for filter in filters {
        write!(f, " {filter}")?;
    }
    f.write_str(")")
}

fn name(subject: Subject, matching: &Match, f: &mut Formatter<'_>) -> fmt::Result {
    let subject = subject.name();
    match matching {
        Match::Exact(name) => write!(f, "({subject} {name})"),
        Match::Prefix(prefix) => write!(f, "({subject}-prefix {prefix})"),
        Match::Regex(pattern) => write!(f, "({subject}-regex {pattern})"),
    }
}

impl Display for PathMatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(path) => write!(f, "(literal {path})"),
            Self::Subpath(path) => write!(f, "(subpath {path})"),
            Self::Prefix(prefix) => write!(f, "(prefix {prefix})"),
            Self::Regex(pattern) => write!(f, "(regex {pattern})"),
        }
    }
}

impl Display for Endpoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inet(protocol, None) => f.write_str(protocol.name()),
            Self::Inet(protocol, Some(address)) => write!(f, "{} \"{address}\"", protocol.name()),
            Self::Unix(None) => f.write_str("unix-socket"),
            // Apple's own profiles write `path-literal` here, and `literal` elsewhere.
            Self::Unix(Some(PathMatch::Literal(path))) => {
                write!(f, "unix-socket (path-literal {path})")
            }
            Self::Unix(Some(path)) => write!(f, "unix-socket {path}"),
        }
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.host {
            Host::Any => f.write_str("*:")?,
            Host::Localhost => f.write_str("localhost:")?,
        }
        match self.port {
            Port::Any => f.write_str("*"),
            Port::Number(port) => port.fmt(f),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => symbol.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl Display for Modifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Report => f.write_str("(with report)"),
            Self::NoReport => f.write_str("(with no-report)"),
            Self::NoLog => f.write_str("(with no-log)"),
            Self::Message(text) => write!(f, "(with message {text})"),
            Self::Other(raw) => raw.fmt(f),
        }
    }
}

/// As a string of a profile, quotes included.
impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(self.as_bytes()))
    }
}

/// As a string of a profile, quotes included: raw where that will do.
impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match raw_quoted(self.as_bytes()) {
            Some(raw) => f.write_str(&raw),
            None => f.write_str(&quoted(self.as_bytes())),
        }
    }
}
