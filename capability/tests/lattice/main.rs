//! Law 4: evidence is monotone, depth is nothing, and layers only narrow. The guard against a model that
//! was written from the design and from nothing else, over every small stack and over drawn ones.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first surprise, as tests do"
)]

mod drawn;
mod every;
mod model;
mod rendered;
mod world;
