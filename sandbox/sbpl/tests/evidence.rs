//! Decisions of real kernels, against the judge.
//!
//! Each case of `testdata/evidence.toml` is asked the way the kernel was: `file-read-metadata` on
//! each link that the lookup passed, then the operation on the name that the kernel resolved. The
//! counts of all readings are asserted, so that a change of the model shows.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test may stop at a surprise"
)]

use std::collections::BTreeMap;

use sbpl::ast::Subject;
use sbpl::judge::{Decision, Socket, Transport};
use sbpl::{Judge, Operation, Parser, Reading, Request};

#[derive(serde::Deserialize)]
struct Evidence {
    case: Vec<Case>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "macos")]
    _macos: String,
    #[serde(rename = "evidence")]
    _evidence: String,
    #[serde(rename = "syscall")]
    _syscall: Option<String>,
    operation: String,
    target: String,
    resolved: Option<String>,
    #[serde(default)]
    links: Vec<String>,
    #[serde(default)]
    params: BTreeMap<String, String>,
    net: Option<Net>,
    file_mode: Option<String>,
    observed: String,
    rules: String,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Net {
    domain: String,
    proto: Option<String>,
    local: Option<String>,
    remote: Option<String>,
    path: Option<String>,
}

impl Case {
    fn judge(&self) -> Judge {
        let parser = self
            .params
            .iter()
            .fold(Parser::new(), |parser, (name, value)| {
                parser.parameter(name.as_str(), value.as_str())
            });
        Judge::new(parser.parse(self.rules.as_bytes()).profile())
    }

    fn requests(&self) -> Vec<Request> {
        let metadata = |link: &String| Request::new(Operation::FileReadMetadata).path(link);
        let mut requests: Vec<_> = self.links.iter().map(metadata).collect();
        requests.push(self.final_request());
        requests
    }

    fn final_request(&self) -> Request {
        let name = self.resolved.as_ref().unwrap_or(&self.target);
        let request = Request::new(Operation::from_name(&self.operation).unwrap());
        match request.operation() {
            Operation::MachLookup => request.name(Subject::GlobalName, name),
            Operation::IpcPosixShmWriteCreate => request.name(Subject::IpcPosixName, name),
            Operation::NetworkInbound | Operation::NetworkOutbound => {
                self.net.as_ref().unwrap().state(request)
            }
            _ => {
                let request = request.path(name);
                match &self.file_mode {
                    Some(bits) => request.file_mode(u32::from_str_radix(bits, 8).unwrap()),
                    None => request,
                }
            }
        }
    }

    /// What the judge makes of it; `None` if it does not know.
    fn judged(&self, judge: &Judge, reading: Reading) -> Option<&'static str> {
        let decide = |request: &Request| judge.decide(request, reading).decision;
        let decisions: Vec<_> = self.requests().iter().map(decide).collect();
        if decisions.contains(&Decision::Deny) {
            Some("deny")
        } else if decisions.contains(&Decision::Unknown) {
            None
        } else {
            Some("allow")
        }
    }
}

impl Net {
    fn state(&self, mut request: Request) -> Request {
        if self.domain == "AF_UNIX" {
            return request.remote(Socket::Unix(self.path.clone().unwrap().into_bytes()));
        }
        assert_eq!(self.proto.as_deref(), Some("tcp"));
        let inet = |address: &String| Socket::Inet(Transport::Tcp, address.parse().unwrap());
        if let Some(remote) = &self.remote {
            request = request.remote(inet(remote));
        }
        if let Some(local) = &self.local {
            request = request.local(inet(local));
        }
        request
    }
}

fn cases() -> Vec<Case> {
    toml::from_str::<Evidence>(include_str!("../testdata/evidence.toml"))
        .unwrap()
        .case
}

fn disagreements(reading: Reading) -> Vec<String> {
    let differs = |case: &Case| case.judged(&case.judge(), reading) != Some(case.observed.as_str());
    cases()
        .into_iter()
        .filter(differs)
        .map(|case| case.id)
        .collect()
}

#[test]
fn both_decisions_were_observed() {
    let cases = cases();
    assert_eq!(cases.len(), 138);
    assert_eq!(
        cases.iter().filter(|case| case.observed == "allow").count(),
        69
    );
    assert_eq!(
        cases.iter().filter(|case| case.observed == "deny").count(),
        69
    );
}

#[test]
fn filtered_first_agrees_with_every_decision() {
    assert_eq!(disagreements(Reading::FilteredFirst), [""; 0]);
}

#[test]
fn specific_agrees_with_every_decision() {
    assert_eq!(disagreements(Reading::Specific), [""; 0]);
}

#[test]
fn flat_agrees_with_all_but_seven() {
    assert_eq!(disagreements(Reading::Flat).len(), 138 - 131);
}
