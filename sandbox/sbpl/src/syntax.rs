//! The concrete layer: every byte of a text as a token, and the tokens as a tree of
//! S-expressions.
//!
//! Nothing here knows what a rule is. Nothing is lost either: the tokens cover the text without a
//! gap, comments and layout included, so that a text can be rewritten in place. Neither the
//! nesting nor the length of a text is limited, since the tree lies flat in memory and is built,
//! walked and dropped without recursion.

mod raw;
mod string;
mod token;
mod tree;

pub use self::raw::Raw;
pub(crate) use self::string::{Escapes, quoted, raw_quoted, unquote};
pub use self::token::{Token, TokenKind, tokens};
pub use self::tree::{Node, NodeKind, Tree, TreeError, TreeErrorKind};
