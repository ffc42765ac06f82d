//! Stored spelling: the walk over volumes that fold names. They are mounted through FUSE, and each
//! case is walked with whole runs and name by name. Linux only.
//!
//! The rows are those of the project's list of walk cases, section U. SMB (U-27, and a volume that
//! strips what it likes) cannot be had here; HFS+ and VFAT (U-06, U-26) are stood in for by a volume that folds as coarsely.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};

use objcap::object::{Error, Machine, Object, Options, Presence, Spelling, path};
use objcap_support::apfs::{Apfs, Rule};

/// A walk's record, below the volume's root.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    real: String,
    spelling: Spelling,
    links: Vec<(String, String)>,
    lookups: Vec<String>,
}

fn machines() -> [Machine; 2] {
    [
        Machine::ambient_root().unwrap(),
        Machine::ambient_root().unwrap().stepwise(),
    ]
}

fn below(volume: &Apfs, real: &[u8]) -> String {
    let root = volume.root().as_os_str().as_bytes();
    match real.strip_prefix(root) {
        Some([]) => "/".to_owned(),
        Some(below) => path::display(path::trim_start(below)).to_string(),
        None => format!("outside: {}", path::display(real)),
    }
}

fn walk(machine: &Machine, volume: &Apfs, typed: &str) -> Result<Object, Error> {
    Object::walk(machine, volume.root().join(typed), &Options::default())
}

/// What both resolvers say of a path below the volume's root: the same.
fn record(volume: &Apfs, typed: &str) -> Record {
    let depth = volume.root().components().count() - 1;
    let [whole, stepwise] = machines().map(|machine| {
        let object = walk(&machine, volume, typed).unwrap();
        Record {
            real: below(volume, object.real().as_bytes()),
            spelling: object.walked().spelling(),
            links: object
                .links()
                .map(|link| {
                    let text = path::display(link.text()).to_string();
                    (below(volume, link.at()), text)
                })
                .collect(),
            lookups: object
                .lookups()
                .skip(depth)
                .map(|real| below(volume, &real))
                .collect(),
        }
    });
    assert_eq!(whole, stepwise, "{typed}: the resolvers differ");
    whole
}

fn real(volume: &Apfs, typed: &str) -> String {
    let record = record(volume, typed);
    assert_eq!(record.spelling, Spelling::Stored, "{typed}");
    record.real
}

fn folders(volume: &Apfs, names: &[&str]) {
    for name in names {
        fs::create_dir_all(volume.root().join(name)).unwrap();
    }
}

fn files(volume: &Apfs, names: &[&str]) {
    for name in names {
        fs::write(volume.root().join(name), name).unwrap();
    }
}

#[test]
fn u_01_every_component_is_spelled_as_stored() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Dir/Sub/Deep"]);
    files(&volume, &["Dir/File.txt", "Dir/Sub/Deep/Leaf"]);
    let table = [
        ("Dir/File.txt", "Dir/File.txt"),
        ("dir/file.TXT", "Dir/File.txt"),
        ("DIR/File.txt", "Dir/File.txt"),
        ("Dir/FILE.TXT", "Dir/File.txt"),
        ("dir/Sub/DEEP/Leaf", "Dir/Sub/Deep/Leaf"),
        ("dir/sub/deep/leaf", "Dir/Sub/Deep/Leaf"),
        ("dir/sub/deep/", "Dir/Sub/Deep"),
        ("dir/sub/deep/.", "Dir/Sub/Deep"),
        ("DIR", "Dir"),
        (".", "/"),
        ("dir/..", "/"),
    ];
    for (typed, stored) in table {
        assert_eq!(real(&volume, typed), stored, "{typed}");
    }
    assert_eq!(
        record(&volume, "dir/SUB/deep").lookups,
        ["Dir", "Dir/Sub", "Dir/Sub/Deep"]
    );
}

#[test]
fn what_is_left_by_dot_dot_is_spelled_as_stored_too() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["A/B/C", "D"]);
    files(&volume, &["A/X", "D/Y"]);
    let table: [(&str, &str, &[&str]); 4] = [
        ("a/b/../x", "A/X", &["A", "A/B", "A/X"]),
        ("a/b/c/../../x", "A/X", &["A", "A/B", "A/B/C", "A/X"]),
        ("a/../d/y", "D/Y", &["A", "D", "D/Y"]),
        (
            "a/b/c/../../../d/../D/y",
            "D/Y",
            &["A", "A/B", "A/B/C", "D", "D", "D/Y"],
        ),
    ];
    for (typed, stored, lookups) in table {
        let record = record(&volume, typed);
        assert_eq!(
            (record.real.as_str(), record.spelling),
            (stored, Spelling::Stored)
        );
        assert_eq!(record.lookups, lookups, "{typed}");
    }
}

/// The path comes back to a volume that does not fold: the record still tells of the one that does.
#[test]
fn a_volume_that_is_left_again_is_spelled_as_stored() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["A/B"]);
    files(&volume, &["A/F"]);
    let outside = volume.root().parent().unwrap();
    fs::write(outside.join("plain"), "").unwrap();
    symlink("../../plain", volume.root().join("A/Out")).unwrap();
    for typed in [
        "a/b/../../../plain",
        "a/../a/B/../../../plain",
        "a/out",
        "A/b/../out",
    ] {
        for machine in machines() {
            let object = walk(&machine, &volume, typed).unwrap();
            assert_eq!(
                object.real().as_bytes(),
                outside.join("plain").as_os_str().as_bytes()
            );
            assert_eq!(object.walked().spelling(), Spelling::Stored, "{typed}");
            let passed: Vec<_> = object.lookups().map(|real| below(&volume, &real)).collect();
            assert!(passed.contains(&"A".to_owned()), "{typed}: {passed:?}");
            for name in ["a", "A/b", "a/B", "a/b", "A/out", "a/out"] {
                assert!(!passed.contains(&name.to_owned()), "{typed}: {passed:?}");
            }
        }
    }
}

#[test]
fn u_03_u_04_a_link_is_recorded_as_stored_and_its_text_is_kept() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Dir"]);
    files(&volume, &["Dir/x"]);
    symlink("Dir", volume.root().join("Lnk")).unwrap();
    symlink("DIR/X", volume.root().join("Dir/Second")).unwrap();
    symlink("../dir/SECOND/", volume.root().join("Dir/Third")).unwrap();
    symlink("../DIR/X", volume.root().join("Dir/Fourth")).unwrap();
    let link = |at: &str, text: &str| (at.to_owned(), text.to_owned());
    assert_eq!(
        record(&volume, "lnk/X"),
        Record {
            real: "Dir/x".to_owned(),
            spelling: Spelling::Stored,
            links: vec![link("Lnk", "Dir")],
            lookups: ["Lnk", "Dir", "Dir/x"].map(str::to_owned).to_vec(),
        }
    );
    assert_eq!(
        record(&volume, "LNK/fourth"),
        Record {
            real: "Dir/x".to_owned(),
            spelling: Spelling::Stored,
            links: vec![link("Lnk", "Dir"), link("Dir/Fourth", "../DIR/X")],
            lookups: ["Lnk", "Dir", "Dir/Fourth", "Dir", "Dir/x"]
                .map(str::to_owned)
                .to_vec(),
        }
    );
    // In an error too. `Dir/DIR` does not exist, and Second says `DIR/X`.
    for machine in machines() {
        let options = Options {
            tail: objcap::object::Tail::Refuse,
            ..Options::default()
        };
        let path = volume.root().join("lnk/third/more");
        let error = Object::walk(&machine, path, &options).unwrap_err();
        let links: Vec<_> = error
            .links()
            .map(|link| below(&volume, link.at()))
            .collect();
        assert_eq!(links, ["Lnk", "Dir/Third", "Dir/Second"]);
    }
}

#[test]
fn u_10_u_11_u_16_names_meet_as_on_apfs() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    files(
        &volume,
        &["\u{fc}ber", "stra\u{df}e", "\u{3c3}o", "\u{212a}elvin"],
    );
    symlink("u\u{308}ber", volume.root().join("Umlaut")).unwrap();
    assert_eq!(
        record(&volume, "umlaut"),
        Record {
            real: "\u{fc}ber".to_owned(),
            spelling: Spelling::Stored,
            // `display` shows a mark that combines with nothing before it; here it follows its letter.
            links: vec![(
                "Umlaut".to_owned(),
                path::display("u\u{308}ber".as_bytes()).to_string()
            )],
            lookups: ["Umlaut", "\u{fc}ber"].map(str::to_owned).to_vec(),
        }
    );
    for (typed, stored) in [
        ("U\u{308}BER", "\u{fc}ber"),
        ("strasse", "stra\u{df}e"),
        ("STRASSE", "stra\u{df}e"),
        ("\u{3a3}O", "\u{3c3}o"),
        ("\u{3c2}o", "\u{3c3}o"),
        ("kelvin", "\u{212a}elvin"),
    ] {
        assert_eq!(real(&volume, typed), stored, "{typed}");
    }
}

#[test]
fn u_06_a_joiner_makes_another_name_on_apfs_and_the_same_on_a_coarser_volume() {
    if let Some(apfs) = Apfs::mount(Rule::Caseless) {
        folders(&apfs, &[".git"]);
        for typed in [".g\u{200c}it", ".git\u{200d}", "\u{feff}.git"] {
            let object = walk(&machines()[0], &apfs, typed).unwrap();
            assert_eq!(object.presence(), Presence::Absent, "{typed:?}");
        }
        assert_eq!(real(&apfs, ".GIT"), ".git");
    }
    if let Some(coarse) = Apfs::mount(Rule::Coarse) {
        folders(&coarse, &[".git/Hooks", "other"]);
        for typed in [".g\u{200c}it", ".GIT\u{200d}", "\u{feff}.git"] {
            assert_eq!(real(&coarse, typed), ".git", "{typed:?}");
            assert_eq!(real(&coarse, &format!("{typed}/hooks")), ".git/Hooks");
        }
    }
}

#[test]
fn u_26_what_a_volume_strips_from_a_name_is_not_part_of_it() {
    let Some(volume) = Apfs::mount(Rule::Coarse) else {
        return;
    };
    files(&volume, &["Name", "Other"]);
    for typed in ["name.", "name ", "NAME. ."] {
        assert_eq!(real(&volume, typed), "Name", "{typed:?}");
    }
    // Of one file with two names that no key tells apart, nobody can say which was meant.
    fs::hard_link(volume.root().join("Name"), volume.root().join("Again")).unwrap();
    assert_eq!(record(&volume, "name.").spelling, Spelling::Typed);
    assert_eq!(record(&volume, "name.").real, "name.");
}

#[test]
fn u_17_u_18_an_absent_name_is_as_typed_below_folders_as_stored() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Dir"]);
    for (typed, stored) in [
        (".GIT", ".GIT"),
        ("dir/.GIT", "Dir/.GIT"),
        ("DIR/e\u{301}", "Dir/e\u{301}"),
        ("dir/New/below/IT", "Dir/New/below/IT"),
    ] {
        let record = record(&volume, typed);
        assert_eq!(record.spelling, Spelling::Stored);
        assert_eq!(record.real, path::display(stored.as_bytes()).to_string());
    }
    // It is made in the form that was typed, and found under every other.
    fs::write(volume.root().join("dir/e\u{301}"), "").unwrap();
    let found = real(&volume, "dir/\u{c9}");
    assert_eq!(found, path::display("Dir/e\u{301}".as_bytes()).to_string());
}

/// What an operation on objects has to know: the kernel takes both spellings for one object and
/// does nothing, and a second name in between changes the spelling.
#[test]
fn u_20_a_rename_to_another_spelling_takes_two_steps_on_linux() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    files(&volume, &["a"]);
    let at = |name: &str| volume.root().join(name);
    fs::rename(at("a"), at("A")).unwrap();
    assert_eq!(real(&volume, "A"), "a");
    fs::rename(at("a"), at("between")).unwrap();
    fs::rename(at("between"), at("A")).unwrap();
    assert_eq!(real(&volume, "a"), "A");
}

#[test]
fn u_28_on_a_volume_that_tells_case_apart_the_exact_name_is_meant() {
    let Some(volume) = Apfs::mount(Rule::Cased) else {
        return;
    };
    folders(&volume, &["Dir"]);
    files(&volume, &["Dir/a", "Dir/A", "Dir/\u{e9}"]);
    for name in ["Dir/a", "Dir/A"] {
        assert_eq!(real(&volume, name), name);
    }
    assert_eq!(
        walk(&machines()[0], &volume, "dir").unwrap().presence(),
        Presence::Absent
    );
    // Normal forms meet nevertheless, and case does not.
    assert_eq!(real(&volume, "Dir/e\u{301}"), "Dir/\u{e9}");
    let upper = walk(&machines()[1], &volume, "Dir/\u{c9}").unwrap();
    assert_eq!(upper.presence(), Presence::Absent);
}

#[test]
fn of_a_file_with_two_names_the_one_that_was_meant_is_recorded() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    files(&volume, &["First"]);
    fs::hard_link(volume.root().join("First"), volume.root().join("Second")).unwrap();
    assert_eq!(real(&volume, "first"), "First");
    assert_eq!(real(&volume, "SECOND"), "Second");
}

/// The kernel's own name of an open directory is the spelling typed last.
#[test]
fn the_kernels_own_name_is_no_oracle() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Dir"]);
    let held = fs::File::open(volume.root().join("Dir")).unwrap();
    let name = || {
        let number = std::os::fd::AsRawFd::as_raw_fd(&held);
        let name = fs::read_link(format!("/proc/self/fd/{number}")).unwrap();
        below(&volume, name.as_os_str().as_bytes())
    };
    assert_eq!(name(), "Dir");
    fs::metadata(volume.root().join("DIR")).unwrap();
    assert_eq!(name(), "DIR");
    assert_eq!(real(&volume, "dIr"), "Dir");
}

#[test]
fn where_a_folder_may_not_be_listed_the_record_says_typed() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Open/Shut/In"]);
    let shut = volume.root().join("Open/Shut");
    assert_eq!(real(&volume, "open/shut/in"), "Open/Shut/In");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o311)).unwrap();
    let above = volume.root().parent().unwrap();
    fs::set_permissions(above, fs::Permissions::from_mode(0o711)).unwrap();
    let walked = std::thread::scope(|scope| {
        let walk = || {
            // Root lists every folder. Only this thread gives that up.
            if rustix::process::geteuid().is_root() {
                let nobody = rustix::fs::Uid::from_raw(65534);
                rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
            }
            (
                record(&volume, "open/shut/in"),
                record(&volume, "open/shut"),
            )
        };
        scope.spawn(walk).join().unwrap()
    });
    let (inside, shut) = walked;
    assert_eq!(
        (inside.real.as_str(), inside.spelling),
        ("open/shut/in", Spelling::Typed)
    );
    // What lies above it can still be told.
    assert_eq!(
        (shut.real.as_str(), shut.spelling),
        ("Open/Shut", Spelling::Stored)
    );
}

/// The name of a mount point stands in the folder above it, and the mount in between may be the
/// only one that folds.
#[test]
fn a_volume_in_the_middle_of_the_path_is_asked() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    folders(&volume, &["Dir/Mnt"]);
    let mount = volume.root().join("Dir/Mnt");
    let none = None::<&std::ffi::CStr>;
    let flags = rustix::mount::MountFlags::empty();
    if let Err(error) = rustix::mount::mount("none", &mount, "tmpfs", flags, none) {
        println!("NOT CHECKED: a tmpfs on a folding volume: mount(2): {error}");
        return;
    }
    let leaf = fs::write(mount.join("Leaf"), "");
    let found = catch_unwind(AssertUnwindSafe(|| {
        leaf.unwrap();
        assert_eq!(real(&volume, "dir/mnt/Leaf"), "Dir/Mnt/Leaf");
        assert_eq!(real(&volume, "dir/mnt"), "Dir/Mnt");
        assert_eq!(real(&volume, "dir/mnt/../mnt/Leaf"), "Dir/Mnt/Leaf");
        assert_eq!(real(&volume, "dir/mnt/new"), "Dir/Mnt/new");
        // tmpfs tells case apart, whatever lies above it.
        let object = walk(&machines()[0], &volume, "dir/mnt/leaf").unwrap();
        assert_eq!(object.presence(), Presence::Absent);
    }));
    rustix::mount::unmount(&mount, rustix::mount::UnmountFlags::DETACH).unwrap();
    if let Err(panic) = found {
        resume_unwind(panic);
    }
}

#[test]
fn a_volume_is_gone_when_a_test_fails_with_handles_on_it() {
    let Some(volume) = Apfs::mount(Rule::Caseless) else {
        return;
    };
    let root = volume.root().to_owned();
    let mounted = || {
        let list = fs::read_to_string("/proc/self/mountinfo").unwrap();
        list.contains(root.to_str().unwrap())
    };
    assert!(mounted());
    let held = fs::File::open(&root).unwrap();
    let failed = catch_unwind(AssertUnwindSafe(move || {
        let _volume = volume;
        panic_any("a failing test");
    }));
    assert!(failed.is_err());
    assert!(!mounted());
    drop(held);
}
