//! A confined adversary: programs of random calls that want the excluded bytes, to forge an excluded or
//! protected file, or to swap the program that confines them. After each call law 6 must hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use objcap::capability::{Access, Exclusion, Grant, Layer, Stack};
use objcap::object::{Host, RealPath};
use objcap::sandbox::{Line, Profile, Section};
use objcap::walk::{Kind, Leaf};
use objcap_support::mac::{
    Call, Choices, Effect, Fd, How, Ino, Mac, Name, New, Outcome, Process, Rule, Sandbox,
};
use sbpl::{Judge, Reading};

use crate::worlds;

/// Numbers without a pattern that matters here (xorshift64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // No two seeds near each other begin alike, and none is zero.
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all.get(self.below(all.len())).copied().unwrap()
    }
}

/// Where things stand, and what clauses and calls name.
const PLACES: [&str; 16] = [
    "/w",
    "/w/a",
    "/w/a/b",
    "/w/a/b/key",
    "/w/a/f",
    "/w/c",
    "/w/c/f",
    "/w/l",
    "/w/m",
    "/w/new",
    "/w/new/deep",
    "/w/bin",
    "/tmp/t",
    "/tmp/t/d",
    "/tmp/t/d/f",
    "/private/tmp/t",
];

const ALSO_CALLED: [&str; 12] = [
    "/w/bin/own",
    "/w/A/B/KEY",
    "/w/a/x",
    "/w/c/x",
    "/w/x",
    "/tmp/t/x",
    "/private/tmp/t/d/f",
    "/w/l/b",
    "/w/l/b/key",
    "/w/m/f",
    "/w/x/key",
    "/w/x/b/key",
];

/// A random world. Every file's bytes are its own.
fn world(random: &mut Random) -> Mac {
    let mut mac = Mac::empty(Rule::Folding);
    mac.directory("/private/tmp/t");
    mac.alias("/tmp", "/private/tmp");
    mac.directory("/w/c");
    for real in ["/w/a/b/key", "/w/a/f", "/w/c/f", "/private/tmp/t/d/f"] {
        if random.below(4) > 0 {
            mac.file(real, real);
        }
    }
    mac.file("/w/bin/own", "the confiner");
    for link in ["/w/l", "/w/m"] {
        if random.below(2) == 0 {
            mac.link(link, random.of(&["a", "c", "/tmp/t", "a/b", "new", "c/f"]));
        }
    }
    mac.give("/w");
    mac.give("/private/tmp/t");
    mac
}

fn grant(random: &mut Random, host: &Host<Mac>) -> Grant {
    let mut grant = Grant::builder().fs();
    for _ in 0..=random.below(2) {
        let wide = random.of(&["/w", "/w", "/tmp/t", "/tmp/t", "/w/a", "/w/bin", "/tmp"]);
        grant = grant.write(wide);
    }
    if random.below(3) == 0 {
        grant = grant.read(random.of(&PLACES));
    }
    for _ in 0..=random.below(3) {
        let place = random.of(&PLACES);
        grant = match random.below(3) {
            0 => grant.protect(place),
            _ => grant.exclude(place),
        };
    }
    grant.build(&host.vars).unwrap()
}

/// What an exclusion's place holds: every name below it, with the object and its bytes.
type Held = BTreeMap<Vec<u8>, (Ino, Option<Vec<u8>>)>;

/// What a file holds.
fn bytes_of(mac: &Mac, ino: Ino) -> Option<Vec<u8>> {
    let file = mac.kind(ino) == Kind::File;
    let bytes = mac.contents(ino).filter(|_| file);
    bytes.map(|bytes| bytes.to_vec())
}

fn held(mac: &Mac, real: &RealPath) -> Held {
    fn add(mac: &Mac, at: Vec<u8>, ino: Ino, held: &mut Held) {
        let bytes = bytes_of(mac, ino);
        let names: Vec<_> = mac.names_in(ino).map(|name| name.to_vec()).collect();
        for name in names {
            if let Some(below) = mac.find(ino, &name) {
                add(mac, [&at[..], b"/", &name].concat(), below, held);
            }
        }
        held.insert(at, (ino, bytes));
    }
    let mut all = Held::new();
    if let Some(ino) = mac.at(real.as_bytes()) {
        add(mac, real.as_bytes().to_vec(), ino, &mut all);
    }
    all
}

/// What must not change, and what must not get out, as it was at entry.
pub(crate) struct Tagged {
    guarded: Vec<(RealPath, Held)>,
    secrets: BTreeSet<Ino>,
    bytes: BTreeSet<Vec<u8>>,
    /// The names that a secret had at entry outside of what is excluded: they are doors (G-2).
    known: BTreeSet<Vec<u8>>,
    excluded: Vec<RealPath>,
    surfaces: Vec<(PathBuf, Option<Ino>)>,
}

impl Tagged {
    fn of(mac: &Mac, stack: &Stack<Mac>) -> Self {
        let layers = stack.layers().iter().flat_map(Layer::exclusions);
        let all: Vec<&Exclusion> = layers.chain(stack.own()).collect();
        let mut tagged = Tagged {
            guarded: Vec::new(),
            secrets: BTreeSet::new(),
            bytes: BTreeSet::new(),
            known: BTreeSet::new(),
            excluded: Vec::new(),
            surfaces: Vec::new(),
        };
        for exclusion in all {
            for place in exclusion.places() {
                let real = place.real().clone();
                let held = held(mac, &real);
                if exclusion.against() == Access::all() {
                    tagged.excluded.push(real.clone());
                    for (ino, bytes) in held.values() {
                        tagged.secrets.insert(*ino);
                        tagged
                            .bytes
                            .extend(bytes.clone().filter(|bytes| !bytes.is_empty()));
                    }
                }
                tagged.guarded.push((real, held));
            }
            if let Some(path) = exclusion.clause().path() {
                tagged.surfaces.push((path.to_owned(), reached(mac, path)));
            }
        }
        for secret in &tagged.secrets {
            tagged.known.extend(mac.names_of(*secret));
        }
        tagged
    }

    fn is_excluded(&self, name: &[u8]) -> bool {
        let name = RealPath::new(name).unwrap().key();
        self.excluded
            .iter()
            .any(|place| name.is_within(&place.key()))
    }

    /// How law 6 is broken in this world; `None` when it holds.
    fn broken(&self, mac: &Mac) -> Option<String> {
        for ino in mac.objects() {
            let copied = mac
                .contents(ino)
                .is_some_and(|bytes| self.bytes.contains(&bytes[..]));
            if !copied && !self.secrets.contains(&ino) {
                continue;
            }
            for name in mac.names_of(ino) {
                if !self.is_excluded(&name) && !self.known.contains(&name) {
                    let name = String::from_utf8_lossy(&name).into_owned();
                    return Some(format!("excluded bytes stand at {name}"));
                }
            }
        }
        for (real, before) in &self.guarded {
            if held(mac, real) != *before {
                return Some(format!("{real} was forged"));
            }
        }
        for (path, before) in &self.surfaces {
            if reached(mac, path) != *before {
                return Some(format!("{} leads elsewhere", path.display()));
            }
        }
        None
    }
}

/// What a name leads to for whoever is not confined.
fn reached(mac: &Mac, path: &std::path::Path) -> Option<Ino> {
    let process = Process::unconfined(mac, "/");
    let name = Name::from(path.as_os_str().as_encoded_bytes());
    process.look_up(mac, &name, Leaf::Follow).ok()?.found()
}

fn call(random: &mut Random, mac: &Mac) -> Call {
    let objects: Vec<Ino> = mac.objects().collect();
    let path = |random: &mut Random| {
        let pool = [&PLACES[..], &ALSO_CALLED[..]][random.below(2)];
        let path = random.of(pool);
        match random.below(8) {
            // From a descriptor, which may be of a folder.
            0 => {
                let below = random.of(&["key", "b/key", "f", "x", "..", "d/f"]);
                Name::at(Fd(random.below(4)), below)
            }
            1 => Name::from(path.to_uppercase().as_str()),
            2..=4 => Name::from(path),
            // What is there by now.
            _ => match mac.names_of(objects[random.below(objects.len())]).first() {
                Some(name) => Name::from(name),
                None => Name::from(path),
            },
        }
    };
    let hows = [
        How::Read,
        How::Directory,
        How::Write,
        How::ReadWrite,
        How::Truncate,
        How::Create,
        How::CreateNew,
    ];
    let leaf = [Leaf::Follow, Leaf::AsNamed][random.below(2)];
    let (one, other) = (path(random), path(random));
    let (from, to) = (one.clone(), other.clone());
    match random.below(24) {
        0..=3 => Call::Open {
            name: one,
            how: hows[random.below(hows.len())],
            leaf,
        },
        4 => Call::Read(Fd(random.below(4))),
        5 => Call::Write(Fd(random.below(4)), b"forged".to_vec()),
        6 => Call::Make {
            name: one,
            what: New::Directory,
        },
        7 => Call::Make {
            name: one,
            what: New::Symlink(
                random
                    .of(&["a", "/w/c", "x", "b/key", "../c"])
                    .as_bytes()
                    .to_vec(),
            ),
        },
        8..=12 => Call::Rename { from, to },
        13 => Call::Swap { one, other },
        14 => Call::Exchange { one, other },
        15 | 16 => Call::Link { from, to, leaf },
        17..=19 => Call::Clone { from, to, leaf },
        20 => Call::Unlink(one),
        21 => Call::RemoveFolder(one),
        22 => Call::ChangeFolder(one),
        _ => Call::Truncate(one),
    }
}

/// A way to render that has a hole, or none.
pub(crate) type Renderer = fn(&Profile) -> sbpl::Profile;

/// As the product does.
pub(crate) fn whole(profile: &Profile) -> sbpl::Profile {
    lines(profile, |_, line| Some(line.rule().clone()))
}

/// A profile's rules, each as `keep` leaves it.
pub(crate) fn lines(
    profile: &Profile,
    keep: impl Fn(Section, &Line) -> Option<sbpl::Rule>,
) -> sbpl::Profile {
    let sections = profile.sections();
    let rules = sections.flat_map(|(section, lines)| lines.iter().map(move |line| (section, line)));
    rules
        .filter_map(|(section, line)| keep(section, line))
        .collect()
}

/// What one program did.
pub(crate) enum Ran {
    /// The grant was refused before anything ran.
    Refused,
    /// So many calls were done, so many refused, and law 6 held.
    Held(usize, usize),
    /// Law 6 was broken, by these calls.
    Broken(String),
}

/// A random world, grant and program of up to twelve calls, under a renderer's profile.
pub(crate) fn run(seed: u64, renderer: Renderer, choices: &[Choices]) -> Ran {
    let mut random = Random::new(seed);
    let mut mac = world(&mut random);
    let mut host = mac.clone().host();
    host.executable = Some(PathBuf::from("/w/bin/own"));
    let Ok(stack) = Stack::freeze(&[grant(&mut random, &host)], &host) else {
        return Ran::Refused;
    };
    let profile = Profile::render(&stack, &host).unwrap();
    let tagged = Tagged::of(&mac, &stack);
    let mut process = Process::unconfined(&mac, "/w").confined(Sandbox {
        judge: Arc::new(Judge::new(&renderer(&profile))),
        reading: Reading::ALL[random.below(3)],
        choices: choices[random.below(choices.len())],
    });
    let (mut done, mut refused, mut calls) = (0, 0, Vec::new());
    for _ in 0..12 {
        let call = call(&mut random, &mac);
        let answer = process.call(&mut mac, &call);
        calls.push(call);
        match &answer.outcome {
            Outcome::Done(Effect::Contents(bytes)) if tagged.bytes.contains(&bytes[..]) => {
                return Ran::Broken(format!("excluded bytes were read: {calls:?}"));
            }
            Outcome::Done(_) => done += 1,
            Outcome::Refused { .. } => refused += 1,
            Outcome::Failed(_) => continue,
        }
        if let Some(how) = tagged.broken(&mac) {
            return Ran::Broken(format!("{how}: {calls:?}\n{}", profile.text()));
        }
    }
    Ran::Held(done, refused)
}

fn search(programs: u64) {
    let choices = worlds::choices();
    let (mut ran, mut done, mut refused) = (0, 0, 0);
    for seed in 0..programs {
        match run(seed, whole, &choices) {
            Ran::Refused => {}
            Ran::Held(did, was_refused) => {
                ran += 1;
                done += did;
                refused += was_refused;
            }
            Ran::Broken(how) => panic!("program {seed}: {how}"),
        }
    }
    println!("{ran} of {programs} programs ran: {done} calls done, {refused} refused");
    assert!(ran > programs as usize / 2 && done > ran / 4 && refused > ran);
}

#[test]
fn law_6_holds_for_twenty_thousand_programs() {
    search(20_000);
}

#[test]
#[ignore = "about ten minutes in a release build"]
fn law_6_holds_for_a_million_programs() {
    search(1_000_000);
}
