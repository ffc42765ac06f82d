//! What a trial is: objects in a folder, a grant about them, and calls with the verdict that a person wrote down.

use crate::machine;
use crate::model;

/// A trial, as it is written down. In the texts `{}` is the folder, `{own}` the program that confines and is confined,
/// `{process}` the number of a process outside.
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    /// The grant.
    pub(crate) grant: &'static str,
    /// `a/` is a folder, `a -> b` a link with that text, `a == b` a second name of `b`, everything else a file.
    pub(crate) made: &'static [&'static str],
    /// In order, in one world.
    pub(crate) steps: &'static [Step<&'static str>],
}

/// A call in words, with what comes of it.
// Exhaustive: a verdict is one of two.
pub(crate) enum Step<W = Vec<String>> {
    May(W),
    MayNot(W),
}

impl<W> Step<W> {
    pub(crate) fn words(&self) -> &W {
        match self {
            Step::May(words) | Step::MayNot(words) => words,
        }
    }

    pub(crate) fn is_admitted(&self) -> bool {
        matches!(self, Step::May(_))
    }
}

/// A trial that is ready to be made.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) grant: String,
    pub(crate) made: Vec<String>,
    pub(crate) steps: Vec<Step>,
}

impl Trial {
    pub(crate) fn case(&self) -> Case {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect();
        let steps = self.steps.iter().map(|step| match step {
            Step::May(call) => Step::May(words(call)),
            Step::MayNot(call) => Step::MayNot(words(call)),
        });
        Case {
            name: self.name.to_owned(),
            grant: self.grant.to_owned(),
            made: self.made.iter().map(|made| (*made).to_owned()).collect(),
            steps: steps.collect(),
        }
    }
}

/// What the names in the texts of a trial stand for.
#[derive(Clone)]
pub(crate) struct Places {
    pub(crate) folder: String,
    pub(crate) own: String,
    pub(crate) process: String,
}

impl Places {
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{own}", &self.own)
            .replace("{process}", &self.process)
            .replace("{}", &self.folder)
    }

    pub(crate) fn fill_all(&self, words: &[String]) -> Vec<String> {
        words.iter().map(|word| self.fill(word)).collect()
    }
}

/// An object of a trial, with the names that it has below the folder.
// Exhaustive: there are no others.
pub(crate) enum Made<'a> {
    Folder(&'a str),
    Link { at: &'a str, to: &'a str },
    Second { at: &'a str, of: &'a str },
    File(&'a str),
}

impl<'a> Made<'a> {
    pub(crate) fn read(text: &'a str) -> Self {
        if let Some((at, to)) = text.split_once(" -> ") {
            Made::Link { at, to }
        } else if let Some((at, of)) = text.split_once(" == ") {
            Made::Second { at, of }
        } else if let Some(at) = text.strip_suffix('/') {
            Made::Folder(at)
        } else {
            Made::File(text)
        }
    }
}

impl Case {
    /// Whether each admitted call comes before a refused one of its grant: a refusal alone shows nothing.
    pub(crate) fn begins_with_what_is_admitted(&self) -> Result<(), String> {
        match self.steps.first() {
            Some(Step::May(_)) => Ok(()),
            _ => Err("its first call is not an admitted one".to_owned()),
        }
    }

    /// What can be checked of it on every system.
    pub(crate) fn everywhere(&self) -> Result<(), String> {
        self.begins_with_what_is_admitted()?;
        model::tried(self)?;
        machine::unconfined(self)
    }
}
