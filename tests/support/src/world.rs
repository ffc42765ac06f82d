//! Small arbitrary worlds: a tree, and questions about paths in it. Nothing is built or asked here.
//!
//! What is drawn when the bytes run out is the simplest choice, so that a short input is a small
//! world.

use std::fmt;

use arbitrary::{Arbitrary, Result, Unstructured};
use objcap_object::{Leaf, Links, Options, Require, Scope, Tail, path};

use crate::scratch::Entry;

/// A tree, and what is asked of it. Shown with a line for each entry and each question.
#[derive(Clone)]
pub struct World {
    /// The tree, parents first; no two entries have one place.
    pub entries: Vec<Entry>,
    /// Where a path in it may lead.
    pub ground: Ground,
    /// The questions.
    pub asks: Vec<Ask>,
}

/// One question: where does this path lead?
#[derive(Clone)]
pub struct Ask {
    /// The folder where a relative path starts, as a path below the tree's root.
    pub start: Vec<u8>,
    /// The path, in which `{T}` stands for the root of the tree.
    pub path: Vec<u8>,
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
        let ground = *u.choose(&[Ground::Machine, Ground::InRoot, Ground::Beneath])?;
        let mut folders = vec![Vec::new()];
        let mut places = Vec::new();
        let mut entries = Vec::new();
        for _ in 0..u.int_in_range(0..=12)? {
            let mut place = u.choose(&folders)?.clone();
            if !place.is_empty() {
                place.push(b'/');
            }
            place.extend_from_slice(u.choose(&NAMES)?);
            if places.contains(&place) {
                continue;
            }
            places.push(place.clone());
            entries.push(match u.int_in_range(0..=9)? {
                0..4 => {
                    folders.push(place.clone());
                    Entry::Directory(place)
                }
                4..8 => {
                    let text = text(u, ground, path::components(&place).count() - 1, &places)?;
                    Entry::Link(place, text)
                }
                8 => Entry::File(place),
                _ => Entry::Fifo(place),
            });
        }
        let asks = (0..u.int_in_range(1..=6)?)
            .map(|_| ask(u, ground, &folders, &places))
            .collect::<Result<_>>()?;
        Ok(World {
            entries,
            ground,
            asks,
        })
    }
}

fn ask(
    u: &mut Unstructured<'_>,
    ground: Ground,
    folders: &[Vec<u8>],
    places: &[Vec<u8>],
) -> Result<Ask> {
    let options = Options {
        scope: match ground {
            Ground::Machine | Ground::InRoot => Scope::InRoot,
            Ground::Beneath => Scope::Beneath,
        },
        leaf: *u.choose(&[Leaf::Follow, Leaf::Follow, Leaf::AsNamed])?,
        require: *u.choose(&[Require::Anything, Require::Anything, Require::Directory])?,
        links: *u.choose(&[Links::Follow, Links::Follow, Links::Follow, Links::Refuse])?,
        tail: *u.choose(&[Tail::Accept, Tail::Accept, Tail::Accept, Tail::Refuse])?,
        ..Options::default()
    };
    let start = match u.int_in_range(0..=3)? {
        0..3 => Vec::new(),
        _ => u.choose(folders)?.clone(),
    };
    let path = if u.ratio(1, 64)? {
        Vec::new()
    } else {
        text(u, ground, path::components(&start).count(), places)?
    };
    Ok(Ask {
        start,
        path,
        options,
    })
}

/// The text of a path or of a link, `depth` folders below the root of the tree; never empty. It
/// often names places of the tree, since most paths out of names alone lead nowhere.
fn text(
    u: &mut Unstructured<'_>,
    ground: Ground,
    depth: usize,
    places: &[Vec<u8>],
) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    for _ in 0..*u.choose(&[1, 0, 1, 1, 2, 2, 3, 4])? {
        body.extend_from_slice(match u.int_in_range(0..=63)? {
            0..40 if !places.is_empty() => u.choose(places)?,
            0..54 => u.choose(&NAMES)?,
            54..60 => b"..",
            60..63 => b".",
            _ => &LONG,
        });
        body.extend_from_slice(u.choose(&[&b"/"[..], b"/", b"/", b"//"])?);
    }
    // Now and then to the limit of 40 links and over it, unless the text would grow too long for one.
    let times = match u.int_in_range(0..=31)? {
        0..28 => 1,
        28 => 2,
        end => 10 + end,
    };
    let times = if body.len() < 90 { times } else { 1 };
    let up = b"../".repeat(depth);
    let heads: &[&[u8]] = match ground {
        Ground::Machine => &[&up, &up, &up, b"", b"{T}/", b"{T}/", b"/", b"{T}/../"],
        Ground::InRoot => &[&up, &up, &up, b"", b"/", b"/", b"//", b"{T}/"],
        Ground::Beneath => &[&up, &up, &up, &up, &up, b"", b"", b"/"],
    };
    let mut text = u.choose(heads)?.to_vec();
    text.extend_from_slice(&body.repeat(times));
    let kept = path::trim_end(&text).len();
    let end = *u.choose(&[&b""[..], b"", b"", b"", b"", b"/", b"/.", b"//"])?;
    if kept > 0 {
        text.truncate(kept);
        text.extend_from_slice(end);
    } else if text.is_empty() {
        text.push(b'.');
    }
    Ok(text)
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a tree, {:?}", self.ground)?;
        for entry in &self.entries {
            let (kind, text) = match entry {
                Entry::Directory(_) => ("directory", &[][..]),
                Entry::File(_) => ("file", &[][..]),
                Entry::Link(_, text) => ("link", &text[..]),
                Entry::Fifo(_) => ("fifo", &[][..]),
                Entry::Socket(_) => ("socket", &[][..]),
            };
            let place = entry.path().escape_ascii();
            writeln!(f, "  {kind} `{place}` `{}`", text.escape_ascii())?;
        }
        self.asks.iter().try_for_each(|ask| writeln!(f, "{ask:?}"))
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ask {
            start,
            path,
            options,
        } = self;
        let (path, start) = (path.escape_ascii(), start.escape_ascii());
        write!(
            f,
            "asked for `{path}` from `{start}`, {:?}, ",
            options.links
        )?;
        write!(
            f,
            "{:?}, {:?}, {:?}",
            options.leaf, options.tail, options.require
        )
    }
}
