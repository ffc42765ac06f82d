//! What a system cannot hold of a grant, told before anything runs.

use std::fmt;
use std::path::Path;

use objcap_capability::{Access, Allowance, Clause, Exclusion, Layer, Programs, Stack};
use objcap_object::{Host, Kind, Object, Options, RealPath, World};

/// Something that a system cannot hold.
#[derive(Debug, Clone)]
pub struct Limitation {
    kind: LimitationKind,
    clause: Option<Clause>,
    at: Option<RealPath>,
}

/// What sort of thing cannot be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LimitationKind {
    /// The grant bounds a program's arguments (`[exec] only`), and the kernel does not see arguments. The
    /// program that is started is judged with its own; what it starts is not.
    Arguments,
    /// An excluded or protected file has more names than the one that is excluded. The kernel judges names: by
    /// another one the file is reached wherever the grant reaches that.
    SecondNames,
    /// The child is started by `/usr/bin/sandbox-exec`, and the system takes every `DYLD_` variable from what
    /// starts a program of its own.
    LoaderVariables,
    /// A folder both written and run from: whatever stands there runs, as what the grant calls it or not.
    Deputies,
    /// Standard input, output and error, and each descriptor that was asked for, stay open: what can be done
    /// with them was settled when they were opened.
    Descriptors,
}

/// Whether something must be accepted before anything runs.
// Exhaustive: it must or it need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// By its name: the grant says what is not held.
    Needed,
    /// It is told, and no more: no clause speaks against it.
    Told,
}

impl LimitationKind {
    /// Every one.
    pub const ALL: [LimitationKind; 5] = [
        LimitationKind::Arguments,
        LimitationKind::SecondNames,
        LimitationKind::LoaderVariables,
        LimitationKind::Deputies,
        LimitationKind::Descriptors,
    ];

    /// The name by which it is accepted.
    pub const fn name(self) -> &'static str {
        match self {
            LimitationKind::Arguments => "arguments",
            LimitationKind::SecondNames => "second-names",
            LimitationKind::LoaderVariables => "loader-variables",
            LimitationKind::Deputies => "deputies",
            LimitationKind::Descriptors => "descriptors",
        }
    }

    /// Whether it must be accepted.
    pub const fn consent(self) -> Consent {
        match self {
            LimitationKind::Arguments
            | LimitationKind::SecondNames
            | LimitationKind::LoaderVariables => Consent::Needed,
            LimitationKind::Deputies | LimitationKind::Descriptors => Consent::Told,
        }
    }
}

impl Limitation {
    pub(crate) fn of(kind: LimitationKind) -> Self {
        Limitation {
            kind,
            clause: None,
            at: None,
        }
    }

    fn by(kind: LimitationKind, clause: &Clause, at: Option<&RealPath>) -> Self {
        Limitation {
            kind,
            clause: Some(clause.clone()),
            at: at.cloned(),
        }
    }

    /// What sort it is.
    pub fn kind(&self) -> LimitationKind {
        self.kind
    }

    /// The clause that is not held, where it is one.
    pub fn clause(&self) -> Option<&Clause> {
        self.clause.as_ref()
    }

    /// The place it is about, where it is one.
    pub fn at(&self) -> Option<&RealPath> {
        self.at.as_ref()
    }
}

impl fmt::Display for Limitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(clause) = &self.clause {
            write!(f, "{}: ", crate::Why::of(clause))?;
        }
        match (self.kind, &self.at) {
            (LimitationKind::Arguments, _) => f.write_str(
                "the kernel does not see arguments: they bind the program that is started, and nothing that it starts",
            ),
            (LimitationKind::SecondNames, Some(at)) => {
                write!(f, "`{at}` has another name, by which it may be reached")
            }
            (LimitationKind::SecondNames, None) => {
                f.write_str("a file has another name, by which it may be reached")
            }
            (LimitationKind::LoaderVariables, _) => f.write_str(
                "no DYLD_ variable reaches what sandbox-exec starts",
            ),
            (LimitationKind::Deputies, Some(at)) => {
                write!(f, "`{at}` may be written and run: what is put there runs")
            }
            (LimitationKind::Deputies, None) => f.write_str("a folder may be written and run"),
            (LimitationKind::Descriptors, _) => f.write_str(
                "descriptors that are handed on can be used as they were opened, whatever the grant says",
            ),
        }
    }
}

/// What cannot be held of some grants in any profile.
pub(crate) fn of_stack<W: World>(stack: &Stack<W>, host: &Host<W>) -> Vec<Limitation> {
    let mut found = Vec::new();
    let programs = || stack.layers().iter().filter_map(Layer::exec);
    for bound in programs().flat_map(Programs::only) {
        let clause = bound.only().clause();
        found.push(Limitation::by(LimitationKind::Arguments, clause, None));
    }
    let layers = stack.layers().iter().flat_map(Layer::exclusions);
    for exclusion in layers.chain(stack.own()) {
        if let Some(at) = second_name(exclusion, stack, host) {
            let clause = exclusion.clause();
            found.push(Limitation::by(
                LimitationKind::SecondNames,
                clause,
                Some(&at),
            ));
        }
    }
    for deputy in stack.deputies(host) {
        let clause = deputy.write().clause();
        found.push(Limitation::by(
            LimitationKind::Deputies,
            clause,
            Some(deputy.at()),
        ));
    }
    found.push(Limitation::of(LimitationKind::Descriptors));
    found
}

/// The place of an exclusion at which a file with several names stands, if something is allowed that the
/// exclusion speaks against. What is allowed by a device alone, as every program may write `/dev/null`, reaches no file.
fn second_name<W: World>(
    exclusion: &Exclusion,
    stack: &Stack<W>,
    host: &Host<W>,
) -> Option<RealPath> {
    let against = exclusion.against();
    let holds_files = |one: &&Allowance| {
        matches!(
            one.place().kind(),
            None | Some(Kind::File | Kind::Directory)
        )
    };
    let files = |access: Access| {
        !stack.restricts_files() || stack.files(access, host).iter().any(holds_files)
    };
    let programs = || {
        let mut layers = stack.layers().iter();
        layers.all(|layer| layer.exec().is_none()) || !stack.programs(host).is_empty()
    };
    let is_open = [Access::READ, Access::WRITE]
        .into_iter()
        .any(|access| against.contains(access) && files(access))
        || against.contains(Access::EXEC) && programs();
    if !is_open {
        return None;
    }
    let files = exclusion
        .places()
        .iter()
        .filter(|place| place.kind() == Some(Kind::File));
    let mut counted = files.filter_map(|place| {
        let object = Object::walk(
            &host.tree,
            AsRef::<Path>::as_ref(place.real()),
            &Options::default(),
        )
        .ok()?;
        let names = host.tree.name_count(&object).unwrap_or(u64::MAX);
        (names > 1).then(|| place.real().clone())
    });
    counted.next()
}
