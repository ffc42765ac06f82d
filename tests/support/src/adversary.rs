//! A confined adversary in the model Mac: a random world, grants about it, and programs that want the
//! excluded bytes, to forge what is excluded or protected, or to swap the program that confines them.
//! After each call law 6 must hold, and between two generations law 9.
//!
//! Whatever is drawn comes from a [`Draw`]: numbers of a seed in the tests, bytes in the fuzz target
//! `confined`. How grants become a profile is a [`Maker`]: the product's way, or one with a hole.

mod admitted;
mod called;
mod drawn;
mod grants;
mod plans;
mod tagged;
mod trial;

pub use self::admitted::Admitted;
pub use self::called::{Attacker, Prize};
pub use self::drawn::{Draw, Random};
pub use self::grants::{Clauses, List, grants};
pub use self::tagged::Tagged;
pub use self::trial::{Counts, Generations, Maker, Ran, choices, run};
