//! Starts the built program in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A folder that is gone at the end.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// With these files in it.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Exit code, stdout and stderr of the program, run in the folder.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_objcap"))
            .current_dir(self.path())
            .env("HOME", "/home/me")
            .args(args)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }
}
