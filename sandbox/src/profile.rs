//! A profile as a record of sections.

mod annotate;
pub(crate) mod base;
pub(crate) mod doors;
mod error;
mod exclusions;
mod explain;
mod files;
mod group;
mod line;
mod network;
mod pins;
mod programs;
mod tag;

use std::sync::OnceLock;

use objcap_capability::Stack;
use objcap_object::{Host, World};
use sbpl::size::{Limit, MAX_PATTERN, MAX_RULES, Size};
use sbpl::{Judge, Parsed, parse};

use self::programs::Bound;

pub use self::doors::{Door, withheld, withheld_doors};
pub use self::error::{Error, ErrorKind};
pub use self::explain::{Asked, Explanation, Outcome, act_requests};
pub use self::line::{Line, Why};
pub use self::tag::{Tag, TagError};

/// A sandbox profile, rendered from frozen grants.
///
/// It cannot be made but by rendering, and its text is what was printed, parsed again and found
/// equal.
#[derive(Debug)]
pub struct Profile {
    sections: Sections,
    text: String,
    parsed: Parsed,
    /// Made when it is first asked: whoever enters a profile has the system judge by it.
    judge: OnceLock<Judge>,
    size: Size,
}

/// The sections. Their order is the order of precedence: a later rule overrides an earlier one
/// (docs/seatbelt.md, section 1), so every section that denies stands after every one that allows.
#[derive(Debug)]
struct Sections {
    base: Vec<Line>,
    waypoints: Vec<Line>,
    reads: Vec<Line>,
    writes: Vec<Line>,
    runs: Vec<Line>,
    network: Vec<Line>,
    bound: Vec<Line>,
    exclusions: Vec<Line>,
    pins: Vec<Line>,
}

/// A section of a profile.
// Exhaustive: whoever shows a profile shows all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What every profile says.
    Base,
    /// What a lookup passes.
    Waypoints,
    /// What may be read.
    Reads,
    /// What may be written.
    Writes,
    /// What may be run.
    Runs,
    /// The network.
    Network,
    /// What may not be run, since it may not be read.
    Bound,
    /// What is excluded.
    Exclusions,
    /// What holds the exclusions in their places.
    Pins,
}

impl Section {
    /// A title for it.
    pub fn title(self) -> &'static str {
        match self {
            Section::Base => "what every program needs",
            Section::Waypoints => "the ways to what is allowed",
            Section::Reads => "what may be read",
            Section::Writes => "what may be written",
            Section::Runs => "what may be run",
            Section::Network => "the network",
            Section::Bound => "what may not be read may not be run",
            Section::Exclusions => "what is excluded",
            Section::Pins => "what holds the exclusions in their places",
        }
    }
}

impl Sections {
    fn render<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Self, Error> {
        // First what knows its clause, so that a name that cannot be written is told with it.
        let bound = Bound::of(stack, host);
        let reads = files::reads(stack, host)?;
        let writes = files::writes(stack, host)?;
        let runs = programs::runs(stack, &bound, host)?;
        let mut sections = Sections {
            base: base::lines()?,
            waypoints: files::waypoints(stack, host)?,
            reads,
            writes,
            runs,
            network: network::lines(stack, host)?,
            bound: bound.lines()?,
            exclusions: Vec::new(),
            pins: pins::lines(stack, host)?,
        };
        let before = sections.iter().flat_map(|(_, lines)| lines);
        sections.exclusions = exclusions::lines(stack, before)?;
        Ok(sections)
    }

    fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line> {
        let Sections {
            base,
            waypoints,
            reads,
            writes,
            runs,
            network,
            bound,
            exclusions,
            pins,
        } = self;
        [
            base, waypoints, reads, writes, runs, network, bound, exclusions, pins,
        ]
        .into_iter()
        .flatten()
    }

    fn iter(&self) -> impl Iterator<Item = (Section, &[Line])> {
        // Without a rest pattern: a section that is added must be placed here.
        let Sections {
            base,
            waypoints,
            reads,
            writes,
            runs,
            network,
            bound,
            exclusions,
            pins,
        } = self;
        [
            (Section::Base, base),
            (Section::Waypoints, waypoints),
            (Section::Reads, reads),
            (Section::Writes, writes),
            (Section::Runs, runs),
            (Section::Network, network),
            (Section::Bound, bound),
            (Section::Exclusions, exclusions),
            (Section::Pins, pins),
        ]
        .into_iter()
        .map(|(section, lines)| (section, lines.as_slice()))
    }
}

/// The error of a profile over a limit: which, by how much, and by which clause.
fn exceeded(sections: &Sections, rules: &sbpl::Profile, size: &Size, limit: Limit) -> Error {
    let lines: Vec<&Line> = sections.iter().flat_map(|(_, lines)| lines).collect();
    let (over, message) = match limit {
        Limit::Rules => (
            Some(MAX_RULES),
            format!("{} rules, more than {MAX_RULES}", size.rules),
        ),
        Limit::Pattern => {
            let bytes = size.largest_pattern;
            let single = |rule: &_| Size::of(&std::iter::once(Clone::clone(rule)).collect());
            let is_largest = |rule: &_| single(rule).largest_pattern == bytes;
            (
                rules.rules().iter().position(is_largest),
                format!("a rule of {bytes} bytes of pattern, more than {MAX_PATTERN}"),
            )
        }
        other => (None, format!("{other:?}")),
    };
    let clause = over.and_then(|number| lines.get(number)).and_then(|line| {
        line.whys().find_map(|why| match why {
            Why::Clause(clause) => Some(&**clause),
            Why::Reason(_) => None,
        })
    });
    Error::new(ErrorKind::TooLarge, message).by(clause)
}

impl Profile {
    /// Renders frozen grants for the host that they were frozen in. Their exclusions are walked again
    /// first; the allowances are as they were frozen.
    ///
    /// # Errors
    /// When an exclusion can no longer be walked, when a name cannot be written in a profile, and when the whole exceeds a limit of the
    /// system. Nothing is left out instead.
    pub fn render<W: World>(stack: &Stack<W>, host: &Host<W>) -> Result<Self, Error> {
        let now = stack.renewed(host);
        let stack = &now.map_err(|error| Error::new(ErrorKind::Walk, error))?;
        Profile::of(Sections::render(stack, host)?)
    }

    /// The same profile; what it denies carries a tag in the log, by which denials of one run are told from
    /// others ([`Attribution`](crate::diag::Attribution)). It decides as before (docs/seatbelt.md, section 5).
    ///
    /// # Errors
    /// When the tags bring the whole over a limit of the system.
    pub fn tagged(mut self, tag: &Tag) -> Result<Self, Error> {
        let modifier = tag.modifier()?;
        for line in self.sections.lines_mut() {
            line.deny_with(&modifier);
        }
        Profile::of(self.sections)
    }

    fn of(sections: Sections) -> Result<Self, Error> {
        let rules = sections
            .iter()
            .flat_map(|(_, lines)| lines)
            .map(|line| line.rule().clone());
        let meant: sbpl::Profile = rules.collect();
        let text = meant.to_string();
        let parsed = parse(text.as_bytes());
        if parsed.profile() != &meant || !parsed.diagnostics().is_empty() {
            return Err(Error::new(
                ErrorKind::Unfaithful,
                "its text parses to other rules",
            ));
        }
        let size = Size::of(&meant);
        // A text that is too long for a command line can be handed over otherwise.
        let limits = size
            .over()
            .filter(|limit| !matches!(limit, Limit::Argument));
        if let Some(limit) = limits.into_iter().next() {
            return Err(exceeded(&sections, &meant, &size, limit));
        }
        Ok(Profile {
            sections,
            text,
            parsed,
            judge: OnceLock::new(),
            size,
        })
    }

    /// How large it is. None of the limits is exceeded, but perhaps that of a command line, over which a
    /// text need not be handed.
    pub fn size(&self) -> &Size {
        &self.size
    }

    /// The text, as the system takes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The sections in the order of the text, each with its lines.
    pub fn sections(&self) -> impl Iterator<Item = (Section, &[Line])> {
        self.sections.iter()
    }

    /// All lines, in the order of the text.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.sections().flat_map(|(_, lines)| lines)
    }

    /// The line of the text on which a rule begins, from 1; rules count from 0 in the order of
    /// [`lines`](Profile::lines).
    pub fn line_number(&self, rule: usize) -> Option<usize> {
        self.parsed
            .rule_position(rule)
            .map(|position| position.line)
    }

    pub(crate) fn judge(&self) -> &Judge {
        self.judge.get_or_init(|| Judge::new(self.parsed.profile()))
    }
}
