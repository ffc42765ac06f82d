//! A profile's text with comments that say, rule by rule and filter by filter, why it is there.

use std::fmt::{self, Display};

use crate::{Line, Profile, Why};

impl Profile {
    /// The text with comments: a title for each section, and for each rule, or each of its filters, the clause or
    /// the reason it comes from. It reads as the same profile.
    pub fn annotated(&self) -> impl Display + '_ {
        Annotated(self)
    }
}

struct Annotated<'a>(&'a Profile);

impl Display for Annotated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What stands before the first rule is the same for every profile.
        f.write_str("(version 1)\n")?;
        for (section, lines) in self.0.sections().filter(|(_, lines)| !lines.is_empty()) {
            writeln!(f, "\n;; {}", section.title())?;
            for line in lines {
                annotate(line, f)?;
            }
        }
        Ok(())
    }
}

fn annotate(line: &Line, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = format!("{:#}", line.rule());
    let filters = line.rule().filters().len();
    let each: Vec<&Why> = (0..filters).filter_map(|at| line.why(Some(at))).collect();
    let is_apart = text.lines().count() > filters && filters > 1;
    if !is_apart || line.whys().count() == 1 {
        for why in line.whys() {
            comment("", why, f)?;
        }
        return writeln!(f, "{text}");
    }
    // The head, then a line for each filter, and the modifiers after them.
    for (number, part) in text.lines().enumerate() {
        let why = number.checked_sub(1).and_then(|filter| each.get(filter));
        match why {
            Some(why) => comment(part, why, f)?,
            None => writeln!(f, "{part}")?,
        }
    }
    Ok(())
}

/// A comment, behind a part of the text or on a line of its own. It ends with its line, whatever a name in it
/// holds.
fn comment(behind: &str, why: &Why, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let why = why.to_string().replace(char::is_control, "?");
    match behind {
        "" => writeln!(f, "; {why}"),
        part => writeln!(f, "{part} ; {why}"),
    }
}
