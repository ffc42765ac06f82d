//! The world that a grant is frozen in: this machine, or a model of another as plain data. A
//! profile for a Mac can so be built, judged and tested anywhere.

use objcap_walk::{Fault, Memory, Tree};

use crate::{Machine, RealPath, Vars, sys};

/// The world that a grant is frozen in.
#[derive(Debug)]
pub struct Host<T> {
    /// Its file system.
    pub tree: T,
    /// What the variables of a grant stand for.
    pub vars: Vars,
    /// Other spellings of the first components of real paths.
    pub aliases: Vec<Alias>,
    /// The prefix under which one volume shows paths that the system presents without it: on a Mac
    /// the data volume (docs/seatbelt.md, section 4).
    pub data_prefix: Option<RealPath>,
    /// Folders that programs must read in order to run at all; joined to what a grant lets be read.
    pub floor: Vec<RealPath>,
}

/// A link in the root, by which every path below its target has a twin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The link.
    pub name: RealPath,
    /// Where it leads.
    pub target: RealPath,
}

/// The read floor of a Mac (docs/seatbelt.md, section 7).
pub(crate) const MAC_FLOOR: &[&str] = &[
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
    "/Library/Apple/usr",
    "/Library/Developer/CommandLineTools",
    "/Applications/Xcode.app/Contents/Developer",
    "/opt/homebrew",
];

/// The root aliases of a stock Mac (docs/seatbelt.md, section 4).
const MAC_ALIASES: &[(&str, &str)] = &[
    ("/tmp", "/private/tmp"),
    ("/var", "/private/var"),
    ("/etc", "/private/etc"),
    ("/home", "/System/Volumes/Data/home"),
];

const MAC_DATA: &str = "/System/Volumes/Data";

impl<T: Tree> Host<T> {
    /// The floor's folders that exist, in the order of the table.
    fn with_floor(mut self, table: &[&str]) -> Self {
        let exists = |real: &RealPath| {
            objcap_walk::walk(&self.tree, real.as_bytes(), &Default::default())
                .is_ok_and(|walked| walked.kind().is_some())
        };
        self.floor = table
            .iter()
            .filter_map(RealPath::new)
            .filter(exists)
            .collect();
        self
    }
}

impl Host<Machine> {
    /// This machine, with everything that this process can reach.
    ///
    /// # Errors
    /// When its root cannot be opened, and on systems that cannot be walked.
    pub fn ambient() -> Result<Self, Fault> {
        let tree = Machine::ambient_root()?;
        let mac = cfg!(target_vendor = "apple");
        let host = Host {
            tree,
            vars: Vars::ambient(),
            aliases: if mac { mac_aliases() } else { Vec::new() },
            data_prefix: if mac { RealPath::new(MAC_DATA) } else { None },
            floor: Vec::new(),
        };
        Ok(host.with_floor(sys::FLOOR))
    }
}

impl Host<Memory> {
    /// A Mac as it comes out of the box: the root aliases, the floor's folders, and `/Users/me`
    /// with nothing in it.
    pub fn stock_mac() -> Self {
        let mut tree = Memory::new();
        for place in MAC_FLOOR
            .iter()
            .filter(|place| **place != "/lib" && **place != "/opt/homebrew")
        {
            tree.directory(place);
        }
        for place in [
            "/Users/me",
            "/private/tmp",
            "/private/var/folders/me/T",
            "/Applications",
        ] {
            tree.directory(place);
        }
        tree.directory(format!("{MAC_DATA}/home"));
        for (name, target) in MAC_ALIASES {
            // The system writes them relative: `tmp -> private/tmp`.
            tree.link(name, target.trim_start_matches('/'));
        }
        let vars = Vars {
            home: Some("/Users/me".into()),
            cwd: Some("/Users/me".into()),
            tmpdir: Some("/var/folders/me/T".into()),
            ..Vars::default()
        };
        let data_prefix = RealPath::new(MAC_DATA);
        let host = Host {
            tree,
            vars,
            aliases: mac_aliases(),
            data_prefix,
            floor: Vec::new(),
        };
        host.with_floor(MAC_FLOOR)
    }
}

fn mac_aliases() -> Vec<Alias> {
    let alias = |&(name, target): &(&str, &str)| {
        Some(Alias {
            name: RealPath::new(name)?,
            target: RealPath::new(target)?,
        })
    };
    MAC_ALIASES.iter().filter_map(alias).collect()
}
