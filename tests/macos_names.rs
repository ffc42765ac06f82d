//! What a walk answers on a Mac, asked of the model: `Host::stock_mac` and trees in memory. The rows
//! are those of section X., the flags of open(2), and X-26 are about calls: the arm
//! object/src/sys/macos.rs makes or avoids them, which is type-checked and not run here. X-27 is about
//! creating.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use objcap::object::{Host, Leaf, Memory, Object, Options, Scope, Spelling, path};
use objcap::walk::walk;

/// A walk in the model: its kind or `absent`, where, and how much lies below that; or its error.
fn told(tree: &Memory, asked: &str, options: &Options) -> String {
    match walk(tree, asked.as_bytes(), options) {
        Ok(walked) => {
            let real = path::display(walked.real());
            let tail: String = walked
                .tail()
                .map(|name| format!(" + {}", path::display(name)))
                .collect();
            match walked.kind() {
                Some(kind) => format!("{kind} {real}"),
                None => format!("absent {real}{tail}"),
            }
        }
        Err(error) => format!("{} at {}", error.kind().name(), path::display(error.at())),
    }
}

fn follow() -> Options {
    Options::default()
}

fn links<'a>(walked: impl Iterator<Item = objcap::object::Traversed<'a>>) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    walked
        .map(|link| (text(link.at()), text(link.text())))
        .collect()
}

#[test]
fn root_aliases_lead_to_private_and_are_recorded() {
    //
    let mac = Host::stock_mac();
    for (asked, want) in [
        ("/tmp/absent/deeper", "absent /private/tmp/absent + deeper"),
        ("/tmp/../x", "absent /private/x"),
        ("/tmp/..", "directory /private"),
        ("/tmp/../../tmp/.", "directory /private/tmp"),
        ("/var/folders/me/T/../../..", "directory /private/var"),
        ("/TMP/x", "absent /private/tmp/x"),
        ("/etc", "directory /private/etc"),
        ("/Private/TMP", "directory /private/tmp"),
    ] {
        assert_eq!(told(&mac.tree, asked, &follow()), want, "{asked}");
    }
    let object = Object::walk(&mac.tree, "/TMP/x", &follow()).unwrap();
    assert_eq!(
        links(object.links()),
        [("/tmp".to_owned(), "private/tmp".to_owned())]
    );
    let as_named = Options {
        leaf: Leaf::AsNamed,
        ..follow()
    };
    assert_eq!(told(&mac.tree, "/tmp", &as_named), "symlink /tmp");
    // a slash behind it follows it all the same.
    assert_eq!(
        told(&mac.tree, "/tmp/", &as_named),
        "directory /private/tmp"
    );
}

#[test]
fn a_firmlink_has_one_presentation_and_its_parent_is_the_one_that_was_passed() {
    // the rule is recorded in docs/decisions/0002-runs-steps-and-dotdot.md.
    let mut mac = Host::stock_mac();
    mac.tree.file("/System/Volumes/Data/Users/me/f");
    let object = Object::walk(&mac.tree, "/System/Volumes/Data/Users/me/f", &follow()).unwrap();
    let presented = mac.presented(object.real().clone());
    assert_eq!(presented.as_bytes(), b"/Users/me/f");
    assert_eq!(
        told(&mac.tree, "/System/Volumes/Data/Users/..", &follow()),
        "directory /System/Volumes/Data"
    );
}

#[test]
fn more_links_than_a_mac_passes_are_passed_up_to_our_own_limit() {
    // 32 there; the limit is the library's own on every system.
    let mut tree = Memory::new();
    tree.file("/l0");
    for n in 1..=41 {
        tree.link(format!("/l{n}"), format!("l{}", n - 1));
    }
    for n in [31, 32, 33, 40] {
        assert_eq!(told(&tree, &format!("l{n}"), &follow()), "file /l0", "{n}");
    }
    assert_eq!(told(&tree, "l41", &follow()), "too-many-links at /l1");
}

#[test]
fn names_and_texts_beyond_a_macs_limit_of_a_path() {
    // 1,024 bytes.
    let mut tree = Memory::folding(|name| objcap::object::name::caseless(name).into());
    let deep = "/0123456789".repeat(300);
    tree.file(format!("{deep}/f"));
    tree.link("/l", format!(".{}", "/0123456789".repeat(90)));
    let rest = "/0123456789".repeat(210);
    for asked in [
        format!("{deep}/f"),
        format!("/l{rest}/f"),
        format!("/l{rest}/./f"),
    ] {
        assert_eq!(told(&tree, &asked, &follow()), format!("file {deep}/f"));
    }
}

#[test]
fn a_scope_refuses_what_leaves_it_though_it_would_come_back() {
    //
    let mut tree = Memory::new();
    tree.file("/inside_file");
    tree.file("/nested/inside_file");
    tree.link("/to-nested", "nested/inside_file");
    tree.link("/to-outside", "../outside");
    tree.link("/parent", "..");
    tree.link("/absolute", "/etc/passwd");
    tree.link("/nested/up", "../nested/../inside_file");
    let beneath = Options {
        scope: Scope::Beneath,
        ..follow()
    };
    for (asked, want) in [
        ("inside_file", "file /inside_file"),
        ("nested/inside_file", "file /nested/inside_file"),
        ("nested/../inside_file", "file /inside_file"),
        ("to-nested", "file /nested/inside_file"),
        ("nested/up", "file /inside_file"),
        ("to-outside", "outside-scope at /.."),
        ("../outside", "outside-scope at /.."),
        ("parent/outside", "outside-scope at /.."),
        ("../test_dir/inside_file", "outside-scope at /.."),
        ("nested/../../test_dir", "outside-scope at /.."),
        ("absolute", "outside-scope at /absolute"),
        ("/etc/passwd", "outside-scope at /"),
        ("/", "outside-scope at /"),
    ] {
        assert_eq!(told(&tree, asked, &beneath), want, "{asked}");
    }
}

#[test]
fn a_resource_fork_is_no_way_through_a_file() {
    // to the kernel, `..namedfork` at the end of a whole path is the fork; a walk passes
    // one name at a time.
    let mut mac = Host::stock_mac();
    mac.tree.file("/Users/me/f");
    for (asked, want) in [
        ("/Users/me/f", "file /Users/me/f"),
        (
            "/Users/me/f/..namedfork/rsrc",
            "not-a-directory at /Users/me/f",
        ),
        (
            "/Users/me/f/..namedfork/../x",
            "not-a-directory at /Users/me/f",
        ),
        ("/Users/me/..namedfork", "absent /Users/me/..namedfork"),
        (
            "/Users/me/..namedfork/rsrc",
            "absent /Users/me/..namedfork + rsrc",
        ),
        (
            "/Users/me/..namedfork/../f",
            "not-found at /Users/me/..namedfork",
        ),
        ("/Users/me/.../f", "absent /Users/me/... + f"),
    ] {
        assert_eq!(told(&mac.tree, asked, &follow()), want, "{asked}");
    }
}

#[test]
fn names_that_look_special_are_ordinary() {
    //
    let long = "é".repeat(127) + "x";
    assert_eq!(long.len(), 255);
    for name in [
        "._x",
        ".DS_Store",
        "a name",
        "-rf",
        "*",
        "~",
        "${HOME}",
        "%2e%2e",
        "C:x",
        "..\\x",
        &long,
    ] {
        let mut mac = Host::stock_mac();
        mac.tree.file(format!("/Users/me/{name}/f"));
        let want = format!(
            "file {}",
            path::display(format!("/Users/me/{name}/f").as_bytes())
        );
        assert_eq!(
            told(&mac.tree, &format!("/Users/me/{name}/f"), &follow()),
            want
        );
        assert_eq!(
            told(
                &mac.tree,
                &format!("/Users/me/{name}/../{name}/f"),
                &follow()
            ),
            want
        );
    }
    let mac = Host::stock_mac();
    let beyond = format!("/Users/me/{long}x");
    assert!(told(&mac.tree, &beyond, &follow()).starts_with("name-too-long at "));
}

#[test]
fn a_volume_is_asked_whether_it_folds_and_not_the_system() {
    // X-28, and U-01 to U-04 on the model: stored spellings on the one, exact names on the other.
    let build = |mut tree: Memory| {
        tree.file("/Dir/File.txt");
        tree.link("/Lnk", "DIR/file.TXT");
        tree
    };
    let folding = build(Memory::folding(|name| {
        objcap::object::name::caseless(name).into()
    }));
    for (asked, want) in [
        ("dir/file.TXT", "file /Dir/File.txt"),
        ("DIR/../dIr/./FILE.txt", "file /Dir/File.txt"),
        ("lnk", "file /Dir/File.txt"),
        ("dir/New", "absent /Dir/New"),
    ] {
        assert_eq!(told(&folding, asked, &follow()), want, "{asked}");
    }
    let walked = walk(&folding, b"lNK", &follow()).unwrap();
    assert_eq!(
        links(walked.links()),
        [("/Lnk".to_owned(), "DIR/file.TXT".to_owned())]
    );
    assert_eq!(walked.spelling(), Spelling::Stored);
    let lookups: Vec<_> = walked.lookups().map(|name| name.into_owned()).collect();
    assert_eq!(lookups, [&b"/Lnk"[..], b"/Dir", b"/Dir/File.txt"]);

    let exact = build(Memory::new());
    for (asked, want) in [
        ("Dir/File.txt", "file /Dir/File.txt"),
        ("dir/File.txt", "absent /dir + File.txt"),
        ("Dir/file.txt", "absent /Dir/file.txt"),
        ("Lnk", "absent /DIR + file.TXT"),
    ] {
        assert_eq!(told(&exact, asked, &follow()), want, "{asked}");
    }
}
