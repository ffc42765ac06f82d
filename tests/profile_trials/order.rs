//! Precedence: where a clause stands, how deep it is and which operation it names decide nothing.

use objcap::capability::Act::{Clone, Exec, Link, Read, Remove, Rename, Stat, Write};
use objcap::capability::Guard;
use objcap::sandbox::{Decision, act_requests};
use objcap_support::mac::{Call, Name};
use objcap_support::trial::Tries as _;
use sbpl::Operation;

use crate::{Trial, mac, read, trial, write};

/// A deny written before the allow, or a broad one after a narrow one, decided by its place in the text.
#[test]
fn clauses_in_any_order_say_the_same() {
    let mac = mac(&[
        "/w/f",
        "/w/a/f",
        "/w/a/d/",
        "/w/a/x/y/f",
        "/w/a/p/f",
        "/w/b/f",
        "/w/a/deep/f",
    ]);
    let lines = [
        ["read = ['/w', '/w/a/deep']", "read = ['/w/a/deep', '/w']"],
        [
            "write = ['/w/a', '/w/a/x/y']",
            "write = ['/w/a/x/y', '/w/a']",
        ],
        [
            "exclude = ['/w/a/x', '/w/b']",
            "exclude = ['/w/b', '/w/a/x']",
        ],
        [
            "protect = ['/w/a/p', '/w/a/x/y']",
            "protect = ['/w/a/x/y', '/w/a/p']",
        ],
    ];
    let orders = [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [2, 0, 3, 1],
        [1, 3, 0, 2],
        [2, 3, 0, 1],
    ];
    for order in orders {
        for turned in [0, 1] {
            let text = order.map(|at: usize| lines[at][turned]).join("\n");
            let trial = trial(&mac, &format!("[fs]\n{text}"));
            trial.admits(&[
                (Read, &["/w/f"]),
                (Write, &["/w/a/f"]),
                (Read, &["/w/a/p/f"]),
                (Write, &["/w/a/deep/f"]),
                (Rename, &["/w/a/d", "/w/a/e"]),
            ]);
            trial.refuses(&[
                (Write, &["/w/f"]),
                (Read, &["/w/a/x/y/f"]),
                (Write, &["/w/a/x/y/f"]),
                (Write, &["/w/a/p/f"]),
                (Read, &["/w/b/f"]),
                (Rename, &["/w/a", "/w/c"]),
            ]);
        }
    }
}

/// Denies were written for writable places alone: what is excluded in a place that is only read was not.
#[test]
fn an_exclusion_within_what_is_only_read() {
    let mac = mac(&["/r/f", "/r/d/f", "/r/key", "/r/k/key", "/w/"]);
    let trial = trial(
        &mac,
        "[fs]\nread = ['/r']\nwrite = ['/w']\nexclude = ['/r/key', '/r/k/key']",
    );
    trial.admits(&[
        (Read, &["/r"]),
        (Read, &["/r/f"]),
        (Read, &["/r/k"]),
        (Exec, &["/r/f"]),
        (Clone, &["/r/f", "/w/f"]),
        (Clone, &["/r/d", "/w/d"]),
    ]);
    trial.refuses(&[
        (Read, &["/r/key"]),
        (Stat, &["/r/key"]),
        (Exec, &["/r/key"]),
        (Clone, &["/r/key", "/w/key"]),
        (Link, &["/r/key", "/w/key"]),
        (Read, &["/r/k/key"]),
        (Clone, &["/r/k", "/w/k"]),
        (Clone, &["/r", "/w/r"]),
        (Write, &["/r/f"]),
    ]);
}

/// An allowance of the generator's own (a device, the system's folders) stood behind the user's deny.
#[test]
fn an_exclusion_takes_from_what_every_program_needs() {
    let mac = mac(&["/w/f"]);
    let free = trial(&mac, "[fs]\nread = ['/w']");
    free.done(&[
        write("/dev/null"),
        write("/dev/tty"),
        read("/usr/bin/git"),
        read("/"),
    ]);
    let taken = trial(
        &mac,
        "[fs]\nread = ['/w']\nexclude = ['/dev/null', '/usr/bin/git']",
    );
    taken.admits(&[
        (Read, &["/w/f"]),
        (Read, &["/dev/zero"]),
        (Exec, &["/usr/bin/env"]),
    ]);
    taken.done(&[write("/dev/zero")]);
    taken.refuses(&[(Read, &["/dev/null"]), (Write, &["/dev/null"])]);
    taken.refuses(&[(Read, &["/usr/bin/git"]), (Exec, &["/usr/bin/git"])]);
}

/// A deny named one operation, and the allowance a wildcard, or the other way round: another operation of the
/// family went through. Every operation that the profile lets be done to a neighbour is tried.
#[test]
fn no_operation_of_an_allowance_reaches_what_is_excluded_or_protected() {
    let mac = mac(&["/w/f", "/w/key", "/w/kept"]);
    let text =
        "[fs]\nwrite = ['/w']\nexclude = ['/w/key']\nprotect = ['/w/kept']\n[net]\naccess = 'open'";
    let trial = trial(&mac, text);
    let has_path = |operation: &&Operation| {
        let name = operation.name();
        name.starts_with("file") || name.starts_with("process-exec") || name == "network-bind"
    };
    let mut allowed = 0;
    for operation in Operation::ALL.iter().filter(has_path) {
        if !trial.decides(operation, "/w/f") {
            continue;
        }
        allowed += 1;
        for name in ["/w/key", "/w/KEY", "/w/key/below"] {
            assert!(!trial.decides(operation, name), "{operation:?} of {name}");
        }
        // A socket is made by being bound.
        let makes = [Operation::FileLink, Operation::NetworkBind];
        let writes = operation.name().starts_with("file-write") || makes.contains(operation);
        for name in ["/w/kept", "/w/Kept"] {
            let whole = *operation == Operation::File;
            assert!(
                whole || trial.decides(operation, name) != writes,
                "{operation:?} of {name}"
            );
        }
    }
    // All that read, all that write, and those that start allowed.
    assert!(allowed >= 20, "{allowed}");
}

/// Deny of a folder's own node by a filter for what lies below: the node was moved, and with it everything.
#[test]
fn each_folder_above_an_exclusion_stays_at_every_depth() {
    let mac = mac(&["/w/a/b/c/key", "/w/a/b/c/f", "/w/a/b/e/", "/w/x/"]);
    let trial = trial(&mac, "[fs]\nwrite = ['/w']\nexclude = ['/w/a/b/c/key']");
    trial.admits(&[
        (Rename, &["/w/a/b/c/f", "/w/f"]),
        (Rename, &["/w/a/b/e", "/w/e"]),
        (Rename, &["/w/x", "/w/a/b/x"]),
        (Remove, &["/w/a/b/c/f"]),
    ]);
    for folder in ["/w/a/b/c", "/w/a/b", "/w/a"] {
        trial.refuses(&[
            (Rename, &[folder, "/w/moved"]),
            (Rename, &["/w/x", folder]),
            (Remove, &[folder]),
            (Clone, &[folder, "/w/copy"]),
        ]);
        let (one, other) = (Name::from(folder), Name::from("/w/x"));
        trial.refused(&[Call::Swap { one, other }]);
    }
}

/// A folder that holds a link on the way to a protected place: the guard did not clone it, and the profile did.
#[test]
fn what_holds_a_link_on_the_way_is_neither_moved_nor_cloned() {
    let mac = mac(&["/w/a/l -> /v/d", "/w/a/f", "/w/b/f", "/v/d/k/f", "/v/e/f"]);
    for list in ["protect", "exclude"] {
        let trial = trial(
            &mac,
            &format!("[fs]\nwrite = ['/w', '/v']\n{list} = ['/w/a/l/k']"),
        );
        trial.admits(&[
            (Clone, &["/w/b", "/w/c"]),
            (Clone, &["/w/a/f", "/w/c"]),
            (Clone, &["/v/e", "/w/c"]),
            (Write, &["/w/a/f"]),
        ]);
        for whole in ["/w/a", "/w/a/l", "/v/d"] {
            trial.refuses(&[(Clone, &[whole, "/w/c"]), (Rename, &[whole, "/w/c"])]);
        }
    }
}

/// A link in the root is left alone by a clause about what it leads to; where another clause is about the link too,
/// the guard let it be removed and the profile did not.
#[test]
fn a_root_alias_that_another_clause_lets_be_written_may_go() {
    let mac = mac(&["/private/tmp/f"]);
    let alias = "/private/tmp/f";
    for (text, goes) in [
        ("[fs]\nwrite = ['/tmp']", false),
        ("[fs]\nwrite = ['/private']", false),
        ("[fs]\nwrite = ['/']", true),
        ("[fs]\nwrite = ['/', '/private/tmp']", true),
        ("[fs]\nwrite = ['/private', '/']", true),
        (
            "[fs]\nwrite = ['/', '/private/tmp']\nexclude = ['/tmp/key']",
            false,
        ),
    ] {
        let trial = trial(&mac, text);
        trial.admits(&[(Write, &[alias])]);
        assert_eq!(decided(&trial, "/tmp"), (goes, goes), "{text}");
        assert_eq!(
            decided(&trial, "/var").0,
            decided(&trial, "/var").1,
            "{text}"
        );
    }
}

/// What guard and profile say of removing a link in the root. The model's kernel is not asked: the root is the
/// system's.
fn decided(trial: &Trial, name: &str) -> (bool, bool) {
    let guard = Guard::new(&trial.host, &trial.stack);
    let judged = guard.judge_act(Remove, &[name]).unwrap();
    let requests = act_requests(Remove, &[judged[0].object()], &trial.host);
    let settled = trial.profile.explain(&requests).settled().unwrap();
    (judged[0].is_admitted(), settled == Decision::Allow)
}
