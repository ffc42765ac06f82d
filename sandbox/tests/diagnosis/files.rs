//! Denials about files and programs: the least that is missing, and what speaks against it.

use objcap_capability::{Grant, Stack};
use objcap_object::{Host, Memory};

use crate::case::{ADMITTED, Case};
use crate::world::World;

#[test]
fn a_file_is_proposed_by_its_exact_path_and_the_least_access() {
    let case = Case::new(&["[fs]\nread = ['~/app']\n[exec]\nallow = ['/usr/bin']"]);
    case.says(&[
        ("file-read-data /Users/me/app/a", ADMITTED),
        ("file-read-data /Users/me/x y", "to admit it: [fs] read = [\"~/x y\"]"),
        ("file-read-xattr /w/a", "to admit it: [fs] read = [\"/w/a\"]"),
        ("file-write-data /w/a", "to admit it: [fs] write = [\"/w/a\"]"),
        ("file-write-mode /Users/me/app/a", "to admit it: [fs] write = [\"~/app/a\"]"),
        ("file-link /w/a", "to admit it: [fs] write = [\"/w/a\"]"),
        ("file-clone /w/a", "to admit it: [fs] read = [\"/w/a\"]"),
        (
            "file-write-unlink /w/a",
            "to admit it: [fs] write = [\"/w/a\"]; if it is a link, the clause means what it leads to",
        ),
        (
            "file-read-metadata /w/a",
            "to admit it: [fs] read = [\"/w/a\"]; it was only looked at, and a clause gives no less than to read it \
             with all below it; if it is a link, the clause means what it leads to",
        ),
        (
            "file-read-data /Users/me",
            "to admit it: [fs] read = [\"~\"]; it holds what the grants name, and a clause gives all below it",
        ),
        ("file-read-data /private/var/folders/me/T/x", "to admit it: [fs] read = [\"${TMPDIR}/x\"]"),
        ("file-read-data /System/Volumes/Data/w/a", "to admit it: [fs] read = [\"/w/a\"]"),
        ("file-read-data /w/\"q\\", "to admit it: [fs] read = [\"/w/\\\"q\\\\\"]"),
    ]);
    assert_eq!(
        case.hint("file-read-data /w/caf\\303\\251").to_string(),
        "to admit it: [fs] read = [\"/w/caf\\\\303\\\\251\"]; the log may have escaped the name: whether it does is not known"
    );
}

#[test]
fn a_program_needs_what_the_tables_that_are_there_lack() {
    let both = Case::new(&["[fs]\nread = ['~/app']\n[exec]\nallow = ['/usr/bin']"]);
    both.says(&[
        ("process-exec* /usr/bin/git", ADMITTED),
        (
            "process-exec* /Users/me/app/run",
            "to admit it: [exec] allow = [\"~/app/run\"]",
        ),
        (
            "process-exec* /w/run",
            "to admit it: [exec] allow = [\"/w/run\"] and [fs] read = [\"/w/run\"]",
        ),
        (
            "process-exec-interpreter /bin/sh",
            "to admit it: [exec] allow = [\"/bin/sh\"]",
        ),
    ]);
    // What a grant leaves out is open, and adding it would close the rest.
    let files = Case::new(&["[fs]"]);
    files.says(&[(
        "process-exec* /w/run",
        "to admit it: [fs] read = [\"/w/run\"]",
    )]);
    let programs = Case::new(&["[exec]"]);
    programs.says(&[
        (
            "process-exec* /w/run",
            "to admit it: [exec] allow = [\"/w/run\"]",
        ),
        ("file-write-data /w/a", ADMITTED),
    ]);
}

#[test]
fn each_layer_that_lacks_a_clause_is_named() {
    let case = Case::new(&[
        "[fs]\nread = ['/w']",
        "[exec]\nallow = ['/w']",
        "[fs]\nread = ['/w/in']\n[exec]",
    ]);
    case.says(&[
        ("file-read-data /w/in/a", ADMITTED),
        ("file-read-data /w/a", "to admit it: [fs] read = [\"/w/a\"] (in the grant of `c.toml`)"),
        (
            "file-read-data /x",
            "to admit it: [fs] read = [\"/x\"] (in the grant of `a.toml`) and [fs] read = [\"/x\"] (in the grant of `c.toml`)",
        ),
        (
            "process-exec* /w/a",
            "to admit it: [exec] allow = [\"/w/a\"] (in the grant of `c.toml`) and [fs] read = [\"/w/a\"] (in the grant of `c.toml`)",
        ),
    ]);
    let layers: Vec<_> = case
        .hint("file-read-data /x")
        .clauses()
        .iter()
        .map(|one| one.layer())
        .collect();
    assert_eq!(layers, [0, 2]);
}

#[test]
fn what_a_clause_speaks_against_is_never_proposed() {
    let grant = "[fs]\nwrite = ['~/app']\nexclude = ['~/app/.env']\nprotect = ['~/app/.git/hooks']\n\
                 [exec]\nallow = ['/usr/bin']\nexclude = ['/usr/bin/osascript']\nveto = ['curl']";
    let case = Case::new(&[grant, "[fs]\nread = ['/']"]);
    let env = "exclude `~/app/.env` (a.toml:3:12) speaks against it";
    let hooks = "protect `~/app/.git/hooks` (a.toml:4:12) speaks against it";
    case.says(&[
        ("file-read-data /Users/me/app/a", ADMITTED),
        ("file-read-data /Users/me/app/.env", env),
        ("file-read-data /Users/me/app/.ENV/x", env),
        ("file-write-data /Users/me/app/.env", env),
        ("process-exec* /Users/me/app/.env", env),
        ("network-outbound /Users/me/app/.env", env),
        (
            "file-ioctl path:/Users/me/app/.env ioctl-command:TIOCGWINSZ",
            env,
        ),
        ("file-write-create /Users/me/app/.git/hooks/x", hooks),
        ("file-read-data /Users/me/app/.git/hooks/x", ADMITTED),
        (
            "process-exec* /usr/bin/osascript",
            "exec.exclude `/usr/bin/osascript` (a.toml:7:12) speaks against it",
        ),
        // Nothing allows it either; the veto is what stays.
        (
            "process-exec* /w/curl",
            "exec.veto `curl` (a.toml:8:9) speaks against it",
        ),
        (
            "file-write-data /usr/local/bin/objcap",
            "protect `/usr/local/bin/objcap`, the program's own file speaks against it",
        ),
    ]);
}

#[test]
fn what_holds_an_exclusion_in_its_place_is_pinned() {
    let build = |tree: &mut Memory| {
        tree.directory("/w/in/deep");
        tree.link("/w/via", "in");
    };
    let case = Case::with(
        build,
        &["[fs]\nread = ['/w']\nwrite = ['/w/out']\nexclude = ['/w/via/deep/.env', '/tmp/k/.env']"],
    );
    let first = "exclude `/w/via/deep/.env` (a.toml:4:12) holds it in its place";
    case.says(&[
        ("file-write-unlink /w/in/deep", first),
        ("file-write-unlink /w/via", first),
        ("file-write-create /w/in", first),
        ("file-clone /w/in", first),
        ("file-write-unlink /private/tmp/k", "exclude `/tmp/k/.env` (a.toml:4:32) holds it in its place"),
        ("file-write-unlink /tmp/k", "exclude `/tmp/k/.env` (a.toml:4:32) holds it in its place"),
        // To change what it is, without moving it, is another matter.
        (
            "file-write-mode /w/in/deep",
            "to admit it: [fs] write = [\"/w/in/deep\"]; it holds what the grants name, and a clause gives all below it",
        ),
        (
            "file-write-unlink /w/in/deep/a",
            "to admit it: [fs] write = [\"/w/in/deep/a\"]; if it is a link, the clause means what it leads to",
        ),
    ]);
    let host = Host::stock_mac();
    let own = Case(World::of(host, &[]).unwrap());
    own.says(&[
        (
            "file-write-unlink /usr/local/bin",
            "protect `/usr/local/bin/objcap`, the program's own file holds it in its place",
        ),
        ("file-write-unlink /usr/local/lib", ADMITTED),
    ]);
}

/// A name that passes what the program may replace is no clause, so that the variable is left alone there.
#[test]
fn a_variable_is_no_way_through_a_link_that_the_program_may_replace() {
    let run = "process-exec* /private/var/folders/me/T/run";
    let closed = Case::new(&["[fs]\nread = ['/']\n[exec]"]);
    closed.says(&[(run, "to admit it: [exec] allow = [\"${TMPDIR}/run\"]")]);
    let open = Case::new(&["[fs]\nwrite = ['/']\n[exec]"]);
    let full = "/private/var/folders/me/T/run";
    open.says(&[(run, &format!("to admit it: [exec] allow = [\"{full}\"]"))]);
    let World { host, .. } = open.0;
    let frozen = |place: &str| {
        let text = format!("[fs]\nwrite = ['/']\n[exec]\nallow = ['{place}']");
        let grant = Grant::parse("g.toml", text.as_bytes(), &host.vars).unwrap();
        Stack::freeze(&[grant], &host).map(|_| ())
    };
    assert!(frozen(full).is_ok());
    assert!(frozen("${TMPDIR}/run").is_err());
}
