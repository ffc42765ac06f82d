//! Trials about names: those that a text could lose, as many as a profile may have, and every call on every object.

use crate::trial::Case;
use crate::trial::Step::{self, May, MayNot};

/// Names with everything that has a meaning in a profile, in a pattern, in a grant or in a volume.
const NAMES: &[&str] = &[
    "a b",
    "quo\"te",
    "pa(ren)th",
    "back\\slash",
    "new\nline",
    "#\"raw",
    "semi;colon",
    "$&",
    "[a]*.+?^$|",
    "é",
    "e\u{301}",
    "Ⅻ",
    "\u{1f980}",
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A text as a grant has it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn grant(write: &[String], exclude: &[String]) -> String {
    let list = |paths: &[String]| {
        let quoted: Vec<_> = paths.iter().map(|path| quoted(path)).collect();
        quoted.join(", ")
    };
    format!(
        "[fs]\nread = ['{{own}}']\nwrite = [{}]\nexclude = [{}]\n[exec]\nallow = ['{{own}}']\n[net]\n",
        list(write),
        list(exclude)
    )
}

/// Law 7: what can be said is said so that the kernel reads it.
fn any_name() -> Case {
    // A path of more than 900 bytes, in names as long as a volume takes.
    let long = ["n".repeat(255), "o".repeat(255), "p".repeat(255)].join("/");
    let names: Vec<&str> = NAMES.iter().copied().chain([long.as_str()]).collect();
    let (mut write, mut exclude) = (vec!["{}/w".to_owned()], Vec::new());
    let (mut made, mut steps) = (vec!["w/f".to_owned()], Vec::new());
    for name in names {
        // Two spellings of one name are one object.
        let beside = match name {
            "e\u{301}" => "w2",
            _ => "w1",
        };
        write.push(format!("{{}}/{beside}/{name}"));
        exclude.push(format!("{{}}/w/{beside}/{name}"));
        made.push(format!("{beside}/{name}/f"));
        made.push(format!("w/{beside}/{name}/f"));
        let allowed = format!("{{}}/{beside}/{name}/f");
        let excluded = format!("{{}}/w/{beside}/{name}/f");
        steps.extend([
            May(words(&["read", &allowed])),
            May(words(&["write", &allowed])),
            MayNot(words(&["read", &excluded])),
            MayNot(words(&["write", &excluded])),
        ]);
    }
    steps.push(MayNot(words(&["list", "{}/w1"])));
    Case {
        name: "law_7_any_name_is_held_and_opened".to_owned(),
        grant: grant(&write, &exclude),
        made,
        steps,
    }
}

/// Sizes: a profile of 5,000 prefixes is entered, and the first and the last of them are in force.
fn many_prefixes() -> Case {
    let prefix = |number: usize| format!("{{}}/many/{number:0>50}");
    let write: Vec<String> = (0..5_000).map(prefix).collect();
    let made = [0, 2_500, 4_999].map(|number| format!("many/{number:0>50}/f"));
    let mut steps: Vec<Step> = [0, 2_500, 4_999]
        .iter()
        .map(|number| May(words(&["read", &format!("{}/f", prefix(*number))])))
        .collect();
    steps.push(MayNot(words(&["list", "{}/many"])));
    steps.push(MayNot(words(&["read", "{}/many/beside"])));
    Case {
        name: "five_thousand_prefixes_are_entered".to_owned(),
        grant: grant(&write, &[]),
        made: made.into_iter().chain(["many/beside".to_owned()]).collect(),
        steps,
    }
}

/// A verdict that stands for several calls.
type Says = fn(Vec<String>) -> Step;

/// Law 5: one grant, and every call on each object of one world, the verdict by what the grant says of it.
fn every_call() -> Case {
    // Allowed, read only, protected, excluded, and not mentioned.
    let places = ["w", "r", "w/p", "w/x", "o"];
    let (mut made, mut steps) = (Vec::new(), Vec::new());
    for place in places {
        made.extend([
            format!("{place}/f"),
            format!("{place}/d/g"),
            format!("{place}/l -> f"),
            format!("{place}/e/"),
            format!("{place}/h/"),
        ]);
        let (read, write): (Says, Says) = match place {
            "w" => (May, May),
            "r" | "w/p" => (May, MayNot),
            _ => (MayNot, MayNot),
        };
        let at = |name: &str| format!("{{}}/{place}/{name}");
        for (says, verb, name) in [
            (read, "read", "f"),
            (read, "read", "l"),
            (read, "list", "d"),
            (read, "stat", "f"),
            (read, "lstat", "l"),
            (read, "readlink", "l"),
            (write, "write", "f"),
            (write, "truncate", "f"),
            (write, "chmod", "f"),
            (write, "create", "n1"),
            (write, "mkdir", "n2"),
        ] {
            steps.push(says(words(&[verb, &at(name)])));
        }
        steps.push(write(words(&["symlink", "f", &at("n3")])));
        let mine = |name: &str| format!("{{}}/w/{name}-{}", place.replace('/', "-"));
        steps.extend([
            read(words(&["clone", &at("f"), &mine("clone")])),
            read(words(&["clone", &at("d"), &mine("folder")])),
            write(words(&["link", &at("f"), &mine("link")])),
            write(words(&["rename", &at("l"), &mine("moved")])),
            write(words(&["swap", &at("d"), &at("e")])),
            write(words(&["rmdir", &at("h")])),
            write(words(&["unlink", &at("f")])),
        ]);
    }
    Case {
        name: "law_5_every_call_on_every_object".to_owned(),
        grant: "[fs]\nread = ['{own}', '{}/r']\nwrite = ['{}/w']\nprotect = ['{}/w/p']\nexclude = ['{}/w/x']\n\
                [exec]\nallow = ['{own}']\n[net]\n"
            .to_owned(),
        made,
        steps,
    }
}

pub(crate) fn cases() -> Vec<Case> {
    vec![any_name(), many_prefixes(), every_call()]
}
