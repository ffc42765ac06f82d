//! Small arbitrary trees in memory that change while a path is walked in them, and what is asked.
//! The property is [`Question::judge`]; whoever draws a [`Perturbed`] has it judged by
//! [`Perturbed::check`].

use std::rc::Rc;

use arbitrary::{Arbitrary, Result, Unstructured};
use objcap_walk::{Leaf, Links, Memory, Options, Require, Scope, Tail};

use crate::resolution::Question;
use crate::scripted::{Change, Failure, Runs, Script, Turn, What, When};

/// A tree, what happens in it, and a question. What is drawn when the bytes run out is the simplest.
#[derive(Debug, Clone)]
pub struct Perturbed {
    /// What is made, in order; later entries may replace earlier ones.
    pub entries: Vec<Change>,
    /// The path.
    pub path: Vec<u8>,
    /// How to walk.
    pub options: Options,
    /// What happens meanwhile.
    pub script: Script,
}

impl Perturbed {
    /// Walks, and judges the answer.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> std::result::Result<(), String> {
        let mut tree = Memory::new();
        tree.directory("/ROOT");
        tree.file("/a/a");
        tree.directory("/a/b");
        tree.file("/b");
        for entry in &self.entries {
            entry.make(&mut tree);
        }
        let start = Rc::new(tree.rooted_at("/ROOT").expect("nothing replaces the root"));
        let question = Question::from_root(&start, &self.path, &self.options);
        question.judge(&question.ask(&start, &self.script))
    }
}

impl Arbitrary<'_> for Perturbed {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let entries = (0..u.int_in_range(0..=6)?)
            .map(|_| {
                let at = place(u)?;
                Ok(match u.int_in_range(0..=2)? {
                    0 => Change::Directory(at),
                    1 => Change::Link(at, text(u)?),
                    _ => Change::File(at),
                })
            })
            .collect::<Result<_>>()?;
        let options = Options {
            scope: *u.choose(&[Scope::InRoot, Scope::Beneath])?,
            leaf: *u.choose(&[Leaf::Follow, Leaf::AsNamed])?,
            links: *u.choose(&[Links::Follow, Links::Follow, Links::Follow, Links::Refuse])?,
            require: *u.choose(&[Require::Anything, Require::Anything, Require::Directory])?,
            tail: *u.choose(&[Tail::Accept, Tail::Accept, Tail::Accept, Tail::Refuse])?,
            ..Options::default()
        };
        let path = text(u)?;
        let turns = (0..u.int_in_range(0..=3)?)
            .map(|_| turn(u))
            .collect::<Result<_>>()?;
        let runs = *u.choose(&[Runs::Single, Runs::Halved])?;
        Ok(Perturbed {
            entries,
            path,
            options,
            script: Script { turns, runs },
        })
    }
}

fn turn(u: &mut Unstructured<'_>) -> Result<Turn> {
    let name = u.choose(&[&b"a"[..], b"b"])?.to_vec();
    let when = match u.int_in_range(0..=7)? {
        0..6 => When::At(u.int_in_range(0..=15)?),
        6 => When::Asked(name),
        _ => When::Opened(name),
    };
    let what = match u.int_in_range(0..=9)? {
        0 | 1 => Change::Exchange(place(u)?, place(u)?),
        2 | 3 => Change::Rename(place(u)?, place(u)?),
        4 => Change::Rename(place(u)?, outside(u)?),
        5 => Change::Exchange(place(u)?, outside(u)?),
        6 => Change::Remove(place(u)?),
        7 => Change::Link(place(u)?, text(u)?),
        8 => Change::Remake(place(u)?),
        _ => {
            return Ok(Turn {
                when,
                what: What::Fail(*u.choose(&Failure::ALL)?),
            });
        }
    };
    Ok(Turn {
        when,
        what: What::Change(what),
    })
}

/// A place in the root, three names deep at most.
fn place(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut place = b"/ROOT".to_vec();
    for _ in 0..u.int_in_range(1..=3)? {
        place.extend_from_slice(u.choose(&[&b"/a"[..], b"/b"])?);
    }
    Ok(place)
}

/// A place outside; nothing is put into a directory there, so that what lies in one that was moved
/// out had been inside.
fn outside(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(u.choose(&[&b"/a"[..], b"/b", b"/c"])?.to_vec())
}

fn text(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = u.choose(&[&b""[..], b"", b"", b"/"])?.to_vec();
    for _ in 0..u.int_in_range(0..=5)? {
        text.extend_from_slice(u.choose(&[&b"a"[..], b"b", b"..", b"..", b"."])?);
        text.push(b'/');
    }
    if text.len() > 1 && u.ratio(3, 4)? {
        text.pop();
    }
    if text.is_empty() {
        text.push(b'a');
    }
    Ok(text)
}
