//! The accesses that a clause speaks of.

use std::fmt;

bitflags::bitflags! {
    /// A set of accesses to one object.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Access: u8 {
        /// To ask what it is, and to pass it in a lookup.
        const STAT = 1;
        /// To read its contents or list its entries.
        const READ = 1 << 1;
        /// To create, change or remove it.
        const WRITE = 1 << 2;
        /// To run it as a program.
        const EXEC = 1 << 3;
    }
}

impl Access {
    /// Those that the table `[fs]` decides about. Running is decided by `[exec]`, and needs reading.
    pub const FILES: Access = Access::STAT.union(Access::READ).union(Access::WRITE);
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Access::STAT, "stat"),
            (Access::READ, "read"),
            (Access::WRITE, "write"),
            (Access::EXEC, "exec"),
        ];
        let mut separator = "";
        for (_, name) in names.iter().filter(|(access, _)| self.contains(*access)) {
            write!(f, "{separator}{name}")?;
            separator = ", ";
        }
        Ok(())
    }
}
