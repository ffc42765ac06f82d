//! On an overlay, as in most containers: a file of the lower layer becomes another one below when it
//! is first written or moved, and is the same object all the same.

use std::io::Write as _;

use objcap_object::{Current, Existing, NewMode, Object, Open};

use super::mount::{self, Mounted};
use super::{World, not_checked};

/// An overlay at `merged`, whose lower layer has d/, d/f, e/, f, g, h, l → f.
fn overlay() -> Option<(World, Mounted)> {
    let world = World::new();
    for layer in ["lower", "upper", "work", "merged"] {
        world.dir(layer);
    }
    world
        .dir("lower/d")
        .dir("lower/e")
        .dir("upper/e")
        .link("lower/l", "f");
    for file in ["f", "g", "h", "d/f"] {
        world.file(&format!("lower/{file}"), "lower");
    }
    let mounted = mount::overlay(&world.root, &world.path("merged"));
    if mounted.is_none() {
        not_checked("an overlay", "not allowed to mount one");
    }
    Some((world, mounted?))
}

#[test]
fn a_file_of_the_lower_layer_is_opened_for_writing() {
    let Some((world, _mounted)) = overlay() else {
        return;
    };
    let object = world.walk("merged/f");
    object.open(Open::READ).unwrap();
    let mut file = object.open(Open::APPEND).unwrap();
    file.write_all(b"+").unwrap();
    assert_eq!(world.read("merged/f"), "lower+");
    assert_eq!(world.read("lower/f"), "lower");
    // docs/residuals.md: to this walk it is another object from now on; a second walk finds it.
    let is_current = |object: &Object| object.is_current(&world.machine).unwrap();
    println!(
        "after the copy, the old walk says {:?}",
        is_current(&object)
    );
    let again = world.walk("merged/f");
    again.open(Open::WRITE.truncated()).unwrap();
    assert_eq!(is_current(&again), Current::Same);
}

#[test]
fn objects_of_the_lower_layer_are_moved_linked_replaced_and_removed() {
    let Some((world, _mounted)) = overlay() else {
        return;
    };
    let at = |name: &str| world.named(&format!("merged/{name}"));
    at("f").rename(&at("f2"), Existing::Keep).unwrap();
    at("g").link(&at("g2")).unwrap();
    at("h").replace(b"new", NewMode::Kept).unwrap();
    at("f2").swap(&at("h")).unwrap();
    assert_eq!(world.read("merged/h"), "lower");
    assert_eq!(world.read("merged/f2"), "new");
    at("l").rename(&at("l2"), Existing::Keep).unwrap();
    for name in ["l2", "f2", "g", "g2", "h", "d/f", "d", "e"] {
        at(name).remove().unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(world.names("merged"), Vec::<String>::new());
    assert_eq!(world.names("lower"), ["d", "e", "f", "g", "h", "l"]);
}

#[test]
fn a_tree_of_both_layers_is_removed() {
    let Some((world, _mounted)) = overlay() else {
        return;
    };
    world.file("merged/d/upper", "").dir("merged/d/x/y");
    world.walk("merged/d").remove_all().unwrap();
    world.walk("merged/e").remove_all().unwrap();
    assert_eq!(world.names("merged"), ["f", "g", "h", "l"]);
}
