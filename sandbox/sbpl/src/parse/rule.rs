//! Rules: an action, operations, filters, modifiers.
//!
//! A rule without an operation that can be named is no rule; it is kept as it stands. In every
//! other case a rule comes out.

use super::Reader;
use crate::ast::{Action, Modifier, Operation, Rule, Text};
use crate::diagnostic::DiagnosticKind;
use crate::span::Located;
use crate::syntax::{Node, NodeKind};

impl Reader<'_> {
    pub(super) fn rule(&mut self, node: Node<'_>) {
        let action = match self.head(node) {
            Some("allow") => Action::Allow,
            _ => Action::Deny,
        };
        let mut operations = Vec::new();
        let mut filters = Vec::new();
        let mut modifiers = Vec::new();
        for argument in node.children().skip(1) {
            match (argument.kind(), self.head(argument)) {
                (NodeKind::Atom, _) => match self.operation(argument) {
                    Some(operation) => operations.push(operation),
                    None => return self.keep(node),
                },
                (_, Some("with")) => self.modifiers(argument, &mut modifiers),
                _ => filters.extend(self.alternatives(argument, 0)),
            }
        }

        let mut operations = operations.into_iter();
        let Some(first) = operations.next() else {
            self.report(DiagnosticKind::NoOperation, node.span());
            return self.keep(node);
        };
        let mut rule = Rule::parsed(action, first);
        rule.set_span(node.span());
        operations.for_each(|operation| rule.push_operation(operation));
        filters
            .into_iter()
            .for_each(|filter| rule.push_filter(filter));
        modifiers
            .into_iter()
            .for_each(|modifier| rule.push_modifier(modifier));
        self.profile.push(rule);
    }

    fn operation(&mut self, node: Node<'_>) -> Option<Located<Operation>> {
        let operation = self
            .word(node)
            .and_then(|name| Operation::from_name(name).ok());
        match &operation {
            None => self.report(DiagnosticKind::BadOperation, node.span()),
            Some(operation) if !operation.is_known() => {
                self.report(
                    DiagnosticKind::UnknownOperation(operation.name().into()),
                    node.span(),
                );
            }
            Some(_) => {}
        }
        Some(Located::at(operation?, node.span()))
    }

    /// `(with report no-log message "…")`: each modifier by itself, or the whole as it stands.
    fn modifiers(&mut self, node: Node<'_>, modifiers: &mut Vec<Located<Modifier>>) {
        let mut known = Vec::new();
        let mut arguments = node.children().skip(1);
        while let Some(argument) = arguments.next() {
            let modifier = match self.word(argument) {
                Some("report") => Some(Modifier::Report),
                Some("no-report") => Some(Modifier::NoReport),
                Some("no-log") => Some(Modifier::NoLog),
                Some("message") => self.message(arguments.next()),
                _ => None,
            };
            match modifier {
                Some(modifier) => known.push(Located::at(modifier, argument.span())),
                None => {
                    known.clear();
                    break;
                }
            }
        }
        if known.is_empty() {
            self.report(DiagnosticKind::UnknownModifier, node.span());
            known.push(Located::at(Modifier::Other(self.raw(node)), node.span()));
        }
        modifiers.append(&mut known);
    }

    fn message(&mut self, node: Option<Node<'_>>) -> Option<Modifier> {
        let node = node.filter(|node| node.kind() == NodeKind::String)?;
        self.text(node)
            .map(|bytes| Modifier::Message(Text::parsed(bytes)))
    }
}
