//! A log, read line by line in bounded memory.

use std::collections::HashMap;
use std::io::{self, BufRead};

use super::denial::{PIDS_MAX, What};
use super::message::{Denied, Said};
use super::record::Line;
use super::{Attribution, Denial, Tag, Trouble};

/// The longest line that is read, in bytes; what follows in it is passed over.
pub const LINE_MAX: usize = 64 * 1024;

/// The most denials that are kept apart, and told. Further ones are counted; of troubles 64 are kept.
pub const DISTINCT_MAX: usize = 4096;

/// Reads a log. It takes time by the length of the log, and memory for one line and the denials that are kept.
#[derive(Debug, Default)]
pub struct Log {
    wanted: Attribution,
    denials: HashMap<What, Tally>,
    troubles: Vec<Trouble>,
    pending: Option<Denied>,
    counts: Counts,
}

#[derive(Debug)]
struct Tally {
    order: usize,
    pids: Vec<u32>,
    count: u64,
}

/// What became of the lines of a log: each is counted once. A denial's tag on a line of its own is a line, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All lines.
    pub lines: u64,
    /// Denials and troubles that are told.
    pub told: u64,
    /// Denials of others than those that were asked for.
    pub others: u64,
    /// Lines that speak of something else.
    pub unrelated: u64,
    /// What the system says of a sandbox in a form that is not known.
    pub unread: u64,
    /// What looks like a denial and was written by a program.
    pub foreign: u64,
    /// Lines longer than [`LINE_MAX`].
    pub overlong: u64,
    /// Denials and troubles beyond [`DISTINCT_MAX`] different ones.
    pub beyond: u64,
}

/// What was found in a log.
#[derive(Debug)]
pub struct Found {
    denials: Vec<Denial>,
    troubles: Vec<Trouble>,
    counts: Counts,
}

impl Log {
    /// Reads for some denials alone.
    pub fn of(wanted: Attribution) -> Self {
        Log {
            wanted,
            ..Log::default()
        }
    }

    /// Reads lines to the end.
    ///
    /// # Errors
    /// When they cannot be read further. What was read before stays.
    pub fn read(&mut self, mut from: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        let mut cut = false;
        loop {
            let buffer = match from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = buffer
                .get(..end.unwrap_or(buffer.len()))
                .unwrap_or_default();
            let room = LINE_MAX - line.len();
            cut |= part.len() > room;
            line.extend_from_slice(part.get(..room).unwrap_or(part));
            let (ended, used) = (buffer.is_empty(), part.len() + usize::from(end.is_some()));
            if end.is_some() || (ended && (cut || !line.is_empty())) {
                match cut {
                    true => self.overlong(),
                    false => self.line(&line),
                }
                line.clear();
                cut = false;
            }
            from.consume(used);
            if ended {
                return Ok(());
            }
        }
    }

    /// Reads one line.
    pub fn line(&mut self, line: &[u8]) {
        if line.len() > LINE_MAX {
            return self.overlong();
        }
        self.counts.lines += 1;
        if self.tags_the_last(line) {
            return;
        }
        self.settle();
        let Counts {
            unrelated,
            unread,
            foreign,
            ..
        } = &mut self.counts;
        match Line::read(line) {
            Line::Foreign => *foreign += 1,
            Line::Message { head, text } => match Said::read(head, &text, self.wanted.tag()) {
                Some(Said::Denied(denied)) => self.pending = Some(denied),
                Some(Said::Allowed) => *unrelated += 1,
                None => *unread += 1,
            },
            Line::Other => match Trouble::of_stderr(line) {
                Some(trouble) => self.trouble(trouble),
                None => *unrelated += 1,
            },
        }
    }

    /// Adds what was found out otherwise.
    pub fn trouble(&mut self, trouble: Trouble) {
        if self.troubles.contains(&trouble) {
            self.counts.told += 1;
        } else if self.troubles.len() < TROUBLES_MAX {
            self.troubles.push(trouble);
            self.counts.told += 1;
        } else {
            self.counts.beyond += 1;
        }
    }

    /// What was found.
    pub fn finish(mut self) -> Found {
        self.settle();
        let mut denials: Vec<_> = self.denials.into_iter().collect();
        denials.sort_unstable_by_key(|(_, tally)| tally.order);
        let denial = |(what, tally): (What, Tally)| Denial {
            what,
            pids: tally.pids,
            count: tally.count,
        };
        Found {
            denials: denials.into_iter().map(denial).collect(),
            troubles: self.troubles,
            counts: self.counts,
        }
    }

    fn overlong(&mut self) {
        self.settle();
        self.counts.lines += 1;
        self.counts.overlong += 1;
    }

    /// Whether the line is the tag of the denial before it.
    fn tags_the_last(&mut self, line: &[u8]) -> bool {
        let (Some(wanted), Some(last)) = (self.wanted.tag(), &mut self.pending) else {
            return false;
        };
        let is_tag = Tag::read(line.trim_ascii()).as_ref() == Some(wanted);
        if is_tag {
            last.what.tag = Some(wanted.clone());
            self.counts.unrelated += 1;
            self.settle();
        }
        is_tag
    }

    /// Counts the denial before, whose line is complete.
    fn settle(&mut self) {
        let Some(Denied { what, pid, times }) = self.pending.take() else {
            return;
        };
        if !self.wanted.admits(pid, what.tag.as_ref()) {
            self.counts.others += 1;
            return;
        }
        let order = self.denials.len();
        if order >= DISTINCT_MAX && !self.denials.contains_key(&what) {
            self.counts.beyond += 1;
            return;
        }
        self.counts.told += 1;
        let tally = self.denials.entry(what).or_insert(Tally {
            order,
            pids: Vec::new(),
            count: 0,
        });
        tally.count = tally.count.saturating_add(times);
        if tally.pids.len() < PIDS_MAX && !tally.pids.contains(&pid) {
            tally.pids.push(pid);
        }
    }
}

/// The most troubles: one is enough to end a program.
const TROUBLES_MAX: usize = 64;

impl Found {
    /// The denials, in the order in which each came first.
    pub fn denials(&self) -> &[Denial] {
        &self.denials
    }

    /// What kept programs from running at all.
    pub fn troubles(&self) -> &[Trouble] {
        &self.troubles
    }

    /// What became of the lines.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
