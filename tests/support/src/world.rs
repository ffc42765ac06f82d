//! Small arbitrary worlds: a tree, and questions about paths in it. Nothing is built or asked here.
//!
//! What is drawn when the bytes run out is the simplest choice, so that a short input is a small
//! world.

use arbitrary::{Arbitrary, Result, Unstructured};
use objcap_object::{Leaf, Links, Options, Require, Scope, Tail, path};

use crate::scratch::Entry;

/// A tree, and what is asked of it.
#[derive(Debug, Clone)]
pub struct World {
    /// The tree, parents first; no two entries have one place.
    pub entries: Vec<Entry>,
    /// The questions.
    pub asks: Vec<Ask>,
}

/// One question: where does this path lead?
#[derive(Debug, Clone)]
pub struct Ask {
    /// The folder where a relative path starts, as a path below the tree's root.
    pub start: Vec<u8>,
    /// The path, in which `{T}` stands for the root of the tree.
    pub path: Vec<u8>,
    /// Where the path may lead.
    pub ground: Ground,
    /// How to walk.
    pub options: Options,
}

/// Where a path may lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Anywhere on the machine.
    Machine,
    /// Nowhere but below the starting folder, which is the root.
    InRoot,
    /// The same, and an attempt to leave is an error.
    Beneath,
}

/// Names that stand nowhere but in scratch trees: a path may climb out of one, and what it then
/// names has to be absent on every machine. One looks like dots, one is not UTF-8.
const NAMES: [&[u8]; 3] = [b"a_", b"...", b"c_\xff"];

/// Longer than a file system takes.
const LONG: [u8; 256] = [b'n'; 256];

impl Arbitrary<'_> for World {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut folders = vec![Vec::new()];
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..u.int_in_range(0..=12)? {
            let mut place = u.choose(&folders)?.clone();
            if !place.is_empty() {
                place.push(b'/');
            }
            place.extend_from_slice(u.choose(&NAMES)?);
            let entry = match u.int_in_range(0..=9)? {
                0..4 => Entry::Directory(place.clone()),
                4..8 => Entry::Link(place.clone(), text(u)?),
                8 => Entry::File(place.clone()),
                _ => Entry::Fifo(place.clone()),
            };
            if entries.iter().any(|other| other.path() == place) {
                continue;
            }
            if matches!(entry, Entry::Directory(_)) {
                folders.push(place);
            }
            entries.push(entry);
        }
        let count = u.int_in_range(1..=6)?;
        let asks = (0..count)
            .map(|_| ask(u, &folders))
            .collect::<Result<_>>()?;
        Ok(World { entries, asks })
    }
}

fn ask(u: &mut Unstructured<'_>, folders: &[Vec<u8>]) -> Result<Ask> {
    let ground = *u.choose(&[Ground::Machine, Ground::InRoot, Ground::Beneath])?;
    let options = Options {
        scope: match ground {
            Ground::Machine | Ground::InRoot => Scope::InRoot,
            Ground::Beneath => Scope::Beneath,
        },
        leaf: *u.choose(&[Leaf::Follow, Leaf::AsNamed])?,
        require: *u.choose(&[Require::Anything, Require::Anything, Require::Directory])?,
        links: *u.choose(&[Links::Follow, Links::Follow, Links::Follow, Links::Refuse])?,
        tail: *u.choose(&[Tail::Accept, Tail::Accept, Tail::Accept, Tail::Refuse])?,
        ..Options::default()
    };
    Ok(Ask {
        start: u.choose(folders)?.clone(),
        path: if u.ratio(1, 64)? {
            Vec::new()
        } else {
            text(u)?
        },
        ground,
        options,
    })
}

/// The text of a path or of a link; never empty.
fn text(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let [a, b, c] = NAMES;
    let names = [a, b, c, a, b, c, b"..", b"..", b".", &LONG];
    let mut body = Vec::new();
    for _ in 0..u.int_in_range(0..=6)? {
        body.extend_from_slice(u.choose(&names)?);
        body.extend_from_slice(u.choose(&[&b"/"[..], b"/", b"/", b"//"])?);
    }
    // Often enough to come to the limit of 40 links, unless the text would grow too long for one.
    let times = *u.choose(&[1, 1, 1, 1, 1, 2, 20, 39, 40, 41])?;
    let times = if body.len() < 100 { times } else { 1 };
    let mut text = u
        .choose(&[&b""[..], b"", b"", b"", b"{T}/", b"/", b"//", b"{T}/../"])?
        .to_vec();
    text.extend_from_slice(&body.repeat(times));
    let kept = path::trim_end(&text).len();
    let end = *u.choose(&[&b""[..], b"", b"", b"/", b"/.", b"//"])?;
    if kept > 0 {
        text.truncate(kept);
        text.extend_from_slice(end);
    } else if text.is_empty() {
        text.push(b'.');
    }
    Ok(text)
}
