//! A model Mac: a file system with links, hard links, root aliases, firmlinks and volumes of both
//! case rules; processes with descriptors; and the system calls, each asking a judged profile what
//! the kernel asks (docs/seatbelt.md, sections 3 and 4). It knows no grant and renders nothing.
//!
//! - [`Mac`] is the file system: built by real paths, cheap to copy, a [`Tree`](objcap_walk::Tree)
//!   and a [`World`](objcap_object::World), so that a grant can be frozen in it.
//! - [`Process`] makes a [`Call`]. Its names are looked up as the kernel does it, links followed; the
//!   [`Question`]s that arise are put to its [`Sandbox`], one after the other, and the first that is not
//!   allowed ends the call with nothing changed.
//! - What is not measured is a choice in [`Choices`], to be run both ways.
//!
//! Not modelled: `/dev/fd`, `/.vol` and `..namedfork` names, groups, flags that forbid a change
//! (chflags(1)), quotas, System Integrity Protection, and time.

mod act;
mod answer;
mod build;
mod call;
mod choices;
mod folder;
mod lookup;
mod names;
mod node;
mod plan;
mod process;
mod question;
mod state;
mod stock;
mod tree;
mod volume;
mod world;

use std::sync::Arc;

use objcap_object::Alias;

pub use self::answer::{Answer, Effect, Errno, Outcome, Program, Status};
pub use self::call::{Attribute, Base, Call, Fd, How, Name, New, Probe};
pub use self::choices::*;
pub use self::lookup::Landing;
pub use self::node::{Bytes, Ino};
pub use self::process::{Asked, Descriptor, Process, Rights, Sandbox, Terminal};
pub use self::question::{About, Question};
pub use self::state::State;
pub use self::volume::Rule;
pub use self::world::Kept;

use self::node::Node;
use self::volume::Volume;

/// The file system of a model Mac.
///
/// A copy shares everything with its original until one of them changes. An object's number is
/// never given to another.
#[derive(Clone, Debug)]
pub struct Mac {
    nodes: Arc<Vec<Arc<Node>>>,
    volumes: Arc<Vec<Volume>>,
    aliases: Arc<Vec<Alias>>,
    root: Ino,
}
