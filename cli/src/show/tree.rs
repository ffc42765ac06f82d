//! What grants come to, as people look at it.

use std::fmt;

use objcap::capability::{Access, Clause, Origin, Reach};
use objcap::object::RealPath;

use super::place::{Place, State};
use super::record::{EVERY, Record, UNRESTRICTED};
use crate::json::Text;
use crate::style::{Colour, Style};

/// The tree, and what is no place.
pub(super) struct Tree<'a> {
    pub(super) places: &'a [Place<'a>],
    pub(super) rest: &'a Record<'a>,
    pub(super) why: bool,
    pub(super) all: bool,
    pub(super) colour: Colour,
}

/// A line of the tree.
struct Line<'a> {
    place: &'a Place<'a>,
    /// How many lines stand above it, each one a folder of the next.
    above: Vec<usize>,
    label: String,
}

/// Beyond this many columns the words are no longer aligned.
const ALIGNED: usize = 56;

impl<'a> Tree<'a> {
    /// The places where something changes, each below the last one that holds for it.
    fn lines(&self) -> Vec<Line<'a>> {
        let mut lines: Vec<Line<'a>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for place in self.places {
            let holds = |line: &usize| {
                let line = lines.get(*line).map(|line| line.place);
                line.is_some_and(|line| place.real.is_within(&line.real))
            };
            while open.last().is_some_and(|line| !holds(line)) {
                open.pop();
            }
            let above = open.last().and_then(|line| lines.get(*line));
            let state = above.map_or(State::SILENCE, |line| line.place.state);
            if !self.changes(place, state) {
                continue;
            }
            let label = label(&place.real, above.map(|line| &line.place.real));
            lines.push(Line {
                place,
                above: open.clone(),
                label,
            });
            if place.reach == Reach::Below {
                open.push(lines.len() - 1);
            }
        }
        lines
    }

    fn changes(&self, place: &Place<'_>, above: State) -> bool {
        if place.is_needed() && !self.all {
            // Of what no author wrote, only what takes from a clause is worth a line.
            return place.state.denied.contains(Access::WRITE) && above.may.contains(Access::WRITE);
        }
        place.state != above
    }

    fn words(&self, place: &Place<'_>) -> String {
        let State {
            may,
            denied,
            vetoed,
        } = place.state;
        let paint = |style, word: &str| self.colour.paint(style, word).to_string();
        let mut words = Vec::new();
        if denied.contains(Access::READ) {
            words.push(paint(Style::Refused, "excluded"));
        } else {
            if may.contains(Access::WRITE) {
                words.push(paint(Style::Write, "write"));
            } else if may.contains(Access::READ) {
                words.push(paint(Style::Read, "read"));
            }
            if may.contains(Access::EXEC) {
                words.push(paint(Style::Run, "run"));
            }
            if denied.contains(Access::WRITE) {
                words.push(paint(Style::Kept, "protected"));
            }
            if denied.contains(Access::EXEC) {
                words.push(paint(Style::Refused, "not run"));
            }
            if vetoed {
                words.push(paint(Style::Refused, "vetoed"));
            }
            if words.is_empty() {
                words.push(paint(Style::Refused, "nothing"));
            }
            if place.reach == Reach::Alone {
                words.push("alone".to_owned());
            }
        }
        words.join(", ")
    }

    fn reasons<'c>(&self, clauses: impl IntoIterator<Item = &'c Clause>) -> String {
        if !self.why {
            return String::new();
        }
        let clauses = clauses.into_iter().map(|clause| match clause.origin() {
            Origin::File(position) => format!("{clause} ({position})"),
            Origin::Host => format!("{clause}, by the host"),
            _ => clause.to_string(),
        });
        let clauses: Vec<_> = clauses.collect();
        format!("  {}", self.colour.paint(Style::Aside, clauses.join("; ")))
    }
}

/// The part of a path below another, or all of it.
fn label(real: &RealPath, above: Option<&RealPath>) -> String {
    let below = above.and_then(|above| real.below(above));
    Text(below.unwrap_or(real.as_bytes())).to_string()
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        // Whether another line of the same folder follows, from the last line up.
        let mut last = vec![true; lines.len()];
        let mut followed: Vec<Option<usize>> = Vec::new();
        for (number, line) in lines.iter().enumerate().rev() {
            let depth = line.above.len();
            followed.resize(depth + 1, None);
            if let (Some(last), Some(seen)) = (last.get_mut(number), followed.get_mut(depth)) {
                *last = seen.is_none();
                *seen = Some(number);
            }
        }
        let is_last = |number: &usize| last.get(*number).copied().unwrap_or(true);
        let mut drawn = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let mut stem = String::new();
            for above in line.above.iter().skip(1) {
                stem.push_str(if is_last(above) { "   " } else { "│  " });
            }
            if !line.above.is_empty() {
                stem.push_str(if is_last(&number) {
                    "└─ "
                } else {
                    "├─ "
                });
            }
            let columns = stem.chars().count() + line.label.chars().count();
            drawn.push((stem, columns));
        }
        let widths = drawn.iter().map(|(_, columns)| *columns);
        let width = widths.filter(|columns| *columns <= ALIGNED).max();
        let width = width.unwrap_or(0);
        for (line, (stem, columns)) in lines.iter().zip(drawn) {
            let stem = self.colour.paint(Style::Aside, stem);
            let gap = width.saturating_sub(columns) + 2;
            let words = self.words(line.place);
            let why = self.reasons(line.place.clauses.iter().copied());
            writeln!(f, "{stem}{}{:gap$}{words}{why}", line.label, "")?;
        }
        if !lines.is_empty() {
            writeln!(f)?;
        }
        self.rest(f)
    }
}

impl Tree<'_> {
    /// What is no place.
    fn rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.rest;
        let aside = |text| self.colour.paint(Style::Aside, text);
        let files = match rest.files {
            UNRESTRICTED => "unrestricted: everything may be read and written",
            _ => "what the tree says, and nothing else",
        };
        writeln!(f, "files     {files}")?;
        let programs = match (rest.programs, rest.files) {
            (UNRESTRICTED, UNRESTRICTED) => "unrestricted: everything may be run",
            (UNRESTRICTED, _) => "unrestricted: whatever may be read may be run",
            (EVERY, _) => "whatever may be read, but for what the tree says",
            _ => "what the tree says, and nothing else",
        };
        writeln!(f, "programs  {programs}")?;
        writeln!(f, "network   {}", rest.network)?;
        for socket in &rest.sockets {
            writeln!(
                f,
                "socket    {}{}",
                socket.name,
                self.reasons([socket.clause])
            )?;
        }
        for veto in &rest.vetoes {
            let why = self.reasons([veto.clause]);
            writeln!(f, "veto      {}{why}", veto.name)?;
        }
        for only in &rest.only {
            let words: Vec<_> = only.words.iter().map(ToString::to_string).collect();
            let why = self.reasons([only.program.clause]);
            let words = words.join(", ");
            writeln!(f, "only      {}: {words}{why}", only.program.name)?;
        }
        if self.all {
            return Ok(());
        }
        for (word, access) in [("read", Access::READ), ("write", Access::WRITE)] {
            // A file of the program's own is nobody's need.
            let needed = self.places.iter().filter(|place| {
                let State { may, denied, .. } = place.state;
                let most = access == Access::WRITE || !may.contains(Access::WRITE);
                place.is_needed() && may.contains(access) && most && denied.is_empty()
            });
            let names: Vec<_> = needed
                .map(|place| Text(place.real.as_bytes()).to_string())
                .collect();
            if !names.is_empty() {
                let text = format!("needed    every program may {word} {}", names.join(", "));
                writeln!(f, "{}", aside(text))?;
            }
        }
        Ok(())
    }
}
