//! Numbers, truth values, and words that stand for themselves.

use super::value::Value;
use crate::ast::{Protocol, Target, VnodeType};

/// The value of a word that is a number in decimal or `#o…`, `#x…`, `#b…`, `#d…`, or `#t` or `#f`.
pub(super) fn literal<'f>(word: &str) -> Option<Value<'f>> {
    match word.as_bytes() {
        [b'#', b't'] => Some(Value::Bool(true)),
        [b'#', b'f'] => Some(Value::Bool(false)),
        [b'#', radix, ..] => {
            let radix = match radix {
                b'o' => 8,
                b'x' => 16,
                b'b' => 2,
                b'd' => 10,
                _ => return None,
            };
            number(word.get(2..)?, radix)
        }
        [b'0'..=b'9', ..] => number(word, 10),
        [b'-' | b'+', b'0'..=b'9', ..] => number(word, 10),
        _ => None,
    }
}

fn number<'f>(digits: &str, radix: u32) -> Option<Value<'f>> {
    let number = i128::from_str_radix(digits, radix).ok()?;
    // What is kept in profiles has 64 bits; so there is room for sums.
    (number.unsigned_abs() <= u128::from(u64::MAX)).then_some(Value::Number(number))
}

/// Whether a word that nothing defines is a constant: those of the tables, and, assumed, names
/// in capitals such as headers have.
pub(super) fn is_vocabulary(word: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    VnodeType::from_name(word).is_some()
        || Target::from_name(word).is_some()
        || Protocol::from_name(word).is_some()
        || matches!(word, "unix-socket" | "unix")
        || (word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.bytes().all(is_capital))
        || (word.starts_with("SYS_") || word.starts_with("MSC_"))
}
