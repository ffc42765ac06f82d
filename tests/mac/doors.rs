//! Doors: programs that have a process outside act for them. Each is first gone through by a child that nothing confines;
//! where that shows nothing, as on a system without a desktop, the door is not checked.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use objcap::sandbox::Entry;

use crate::Came;
use crate::machine::{Scratch, plan, stack};
use crate::text;

/// A way through a door. In its texts `{}` is the folder that the child may write.
pub(crate) struct Door {
    pub(crate) name: &'static str,
    /// What stands ready before: a script of a shell that nothing confines.
    before: &'static str,
    /// What goes through it: a script of the child.
    through: &'static str,
    shows: Shows,
    after: &'static str,
}

/// How it shows that something outside has acted.
// Exhaustive: there are no others.
enum Shows {
    /// The child prints this.
    Output(&'static str),
    /// The file `{}/mark` is there, before long.
    Mark,
}

pub(crate) const DOORS: &[Door] = &[
    Door {
        name: "launch_services_start_nothing",
        before: "",
        through: "/usr/bin/open -n -g '{}/Mark.app'",
        shows: Shows::Mark,
        after: "",
    },
    Door {
        name: "launchd_takes_no_job",
        before: "",
        through: "/bin/launchctl submit -l objcap.trial -- /usr/bin/touch '{}/mark'",
        shows: Shows::Mark,
        after: "/bin/launchctl remove objcap.trial",
    },
    Door {
        name: "the_pasteboard_tells_nothing",
        before: "printf 'on the pasteboard' | /usr/bin/pbcopy",
        through: "/usr/bin/pbpaste",
        shows: Shows::Output("on the pasteboard"),
        after: "/usr/bin/pbcopy < /dev/null",
    },
    Door {
        name: "the_keychain_gives_no_item",
        before: "/usr/bin/security create-keychain -p x '{}/k.keychain' && \
                 /usr/bin/security add-generic-password -a me -s objcap -w in-the-keychain '{}/k.keychain'",
        through: "/usr/bin/security find-generic-password -s objcap -w '{}/k.keychain'",
        shows: Shows::Output("in-the-keychain"),
        after: "/usr/bin/security delete-keychain '{}/k.keychain'",
    },
    Door {
        name: "no_name_is_resolved_offline",
        before: "",
        through: "/usr/bin/dscacheutil -q host -a name example.com",
        shows: Shows::Output("ip_address"),
        after: "",
    },
];

const GRANT: &str = "[fs]\nwrite = ['{}']\n[exec]\nallow = ['/bin', '/usr/bin']\n[net]\n";

impl Door {
    pub(crate) fn tried(&self) -> Came {
        match self.try_it() {
            Ok(came) => came,
            Err(why) => Came::Failed(why),
        }
    }

    fn try_it(&self) -> Result<Came, String> {
        let scratch = Scratch::new().map_err(text)?;
        let folder = scratch.places.folder.clone();
        let filled = |script: &str| script.replace("{}", &folder);
        application(Path::new(&folder)).map_err(text)?;
        shell(&filled(self.before)).map_err(text)?;
        let free = shell(&filled(self.through)).map_err(text)?;
        if !self.has_shown(&folder, &free) {
            return Ok(Came::NotChecked(format!(
                "nothing comes of it without a profile either: {}",
                String::from_utf8_lossy(&free.stderr).trim()
            )));
        }
        shell(&filled(self.after)).map_err(text)?;
        shell(&filled(self.before)).map_err(text)?;

        let host = scratch.host()?;
        let stack = stack(&host, &filled(GRANT))?;
        let plan = plan(&stack, &host, Entry::Launcher)?;
        let confined = |script: &str| {
            let child = plan.command("/bin/sh").args(["-c", script]);
            child.current_dir(&folder).output().map_err(text)
        };
        let admitted = confined("echo begun; echo > written")?;
        if !admitted.status.success() || admitted.stdout != b"begun\n" {
            return Err(format!("the child does nothing at all: {admitted:?}"));
        }
        let came = match self.has_shown(&folder, &confined(&filled(self.through))?) {
            true => Came::Failed("it was gone through".to_owned()),
            false => Came::Passed,
        };
        shell(&filled(self.after)).map_err(text)?;
        Ok(came)
    }

    /// Whether something outside has acted; a mark is taken away for the next time.
    fn has_shown(&self, folder: &str, output: &Output) -> bool {
        match self.shows {
            Shows::Output(text) => String::from_utf8_lossy(&output.stdout).contains(text),
            Shows::Mark => (0..20).any(|_| {
                sleep(Duration::from_millis(250));
                fs::remove_file(Path::new(folder).join("mark")).is_ok()
            }),
        }
    }
}

fn shell(script: &str) -> std::io::Result<Output> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script]).stdin(Stdio::null()).output()
}

/// An application that leaves a mark when it is started.
fn application(folder: &Path) -> std::io::Result<()> {
    let contents = folder.join("Mark.app/Contents");
    fs::create_dir_all(contents.join("MacOS"))?;
    let told = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>CFBundleExecutable</key><string>mark</string>\
                <key>CFBundleIdentifier</key><string>objcap.mark</string><key>LSBackgroundOnly</key><true/></dict></plist>";
    fs::write(contents.join("Info.plist"), told)?;
    let program = contents.join("MacOS/mark");
    let mark = folder.join("mark");
    fs::write(&program, format!("#!/bin/sh\n: > '{}'\n", mark.display()))?;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
}
