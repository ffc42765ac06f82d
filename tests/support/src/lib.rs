//! What the tests share: the table of path-resolution cases, scratch trees, a model Mac, and the
//! answers of this machine's kernel. No product code lives here, and none depends on it.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

pub mod adversary;
pub mod cases;
pub mod child;
pub mod mac;
pub mod moving;
pub mod perturbed;
pub mod resolution;
pub mod scratch;
pub mod scripted;
pub mod told;
pub mod trial;
pub mod world;

#[cfg(target_os = "linux")]
pub mod agreement;
#[cfg(target_os = "linux")]
pub mod apfs;
#[cfg(target_os = "linux")]
pub mod oracle;
