//! Reading a grant from TOML: every table and key is a row, and anything without a row is refused where it
//! stands.
//!
//! It does not open files, and it decides nothing about a clause's text: that is the clause's own matter.

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Range;
use std::str;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::position::Text;
use super::{Clause, Exec, Fs, Grant, List, Net, NetAccess, Only, Origin, Position};
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

/// A key, and how its value becomes part of a `T`.
type Row<T> = (
    &'static str,
    fn(&Reader<'_>, &Value<'_>, &mut T) -> Result<(), Error>,
);
type Value<'a> = Spanned<DeValue<'a>>;

const GRANT: &[Row<Grant>] = &[
    ("fs", |reader, value, grant| {
        let mut fs = Fs {
            clauses: Vec::new(),
        };
        reader.read_table("`[fs]`", reader.table(value)?, FS, &mut fs)?;
        grant.fs = Some(fs);
        Ok(())
    }),
    ("exec", |reader, value, grant| {
        let mut exec = Exec::default();
        reader.read_table("`[exec]`", reader.table(value)?, EXEC, &mut exec)?;
        grant.exec = Some(exec);
        Ok(())
    }),
    ("net", |reader, value, grant| {
        // An empty table refuses everything in it.
        let mut net = Net {
            access: NetAccess::Offline,
            origin: reader.origin(value.span()),
            sockets: Vec::new(),
        };
        reader.read_table("`[net]`", reader.table(value)?, NET, &mut net)?;
        grant.net = Some(net);
        Ok(())
    }),
];

const FS: &[Row<Fs>] = &[
    ("read", |reader, value, fs| {
        reader.clauses(List::Read, value, &mut fs.clauses)
    }),
    ("write", |reader, value, fs| {
        reader.clauses(List::Write, value, &mut fs.clauses)
    }),
    ("exclude", |reader, value, fs| {
        reader.clauses(List::Exclude, value, &mut fs.clauses)
    }),
    ("protect", |reader, value, fs| {
        reader.clauses(List::Protect, value, &mut fs.clauses)
    }),
];

const EXEC: &[Row<Exec>] = &[
    ("allow", |reader, value, exec| {
        reader.clauses(List::Allow, value, &mut exec.clauses)
    }),
    ("exclude", |reader, value, exec| {
        reader.clauses(List::ExecExclude, value, &mut exec.clauses)
    }),
    ("veto", |reader, value, exec| {
        reader.clauses(List::Veto, value, &mut exec.clauses)
    }),
    ("only", |reader, value, exec| {
        for (program, words) in reader.entries(reader.table(value)?) {
            let origin = reader.origin(program.span());
            let surface = program.get_ref().as_ref();
            let clause = Clause::new(List::Only, OsString::from(surface), origin, reader.vars)?;
            let words = reader.strings(words)?;
            let words = words.map(|word| word.map(|(word, _)| word.into()));
            let words = words.collect::<Result<_, _>>()?;
            exec.only.push(Only { clause, words });
        }
        Ok(())
    }),
];

const NET: &[Row<Net>] = &[
    ("access", |reader, value, net| {
        let word = reader.string(value, "a string")?;
        let Some(access) = NetAccess::ALL
            .into_iter()
            .find(|access| access.name() == word)
        else {
            let known = NetAccess::ALL.map(NetAccess::name);
            let message = format!(
                "unknown access {}{}",
                quoted(word),
                suggestion(word, &known)
            );
            return Err(reader.fault(ErrorKind::UnknownValue, message, value.span()));
        };
        net.access = access;
        net.origin = reader.origin(value.span());
        Ok(())
    }),
    ("sockets", |reader, value, net| {
        reader.clauses(List::Socket, value, &mut net.sockets)
    }),
];

struct Reader<'a> {
    text: Arc<Text>,
    vars: &'a Vars,
}

impl Reader<'_> {
    /// Hands each entry to its row, in the order written, so that the first mistake is the one reported.
    fn read_table<T>(
        &self,
        what: &str,
        table: &DeTable<'_>,
        rows: &[Row<T>],
        into: &mut T,
    ) -> Result<(), Error> {
        for (key, value) in self.entries(table) {
            let name = key.get_ref();
            let Some((_, read)) = rows.iter().find(|(known, _)| known == name) else {
                let known: Vec<&str> = rows.iter().map(|(known, _)| *known).collect();
                let message = format!(
                    "unknown key {} in {what}{}",
                    quoted(name),
                    suggestion(name, &known)
                );
                return Err(self.fault(ErrorKind::UnknownKey, message, key.span()));
            };
            read(self, value, into)?;
        }
        Ok(())
    }

    /// The entries of a table, in the order written.
    fn entries<'v, 'a>(
        &self,
        table: &'v DeTable<'a>,
    ) -> Vec<(&'v Spanned<Cow<'a, str>>, &'v Value<'a>)> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    fn clauses(&self, list: List, value: &Value<'_>, into: &mut Vec<Clause>) -> Result<(), Error> {
        for surface in self.strings(value)? {
            let (surface, span) = surface?;
            let origin = self.origin(span);
            into.push(Clause::new(list, surface.into(), origin, self.vars)?);
        }
        Ok(())
    }

    /// The strings of a list, each with where it stands.
    fn strings<'v>(
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

    fn table<'v, 'a>(&self, value: &'v Value<'a>) -> Result<&'v DeTable<'a>, Error> {
        value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.mistyped(value, "a table"))
    }

    fn string<'v>(&self, value: &'v Value<'_>, expected: &str) -> Result<&'v str, Error> {
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

    fn fault(&self, kind: ErrorKind, message: String, span: Range<usize>) -> Error {
        Fault::new(kind, message).at(self.origin(span))
    }

    fn origin(&self, span: Range<usize>) -> Origin {
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
fn suggestion(word: &str, known: &[&str]) -> String {
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
