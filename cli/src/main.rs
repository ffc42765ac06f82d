//! The program `objcap`.

fn main() {}
