//! A profile as a record of sections.

use objcap_capability::Frozen;
use objcap_object::{Host, Tree};
use sbpl::size::{Limit, MAX_PATTERN, MAX_RULES, Size};
use sbpl::{Judge, Parsed, parse};

use crate::line::Line;
use crate::{Error, ErrorKind, base, files, network, pins};

/// A sandbox profile, rendered from a frozen grant.
///
/// It cannot be made but by rendering, and its text is what was printed, parsed again and found
/// equal.
#[derive(Debug)]
pub struct Profile {
    sections: Sections,
    text: String,
    parsed: Parsed,
    judge: Judge,
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
            Section::Exclusions => "what is excluded",
            Section::Pins => "what holds the exclusions in their places",
        }
    }
}

impl Sections {
    fn render<T: Tree>(frozen: &Frozen, host: &Host<T>) -> Result<Self, Error> {
        let mut sections = Sections {
            base: base::lines()?,
            waypoints: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            runs: files::unrestricted_runs()?,
            network: network::lines(frozen.net())?,
            exclusions: Vec::new(),
            pins: Vec::new(),
        };
        match frozen.fs() {
            None => sections.reads = files::unrestricted()?,
            Some(fs) => {
                // First what knows its clause, so that a name that cannot be written is told with it.
                sections.reads = files::reads(fs)?;
                sections.writes = files::writes(fs)?;
                sections.runs = files::runs(fs)?;
                sections.waypoints = files::waypoints(fs)?;
                let before = sections.iter().flat_map(|(_, lines)| lines);
                sections.exclusions = files::exclusions(fs, before)?;
                sections.pins = pins::lines(fs, host)?;
            }
        }
        Ok(sections)
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
            (Section::Exclusions, exclusions),
            (Section::Pins, pins),
        ]
        .into_iter()
        .map(|(section, lines)| (section, lines.as_slice()))
    }
}

/// A limit of the system, and the figure that exceeds it.
fn exceeded(size: &Size, limit: &Limit) -> String {
    match limit {
        Limit::Rules => format!("{} rules, more than {MAX_RULES}", size.rules),
        Limit::Pattern => {
            let bytes = size.largest_pattern;
            format!("a rule of {bytes} bytes of pattern, more than {MAX_PATTERN}")
        }
        other => format!("{other:?}"),
    }
}

impl Profile {
    /// Renders a frozen grant for the host that it was frozen in.
    ///
    /// # Errors
    /// When a name cannot be written in a profile, and when the whole exceeds a limit of the
    /// system. Nothing is left out instead.
    pub fn render<T: Tree>(frozen: &Frozen, host: &Host<T>) -> Result<Self, Error> {
        let sections = Sections::render(frozen, host)?;
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
            return Err(Error::new(ErrorKind::TooLarge, exceeded(&size, &limit)));
        }
        let judge = Judge::new(parsed.profile());
        Ok(Profile {
            sections,
            text,
            parsed,
            judge,
        })
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
        &self.judge
    }
}
