//! The world that a grant is frozen in: this machine, or a model of another as plain data. A
//! profile for a Mac can so be built, judged and tested anywhere.

mod stock;

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use objcap_walk::{Fault, Tree};

use crate::{Machine, RealPath, Vars, sys};

/// The world that a grant is frozen in.
#[derive(Debug)]
pub struct Host<T> {
    /// Its file system.
    pub tree: T,
    /// What the variables of a grant stand for.
    pub vars: Vars,
    /// The folders of PATH as they were written, in order: a relative one, and an empty one, which
    /// stands for the current folder, are here too. Whoever searches judges them. None where PATH is
    /// not set.
    pub search: Vec<PathBuf>,
    /// The program that asks, by the name that it was started with; on Linux its real path, with
    /// ` (deleted)` behind it if that is gone (proc_pid_exe(5)). `None` where the system does not
    /// tell.
    pub executable: Option<PathBuf>,
    /// Other spellings of the first components of real paths.
    pub aliases: Vec<Alias>,
    /// The prefix under which one volume shows paths that the system presents without it: on a Mac
    /// the data volume (docs/seatbelt.md, section 4).
    pub data_prefix: Option<RealPath>,
    /// How its volumes tell names apart.
    pub names: Names,
    /// Folders that programs must read in order to run at all; joined to what a grant lets be read.
    pub floor: Vec<RealPath>,
    /// Single objects that every program reads, whatever the grant.
    pub base_read: Vec<RealPath>,
    /// Single objects that every program writes, whatever the grant.
    pub base_write: Vec<RealPath>,
}

/// How a system's volumes tell names apart.
// Exhaustive: whoever compares names must decide about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// By their bytes.
    Exact,
    /// By canonical caseless equivalence, as APFS does out of the box.
    Caseless,
}

/// A link in the root, by which every path below its target has a twin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The link.
    pub name: RealPath,
    /// Where it leads.
    pub target: RealPath,
}

/// The read floor of a Mac (docs/seatbelt.md, section 7). The time zones (`icutz`), which its base reads, stand here
/// with all below them: what is known of that name does not say whether it is a file or a folder.
const MAC_FLOOR: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/System",
    "/dev",
    "/private/etc",
    "/private/var/select",
    "/private/var/run",
    "/private/var/db/dyld",
    "/private/var/db/timezone/icutz",
    "/Library/Apple/usr",
    "/Library/Developer/CommandLineTools",
    "/Applications/Xcode.app/Contents/Developer",
    "/opt/homebrew",
];

/// What programs on Linux read before they can run at all.
const LINUX_FLOOR: &[&str] = &[
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/dev",
];

/// The root aliases of a stock Mac, `/home` left out: without the data volume's prefix it is its
/// own twin (docs/seatbelt.md, section 4).
const MAC_ALIASES: &[(&str, &str)] = &[
    ("/tmp", "/private/tmp"),
    ("/var", "/private/var"),
    ("/etc", "/private/etc"),
];

/// What every program on a Mac reads or writes (docs/seatbelt.md, section 7).
const MAC_BASE_READ: &[&str] = &["/"];
const MAC_BASE_WRITE: &[&str] = &["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

const MAC_DATA: &str = "/System/Volumes/Data";

impl<T> Host<T> {
    /// A path from the root: a relative one begins at the current folder, and nothing of it is folded, since what
    /// `..` means is for the walk. `None` for a relative one where there is no current folder.
    pub fn absolute<'p>(&self, path: &'p OsStr) -> Option<Cow<'p, OsStr>> {
        // No text at all is no name of the current folder.
        if path.is_empty() || Path::new(path).is_absolute() {
            return Some(Cow::Borrowed(path));
        }
        let cwd = self.vars.cwd.as_deref().filter(|cwd| cwd.is_absolute());
        Some(Cow::Owned(cwd?.join(path).into_os_string()))
    }
}

impl<T: Tree> Host<T> {
    /// The folders of the floor that exist, in the order of the table.
    fn with_floor(mut self, table: &[&str]) -> Self {
        let exists = |real: &RealPath| {
            objcap_walk::walk(&self.tree, real.as_bytes(), &Default::default())
                .is_ok_and(|walked| walked.kind().is_some())
        };
        self.floor = reals(table).into_iter().filter(exists).collect();
        self
    }

    /// The path under which the system presents an object to a filter: without the data volume's
    /// prefix. The volume's own root has no other path.
    pub fn presented(&self, real: RealPath) -> RealPath {
        let below = self
            .data_prefix
            .as_ref()
            .and_then(|prefix| real.below(prefix));
        match below {
            None | Some([]) => real,
            Some(below) => RealPath::new([b"/", below].concat()).unwrap_or(real),
        }
    }

    /// Whether two paths are one, as this system's volumes compare names.
    pub fn is_same(&self, one: &RealPath, other: &RealPath) -> bool {
        match self.names {
            Names::Exact => one == other,
            Names::Caseless => one.depth() == other.depth() && one.is_caselessly_within(other),
        }
    }

    /// Whether `path` is `place` or lies below it, as this system's volumes compare names.
    pub fn is_within(&self, path: &RealPath, place: &RealPath) -> bool {
        match self.names {
            Names::Exact => path.is_within(place),
            Names::Caseless => path.is_caselessly_within(place),
        }
    }
}

impl Host<Machine> {
    /// This machine, with everything that this process can reach.
    ///
    /// # Errors
    /// When its root cannot be opened, and on systems that cannot be walked.
    pub fn ambient() -> Result<Self, Fault> {
        let tree = Machine::ambient_root()?;
        let started = Started::ambient();
        Ok(if sys::IS_MAC {
            mac(tree, started)
        } else {
            linux(tree, started)
        })
    }
}

/// How the program that asks was started.
#[derive(Debug, Default)]
struct Started {
    vars: Vars,
    search: Vec<PathBuf>,
    executable: Option<PathBuf>,
}

impl Started {
    fn ambient() -> Self {
        Started {
            vars: Vars::ambient(),
            search: env::var_os("PATH")
                .map(|path| env::split_paths(&path).collect())
                .unwrap_or_default(),
            executable: sys::own_executable().ok(),
        }
    }
}

/// A Mac with this tree.
fn mac<T: Tree>(tree: T, started: Started) -> Host<T> {
    let alias = |&(name, target): &(&str, &str)| {
        Some(Alias {
            name: RealPath::new(name)?,
            target: RealPath::new(target)?,
        })
    };
    let host = Host {
        tree,
        vars: started.vars,
        search: started.search,
        executable: started.executable,
        aliases: MAC_ALIASES.iter().filter_map(alias).collect(),
        data_prefix: RealPath::new(MAC_DATA),
        names: Names::Caseless,
        floor: Vec::new(),
        base_read: reals(MAC_BASE_READ),
        base_write: reals(MAC_BASE_WRITE),
    };
    host.with_floor(MAC_FLOOR)
}

/// A Linux machine with this tree.
fn linux<T: Tree>(tree: T, started: Started) -> Host<T> {
    let host = Host {
        tree,
        vars: started.vars,
        search: started.search,
        executable: started.executable,
        aliases: Vec::new(),
        data_prefix: None,
        names: Names::Exact,
        floor: Vec::new(),
        base_read: reals(&["/"]),
        base_write: reals(&["/dev/null", "/dev/zero", "/dev/tty"]),
    };
    host.with_floor(LINUX_FLOOR)
}

fn reals(table: &[&str]) -> Vec<RealPath> {
    table.iter().filter_map(RealPath::new).collect()
}

#[cfg(test)]
mod tests {
    use objcap_walk::{Kind, Memory};

    use super::*;
    use crate::{Object, World as _};

    fn real(text: &str) -> RealPath {
        RealPath::new(text).unwrap()
    }

    #[test]
    fn a_stock_mac_has_its_links_and_keeps_the_stored_spelling() {
        let mac = Host::stock_mac();
        let at = |path: &str| {
            let object = Object::walk(&mac.tree, path, &Default::default()).unwrap();
            (mac.presented(object.real().clone()), object.kind())
        };
        assert_eq!(at("/tmp/new"), (real("/private/tmp/new"), None));
        assert_eq!(
            at("/var/folders/me"),
            (real("/private/var/folders/me"), Some(Kind::Directory))
        );
        assert_eq!(at("/USERS/Me"), (real("/Users/me"), Some(Kind::Directory)));
        assert_eq!(at("/home/you"), (real("/home/you"), None));
        assert_eq!(at("/dev/null").1, Some(Kind::CharDevice));
        assert!(mac.floor.contains(&real("/usr")) && !mac.floor.contains(&real("/opt/homebrew")));
    }

    #[test]
    fn names_compare_as_the_volumes_do() {
        let mac = Host::stock_mac();
        assert!(mac.is_within(&real("/Users/ME/É"), &real("/users/me/e\u{301}")));
        assert!(!mac.is_within(&real("/Users/me2"), &real("/Users/me")));
        let linux = linux(Memory::new(), Started::default());
        assert!(linux.is_within(&real("/w/a"), &real("/w")));
        assert!(!linux.is_within(&real("/W/a"), &real("/w")));
    }

    #[test]
    fn a_stock_mac_has_programs_that_its_user_may_run_and_not_change() {
        let mac = Host::stock_mac();
        let at = |path: &Path| {
            let object = Object::walk(&mac.tree, path, &Default::default()).unwrap();
            (
                mac.tree.is_runnable(&object).unwrap(),
                mac.tree.is_changeable(&object).unwrap(),
            )
        };
        for folder in &mac.search {
            assert_eq!(at(folder), (false, false), "{folder:?}");
        }
        for program in ["/bin/sh", "/usr/bin/git", "/usr/bin/env", "/bin/ls"] {
            assert_eq!(at(program.as_ref()), (true, false), "{program}");
        }
        assert_eq!(at(mac.executable.as_ref().unwrap()), (true, false));
        for place in [
            "/Users/me",
            "/Users/me/new",
            "/tmp/x/y",
            "/var/folders/me/T",
        ] {
            assert_eq!(at(place.as_ref()), (false, true), "{place}");
        }
        assert_eq!(at("/Users/you".as_ref()), (false, false));
    }

    #[test]
    fn this_program_and_the_folders_of_path_are_known() {
        let started = Started::ambient();
        let own = std::fs::canonicalize(started.executable.unwrap()).unwrap();
        assert_eq!(
            own,
            std::fs::canonicalize(env::current_exe().unwrap()).unwrap()
        );
        let written = env::join_paths(&started.search).unwrap();
        assert_eq!(Some(written), env::var_os("PATH"));
    }
}
