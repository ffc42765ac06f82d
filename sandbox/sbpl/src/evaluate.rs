//! From expressions to rules: an evaluator of the Scheme that profiles are written in.
//!
//! It makes the flat list of rules that the kernel would get. It follows Apple's interpreter as
//! far as profiles in use show it and is no Scheme beyond that: there are no pairs but in lists,
//! no continuations and no macros. Time, memory and depth are limited, so that any text comes to
//! an end.
//!
//! An expression that fails has been reported; the form at the top that it stands in is kept and
//! makes no rule, so that a profile with one is not judged.

mod argument;
mod call;
mod expression;
mod filter;
mod form;
mod function;
mod import;
mod library;
mod list;
mod number;
mod quote;
mod rule;
mod scope;
mod value;
mod word;

use std::collections::BTreeMap;

use self::expression::Expr;
pub(crate) use self::library::{File, Library};
use self::scope::{Scope, Scopes};
use self::value::{FilterList, Value};
pub(crate) use self::word::{FILTER_NAMES, WORDS};
use crate::ast::Profile;
use crate::diagnostic::{DiagnosticKind, Diagnostics};
use crate::parse::Loader;
use crate::span::Located;
use crate::syntax::{Node, NodeKind, Raw};

/// How many expressions may be evaluated within one another.
///
/// It bounds the stack: every level takes a few frames of it.
const MAX_DEPTH: usize = 300;

/// The evaluation failed, and why has been reported.
struct Failed;

type Outcome<T> = Result<T, Failed>;

/// What is given to an evaluation.
pub(crate) struct Settings<'p> {
    pub(crate) parameters: &'p BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) loader: Option<&'p Loader>,
    pub(crate) fuel: u64,
}

pub(crate) struct Evaluator<'f> {
    settings: Settings<'f>,
    library: &'f Library,
    profile: Profile,
    diagnostics: Diagnostics,
    scopes: Scopes<'f>,
    /// What rules get from the `with-filter` that they stand in.
    ambient: Vec<FilterList>,
    depth: usize,
    fuel: u64,
    /// How often something was used or changed that the evaluated text does not hold: see
    /// [`Mark`].
    outside: u64,
}

/// How things stood before an expression that may come to be kept as it stands.
///
/// What is kept has done nothing, and is read as before when it is printed and read again. That
/// holds where it used nothing but its own text: no definition, no parameter, no import.
struct Mark {
    rules: usize,
    version: u32,
    outside: u64,
}

/// What is left to do after a step.
enum Step<'f> {
    Done(Value<'f>),
    /// The value is that of this expression: a tail call takes no stack.
    Tail(Expr<'f>, Scope),
}

impl<'f> Evaluator<'f> {
    pub(crate) fn new(settings: Settings<'f>, library: &'f Library) -> Self {
        Self {
            fuel: settings.fuel,
            settings,
            library,
            profile: Profile::new(),
            diagnostics: Diagnostics::default(),
            scopes: Scopes::default(),
            ambient: Vec::new(),
            depth: 0,
            outside: 0,
        }
    }

    /// Evaluates the profile itself.
    pub(crate) fn run(mut self) -> (Profile, Diagnostics) {
        let file = self.library.first();
        self.tree_errors(file);
        let mut has_version = false;
        for expr in Expr::roots(file) {
            match expr.head() {
                Some(crate::print::NOT_EVALUATED) => self.kept_before(expr),
                head => {
                    has_version |= head == Some("version");
                    self.at_top(expr);
                }
            }
        }
        if !has_version {
            self.diagnostics
                .push(DiagnosticKind::NoVersion, crate::span::Span::new(0, 0), 0);
        }
        (self.profile, self.diagnostics)
    }

    fn tree_errors(&mut self, file: &'f File) {
        for error in &file.errors {
            self.diagnostics
                .push(DiagnosticKind::Tree(error.kind), error.span, file.number);
        }
    }

    /// All of a form at the top, or nothing.
    fn at_top(&mut self, expr: Expr<'f>) {
        let mark = self.mark();
        if self.eval(expr, Scope::GLOBAL).is_err() {
            self.undo(&mark);
            self.keep(expr);
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            rules: self.profile.rules().len(),
            version: self.profile.version(),
            outside: self.outside,
        }
    }

    /// Takes back what has been done to the profile. Definitions stay; no text that is printed has
    /// any.
    fn undo(&mut self, mark: &Mark) {
        self.profile.truncate(mark.rules);
        self.profile.set_version(mark.version);
    }

    /// Whether what an expression came to is all in the text that it is kept as.
    fn stands_alone(&self, mark: &Mark, expr: Expr<'f>) -> bool {
        self.outside == mark.outside && self.fuel > 0 && expr.is_complete()
    }

    fn keep(&mut self, expr: Expr<'f>) {
        let form = Located::at(expr.raw(), expr.span());
        self.profile.push_unevaluated(form);
    }

    /// A form that an earlier evaluation kept, and that was printed.
    fn kept_before(&mut self, expr: Expr<'f>) {
        let kept = match expr.children().nth(1) {
            Some(quoted) if quoted.bytes().starts_with(b"'") => {
                quoted.children().next().unwrap_or(expr)
            }
            _ => expr,
        };
        let name = kept.head().unwrap_or("expression");
        self.report(DiagnosticKind::NotEvaluated(name.into()), expr);
        self.keep(kept);
    }

    /// The value of an expression.
    fn eval(&mut self, mut expr: Expr<'f>, mut scope: Scope) -> Outcome<Value<'f>> {
        if self.depth >= MAX_DEPTH {
            return self.fail(DiagnosticKind::TooDeep, expr);
        }
        self.depth += 1;
        let outcome = loop {
            match self.step(expr, scope) {
                Ok(Step::Done(value)) => break Ok(value),
                Ok(Step::Tail(next, next_scope)) => (expr, scope) = (next, next_scope),
                Err(failed) => break Err(failed),
            }
        };
        self.depth -= 1;
        outcome
    }

    fn step(&mut self, expr: Expr<'f>, scope: Scope) -> Outcome<Step<'f>> {
        match expr.kind() {
            NodeKind::String => self.string(expr).map(Step::Done),
            NodeKind::Atom => self.atom(expr, scope).map(Step::Done),
            NodeKind::Prefixed => self.prefixed(expr, scope).map(Step::Done),
            NodeKind::List => self.list(expr, scope),
        }
    }

    /// Takes steps off what is left.
    fn spend(&mut self, steps: usize, expr: Expr<'f>) -> Outcome<()> {
        match self.fuel.checked_sub(steps as u64) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                self.fail(DiagnosticKind::OutOfFuel, expr)
            }
        }
    }

    fn report(&mut self, kind: DiagnosticKind, expr: Expr<'f>) {
        self.diagnostics.push(kind, expr.span(), expr.file.number);
    }

    fn fail<T>(&mut self, kind: DiagnosticKind, expr: Expr<'f>) -> Outcome<T> {
        self.report(kind, expr);
        Err(Failed)
    }

    fn bad_argument<T>(&mut self, name: &str, takes: &'static str, at: Expr<'f>) -> Outcome<T> {
        let filter = name.into();
        self.fail(DiagnosticKind::BadArgument { filter, takes }, at)
    }
}
