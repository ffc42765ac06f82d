//! Colour: on a terminal that is not told otherwise, and nowhere else.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};

/// What a piece of text is, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// What stands behind the rest.
    Aside,
    Read,
    Write,
    Run,
    Refused,
    Kept,
}

/// Whether there is colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    On,
    Off,
}

impl Colour {
    /// As stdout takes it: on a terminal, unless `NO_COLOR` is set and not empty (no-color.org) or
    /// `TERM` is `dumb`.
    pub(crate) fn of_stdout() -> Self {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|term| term == "dumb");
        match io::stdout().is_terminal() && !refused {
            true => Colour::On,
            false => Colour::Off,
        }
    }

    /// The text in its style.
    pub(crate) fn paint<T: fmt::Display>(self, style: Style, text: T) -> impl fmt::Display {
        Painted {
            colour: self,
            style,
            text,
        }
    }
}

struct Painted<T> {
    colour: Colour,
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.colour == Colour::Off {
            return self.text.fmt(f);
        }
        // ECMA-48, "select graphic rendition": the terminal's own colours, whatever they are.
        let code = match self.style {
            Style::Aside => "2",
            Style::Read => "34",
            Style::Write => "32",
            Style::Run => "36",
            Style::Refused => "31",
            Style::Kept => "35",
        };
        write!(f, "\u{1b}[{code}m{}\u{1b}[0m", self.text)
    }
}
