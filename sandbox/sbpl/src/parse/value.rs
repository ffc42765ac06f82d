//! Texts, numbers and symbols: what filters take.

use super::Reader;
use crate::ast::{MAX_TEXT, Symbol, TextErrorKind, Value};
use crate::diagnostic::DiagnosticKind;
use crate::syntax::{Escapes, Node, NodeKind, unquote};

impl Reader<'_> {
    /// The bytes of a string or of a parameter; `None`, with a remark, if the parameter is not
    /// defined, and without one for anything else.
    pub(super) fn text(&mut self, node: Node<'_>) -> Option<Vec<u8>> {
        match node.kind() {
            NodeKind::String => {
                let bytes = self.string(node);
                self.check_text(&bytes, node);
                Some(bytes)
            }
            NodeKind::List if self.head(node) == Some("param") => {
                let arguments: Vec<_> = node.children().skip(1).take(2).collect();
                let &[name] = arguments.as_slice() else {
                    return None;
                };
                if name.kind() != NodeKind::String {
                    return None;
                }
                let name = self.string(name);
                let Some(value) = self.parameters.get(&name).cloned() else {
                    let name = String::from_utf8_lossy(&name).into();
                    self.report(DiagnosticKind::UndefinedParameter(name), node.span());
                    return None;
                };
                self.check_text(&value, node);
                Some(value)
            }
            _ => None,
        }
    }

    fn string(&mut self, node: Node<'_>) -> Vec<u8> {
        let (bytes, escapes) = unquote(self.bytes(node.span()));
        if escapes == Escapes::Unknown {
            self.report(DiagnosticKind::UnknownEscape, node.span());
        }
        bytes
    }

    fn check_text(&mut self, bytes: &[u8], node: Node<'_>) {
        if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
            self.report(DiagnosticKind::Text(TextErrorKind::Nul { at }), node.span());
        }
        let length = bytes.len();
        if length > MAX_TEXT {
            self.report(
                DiagnosticKind::Text(TextErrorKind::TooLong { length }),
                node.span(),
            );
        }
    }

    /// A number in decimal, or `#o…`, `#x…`, `#b…`, `#d…`.
    pub(super) fn number(&self, node: Node<'_>) -> Option<u64> {
        let word = self.word(node)?;
        let (digits, radix) = match word.get(..2) {
            Some("#o") => (word.get(2..)?, 8),
            Some("#x") => (word.get(2..)?, 16),
            Some("#b") => (word.get(2..)?, 2),
            Some("#d") => (word.get(2..)?, 10),
            _ => (word, 10),
        };
        // A sign alone would pass `from_str_radix`.
        let unsigned = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        u64::from_str_radix(digits, radix).ok().filter(|_| unsigned)
    }

    pub(super) fn value(&self, node: Node<'_>) -> Option<Value> {
        if let Some(number) = self.number(node) {
            return Some(Value::Number(number));
        }
        Symbol::new(self.word(node)?).ok().map(Value::Symbol)
    }
}
