//! Names: the two folds against Unicode's own data, over every code point and over sequences, and
//! what a real path's relatives are. How volumes fold is not tried here.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod classes;
mod compatibility;
mod places;
mod reference;
mod sequences;

use objcap_object::name::{caseless, fold};

fn folded(text: &str) -> String {
    String::from_utf8(fold(text.as_bytes()).into_owned()).unwrap()
}

fn caselessly(text: &str) -> String {
    String::from_utf8(caseless(text.as_bytes()).into_owned()).unwrap()
}
