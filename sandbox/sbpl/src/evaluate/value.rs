//! What expressions stand for.
//!
//! A value is cheap to copy, and none is deep: lists within lists end at a limit, because a value
//! is dropped and compared by walking down.

use std::rc::Rc;

use super::expression::Expr;
use super::scope::Scope;
use super::word::Word;
use crate::ast::{EntitlementValue, Filter, Modifier};
use crate::span::Located;

/// How many lists may stand within one another.
pub(super) const MAX_NESTING: usize = 100;

#[derive(Clone)]
pub(super) enum Value<'f> {
    Unspecified,
    Bool(bool),
    Number(i128),
    String(Rc<[u8]>),
    Symbol(&'f str),
    List(Rc<List<'f>>),
    Filters(Rc<FilterList>),
    Modifiers(Rc<Vec<Located<Modifier>>>),
    Entitlement(Rc<EntitlementValue>),
    Procedure(Rc<Procedure<'f>>),
    /// A predefined word.
    Word(Word),
    /// `(param …)` that nobody defined: false, and no string.
    Missing(Rc<[u8]>),
}

impl Value<'_> {
    /// Everything but `#f` is true; a parameter that is not defined is `#f`.
    pub(super) fn is_true(&self) -> bool {
        !matches!(self, Self::Bool(false) | Self::Missing(_))
    }
}

pub(super) struct List<'f> {
    pub(super) items: Vec<Value<'f>>,
    // INVARIANT: 1 more than the deepest of `items`, at most MAX_NESTING.
    pub(super) depth: usize,
}

/// A function of the profile.
pub(super) struct Procedure<'f> {
    pub(super) parameters: Vec<&'f str>,
    /// Takes what is left of the arguments, as a list.
    pub(super) rest: Option<&'f str>,
    /// The expression that holds the body, and how many of its parts stand before it.
    pub(super) holder: Expr<'f>,
    pub(super) skip: usize,
    pub(super) scope: Scope,
}

/// Filters that are alternatives, and how much it costs to copy them.
#[derive(Clone, Default)]
pub(super) struct FilterList {
    pub(super) filters: Vec<Located<Filter>>,
    pub(super) size: usize,
}

impl FilterList {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            filters: Vec::with_capacity(capacity),
            size: 0,
        }
    }

    pub(super) fn push(&mut self, filter: Located<Filter>, size: usize) {
        self.filters.push(filter);
        self.size += size;
    }

    pub(super) fn append(&mut self, other: Self) {
        self.size += other.size;
        if self.filters.is_empty() {
            self.filters = other.filters;
        } else {
            self.filters.extend(other.filters);
        }
    }
}

/// A value that is handed over, and the expression it came from.
pub(super) struct Argument<'f> {
    pub(super) value: Value<'f>,
    pub(super) at: Expr<'f>,
}
