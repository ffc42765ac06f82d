//! The model's own lookup: limits, permissions, what it asks; and that it agrees with the walk over the
//! model's face as a tree, on random worlds.

use std::cell::Cell;

use objcap::walk::{Error, ErrorKind, Leaf, Options, Start, Tail, Walked, walk_from};
use objcap_support::mac::{Call, Errno, How, Ino, Landing, Mac, Name, New, Outcome, Process, Rule};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{asks_each, confined, name, open, opened, refused, world};

#[test]
fn every_link_of_a_lookup_asks_for_its_metadata() {
    let mut mac = world();
    mac.link("/w/d/up", "../to-d");
    let questions = [
        "file-read-metadata /w/to-d",
        "file-read-metadata /w/d/up",
        "file-read-metadata /w/to-d",
        "file-read-data /w/d/g",
    ];
    let rules = "(allow file-read-metadata (literal \"/w/to-d\") (literal \"/w/d/up\")) \
                 (allow file-read-data (literal \"/w/d/g\"))";
    let call = open("to-d/up/g", How::Read);
    assert_eq!(crate::done(&mut mac, rules, &call), questions);
    let rules = "(allow file-read* (literal \"/w/to-d\") (literal \"/w/d/g\"))";
    assert_eq!(
        refused(&mut mac, rules, &call),
        "file-read-metadata /w/d/up"
    );
    // What a lookup asks comes before what it does not find.
    let missing = open("to-d/none", How::Read);
    assert_eq!(
        refused(&mut mac, "", &missing),
        "file-read-metadata /w/to-d"
    );
    let answer = confined(&mac, rules).call(&mut mac, &missing);
    assert_eq!(answer.outcome, Outcome::Failed(Errno::NOENT));
    // A link at the end of a name that is taken as named asks for what is done with it alone.
    asks_each(
        &mac,
        &Call::Unlink(name("to-d")),
        &["file-write-unlink /w/to-d"],
    );
    // A slash behind it leads on.
    asks_each(
        &mac,
        &open("to-d/", How::Directory),
        &["file-read-metadata /w/to-d", "file-read-data /w/d"],
    );
}

#[test]
fn root_aliases_are_links_like_others() {
    let mut mac = world();
    mac.file("/private/tmp/x", "");
    asks_each(
        &mac,
        &open("/tmp/x", How::Read),
        &["file-read-metadata /tmp", "file-read-data /private/tmp/x"],
    );
    asks_each(
        &mac,
        &open("/tmp/../tmp/x", How::Read),
        &["file-read-metadata /tmp", "file-read-data /private/tmp/x"],
    );
}

#[test]
fn a_lookup_has_the_limits_of_a_mac() {
    let mut mac = world();
    mac.link("/w/c0", "f");
    for number in 1..=32 {
        mac.link(format!("/w/c{number}"), format!("c{}", number - 1));
    }
    let process = Process::unconfined(&mac, "/w");
    let at = |path: &str| process.look_up(&mac, &name(path), Leaf::Follow);
    assert_eq!(at("c31").unwrap().found(), mac.at("/w/f"), "32 links");
    assert_eq!(at("c32"), Err(Errno::LOOP), "33 links");
    let long = |length: usize| format!("{}f", "./".repeat((length - 1) / 2));
    assert_eq!(at(&long(1023)).unwrap().found(), mac.at("/w/f"));
    assert_eq!(at(&long(1025)), Err(Errno::NAMETOOLONG));
    assert_eq!(at(&"n".repeat(256)), Err(Errno::NAMETOOLONG));
    assert_eq!(at(""), Err(Errno::NOENT));
    assert_eq!(at("f\0"), Err(Errno::INVAL));
}

#[test]
fn a_name_may_start_in_a_folder_that_was_opened() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/Users");
    let folder = opened(&mut mac, &mut process, "/w/d", How::Directory);
    let file = opened(&mut mac, &mut process, "/w/f", How::Read);
    let at = |process: &Process, mac: &Mac, fd, path: &str| {
        let landing = process.look_up(mac, &Name::at(fd, path), Leaf::Follow);
        landing.map(|landing| landing.real_path(mac))
    };
    assert_eq!(at(&process, &mac, folder, "g"), Ok(b"/w/d/g".to_vec()));
    assert_eq!(at(&process, &mac, folder, "../f"), Ok(b"/w/f".to_vec()));
    assert_eq!(at(&process, &mac, file, "g"), Err(Errno::NOTDIR));
    assert_eq!(at(&process, &mac, file, "/w/f"), Ok(b"/w/f".to_vec()));
    // It means the folder wherever that goes.
    let rename = Call::Rename {
        from: name("/w/d"),
        to: name("/w/moved"),
    };
    assert!(process.call(&mut mac, &rename).is_done());
    assert_eq!(at(&process, &mac, folder, "g"), Ok(b"/w/moved/g".to_vec()));
    let call = Call::Make {
        name: Name::at(folder, "../made"),
        what: New::Directory,
    };
    asks_each_in(&mac, &process, &call, &["file-write-create /w/made"]);
    assert!(
        process
            .call(&mut mac, &Call::ChangeFolderTo(folder))
            .is_done()
    );
    assert_eq!(mac.real_path(process.cwd()), b"/w/moved");
    let answer = process.call(&mut mac, &Call::ChangeFolderTo(file));
    assert_eq!(answer.outcome, Outcome::Failed(Errno::NOTDIR));
}

fn asks_each_in(mac: &Mac, process: &Process, call: &Call, questions: &[&str]) {
    let asked = process.asks(mac, call, &<_>::default());
    let asked: Vec<_> = asked.questions.iter().map(ToString::to_string).collect();
    assert_eq!(asked, questions);
}

/// Two spellings of each of two letters, in forms that fold; what dots are; a mount, an alias and a
/// firmlink.
const NAMES: &[&str] = &["a", "A", "\u{e9}", "e\u{301}", "..", ".", "v", "t", "u"];

fn text() -> impl Strategy<Value = String> {
    let names = prop::collection::vec(prop::sample::select(NAMES), 1..5);
    let ends = prop::sample::select(&["", "", "", "/", "/.", "//"][..]);
    let starts = prop::sample::select(&["", "", "/", "/", "../"][..]);
    (starts, names, ends).prop_map(|(start, names, end)| format!("{start}{}{end}", names.join("/")))
}

/// What stands at a place: a folder, one that may not be searched, a file, a link.
#[derive(Debug, Clone)]
enum Made {
    Folder,
    Shut,
    File,
    Link(String),
}

fn made() -> impl Strategy<Value = Made> {
    prop_oneof![
        3 => Just(Made::Folder),
        1 => Just(Made::Shut),
        2 => Just(Made::File),
        5 => text().prop_map(Made::Link),
    ]
}

/// A world on a volume of the rule, with `/v` mounted of the other, `/t` an alias of `/a/t`, and
/// `/u` a firmlink to a folder of the other volume that has no other way to it.
fn random_world(rule: Rule, made: &[(String, Made)]) -> Mac {
    let mut mac = Mac::empty(rule);
    let other = match rule {
        Rule::Folding => Rule::Exact,
        Rule::Exact => Rule::Folding,
    };
    mac.mount("/v", other);
    mac.firmlink("/u", "/v/elsewhere");
    mac.alias("/t", "/a/t");
    for (place, made) in made {
        match made {
            Made::Folder => mac.directory(place),
            Made::Shut => {
                let ino = mac.directory(place);
                mac.permit(place, 0o644);
                ino
            }
            Made::File => mac.file(place, ""),
            Made::Link(text) => mac.link(place, text),
        };
    }
    mac
}

fn place() -> impl Strategy<Value = String> {
    let names: &[&str] = &["a", "A", "\u{e9}", "e\u{301}", "t"];
    let folders: &[&str] = &["", "/a", "/v", "/v/a", "/u", "/a/a", "/a/t"];
    (prop::sample::select(folders), prop::sample::select(names))
        .prop_map(|(folder, name)| format!("{folder}/{name}"))
}

/// What the walk says, as the kernel would say it, or that the two may differ.
fn expected(mac: &Mac, walked: &Result<Walked<Ino>, Error>, path: &str) -> Result<Vec<u8>, Errno> {
    let links = match walked {
        Ok(walked) => walked.links().count(),
        Err(error) => error.links().count(),
    };
    if links > 32 {
        return Err(Errno::LOOP);
    }
    match walked {
        Ok(walked) if walked.kind().is_some() => {
            let identity = walked.identity().unwrap();
            assert_eq!(
                mac.of_identity(identity).map(|ino| mac.identity(ino)),
                Some(identity)
            );
            Ok(walked.real().to_vec())
        }
        Ok(walked) if walked.tail().next().is_some() => Err(Errno::NOENT),
        Ok(walked) => Ok(walked.real().to_vec()),
        Err(error) => Err(match error.kind() {
            ErrorKind::NotFound => Errno::NOENT,
            ErrorKind::NotADirectory => Errno::NOTDIR,
            ErrorKind::PermissionDenied => Errno::ACCESS,
            ErrorKind::TooManyLinks => Errno::LOOP,
            other => panic!("{path}: {other:?}"),
        }),
    }
}

/// How often each kind of answer was compared.
#[derive(Debug, Default)]
struct Tally {
    objects: Cell<usize>,
    absent: Cell<usize>,
    failed: [Cell<usize>; 4],
    links: Cell<usize>,
}

impl Tally {
    fn count(&self, landing: &Result<Landing, Errno>, walked: &Result<Walked<Ino>, Error>) {
        let add = |cell: &Cell<usize>| cell.set(cell.get() + 1);
        let errnos = [Errno::NOENT, Errno::NOTDIR, Errno::LOOP, Errno::ACCESS];
        match landing {
            Ok(landing) if landing.found().is_some() => add(&self.objects),
            Ok(_) => add(&self.absent),
            Err(errno) => {
                let at = errnos.iter().position(|known| known == errno);
                add(&self.failed[at.unwrap_or_else(|| panic!("{errno}"))]);
            }
        }
        let links = match walked {
            Ok(walked) => walked.links().count(),
            Err(error) => error.links().count(),
        };
        if links > 1 {
            add(&self.links);
        }
    }
}

/// One name from one folder, looked up by the model and walked.
fn compare(
    mac: &Mac,
    process: &Process,
    path: &str,
    leaf: Leaf,
    tally: &Tally,
) -> Result<(), TestCaseError> {
    let dir = process.cwd();
    let real = mac.real_path(dir);
    let options = Options {
        leaf,
        tail: Tail::Accept,
        ..Options::default()
    };
    let start = Start {
        dir: &dir,
        real: &real,
    };
    let walked = walk_from(mac, start, path.as_bytes(), &options);
    let want = expected(mac, &walked, path);
    let landing = process.look_up(mac, &name(path), leaf);
    let got = landing.as_ref().map(|landing| landing.real_path(mac));
    let got = got.map_err(|errno| *errno);
    tally.count(&landing, &walked);
    // The walk accepts an absent folder whose name ends in a dot; the kernel does not.
    let is_absent_folder =
        |walked: &Walked<Ino>| walked.kind().is_none() && walked.asks_for_directory();
    let dotted = walked.as_ref().is_ok_and(is_absent_folder) && got == Err(Errno::NOENT);
    if !dotted {
        prop_assert_eq!(&got, &want, "{} from {}", path, real.escape_ascii());
    }
    if let (Ok(walked), Ok(landing)) = (&walked, &landing) {
        let found = landing.found().map(|ino| mac.identity(ino));
        prop_assert_eq!(found, walked.identity());
        if let Landing::Entry { slash: true, .. } = landing {
            prop_assert!(walked.asks_for_directory());
        }
    }
    Ok(())
}

#[test]
fn the_models_lookup_agrees_with_the_walk() {
    let tally = Tally::default();
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 6_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let worlds = (
        prop::sample::select(&[Rule::Folding, Rule::Exact][..]),
        prop::collection::vec((place(), made()), 0..24),
        prop::collection::vec(text(), 1..8),
        prop::sample::select(&[Leaf::Follow, Leaf::AsNamed][..]),
    );
    let done = runner.run(&worlds, |(rule, made, paths, leaf)| {
        let mut mac = random_world(rule, &made);
        for start in ["/", "/a", "/v", "/u"] {
            let mut process = Process::unconfined(&mac, "/");
            process.call(&mut mac, &Call::ChangeFolder(name(start)));
            for path in &paths {
                compare(&mac, &process, path, leaf, &tally)?;
            }
        }
        Ok(())
    });
    done.unwrap();
    println!("{tally:?}");
    let counts = [&tally.objects, &tally.absent, &tally.links];
    for count in counts.into_iter().chain(&tally.failed) {
        assert!(count.get() > 500, "{tally:?}");
    }
}
