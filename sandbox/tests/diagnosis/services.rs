//! Denials about the network, services and whatever else is no file.

use objcap_sandbox::diag::{Diagnoser, Hint, Log};

use crate::case::{ADMITTED, Case};
use crate::world::World;

#[test]
fn the_network_is_proposed_where_it_is_closed_and_sockets_one_by_one() {
    let open = "to admit it: [net] access = \"open\"";
    let offline = Case::new(&["[net]\nsockets = ['/w/named']"]);
    offline.says(&[
        ("network-outbound remote:*:443", open),
        ("network-outbound*:443", open),
        ("network-outbound 192.0.2.7:80", open),
        ("network-inbound local:*:8080", open),
        ("network-bind local:*:8080", open),
        ("network-outbound", open),
        ("network-outbound /private/var/run/mDNSResponder", open),
        ("mach-lookup com.apple.trustd.agent", open),
        ("mach-lookup com.apple.SystemConfiguration.configd", open),
        (
            "network-bind /w/s",
            "to admit it: [net] access = \"open\"; a socket of its own counts as the network, too",
        ),
        ("network-outbound /w/named", ADMITTED),
        (
            "network-outbound /w/s",
            "to admit it: [net] sockets = [\"/w/s\"]",
        ),
        (
            "network-outbound /private/tmp/s",
            "to admit it: [net] sockets = [\"/private/tmp/s\"]",
        ),
    ]);
    let layers = Case::new(&["[net]\naccess = 'open'", "[fs]\nread = ['/']", "[net]"]);
    layers.says(&[
        ("network-outbound*:443", "to admit it: [net] access = \"open\" (in the grant of `c.toml`)"),
        (
            "network-outbound /w/s",
            "to admit it: [net] sockets = [\"/w/s\"] (in the grant of `a.toml`) and [net] sockets = [\"/w/s\"] (in the grant of `c.toml`)",
        ),
    ]);
    // The table alone would close what is open without it.
    let silent = Case::new(&["[fs]\nread = ['/w']"]);
    silent.says(&[
        ("network-outbound*:443", ADMITTED),
        ("network-bind local:*:8080", ADMITTED),
        ("network-bind /w/s", "to admit it: [fs] write = [\"/w/s\"]"),
        ("mach-lookup com.apple.trustd", ADMITTED),
        (
            "network-outbound /w/s",
            "to admit it: [net] access = \"open\" and [net] sockets = [\"/w/s\"]",
        ),
    ]);
}

#[test]
fn a_door_gets_its_reason_and_never_a_clause() {
    for grant in ["", "[fs]\n[exec]\n[net]", "[net]\naccess = 'open'"] {
        let case = Case::new(&[grant]);
        for door in [
            "com.apple.coreservices.launchservicesd",
            "com.apple.lsd.mapdb",
            "com.apple.pasteboard.1",
            "com.apple.SecurityServer",
        ] {
            let hint = case.hint(format!("mach-lookup {door}"));
            assert!(
                matches!(hint, Hint::Withheld(held) if door.starts_with(held.name)),
                "{door}: {hint}"
            );
        }
        case.says(&[
            ("mach-lookup com.apple.logd", ADMITTED),
            (
                "mach-lookup com.apple.windowserver.active",
                "no grant admits it: a service acts for whoever asks it, outside the profile: no grant opens one",
            ),
            (
                "mach-register org.chromium.x",
                "no grant admits it: a service of its own would be a door that no grant names",
            ),
        ]);
    }
    let keychain = Case::new(&[""]).hint("mach-lookup com.apple.SecurityServer");
    assert!(
        keychain.to_string().contains("net.git-fetch-with-cli"),
        "{keychain}"
    );
}

#[test]
fn what_is_denied_to_every_program_has_its_reason() {
    let case = Case::new(&["[fs]\nread = ['/']"]);
    let no = |reason| format!("no grant admits it: {reason}");
    case.says(&[
        ("process-fork", ADMITTED),
        ("sysctl-read kern.ostype", ADMITTED),
        ("file-map-executable /w/lib.dylib", ADMITTED),
        ("file-ioctl path:/dev/ttys001 ioctl-command:TIOCGWINSZ", ADMITTED),
        ("forbidden-exec-sugid /usr/bin/sudo", &no("a program that takes another user's rights (setuid, setgid) runs in no sandbox")),
        ("hid-control", &no("no program types into the terminal of another, which TIOCSTI does")),
        ("file-ioctl path:/dev/ttys001 ioctl-command:TIOCSTI", &no("no program types into the terminal of another")),
        ("file-ioctl path:/dev/ttys001 ioctl-command:(_IOW \"t\" 114 1)", &no("no program types into the terminal of another")),
        ("file-ioctl /dev/ttys001", &no("no program types into the terminal of another")),
        ("signal target:launchd(1)", &no("signals go to processes of the same sandbox and to no other")),
        ("process-info-pidinfo launchd(1)", &no("other processes' arguments are not this one's to read")),
        ("iokit-open AGXDeviceUserClient", &no("no grant speaks of drivers, which act for whoever opens them")),
        ("lsopen", &no("what it opens would run outside the profile")),
        ("sysctl-write kern.hostname", &no("no grant speaks of this operation, and no profile allows it")),
        ("file-mount /w", &no("no grant speaks of this operation, and no profile allows it")),
        ("file-write-mode /", &no("the root is no place to write to as a whole")),
        ("file-write-unlink /tmp", &no("a root alias is not part of what it leads to")),
        ("forbidden-sandbox-reinit", "profiles do not stack: meet the grants, and enter the one profile of all of them from outside"),
    ]);
    let mut log = Log::default();
    log.line(
        b"kernel: (Sandbox) System Policy: cat(7) deny(1) file-read-data /Users/me/Library/Mail",
    );
    let found = log.finish();
    let World {
        host,
        stack,
        profile,
    } = &case.0;
    let diagnosis = Diagnoser::new(profile, stack, host).denial(&found.denials()[0]);
    assert_eq!(
        diagnosis.hint().to_string(),
        no("the system's own policy denies it to every program")
    );
}
