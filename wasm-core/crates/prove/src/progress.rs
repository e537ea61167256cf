//! How far a proof has come.
//!
//! Upstream's prover has no callback, but it draws randomness at every step: blinding of each column and
//! commitment, the rounds of the opening at the end. Counting the draws shows where it is.

use core::convert::Infallible;

use rand::{Rng, TryCryptoRng, TryRng};

/// What is being done: building, then proving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Notes, ciphertexts and commitments of the actions.
    Building,
    /// The proof, nearly all of the time.
    Proving,
}

impl Stage {
    /// The name that callers see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Proving => "proving",
        }
    }
}

/// Receives a stage and how much of it is done, 0 to 1, never falling within a stage.
pub type Progress<'a> = &'a mut dyn FnMut(Stage, f64);

/// A generator that reports each draw.
pub struct CountingRng<'a, R> {
    inner: R,
    draws: u64,
    on_draw: &'a mut dyn FnMut(u64),
}

impl<'a, R: Rng> CountingRng<'a, R> {
    /// Wraps `inner`; `on_draw` gets the number of draws so far, counted from 1.
    pub fn new(inner: R, on_draw: &'a mut dyn FnMut(u64)) -> Self {
        Self { inner, draws: 0, on_draw }
    }

    fn count(&mut self) {
        self.draws += 1;
        (self.on_draw)(self.draws);
    }
}

impl<R: Rng> TryRng for CountingRng<'_, R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.count();
        Ok(self.inner.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.count();
        Ok(self.inner.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.count();
        self.inner.fill_bytes(bytes);
        Ok(())
    }
}

impl<R: Rng + TryCryptoRng> TryCryptoRng for CountingRng<'_, R> {}
