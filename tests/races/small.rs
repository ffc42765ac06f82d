//! Every small tree, every short path, one change at every moment of the walk: what the walk answers
//! must be allowed by the rules of path resolution ([`objcap_support::resolution`]), and lie inside
//! its root. Nothing here is drawn by chance.

use std::rc::Rc;

use objcap::object::{Leaf, Memory, Options, Scope, Tree as _, path};
use objcap_support::resolution::Question;
use objcap_support::scratch::Entry;
use objcap_support::scripted::{Change, Runs, Script, Turn, What, When};

/// How far a search goes.
struct Bounds {
    /// How many objects a tree has at most.
    objects: usize,
    /// How many components a path has at most.
    components: usize,
    /// The texts that links have.
    texts: &'static [&'static str],
    /// Every `of`th tree, from the `first` on.
    first: usize,
    of: usize,
}

/// What was seen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    /// Trees, each with all its changes.
    trees: usize,
    /// A tree, a change, a path and options.
    worlds: usize,
    /// A world and a moment.
    moments: usize,
    /// Those at which the change makes a difference to the next question: the others are the same
    /// walk as one of these, or the walk without the change.
    walks: usize,
    /// Moments left out: those of walks round a loop of links, but for the first four.
    left_out: usize,
    /// Walks that answered what neither the first tree nor the last gives by itself.
    mixed: usize,
    /// Walks that gave up.
    raced: usize,
}

#[test]
fn one_change_at_every_moment_in_trees_of_two_and_paths_of_three() {
    let count = search(&Bounds {
        objects: 2,
        components: 3,
        texts: &["../b"],
        first: 0,
        of: 1,
    });
    println!("{count:?}");
    assert_eq!(count.trees, 28, "1 + 6 + 21 forests");
    assert!(count.mixed > 0 && count.raced > 0);
}

/// Minutes of two cores, optimised. It prints what it counted.
#[test]
#[ignore = "long"]
fn one_change_at_every_moment_in_trees_of_four_and_paths_of_three() {
    in_two_threads(4, 3);
}

/// The better part of an hour.
#[test]
#[ignore = "long"]
fn one_change_at_every_moment_in_trees_of_four_and_paths_of_four() {
    in_two_threads(4, 4);
}

fn in_two_threads(objects: usize, components: usize) {
    let searches: Vec<_> = (0..2)
        .map(|first| {
            std::thread::spawn(move || {
                search(&Bounds {
                    objects,
                    components,
                    texts: &["b", "..", "../b", "/a"],
                    first,
                    of: 2,
                })
            })
        })
        .collect();
    let counts: Vec<_> = (searches.into_iter())
        .map(|search| search.join().unwrap())
        .collect();
    println!("{counts:?}");
    let trees: usize = counts.iter().map(|count| count.trees).sum();
    assert_eq!(trees, 1729, "1 + 12 + 60 + 264 + 1392 forests");
}

fn search(bounds: &Bounds) -> Count {
    let mut count = Count::default();
    let paths = paths(bounds.components);
    let all = (0..=bounds.objects).flat_map(|objects| forests(objects, bounds.texts));
    for entries in all.skip(bounds.first).step_by(bounds.of) {
        count.trees += 1;
        if count.trees % 100 == 0 {
            println!("so far {count:?}");
        }
        let start = Rc::new(tree(&entries));
        let changes = changes(&start);
        for path in &paths {
            for (scope, leaf) in [
                (Scope::InRoot, Leaf::Follow),
                (Scope::Beneath, Leaf::AsNamed),
            ] {
                let options = Options {
                    scope,
                    leaf,
                    ..Options::default()
                };
                let question = Question::from_root(&start, path, &options);
                for runs in [Runs::Single, Runs::Halved] {
                    if runs == Runs::Halved && path::components(path).count() < 3 {
                        continue; // A run of one name has no halves.
                    }
                    every_moment(&question, &start, &changes, runs, &mut count)
                        .unwrap_or_else(|wrong| panic!("{entries:?} {scope:?} {leaf:?} {wrong}"));
                }
            }
        }
    }
    count
}

/// More questions than any walk asks that does not go round in a loop.
const LOOP: usize = 64;

/// A walk without a change, and then with each change at each moment.
fn every_moment(
    question: &Question<'_>,
    start: &Rc<Memory>,
    changes: &[(Change, Rc<Memory>)],
    runs: Runs,
    count: &mut Count,
) -> Result<(), String> {
    let quiet = Script {
        turns: Vec::new(),
        runs,
    };
    let unchanged = question.ask(start, &quiet);
    question.judge(&unchanged)?;
    for (change, after) in changes {
        count.worlds += 1;
        count.moments += unchanged.questions.len();
        let mut changed = None;
        for (moment, asked) in unchanged.questions.iter().enumerate() {
            // A loop of links is the same questions forty times over.
            if unchanged.questions.len() > LOOP && moment >= 4 {
                count.left_out += 1;
                continue;
            }
            if is_same(start, after, asked) {
                continue;
            }
            count.walks += 1;
            let script = Script {
                turns: vec![Turn {
                    when: When::At(moment),
                    what: What::Become(Rc::clone(after)),
                }],
                runs,
            };
            let asked = question.ask(start, &script);
            let changed = changed.get_or_insert_with(|| question.ask(after, &quiet));
            if asked.outcome == unchanged.outcome || asked.outcome == changed.outcome {
                // The walks of one tree are judged where that tree is the first.
                continue;
            }
            question
                .judge(&asked)
                .map_err(|wrong| format!("{change:?} before question {moment}: {wrong}"))?;
            if asked.outcome.is_raced() {
                count.raced += 1;
            } else {
                count.mixed += 1;
            }
        }
    }
    Ok(())
}

/// Whether a question has the same answer before and after.
fn is_same(before: &Memory, after: &Memory, asked: &objcap_support::scripted::Asked) -> bool {
    let answer = |tree: &Memory| match &asked.name[..] {
        [] => Some(tree.stat(&asked.dir).unwrap()),
        name => tree.look(&asked.dir, name).unwrap(),
    };
    answer(before) == answer(after)
}

/// All paths of up to `components` of `a`, `b`, `..` and `.`; the short ones with a slash behind,
/// too.
fn paths(components: usize) -> Vec<Vec<u8>> {
    let mut paths = vec![Vec::new()];
    let mut all = Vec::new();
    for length in 1..=components {
        paths = (paths.iter())
            .flat_map(|path: &Vec<u8>| {
                ["a", "b", "..", "."].map(|name| {
                    let slash = if path.is_empty() { "" } else { "/" };
                    [path, slash.as_bytes(), name.as_bytes()].concat()
                })
            })
            .collect();
        all.extend(paths.clone());
        if length <= 2 {
            all.extend(paths.iter().map(|path| [path, &b"/"[..]].concat()));
        }
    }
    all
}

/// All trees of so many objects, below names `a` and `b`.
fn forests(objects: usize, texts: &[&str]) -> Vec<Vec<Entry>> {
    (0..=objects)
        .flat_map(|below_a| {
            let rest = slots("b", objects - below_a, texts);
            slots("a", below_a, texts).into_iter().flat_map(move |one| {
                rest.clone()
                    .into_iter()
                    .map(move |other| [one.clone(), other].concat())
            })
        })
        .collect()
}

/// All that may stand at one name, with so many objects.
fn slots(name: &str, objects: usize, texts: &[&str]) -> Vec<Vec<Entry>> {
    let directory = Entry::Directory(name.into());
    match objects {
        0 => vec![Vec::new()],
        1 => [Entry::File(name.into()), directory]
            .into_iter()
            .chain(
                texts
                    .iter()
                    .map(|text| Entry::Link(name.into(), (*text).into())),
            )
            .map(|entry| vec![entry])
            .collect(),
        _ => (forests(objects - 1, texts).into_iter())
            .map(|below| {
                let below = below
                    .iter()
                    .map(|entry| entry.at(&path::join(name.as_bytes(), entry.path())));
                std::iter::once(directory.clone()).chain(below).collect()
            })
            .collect(),
    }
}

const ROOT: &[u8] = b"/ROOT";

/// The tree at `/ROOT`. Outside of it stand `a`, with `a/a` and `a/b`, and `b`, so that a way out
/// would find something.
fn tree(entries: &[Entry]) -> Memory {
    let mut tree = Memory::new();
    tree.directory(ROOT);
    tree.file("/a/a");
    tree.directory("/a/b");
    tree.file("/b");
    for entry in entries {
        let place = path::join(ROOT, entry.path());
        match entry {
            Entry::Directory(_) => tree.directory(place),
            Entry::Link(_, text) => tree.link(place, text),
            _ => tree.file(place),
        }
    }
    tree.rooted_at(ROOT).unwrap()
}

/// Every change of one or two names that another process could make, with the tree as it is after.
fn changes(tree: &Memory) -> Vec<(Change, Rc<Memory>)> {
    let objects = tree.objects();
    let is_free = |place: &Vec<u8>| !objects.iter().any(|(real, _)| real == place);
    let mut folders = vec![ROOT.to_vec()];
    let folder = |stat: &objcap::walk::Stat| stat.kind == objcap::object::Kind::Directory;
    folders.extend(
        objects
            .iter()
            .filter(|(_, stat)| folder(stat))
            .map(|(real, _)| real.clone()),
    );
    let mut all = Vec::new();
    for dir in &folders {
        let (a, b) = (path::join(dir, b"a"), path::join(dir, b"b"));
        all.push(Change::Exchange(a.clone(), b.clone()));
        for (one, other) in [(&a, &b), (&b, &a)] {
            let name = path::components(one).next_back().unwrap();
            all.push(Change::Rename(one.clone(), other.clone()));
            all.push(Change::Rename(one.clone(), path::join(other, name)));
            all.push(Change::Rename(one.clone(), path::join(ROOT, name)));
            all.push(Change::Rename(one.clone(), b"/b".to_vec()));
            all.push(Change::Exchange(one.clone(), b"/a".to_vec()));
            all.push(Change::File(one.clone()));
            all.push(Change::Directory(one.clone()));
            for text in ["a", "b", "..", "../b", "/a"] {
                all.push(Change::Link(one.clone(), text.into()));
            }
            if !is_free(one) {
                all.push(Change::Remove(one.clone()));
                all.push(Change::Remake(one.clone()));
                all.push(Change::Mount(one.clone()));
            }
        }
    }
    all.into_iter()
        .filter_map(|change| {
            let mut after = tree.clone();
            change.make(&mut after).then(|| (change, Rc::new(after)))
        })
        .collect()
}
