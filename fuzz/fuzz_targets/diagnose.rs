//! Any bytes as a log, judged by one of three fixed profiles: nothing is lost from the counts, no hint proposes what an
//! exclusion speaks against or a path for what is about none, and what one proposes admits the request.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use objcap_capability::{Grant, Stack, spellings};
use objcap_object::{Host, Memory, RealPath};
use objcap_sandbox::diag::{
    Addition, Denial, Diagnoser, Hint, Log, Note, Operand, Setting, summary,
};
use objcap_sandbox::{Asked, Decision, Profile};

struct World {
    host: Host<Memory>,
    texts: Vec<String>,
    stack: Stack<Memory>,
    profile: Profile,
}

const GRANTS: [&[&str]; 3] = [
    &[
        "[fs]\nread = ['/w/links/to']\nwrite = ['~/app']\nexclude = ['~/app/.env']\nprotect = ['~/app/.git']\n\
       [exec]\nallow = ['/usr/bin']\nveto = ['curl']\n[net]\naccess = 'offline'\nsockets = []\n",
    ],
    &[
        "[fs]\nread = ['/w']\nwrite = []\nexclude = ['/w/via/deep']\n",
        "[fs]\nread = []\nwrite = ['/tmp']\n[net]\naccess = 'offline'\nsockets = ['/w/s']\n",
    ],
    &["[exec]\nallow = []\n"],
];

fn host() -> Host<Memory> {
    let mut host = Host::stock_mac();
    host.tree.directory("/w/in/deep");
    host.tree.directory("/w/real");
    host.tree.link("/w/via", "in");
    host.tree.link("/w/links/to", "/w/real");
    host.tree.file("/Users/me/app/.env");
    host
}

fn frozen(texts: Vec<String>) -> Option<World> {
    let host = host();
    let grants = texts
        .iter()
        .map(|text| Grant::parse("g.toml", text.as_bytes(), &host.vars));
    // What a hint writes can be read, whatever the name.
    let grants: Vec<_> = grants.map(|grant| grant.unwrap()).collect();
    // A name that no tree holds: below a file, or a component that is too long.
    let stack = Stack::freeze(&grants, &host).ok()?;
    let profile = Profile::render(&stack, &host).unwrap();
    Some(World {
        host,
        texts,
        stack,
        profile,
    })
}

static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| {
    let worlds = GRANTS
        .iter()
        .map(|texts| texts.iter().map(|&text| text.to_owned()).collect());
    worlds.map(|texts| frozen(texts).unwrap()).collect()
});

fn add(text: &mut String, addition: &Addition) {
    let (key, value) = (addition.setting().key(), addition.toml());
    let list = format!("{key} = [");
    match addition.setting() {
        Setting::Access if text.contains("'offline'") => *text = text.replace("'offline'", &value),
        Setting::Access => *text += &format!("[net]\naccess = {value}\n"),
        _ if text.contains(&list) => *text = text.replacen(&list, &format!("{list}{value}, "), 1),
        _ => *text += &format!("{list}{value}]\n"),
    }
}

fn held_to(denial: &Denial, hint: &Hint, world: &World, tried: bool) {
    let Hint::Add { clauses, notes } = hint else {
        assert!(hint.clauses().is_empty());
        return;
    };
    let path = match denial.operand() {
        Operand::Path(path) | Operand::Socket(path) => RealPath::new(path),
        _ => None,
    };
    let Some(path) = path else {
        assert!(clauses.iter().all(|one| one.setting() == Setting::Access));
        return;
    };
    let path = world.host.presented(path);
    for place in world
        .stack
        .layers()
        .iter()
        .flat_map(|layer| layer.exclusions())
    {
        assert!(
            place.clause().list().name() != "exclude" || !place.covers(&path.key()),
            "{denial}: {hint}"
        );
    }
    if !tried
        || notes.contains(&Note::PerhapsLink)
        || matches!(denial.operand(), Operand::Socket(_))
    {
        return;
    }
    let mut texts = world.texts.clone();
    for clause in clauses {
        add(&mut texts[clause.layer()], clause);
    }
    if let Some(after) = frozen(texts) {
        let names = spellings(&path, &after.host);
        let asked = Asked {
            operation: denial.operation().clone(),
            names,
        };
        let settled = after.profile.explain(&[asked]).settled();
        assert_eq!(
            settled,
            Some(Decision::Allow),
            "{denial}: {hint}\n{:?}",
            after.texts
        );
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((which, text)) = data.split_first() else {
        return;
    };
    let world = &WORLDS[usize::from(*which) % WORLDS.len()];
    let mut log = Log::default();
    log.read(text).unwrap();
    let found = log.finish();
    let counts = found.counts();
    let parts = [
        counts.told,
        counts.others,
        counts.unrelated,
        counts.unread,
        counts.foreign,
        counts.overlong,
        counts.beyond,
    ];
    assert_eq!(parts.iter().sum::<u64>(), counts.lines);
    let diagnoser = Diagnoser::new(&world.profile, &world.stack, &world.host);
    for (number, denial) in found.denials().iter().enumerate() {
        let hint = diagnoser.denial(denial).hint().clone();
        held_to(denial, &hint, world, number == 0);
        let shown = format!("{denial} {hint}");
        assert!(!shown.contains(|c: char| c.is_control()), "{shown:?}");
    }
    let _ = summary(&found, &world.profile, &world.stack, &world.host);
});
