//! Where choices come from.

use arbitrary::Unstructured;

/// A source of choices.
pub trait Draw {
    /// A number below `end`, and 0 where that is 0.
    fn below(&mut self, end: usize) -> usize;

    /// Whether nothing is left to draw; every number is 0 then.
    fn is_spent(&self) -> bool;

    /// Yes, once in so many times. A source that is spent says no.
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times.saturating_sub(1)
    }

    /// One of these.
    fn of<T: Copy>(&mut self, all: &[T]) -> T
    where
        Self: Sized,
    {
        all[self.below(all.len())]
    }
}

/// Numbers of a seed, without a pattern that matters here (xorshift64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// No two seeds near each other begin alike.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
}

impl Draw for Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % end.max(1) as u64) as usize
    }

    fn is_spent(&self) -> bool {
        false
    }
}

impl Draw for Unstructured<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.int_in_range(0..=end.saturating_sub(1)).unwrap_or(0)
    }

    fn is_spent(&self) -> bool {
        self.is_empty()
    }
}
