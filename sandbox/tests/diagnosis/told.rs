//! What cannot be told from a denial, what is no denial, and refusals of the guard.

use objcap_capability::{Act, Grant, Guard, Stack, Verdict};
use objcap_object::{Host, Memory};
use objcap_sandbox::Profile;
use objcap_sandbox::diag::{Cause, Diagnoser, Hint, Log, Note, Output, Trouble, summary};

use crate::case::Case;
use crate::world::World;

#[test]
fn what_cannot_be_told_is_said_to_be_so() {
    let case = Case::new(&["[fs]\nread = ['~/app']"]);
    let unknown = |said: &[u8], cause| {
        let hint = case.hint(said);
        assert!(
            matches!(hint, Hint::Unknown(found) if found == cause),
            "{hint}"
        );
        assert!(hint.clauses().is_empty());
    };
    assert!(!case.hint("file-read-data /w/a").clauses().is_empty());
    unknown(b"file-read-data <private>", Cause::Unnamed);
    unknown(b"file-read-data", Cause::Unnamed);
    unknown(b"file-read-data here", Cause::Unread);
    unknown(b"file-read-data /w/../a", Cause::Unread);
    unknown(b"file-read-data /w/\xff", Cause::Unwritable);
    unknown("file-read-data /w/\u{fffd}".as_bytes(), Cause::Unwritable);
    unknown(b"file-read-data /w/${HOME}", Cause::Unwritable);
    unknown(b"file-of-tomorrow /w/a", Cause::Operation);
    unknown(b"file-write-tomorrow /w/a", Cause::Operation);
    // Cut short, it could be the name of a folder above.
    let long = format!("file-read-data /w/{}", "x".repeat(900));
    unknown(long.as_bytes(), Cause::Cut);
    // A link by which the grant names another place.
    let build = |tree: &mut Memory| {
        tree.directory("/w/real");
        tree.link("/w/links/to", "/w/real");
    };
    let case = Case::with(build, &["[fs]\nread = ['/w/links/to']"]);
    assert!(!case.hint("file-write-data /w/real").clauses().is_empty());
    let hint = case.hint("file-write-data /w/links");
    assert!(matches!(hint, Hint::Unknown(Cause::WritableLink)), "{hint}");
}

#[test]
fn a_program_that_never_ran_is_told_from_one_that_was_denied() {
    let World {
        host,
        stack,
        profile,
    } = Case::new(&["[fs]\n[exec]\nallow = ['/usr/bin']"]).0;
    let diagnoser = Diagnoser::new(&profile, &stack, &host);
    let hint = |trouble: &Trouble| diagnoser.trouble(trouble).hint().clone();
    let of = |line: &str| Trouble::of_stderr(line.as_bytes()).unwrap();
    assert!(matches!(
        hint(&of("sandbox-exec: sandbox_apply: Operation not permitted")),
        Hint::Nesting
    ));
    assert!(matches!(
        hint(&Trouble::of_signal(6, Output::Nothing).unwrap()),
        Hint::StartUp
    ));
    let denied = hint(&of(
        "sandbox-exec: execvp() of '/w/run' failed: Operation not permitted",
    ));
    assert_eq!(
        denied.to_string(),
        "to admit it: [exec] allow = [\"/w/run\"] and [fs] read = [\"/w/run\"]"
    );
    let bare = hint(&of(
        "sandbox-exec: execvp() of 'run' failed: Operation not permitted",
    ));
    assert!(matches!(bare, Hint::Unknown(Cause::Program)));
    let absent = hint(&of(
        "sandbox-exec: execvp() of 'run' failed: No such file or directory",
    ));
    assert!(matches!(absent, Hint::Unknown(Cause::NotFound)));
    let text = hint(&of("sandbox-exec: p.sb: line 3: unbound variable: x"));
    assert!(matches!(text, Hint::Unknown(Cause::Profile)));
}

#[test]
fn a_refusal_of_the_guard_gets_the_same_hint() {
    let build = |tree: &mut Memory| {
        tree.file("/Users/me/notes");
        tree.file("/Users/me/app/.env");
        tree.write("/usr/bin/script", "#!/w/interpreter\n");
        tree.write("/w/interpreter", "\u{7f}ELF");
        tree.link("/w/link", "/Users/me/app");
    };
    let grant = "[fs]\nwrite = ['~/app']\nread = ['/usr']\nexclude = ['~/app/.env']\n[exec]\nallow = ['/usr/bin']\nveto = ['curl']";
    let Case(World {
        host,
        stack,
        profile,
    }) = Case::with(build, &[grant]);
    let diagnoser = Diagnoser::new(&profile, &stack, &host);
    let guard = Guard::new(&host, &stack);
    let said = |act: Act, path: &str| {
        let judged = guard.judge_act(act, &[path]).unwrap();
        let judged = &judged[0];
        match judged.verdict() {
            Verdict::Admitted(_) => "admitted".to_owned(),
            Verdict::Refused(refusal) => diagnoser
                .refusal(judged.real(), judged.access(), refusal)
                .to_string(),
        }
    };
    assert_eq!(said(Act::Read, "/Users/me/app/a"), "admitted");
    assert_eq!(
        said(Act::Read, "/Users/me/notes"),
        "to admit it: [fs] read = [\"~/notes\"]"
    );
    assert_eq!(
        said(Act::Write, "/w/new"),
        "to admit it: [fs] write = [\"/w/new\"]"
    );
    assert_eq!(
        said(Act::Exec, "/w/interpreter"),
        "to admit it: [exec] allow = [\"/w/interpreter\"] and [fs] read = [\"/w/interpreter\"]"
    );
    let env = "exclude `~/app/.env` (a.toml:4:12) speaks against it";
    assert_eq!(said(Act::Read, "/Users/me/app/.env"), env);
    let held = "exclude `~/app/.env` (a.toml:4:12) holds it in its place";
    assert_eq!(said(Act::Remove, "/Users/me/app"), held);
    let link = said(Act::Read, "/w/link/a");
    assert!(
        link.starts_with("to admit it: [fs] read = [\"/w/link\"]"),
        "{link}"
    );
    // Every program writes to it; to remove it is another matter.
    assert_eq!(said(Act::Write, "/dev/null"), "admitted");
    assert_eq!(
        said(Act::Remove, "/dev/null"),
        "to admit it: [fs] write = [\"/dev/null\"]"
    );
    let run = guard.judge_exec("/usr/bin/curl", &[] as &[&str]).unwrap();
    let Verdict::Refused(veto) = run.program.verdict() else {
        panic!("{}", run.program);
    };
    let hint = diagnoser.refusal(run.program.real(), run.program.access(), veto);
    assert_eq!(
        hint.to_string(),
        "exec.veto `curl` (a.toml:7:9) speaks against it"
    );
}

#[test]
fn a_summary_tells_the_most_frequent_first_and_leaves_out_what_is_admitted() {
    let host = Host::stock_mac();
    let grant = Grant::parse("g.toml", b"[fs]\nread = ['~/app']", &host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let profile = Profile::render(&stack, &host).unwrap();
    let of = |text: &str| {
        let mut log = Log::default();
        log.read(text.as_bytes()).unwrap();
        summary(&log.finish(), &profile, &stack, &host)
    };
    assert_eq!(of("nothing of interest\n"), "");
    assert_eq!(
        of("Sandbox: cat(1) deny(1) file-read-data /Users/me/app/a\n"),
        ""
    );
    assert_eq!(
        of("Sandbox: cat(1) deny(1) file-read-data /w/a\n\
            Sandbox: cat(1) deny(1) file-read-data /Users/me/app/a\n\
            2 duplicate reports for Sandbox: cat(1) deny(1) file-read-data /w/b\n\
            sandbox-exec: sandbox_apply: Operation not permitted\n"),
        "a profile was to be applied inside of another\n  \
         profiles do not stack: meet the grants, and enter the one profile of all of them from outside\n\
         file-read-data of `/w/b` was denied to cat (1), 2 times\n  \
         to admit it: [fs] read = [\"/w/b\"]\n\
         file-read-data of `/w/a` was denied to cat (1)\n  \
         to admit it: [fs] read = [\"/w/a\"]\n"
    );
    let many: String = (0..13)
        .map(|n| format!("Sandbox: cat(1) deny(1) file-read-data /w/{n}\n"))
        .collect();
    let many = of(&many);
    assert_eq!(
        (many.lines().count(), many.lines().last()),
        (21, Some("3 more, told less often"))
    );
}

#[test]
fn notes_are_data_too() {
    let case = Case::new(&["[fs]"]);
    let Hint::Add { notes, clauses } = case.hint("file-read-metadata /w/a\\134b") else {
        panic!();
    };
    assert_eq!(
        notes,
        [Note::OnlyLooked, Note::PerhapsLink, Note::PerhapsEscaped]
    );
    assert_eq!(
        (clauses[0].setting().key(), clauses[0].surface()),
        ("read", "/w/a\\134b")
    );
}
