//! What is not measured runs both ways.

use std::collections::HashSet;

use objcap::walk::{Leaf, Owner};
use objcap_support::mac::{
    AccessAsks, Attribute, AttributeAsks, BindAsks, Call, Choices, CloneAsks, ExchangeAsks,
    ExistenceAsks, FolderCloneAsks, How, InterpreterAsks, LinkAsks, MapAsks, Passing, Presentation,
    Probe, Process, RenameAsks, SwapAsks, TypeAheadAsks,
};

use crate::{asks_each_as, name, open, opened, world};

fn with(set: impl FnOnce(&mut Choices)) -> Choices {
    let mut choices = Choices::default();
    set(&mut choices);
    choices
}

#[test]
fn there_is_a_choice_for_every_number_and_a_flip_for_every_other_way() {
    let all: HashSet<_> = (0..Choices::COUNT).map(Choices::nth).collect();
    assert_eq!(all.len(), Choices::COUNT);
    assert_eq!(Choices::nth(0), Choices::default());
    // 15 choices, 6 of them between three ways.
    assert_eq!(Choices::COUNT, 2_usize.pow(9) * 3_usize.pow(6));
    let flips = Choices::flips();
    assert_eq!(flips.len(), 1 + 9 + 2 * 6);
    assert_eq!(flips.iter().collect::<HashSet<_>>().len(), flips.len());
}

#[test]
fn two_ended_calls_ask_more_or_less() {
    let mac = world();
    let rename = Call::Rename {
        from: name("f"),
        to: name("d/g"),
    };
    let swap = Call::Swap {
        one: name("f"),
        other: name("d/g"),
    };
    let exchange = Call::Exchange {
        one: name("f"),
        other: name("d/g"),
    };
    let link = Call::Link {
        from: name("f"),
        to: name("new"),
        leaf: Leaf::Follow,
    };
    let clone = |from| Call::Clone {
        from: name(from),
        to: name("new"),
        leaf: Leaf::Follow,
    };
    for (call, choices, questions) in [
        (
            &rename,
            with(|choices| choices.rename = RenameAsks::Create),
            &["file-write-unlink /w/f", "file-write-create /w/d/g"][..],
        ),
        (
            &rename,
            with(|choices| choices.rename = RenameAsks::Nothing),
            &["file-write-unlink /w/f"],
        ),
        (
            &swap,
            with(|choices| choices.swap = SwapAsks::Unlink),
            &["file-write-unlink /w/f", "file-write-unlink /w/d/g"],
        ),
        (
            &exchange,
            with(|choices| choices.exchange = ExchangeAsks::Write),
            &["file-write-data /w/f", "file-write-data /w/d/g"],
        ),
        (
            &link,
            with(|choices| choices.link = LinkAsks::WriteToo),
            &[
                "file-link /w/f",
                "file-write-data /w/f",
                "file-write-create /w/new",
            ],
        ),
        (
            &link,
            with(|choices| choices.link = LinkAsks::Create),
            &["file-write-create /w/new"],
        ),
        (
            &clone("f"),
            with(|choices| choices.clone = CloneAsks::Read),
            &["file-read-data /w/f", "file-write-create /w/new"],
        ),
        (
            &clone("f"),
            with(|choices| choices.clone = CloneAsks::Clone),
            &["file-clone /w/f", "file-write-create /w/new"],
        ),
        (
            &clone("d"),
            with(|choices| choices.folder_clone = FolderCloneAsks::Clone),
            &["file-clone /w/d", "file-write-create /w/new"],
        ),
        (
            &clone("f"),
            with(|choices| choices.folder_clone = FolderCloneAsks::Clone),
            &[
                "file-clone /w/f",
                "file-read-data /w/f",
                "file-write-create /w/new",
            ],
        ),
    ] {
        asks_each_as(&mac, call, questions, choices);
    }
}

#[test]
fn calls_about_one_object_ask_otherwise() {
    let mut mac = world();
    mac.file("/w/script", "#!/w/f");
    let times = Call::Change {
        name: name("f"),
        attribute: Attribute::Times,
        leaf: Leaf::Follow,
    };
    let xattr = Call::Change {
        name: name("f"),
        attribute: Attribute::Xattr,
        leaf: Leaf::Follow,
    };
    let owner = Call::Change {
        name: name("f"),
        attribute: Attribute::Owner(Owner::User),
        leaf: Leaf::Follow,
    };
    let exec = Call::Exec {
        name: name("script"),
        arguments: Vec::new(),
    };
    let access = |probe| Call::Access(name("f"), probe);
    let mode = with(|choices| choices.attributes = AttributeAsks::Mode);
    for (call, choices, questions) in [
        (
            &access(Probe::Write),
            with(|choices| choices.access = AccessAsks::Metadata),
            &["file-read-metadata /w/f"][..],
        ),
        (
            &access(Probe::Exists),
            with(|choices| choices.existence = ExistenceAsks::Metadata),
            &["file-read-metadata /w/f"],
        ),
        (
            &access(Probe::Exists),
            with(|choices| choices.existence = ExistenceAsks::Nothing),
            &[],
        ),
        (&times, mode, &["file-write-mode /w/f"]),
        (&owner, mode, &["file-write-mode /w/f"]),
        (&xattr, mode, &["file-write-xattr /w/f"]),
        (
            &exec,
            with(|choices| choices.interpreter = InterpreterAsks::Interpreter),
            &["process-exec* /w/script", "process-exec-interpreter /w/f"],
        ),
        (
            &Call::Bind(name("new")),
            with(|choices| choices.bind = BindAsks::Bind),
            &["network-bind /w/new"],
        ),
        (
            &Call::Bind(name("new")),
            with(|choices| choices.bind = BindAsks::Create),
            &["file-write-create /w/new"],
        ),
    ] {
        asks_each_as(&mac, call, questions, choices);
    }
}

#[test]
fn calls_on_descriptors_ask_otherwise() {
    let mut mac = world();
    let mut process = Process::unconfined(&mac, "/w");
    let f = opened(&mut mac, &mut process, "f", How::Read);
    let tty = opened(&mut mac, &mut process, "/dev/tty", How::Read);
    let asks = |call: &Call, choices| {
        let asked = process.asks(&mac, call, &choices);
        assert_eq!(asked.then, Ok(()));
        asked
            .questions
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let nothing = with(|choices| choices.map = MapAsks::Nothing);
    assert_eq!(asks(&Call::MapExecutable(f), nothing), [""; 0]);
    let both = with(|choices| choices.type_ahead = TypeAheadAsks::Both);
    assert_eq!(
        asks(&Call::TypeAhead(tty), both),
        ["hid-control", "file-ioctl /dev/tty"]
    );
    let ioctl = with(|choices| choices.type_ahead = TypeAheadAsks::Ioctl);
    assert_eq!(asks(&Call::TypeAhead(tty), ioctl), ["file-ioctl /dev/tty"]);
}

#[test]
fn passing_a_folder_asks_for_its_metadata_or_nothing() {
    let mac = world();
    let choices = with(|choices| choices.passing = Passing::Metadata);
    let questions = [
        "file-read-metadata /",
        "file-read-metadata /w",
        "file-read-metadata /w/to-d",
        "file-read-metadata /w/d",
        "file-read-data /w/d/g",
    ];
    // `/w` is asked about again, where the link's text is looked up: once here, since it is the same.
    asks_each_as(&mac, &open("/w/to-d/g", How::Read), &questions, choices);
    let change = Call::ChangeFolder(name("/w"));
    asks_each_as(&mac, &change, &[], Choices::default());
    asks_each_as(&mac, &change, &questions[..2], choices);
}

#[test]
fn a_name_is_shown_as_it_is_or_through_an_alias() {
    let mut mac = world();
    mac.file("/private/tmp/a", "");
    mac.give("/private/tmp/a");
    let twin = with(|choices| choices.presentation = Presentation::Twin);
    for typed in ["/tmp/a", "/TMP/A"] {
        let real = ["file-read-metadata /tmp", "file-read-data /private/tmp/a"];
        asks_each_as(&mac, &open(typed, How::Read), &real, Choices::default());
        // The link itself has no other name.
        let shown = ["file-read-metadata /tmp", "file-read-data /tmp/a"];
        asks_each_as(&mac, &open(typed, How::Read), &shown, twin);
    }
    let new = "/private/tmp/Absent";
    asks_each_as(
        &mac,
        &open(new, How::Create),
        &["file-write-create /tmp/Absent"],
        twin,
    );
    // A folder that merely begins like the alias's target has none.
    assert_eq!(mac.twin(b"/private/tmp/x"), Some(b"/tmp/x".to_vec()));
    assert_eq!(mac.twin(b"/private/tmpfs"), None);
    // Of an absent name, whatever spelling was typed.
    let rules = "(allow file-write-create (literal \"/private/tmp/absent\"))";
    crate::done(&mut mac, rules, &open(new, How::Create));
}
