//! Predefined words: forms, actions, filters and functions.

use crate::ast::{Action, Match, PathMatch, Quantity, Subject, Text};

/// What a predefined word stands for.
#[derive(Clone, Copy)]
pub(super) enum Word {
    Form(Form),
    Action(Action),
    Filter(FilterWord),
    Function(Function),
}

impl Word {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "allow" => Self::Action(Action::Allow),
            "deny" => Self::Action(Action::Deny),
            _ => {
                if let Some(filter) = FilterWord::from_name(name) {
                    Self::Filter(filter)
                } else if let Some(form) = Form::from_name(name) {
                    Self::Form(form)
                } else {
                    Self::Function(Function::from_name(name)?)
                }
            }
        })
    }
}

macro_rules! words {
    ($(#[$meta:meta])* $type:ident { $($variant:ident $($name:literal)|+,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Eq, PartialEq)]
        pub(super) enum $type { $($variant,)* }

        impl $type {
            const NAMES: &'static [&'static str] = &[$($($name,)+)*];

            fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($($name)|+ => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// What does not evaluate all that stands in it, or stands for more than a value.
    Form {
        Define "define",
        Let "let",
        LetStar "let*",
        Letrec "letrec" | "letrec*",
        If "if",
        Cond "cond",
        Case "case",
        When "when",
        Unless "unless",
        And "and",
        Or "or",
        Lambda "lambda",
        Begin "begin",
        Set "set!",
        Quote "quote",
        Quasiquote "quasiquote",
        Version "version",
        Import "import",
        With "with",
        WithFilter "with-filter",
        // What these do is not known to change a verdict (assumed).
        Directive "debug" | "trace" | "disable-callouts" | "disable-full-symbolication"
            | "enable-full-symbolication",
    }
}

words! {
    /// What is applied to values.
    Function {
        Append "append",
        Apply "apply",
        Assoc "assoc" | "assq" | "assv",
        Car "car",
        Cadr "cadr",
        Caddr "caddr",
        Cdr "cdr",
        Cddr "cddr",
        Cons "cons",
        Defined "defined?",
        Difference "-",
        Equal "equal?" | "eq?" | "eqv?" | "string=?",
        Error "error",
        Filter "filter",
        ForEach "for-each",
        Greater ">",
        IsBoolean "boolean?",
        IsList "list?" | "pair?",
        IsNull "null?",
        IsNumber "number?" | "integer?",
        IsProcedure "procedure?",
        IsString "string?",
        IsSymbol "symbol?",
        IsZero "zero?",
        Length "length",
        Less "<",
        List "list",
        ListRef "list-ref",
        Map "map",
        Member "member" | "memq" | "memv",
        Not "not",
        NotGreater "<=",
        NotLess ">=",
        NumberEqual "=",
        NumberToString "number->string",
        Param "param",
        Product "*",
        RegexQuote "regex-quote",
        Reverse "reverse",
        StringAppend "string-append",
        StringLength "string-length",
        Substring "substring",
        Sum "+",
        SymbolToString "symbol->string",
    }
}

/// A filter by its name.
#[derive(Clone, Copy)]
pub(super) enum FilterWord {
    Textual(Textual),
    Value(Quantity),
    Target,
    VnodeType,
    FileMode,
    Remote,
    Local,
    Entitlement,
    /// `entitlement-value` and its like, which stand in a `require-entitlement` alone.
    EntitlementValue(Comparison),
    Any,
    All,
    Not,
}

/// What a filter that takes strings makes of one.
#[derive(Clone, Copy)]
pub(super) enum Textual {
    Path(fn(Text) -> PathMatch),
    PathPattern,
    Name(Subject, Comparison),
    Extension,
}

/// How a text is compared.
#[derive(Clone, Copy)]
pub(super) enum Comparison {
    Whole(fn(Text) -> Match),
    Pattern,
}

impl FilterWord {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "literal" | "path-literal" | "path" => Self::Textual(Textual::Path(PathMatch::Literal)),
            "subpath" | "path-subpath" => Self::Textual(Textual::Path(PathMatch::Subpath)),
            "regex" | "path-regex" => Self::Textual(Textual::PathPattern),
            "prefix" | "path-prefix" => Self::Textual(Textual::Path(PathMatch::Prefix)),
            "require-any" => Self::Any,
            "require-all" => Self::All,
            "require-not" => Self::Not,
            "remote" => Self::Remote,
            "local" => Self::Local,
            "target" => Self::Target,
            "vnode-type" => Self::VnodeType,
            "file-mode" => Self::FileMode,
            "extension" => Self::Textual(Textual::Extension),
            "require-entitlement" => Self::Entitlement,
            "entitlement-value" => Self::EntitlementValue(Comparison::Whole(Match::Exact)),
            "entitlement-value-prefix" => Self::EntitlementValue(Comparison::Whole(Match::Prefix)),
            "entitlement-value-regex" => Self::EntitlementValue(Comparison::Pattern),
            _ => return Self::subject(name).or_else(|| Quantity::from_name(name).map(Self::Value)),
        })
    }

    fn subject(name: &str) -> Option<Self> {
        let (subject, comparison) = if let Some(subject) = Subject::from_name(name) {
            (subject, Comparison::Whole(Match::Exact))
        } else if let Some(name) = name.strip_suffix("-prefix") {
            (Subject::from_name(name)?, Comparison::Whole(Match::Prefix))
        } else {
            let name = name.strip_suffix("-regex")?;
            (Subject::from_name(name)?, Comparison::Pattern)
        };
        Some(Self::Textual(Textual::Name(subject, comparison)))
    }
}

/// Names of filters, but for those of [`Subject`] and [`Quantity`].
pub(crate) const FILTER_NAMES: &[&str] = &[
    "literal",
    "subpath",
    "prefix",
    "regex",
    "remote",
    "local",
    "target",
    "vnode-type",
    "file-mode",
    "extension",
    "require-entitlement",
    "entitlement-value",
    "require-any",
    "require-all",
    "require-not",
    "path",
    "path-literal",
    "path-subpath",
    "path-prefix",
    "path-regex",
];

/// Names of all other words.
pub(crate) const WORDS: [&[&str]; 3] = [&["allow", "deny"], Form::NAMES, Function::NAMES];
