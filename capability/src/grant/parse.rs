//! Reading a grant from TOML: every table and key is a row of `keys`, and anything without a row is refused
//! where it stands.
//!
//! It does not open files, and it decides nothing about a clause's text: that is the clause's own matter.

use std::borrow::Cow;
use std::ops::Range;
use std::str;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{GRANT, Row};
use super::position::Text;
use super::{Clause, Grant, List, Origin, Position};
use crate::Vars;
use crate::error::{Error, ErrorKind, Fault, listed, printable, quoted};

impl Grant {
    /// Reads a grant. `name` is what errors call the file; nothing is opened.
    ///
    /// ```
    /// use objcap_capability::{Grant, List, Vars};
    ///
    /// let vars = Vars { home: Some("/home/me".into()), ..Vars::default() };
    /// let grant = Grant::parse("grant.toml", b"[fs]\nread = [\"~/src\"]", &vars)?;
    /// let clause = grant.fs().and_then(|fs| fs.list(List::Read).next());
    /// assert_eq!(clause.and_then(|clause| clause.path()), Some("/home/me/src".as_ref()));
    ///
    /// let error = Grant::parse("grant.toml", b"fs.raed = []", &vars).unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(1), Some(4)));
    /// # Ok::<(), objcap_capability::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first mistake, with its line and column: text that is not UTF-8 or not TOML, a table or key that
    /// grants do not have, a value of the wrong type, and a clause that is empty, relative, holds a NUL, or
    /// starts with a variable that is unknown or unset.
    pub fn parse(name: &str, bytes: &[u8], vars: &Vars) -> Result<Grant, Error> {
        let text = decode(name, bytes)?;
        let reader = Reader {
            text: Arc::new(Text::new(name, text)),
            vars,
        };
        let table = DeTable::parse(text).map_err(|error| {
            let message: String = error.message().chars().map(printable).collect();
            let message = format!("not valid TOML: {message}");
            let place = Position::new(&reader.text, error.span());
            Fault::new(ErrorKind::Syntax, message).at(Origin::File(place))
        })?;
        let mut grant = Grant {
            file: Some(name.into()),
            fs: None,
            exec: None,
            net: None,
            own: Vec::new(),
        };
        reader.read_table("a grant", table.get_ref(), GRANT, &mut grant)?;
        Ok(grant)
    }
}

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A text that is being read.
pub(super) struct Reader<'a> {
    text: Arc<Text>,
    vars: &'a Vars,
}

impl Reader<'_> {
    /// Hands each entry to its row, in the order written, so that the first mistake is the one reported.
    pub(super) fn read_table<T>(
        &self,
        what: &str,
        table: &DeTable<'_>,
        rows: &[Row<T>],
        into: &mut T,
    ) -> Result<(), Error> {
        for (key, value) in self.entries(table) {
            let name = key.get_ref();
            let Some(row) = rows.iter().find(|row| row.key == name.as_ref()) else {
                let known: Vec<&str> = rows.iter().map(|row| row.key).collect();
                let message = format!(
                    "unknown key {} in {what}{}",
                    quoted(name),
                    suggestion(name, &known)
                );
                return Err(self.fault(ErrorKind::UnknownKey, message, key.span()));
            };
            (row.read)(self, value, into)?;
        }
        Ok(())
    }

    /// The entries of a table, in the order written.
    pub(super) fn entries<'v, 'a>(
        &self,
        table: &'v DeTable<'a>,
    ) -> Vec<(&'v Spanned<Cow<'a, str>>, &'v Value<'a>)> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    pub(super) fn clause(
        &self,
        list: List,
        surface: &str,
        span: Range<usize>,
    ) -> Result<Clause, Error> {
        Clause::new(list, surface.into(), self.origin(span), self.vars)
    }

    pub(super) fn clauses(
        &self,
        list: List,
        value: &Value<'_>,
        into: &mut Vec<Clause>,
    ) -> Result<(), Error> {
        for surface in self.strings(value)? {
            let (surface, span) = surface?;
            into.push(self.clause(list, surface, span)?);
        }
        Ok(())
    }

    /// The strings of a list, each with where it stands.
    pub(super) fn strings<'v>(
        &'v self,
        value: &'v Value<'_>,
    ) -> Result<impl Iterator<Item = Result<(&'v str, Range<usize>), Error>>, Error> {
        let expected = "a list of strings";
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.mistyped(value, expected));
        };
        Ok(items.iter().map(move |item| {
            let text = self.string(item, expected)?;
            Ok((text, item.span()))
        }))
    }

    pub(super) fn table<'v, 'a>(&self, value: &'v Value<'a>) -> Result<&'v DeTable<'a>, Error> {
        value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.mistyped(value, "a table"))
    }

    pub(super) fn string<'v>(
        &self,
        value: &'v Value<'_>,
        expected: &str,
    ) -> Result<&'v str, Error> {
        value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.mistyped(value, expected))
    }

    fn mistyped(&self, value: &Value<'_>, expected: &str) -> Error {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.fault(
            ErrorKind::Type,
            format!("expected {expected}, found {found}"),
            value.span(),
        )
    }

    pub(super) fn fault(&self, kind: ErrorKind, message: String, span: Range<usize>) -> Error {
        Fault::new(kind, message).at(self.origin(span))
    }

    pub(super) fn origin(&self, span: Range<usize>) -> Origin {
        Origin::File(Position::new(&self.text, Some(span)))
    }
}

/// The text, without its byte order mark.
fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Error> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        // What precedes the bad byte is left as it is, so its offset is the same in the lossy text.
        let at = error.valid_up_to();
        let bad = bytes.get(at).copied().unwrap_or_default();
        let lossy = String::from_utf8_lossy(bytes);
        let place = Position::new(&Arc::new(Text::new(name, &lossy)), Some(at..at + 1));
        Fault::new(
            ErrorKind::Encoding,
            format!("the text is not UTF-8: byte 0x{bad:02x}"),
        )
        .at(Origin::File(place))
        .with_source(error)
    })
}

/// The rest of a message about an unknown word: the one that was perhaps meant, and all that are known.
pub(super) fn suggestion(word: &str, known: &[&str]) -> String {
    let listed = listed(known.iter().copied());
    // Two slips, but in a short word one: any two-letter word is two edits from any other.
    let near = |(edits, name): &(usize, &&str)| *edits <= (name.len() / 2).min(2);
    match known
        .iter()
        .map(|name| (edits(word, name), name))
        .filter(near)
        .min()
    {
        Some((_, name)) => format!(", did you mean {}? known are {listed}", quoted(name)),
        None => format!("; known are {listed}"),
    }
}

/// How many characters must be put in, taken out or replaced to make one word of the other; a word much
/// longer than the known one is not looked at.
fn edits(word: &str, known: &str) -> usize {
    if word.len() > 2 * known.len() {
        return usize::MAX;
    }
    let known: Vec<char> = known.chars().collect();
    // The cost of each prefix of `known`, for the prefix of `word` read so far.
    let mut costs: Vec<usize> = (0..=known.len()).collect();
    for (read, c) in word.chars().enumerate() {
        let mut diagonal = read;
        let mut left = read + 1;
        let mut next = vec![left];
        for (above, k) in costs.iter().skip(1).zip(&known) {
            left = (diagonal + usize::from(c != *k))
                .min(left + 1)
                .min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        costs = next;
    }
    costs.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances() {
        let table = [
            ("read", "read", 0),
            ("raed", "read", 2),
            ("reads", "read", 1),
            ("rad", "read", 1),
            ("", "fs", 2),
            ("exec", "fs", 4),
            ("kitten", "sitting", 3),
            ("abcdefghi", "abcd", usize::MAX),
        ];
        for (word, known, expected) in table {
            assert_eq!(edits(word, known), expected, "{word} {known}");
        }
    }
}
