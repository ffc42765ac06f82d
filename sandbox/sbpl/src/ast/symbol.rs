//! Symbols: the bare words of a profile.
//!
//! A symbol is printed as it is, so what could be read as anything else is refused when it is
//! made.

use std::fmt;

/// A word that reads back as itself and as nothing else.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Symbol {
    name: Box<str>,
}

impl Symbol {
    /// A symbol: an ASCII letter or one of `*+-_!?<>=/%&$:~^`, then more of those, digits and
    /// dots; but no number.
    ///
    /// # Errors
    ///
    /// [`SymbolError`] if it is anything else.
    pub fn new(name: &str) -> Result<Self, SymbolError> {
        let is_initial =
            |byte: u8| byte.is_ascii_alphabetic() || b"*+-_!?<>=/%&$:~^".contains(&byte);
        let mut bytes = name.bytes();
        let begins_well = bytes.next().is_some_and(is_initial);
        let signed = name.strip_prefix(['+', '-']).unwrap_or(name);
        let is_number = signed.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        if begins_well
            && !is_number
            && bytes.all(|b| is_initial(b) || b.is_ascii_digit() || b == b'.')
        {
            Ok(Self { name: name.into() })
        } else {
            Err(SymbolError { name: name.into() })
        }
    }

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A word that cannot be a symbol.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SymbolError {
    name: Box<str>,
}

impl fmt::Display for SymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` cannot be written as a symbol",
            self.name.escape_debug()
        )
    }
}

impl std::error::Error for SymbolError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_reads_back_as_itself() {
        for name in [
            "file-read*",
            "TIOCSTI",
            "*",
            "-",
            "a.b",
            "AF_UNIX",
            "let*",
            "x2",
        ] {
            assert_eq!(Symbol::new(name).unwrap().as_str(), name);
        }
        for name in [
            "", "a b", "a)", "(a", "\"a\"", "a;b", "'a", "#t", "12", "-1", "+.5", "é", ".", "a\n",
        ] {
            assert!(Symbol::new(name).is_err(), "{name:?}");
        }
    }
}
