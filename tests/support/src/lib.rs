//! What the tests share: the table of path-resolution cases, scratch trees, and the answers of this
//! machine's kernel. No product code lives here, and none depends on it.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

pub mod cases;
pub mod scratch;
pub mod world;

#[cfg(target_os = "linux")]
pub mod agreement;
#[cfg(target_os = "linux")]
pub mod oracle;
