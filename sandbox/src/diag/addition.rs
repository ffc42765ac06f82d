//! A part of a grant that is missing, in the grant's own words.

use std::fmt::{self, Write as _};

/// What to add to a grant: to which of the layers, in which table, under which key, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    pub(super) layer: usize,
    pub(super) title: String,
    pub(super) setting: Setting,
    pub(super) surface: String,
}

/// A key of a grant to which something is added, or which is set.
// Exhaustive: whoever writes a grant must know each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// `read` of `[fs]`.
    Read,
    /// `write` of `[fs]`.
    Write,
    /// `allow` of `[exec]`.
    Allow,
    /// `sockets` of `[net]`.
    Sockets,
    /// `access` of `[net]`, which has one value and not a list.
    Access,
}

impl Setting {
    /// The table.
    pub const fn table(self) -> &'static str {
        match self {
            Setting::Read | Setting::Write => "fs",
            Setting::Allow => "exec",
            Setting::Sockets | Setting::Access => "net",
        }
    }

    /// The key in it.
    pub const fn key(self) -> &'static str {
        match self {
            Setting::Read => "read",
            Setting::Write => "write",
            Setting::Allow => "allow",
            Setting::Sockets => "sockets",
            Setting::Access => "access",
        }
    }
}

impl Addition {
    /// The number of the layer, from 0.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// What is added to.
    pub fn setting(&self) -> Setting {
        self.setting
    }

    /// What is added, as a clause's surface: `~/notes`, or `open`.
    pub fn surface(&self) -> &str {
        &self.surface
    }

    /// The same as a string of TOML.
    pub fn toml(&self) -> String {
        let mut text = String::from("\"");
        for c in self.surface.chars() {
            match c {
                '"' | '\\' => text.extend(['\\', c]),
                // What a terminal would obey has an escape, too.
                c if c.is_control() || is_hidden(c) => {
                    // Writing to a string does not fail.
                    let _ = write!(text, "\\U{:08X}", u32::from(c));
                }
                c => text.push(c),
            }
        }
        text.push('"');
        text
    }
}

/// Whether a terminal shows what follows otherwise for it, or not at all.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// As a line of TOML with its table in front, and the layer where there are several.
impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (table, key, value) = (self.setting.table(), self.setting.key(), self.toml());
        write!(f, "[{table}] {key} = ")?;
        match self.setting {
            Setting::Access => write!(f, "{value}")?,
            _ => write!(f, "[{value}]")?,
        }
        match self.title.as_str() {
            "" => Ok(()),
            // A layer is called ` of …`.
            title => write!(f, " (in the grant{title})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_string_of_toml_that_a_terminal_shows() {
        let of = |surface: &str| Addition {
            layer: 0,
            title: String::new(),
            setting: Setting::Read,
            surface: surface.into(),
        };
        assert_eq!(of("~/x y").to_string(), r#"[fs] read = ["~/x y"]"#);
        let odd = of("/a\"b\\c\u{1b}\u{202e}é");
        assert_eq!(odd.toml(), r#""/a\"b\\c\U0000001B\U0000202Eé""#);
        let open = Addition {
            setting: Setting::Access,
            title: " of layer 2".into(),
            ..of("open")
        };
        assert_eq!(
            open.to_string(),
            r#"[net] access = "open" (in the grant of layer 2)"#
        );
    }
}
