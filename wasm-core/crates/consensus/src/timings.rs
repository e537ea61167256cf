//! Profiling hooks of the engine. The engine has no clock: a host that measures brings a stopwatch.

/// What time is spent on. Numbers are those of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// Everything that is none of the others.
    Rules = 0,
    /// Proof of work: matrix, hash, level, a witness where one is needed.
    Work = 1,
    /// The shielded state after a block: notes of its coinbase, note tree, nullifier product.
    Tree = 2,
    /// Calls of the host's store, with the copies they need.
    Store = 3,
}

/// A clock of the host. It must not call the engine.
pub trait Stopwatch {
    /// What was done since the last lap was `part`.
    fn lap(&self, part: Part);
}

/// Measures nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStopwatch;

impl Stopwatch for NoStopwatch {
    fn lap(&self, _part: Part) {}
}
