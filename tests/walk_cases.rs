//! Every row of `tests/data/walk.json`, on four resolvers: this machine with whole runs, this
//! machine name by name, a tree in memory, and the model Mac. What the table says of the kernel holds
//! of the model's own lookup.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use objcap::object::{
    Dir, Kind, Leaf, Links, Machine, Object, Options, Require, Scope, Start, Tree, path,
};
use objcap_support::cases::{Case, walk_cases};
use objcap_support::mac::{Errno, Landing, Mac, Name, Process, Rule};
use objcap_support::scratch::{Entry, Scratch, expand, memory, model};

/// A walk's answer, or a row's, in the table's words: the outcome and the links.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    outcome: String,
    links: Vec<(String, String)>,
}

#[test]
fn every_row_holds_on_this_machine_with_whole_runs() {
    every_row(|entries, case| on_machine(entries, case, |machine| machine));
}

#[test]
fn every_row_holds_on_this_machine_name_by_name() {
    every_row(|entries, case| on_machine(entries, case, Machine::stepwise));
}

/// a kernel that has no openat2, and a filter that forbids it, seen from outside.
#[test]
fn every_row_holds_where_openat2_is_refused() {
    use objcap_support::child;
    // The parent has no folder to tell of; any that is there does.
    for errno in ["ENOSYS", "EPERM"] {
        let inject = format!("inject=openat2:error={errno}");
        let under = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            "trace=openat2",
            "-e",
            &inject,
            "-o",
            "/dev/null",
        ];
        child::again(
            "every_row_holds_on_this_machine_with_whole_runs",
            &child::words(&under),
            Path::new("/"),
        );
    }
}

#[test]
fn every_row_holds_in_memory() {
    let root = Path::new("/scratch/ROOT");
    every_row(|entries, case| {
        let base = if is_scoped(case) {
            Path::new("/")
        } else {
            root
        };
        let tree = memory(base.as_os_str().as_bytes(), root, entries);
        answer(&tree, base, root, case)
    });
}

#[test]
fn every_row_holds_in_the_model_mac() {
    every_row(|entries, case| in_the_model(entries, case, Rule::Exact));
}

/// H3 is about spellings that are names of their own on the volume that the table was made on. Here
/// they are one name, and the rows say what the volume stored.
#[test]
fn every_row_holds_in_the_model_mac_on_a_volume_that_folds() {
    let mut differing = Vec::new();
    every_row(|entries, case| {
        let exact = in_the_model(entries, case, Rule::Exact);
        let folded = in_the_model(entries, case, Rule::Folding);
        if folded != exact {
            differing.push(format!("{} {}", case.id, folded.outcome));
        }
        exact
    });
    // A folder keeps the spelling that it was made with first; a file made again has the later one.
    let want = [
        "H3-03 OK:Dir",
        "H3-04 OK:strasse",
        "H3-06 OK:ff",
        "H3-07 OK:k",
        "H3-13 OK:s",
    ];
    assert_eq!(differing, want);
}

/// 32 links and 1,023 bytes are a Mac's limits; the table's are those of Linux.
#[test]
fn every_row_about_the_kernel_holds_of_the_models_own_lookup() {
    let mut asked = 0;
    let mut differing = Vec::new();
    for group in walk_cases() {
        for case in &group.cases {
            if !["plain", "nofollow", "dir", "nofollow+dir"].contains(&&case.mode[..]) {
                continue;
            }
            asked += 1;
            let got = looked_up(&group.tree, case);
            if got != shown(&case.kernel) {
                differing.push(format!("{} {got}", case.id));
            }
        }
    }
    assert_eq!(asked, 107);
    let beyond = [
        // 33 to 40 links.
        "P6-01 E:ELOOP",
        "P6-03 E:ELOOP",
        "P6-08 E:ELOOP",
        "P6-13 E:ELOOP",
        "P7-03 E:ELOOP",
        "P7-06 E:ELOOP",
        "Y1-12 E:ELOOP",
        // Texts that are longer, or grow longer by a link's.
        "H1-04 E:ENAMETOOLONG",
        "H1-05 E:ENAMETOOLONG",
        "H1-06 E:ENAMETOOLONG",
        "H1-07 E:ENAMETOOLONG",
    ];
    assert_eq!(differing, beyond);
}

fn in_the_model(entries: &[Entry], case: &Case, rule: Rule) -> Answer {
    let root = Path::new("/scratch/ROOT");
    let base = if is_scoped(case) {
        Path::new("/")
    } else {
        root
    };
    let mac = model(base.as_os_str().as_bytes(), root, entries, rule);
    answer(&mac, base, root, case)
}

/// What the model's lookup answers, in the words of the table's column `kernel`.
fn looked_up(entries: &[Entry], case: &Case) -> String {
    let root = Path::new("/scratch/ROOT");
    let base = root.as_os_str().as_bytes();
    let mac = model(base, root, entries, Rule::Exact);
    let name = Name::from(&expand(&case.path, root));
    let leaf = if case.has("nofollow") {
        Leaf::AsNamed
    } else {
        Leaf::Follow
    };
    let landing = Process::unconfined(&mac, base).look_up(&mac, &name, leaf);
    match landing.and_then(|landing| reached(&mac, &landing, case)) {
        Ok(real) => format!("OK:{}", relative(&real, base)),
        Err(errno) => {
            let name = objcap::object::errno_name(errno.raw_os_error());
            format!("E:{}", name.unwrap_or("none"))
        }
    }
}

fn reached(mac: &Mac, landing: &Landing, case: &Case) -> Result<Vec<u8>, Errno> {
    let found = landing.found().ok_or(Errno::NOENT)?;
    if case.has("dir") && mac.kind(found) != Kind::Directory {
        return Err(Errno::NOTDIR);
    }
    Ok(landing.real_path(mac))
}

fn on_machine(entries: &[Entry], case: &Case, make: fn(Machine) -> Machine) -> Answer {
    let scratch = Scratch::new(entries);
    let machine = make(Machine::ambient_root().unwrap());
    if !is_scoped(case) {
        return answer(&machine, scratch.root(), scratch.root(), case);
    }
    let below = scratch.root().join(".");
    let root = Dir::from(std::os::fd::OwnedFd::from(
        std::fs::File::open(below).unwrap(),
    ));
    answer(
        &make(Machine::at(root)),
        Path::new("/"),
        scratch.root(),
        case,
    )
}

fn is_scoped(case: &Case) -> bool {
    case.has("beneath") || case.has("inroot")
}

/// Asks every row of the table, and shows all that went wrong.
fn every_row(mut ask: impl FnMut(&[Entry], &Case) -> Answer) {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for group in walk_cases() {
        for case in &group.cases {
            asked += 1;
            let got = ask(&group.tree, case);
            let want = Answer {
                outcome: shown(&case.walk),
                links: case
                    .links
                    .iter()
                    .map(|(at, text)| (shown(at), shown(text)))
                    .collect(),
            };
            if got != want {
                wrong.push(format!(
                    "{} {}: {got:#?}, not {want:#?}",
                    case.id, case.mode
                ));
            }
        }
    }
    assert_eq!(
        asked, 357,
        "the table has so many rows, and none is skipped"
    );
    assert!(
        wrong.is_empty(),
        "{} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn options(case: &Case) -> Options {
    Options {
        scope: if case.has("beneath") {
            Scope::Beneath
        } else {
            Scope::InRoot
        },
        links: if case.has("nosym") {
            Links::Refuse
        } else {
            Links::Follow
        },
        leaf: if case.has("nofollow") {
            Leaf::AsNamed
        } else {
            Leaf::Follow
        },
        require: if case.has("dir") {
            Require::Directory
        } else {
            Require::Anything
        },
        ..Options::default()
    }
}

/// Walks a row's path in a tree where the row's `ROOT` stands at `base`; texts name `root`.
fn answer<T: Tree>(tree: &T, base: &Path, root: &Path, case: &Case) -> Answer {
    let at = Object::walk(tree, base, &Options::default()).unwrap();
    let dir = match at.leaf() {
        None => tree.share(tree.root()).unwrap(),
        Some(leaf) => tree.run(at.parent(), leaf).dir.unwrap(),
    };
    let start = Start {
        dir: &dir,
        real: at.real().as_bytes(),
    };
    let asked = expand(&case.path, root);
    let asked = std::ffi::OsStr::from_bytes(&asked);
    let name = |real: &[u8]| relative(real, base.as_os_str().as_bytes());
    match Object::walk_from(tree, start, asked, &options(case)) {
        Ok(object) => Answer {
            outcome: if object.identity().is_some() {
                format!("OK:{}", name(object.real().as_bytes()))
            } else {
                absent(&object, name)
            },
            links: object
                .links()
                .map(|link| (name(link.at()), with_root(link.text(), root)))
                .collect(),
        },
        Err(error) => Answer {
            outcome: format!("E:{}", error.kind().errno().unwrap_or("none")),
            links: error
                .links()
                .map(|link| (name(link.at()), with_root(link.text(), root)))
                .collect(),
        },
    }
}

fn absent<D>(object: &Object<D>, name: impl Fn(&[u8]) -> String) -> String {
    let walked = object.walked();
    let mut parts = vec![
        name(walked.parent_real().unwrap()),
        shown(walked.leaf().unwrap()),
    ];
    let tail: Vec<_> = walked.tail().map(shown).collect();
    if !tail.is_empty() {
        parts.push(tail.join("/"));
    }
    let form = if walked.asks_for_directory() {
        " (dir form)"
    } else {
        ""
    };
    format!("ABSENT:{}{form}", parts.join("|"))
}

/// A real path as the table has it: relative to the base, or absolute.
fn relative(real: &[u8], base: &[u8]) -> String {
    match real.strip_prefix(path::trim_end(base)) {
        Some([]) => "<T>".to_owned(),
        Some([b'/']) => "<T>".to_owned(),
        Some([b'/', below @ ..]) => shown(below),
        _ => format!("ABS:{}", shown(real)),
    }
}

/// A link's text as the table has it.
fn with_root(text: &[u8], root: &Path) -> String {
    shown(text).replace(root.to_str().unwrap(), "{T}")
}

/// Bytes as text, each of its own where it is not UTF-8.
fn shown(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |text, chunk| {
        let raw: String = chunk
            .invalid()
            .iter()
            .map(|byte| format!("\\x{byte:02x}"))
            .collect();
        text + chunk.valid() + &raw
    })
}
