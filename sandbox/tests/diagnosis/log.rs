//! Lines of logs, and the denials that are read from them.

use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

use objcap_sandbox::diag::{
    Attribution, DISTINCT_MAX, Found, LINE_MAX, Log, MESSAGE_MAX, Operand, Policy, Tag, Trouble,
};

fn read(text: impl AsRef<[u8]>) -> Found {
    read_for(Attribution::everything(), text)
}

fn read_for(wanted: Attribution, text: impl AsRef<[u8]>) -> Found {
    let mut log = Log::of(wanted);
    log.read(text.as_ref()).unwrap();
    log.finish()
}

/// The operation of the only denial, and what it was about.
#[track_caller]
fn one(said: &[u8]) -> (String, Operand) {
    let line = [b"Sandbox: cat(71) deny(1) ", said, b"\n"].concat();
    let found = read(line);
    let [denial] = found.denials() else {
        panic!("{:?}", found.counts());
    };
    assert_eq!((denial.process(), denial.pids()), (&b"cat"[..], &[71][..]));
    (
        denial.operation().name().to_owned(),
        denial.operand().clone(),
    )
}

#[test]
fn each_kind_of_operand_is_told_apart() {
    let b = |text: &str| -> Box<[u8]> { text.as_bytes().into() };
    let rows: &[(&str, &str, Operand)] = &[
        (
            "file-read-data /Users/me/x y",
            "file-read-data",
            Operand::Path(b("/Users/me/x y")),
        ),
        (
            "file-read-data /w/a ",
            "file-read-data",
            Operand::Path(b("/w/a ")),
        ),
        (
            "file-write-create /w/a (1) deny(1) b",
            "file-write-create",
            Operand::Path(b("/w/a (1) deny(1) b")),
        ),
        (
            "process-exec* /usr/bin/true",
            "process-exec*",
            Operand::Path(b("/usr/bin/true")),
        ),
        (
            "process-exec /usr/bin/true",
            "process-exec*",
            Operand::Path(b("/usr/bin/true")),
        ),
        ("process-fork", "process-fork", Operand::None),
        ("hid-control", "hid-control", Operand::None),
        (
            "forbidden-sandbox-reinit",
            "forbidden-sandbox-reinit",
            Operand::None,
        ),
        (
            "forbidden-exec-sugid /usr/bin/sudo",
            "forbidden-exec-sugid",
            Operand::Path(b("/usr/bin/sudo")),
        ),
        (
            "mach-lookup com.apple.pasteboard.1",
            "mach-lookup",
            Operand::Mach(b("com.apple.pasteboard.1")),
        ),
        (
            "mach-register org.x.port",
            "mach-register",
            Operand::Mach(b("org.x.port")),
        ),
        (
            "network-outbound /private/var/run/mDNSResponder",
            "network-outbound",
            Operand::Socket(b("/private/var/run/mDNSResponder")),
        ),
        (
            "network-outbound remote:*:443",
            "network-outbound",
            Operand::Network(b("*:443")),
        ),
        (
            "network-outbound*:443",
            "network-outbound",
            Operand::Network(b("*:443")),
        ),
        (
            "network-outbound 192.0.2.7:80",
            "network-outbound",
            Operand::Network(b("192.0.2.7:80")),
        ),
        (
            "network-bind local:*:8080",
            "network-bind",
            Operand::Network(b("*:8080")),
        ),
        (
            "network-bind path:/w/s",
            "network-bind",
            Operand::Socket(b("/w/s")),
        ),
        (
            "sysctl-read kern.bootargs",
            "sysctl-read",
            Operand::Sysctl(b("kern.bootargs")),
        ),
        (
            "signal  target:launchd(1)",
            "signal",
            Operand::Process(b("target:launchd(1)")),
        ),
        (
            "process-info-pidinfo launchd(1)",
            "process-info-pidinfo",
            Operand::Process(b("launchd(1)")),
        ),
        (
            "iokit-open IOSurfaceRootUserClient",
            "iokit-open",
            Operand::Iokit(b("IOSurfaceRootUserClient")),
        ),
        (
            "ipc-posix-sem-create /mp-x",
            "ipc-posix-sem-create",
            Operand::Name(b("/mp-x")),
        ),
        (
            "user-preference-read kCFPreferencesAnyApplication",
            "user-preference-read",
            Operand::Name(b("kCFPreferencesAnyApplication")),
        ),
        (
            "file-ioctl path:/dev/ttys001 ioctl-command:(_IO \"t\" 97)",
            "file-ioctl",
            Operand::Ioctl {
                path: b("/dev/ttys001"),
                command: Some(b("(_IO \"t\" 97)")),
            },
        ),
        (
            "file-ioctl /dev/ttys001",
            "file-ioctl",
            Operand::Ioctl {
                path: b("/dev/ttys001"),
                command: None,
            },
        ),
        (
            "file-read-data <private>",
            "file-read-data",
            Operand::Redacted,
        ),
        (
            "file-read-data relative",
            "file-read-data",
            Operand::Unread(b("relative")),
        ),
        ("file-read-data", "file-read-data", Operand::None),
        // Not of the table, and kept.
        (
            "file-later-thing /x",
            "file-later-thing",
            Operand::Path(b("/x")),
        ),
    ];
    for (said, operation, operand) in rows {
        let (found, about) = one(said.as_bytes());
        assert_eq!((found.as_str(), &about), (*operation, operand), "{said}");
    }
    // A name in no encoding.
    assert_eq!(
        one(b"file-read-data /w/\xff\xfe").1,
        Operand::Path(b"/w/\xff\xfe"[..].into())
    );
}

#[test]
fn older_forms_and_the_systems_own_policy() {
    let found = read(
        "Sandbox: old(5) deny file-read-data /a\n\
         May  1 12:00:00 mac sandboxd[9] ([6]): older(6) deny mach-lookup com.x\n\
         kernel: (Sandbox) System Policy: new(7) deny(1) file-read-data /b\n\
         Sandbox: Some App He(8) deny(1) file-read-data /c\n\
         Sandbox: cat(9) allow(1) file-read-data /d\n",
    );
    let told: Vec<_> = found.denials().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "file-read-data of `/a` was denied to old (5)",
            "mach-lookup of `com.x` was denied to older (6)",
            "file-read-data of `/b` was denied to new (7)",
            "file-read-data of `/c` was denied to Some App He (8)",
        ]
    );
    let policies: Vec<_> = found.denials().iter().map(|one| one.policy()).collect();
    assert_eq!(policies[2], Policy::System);
    assert_eq!(policies[0], Policy::Sandbox);
    assert_eq!((found.counts().told, found.counts().unrelated), (4, 1));
}

#[test]
fn duplicates_are_one_denial_with_all_its_processes() {
    let mut text =
        String::from("7 duplicate reports for Sandbox: sh(1) deny(1) file-read-data /a\n");
    for pid in 1..=20 {
        text += &format!("Sandbox: sh({pid}) deny(1) file-read-data /a\n");
    }
    text += "Sandbox: sh(1) deny(1) file-read-metadata /a\n";
    let found = read(&text);
    let counts: Vec<_> = found.denials().iter().map(|one| one.count()).collect();
    assert_eq!(counts, [27, 1]);
    assert_eq!(found.denials()[0].pids(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(
        found.denials()[0].to_string(),
        "file-read-data of `/a` was denied to sh (1, 2, 3, 4, 5, 6, 7, 8, …), 27 times"
    );
}

#[test]
fn a_denial_is_attributed_by_its_tag_or_its_process() {
    let tag = Tag::new("run-17").unwrap();
    let text = "Sandbox: a(1) deny(1) file-read-data /a run-17\n\
                Sandbox: b(2) deny(1) file-read-data /b (with message \"run-17\")\n\
                Sandbox: c(3) deny(1) file-read-data /c\n\
                run-17\n\
                Sandbox: d(4) deny(1) file-read-data /d\n\
                {\"eventMessage\":\"Sandbox: e(5) deny(1) file-read-data \\/e\\nrun-17\"}\n\
                {\"eventMessage\":\"Sandbox: f(6) deny(1) file-read-data \\/f\\nrun-18\"}\n\
                Sandbox: g(7) deny(1) file-read-data /g run-171\n";
    let names = |found: &Found| -> Vec<String> {
        let names = found.denials().iter().map(|one| one.operand().to_string());
        names.collect()
    };
    let tagged = read_for(Attribution::everything().or_tagged(tag.clone()), text);
    assert_eq!(names(&tagged), ["`/a`", "`/b`", "`/c`", "`/e`"]);
    assert!(tagged.denials().iter().all(|one| one.tag() == Some(&tag)));
    assert_eq!((tagged.counts().told, tagged.counts().others), (4, 3));
    let by_pid = read_for(Attribution::pids([4]), text);
    assert_eq!(names(&by_pid), ["`/d`"]);
    let either = read_for(Attribution::pids([4]).or_tagged(tag), text);
    assert_eq!(names(&either), ["`/a`", "`/b`", "`/c`", "`/d`", "`/e`"]);
    // Nobody's tag is looked for: what stands behind a blank is part of a name.
    let all = read(text);
    assert_eq!(names(&all)[0], "`/a run-17`");
    assert_eq!(all.denials().len(), 7);
}

#[test]
fn a_message_that_is_nobodys_tag_is_no_part_of_a_name() {
    for (said, name) in [
        ("/w/a b", "/w/a b"),
        ("/w/a b (with message \"run-17\")", "/w/a b"),
        ("/w/a (with message \"two words: _ (x)\")", "/w/a"),
        // Not the form.
        ("/w/a (with message run-17)", "/w/a (with message run-17)"),
        ("/w/a (with message \"x\") b", "/w/a (with message \"x\") b"),
    ] {
        let (_, operand) = one(format!("file-read-data {said}").as_bytes());
        assert_eq!(operand.to_string(), format!("`{name}`"));
    }
    for (behind, name) in [
        ("CMD64_ZWNobw==_END_ab1_SBX", "/w/a"),
        ("Violation: deny(1) file-read-data /w/a", "/w/a"),
        // A name that goes on.
        ("/b", "/w/a\\n/b"),
        ("two words", "/w/a\\ntwo words"),
    ] {
        let said = format!("Sandbox: cat(71) deny(1) file-read-data \\/w\\/a\\n{behind}");
        let found = read(format!("{{\"eventMessage\":\"{said}\"}}\n"));
        assert_eq!(
            found.denials()[0].operand().to_string(),
            format!("`{name}`")
        );
    }
}

#[test]
fn no_line_is_lost_from_the_counts() {
    let found = read(
        "Timestamp                       Thread     Type\n\
         Sandbox: cat(1) deny(1) file-read-data /a\n\
         Sandbox: cat(1) deny(1) file-read-data /a\n\
         Sandbox: cat deny file-read-data /a\n\
         logger[99]: Sandbox: cat(1) deny(1) file-read-data /etc\n\
         logger[99]: Sandbox: hello\n\
         sandbox-exec: sandbox_apply: Operation not permitted\n\
         \n\
         the last one has no end",
    );
    let counts = found.counts();
    assert_eq!(
        (
            counts.lines,
            counts.told,
            counts.unread,
            counts.foreign,
            counts.unrelated
        ),
        (9, 3, 1, 1, 4)
    );
    assert_eq!(found.troubles(), [Trouble::Nested]);
}

#[test]
fn what_is_too_long_is_counted_and_the_next_line_is_read() {
    let next = "\nSandbox: cat(1) deny(1) file-read-data /a\n";
    let long = format!(
        "Sandbox: cat(1) deny(1) file-read-data /{}",
        "x".repeat(LINE_MAX)
    );
    let found = read(long + next);
    assert_eq!((found.counts().overlong, found.denials().len()), (1, 1));
    let long = format!(
        "Sandbox: cat(1) deny(1) file-read-data /{}",
        "x".repeat(MESSAGE_MAX)
    );
    let found = read(long + next);
    assert_eq!((found.counts().unread, found.denials().len()), (1, 1));
    // At the end of the text.
    assert_eq!(read("y".repeat(LINE_MAX + 1)).counts().overlong, 1);
    assert_eq!(read("y".repeat(LINE_MAX)).counts().unrelated, 1);
}

#[test]
fn denials_beyond_the_bound_are_counted() {
    let lines =
        (0..DISTINCT_MAX + 10).map(|n| format!("Sandbox: cat(1) deny(1) file-read-data /{n}\n"));
    let text: String = lines.collect();
    let again = "Sandbox: cat(1) deny(1) file-read-data /0\n";
    let found = read(text + again);
    assert_eq!(found.denials().len(), DISTINCT_MAX);
    assert_eq!(found.denials()[0].count(), 2);
    assert_eq!(found.counts().beyond, 10);
}

/// Gives the same bytes over and over, so that no log of that size stands in memory.
struct Endless<'a> {
    text: &'a [u8],
    left: usize,
}

impl Read for Endless<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let size = into.len().min(self.left).min(self.text.len());
        into[..size].copy_from_slice(&self.text[..size]);
        self.left -= size;
        Ok(size)
    }
}

/// The worst that each step could be given: openings that never close, quotes, brackets, half a match.
#[test]
fn a_hundred_megabytes_of_anything_are_read_in_seconds() {
    let mut noise = 0x2545_f491_4f6c_dd1d_u64;
    let random = std::iter::repeat_with(|| {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        noise.to_le_bytes()[3]
    });
    let texts: [Vec<u8>; 6] = [
        random.take(1 << 16).collect(),
        b"(1) ".repeat(1 << 14),
        b"Sandbox: ) deny(1) ".repeat(3000),
        b"{\"".repeat(1 << 15),
        [
            b"{\"eventMessage\":\"",
            &b"\\u0041".repeat(10000)[..],
            b"\"}\n",
        ]
        .concat(),
        b"Sandbox: a(1) deny(1) file-read-data /b\n".repeat(1000),
    ];
    let share = 100_000_000 / texts.len();
    let began = Instant::now();
    let mut lines = 0;
    for text in texts {
        let text = &[&text[..], b"\n"].concat();
        let mut log = Log::default();
        let endless = Endless { text, left: share };
        log.read(BufReader::with_capacity(1 << 16, endless))
            .unwrap();
        lines += log.finish().counts().lines;
    }
    assert!(lines > 400_000, "{lines}");
    // A build without optimization on a machine that others use.
    assert!(
        began.elapsed() < Duration::from_secs(60),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_source_that_fails_is_an_error_and_keeps_what_was_read() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let first = &b"Sandbox: cat(1) deny(1) file-read-data /a\n"[..];
    let mut log = Log::default();
    let source = BufReader::new(first.chain(Broken));
    let error = log.read(source).unwrap_err();
    assert_eq!(error.to_string(), "gone");
    assert_eq!(log.finish().denials().len(), 1);
}
