//! Every example of `docs/grants.md`: its grants are frozen in a stock Mac, and each line below is
//! asked of the guard and of the profile, under every reading.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use objcap::capability::{Act, Grant, Guard, NetAccess, Stack};
use objcap::object::{Host, Memory, RealPath};
use objcap::sandbox::{Asked, Decision, Profile, Reading, act_requests};
use objcap::sbpl::judge::{Socket, Transport};
use objcap::sbpl::{Judge, Operation, Request, parse};

/// One example: grants that are layers, and the lines below them.
#[derive(Debug)]
struct Example {
    line: usize,
    grants: Vec<String>,
    lines: Vec<(String, String)>,
}

fn examples() -> Vec<Example> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/grants.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut examples = Vec::new();
    let mut grants = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let block = lines.by_ref().map(|(_, line)| line);
        let block: Vec<_> = block.take_while(|line| *line != "```").collect();
        match kind {
            "toml" => grants.push(block.join("\n")),
            "text" => examples.push(Example {
                line: number + 1,
                grants: std::mem::take(&mut grants),
                lines: block.into_iter().map(expectation).collect(),
            }),
            other => panic!("{}: a block of {other:?}", number + 1),
        }
    }
    assert!(grants.is_empty(), "a grant without lines below: {grants:?}");
    examples
}

fn expectation(line: &str) -> (String, String) {
    let (what, of) = line.split_once(':').unwrap();
    (what.to_owned(), of.trim().to_owned())
}

/// Makes what an example says is there.
fn given(tree: &mut Memory, own: &mut Vec<PathBuf>, line: &str) {
    let (kind, rest) = line.split_once(' ').unwrap();
    let (real, more) = rest.split_once(' ').unwrap_or((rest, ""));
    match kind {
        "file" => tree.file(real),
        "folder" => tree.directory(real),
        "link" => tree.link(real, more),
        "script" => tree.write(real, format!("{more}\n")),
        "name" => assert!(tree.link_hard(more, real), "{line}"),
        "own" => {
            tree.file(real);
            own.push(real.into());
        }
        _ => panic!("{line}"),
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Said {
    guard: bool,
    profile: bool,
}

/// What guard and profile say; the profile must say the same under every reading.
fn ask(line: &str, host: &Host<Memory>, stack: &Stack<Memory>, profile: &Profile) -> Said {
    let (access, of) = line.split_once(' ').unwrap();
    let path = |path: &str| path.replacen('~', "/Users/me", usize::from(path.starts_with('~')));
    if access == "connect" {
        return connect(of, host, stack, profile);
    }
    let act = Act::ALL.into_iter().find(|act| act.name() == access);
    let act = act.unwrap_or_else(|| panic!("{line}"));
    let guard = Guard::new(host, stack);
    let (admitted, requests): (bool, Vec<Asked>) = if act == Act::Exec {
        let (program, arguments) = of.split_once(" -- ").unwrap_or((of, ""));
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let run = guard.judge_exec(path(program), &arguments).unwrap();
        let files: Vec<_> = [&run.program]
            .into_iter()
            .chain(&run.interpreters)
            .collect();
        let requests = files
            .iter()
            .flat_map(|file| act_requests(act, &[file.object()], host));
        (
            files.iter().all(|file| file.is_admitted()),
            requests.collect(),
        )
    } else {
        let paths: Vec<_> = of.split(' ').map(path).collect();
        assert_eq!(paths.len(), act.ends().len(), "{line}");
        let judged = guard.judge_act(act, &paths).unwrap();
        let objects: Vec<_> = judged.iter().map(|one| one.object()).collect();
        let requests = act_requests(act, &objects, host);
        (judged.iter().all(|one| one.is_admitted()), requests)
    };
    let settled = profile.explain(&requests).settled();
    Said {
        guard: admitted,
        profile: settled.unwrap_or_else(|| panic!("the readings differ: {line}"))
            == Decision::Allow,
    }
}

fn connect(to: &str, host: &Host<Memory>, stack: &Stack<Memory>, profile: &Profile) -> Said {
    let request = Request::new(Operation::NetworkOutbound);
    let (guard, request) = match to.strip_prefix("tcp:") {
        Some(address) => {
            let address: SocketAddr = address.parse().unwrap();
            let socket = Socket::Inet(Transport::Tcp, address);
            (stack.net() == NetAccess::Open, request.remote(socket))
        }
        None => {
            let real = RealPath::new(to).unwrap();
            let named = stack.sockets(host);
            let named = named.iter().any(|one| one.covers(&real, host));
            (named, request.remote(Socket::Unix(to.into())))
        }
    };
    let parsed = parse(profile.text().as_bytes());
    let judge = Judge::new(parsed.profile());
    let allowed = Reading::ALL.map(|reading| judge.decide(&request, reading).decision);
    assert!(allowed.iter().all(|one| *one == allowed[0]), "{to}");
    Said {
        guard,
        profile: allowed[0] == Decision::Allow,
    }
}

#[test]
fn every_example_says_what_guard_and_profile_say() {
    let examples = examples();
    assert!(examples.len() > 30, "{}", examples.len());
    let wrong: Vec<_> = examples.iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The lines of an example that do not hold.
fn wrong(example: &Example) -> Vec<String> {
    let at = format!("docs/grants.md:{}", example.line);
    let lines = |what| {
        let lines = example.lines.iter().filter(move |(kind, _)| kind == what);
        lines.map(|(_, of)| of.as_str())
    };
    let mut host = Host::stock_mac();
    let mut own = Vec::new();
    for line in lines("given") {
        given(&mut host.tree, &mut own, line);
    }
    let frozen = || -> Result<_, objcap::capability::Error> {
        let grants = example.grants.iter();
        let grants = grants.map(|text| {
            let grant = Grant::parse("grant.toml", text.as_bytes(), &host.vars)?;
            let own = own.iter();
            Ok(own.fold(grant, |grant, own| grant.protect_self(own.clone())))
        });
        let grants = grants.collect::<Result<Vec<_>, objcap::capability::Error>>()?;
        Stack::freeze(&grants, &host)
    };
    if let Some(message) = lines("error").next() {
        let error = frozen().map(|_| ()).unwrap_err().to_string();
        let found = error.contains(message);
        return if found {
            Vec::new()
        } else {
            vec![format!("{at}: {error}")]
        };
    }
    let stack = frozen().unwrap_or_else(|error| panic!("{at}: {error}"));
    let profile = Profile::render(&stack, &host).unwrap_or_else(|error| panic!("{at}: {error}"));
    let mut wrong = Vec::new();
    let mut admitted = false;
    for (what, of) in &example.lines {
        let (guard, profile_says) = match &what[..] {
            "admitted" => (true, true),
            "refused" => (false, false),
            "guard alone refuses" => (false, true),
            "given" | "lint" => continue,
            _ => panic!("{at}: {what}"),
        };
        admitted |= guard;
        assert!(admitted, "{at}: something is admitted first");
        let expected = Said {
            guard,
            profile: profile_says,
        };
        let said = ask(of, &host, &stack, &profile);
        if said != expected {
            wrong.push(format!("{at}: {of}: {said:?}, not {expected:?}"));
        }
    }
    if let Some(names) = lines("lint").next() {
        let found: Vec<_> = stack.lint(&host).iter().map(|one| one.name()).collect();
        if found.join(", ") != names {
            wrong.push(format!("{at}: {found:?}"));
        }
    }
    wrong
}
