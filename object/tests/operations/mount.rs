//! Volumes, mounted for the length of a test. Needs the right to mount.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A mounted volume. It is unmounted when dropped.
pub(crate) struct Mounted(PathBuf);

/// Mounts one; `None` where that is not allowed.
pub(crate) fn tmpfs(at: &Path) -> Option<Mounted> {
    mount(&["-t", "tmpfs", "-o", "size=1m", "objcap-test"], at)
}

/// Mounts an overlay of the folders `lower` and `upper`, with a folder `work` for its own use.
pub(crate) fn overlay(layers: &Path, at: &Path) -> Option<Mounted> {
    let layer = |name: &str| layers.join(name).display().to_string();
    let options = format!(
        "lowerdir={},upperdir={},workdir={}",
        layer("lower"),
        layer("upper"),
        layer("work")
    );
    mount(&["-t", "overlay", "-o", &options, "objcap-test"], at)
}

fn mount(arguments: &[&str], at: &Path) -> Option<Mounted> {
    let mount = Command::new("mount")
        .args(arguments)
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
