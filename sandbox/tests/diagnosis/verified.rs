//! Every hint, tried: the clauses that it proposes are written into the grants' own text, which is parsed, frozen and
//! rendered again, and then the request is admitted. None of them could be left out, and what an exclusion
//! speaks against is refused whatever is added.

use std::collections::BTreeMap;

use objcap_capability::{Access, Grant, Reach, Stack};
use objcap_object::{Host, Memory, RealPath};
use objcap_sandbox::diag::{Addition, Diagnoser, Hint, Log, Note};
use objcap_sandbox::{Asked, Decision, Profile};
use sbpl::judge::{Request, Socket};
use sbpl::{Judge, Operation, parse};

/// A grant's text as its lists, each value as TOML: what is added to it stands among what was there.
#[derive(Debug, Clone, Default, PartialEq)]
struct Draft(BTreeMap<&'static str, BTreeMap<&'static str, Vec<String>>>);

impl Draft {
    fn text(&self) -> String {
        let mut text = String::new();
        for (table, keys) in &self.0 {
            text += &format!("[{table}]\n");
            for (key, values) in keys {
                let values = match *key {
                    "access" => values.last().unwrap().clone(),
                    _ => format!("[{}]", values.join(", ")),
                };
                text += &format!("{key} = {values}\n");
            }
        }
        text
    }

    fn add(&mut self, addition: &Addition) {
        let table = self.0.entry(addition.setting().table()).or_default();
        table
            .entry(addition.setting().key())
            .or_default()
            .push(addition.toml());
    }
}

fn host() -> Host<Memory> {
    let mut host = Host::stock_mac();
    let tree = &mut host.tree;
    for folder in [
        "/w/in/deep",
        "/w/out",
        "/w/real",
        "/Users/me/app/.git/hooks",
        "/private/tmp/k",
    ] {
        tree.directory(folder);
    }
    tree.file("/Users/me/app/.env");
    tree.link("/w/via", "in");
    tree.link("/w/links/to", "/w/real");
    host
}

const PLACES: &[&str] = &[
    "~",
    "~/app",
    "~/app/.env",
    "~/app/.git",
    "/w",
    "/w/in",
    "/w/via/deep",
    "/w/links/to",
    "/tmp",
    "/tmp/k",
    "/",
    "/usr/bin",
    "/w/absent/x",
    "/private",
    "${TMPDIR}",
    "/w/in/deep/f",
    "/dev",
];

/// What is asked of files: names as the system presents them.
const NAMES: &[&str] = &[
    "/",
    "/w/in",
    "/w/in/deep",
    "/w/in/deep/f",
    "/w/links",
    "/w/real/a",
    "/Users/me",
    "/Users/me/app",
    "/Users/me/app/.env",
    "/Users/me/app/.ENV",
    "/Users/me/app/.git/hooks/x",
    "/private/tmp/k",
    "/private/tmp/k/a",
    "/tmp/k/a",
    "/private/var/folders/me/T/x",
    "/usr/bin/git",
    "/usr/bin/curl",
    "/w/absent/x/y",
    "/x y",
    "/w/q\"\\\u{e9}",
    "/dev/null",
    "/usr/local/bin/objcap",
    "/usr/local/bin",
    "/private",
    "/System/Volumes/Data/w/in",
];

/// Links, about which the system asks for what they are and for their own names.
const LINKS: &[&str] = &["/w/via", "/w/links/to"];

const OPERATIONS: &[&str] = &[
    "file-read-data",
    "file-read-metadata",
    "file-read-xattr",
    "file-write-data",
    "file-write-create",
    "file-write-unlink",
    "file-write-mode",
    "file-link",
    "file-clone",
    "file-test-existence",
    "file-map-executable",
    "process-exec*",
    "process-exec-interpreter",
];

struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % end
    }

    fn of<T: Copy>(&mut self, table: &[T]) -> T {
        table[self.below(table.len())]
    }

    fn draft(&mut self) -> Draft {
        let mut draft = Draft::default();
        let lists: &[(&str, &[&str])] = &[
            ("fs", &["read", "write", "exclude", "protect"]),
            ("exec", &["allow", "exclude", "veto"]),
            ("net", &["sockets"]),
        ];
        for (table, keys) in lists {
            if self.below(3) == 0 {
                continue;
            }
            let written = draft.0.entry(table).or_default();
            for key in *keys {
                let values: Vec<_> = (0..self.below(3))
                    .map(|_| match *key {
                        "veto" => "'curl'".to_owned(),
                        "allow" if self.below(5) == 0 => "'every'".to_owned(),
                        _ => format!("'{}'", self.of(PLACES)),
                    })
                    .collect();
                written.insert(key, values);
            }
            if *table == "net" && self.below(2) == 0 {
                written.insert(
                    "access",
                    vec![format!("'{}'", self.of(&["open", "offline"]))],
                );
            }
        }
        draft
    }

    /// A message, and the operation and name in it.
    fn asked(&mut self) -> (String, String) {
        match self.below(8) {
            0 => (
                "network-outbound".into(),
                self.of(&[
                    "/w/s",
                    "/private/tmp/k/s",
                    "/private/var/run/mDNSResponder",
                    "*:443",
                ])
                .into(),
            ),
            1 => ("network-bind".into(), self.of(&["/w/s", "*:80"]).into()),
            2 => (
                self.of(&["file-read-metadata", "file-write-unlink"]).into(),
                self.of(LINKS).into(),
            ),
            _ => (self.of(OPERATIONS).into(), self.of(NAMES).into()),
        }
    }
}

struct Frozen {
    stack: Stack<Memory>,
    profile: Profile,
}

fn frozen(drafts: &[Draft], host: &Host<Memory>) -> Result<Frozen, String> {
    let parsed = drafts
        .iter()
        .map(|draft| Grant::parse("g.toml", draft.text().as_bytes(), &host.vars));
    let grants: Vec<_> = parsed
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    let stack = Stack::freeze(&grants, host).map_err(|error| error.to_string())?;
    let profile = Profile::render(&stack, host).map_err(|error| error.to_string())?;
    Ok(Frozen { stack, profile })
}

impl Frozen {
    fn hint(&self, operation: &str, name: &str, host: &Host<Memory>) -> Hint {
        let mut log = Log::default();
        log.line(format!("Sandbox: cat(71) deny(1) {operation} {name}").as_bytes());
        let found = log.finish();
        Diagnoser::new(&self.profile, &self.stack, host)
            .denial(&found.denials()[0])
            .hint()
            .clone()
    }

    /// Whether every reading admits it, by `explain` where that knows the request.
    fn admits(&self, operation: &str, name: &str, host: &Host<Memory>) -> bool {
        let operation = Operation::from_name(operation).unwrap();
        if operation.name().starts_with("network") {
            let end = match name.strip_prefix("*:") {
                Some(port) => Socket::Inet(
                    sbpl::judge::Transport::Tcp,
                    format!("198.51.100.1:{port}").parse().unwrap(),
                ),
                None => Socket::Unix(name.into()),
            };
            let request = Request::new(operation.clone());
            let request = match operation {
                Operation::NetworkOutbound => request.remote(end),
                _ => request.local(end),
            };
            let judge = Judge::new(parse(self.profile.text().as_bytes()).profile());
            return judge.settle(&request).decision() == Decision::Allow;
        }
        let real = host.presented(RealPath::new(name).unwrap());
        let names = objcap_capability::spellings(&real, host);
        let asked = Asked { operation, names };
        self.profile.explain(&[asked]).settled() == Some(Decision::Allow)
    }
}

fn with(drafts: &[Draft], additions: &[Addition]) -> Vec<Draft> {
    let mut drafts = drafts.to_vec();
    for addition in additions {
        drafts[addition.layer()].add(addition);
    }
    drafts
}

/// How often each kind of hint came up.
type Seen = BTreeMap<&'static str, usize>;

fn tried(drafts: &[Draft], (operation, name): (&str, &str), host: &Host<Memory>, seen: &mut Seen) {
    let Ok(before) = frozen(drafts, host) else {
        *seen.entry("no stack").or_default() += 1;
        return;
    };
    let hint = before.hint(operation, name, host);
    *seen.entry(hint.kind()).or_default() += 1;
    let told = || {
        let texts: Vec<_> = drafts.iter().map(Draft::text).collect();
        format!("{operation} {name}: {hint}\n{}", texts.join("----\n"))
    };
    let admitted = before.admits(operation, name, host);
    assert_eq!(matches!(hint, Hint::Admitted), admitted, "{}", told());
    let real = host.presented(RealPath::new(name).unwrap_or(RealPath::root()));
    let denied = before.stack.evidence(&real, Reach::Alone, host).denied;
    match &hint {
        Hint::Add { clauses, notes } => {
            assert!(!clauses.is_empty());
            let path = name.starts_with('/');
            assert!(
                path || clauses.iter().all(|one| one.surface() == "open"),
                "{}",
                told()
            );
            assert!(!path || denied != Access::all(), "{}", told());
            let after = frozen(&with(drafts, clauses), host)
                .unwrap_or_else(|error| panic!("{error}: {}", told()));
            let link = LINKS.contains(&name) && notes.contains(&Note::PerhapsLink);
            assert!(link || after.admits(operation, name, host), "{}", told());
            // Whatever was admitted before is.
            for known in ["/w/in/deep/f", "/usr/bin/git", "/Users/me/app/a"] {
                for operation in [
                    "file-read-data",
                    "file-write-data",
                    "process-exec*",
                    "network-outbound",
                ] {
                    let (was, is) = (
                        before.admits(operation, known, host),
                        after.admits(operation, known, host),
                    );
                    assert!(!was || is, "{operation} {known} is lost: {}", told());
                }
            }
            for left in 0..clauses.len() {
                let mut fewer = clauses.clone();
                fewer.remove(left);
                let sockets = clauses.iter().any(|one| one.setting().key() == "sockets");
                // A table of sockets by itself closes the network, but for them.
                if !sockets && !link {
                    let fewer = frozen(&with(drafts, &fewer), host).unwrap();
                    assert!(
                        !fewer.admits(operation, name, host),
                        "{left} is not needed: {}",
                        told()
                    );
                }
            }
        }
        Hint::Excluded(_) | Hint::Pinned(_) => {
            // Whatever a grant says for it, it stays denied.
            let mut wide = drafts.to_vec();
            for draft in &mut wide {
                for (table, key, value) in [
                    ("fs", "write", "'/'"),
                    ("exec", "allow", "'every'"),
                    ("net", "access", "'open'"),
                ] {
                    if let Some(keys) = draft.0.get_mut(table) {
                        keys.entry(key).or_default().push(value.into());
                    }
                }
            }
            if let Ok(wide) = frozen(&wide, host) {
                assert!(!wide.admits(operation, name, host), "{}", told());
            }
        }
        _ => {}
    }
}

#[test]
fn what_a_hint_proposes_admits_the_request_and_nothing_less_does() {
    let host = host();
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut seen = Seen::new();
    for _ in 0..130 {
        let drafts: Vec<_> = (0..=draw.below(3)).map(|_| draw.draft()).collect();
        for _ in 0..12 {
            let (operation, name) = draw.asked();
            tried(&drafts, (&operation, &name), &host, &mut seen);
        }
    }
    for (kind, least) in [
        ("add", 400),
        ("excluded", 100),
        ("pinned", 10),
        ("admitted", 200),
        ("decided", 2),
    ] {
        assert!(
            seen.get(kind).is_some_and(|count| *count >= least),
            "{seen:?}"
        );
    }
    let unknown = seen.get("unknown").copied().unwrap_or(0);
    assert!(unknown * 10 < seen["add"], "{seen:?}");
}
