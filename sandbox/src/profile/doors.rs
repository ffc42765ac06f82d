//! Doors: the Mach services that a profile names, and those that it withholds, each with its reason.
//!
//! A service acts for whoever asks it, outside the profile. So each is named by itself, and what is
//! withheld is data: whoever holds a refusal can be told that it is meant (docs/seatbelt.md, section 7).

/// A Mach service, and why it is named or withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Door {
    /// The service's name, or, of one that ends in a dot, how the names of several begin.
    pub name: &'static str,
    /// Why.
    pub reason: &'static str,
}

const fn door(name: &'static str, reason: &'static str) -> Door {
    Door { name, reason }
}

/// What is needed before `main`, or by every process of the system's library.
pub(crate) const NAMED: &[Door] = &[
    door(
        "com.apple.dyld",
        "dyld finds its shared cache through launchd, and aborts without it",
    ),
    door(
        "com.apple.system.notification_center",
        "libnotify asks it at the first registration",
    ),
    door(
        "com.apple.system.opendirectoryd.libinfo",
        "getpwuid, `~` and id ask it",
    ),
    door(
        "com.apple.system.opendirectoryd.membership",
        "group membership is asked here",
    ),
    door(
        "com.apple.logd",
        "every process logs; a denial would drown the log of denials",
    ),
    door("com.apple.system.logger", "syslog, for the same reason"),
];

/// What is the network.
pub(crate) const NETWORK: &[Door] = &[
    door(
        "com.apple.SystemConfiguration.configd",
        "proxies and name servers are told here",
    ),
    door("com.apple.dnssd.service", "names are resolved here"),
    door("com.apple.trustd", "certificates are checked here"),
    door("com.apple.trustd.agent", "certificates are checked here"),
];

const WITHHELD: &[Door] = &[
    door(
        "com.apple.coreservices.launchservicesd",
        "it starts what /usr/bin/open names as a child of launchd, outside every profile, and opens \
         addresses where the network is closed",
    ),
    door(
        "com.apple.lsd.",
        "it starts what /usr/bin/open names as a child of launchd, outside every profile, and opens \
         addresses where the network is closed",
    ),
    door(
        "com.apple.pasteboard",
        "it is a clipboard that no grant mentions, shared with every other program",
    ),
    door(
        "com.apple.SecurityServer",
        "it hands out the items of the login keychain. Without it cargo's bundled libgit2 fails in its TLS \
         handshake with -9808, and blames a missing revision: let cargo fetch through the git program \
         (net.git-fetch-with-cli)",
    ),
];

/// The doors that no profile opens, whatever the grant. A log gives their names with suffixes: see
/// [`withheld`].
pub fn withheld_doors() -> &'static [Door] {
    WITHHELD
}

/// The withheld door that a service's name is one of; a name that only begins with that of a door is
/// that door, as a log has it.
pub fn withheld(service: &str) -> Option<&'static Door> {
    WITHHELD.iter().find(|door| service.starts_with(door.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_name_is_matched_by_its_beginning() {
        let found = |name| withheld(name).map(|door| door.name);
        assert_eq!(
            found("com.apple.pasteboard.1"),
            Some("com.apple.pasteboard")
        );
        assert_eq!(found("com.apple.lsd.mapdb"), Some("com.apple.lsd."));
        assert_eq!(found("com.apple.lsd"), None);
        assert_eq!(found("com.apple.logd"), None);
        for named in NAMED.iter().chain(NETWORK) {
            assert_eq!(found(named.name), None, "{named:?}");
        }
    }
}
