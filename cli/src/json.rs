//! Names in output: JSON has no text that is not UTF-8, and a terminal obeys some that is. The records themselves are structs that derive
//! `Serialize`, so that their keys stand in the documented order.

use std::fmt;

use objcap::walk::path;
use serde::{Serialize, Serializer};

/// A name as bytes: a string, or an array of byte values where it is not UTF-8.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(self.0),
        }
    }
}

/// For people: what a terminal would obey is an escape.
impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        path::display(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_string_or_its_byte_values() {
        for (name, want) in [
            (&b""[..], r#""""#),
            (b"/h\xc3\xa9\n", r#""/hé\n""#),
            (b"a\xff", "[97,255]"),
        ] {
            assert_eq!(serde_json::to_string(&Text(name)).unwrap(), want);
        }
    }
}
