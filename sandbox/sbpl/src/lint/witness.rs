//! Requests that a rule is about, to ask the judge what becomes of them.

use std::net::SocketAddr;

use super::FindingKind;
use crate::ast::{
    Class, Endpoint, Filter, Host, Match, Operation, PathMatch, Pattern, Piece, Port, Protocol,
    Repeat, Rule, Subject,
};
use crate::judge::{Decider, Decision, Judge, Request, Settlement, Socket, Transport};

/// How many requests of a rule are asked about.
const MAX_REQUESTS: usize = 8;

/// A request, and what it is about in words.
#[derive(Clone)]
struct Witness {
    request: Request,
    about: String,
}

/// A request that this rule decides under one reading and that meets something else under another.
pub(super) fn depends_on_reading(judge: &Judge, number: usize, rule: &Rule) -> Option<FindingKind> {
    if rule.filters().is_empty() {
        return None;
    }
    for operation in rule
        .operations()
        .iter()
        .flat_map(|operation| concrete(operation))
    {
        let start = Witness {
            request: Request::new(operation.clone()),
            about: String::new(),
        };
        let filters = rule.filters().iter();
        let witnesses = filters.flat_map(|filter| witnesses(filter, &start));
        for witness in witnesses.take(MAX_REQUESTS) {
            let Settlement::Open(verdicts) = judge.settle(&witness.request) else {
                continue;
            };
            let all = [verdicts.flat, verdicts.specific, verdicts.filtered_first];
            let is_known = all
                .iter()
                .all(|verdict| verdict.decision != Decision::Unknown);
            let decides = all
                .iter()
                .any(|verdict| verdict.by == Decider::Rule(number));
            if is_known && decides {
                return Some(FindingKind::DependsOnReading {
                    operation: operation.clone(),
                    verdicts: Box::new(verdicts),
                    about: witness.about.into(),
                });
            }
        }
    }
    None
}

/// What a wildcard covers; anything else is itself.
fn concrete(operation: &Operation) -> Vec<&'static Operation> {
    let covers = |other: &&Operation| other.chain().any(|wildcard| wildcard == *operation);
    let is_leaf = |other: &&Operation| {
        !Operation::ALL
            .iter()
            .any(|child| child.parent().as_ref() == Some(*other))
    };
    Operation::ALL
        .iter()
        .filter(covers)
        .filter(is_leaf)
        .collect()
}

/// Requests that the filter matches, as far as one can be made up.
fn witnesses(filter: &Filter, start: &Witness) -> Vec<Witness> {
    let about = |request: Request, about: String| Witness { request, about };
    let path = |path: Vec<u8>| {
        let text = format!("`{}`", path.escape_ascii());
        about(start.request.clone().path(&path), text)
    };
    let same = |request: Request| vec![about(request, start.about.clone())];
    match filter {
        Filter::Path(matching) => paths(matching).into_iter().map(path).collect(),
        Filter::Name(subject, matching) => match name(matching) {
            Some(name) => vec![named(start, *subject, &name)],
            None => Vec::new(),
        },
        Filter::Remote(Endpoint::Unix(matching)) => {
            let all = matching
                .as_ref()
                .map_or_else(|| vec![b"/x".to_vec()], paths);
            let connect = |path: Vec<u8>| {
                let text = format!("`{}`", path.escape_ascii());
                about(start.request.clone().remote(Socket::Unix(path)), text)
            };
            all.into_iter().map(connect).collect()
        }
        Filter::Remote(Endpoint::Inet(protocol, address)) => {
            let host = address.map_or(Host::Any, |address| address.host);
            let port = match address.map_or(Port::Any, |address| address.port) {
                Port::Any => 443,
                Port::Number(port) => port,
            };
            let ip = match host {
                Host::Any => [192, 0, 2, 1],
                Host::Localhost => [127, 0, 0, 1],
            };
            let transport = match protocol {
                Protocol::Udp | Protocol::Udp4 | Protocol::Udp6 => Transport::Udp,
                _ => Transport::Tcp,
            };
            let address = SocketAddr::from((ip, port));
            let request = start
                .request
                .clone()
                .remote(Socket::Inet(transport, address));
            vec![about(request, format!("`{address}`"))]
        }
        Filter::VnodeType(kind) => same(start.request.clone().vnode_type(*kind)),
        Filter::Target(target) => {
            let request = start.request.clone().target(*target);
            vec![about(
                request,
                format!("a process that is `{}`", target.name()),
            )]
        }
        Filter::Value(quantity, value) => {
            let request = start.request.clone().value(*quantity, value.clone());
            let text = match start.about.as_str() {
                "" => format!("`{value}`"),
                before => before.into(),
            };
            vec![about(request, text)]
        }
        Filter::FileMode(bits) => same(start.request.clone().file_mode(*bits)),
        Filter::Extension(class) => same(start.request.clone().extensions([class])),
        Filter::Entitlement(name) => same(start.request.clone().entitlements([name])),
        Filter::Any(filters) => {
            let each = filters.iter().flat_map(|filter| witnesses(filter, start));
            each.take(MAX_REQUESTS).collect()
        }
        Filter::All(filters) => filters.iter().fold(vec![start.clone()], |found, filter| {
            let each = found.iter().flat_map(|before| witnesses(filter, before));
            each.take(MAX_REQUESTS).collect()
        }),
        Filter::Not(_) => vec![start.clone()],
        _ => Vec::new(),
    }
}

fn named(start: &Witness, subject: Subject, name: &[u8]) -> Witness {
    let request = start.request.clone();
    let request = if subject.is_object() {
        request.name(subject, name)
    } else {
        request.attribute(subject, name)
    };
    Witness {
        request,
        about: format!("`{}`", name.escape_ascii()),
    }
}

fn paths(matching: &PathMatch) -> Vec<Vec<u8>> {
    if matching.flaw().is_some() {
        return Vec::new();
    }
    match matching {
        PathMatch::Literal(text) => vec![text.as_bytes().to_vec()],
        PathMatch::Subpath(text) => {
            let below: &[u8] = if text.as_bytes() == b"/" { b"x" } else { b"/x" };
            vec![text.as_bytes().to_vec(), [text.as_bytes(), below].concat()]
        }
        PathMatch::Prefix(text) => vec![[text.as_bytes(), b"x"].concat()],
        PathMatch::Regex(pattern) => example(pattern).into_iter().collect(),
    }
}

fn name(matching: &Match) -> Option<Vec<u8>> {
    match matching {
        Match::Exact(text) => Some(text.as_bytes().to_vec()),
        Match::Prefix(text) => Some([text.as_bytes(), b"x"].concat()),
        Match::Regex(pattern) => example(pattern),
    }
}

/// A text in which the pattern is found: every repetition once or not at all, every choice its
/// first. `None` if that takes more than is known here.
fn example(pattern: &Pattern) -> Option<Vec<u8>> {
    let pieces = pattern.pieces().ok()?;
    let mut text = String::new();
    // Where each group that is open began, and whether its first branch is over.
    let mut groups: Vec<(usize, bool)> = Vec::new();
    let mut skipping = 0_usize;
    let mut last = 0;
    for piece in &pieces {
        let is_skipped = skipping > 0;
        match piece {
            Piece::Open => {
                groups.push((text.len(), is_skipped));
                skipping += usize::from(is_skipped);
            }
            Piece::Or if groups.is_empty() => break,
            Piece::Or => {
                let (_, is_over) = groups.last_mut()?;
                skipping += usize::from(!*is_over);
                *is_over = true;
            }
            Piece::Close => {
                let (start, is_over) = groups.pop()?;
                skipping = skipping.saturating_sub(usize::from(is_over));
                last = start;
            }
            _ if is_skipped => {}
            Piece::Start | Piece::End => {}
            Piece::Literal(char) => {
                last = text.len();
                text.push(*char);
            }
            Piece::Any => {
                last = text.len();
                text.push('x');
            }
            Piece::Class(class) => {
                last = text.len();
                text.push(member(class)?);
            }
            Piece::Repeat(Repeat::OneOrMore) => {}
            Piece::Repeat(Repeat::ZeroOrMore | Repeat::Optional) => text.truncate(last),
        }
    }
    if text.is_empty() {
        text.push('x');
    }
    Some(text.into_bytes())
}

fn member(class: &Class) -> Option<char> {
    let within = |char: char| {
        class
            .ranges
            .iter()
            .any(|&(first, last)| first <= char && char <= last)
    };
    if class.negated {
        "x0_-ay".chars().find(|&char| !within(char))
    } else {
        class.ranges.first().map(|&(first, _)| first)
    }
}
