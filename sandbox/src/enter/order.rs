//! What a launcher is told and what it answers, as bytes: numbers of four bytes, the lowest first, and texts with
//! their length before them. Whoever reads believes nothing.

use std::io;

use crate::enter::entry::NotEntered;
use crate::enter::error::{LaunchError, LaunchErrorKind};

/// The first argument of a launcher. The second is the number of the descriptor that its orders come through.
pub(crate) const ASKED: &str = "--objcap-launcher";

/// What a launcher is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    /// The profile.
    pub(crate) text: String,
    pub(crate) program: Vec<u8>,
    pub(crate) argv: Vec<Vec<u8>>,
    /// Variables, as `NAME=value`.
    pub(crate) environment: Vec<Vec<u8>>,
    /// The number of a descriptor of the child's folder.
    pub(crate) folder: i32,
}

/// What a launcher answers. After [`Entered`](Report::Entered) it says nothing more, unless the program could
/// not be executed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// The profile is in force.
    Entered,
    /// A step failed, and the launcher ends.
    Failed {
        step: Step,
        errno: i32,
        told: Vec<u8>,
    },
}

/// A step of the launcher that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Read,
    Backend,
    Nested,
    Rejected,
    NotInForce,
    Folder,
    Exec,
}

/// The first bytes of an order: whose it is, and in which version.
const MARK: [u8; 8] = *b"objcap\0\x01";

const STEPS: [(u8, Step); 7] = [
    (1, Step::Read),
    (2, Step::Backend),
    (3, Step::Nested),
    (4, Step::Rejected),
    (5, Step::NotInForce),
    (6, Step::Folder),
    (7, Step::Exec),
];

const ENTERED: u8 = 0;

impl Order {
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = MARK.to_vec();
        bytes.extend(self.folder.to_le_bytes());
        put(&mut bytes, self.text.as_bytes())?;
        put(&mut bytes, &self.program)?;
        for list in [&self.argv, &self.environment] {
            bytes.extend(length(list.len())?);
            for text in list {
                put(&mut bytes, text)?;
            }
        }
        Ok(bytes)
    }

    /// Reads what [`to_bytes`](Order::to_bytes) wrote, whole and nothing after it.
    pub(crate) fn read(mut bytes: &[u8]) -> Option<Self> {
        let left = &mut bytes;
        if take(left, MARK.len())? != MARK {
            return None;
        }
        let folder = number(left)? as i32;
        let text = String::from_utf8(text(left)?.to_vec()).ok()?;
        let program = self::text(left)?.to_vec();
        let argv = list(left)?;
        let environment = list(left)?;
        left.is_empty().then_some(Order {
            text,
            program,
            argv,
            environment,
            folder,
        })
    }
}

impl Report {
    pub(crate) fn failed(step: Step, errno: i32, told: impl Into<Vec<u8>>) -> Self {
        Report::Failed {
            step,
            errno,
            told: told.into(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Report::Entered => vec![ENTERED],
            Report::Failed { step, errno, told } => {
                let known = STEPS.iter().find(|(_, one)| one == step);
                let mut bytes: Vec<u8> = known.iter().map(|(number, _)| *number).collect();
                bytes.extend(errno.to_le_bytes());
                bytes.extend(told);
                bytes
            }
        }
    }

    /// Reads all that a launcher said: the last report counts. `None` when it is none.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [] => None,
            [ENTERED] => Some(Report::Entered),
            [ENTERED, rest @ ..] if rest.first() != Some(&ENTERED) => Report::read(rest),
            [number, rest @ ..] => {
                let (_, step) = STEPS.iter().find(|(one, _)| one == number)?;
                let (errno, told) = rest.split_first_chunk()?;
                Some(Report::failed(*step, i32::from_le_bytes(*errno), told))
            }
        }
    }

    /// The error that it stands for.
    pub(crate) fn into_result(self, program: &str) -> Result<(), LaunchError> {
        let Report::Failed { step, errno, told } = self else {
            return Ok(());
        };
        let told = String::from_utf8_lossy(&told).into_owned();
        let error = || io::Error::from_raw_os_error(errno);
        Err(match step {
            Step::Read => LaunchError::new(
                LaunchErrorKind::Start,
                "the launcher is of another version, or its orders were cut short",
            ),
            Step::Backend => LaunchError::new(
                LaunchErrorKind::NoBackend,
                "nothing on this system can confine a program",
            ),
            Step::Nested => NotEntered::Nested.into(),
            Step::Rejected => NotEntered::Rejected(told).into(),
            Step::NotInForce => NotEntered::NotInForce.into(),
            Step::Folder => LaunchError::system(
                LaunchErrorKind::Folder,
                "the folder cannot be entered under the profile",
                error(),
            ),
            Step::Exec => LaunchError::system(
                LaunchErrorKind::Exec,
                &format!("`{program}` cannot be executed under the profile"),
                error(),
            ),
        })
    }
}

fn length(length: usize) -> io::Result<[u8; 4]> {
    let length = u32::try_from(length).map_err(io::Error::other)?;
    Ok(length.to_le_bytes())
}

fn put(bytes: &mut Vec<u8>, text: &[u8]) -> io::Result<()> {
    bytes.extend(length(text.len())?);
    bytes.extend(text);
    Ok(())
}

fn take<'b>(left: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, rest) = left.split_at_checked(count)?;
    *left = rest;
    Some(taken)
}

fn number(left: &mut &[u8]) -> Option<u32> {
    let bytes = take(left, 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn text<'b>(left: &mut &'b [u8]) -> Option<&'b [u8]> {
    let count = number(left)?;
    take(left, usize::try_from(count).ok()?)
}

fn list(left: &mut &[u8]) -> Option<Vec<Vec<u8>>> {
    // Each text takes four bytes at least, so a false number ends soon and reserves nothing.
    let count = number(left)?;
    (0..count).map(|_| Some(text(left)?.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            text: "(version 1)\n".to_owned(),
            program: b"/bin/cat".to_vec(),
            argv: vec![b"cat".to_vec(), b"".to_vec(), b"\xff \n".to_vec()],
            environment: vec![b"A=b=c".to_vec()],
            folder: 7,
        }
    }

    #[test]
    fn an_order_reads_back_as_itself() {
        let bytes = order().to_bytes().unwrap();
        assert_eq!(Order::read(&bytes), Some(order()));
        assert_eq!(&bytes[..8], b"objcap\0\x01");
        assert_eq!(bytes[8..12], [7, 0, 0, 0]);
    }

    #[test]
    fn an_order_that_is_cut_or_longer_is_none() {
        let mut bytes = order().to_bytes().unwrap();
        for length in 0..bytes.len() {
            assert_eq!(Order::read(&bytes[..length]), None, "{length}");
        }
        bytes.push(0);
        assert_eq!(Order::read(&bytes), None);
    }

    #[test]
    fn a_false_number_reserves_nothing() {
        let mut bytes = MARK.to_vec();
        bytes.extend([7, 0, 0, 0]);
        for _ in 0..2 {
            put(&mut bytes, b"x").unwrap();
        }
        bytes.extend([0xff; 4]);
        assert_eq!(Order::read(&bytes), None);
    }

    #[test]
    fn a_report_reads_back_and_the_last_one_counts() {
        let failed = || Report::failed(Step::Exec, 13, "no");
        assert_eq!(Report::read(&failed().to_bytes()), Some(failed()));
        let both = [Report::Entered.to_bytes(), failed().to_bytes()].concat();
        assert_eq!(Report::read(&both), Some(failed()));
        assert_eq!(Report::read(&[0]), Some(Report::Entered));
        // A launcher enters once.
        for nothing in [&[][..], &[9, 0, 0, 0, 0], &[7, 1], &[0; 1 << 20]] {
            assert_eq!(Report::read(nothing), None, "{nothing:?}");
        }
    }
}
