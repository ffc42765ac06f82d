//! What `objcap show` prints, for one grant and for several.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod folder;

use std::process::Command;

use folder::Folder;
use serde_json::Value;

const GRANT: &str = "\
[fs]
read = ['~/app', '/usr/bin/git']
write = ['~/app/target', '/tmp/out']
exclude = ['~/app/.env']
protect = ['~/app/target/kept']
[exec]
allow = ['/usr/bin', '~/app/bin']
exclude = ['/usr/bin/osascript']
veto = ['curl']
only = { git = ['status', 'diff'] }
[net]
sockets = ['/tmp/s']
";

const LAYER: &str = "\
[fs]
read = ['~/app', '/tmp']
write = ['~/app/target']
exclude = ['~/app/secret']
";

fn folder() -> Folder {
    Folder::new(&[("a.toml", GRANT), ("b.toml", LAYER)])
}

/// Stdout of a run that ends with 0 and says nothing on stderr.
#[track_caller]
fn shown(folder: &Folder, args: &[&str]) -> String {
    let (code, out, err) = folder.run(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

#[test]
fn a_tree_is_folded_where_nothing_differs() {
    let out = shown(&folder(), &["show", "--host", "mac", "a.toml"]);
    // `/usr/bin/git` is read and run as the folder that it lies in.
    let expected = "\
/Users/me/app  read
├─ .env        excluded
├─ bin         read, run
└─ target      write
   └─ kept     read, protected
/private/tmp/out  write
/usr/bin       read, run
├─ curl        read, vetoed
└─ osascript   read, not run
";
    // The veto has no place of its own, and so no line.
    let expected: Vec<_> = expected
        .lines()
        .filter(|line| !line.contains("curl"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let tree: Vec<_> = out
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(tree, expected, "{out}");
    for line in [
        "files     what the tree says, and nothing else",
        "programs  what the tree says, and nothing else",
        "network   offline",
        "socket    /private/tmp/s",
        "veto      curl",
        "only      git: status, diff",
    ] {
        assert!(out.lines().any(|one| one == line), "{line}: {out}");
    }
    let needed = out.lines().find(|line| line.starts_with("needed")).unwrap();
    assert!(needed.contains("/System"), "{needed}");
}

#[test]
fn the_words_stand_in_one_column() {
    let out = shown(&folder(), &["show", "--host", "mac", "a.toml"]);
    let tree: Vec<_> = out.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(tree[0], "/Users/me/app     read");
    assert_eq!(tree[1], "├─ .env           excluded");
    assert_eq!(tree[3], "└─ target         write");
    assert_eq!(tree[4], "   └─ kept        read, protected");
}

#[test]
fn layers_are_shown_as_what_they_come_to_together() {
    let folder = folder();
    let out = shown(&folder, &["show", "--host", "mac", "a.toml", "b.toml"]);
    let line = |name: &str| {
        let line = out.lines().find(|line| line.contains(name));
        line.map(|line| line.split_whitespace().last().unwrap().to_owned())
    };
    assert_eq!(line("target").as_deref(), Some("write"));
    assert_eq!(line("secret").as_deref(), Some("excluded"));
    assert_eq!(line(".env").as_deref(), Some("excluded"));
    // The second layer lets it be read alone, and the first does not let all of `/tmp` be.
    assert_eq!(line("/private/tmp/out").as_deref(), Some("read"));
    assert_eq!(line("/private/tmp "), None);
    for (access, path, code) in [
        ("write", "/Users/me/app/target/x", 0),
        ("write", "/tmp/out/x", 1),
        ("read", "/tmp/out/x", 0),
        ("read", "/tmp/other", 1),
        ("read", "/Users/me/app/secret", 1),
        ("exec", "git", 1),
    ] {
        let args = ["explain", "a.toml", "b.toml", "--host", "mac", access, path];
        assert_eq!(folder.run(&args).0, code, "{access} {path}");
    }
    let (_, out, _) = folder.run(&[
        "explain",
        "a.toml",
        "b.toml",
        "--host",
        "mac",
        "write",
        "/tmp/out/x",
    ]);
    assert!(
        out.contains("guard: no clause of `b.toml` allows it"),
        "{out}"
    );
    let (code, out, _) = folder.run(&["profile", "--host", "mac", "a.toml", "b.toml"]);
    assert_eq!(code, 0);
    assert!(out.contains("/Users/me/app/secret") && out.contains("/Users/me/app/.env"));
    assert!(
        !out.contains("(allow file-write* (subpath \"/private/tmp/out\")"),
        "{out}"
    );
}

#[test]
fn the_clauses_behind_a_line_are_told_on_request() {
    let out = shown(&folder(), &["show", "--why", "--host", "mac", "a.toml"]);
    let line = out.lines().find(|line| line.contains("target")).unwrap();
    assert!(
        line.ends_with("write  write `~/app/target` (a.toml:3:10)"),
        "{line}"
    );
    let line = out.lines().find(|line| line.starts_with("veto")).unwrap();
    assert_eq!(line, "veto      curl  exec.veto `curl` (a.toml:9:9)");
}

#[test]
fn what_is_not_restricted_is_said() {
    let folder = Folder::new(&[
        ("e.toml", ""),
        (
            "x.toml",
            "exec.allow = ['git', 'curl']\nexec.veto = ['CURL']",
        ),
    ]);
    let out = shown(&folder, &["show", "--host", "mac", "e.toml"]);
    assert_eq!(
        out,
        "files     unrestricted: everything may be read and written\n\
         programs  unrestricted: everything may be run\n\
         network   unrestricted\n"
    );
    let out = shown(&folder, &["show", "--host", "mac", "x.toml"]);
    let tree: Vec<_> = out.lines().take(2).collect();
    assert_eq!(tree, ["/usr/bin/curl  vetoed", "/usr/bin/git   run"]);
}

/// What stands at the root holds for the root: everything may be read by nobody here.
#[test]
fn every_program_is_no_line_of_its_own() {
    let folder = Folder::new(&[(
        "g.toml",
        "fs.write = ['~/app']\nfs.read = ['~/r']\nexec.allow = ['every']\nexec.exclude = ['/usr/bin/curl']",
    )]);
    let out = shown(&folder, &["show", "--host", "mac", "g.toml"]);
    let tree: Vec<_> = out.lines().take(5).collect();
    assert_eq!(
        tree,
        [
            "/Users/me/app  write, run",
            "/Users/me/r    read, run",
            "/usr/bin/curl  read, not run",
            "",
            "files     what the tree says, and nothing else",
        ]
    );
    assert!(
        out.contains("programs  whatever may be read, but for what the tree says\n"),
        "{out}"
    );
    let out = shown(&folder, &["show", "--all", "--host", "mac", "g.toml"]);
    assert!(
        out.contains("/usr ") && out.contains("├─ null") && !out.contains("needed"),
        "{out}"
    );
}

#[test]
fn show_answers_machines_in_json() {
    let out = shown(&folder(), &["show", "--json", "--host", "mac", "a.toml"]);
    assert_eq!(out.lines().count(), 1);
    let record: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&record["files"], &record["programs"], &record["network"]),
        (
            &"restricted".into(),
            &"restricted".into(),
            &"offline".into()
        )
    );
    assert_eq!(record["sockets"][0]["name"], "/private/tmp/s");
    assert_eq!(record["vetoes"][0]["name"], "curl");
    assert_eq!(record["vetoes"][0]["clause"]["line"], 9);
    assert_eq!(record["only"][0]["name"], "git");
    assert_eq!(record["only"][0]["words"][1], "diff");
    let place = |path: &str| {
        let mut places = record["places"].as_array().unwrap().iter();
        places.find(|place| place["path"] == path).unwrap().clone()
    };
    let target = place("/Users/me/app/target");
    assert_eq!(
        (&target["read"], &target["write"], &target["run"]),
        (&true.into(), &true.into(), &false.into())
    );
    assert_eq!(
        (&target["below"], &target["needed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(target["clauses"][0]["surface"], "~/app/target");
    let env = place("/Users/me/app/.env");
    assert_eq!(
        (&env["read"], &env["excluded"]),
        (&false.into(), &true.into())
    );
    let kept = place("/Users/me/app/target/kept");
    assert_eq!(
        (&kept["write"], &kept["protected"]),
        (&false.into(), &true.into())
    );
    assert_eq!(place("/System")["needed"], true);
    assert_eq!(place("/dev/null")["below"], false);
}

#[test]
fn colour_is_for_terminals() {
    let folder = folder();
    let piped = shown(&folder, &["show", "--host", "mac", "a.toml"]);
    assert!(!piped.contains('\u{1b}'));
    let on_terminal = |set: &[(&str, &str)]| {
        let program = env!("CARGO_BIN_EXE_objcap");
        let line = format!("'{program}' show --host mac a.toml");
        let ran = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(folder.path())
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .envs(set.iter().copied())
            .output();
        ran.ok().map(|ran| String::from_utf8(ran.stdout).unwrap())
    };
    let Some(coloured) = on_terminal(&[]).filter(|out| out.contains("/Users/me/app")) else {
        println!("NOT CHECKED: colour on a terminal: there is no script(1) that takes -qec");
        return;
    };
    assert!(
        coloured.contains("\u{1b}[31mexcluded\u{1b}[0m"),
        "{coloured:?}"
    );
    for plain in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let out = on_terminal(&[plain]).unwrap();
        assert_eq!(out.replace('\r', ""), piped, "{plain:?}");
    }
}
