//! Filters in the form they are judged in, and whether one holds for a request.
//!
//! A filter about a kind of object that the request's object is not does not match; one about
//! something that the request could state and does not is unknown.

use std::sync::Arc;

use super::answer::Answer;
use super::key::Key;
use super::pattern::{NamePattern, PathPattern};
use super::request::{End, Object, Request};
use super::{socket, value};
use crate::ast::{
    Address, Endpoint, Filter, Match, Operation, PathMatch, Protocol, Quantity, Subject, Target,
    Value, VnodeType,
};

/// A filter, made ready. Nested no deeper than the filter it was made from.
#[derive(Debug)]
pub(super) enum Condition {
    Path(PathCondition),
    Name(Subject, NameCondition),
    Value(Quantity, Value),
    Remote(EndCondition),
    Local(EndCondition),
    Target(Target),
    VnodeType(VnodeType),
    FileMode(u32),
    Extension(Vec<u8>),
    Entitlement(Vec<u8>),
    Any(Vec<Arc<Condition>>),
    All(Vec<Arc<Condition>>),
    Not(Box<Condition>),
    Undecidable,
}

#[derive(Debug)]
pub(super) enum PathCondition {
    Never,
    Literal(Key),
    Subpath(Key),
    Prefix(Key),
    Regex(PathPattern),
}

#[derive(Debug)]
pub(super) enum NameCondition {
    Exact(Vec<u8>),
    Prefix(Vec<u8>),
    Regex(NamePattern),
}

#[derive(Debug)]
pub(super) enum EndCondition {
    Inet(Protocol, Option<Address>),
    Unix(Option<PathCondition>),
}

impl Condition {
    pub(super) fn new(filter: &Filter) -> Self {
        match filter {
            Filter::Path(path) => Self::Path(PathCondition::new(path)),
            Filter::Name(subject, matching) => Self::Name(*subject, NameCondition::new(matching)),
            Filter::Value(quantity, value) => Self::Value(*quantity, value.clone()),
            Filter::Remote(endpoint) => Self::Remote(EndCondition::new(endpoint)),
            Filter::Local(endpoint) => Self::Local(EndCondition::new(endpoint)),
            Filter::Target(target) => Self::Target(*target),
            Filter::VnodeType(kind) => Self::VnodeType(*kind),
            Filter::FileMode(bits) => Self::FileMode(*bits),
            Filter::Extension(class) => Self::Extension(class.as_bytes().to_vec()),
            Filter::Entitlement(name) => Self::Entitlement(name.as_bytes().to_vec()),
            Filter::EntitlementValue(name, _) => {
                // A request does not state values.
                let listed = Self::Entitlement(name.as_bytes().to_vec());
                Self::All(vec![Arc::new(listed), Arc::new(Self::Undecidable)])
            }
            Filter::Any(filters) => {
                Self::Any(filters.iter().map(|f| Arc::new(Self::new(f))).collect())
            }
            Filter::All(filters) => {
                Self::All(filters.iter().map(|f| Arc::new(Self::new(f))).collect())
            }
            Filter::Not(negated) => Self::Not(Box::new(Self::new(negated.filter()))),
            Filter::Other(_) => Self::Undecidable,
        }
    }

    pub(super) fn holds(&self, request: &Request) -> Answer {
        match self {
            Self::Path(path) => path_holds(path, request),
            Self::Name(subject, name) => match &request.object {
                Object::Name(stated, bytes) if stated == subject => name.holds(bytes),
                _ if !subject.is_object() => request
                    .attributes
                    .iter()
                    .rev()
                    .find(|(stated, _)| stated == subject)
                    .map_or(Answer::Unknown, |(_, bytes)| name.holds(bytes)),
                Object::Unstated => Answer::Unknown,
                _ => Answer::No,
            },
            Self::Value(quantity, value) => {
                // The last one stated stands.
                let stated = request
                    .values
                    .iter()
                    .rev()
                    .find(|(stated, _)| stated == quantity);
                stated.map_or(Answer::Unknown, |(_, stated)| {
                    value::is_same(*quantity, value, stated)
                })
            }
            Self::Remote(end) => remote_holds(end, request),
            Self::Local(end) => local_holds(end, request),
            Self::Target(target) => target_holds(*target, request),
            Self::VnodeType(kind) => vnode_type_holds(*kind, request),
            Self::FileMode(bits) => file_mode_holds(*bits, request),
            Self::Extension(class) => is_listed(class, request.extensions.as_deref()),
            Self::Entitlement(name) => is_listed(name, request.entitlements.as_deref()),
            Self::Any(all) => Answer::any(all.iter().map(|condition| condition.holds(request))),
            Self::All(all) => Answer::all(all.iter().map(|condition| condition.holds(request))),
            Self::Not(condition) => condition.holds(request).not(),
            Self::Undecidable => Answer::Unknown,
        }
    }
}

impl PathCondition {
    fn new(path: &PathMatch) -> Self {
        // The text of a filter is not normalised, so that some never match.
        if path.flaw().is_some() {
            return Self::Never;
        }
        match path {
            PathMatch::Literal(text) => Self::Literal(Key::new(text.as_bytes())),
            PathMatch::Subpath(text) => Self::Subpath(Key::new(text.as_bytes())),
            PathMatch::Prefix(text) => Self::Prefix(Key::new(text.as_bytes())),
            PathMatch::Regex(pattern) => Self::Regex(PathPattern::new(pattern)),
        }
    }

    fn holds(&self, path: &Key) -> Answer {
        match self {
            Self::Never => Answer::No,
            Self::Literal(literal) => (path == literal).into(),
            Self::Subpath(root) => path.is_within(root).into(),
            Self::Prefix(prefix) => path.as_bytes().starts_with(prefix.as_bytes()).into(),
            Self::Regex(pattern) => pattern.is_found_in(path),
        }
    }
}

impl NameCondition {
    fn new(matching: &Match) -> Self {
        match matching {
            Match::Exact(name) => Self::Exact(name.as_bytes().to_vec()),
            Match::Prefix(prefix) => Self::Prefix(prefix.as_bytes().to_vec()),
            Match::Regex(pattern) => Self::Regex(NamePattern::new(pattern)),
        }
    }

    fn holds(&self, name: &[u8]) -> Answer {
        match self {
            Self::Exact(exact) => (name == exact).into(),
            Self::Prefix(prefix) => name.starts_with(prefix).into(),
            Self::Regex(pattern) => pattern.is_found_in(name),
        }
    }
}

impl EndCondition {
    fn new(endpoint: &Endpoint) -> Self {
        match endpoint {
            Endpoint::Inet(protocol, address) => Self::Inet(*protocol, *address),
            Endpoint::Unix(path) => Self::Unix(path.as_ref().map(PathCondition::new)),
        }
    }

    fn holds(&self, end: Option<&End>) -> Answer {
        match (self, end) {
            (_, None) => Answer::Unknown,
            (Self::Inet(protocol, address), Some(end)) => socket::is_inet(end, *protocol, *address),
            (Self::Unix(None), Some(End::Unix(_))) => Answer::Yes,
            (Self::Unix(Some(condition)), Some(End::Unix(path))) => condition.holds(path),
            (Self::Unix(_), Some(End::Inet(..))) => Answer::No,
        }
    }
}

/// The path that a path filter compares.
pub(super) enum PathOf<'r> {
    Path(&'r Key),
    /// The object has none.
    None,
    /// The request does not state it.
    Unstated,
}

/// A path filter on a network operation is about the path of a socket.
pub(super) fn path_of(request: &Request) -> PathOf<'_> {
    match &request.object {
        Object::Unstated => PathOf::Unstated,
        Object::Path(path) => PathOf::Path(path),
        Object::Name(..) => PathOf::None,
        Object::Socket { remote, local } => {
            let end = match request.operation() {
                Operation::NetworkOutbound => remote.as_ref(),
                Operation::NetworkInbound | Operation::NetworkBind => local.as_ref(),
                _ => remote.as_ref().or(local.as_ref()),
            };
            match end {
                None => PathOf::Unstated,
                Some(End::Unix(path)) => PathOf::Path(path),
                Some(End::Inet(..)) => PathOf::None,
            }
        }
    }
}

fn path_holds(condition: &PathCondition, request: &Request) -> Answer {
    match path_of(request) {
        PathOf::Path(path) => condition.holds(path),
        PathOf::None => Answer::No,
        PathOf::Unstated => Answer::Unknown,
    }
}

fn remote_holds(condition: &EndCondition, request: &Request) -> Answer {
    match &request.object {
        Object::Unstated => Answer::Unknown,
        Object::Path(_) | Object::Name(..) => Answer::No,
        // Measured: `(deny network-inbound (remote ip "*:*"))` refuses no connection.
        Object::Socket { .. } if *request.operation() == Operation::NetworkInbound => Answer::No,
        Object::Socket { remote, .. } => condition.holds(remote.as_ref()),
    }
}

fn local_holds(condition: &EndCondition, request: &Request) -> Answer {
    match &request.object {
        Object::Unstated => Answer::Unknown,
        Object::Path(_) | Object::Name(..) => Answer::No,
        Object::Socket { remote, local } => {
            let is_connect = *request.operation() == Operation::NetworkOutbound;
            match (condition, remote) {
                // Measured: on network-outbound it matches every connect, whatever the address.
                (EndCondition::Inet(Protocol::Ip, _), Some(End::Inet(..))) if is_connect => {
                    Answer::Yes
                }
                _ if is_connect => Answer::Unknown,
                _ => condition.holds(local.as_ref()),
            }
        }
    }
}

fn target_holds(target: Target, request: &Request) -> Answer {
    let Some(stated) = request.target else {
        return Answer::Unknown;
    };
    match (target, stated) {
        _ if target == stated => Answer::Yes,
        (Target::Itself, _) => Answer::No,
        (Target::SameSandbox, Target::Itself) => Answer::Yes,
        (Target::SameSandbox | Target::Children | Target::ProcessGroup, Target::Others) => {
            Answer::No
        }
        (Target::Others | Target::Children, Target::Itself) => Answer::No,
        // Whether a child, or another process of the same sandbox, is among the others is not
        // known, nor which of them share a sandbox.
        _ => Answer::Unknown,
    }
}

fn vnode_type_holds(kind: VnodeType, request: &Request) -> Answer {
    if is_no_file(&request.object) {
        return Answer::No;
    }
    let Some(stated) = request.vnode_type else {
        return Answer::Unknown;
    };
    match (kind, stated) {
        // A terminal is a character device; whether each filter takes the other is not known.
        (VnodeType::Tty, VnodeType::CharacterDevice)
        | (VnodeType::CharacterDevice, VnodeType::Tty) => Answer::Unknown,
        _ => (kind == stated).into(),
    }
}

/// Measured with a single bit. With several, whether one or all must be set is not known.
fn file_mode_holds(bits: u32, request: &Request) -> Answer {
    if is_no_file(&request.object) {
        return Answer::No;
    }
    let Some(mode) = request.file_mode else {
        return Answer::Unknown;
    };
    match mode & bits {
        _ if bits == 0 => Answer::Unknown,
        0 => Answer::No,
        common if common == bits => Answer::Yes,
        _ => Answer::Unknown,
    }
}

fn is_no_file(object: &Object) -> bool {
    let is_inet = |end: &Option<End>| matches!(end, Some(End::Inet(..)));
    match object {
        Object::Name(..) => true,
        Object::Socket { remote, local } => is_inet(remote) || is_inet(local),
        Object::Unstated | Object::Path(_) => false,
    }
}

fn is_listed(name: &[u8], list: Option<&[Vec<u8>]>) -> Answer {
    list.map_or(Answer::Unknown, |list| {
        list.iter().any(|listed| listed == name).into()
    })
}
