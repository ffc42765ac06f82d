//! every spelling of a name, over everything that may stand there, for every operation: the
//! same as the plain system call in a twin of the tree, but for the differences that are listed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use objcap_object::error::ErrorKind;
use objcap_object::{Existing, Leaf, Machine, Mode, Object, Open, Options, Scope};
use rustix::fs::{AtFlags, CWD, Mode as RawMode, OFlags};

use super::World;

/// What stands at `x`.
const STANDING: [&str; 7] = [
    "absent",
    "file",
    "dir",
    "to-absent",
    "to-file",
    "to-dir",
    "to-self",
];

/// How `x` is spelled, below a folder named ROOT.
const SPELLINGS: [&str; 7] = [
    "x",
    "x/",
    "d/../x",
    "d/../x/",
    "../ROOT/x",
    "../ROOT/x/",
    "{T}/x",
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Asked {
    Open,
    Create,
    CreateDir,
    Stat,
    StatItself,
    Remove,
    RenameFrom,
    RenameTo,
    ReadLink,
    LinkFrom,
    LinkTo,
    Symlink,
}

const ASKED: [Asked; 12] = [
    Asked::Open,
    Asked::Create,
    Asked::CreateDir,
    Asked::Stat,
    Asked::StatItself,
    Asked::Remove,
    Asked::RenameFrom,
    Asked::RenameTo,
    Asked::ReadLink,
    Asked::LinkFrom,
    Asked::LinkTo,
    Asked::Symlink,
];

fn world(standing: &str) -> World {
    let world = World::new();
    world
        .dir("d")
        .file("other", "other")
        .file("t-file", "t")
        .dir("t-dir");
    match standing {
        "absent" => &world,
        "file" => world.file("x", "x"),
        "dir" => world.dir("x"),
        "to-absent" => world.link("x", "t-absent"),
        "to-file" => world.link("x", "t-file"),
        "to-dir" => world.link("x", "t-dir"),
        _ => world.link("x", "x"),
    };
    world
}

/// The tree as text: each name with its kind, and what it says or holds.
fn shape(root: &Path) -> Vec<String> {
    let mut shape = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let name = entry.file_name().into_string().unwrap();
        if kind.is_dir() {
            shape.push(format!("{name}/"));
            shape.extend(
                self::shape(&path)
                    .into_iter()
                    .map(|below| format!("{name}/{below}")),
            );
        } else if kind.is_symlink() {
            shape.push(format!(
                "{name} -> {}",
                fs::read_link(&path).unwrap().display()
            ));
        } else {
            shape.push(format!("{name}: {}", fs::read_to_string(&path).unwrap()));
        }
    }
    shape.sort();
    shape
}

/// The plain call, as a program without this library makes it.
fn plainly(world: &World, asked: Asked, spelling: &str) -> Result<String, ()> {
    let path = &*format!("{}/{spelling}", world.root.display()).replace("ROOT/{T}", "ROOT");
    let other = world.path("other");
    let nothing = |answer: rustix::io::Result<()>| answer.map(|()| String::new()).map_err(drop);
    match asked {
        Asked::Open => match fs::read_to_string(path) {
            Ok(read) => Ok(read),
            Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => Err(()),
            Err(_) => Err(()),
        },
        Asked::Create => {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
            let made = rustix::fs::openat(CWD, path, flags, RawMode::from_raw_mode(0o666));
            made.map(|_| String::new()).map_err(drop)
        }
        Asked::CreateDir => nothing(rustix::fs::mkdirat(
            CWD,
            path,
            RawMode::from_raw_mode(0o777),
        )),
        Asked::Stat => fs::metadata(path)
            .map(|it| format!("{:?}", it.is_dir()))
            .map_err(drop),
        Asked::StatItself => fs::symlink_metadata(path)
            .map(|it| format!("{:?}", it.is_dir()))
            .map_err(drop),
        Asked::Remove => nothing(
            rustix::fs::unlinkat(CWD, path, AtFlags::empty())
                .or_else(|_| rustix::fs::unlinkat(CWD, path, AtFlags::REMOVEDIR)),
        ),
        Asked::RenameFrom => fs::rename(path, world.path("new"))
            .map(|()| String::new())
            .map_err(drop),
        Asked::RenameTo => fs::rename(other, path)
            .map(|()| String::new())
            .map_err(drop),
        Asked::ReadLink => fs::read_link(path)
            .map(|text| text.display().to_string())
            .map_err(drop),
        Asked::LinkFrom => nothing(rustix::fs::linkat(
            CWD,
            path,
            CWD,
            world.path("new"),
            AtFlags::empty(),
        )),
        Asked::LinkTo => nothing(rustix::fs::linkat(CWD, other, CWD, path, AtFlags::empty())),
        Asked::Symlink => symlink("text", path).map(|()| String::new()).map_err(drop),
    }
}

/// The same by an object. Where the call follows a last link, so does the walk.
fn by_object(world: &World, asked: Asked, spelling: &str) -> Result<String, ()> {
    let spelling = spelling.strip_prefix("{T}/").unwrap_or(spelling);
    let leaf = match asked {
        Asked::Open | Asked::Stat => Leaf::Follow,
        _ => Leaf::AsNamed,
    };
    let object = world.try_walk(spelling, leaf).map_err(drop)?;
    let (new, other) = (world.walk("new"), world.walk("other"));
    let answer = match asked {
        Asked::Open => object
            .open(Open::READ)
            .map(|file| std::io::read_to_string(file).unwrap()),
        Asked::Create => object.create_new(Mode::FILE).map(|_| String::new()),
        Asked::CreateDir => object.create_dir(Mode::DIRECTORY).map(|()| String::new()),
        Asked::Stat | Asked::StatItself => object
            .stat()
            .map(|status| format!("{:?}", status.kind == objcap_object::Kind::Directory)),
        Asked::Remove => object.remove().map(|()| String::new()),
        Asked::RenameFrom => object
            .rename(&new, Existing::Replace)
            .map(|()| String::new()),
        Asked::RenameTo => other
            .rename(&object, Existing::Replace)
            .map(|()| String::new()),
        Asked::ReadLink => object
            .read_link()
            .map(|text| String::from_utf8(text).unwrap()),
        Asked::LinkFrom => object.link(&new).map(|()| String::new()),
        Asked::LinkTo => other.link(&object).map(|()| String::new()),
        Asked::Symlink => object.symlink(b"text").map(|()| String::new()),
    };
    answer.map_err(drop)
}

/// Where ours differs by design: a slash behind a link leads to what the link leads to, for every
/// operation. Linux follows it for some (open, stat, readlink) and refuses it for others.
fn is_ours_by_design(asked: Asked, standing: &str, spelling: &str) -> bool {
    let follows = |asked| matches!(asked, Asked::Remove | Asked::RenameFrom);
    let makes = |asked| asked == Asked::CreateDir;
    spelling.ends_with('/')
        && (standing == "to-dir" && follows(asked) || standing == "to-absent" && makes(asked))
}

#[test]
fn every_spelling_does_what_the_plain_call_does() {
    let (mut same, mut differ) = (0, 0);
    for asked in ASKED {
        for standing in STANDING {
            for spelling in SPELLINGS {
                let (theirs, ours) = (world(standing), world(standing));
                let plain = plainly(&theirs, asked, spelling);
                let answer = by_object(&ours, asked, spelling);
                let row = format!("{asked:?} {spelling} over {standing}");
                if is_ours_by_design(asked, standing, spelling) {
                    assert!(
                        plain.is_err() && answer.is_ok(),
                        "{row}: {plain:?} {answer:?}"
                    );
                    differ += 1;
                } else {
                    assert_eq!(answer, plain, "{row}");
                    assert_eq!(shape(&ours.root), shape(&theirs.root), "{row}");
                    same += 1;
                }
                assert!(ours.is_outside_untouched(), "{row}");
            }
        }
    }
    assert_eq!((same, differ), (579, 9));
}

#[test]
fn a_spelling_that_leaves_its_scope_changes_nothing() {
    // Of the spellings, those that would leave and come back are refused in the walk.
    let options = Options {
        scope: Scope::Beneath,
        leaf: Leaf::AsNamed,
        ..Options::default()
    };
    for standing in STANDING {
        let world = world(standing);
        let before = shape(&world.root);
        let machine = Machine::at(world.walk(".").open_dir().unwrap());
        let whole = format!("{}/x", world.root.display());
        Object::walk(&machine, "d/../x", &options).unwrap();
        for spelling in ["../ROOT/x", "../ROOT/x/", "d/../../ROOT/x", &whole] {
            let error = Object::walk(&machine, spelling, &options).unwrap_err();
            assert_eq!(
                error.kind(),
                objcap_object::ErrorKind::OutsideScope,
                "{spelling}"
            );
        }
        assert_eq!(shape(&world.root), before);
    }
}

#[test]
fn an_error_says_operation_path_and_reason() {
    let world = world("dir");
    world.file("x/in", "");
    let error = world.walk("x").remove().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotEmpty);
    assert_eq!(error.at(), world.walk("x").real());
    let text = error.to_string();
    assert!(text.starts_with("cannot remove `/"), "{text}");
    assert!(
        text.ends_with("/ROOT/x`: a directory with entries"),
        "{text}"
    );
    assert!(std::error::Error::source(&error).is_some());
}
