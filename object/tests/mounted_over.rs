//! Z-22 and M-21: a volume is mounted over a component, during the walk and after it. That needs a
//! mount namespace of its own, so the test runs itself again under unshare(1); where that cannot be
//! it says so.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::process::Command;

use objcap_object::{Dir, Identity, Machine, Object, Options, Tree};
use objcap_walk::{Fault, Ran, Stat, Step};

const INNER: &str = "in_a_namespace_of_its_own";

#[test]
fn z_22_a_volume_is_mounted_over_a_component() {
    let mut outer = Command::new("unshare");
    outer.arg("-m").arg(std::env::current_exe().unwrap());
    outer.args([INNER, "--exact", "--ignored", "--nocapture"]);
    let may = Command::new("unshare").args(["-m", "true"]).status();
    if !may.is_ok_and(|status| status.success()) {
        println!("NOT CHECKED: mounts over a component: no mount namespace to be had here");
        return;
    }
    let ran = outer.output().unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && told.contains("1 passed"), "{told}");
}

/// A machine where something happens before the question of one number.
struct Interrupted<'a> {
    machine: &'a Machine,
    moment: usize,
    asked: Cell<usize>,
    happens: &'a dyn Fn(),
}

impl Interrupted<'_> {
    fn ask(&self) -> &Machine {
        if self.asked.replace(self.asked.get() + 1) == self.moment {
            (self.happens)();
        }
        self.machine
    }
}

impl Tree for Interrupted<'_> {
    type Dir = Dir;
    type Notes = <Machine as Tree>::Notes;

    fn root(&self) -> &Dir {
        self.machine.root()
    }

    fn share(&self, dir: &Dir) -> Result<Dir, Fault> {
        self.ask().share(dir)
    }

    fn stat(&self, dir: &Dir) -> Result<Stat, Fault> {
        self.ask().stat(dir)
    }

    fn look(&self, dir: &Dir, name: &[u8]) -> Result<Option<Stat>, Fault> {
        self.ask().look(dir, name)
    }

    fn step(&self, dir: &Dir, name: &[u8], notes: &mut Self::Notes) -> Result<Step<Dir>, Fault> {
        self.ask().step(dir, name, notes)
    }

    fn run(&self, dir: &Dir, names: &[u8]) -> Ran<Dir> {
        self.ask().run(dir, names)
    }
}

fn system(program: &str, arguments: &[&str], place: &Path) {
    let status = Command::new(program).args(arguments).arg(place).status();
    assert!(status.unwrap().success(), "{program} {arguments:?}");
}

#[test]
#[ignore = "run by the test above, in a namespace"]
fn in_a_namespace_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(folder.path()).unwrap();
    fs::create_dir_all(real.join("d/e/f")).unwrap();
    let over = || {
        system("mount", &["-t", "tmpfs", "over"], &real.join("d"));
        fs::create_dir_all(real.join("d/e/f")).unwrap();
    };
    let machine = Machine::ambient_root().unwrap();
    let identity = |path: &str| -> Identity {
        let object = Object::walk(&machine, real.join(path), &Options::default()).unwrap();
        object.identity().unwrap()
    };
    for path in ["d/e/f", "d/e/../e/f", "d/e/f/."] {
        for make in [Machine::ambient_root, || {
            Machine::ambient_root().map(Machine::stepwise)
        }] {
            let machine = make().unwrap();
            for moment in 0..8 {
                let below = identity("d/e/f");
                let tree = Interrupted {
                    machine: &machine,
                    moment,
                    asked: Cell::new(0),
                    happens: &over,
                };
                let walked = Object::walk(&tree, real.join(path), &Options::default()).unwrap();
                let found = walked.identity().unwrap();
                if tree.asked.get() <= moment {
                    assert_eq!(found, below);
                    break;
                }
                let above = identity("d/e/f");
                assert_ne!(
                    below.mount, above.mount,
                    "the record tells the mounts apart"
                );
                assert!(
                    found == below || found == above,
                    "{path} at {moment}: {found:?}"
                );
                // The handle goes on meaning the directory that the object was found in.
                let leaf = walked.leaf().unwrap();
                let again = machine.look(walked.parent(), leaf).unwrap().unwrap();
                assert_eq!(again.identity, found);
                drop(walked);
                system("umount", &[], &real.join("d"));
            }
        }
    }
}
