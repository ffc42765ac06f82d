//! A volume in memory, mounted for the length of a test. Needs the right to mount.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A mounted volume. It is unmounted when dropped.
pub(crate) struct Mounted(PathBuf);

/// Mounts one; `None` where that is not allowed.
pub(crate) fn tmpfs(at: &Path) -> Option<Mounted> {
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "objcap-test"])
        .arg(at)
        .output()
        .ok()?;
    mount.status.success().then(|| Mounted(at.to_owned()))
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
