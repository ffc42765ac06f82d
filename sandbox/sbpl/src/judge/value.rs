//! Numbers and the symbols that macOS headers give them.

use super::answer::Answer;
use crate::ast::{Quantity, Symbol, Value};

/// Symbols with their values, from `<sys/ttycom.h>`, `<sys/filio.h>`, `<sys/socket.h>` and
/// `<sys/signal.h>` of macOS.
const SYMBOLS: &[(&str, u64)] = &[
    ("AF_INET", 2),
    ("AF_INET6", 30),
    ("AF_ROUTE", 17),
    ("AF_SYSTEM", 32),
    ("AF_UNIX", 1),
    ("FIOCLEX", 0x2000_6601),
    ("FIONBIO", 0x8004_667e),
    ("FIONREAD", 0x4004_667f),
    ("SIGHUP", 1),
    ("SIGINT", 2),
    ("SIGKILL", 9),
    ("SIGTERM", 15),
    ("SOCK_DGRAM", 2),
    ("SOCK_RAW", 3),
    ("SOCK_STREAM", 1),
    ("TIOCGETA", 0x4048_7413),
    ("TIOCGPGRP", 0x4004_7477),
    ("TIOCGWINSZ", 0x4008_7468),
    ("TIOCSCTTY", 0x2000_7461),
    ("TIOCSETA", 0x8048_7414),
    ("TIOCSETAF", 0x8048_7416),
    ("TIOCSETAW", 0x8048_7415),
    ("TIOCSPGRP", 0x8004_7476),
    ("TIOCSTI", 0x8001_7472),
    ("TIOCSWINSZ", 0x8008_7467),
];

/// Whether a filter's value means the one that a request states.
pub(super) fn is_same(quantity: Quantity, filter: &Value, stated: &Value) -> Answer {
    if filter == stated {
        return Answer::Yes;
    }
    let (Some(filter), Some(stated)) = (number(filter), number(stated)) else {
        return Answer::Unknown;
    };
    match quantity {
        // Only the low 16 bits are compared (docs/seatbelt.md, section 5).
        Quantity::IoctlCommand => (filter & 0xffff == stated & 0xffff).into(),
        _ => (filter == stated).into(),
    }
}

fn number(value: &Value) -> Option<u64> {
    let named = |symbol: &Symbol| {
        SYMBOLS
            .iter()
            .find(|(name, _)| *name == symbol.as_str())
            .map(|&(_, number)| number)
    };
    match value {
        Value::Number(number) => Some(*number),
        Value::Symbol(symbol) => named(symbol),
    }
}

#[cfg(test)]
mod tests {
    use super::Answer::{No, Unknown, Yes};
    use super::*;

    #[test]
    fn symbols_and_numbers_meet() {
        let symbol = |name| Value::Symbol(Symbol::new(name).unwrap());
        let ioctl = |filter, stated| is_same(Quantity::IoctlCommand, &filter, &stated);
        assert_eq!(ioctl(symbol("TIOCSTI"), symbol("TIOCSTI")), Yes);
        assert_eq!(ioctl(symbol("TIOCSTI"), Value::Number(0x8001_7472)), Yes);
        assert_eq!(
            ioctl(Value::Number(0x7472), symbol("TIOCSTI")),
            Yes,
            "the low 16 bits"
        );
        assert_eq!(ioctl(symbol("TIOCSTI"), symbol("TIOCGWINSZ")), No);
        assert_eq!(ioctl(symbol("TIOCSTI"), symbol("TIOCOTHER")), Unknown);
        let domain = |filter, stated| is_same(Quantity::SocketDomain, &filter, &stated);
        assert_eq!(domain(symbol("AF_SYSTEM"), Value::Number(32)), Yes);
        assert_eq!(domain(Value::Number(0x1_0001), Value::Number(1)), No);
    }
}
