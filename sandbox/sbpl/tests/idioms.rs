//! Profiles in the idioms of programs that ship some: each is read without an error and decides
//! what it is meant to, an admission first.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test may stop at a surprise"
)]

use sbpl::ast::{Subject, VnodeType};
use sbpl::judge::{Decision, Socket, Transport};
use sbpl::{Judge, Operation, Parsed, Parser, Reading, Request};

use Decision::{Allow, Deny};

struct Case {
    parsed: Parsed,
    judge: Judge,
}

impl Case {
    /// The profile, which must have these remarks and no others.
    fn new(name: &str, parameters: &[(&str, &str)], remarks: &[&str]) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/profiles/");
        let load = move |name: &[u8]| {
            let name = std::str::from_utf8(name).map_err(std::io::Error::other)?;
            std::fs::read(format!("{folder}{name}"))
        };
        let text = load(name.as_bytes()).unwrap();
        let parser = parameters
            .iter()
            .fold(Parser::new(), |parser, &(key, value)| {
                parser.parameter(key, value)
            });
        let parsed = parser.loader(load).parse(&text);
        let said: Vec<_> = parsed
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(said, remarks);
        assert_eq!(parsed.profile().unevaluated().len(), 0);
        // What comes out can be printed and read by itself.
        let again = sbpl::parse(parsed.profile().to_string().as_bytes());
        assert_eq!(again.profile(), parsed.profile());
        let judge = Judge::new(parsed.profile());
        Self { parsed, judge }
    }

    #[track_caller]
    fn check(&self, expected: Decision, request: &Request) {
        let verdict = self.judge.decide(request, Reading::FilteredFirst);
        assert_eq!(verdict.decision, expected, "{request:?} {verdict:?}");
    }

    #[track_caller]
    fn path(&self, expected: Decision, operation: Operation, path: &str) {
        self.check(expected, &Request::new(operation).path(path));
    }

    #[track_caller]
    fn file(&self, expected: Decision, operation: Operation, path: &str) {
        let request = Request::new(operation).path(path);
        self.check(
            expected,
            &request.vnode_type(VnodeType::RegularFile).file_mode(0o644),
        );
    }

    #[track_caller]
    fn tcp(&self, expected: Decision, address: &str) {
        let socket = Socket::Inet(Transport::Tcp, address.parse().unwrap());
        self.check(
            expected,
            &Request::new(Operation::NetworkOutbound).remote(socket),
        );
    }

    #[track_caller]
    fn service(&self, expected: Decision, name: &str) {
        let request = Request::new(Operation::MachLookup).name(Subject::GlobalName, name);
        self.check(expected, &request);
    }
}

#[test]
fn a_browsers_helper() {
    let parameters = [
        ("LABEL", "helper"),
        ("OS_VERSION", "14.4"),
        ("BUNDLE_PATH", "/Applications/Example.app"),
        ("ENABLE_LOGGING", "TRUE"),
        ("LOG_FILE", "/private/tmp/log"),
        ("COMPONENT_REGEX", "^/Users/me/Components/[^/]+/[0-9.]+/"),
        ("EXECUTABLE", "/Applications/Example.app/helper"),
    ];
    let case = Case::new(
        "browser-helper.sb",
        &parameters,
        &["the modifier is not known"],
    );
    case.file(Allow, Operation::FileWriteData, "/private/tmp/log");
    case.file(Deny, Operation::FileWriteData, "/private/tmp/log2");
    case.path(
        Allow,
        Operation::FileReadData,
        "/Applications/Example.app/Contents/Resources/x",
    );
    case.path(
        Deny,
        Operation::FileReadData,
        "/Applications/Example.app/Contents/Info.plist",
    );
    case.path(
        Allow,
        Operation::FileReadData,
        "/users/me/components/widget/1.2/lib",
    );
    case.path(Deny, Operation::FileReadData, "/Users/me/Components/widget");
    case.path(
        Allow,
        Operation::ProcessExec,
        "/Applications/Example.app/helper",
    );
    case.path(Deny, Operation::ProcessExec, "/bin/sh");
    case.path(
        Deny,
        Operation::FileLink,
        "/Applications/Example.app/Contents/Resources/x",
    );
    case.service(Allow, "com.example.metrics.a");
    case.service(Deny, "com.example.old-server");
    let sysctl = |name| Request::new(Operation::SysctlRead).name(Subject::SysctlName, name);
    case.check(Allow, &sysctl("hw.perflevel0.name"));
    case.check(Deny, &sysctl("kern.boottime"));

    let old = parameters.map(|(key, value)| match key {
        "OS_VERSION" => (key, "10.11"),
        "ENABLE_LOGGING" => (key, "FALSE"),
        _ => (key, value),
    });
    let case = Case::new("browser-helper.sb", &old, &["the modifier is not known"]);
    case.service(Allow, "com.example.old-server");
    case.file(Deny, Operation::FileWriteData, "/private/tmp/log");
}

#[test]
fn a_web_engines_content() {
    let case = Case::new(
        "web-content.sb",
        &[("CACHE", "/private/var/folders/c")],
        &[],
    );
    case.path(Allow, Operation::FileReadMetadata, "/usr");
    assert_eq!(case.parsed.rule_text(1).unwrap().name(), b"system-base.sb");
    let read = |path| {
        let request = Request::new(Operation::FileReadData).path(path);
        request.vnode_type(VnodeType::RegularFile)
    };
    case.check(Allow, &read("/Library/Fonts/a.ttf").extensions([""; 0]));
    case.check(Deny, &read("/Users/me/a").extensions([""; 0]));
    case.check(
        Allow,
        &read("/Users/me/a").extensions(["com.example.app-sandbox.read"]),
    );
    case.check(Allow, &read("/private/var/folders/c/x").extensions([""; 0]));
    let link = read("/private/var/folders/c/x").vnode_type(VnodeType::Symlink);
    case.check(Deny, &link.extensions([""; 0]));
    let lookup = |name| {
        let request = Request::new(Operation::MachLookup).name(Subject::GlobalName, name);
        request
            .attribute(Subject::SigningIdentifier, "com.example.a")
            .extensions([""; 0])
    };
    let server = lookup("com.example.content-server");
    // The value of an entitlement is nothing that a request states.
    case.check(
        Decision::Unknown,
        &server.clone().entitlements(["com.example.content"]),
    );
    case.check(Deny, &server.entitlements([""; 0]));

    let case = Case::new("web-content.sb", &[], &[]);
    case.check(Deny, &read("/private/var/folders/c/x").extensions([""; 0]));
}

#[test]
fn a_package_build() {
    let case = Case::new(
        "build-sandbox.sb",
        &[("_GLOBAL_TMP_DIR", "/private/tmp/build")],
        &[],
    );
    case.path(Allow, Operation::FileReadData, "/store/bbb-gcc/bin/cc");
    case.path(Deny, Operation::FileReadData, "/store/ddd-other");
    case.path(Allow, Operation::FileWriteCreate, "/store/out-2/bin/x");
    case.path(Deny, Operation::FileWriteCreate, "/store/aaa-bash/x");
    case.path(
        Allow,
        Operation::ProcessExec,
        "/private/tmp/build/configure",
    );
    case.path(Deny, Operation::ProcessExec, "/usr/bin/cc");
    for path in ["/", "/store", "/private", "/private/tmp"] {
        case.path(Allow, Operation::FileReadMetadata, path);
    }
    case.path(Deny, Operation::FileReadMetadata, "/usr");
    case.tcp(Deny, "127.0.0.1:80");
    case.tcp(Deny, "1.1.1.1:80");

    let parameters = [
        ("_GLOBAL_TMP_DIR", "/private/tmp/build"),
        ("_ALLOW_LOCAL_NETWORKING", "1"),
    ];
    let case = Case::new("build-sandbox.sb", &parameters, &[]);
    case.tcp(Allow, "127.0.0.1:80");
}

#[test]
fn a_package_manager() {
    let case = Case::new("package-manager.sb", &[], &["the modifier is not known"]);
    case.file(
        Allow,
        Operation::FileWriteCreate,
        "/opt/cellar/wget/bin/wget",
    );
    case.file(
        Deny,
        Operation::FileWriteCreate,
        "/opt/cellar/curl/bin/curl",
    );
    case.file(
        Allow,
        Operation::FileWriteData,
        "/private/var/folders/zz/abc/T/x",
    );
    case.file(
        Deny,
        Operation::FileWriteData,
        "/private/var/folders/zz/abc/X/x",
    );
    case.file(Allow, Operation::FileReadData, "/Users/me/.ssh/id");
    let setuid = Request::new(Operation::FileWriteMode)
        .path("/private/tmp/a")
        .file_mode(0o4755);
    case.check(Deny, &setuid);
    case.tcp(Deny, "1.1.1.1:443");
}

#[test]
fn a_build_action() {
    let case = Case::new("build-action.sb", &[], &[]);
    case.file(
        Allow,
        Operation::FileWriteCreate,
        "/private/var/tmp/execroot/bin/a.o",
    );
    case.file(
        Deny,
        Operation::FileWriteCreate,
        "/private/var/tmp/execroot/a.c",
    );
    case.file(Allow, Operation::FileReadData, "/Users/me/a.c");
    case.file(Deny, Operation::FileReadData, "/Users/me/secret/key");
    // Measured: `(local ip …)` on network-outbound matches every connect.
    case.tcp(Allow, "1.1.1.1:443");
    let unix = Request::new(Operation::NetworkBind).local(Socket::Unix("/private/tmp/s".into()));
    case.check(Allow, &unix);
}

#[test]
fn a_coding_agent() {
    let parameters = [
        ("WRITABLE_ROOT_0", "/Users/me/work"),
        ("WRITABLE_ROOT_0_RO_0", "/Users/me/work/.git"),
        ("WRITABLE_ROOT_1", "/private/tmp"),
    ];
    let case = Case::new("coding-agent.sb", &parameters, &[]);
    let memory =
        |name| Request::new(Operation::IpcPosixShmReadData).name(Subject::IpcPosixName, name);
    case.check(Allow, &memory("apple.cfprefs.501"));
    case.check(Deny, &memory("apple.shm"));
    case.file(Allow, Operation::FileReadData, "/Users/me/.ssh/id");
    let write = |path| {
        let request = Request::new(Operation::FileWriteData).path(path);
        request
            .vnode_type(VnodeType::RegularFile)
            .extensions([""; 0])
    };
    case.check(Allow, &write("/Users/me/work/src/a.rs"));
    case.check(Deny, &write("/Users/me/work/.git/config"));
    case.check(Deny, &write("/Users/me/other"));
    case.check(Allow, &write("/private/tmp/a"));
    case.check(
        Allow,
        &write("/dev/null").vnode_type(VnodeType::CharacterDevice),
    );
    case.check(Deny, &write("/dev/null"));
    case.tcp(Deny, "1.1.1.1:443");
    case.service(Deny, "com.apple.pasteboard.1");
}

#[test]
fn a_command_line_agent() {
    let parameters = [
        ("TARGET_DIR", "/Users/me/work"),
        ("TMP_DIR", "/private/tmp"),
        ("HOME_DIR", "/Users/me"),
    ];
    let case = Case::new("command-line-agent.sb", &parameters, &[]);
    case.file(Allow, Operation::FileWriteData, "/Users/me/.npm/cache");
    case.file(Deny, Operation::FileWriteData, "/Users/me/.zshrc");
    case.tcp(Allow, "127.0.0.1:8877");
    case.tcp(Deny, "127.0.0.1:8878");

    // A parameter that is missing refuses the profile, and not a rule of it.
    let text =
        "(version 1)(allow default)(deny file-write*)(allow file-write* (subpath (param \"X\")))";
    assert_eq!(
        sbpl::parse(text.as_bytes()).worst(),
        Some(sbpl::diagnostic::Severity::Error)
    );
}
