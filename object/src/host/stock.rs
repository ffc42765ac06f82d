//! A Mac as it comes out of the box, as plain data: its folders, links and devices, a few of its
//! programs, and one user.

use objcap_walk::{Kind, Memory};

use super::{Host, MAC_ALIASES, MAC_BASE_WRITE, MAC_DATA, MAC_FLOOR, Started, mac};
use crate::{Vars, name};

/// Homebrew is not part of it, and neither is the `/lib` of other systems.
const ABSENT: &[&str] = &["/lib", "/opt/homebrew"];

const FOLDERS: &[&str] = &[
    "/Applications",
    "/Users/me",
    "/private/tmp",
    "/private/var/db/timezone",
    "/private/var/folders/me/T",
    "/usr/local/bin",
    "/usr/sbin",
];

/// Programs that everyone may run and nobody may change.
const PROGRAMS: &[&str] = &[
    "/bin/ls",
    "/bin/sh",
    "/usr/bin/curl",
    "/usr/bin/env",
    "/usr/bin/git",
    "/usr/bin/osascript",
    "/usr/bin/python3",
    OWN,
];

/// The first bytes of a program for several processors (`FAT_MAGIC`, mach-o/fat.h).
const BINARY: &[u8] = b"\xca\xfe\xba\xbe";

const OWN: &str = "/usr/local/bin/objcap";

/// The folders of PATH before anyone changes it (path_helper(8)).
const SEARCH: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/// What belongs to the user.
const GIVEN: &[&str] = &["/Users/me", "/private/tmp", "/private/var/folders/me"];

impl Host<Memory> {
    /// A Mac as it comes out of the box: the root aliases, the floor's folders, a few programs, and the
    /// user's folders with nothing in them, on a volume that folds. The program that asks is
    /// `/usr/local/bin/objcap`. What is made in `/Users/me`, `/private/tmp` and
    /// `/private/var/folders/me` is the user's, everything else the system's.
    pub fn stock_mac() -> Self {
        let mut tree = Memory::folding(|name| name::caseless(name).into());
        let floor = MAC_FLOOR.iter().filter(|place| !ABSENT.contains(place));
        for place in floor.chain(FOLDERS) {
            tree.directory(place);
        }
        tree.directory(format!("{MAC_DATA}/home"));
        for (name, target) in MAC_ALIASES
            .iter()
            .chain([&("/home", "/System/Volumes/Data/home")])
        {
            // The system writes them relative: `tmp -> private/tmp`.
            tree.link(name, target.trim_start_matches('/'));
        }
        for device in MAC_BASE_WRITE {
            tree.other(device, Kind::CharDevice);
        }
        tree.file("/private/var/db/timezone/icutz");
        for program in PROGRAMS {
            tree.write(program, BINARY);
        }
        for place in GIVEN {
            tree.give(place);
        }
        let vars = Vars {
            home: Some("/Users/me".into()),
            cwd: Some("/Users/me".into()),
            tmpdir: Some("/var/folders/me/T".into()),
            ..Vars::default()
        };
        let started = Started {
            vars,
            search: SEARCH.iter().map(Into::into).collect(),
            executable: Some(OWN.into()),
        };
        mac(tree, started)
    }
}
