//! Yes, no, or unknown, and how they combine (Kleene's three values).

/// Whether a filter matches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Answer {
    Yes,
    No,
    Unknown,
}

impl Answer {
    /// At least one.
    pub(super) fn any(answers: impl IntoIterator<Item = Self>) -> Self {
        let mut any = Self::No;
        for answer in answers {
            match answer {
                Self::Yes => return Self::Yes,
                Self::Unknown => any = Self::Unknown,
                Self::No => {}
            }
        }
        any
    }

    /// Each.
    pub(super) fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        Self::any(answers.into_iter().map(Self::not)).not()
    }

    pub(super) fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl From<bool> for Answer {
    fn from(matches: bool) -> Self {
        if matches { Self::Yes } else { Self::No }
    }
}

#[cfg(test)]
mod tests {
    use super::Answer::{self, No, Unknown, Yes};

    #[test]
    fn unknown_gives_way_to_what_settles_the_matter() {
        assert_eq!(Answer::any([Unknown, Yes]), Yes);
        assert_eq!(Answer::any([Unknown, No]), Unknown);
        assert_eq!(Answer::all([Unknown, No]), No);
        assert_eq!(Answer::all([Unknown, Yes]), Unknown);
        assert_eq!(Answer::any([]), No);
        assert_eq!(Answer::all([]), Yes);
        assert_eq!(Unknown.not(), Unknown);
    }
}
