//! A Mac as it comes out of the box: two volumes and their firmlinks, and below them what
//! [`Host::stock_mac`] has.

use objcap_object::Host;
use objcap_walk::{Identity, Kind, Memory, Owner, Stat, Step, Tree as _};

use super::{Mac, Rule};

const DATA: &str = "/System/Volumes/Data";

/// Folders in the root that lie on the data volume (/usr/share/firmlinks).
const FIRMLINKS: &[&str] = &[
    "/Applications",
    "/Library",
    "/Users",
    "/opt",
    "/private",
    "/usr/local",
];

/// Where every system has a link.
const ALIASES: &[(&str, &str)] = &[
    ("/tmp", "/private/tmp"),
    ("/var", "/private/var"),
    ("/etc", "/private/etc"),
];

/// Sockets and devices that calls of the model are about.
const OTHERS: &[(&str, Kind)] = &[
    ("/private/var/run/mDNSResponder", Kind::Socket),
    ("/dev/ttys000", Kind::CharDevice),
];

impl Mac {
    /// A Mac as it comes out of the box, on volumes that fold: a system volume, a data volume with
    /// the firmlinks to it, the root aliases, what [`Host::stock_mac`] has, the resolver's socket, and
    /// a terminal. `/Users/me` and `/private/var/folders/me` are the user's; `/private/tmp` is
    /// the system's, and sticky, and everybody writes in it.
    pub fn stock() -> Self {
        let mut mac = Mac::empty(Rule::Folding);
        mac.mount(DATA, Rule::Folding);
        for source in FIRMLINKS {
            mac.firmlink(source, format!("{DATA}{source}"));
        }
        mac.directory(format!("{DATA}/home"));
        // The data volume's prefix is presented without, so that this one has no twin.
        mac.link("/home", "System/Volumes/Data/home");
        for (name, target) in ALIASES {
            mac.alias(name, target);
        }
        let stock = Host::stock_mac().tree;
        for (real, stat) in stock.objects() {
            if mac.at(&real).is_none() {
                mac.take_over(&stock, &real, &stat);
            }
            // On a Mac everybody writes in /tmp, and nobody of the users owns it.
            if real != b"/private/tmp" && is_users(&stock, &real, stat.identity) {
                mac.give(&real);
            }
        }
        for (name, kind) in OTHERS {
            mac.other(name, *kind);
        }
        // Everybody may write to these.
        for name in [
            "/private/var/run/mDNSResponder",
            "/dev/null",
            "/dev/zero",
            "/dev/tty",
        ] {
            mac.permit(name, 0o666);
        }
        mac.permit("/private/tmp", 0o1777);
        mac
    }

    fn take_over(&mut self, stock: &Memory, real: &[u8], stat: &Stat) {
        match stat.kind {
            Kind::Directory => {
                self.directory(real);
            }
            Kind::File => {
                self.file(real, stock.contents(real).unwrap_or_default());
            }
            Kind::Symlink => {
                let (dir, name) = place(stock, real);
                if let Ok(Step::Link(link)) = stock.step(&dir, name, &mut ()) {
                    self.link(real, link.text);
                }
            }
            kind => {
                self.other(real, kind);
            }
        }
    }
}

fn is_users(stock: &Memory, real: &[u8], identity: Identity) -> bool {
    let (dir, name) = place(stock, real);
    stock
        .about(&dir, name)
        .is_some_and(|about| about.identity == identity && about.owner == Owner::User)
}

/// The folder and the name of a real path below the root.
fn place<'r>(stock: &Memory, real: &'r [u8]) -> (objcap_walk::Place, &'r [u8]) {
    use objcap_walk::path;
    let name = path::components(real).next_back().unwrap_or(b".");
    let above = path::trim_start(path::parent(real));
    let dir = match above {
        [] => None,
        above => stock.run(stock.root(), above).dir,
    };
    (dir.unwrap_or(*stock.root()), name)
}
